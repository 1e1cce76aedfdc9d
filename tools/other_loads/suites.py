"""Other projects' own tests on the cluster, held against what of them passes on Kafka's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from attrs import frozen

from tools.kafka_tests.judge import judged
from tools.kafka_tests.launcher import Outcome
from tools.kafka_tests.lists import (
    STATUSES,
    Reason,
    Recorded,
    class_of,
    read_reasons,
    read_record,
    write_record,
)
from tools.other_loads.load import Found, Load, Task, no_rows

HERE: Final = Path(__file__).parent
RECORD: Final = HERE / "on_kafka.txt"
EXCEPTIONS: Final = HERE / "exceptions.toml"
HEAD: Final = """\
# What other projects' tests do on brokers with Kafka's own controllers: status, seconds, test.
# Written by `python -m tools.other_loads record NAME ...`.
"""


@frozen
class Suite:
    """A project's tests. ``outcomes`` runs them: all, or the tests that the task names."""

    name: str
    what: str
    outcomes: Callable[[Task], dict[str, Outcome]]
    seconds: float = 1_200.0
    brokers: int = 3
    rows: Callable[[int], Mapping[str, str]] = no_rows

    def load(self) -> Load:
        """The suite as a load, held against the record."""
        return Load(
            self.name,
            self.what,
            lambda task: held(
                self.name, self.outcomes(task), read_record(RECORD), read_reasons(EXCEPTIONS), task
            ),
            self.seconds,
            self.brokers,
            self.rows,
            own_verdict=True,
        )

    def recording(self) -> Load:
        """The suite as a load that writes what becomes of each test into the record."""
        return Load(
            self.name,
            self.what,
            lambda task: recorded(self.name, self.outcomes(task)),
            self.seconds,
            self.brokers,
            self.rows,
            own_verdict=True,
        )


def held(
    suite: str,
    outcomes: Mapping[str, Outcome],
    record: Mapping[str, Recorded],
    reasons: Iterable[Reason],
    task: Task,
) -> Found:
    """What a run says, held against the record: all of it, or the part that was chosen."""
    part = {test: one for test, one in record.items() if is_chosen(test, task.tests)}
    verdict = judged(outcomes, part, list(reasons), {suite})
    found = Found(
        {
            "held": len(verdict.held),
            "broken": len(verdict.broken),
            "excepted": len(verdict.excepted),
            "not on Kafka": len(verdict.not_on_kafka),
            "not recorded": len(verdict.unknown),
        }
    )
    found.faults += [f"BROKEN {test}: {why}" for test, why in verdict.broken.items()]
    found.faults += [f"NOT RECORDED {test}" for test in verdict.unknown]
    found.hold(bool(verdict.held), f"no test of {suite} held")
    return found


def recorded(suite: str, outcomes: Mapping[str, Outcome], path: Path = RECORD) -> Found:
    """Replace what the record says of a suite."""
    known = read_record(path) if path.exists() else {}
    kept = {test: one for test, one in known.items() if class_of(test) != suite}
    for test, one in outcomes.items():
        kept[test] = Recorded(one.status if one.status in STATUSES else "failed", one.seconds)
    write_record(kept, path, HEAD)
    counts = {status: sum(one.status == status for one in outcomes.values()) for status in STATUSES}
    found = Found(counts)
    found.hold(bool(counts["passed"]), f"no test of {suite} passed on Kafka's controllers")
    return found


def is_chosen(test: str, chosen: Iterable[str]) -> bool:
    """Whether ``SUITE#TEST/SUBTEST`` is one of these tests or part of one; all are if none is."""
    names = tuple(chosen)
    return not names or test.partition("#")[2].partition("/")[0] in names
