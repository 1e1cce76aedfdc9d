"""Durable commits of two of Kafka's controllers under our leader, and under one of their own.

Two quorums at once, the loads of ``commit.py`` in turns; all of Kafka's run as shipped but for the
linger, which is 0. Who leads is settled before by stopping leaders in order, and checked after.
The floor: our leader commits no less.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools import pypy
from tools.bench.commit import WARM_S, load_of, measured, medians, scratch_directory, show, warm
from tools.bench.commit_floors import Check
from tools.bench.commit_systems import KAFKA_HEAP, System
from tools.debian import PackagesMissing
from tools.kafka.tool import run_tool
from tools.mixed.node import KAFKA, OURS, OURS_ON_PYPY, Kind, is_ours
from tools.mixed.quorum import MixedQuorum

LOADS = "1,16,256"
PROPERTIES = {"controller.quorum.append.linger.ms": "0"}
FLOOR = 1.0


@contextlib.contextmanager
def led_by(kind: Kind, directory: Path) -> Iterator[System]:
    """One node of this kind and two of Kafka's; the first one leads."""
    quorum = MixedQuorum(directory, (kind, KAFKA, KAFKA), run_tool, PROPERTIES)
    for node in quorum.nodes.values():
        node.flags = KAFKA_HEAP
    with quorum:
        quorum.load.stop()
        leader = quorum.lead_by([1] if is_ours(kind) else list(quorum.nodes))

        def pids() -> list[int]:
            return [node.pid for node in quorum.nodes.values() if node.pid is not None]

        def found() -> tuple[int, int]:
            if quorum.wait_led() != leader:
                raise SystemExit(f"node {leader} leads no more\n{quorum.log_tails()}")
            return leader - 1, quorum.nodes[leader].controller_port

        yield System(f"led by {kind}", "kafka", True, pids, found)


def at_hand() -> Kind:
    """Ours on PyPy, or on this Python where that cannot be had, which is said."""
    try:
        pypy.command()
    except PackagesMissing as error:
        print(f"ours runs on this Python: {error}", file=sys.stderr)
        return OURS
    return OURS_ON_PYPY


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--clients", default=LOADS, help="the loads; default %(default)s")
    parser.add_argument("--seconds", type=float, default=3.0, help="each load in a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--warm-seconds", type=float, default=WARM_S)
    about_ours = f"{OURS_ON_PYPY} or {OURS}; without it the first one that can be had"
    parser.add_argument("--ours", choices=[OURS_ON_PYPY, OURS], help=about_ours)
    parser.add_argument("--gate", action="store_true", help="exit 1 where the floor is missed")
    chosen = parser.parse_args(arguments)
    loads = [load_of(text) for text in chosen.clients.split(",")]
    kind_of_ours = chosen.ours or at_hand()
    runs = []
    with contextlib.ExitStack() as stack:
        scratch = stack.enter_context(scratch_directory(None))
        systems = [
            stack.enter_context(led_by(kind, scratch / f"led-by-{kind}"))
            for kind in (kind_of_ours, KAFKA)
        ]
        for system in systems:
            warm(system, chosen.warm_seconds)
        for number in range(chosen.rounds):
            for load in loads:
                for system in systems if number % 2 == 0 else reversed(systems):
                    runs.append(measured(system, load, chosen.seconds))
                    print(runs[-1], file=sys.stderr, flush=True)
    rows = medians(runs)
    rates = {(row.system, row.load): row.commits_a_second for row in rows}
    held = []
    for load in chosen.clients.split(","):
        ours, kafkas = rates[f"led by {kind_of_ours}", load], rates[f"led by {KAFKA}", load]
        ratio = round(ours / kafkas, 2)
        what = f"commits under our leader by those under Kafka's, {load} clients"
        held.append(Check(what, ratio, FLOOR, None, ratio >= FLOOR))
    show(rows, {}, held)
    return 1 if chosen.gate and not all(check.holds for check in held) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
