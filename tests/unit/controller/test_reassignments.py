"""Moves of partitions: how they begin, change, end, are cancelled and listed."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.controller.commands import AlterPartitionReassignments, ListPartitionReassignments
from metaquorum.controller.managers.reassignments import plan_alter, plan_list
from metaquorum.testing.partitions import Cluster, directory
from metaquorum.wire.generated import alter_partition_reassignments_request as wire
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.list_partition_reassignments_request import (
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsTopics,
)

Moves = dict[int, list[int] | None]


def cluster_of(*partitions: tuple[int, ...], **fields: Any) -> Cluster:
    cluster = Cluster.of((1, 2, 3, 4))
    cluster.topic("a", *(partitions or ((1, 2, 3),)), **fields)
    return cluster


def move(cluster: Cluster, moves: Moves, topic: str = "a", *, may_resize: bool = True) -> list[int]:
    rows = [wire.ReassignablePartition(*one) for one in moves.items()]
    request = wire.AlterPartitionReassignmentsRequest(
        allow_replication_factor_change=may_resize, topics=[wire.ReassignableTopic(topic, rows)]
    )
    command = AlterPartitionReassignments(request)
    reply = cluster.carry_out(plan_alter(cluster.context, command))
    assert (reply.error_code, reply.error_message) == (0, None)
    assert [one.partition_index for one in reply.responses[0].partitions] == list(moves)
    return [one.error_code for one in reply.responses[0].partitions]


def replicas(cluster: Cluster) -> tuple[tuple[int, ...], ...]:
    now = cluster.partition("a")
    return now.replicas, now.adding_replicas, now.removing_replicas


def listed(cluster: Cluster, wanted: dict[str, list[int]] | None = None) -> dict[str, Any]:
    topics = None
    if wanted is not None:
        topics = [ListPartitionReassignmentsTopics(*one) for one in wanted.items()]
    command = ListPartitionReassignments(ListPartitionReassignmentsRequest(topics=topics))
    reply = cluster.carry_out(plan_list(cluster.context, command))
    assert (reply.error_code, reply.error_message) == (0, None)
    return {
        topic.name: [
            (one.partition_index, one.replicas, one.adding_replicas, one.removing_replicas)
            for one in topic.partitions
        ]
        for topic in reply.topics
    }


def test_a_move_adds_replicas_first() -> None:
    cluster = cluster_of()
    assert move(cluster, {0: [4, 2, 1]}) == [error_codes.NONE]
    assert replicas(cluster) == ((4, 2, 1, 3), (4,), (3,))
    now = cluster.partition("a")
    assert (now.isr, now.leader, now.leader_epoch) == ((1, 2, 3), 1, 5)
    assert now.directories == tuple(directory(one) for one in now.replicas)


def test_other_order_and_fewer_replicas_are_there_at_once() -> None:
    cluster = cluster_of()
    assert move(cluster, {0: [3, 2, 1]}) == [error_codes.NONE]
    assert replicas(cluster) == ((3, 2, 1), (), ())
    assert cluster.partition("a").leader == 1
    assert move(cluster, {0: [3, 2]}) == [error_codes.NONE]
    assert replicas(cluster) == ((3, 2), (), ())
    assert (cluster.partition("a").leader, cluster.partition("a").leader_epoch) == (3, 6)


def test_the_same_replicas_again_cost_no_record() -> None:
    cluster = cluster_of()
    assert move(cluster, {0: [1, 2, 3]}) == [error_codes.NONE]
    assert cluster.written == []


def test_a_new_target_takes_the_place_of_the_old_one() -> None:
    cluster = cluster_of((1, 2))
    move(cluster, {0: [1, 3]})
    assert replicas(cluster) == ((1, 3, 2), (3,), (2,))
    move(cluster, {0: [1, 4]})
    assert replicas(cluster) == ((1, 4, 2, 3), (4,), (2, 3))
    move(cluster, {0: [1, 2]})
    assert replicas(cluster) == ((1, 2), (), ())


def test_a_replica_that_was_just_added_does_not_lead() -> None:
    cluster = cluster_of((1,), isr=[], leader=-1, eligible_leader_replicas=[1])
    cluster.set("a", "unclean.leader.election.enable", "true")
    cluster.fence(1)
    assert move(cluster, {0: [2, 1]}) == [error_codes.NONE]
    assert (cluster.partition("a").leader, cluster.partition("a").isr) == (-1, ())


def test_a_cancelled_move_leaves_what_was_before() -> None:
    cluster = cluster_of((1, 2))
    move(cluster, {0: [3, 4]})
    assert move(cluster, {0: None}) == [error_codes.NONE]
    assert replicas(cluster) == ((1, 2), (), ())
    assert move(cluster, {0: None}) == [error_codes.NO_REASSIGNMENT_IN_PROGRESS]


@pytest.mark.parametrize("is_allowed", [False, True])
def test_cancelling_loses_records_only_where_that_is_allowed(is_allowed: bool) -> None:
    moving = {"isr": [3], "leader": 3, "adding_replicas": [3]}
    cluster = cluster_of((3, 1, 2), **moving)
    if is_allowed:
        cluster.set("a", "unclean.leader.election.enable", "true")
        assert move(cluster, {0: None}) == [error_codes.NONE]
        now = cluster.partition("a")
        assert (now.replicas, now.isr, now.leader) == ((1, 2), (1,), 1)
    else:
        assert move(cluster, {0: None}) == [error_codes.INVALID_REPLICA_ASSIGNMENT]
        assert cluster.written == []


@pytest.mark.parametrize("target", [[], [1, 1], [1, 9]])
def test_a_target_that_cannot_be_is_refused(target: list[int]) -> None:
    cluster = cluster_of((1, 2), (1, 2))
    refused = error_codes.INVALID_REPLICA_ASSIGNMENT
    assert move(cluster, {0: target, 1: [2, 1]}) == [refused, error_codes.NONE]


def test_unknown_partitions_and_partitions_named_twice_are_refused() -> None:
    unknown = error_codes.UNKNOWN_TOPIC_OR_PARTITION
    assert move(cluster_of(), {7: [1]}) == [unknown]
    assert move(cluster_of(), {0: [1]}, "z") == [unknown]


def test_the_number_of_replicas_stays_where_that_is_asked() -> None:
    cluster = cluster_of((1, 2))
    refused = error_codes.INVALID_REPLICATION_FACTOR
    assert move(cluster, {0: [1, 2, 3]}, may_resize=False) == [refused]
    assert move(cluster, {0: [1, 3]}, may_resize=False) == [error_codes.NONE]
    assert move(cluster, {0: [4, 3]}, may_resize=False) == [error_codes.NONE]
    command = AlterPartitionReassignments(
        wire.AlterPartitionReassignmentsRequest(
            allow_replication_factor_change=False,
            topics=[wire.ReassignableTopic("a", [wire.ReassignablePartition(0, [1, 2, 3])])],
        )
    )
    [row] = cluster.carry_out(plan_alter(cluster.context, command)).responses[0].partitions
    assert row.error_message == "The replication factor is changed from 2 to 3"


def test_a_partition_that_is_named_twice_is_moved_once() -> None:
    cluster = cluster_of((1, 2))
    rows = [wire.ReassignablePartition(0, [1, 3]), wire.ReassignablePartition(0, [1, 4])]
    request = wire.AlterPartitionReassignmentsRequest(topics=[wire.ReassignableTopic("a", rows)])
    command = AlterPartitionReassignments(request)
    reply = cluster.carry_out(plan_alter(cluster.context, command))
    codes = [one.error_code for one in reply.responses[0].partitions]
    assert codes == [error_codes.NONE, error_codes.INVALID_REQUEST]
    assert replicas(cluster) == ((1, 3, 2), (3,), (2,))


def test_moves_under_way_are_listed() -> None:
    cluster = cluster_of((1, 2), (1, 2))
    cluster.topic("b", (1, 2))
    assert listed(cluster) == {}
    move(cluster, {1: [1, 3]})
    moving = {"a": [(1, (1, 3, 2), (3,), (2,))]}
    assert listed(cluster) == listed(cluster, {"a": [0, 1, 7], "b": [0], "z": [0]}) == moving
    assert listed(cluster, {"b": [0]}) == {}
