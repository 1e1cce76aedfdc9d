"""Runs a play and shows what was asked and what came back.

Exit codes: 0 nothing differs, 1 something does, 2 a wrong option.

Examples:
    python -m tools.differential --steps 300
    python -m tools.differential --steps 10000 --seed 7 --restart-every 500
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.index import APIS
from tools.differential.controllers import two_controllers
from tools.differential.play import LAST, Differs, Play

STEPS_A_LINE = 500


def run(play: Play, steps: int, restart_every: int) -> None:
    """Take the steps; raises Differs."""
    for number in range(1, steps + 1):
        play.step()
        if restart_every and number % restart_every == 0:
            play.start_again()
        if number % STEPS_A_LINE == 0:
            print(f"{number} commands, none differs", file=sys.stderr)
    play.finish()


def table(play: Play) -> str:
    """How often each API answered which code."""
    rows = [
        f"{APIS[api_key].name:<28} {error_codes.NAMES.get(code, str(code)):<40} {count:>7}"
        for (api_key, code), count in sorted(play.codes.items())
    ]
    return "\n".join([f"{'API':<28} {'code':<40} {'answers':>7}", *rows])


def main() -> int:
    """Play once."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.differential",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--steps", type=int, default=300, help="commands to ask (default 300)")
    parser.add_argument("--seed", type=int, default=1, help="of all that is drawn (default 1)")
    parser.add_argument(
        "--restart-every",
        type=int,
        default=0,
        metavar="N",
        help="restart both controllers after so many commands (default: never)",
    )
    parser.add_argument(
        "--go-on", action="store_true", help="show all answers that differ while the states do not"
    )
    parser.add_argument(
        "--last", type=int, default=LAST, help=f"commands that a difference shows (default {LAST})"
    )
    parser.add_argument("--directory", type=Path, help="keep logs and data there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        directory = options.directory or temporary
        with two_controllers(Path(directory), options.seed) as play:
            play.goes_on, play.shown = options.go_on, options.last
            try:
                run(play, options.steps, options.restart_every)
            except Differs as error:
                print(error)
                print(f"seed {options.seed}, after {sum(play.asked.values())} commands")
                return 1
            finally:
                print("\n".join(play.noted))
            print(table(play))
            print(
                f"{sum(play.asked.values())} commands, {play.explained} known differences, "
                f"{play.failed} times Kafka's controller failed"
            )
            return 1 if play.noted else 0


if __name__ == "__main__":
    sys.exit(main())
