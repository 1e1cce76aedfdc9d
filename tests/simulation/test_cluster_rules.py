"""The rules of brokers and partitions: what is right breaks none, what is wrong breaks its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from metaquorum.metadata.tables.topics import Partition
from metaquorum.testing.partition_rules import (
    PARTITION_RULES,
    Change,
    complete_after,
    idle_leads,
    unclean_restart_counts,
)
from metaquorum.testing.simulator.contacts_seen import ContactsSeen
from metaquorum.testing.simulator.invariants import Violation, partitions
from tests.simulation.broken_clusters import (
    ALONE,
    BAD_CHANGES,
    BROKERS,
    GOOD_CHANGES,
    KEY,
    NOBODY,
    change,
    partition,
)

SESSION_MS = 1_000


@pytest.mark.parametrize(
    ("check", "bad"), BAD_CHANGES, ids=lambda one: getattr(one, "__name__", "")
)
def test_a_bad_change_breaks_the_rule_that_forbids_it(
    check: Callable[[Change], None], bad: Change
) -> None:
    with pytest.raises(Violation) as found:
        check(bad)
    assert found.value.rule == check.__name__.replace("_", " ")


@pytest.mark.parametrize("good", GOOD_CHANGES, ids=range(len(GOOD_CHANGES)))
def test_a_good_change_breaks_no_rule(good: Change) -> None:
    for check in partitions.CHECKS:
        check(good)


def test_simulator_and_explorer_have_the_same_rules() -> None:
    assert [one.__name__ for one in partitions.CHECKS] == [one.__name__ for one in PARTITION_RULES]


def test_a_new_partition_begins_with_epochs_of_0() -> None:
    new = Change(KEY, None, partition(), BROKERS, True, 2)
    with pytest.raises(Violation, match="does not begin at 0"):
        partitions.a_leader_changes_with_its_epoch(new)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (change({}, {"isr": (1, 2)}), {1, 2}),
        (change({}, ALONE), {1, 2, 3}),
        (change({"isr": (1, 2)}, ALONE, complete=frozenset((1, 2))), {1, 2}),
        (change(ALONE, {"isr": (1, 3)}, complete=frozenset((1, 2))), {1, 3}),
        (change(ALONE, {"isr": (1,)}, complete=frozenset((1,)), min_insync_replicas=1), {1}),
        (change(NOBODY, {"isr": (3,), "leader": 3}, complete=frozenset((1, 2))), {3}),
    ],
)
def test_who_has_all_acknowledged_records_follows_the_isr(made: Change, expected: set[int]) -> None:
    assert complete_after(made) == expected


def test_the_last_replica_in_sync_stays_without_an_elr() -> None:
    last: dict[tuple[bytes, int], Partition] = {KEY: partition(isr=(2,), leader=-1)}
    assert idle_leads(2, last, False) is None and idle_leads(2, last, True) is not None
    assert unclean_restart_counts(2, last, False) is None
    assert unclean_restart_counts(2, last, True) is not None


def fences(*heard_ms: int, at_ms: int, leaves: bool = False) -> None:
    """Node 2 leads since 100 and fences broker 1 in the life 7, heard at these times."""
    seen = ContactsSeen()
    seen.leads(2, 100)
    for one in heard_ms:
        seen.heard(2, (1, 7), one)
    seen.asked((1, 7), 5, leaves=leaves, wants_fence=False)
    seen.written(99, 2, at_ms)
    seen.check_fencing(1, 7, 99, SESSION_MS)


def test_a_fencing_needs_a_silence_longer_than_the_session() -> None:
    fences(500, at_ms=1_501)
    fences(at_ms=1_101)
    fences(500, 1_502, at_ms=1_503)  # it was begun before the last heartbeat
    with pytest.raises(Violation, match="silent for 1000 ms"):
        fences(500, at_ms=1_500)


def test_a_new_leader_gives_every_broker_a_session() -> None:
    with pytest.raises(Violation, match="silent for 1000 ms"):
        fences(at_ms=1_100)


def test_a_broker_that_wants_to_stop_may_be_fenced_at_once() -> None:
    fences(500, at_ms=501, leaves=True)
