"""Rules of partitions: leaders, ISRs, ELRs and epochs, at each committed record.

What they look at is in ``testing/partition_rules.py``, which the explorer shares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from metaquorum.base.offsets import Offset
from metaquorum.testing import partition_rules as shared
from metaquorum.testing.partition_rules import Change
from metaquorum.testing.simulator.invariants.rule import broken, rule


@rule("KIP-631, Partition Records", "The leader of a partition is in its ISR, or there is none.")
def a_leader_is_in_the_isr(change: Change) -> None:
    _hold(a_leader_is_in_the_isr, shared.a_leader_is_in_the_isr, change)


@rule(
    "KIP-631, Partition Records; KIP-858",
    "ISR and ELR are made of replicas, nobody is named twice, and each has a directory.",
)
def an_isr_is_made_of_replicas(change: Change) -> None:
    _hold(an_isr_is_made_of_replicas, shared.an_isr_is_made_of_replicas, change)


@rule(
    "KIP-966, Eligible Leader Replicas",
    "Nobody is in sync only where eligible leader replicas are on, and then nobody leads.",
)
def an_isr_is_empty_only_with_an_elr(change: Change) -> None:
    _hold(an_isr_is_empty_only_with_an_elr, shared.an_isr_is_empty_only_with_an_elr, change)


@rule("KIP-966, Eligible Leader Replicas", "Nobody is both in sync and eligible.")
def an_elr_is_apart_from_the_isr(change: Change) -> None:
    _hold(an_elr_is_apart_from_the_isr, shared.an_elr_is_apart_from_the_isr, change)


@rule(
    "KIP-966, Last Known Leader",
    "One last known leader is named, and only while a partition has no leader.",
)
def a_last_leader_is_known_only_without_a_leader(change: Change) -> None:
    _hold(
        a_last_leader_is_known_only_without_a_leader,
        shared.a_last_leader_is_known_only_without_a_leader,
        change,
    )


@rule(
    "KIP-966, ELR Invariants",
    "Who leaves an ISR that is below min.insync.replicas, and lost nothing, becomes eligible.",
)
def nobody_complete_is_forgotten(change: Change) -> None:
    _hold(nobody_complete_is_forgotten, shared.nobody_complete_is_forgotten, change)


@rule(
    "KIP-966, ELR Invariants",
    "With min.insync.replicas in sync nobody else is eligible: writes go on without the others.",
)
def an_elr_ends_when_the_isr_is_large_enough(change: Change) -> None:
    _hold(
        an_elr_ends_when_the_isr_is_large_enough,
        shared.an_elr_ends_when_the_isr_is_large_enough,
        change,
    )


@rule("KIP-841, ISR Expansion", "No fenced broker, and none that shuts down, enters an ISR.")
def only_active_brokers_come_into_the_isr(change: Change) -> None:
    _hold(
        only_active_brokers_come_into_the_isr, shared.only_active_brokers_come_into_the_isr, change
    )


@rule(
    "KIP-631, Broker Fencing; KIP-858",
    "Who is elected is neither fenced nor shutting down, and its directory is online.",
)
def only_active_brokers_are_elected(change: Change) -> None:
    _hold(only_active_brokers_are_elected, shared.only_active_brokers_are_elected, change)


@rule(
    "KIP-101; KIP-631, Partition Change",
    "A leader changes only with the leader epoch, which rises by one.",
)
def a_leader_changes_with_its_epoch(change: Change) -> None:
    _hold(a_leader_changes_with_its_epoch, shared.a_leader_changes_with_its_epoch, change)


@rule("KIP-497, Partition Epoch", "Each change of a partition raises its epoch by exactly one.")
def a_partition_epoch_counts_changes(change: Change) -> None:
    _hold(a_partition_epoch_counts_changes, shared.a_partition_epoch_counts_changes, change)


@rule(
    "KIP-455; KAFKA-15021",
    "When a replica is taken away the leader epoch rises, so that its fetches are refused.",
)
def a_removed_replica_raises_the_leader_epoch(change: Change) -> None:
    _hold(
        a_removed_replica_raises_the_leader_epoch,
        shared.a_removed_replica_raises_the_leader_epoch,
        change,
    )


@rule(
    "KIP-106; KIP-460; KIP-966, Last Known Leader",
    "A replica that is neither in sync nor eligible leads only where that is allowed.",
)
def unclean_elections_are_allowed(change: Change) -> None:
    _hold(unclean_elections_are_allowed, shared.unclean_elections_are_allowed, change)


@rule("KIP-704, Leader Recovery State", "After an unclean election the leader is to recover.")
def an_unclean_leader_recovers(change: Change) -> None:
    _hold(an_unclean_leader_recovers, shared.an_unclean_leader_recovers, change)


@rule(
    "KIP-966, Proposed Changes",
    "Who is elected cleanly has every record that a producer was told to be safe.",
)
def a_clean_leader_has_every_acknowledged_record(change: Change) -> None:
    _hold(
        a_clean_leader_has_every_acknowledged_record,
        shared.a_clean_leader_has_every_acknowledged_record,
        change,
    )


@rule(
    "KIP-497; KIP-903",
    "An ISR grows only as its leader asked, with its epochs and those of its brokers.",
)
def an_isr_grows_as_its_leader_asked(change: Change, joined: Iterable[int], is_asked: bool) -> None:
    if not is_asked:
        broken(
            an_isr_grows_as_its_leader_asked,
            f"{sorted(joined)} came into the ISR {list(change.new.isr)} of {_name(change)}, which "
            "nobody asked for with these epochs",
        )


@rule("KIP-516; KIP-631, Remove Topic", "Of a deleted topic nothing changes any more.")
def a_deleted_topic_stays_deleted(topic_id: bytes, offset: Offset, is_deleted: bool) -> None:
    if is_deleted:
        broken(a_deleted_topic_stays_deleted, f"{topic_id.hex()} is changed at {offset}")


def _name(change: Change) -> str:
    return f"partition {change.key[1]} of {change.key[0].hex()}"


def _hold(
    check: Callable[..., None], problem: Callable[[Change], str | None], change: Change
) -> None:
    found = problem(change)
    if found is not None:
        broken(check, f"{_name(change)}: {found}; it was {change.old}, is {change.new}")


CHECKS: tuple[Callable[[Change], None], ...] = (
    a_leader_is_in_the_isr,
    an_isr_is_made_of_replicas,
    an_isr_is_empty_only_with_an_elr,
    an_elr_is_apart_from_the_isr,
    a_last_leader_is_known_only_without_a_leader,
    nobody_complete_is_forgotten,
    an_elr_ends_when_the_isr_is_large_enough,
    only_active_brokers_come_into_the_isr,
    only_active_brokers_are_elected,
    a_leader_changes_with_its_epoch,
    a_partition_epoch_counts_changes,
    a_removed_replica_raises_the_leader_epoch,
    unclean_elections_are_allowed,
    an_unclean_leader_recovers,
    a_clean_leader_has_every_acknowledged_record,
)
"""The rules of one change, in the order in which they are looked at."""
