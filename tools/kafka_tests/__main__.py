"""Kafka's own integration tests, with controllers of ours under its brokers.

Exit codes: 0 all that has to pass does, 1 something does not, 2 a wrong option, 3 the tests or
Java are missing.

Examples:
    python -m tools.kafka_tests run --selection ci
    python -m tools.kafka_tests run --class TopicCommandTest -o json
    python -m tools.kafka_tests record TopicCommandTest      # on Kafka's own controllers
    python -m tools.kafka_tests list                    # recorded, not yet recorded, out of reach
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from functools import partial
from pathlib import Path

from attrs import define, field

from tools.kafka import jars, jvm
from tools.kafka.helper import HelperFailed
from tools.kafka_tests import lists, selections
from tools.kafka_tests.judge import judged, passed_again
from tools.kafka_tests.lanes import is_bad, run_in_lanes
from tools.kafka_tests.launcher import KAFKA, LEFT_AT_CLOSE, OURS, Outcome, run_classes
from tools.kafka_tests.report import as_json, as_text, classes_text, facts_of_classes
from tools.kafka_tests.test_classes import (
    classes_with_clusters,
    classes_with_their_own_controller,
)

LOGS = jars.CACHE.parent / "kafka-tests"


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m tools.kafka_tests",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = made.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="run recorded tests on controllers of ours")
    run.add_argument("--selection", choices=selections.NAMES, default="hour")
    run.add_argument("--class", dest="classes", action="append", default=[], metavar="CLASS")
    run.add_argument("--times", type=int, default=1, help="so many times in a row (default 1)")
    record = commands.add_parser(
        "record", help="run classes on Kafka's controllers, keep how they end"
    )
    record.add_argument("classes", nargs="+", metavar="CLASS")
    shown = commands.add_parser("list", help="show the classes and what is recorded of them")
    for one in (run, record):
        one.add_argument("--jobs", type=int, default=2, help="JVMs at a time (default 2)")
        one.add_argument(
            "--logs", type=Path, default=LOGS, help="where the logs of classes that failed go"
        )
    for one in (run, shown):
        one.add_argument("-o", "--output", choices=("text", "json"), default="text")
    return made


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    try:
        if options.command == "record":
            return record(options)
        if options.command == "list":
            return show(options)
        return max(run(options) for _ in range(options.times))
    except selections.UnknownClass as why:
        print(why, file=sys.stderr)
        return 2
    except (jvm.JavaMissing, jars.FetchFailed, HelperFailed, lists.BadList) as why:
        print(why, file=sys.stderr)
        return 3


def run(options: argparse.Namespace) -> int:
    """Hold ours against the list once."""
    record_of, reasons = lists.read_record(), lists.read_reasons()
    chances = lists.read_chances()
    classes, left = selections.chosen(options.selection, options.classes, record_of, options.jobs)
    skipped = [
        test
        for test, one in record_of.items()
        if one.status != "passed" or lists.reason_for(test, reasons) is not None
    ]
    began = time.monotonic()
    outcomes = run_in_lanes(
        classes,
        record_of,
        on=OURS,
        skipped=skipped,
        logs=options.logs,
        jobs=options.jobs,
        told=say,
        ended=Progress(len(classes)),
    )
    again = passed_again(outcomes, chances, partial(once_more, options.logs))
    verdict = judged(outcomes, record_of, reasons, set(classes), again)
    took_s = time.monotonic() - began
    print(
        as_json(verdict, left, took_s)
        if options.output == "json"
        else as_text(verdict, left, took_s)
    )
    return 0 if verdict.is_good else 1


def once_more(logs: Path, test: str) -> Outcome | None:
    """Run the method of a test on ours, and say how the test ended; None if it did not run."""
    print(f"again  {test}", file=sys.stderr, flush=True)
    found: dict[str, Outcome] = {}
    run_classes(
        [test.partition("[")[0]],
        on=OURS,
        skipped=(),
        log=logs / f"{OURS}-again.log",
        told=lambda outcome: found.update({outcome.test: outcome}),
    )
    return found.get(test)


def record(options: argparse.Namespace) -> int:
    """Run classes on Kafka's own kit, and write what became of each test."""
    libs = jars.integration_test_libs(streams=True)
    known = classes_with_clusters(libs)
    classes = [selections.full_name(one, known) for one in options.classes]
    record_of = lists.read_record() if lists.RECORD.exists() else {}
    outcomes = run_in_lanes(
        classes,
        record_of,
        on=KAFKA,
        skipped=(),
        logs=options.logs,
        jobs=options.jobs,
        told=say,
        ended=Progress(len(classes)),
    )
    kept = {test: one for test, one in record_of.items() if lists.class_of(test) not in classes}
    for test, one in outcomes.items():
        status = one.status if one.status in lists.STATUSES else "failed"
        kept[test] = lists.Recorded(status, one.seconds)
    lists.write_record(kept)
    return 0


def show(options: argparse.Namespace) -> int:
    """The classes of the test jars, and what is recorded of each."""
    libs = jars.integration_test_libs(streams=True)
    record_of, reasons = lists.read_record(), lists.read_reasons()
    facts = facts_of_classes(
        classes_with_clusters(libs), classes_with_their_own_controller(libs), record_of, reasons
    )
    print(json.dumps(facts, indent=2) if options.output == "json" else classes_text(facts))
    return 0


@define
class Progress:
    """A line for each class that has ended: how far the run is."""

    total: int
    count: int = 0
    began: float = field(factory=time.monotonic)

    def __call__(self, name: str) -> None:
        """This class has ended."""
        self.count += 1
        minutes = (time.monotonic() - self.began) / 60
        short = name.rpartition(".")[2]
        text = f"{self.count:>4} of {self.total} classes, {minutes:5.1f} min: {short}"
        print(text, file=sys.stderr, flush=True)


def say(outcome: Outcome) -> None:
    """What failed, after how long and why, while the others still run."""
    if is_bad(outcome):
        head, *_ = outcome.why.split("\n  at ")
        left = [line for line in outcome.why.splitlines() if LEFT_AT_CLOSE in line]
        why = " ".join([*outcome.faults, *head.split(), *left])
        took = f" after {outcome.seconds:.1f} s" if outcome.status != "hung" else ""
        told = f"{outcome.status} {outcome.test}{took}\n       {why}"
        print(told.rstrip(), file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
