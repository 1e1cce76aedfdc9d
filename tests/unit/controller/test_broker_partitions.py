"""Partitions of brokers that leave, come back, and lose log directories."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from metaquorum.base.limits import RECORDS_PER_TURN
from metaquorum.controller.partitions import of_brokers
from metaquorum.controller.partitions.of_brokers import (
    leads_any,
    leaves_isrs,
    loses_directories,
    takes_up,
)
from metaquorum.testing.every_record import made, uuid
from metaquorum.testing.partitions import Cluster, directory


def write_all(cluster: Cluster, turns: Iterator[object]) -> list[int]:
    """Take every turn; how many records each of them wrote."""
    sizes = []
    for records in turns:
        sizes.append(len(records))
        cluster.write(records)
    return sizes


def state_of(cluster: Cluster, topic: str, number: int = 0) -> tuple[object, ...]:
    found = cluster.partition(topic, number)
    return found.leader, found.isr, found.elr


def test_fenced_broker_leads_nothing_and_is_in_no_isr() -> None:
    cluster = Cluster.of((1, 2, 3), min_insync_replicas=2)
    cluster.topic("a", (1, 2), (2, 1), (2, 3), (1,))
    assert leads_any(cluster.context, 1)
    assert write_all(cluster, leaves_isrs(cluster.context, 1)) == [3]
    assert state_of(cluster, "a", 0) == (2, (2,), (1,))
    assert state_of(cluster, "a", 1) == (2, (2,), (1,))
    assert state_of(cluster, "a", 2) == (2, (2, 3), ())
    assert state_of(cluster, "a", 3) == (-1, (), (1,))
    assert not leads_any(cluster.context, 1) and leads_any(cluster.context, 2)
    assert write_all(cluster, leaves_isrs(cluster.context, 1)) == [0]


def test_replica_of_an_unclean_shutdown_leaves_the_eligible_ones_too() -> None:
    cluster = Cluster.of((1, 2), min_insync_replicas=2)
    cluster.topic("a", (1, 2), (1,))
    write_all(cluster, leaves_isrs(cluster.context, 1))
    cluster.fence(1)
    assert write_all(cluster, leaves_isrs(cluster.context, 1, is_unclean=True)) == [2]
    assert state_of(cluster, "a", 0) == (2, (2,), ())
    assert state_of(cluster, "a", 1) == (-1, (), ())
    assert cluster.partition("a", 1).last_known_elr == (1,)


def test_unfenced_broker_leads_what_has_no_leader() -> None:
    cluster = Cluster.of((1, 2), min_insync_replicas=2)
    cluster.topic("a", (1,), (2,), (1, 2))
    write_all(cluster, leaves_isrs(cluster.context, 1))
    cluster.fence(1)
    assert write_all(cluster, takes_up(cluster.context, 1)) == [1]
    assert state_of(cluster, "a", 0) == (1, (1,), ())
    assert state_of(cluster, "a", 2) == (2, (2,), (1,))
    assert write_all(cluster, takes_up(cluster.context, 1)) == []


def test_broker_that_is_leaving_is_not_elected() -> None:
    cluster = Cluster.of((1, 2, 3))
    cluster.topic("a", (1, 2, 3))
    cluster.contacts.began_to_leave(2)
    write_all(cluster, leaves_isrs(cluster.context, 1))
    assert state_of(cluster, "a") == (3, (2, 3), ())


def test_topic_that_allows_it_gets_an_unclean_leader_at_once() -> None:
    cluster = Cluster.of((1, 2))
    cluster.topic("a", (1, 2), isr=[1])
    cluster.set("a", "unclean.leader.election.enable", "true")
    write_all(cluster, leaves_isrs(cluster.context, 1))
    assert state_of(cluster, "a") == (2, (2,), ())
    assert cluster.partition("a").leader_recovery_state == 1


def test_an_offline_directory_takes_its_own_replicas_alone() -> None:
    cluster = Cluster.of((2,))
    cluster.register(1, directories=2)
    cluster.topic("a", (1, 2))
    cluster.topic("b", (1, 2), directories=[directory(1, 1), directory(2)])
    lost = frozenset({directory(1, 1)})
    assert write_all(cluster, loses_directories(cluster.context, 1, lost)) == [1]
    assert state_of(cluster, "a") == (1, (1, 2), ())
    assert state_of(cluster, "b") == (2, (2,), ())


def test_partitions_of_a_deleted_topic_are_passed_over() -> None:
    cluster = Cluster.of((1, 2))
    cluster.topic("a", *[(1, 2)] * RECORDS_PER_TURN)
    cluster.topic("b", (1, 2))
    turns = leaves_isrs(cluster.context, 1)
    cluster.write(next(turns))
    cluster.replay(made("RemoveTopic", topic_id=uuid("b")))
    assert write_all(cluster, turns) == [0]


def test_a_turn_has_a_limit_of_records_and_of_partitions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(of_brokers, "RECORDS_PER_TURN", 3)
    monkeypatch.setattr(of_brokers, "PARTITIONS_PER_TURN", 5)
    cluster = Cluster.of((1, 2))
    cluster.topic("a", *[(1, 2)] * 4, *[(2,)] * 11, (2, 1))
    assert write_all(cluster, leaves_isrs(cluster.context, 1)) == [3, 1, 0, 1]


def test_a_later_turn_sees_what_was_changed_between_two(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(of_brokers, "RECORDS_PER_TURN", 1)
    cluster = Cluster.of((1, 2, 3))
    cluster.topic("a", (1, 2, 3), (1, 2, 3))
    turns = leaves_isrs(cluster.context, 1)
    cluster.write(next(turns))
    write_all(cluster, leaves_isrs(cluster.context, 2))
    cluster.fence(2)
    write_all(cluster, turns)
    assert state_of(cluster, "a", 0) == state_of(cluster, "a", 1) == (3, (3,), ())
