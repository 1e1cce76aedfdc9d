"""What a run on our controllers says, held against what is recorded of Kafka's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from attrs import field, frozen

from tools.kafka_tests.launcher import Outcome
from tools.kafka_tests.lists import (
    AGAIN,
    Chance,
    Reason,
    Recorded,
    chance_for,
    class_of,
    reason_for,
)

PASSED, FAILED = "passed", "failed"


@frozen
class Verdict:
    """The tests of a run by what became of them. ``broken`` are those that had to pass.

    ``by_chance`` are those that failed in a way that is left to chance, and passed when run again.
    """

    held: tuple[str, ...]
    broken: Mapping[str, str]
    excepted: Mapping[str, Reason]
    excepted_passed: tuple[str, ...]
    not_on_kafka: tuple[str, ...]
    unknown: tuple[str, ...]
    faults: Mapping[str, Sequence[str]] = field(factory=dict)
    by_chance: Mapping[str, Chance] = field(factory=dict)

    @property
    def is_good(self) -> bool:
        return not self.broken and not self.unknown

    def by_class(self) -> dict[str, Counter[str]]:
        """How many tests of each class held, were broken, and so on."""
        counts: dict[str, Counter[str]] = {}
        for name, tests in (
            ("held", self.held),
            ("broken", self.broken),
            ("by chance", self.by_chance),
            ("excepted", self.excepted),
            ("not on Kafka", self.not_on_kafka),
        ):
            for test in tests:
                counts.setdefault(class_of(test), Counter())[name] += 1
        return dict(sorted(counts.items()))


def judged(
    outcomes: Mapping[str, Outcome],
    record: Mapping[str, Recorded],
    reasons: Sequence[Reason],
    classes: Collection[str],
    again: Mapping[str, Chance] | None = None,
) -> Verdict:
    """Every recorded test of these classes is judged, whether it was run or not.

    A test that ran and is not recorded is unknown: the list is older than the jars or the kit.
    ``again`` are those that ``passed_again``.
    """
    by_chance = dict(again or {})
    held, not_on_kafka, excepted_passed = [], [], []
    broken: dict[str, str] = {}
    excepted: dict[str, Reason] = {}
    for test, recorded in record.items():
        if class_of(test) not in classes:
            continue
        outcome = outcomes.get(test)
        passed = outcome is not None and outcome.status == PASSED and not outcome.faults
        if recorded.status != PASSED:
            not_on_kafka.append(test)
        elif (reason := reason_for(test, reasons)) is not None:
            excepted[test] = reason
            if passed:
                excepted_passed.append(test)
        elif passed:
            held.append(test)
        elif test not in by_chance:
            broken[test] = _why(outcome)
    return Verdict(
        tuple(held),
        broken,
        excepted,
        tuple(excepted_passed),
        tuple(not_on_kafka),
        tuple(sorted(test for test in outcomes if test not in record)),
        {test: one.faults for test, one in outcomes.items() if one.faults},
        by_chance,
    )


def passed_again(
    outcomes: Mapping[str, Outcome],
    chances: Sequence[Chance],
    run_again: Callable[[str], Outcome | None],
) -> dict[str, Chance]:
    """Of the tests that failed by chance those that passed when run again, with the chance.

    ``run_again`` runs a test once more, and is asked AGAIN times at most, for as long as the test
    fails in that way.
    """
    found: dict[str, Chance] = {}
    for test, first in outcomes.items():
        outcome: Outcome | None = first
        for _ in range(AGAIN):
            chance = _chance(outcome, chances)
            if chance is None:
                break
            outcome = run_again(test)
            if outcome is not None and outcome.status == PASSED and not outcome.faults:
                found[test] = chance
    return found


def _chance(outcome: Outcome | None, chances: Sequence[Chance]) -> Chance | None:
    if outcome is None or outcome.status != FAILED or outcome.faults:
        return None
    return chance_for(outcome.test, outcome.why, chances)


def _why(outcome: Outcome | None) -> str:
    if outcome is None:
        return "it was not run"
    if outcome.faults:
        return "\n".join([f"a controller ended: {one}" for one in outcome.faults])
    return outcome.why or outcome.status
