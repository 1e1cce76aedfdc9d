"""Loads that others wrote, on three brokers of Kafka's with controllers of ours under them.

Exit codes: 0 all is well, 1 a load found a fault, 2 a wrong option, 3 Java, Go or what has to be
fetched is missing.

Examples:
    python -m tools.other_loads list
    python -m tools.other_loads run trogdor --seconds 3600
    python -m tools.other_loads run performance copier --on kafka -o json
    python -m tools.other_loads run franz-go --test TestGroupSimple --test TestConsumeRegex
    python -m tools.other_loads record franz-go     # what of it passes on Kafka's own controllers
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tools.kafka import JavaHelper, jars, jvm
from tools.kafka.helper import HelperFailed
from tools.kafka_tests import lists
from tools.kafka_tests.launcher import KAFKA, OURS
from tools.other_loads.catalogue import LOADS, SUITES
from tools.other_loads.cluster import SIDES
from tools.other_loads.go_suites import GoMissing
from tools.other_loads.load import Load
from tools.other_loads.report import as_json, as_text, list_json, list_text
from tools.other_loads.running import Result, run_load

LOGS: Final = jars.CACHE.parent / "other-loads"
LONGEST_S: Final = 86_400.0


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m tools.other_loads",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = made.add_subparsers(dest="command", required=True)
    listed = commands.add_parser("list", help="show the loads")
    run = commands.add_parser("run", help="run loads, one after the other")
    run.add_argument("names", nargs="+", metavar="NAME", choices=[one.name for one in LOADS])
    run.add_argument("--on", choices=SIDES, default=OURS, help="whose controllers (default ours)")
    run.add_argument(
        "--test", dest="tests", action="append", default=[], metavar="TEST",
        help="of a suite only this test (again for more)",
    )  # fmt: skip
    record = commands.add_parser("record", help="keep what of suites passes on Kafka's controllers")
    record.add_argument("names", nargs="+", metavar="NAME", choices=[one.name for one in SUITES])
    for one in (run, record):
        one.add_argument("--seconds", type=seconds, help="how long each is (default: its own)")
        one.add_argument("--logs", type=Path, default=LOGS, help="where logs go")
    for one in (listed, run, record):
        one.add_argument("-o", "--output", choices=("text", "json"), default="text")
    return made


def seconds(text: str) -> float:
    """A length of a load, above zero and at most a day."""
    try:
        found = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds") from None
    if not 0 < found <= LONGEST_S:
        raise argparse.ArgumentTypeError(f"{text} is not above 0 and at most {LONGEST_S:.0f}")
    return found


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    as_object = options.output == "json"
    if options.command == "list":
        print(list_json(LOADS) if as_object else list_text(LOADS))
        return 0
    try:
        if options.command == "record":
            loads = [one.recording() for one in SUITES if one.name in options.names]
            results = run(loads, KAFKA, options)
        else:
            loads = [one for one in LOADS if one.name in options.names]
            results = run(loads, options.on, options, tuple(options.tests))
    except (jvm.JavaMissing, GoMissing, jars.FetchFailed, HelperFailed, lists.BadList) as why:
        print(why, file=sys.stderr)
        return 3
    print(json.dumps(as_json(results), indent=2) if as_object else as_text(results))
    return 0 if all(one.is_good for one in results) else 1


def run(
    loads: Sequence[Load], on: str, options: argparse.Namespace, tests: tuple[str, ...] = ()
) -> list[Result]:
    """Each load on a cluster of its own; a line of progress for each."""
    results = []
    with JavaHelper() as java:
        for load in loads:
            print(f"{load.name} on {on} ...", file=sys.stderr, flush=True)
            logs = options.logs / f"{load.name}-on-{on}"
            results.append(run_load(load, java, on, logs, options.seconds, tests))
    return results


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
