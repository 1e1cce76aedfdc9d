"""States of brokers and partitions that must not be: each breaks one rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve

from metaquorum.metadata.tables.nodes import Broker
from metaquorum.metadata.tables.topics import Partition
from metaquorum.testing.partition_rules import (
    Change,
    idle_leads,
    offline_leads,
    unclean_restart_counts,
)
from metaquorum.testing.simulator.invariants import brokers, partitions

TOPIC = b"topic" + bytes(11)
KEY = (TOPIC, 0)
ALL = (1, 2, 3)


def broker(number: int, **changes: Any) -> Broker:
    """An unfenced broker with one log directory."""
    plain = Broker(
        *(number, 10 + number, bytes([number]) * 16, (), (), None, False, False, False),
        log_dirs=(directory(number),),
        cordoned_log_dirs=None,
    )
    return evolve(plain, **changes)


def directory(number: int) -> bytes:
    """The log directory of a broker."""
    return bytes([7, number]) * 8


BROKERS: Mapping[int, Broker] = {one: broker(one) for one in ALL}
FENCED = {**BROKERS, 2: broker(2, fenced=True)}


def partition(**changes: Any) -> Partition:
    """Three replicas, all in sync under the first."""
    plain = Partition(
        ALL, tuple(map(directory, ALL)), ALL, leader=1, leader_epoch=4, partition_epoch=7
    )
    return evolve(plain, **changes)


def change(
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    known: Mapping[int, Broker] = BROKERS,
    **told: Any,
) -> Change:
    """A partition before and after a record that raises both epochs, or what is said of them."""
    facts = {"has_elr": True, "min_insync_replicas": 2, "complete": frozenset(ALL)} | told
    after = partition(**{"leader_epoch": 5, "partition_epoch": 8, **new})
    return Change(KEY, partition(**old), after, known, **facts)


ALONE = {"isr": (1,), "elr": (2, 3)}
NOBODY = {"isr": (), "elr": (1, 2), "leader": -1, "last_known_elr": (1,)}

BAD_CHANGES: tuple[tuple[Callable[[Change], None], Change], ...] = (
    (partitions.a_leader_is_in_the_isr, change({}, {"isr": (2, 3)})),
    (partitions.an_isr_is_made_of_replicas, change({}, {"isr": (1, 2, 9)})),
    (partitions.an_isr_is_made_of_replicas, change({}, {"isr": (1, 2, 2)})),
    (partitions.an_isr_is_made_of_replicas, change({}, {"directories": ()})),
    (
        partitions.an_isr_is_empty_only_with_an_elr,
        change({"isr": (1,)}, {"isr": (), "leader": -1}, has_elr=False),
    ),
    (partitions.an_elr_is_apart_from_the_isr, change({}, {"isr": (1,), "elr": (1, 2)})),
    (partitions.an_elr_is_apart_from_the_isr, change({}, ALONE, has_elr=False)),
    (
        partitions.a_last_leader_is_known_only_without_a_leader,
        change({}, {"last_known_elr": (2,)}),
    ),
    (partitions.nobody_complete_is_forgotten, change(ALONE, {"isr": (1,), "elr": (2,)})),
    (
        partitions.an_elr_ends_when_the_isr_is_large_enough,
        change(ALONE, {"isr": (1, 2), "elr": (3,)}),
    ),
    (
        partitions.only_active_brokers_come_into_the_isr,
        change({"isr": (1, 3)}, {"isr": (1, 3, 2)}, FENCED),
    ),
    (partitions.only_active_brokers_are_elected, change({}, {"leader": 2}, FENCED)),
    (
        partitions.only_active_brokers_are_elected,
        change({}, {"leader": 2}, {**BROKERS, 2: broker(2, log_dirs=(directory(8),))}),
    ),
    (partitions.a_leader_changes_with_its_epoch, change({}, {"leader": 2, "leader_epoch": 4})),
    (partitions.a_leader_changes_with_its_epoch, change({}, {"leader_epoch": 3})),
    (partitions.a_leader_changes_with_its_epoch, change({}, {"leader_epoch": 6})),
    (partitions.a_partition_epoch_counts_changes, change({}, {"partition_epoch": 7})),
    (partitions.a_partition_epoch_counts_changes, change({}, {"partition_epoch": 9})),
    (
        partitions.a_removed_replica_raises_the_leader_epoch,
        change(
            {},
            {
                "replicas": (1, 2),
                "isr": (1, 2),
                "directories": (directory(1), directory(2)),
                "leader_epoch": 4,
            },
        ),
    ),
    (
        partitions.unclean_elections_are_allowed,
        change({"isr": (), "elr": (1,), "leader": -1}, {"isr": (2,), "leader": 2}),
    ),
    (
        partitions.an_unclean_leader_recovers,
        change(
            {"isr": (), "elr": (1,), "leader": -1},
            {"isr": (2,), "leader": 2},
            may_be_unclean=True,
        ),
    ),
    (
        partitions.a_clean_leader_has_every_acknowledged_record,
        change(NOBODY, {"isr": (2,), "leader": 2, "elr": (1,)}, complete=frozenset((1,))),
    ),
)

GOOD_CHANGES: tuple[Change, ...] = (
    change({}, {"leader_epoch": 4, "isr": (1, 2)}),
    change({}, {**ALONE, "leader_epoch": 4}),
    change(ALONE, {"isr": (2,), "elr": (1, 3), "leader": 2}),
    change({"isr": (1,)}, NOBODY),
    change(NOBODY, {"isr": (2,), "elr": (1,), "leader": 2}),
    change(
        {"isr": (1,), "elr": (2,)},
        {"isr": (), "leader": -1, "elr": (2,)},
        restarting=frozenset((1,)),
    ),
    change(
        {"isr": (), "leader": -1, "last_known_elr": (2,)},
        {"isr": (2,), "leader": 2, "leader_recovery_state": 1},
    ),
    change(
        {"isr": (3,), "leader": -1},
        {"isr": (2,), "leader": 2, "leader_recovery_state": 1},
        may_be_unclean=True,
    ),
    change(
        {"replicas": (3, 1, 2), "adding_replicas": (3,), "isr": (1, 2), "removing_replicas": (1,)},
        {
            "replicas": (3, 2),
            "directories": (directory(3), directory(2)),
            "isr": (2, 3),
            "leader": 3,
        },
    ),
)

LED = {KEY: partition(leader=2)}

BROKEN_CLUSTERS: tuple[Callable[[], None], ...] = (
    *(lambda check=check, bad=bad: check(bad) for check, bad in BAD_CHANGES),
    lambda: partitions.an_isr_grows_as_its_leader_asked(BAD_CHANGES[0][1], [2], False),
    lambda: partitions.a_deleted_topic_stays_deleted(TOPIC, 9, True),
    lambda: brokers.broker_epochs_rise(1, 5, 5, 9),
    lambda: brokers.broker_epochs_rise(1, 5, 10, 9),
    lambda: brokers.an_older_life_changes_nothing(1, 5, 6, "a heartbeat"),
    lambda: brokers.a_broker_heard_in_time_is_not_fenced(1, 2, 9_000, 9_000),
    lambda: brokers.a_broker_is_unfenced_when_it_caught_up(1, 8, 9),
    lambda: brokers.a_broker_is_unfenced_when_it_caught_up(1, None, 9),
    lambda: brokers.a_fenced_broker_leads_nothing(idle_leads(2, LED, True)),
    lambda: brokers.nobody_counts_with_an_unclean_restart(unclean_restart_counts(2, LED, True)),
    lambda: brokers.a_broker_told_to_stop_leads_nothing(idle_leads(2, LED, False)),
    lambda: brokers.a_broker_goes_when_all_others_know(1, 2, 4, 5),
    lambda: brokers.nobody_leads_from_a_lost_directory(
        offline_leads(broker(2, log_dirs=(directory(8),)), LED)
    ),
    lambda: brokers.producer_ids_are_given_once(999, 1_000, 1_000),
    lambda: brokers.acknowledged_changes_are_kept("topic t", False),
    lambda: brokers.live_brokers_are_unfenced(["1"], 9),
    lambda: brokers.dead_brokers_are_fenced(["1"], 9),
    lambda: brokers.partitions_with_a_candidate_have_a_leader(["0 of t"], 9),
)
