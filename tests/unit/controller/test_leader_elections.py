"""Elections that are asked for, and those that are due from time to time."""

from __future__ import annotations

import pytest

from metaquorum.base.limits import RECORDS_PER_TURN
from metaquorum.controller.commands import ElectLeaders
from metaquorum.controller.managers.leader_elections import (
    plan_elect,
    preferred_elections,
    unclean_elections,
)
from metaquorum.controller.outcome import InTurns
from metaquorum.testing.every_record import made, uuid
from metaquorum.testing.partitions import Cluster
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.elect_leaders_request import ElectLeadersRequest, TopicPartitions
from metaquorum.wire.generated.elect_leaders_response import ElectLeadersResponse

PREFERRED, UNCLEAN = 0, 1
NOT_NEEDED = error_codes.ELECTION_NOT_NEEDED


def elect(
    cluster: Cluster, kind: int, wanted: dict[str, list[int]] | None, version: int = 2
) -> ElectLeadersResponse:
    topics = None if wanted is None else [TopicPartitions(*one) for one in wanted.items()]
    command = ElectLeaders(ElectLeadersRequest(kind, topics), version)
    reply = cluster.carry_out(plan_elect(cluster.context, command))
    assert isinstance(reply, ElectLeadersResponse)
    return reply


def rows(reply: ElectLeadersResponse) -> dict[str, list[tuple[int, int]]]:
    assert all(
        (one.error_message is None) == (one.error_code == 0)
        for topic in reply.replica_election_results
        for one in topic.partition_result
    )
    return {
        topic.topic: [(one.partition_id, one.error_code) for one in topic.partition_result]
        for topic in reply.replica_election_results
    }


def cluster_of() -> Cluster:
    """Led by the first replica; by the second; by the second, as the first is fenced; by none."""
    cluster = Cluster.of((1, 2))
    cluster.register(3, fenced=True)
    cluster.topic("a", (1, 2))
    cluster.topic("b", (1, 2), leader=2)
    cluster.topic("c", (3, 2), leader=2, isr=[2])
    cluster.topic("d", (3, 1), leader=-1, isr=[3])
    cluster.topic("e", (3,), leader=-1, isr=[3])
    return cluster


EVERY = {name: [0] for name in "abcde"}
PREFERRED_CODES = {
    "a": NOT_NEEDED,
    "b": error_codes.NONE,
    "c": error_codes.PREFERRED_LEADER_NOT_AVAILABLE,
    "d": error_codes.PREFERRED_LEADER_NOT_AVAILABLE,
    "e": error_codes.PREFERRED_LEADER_NOT_AVAILABLE,
}
UNCLEAN_CODES = {
    **dict.fromkeys("abc", NOT_NEEDED),
    "d": error_codes.NONE,
    "e": error_codes.ELIGIBLE_LEADERS_NOT_AVAILABLE,
}


@pytest.mark.parametrize(
    ("kind", "codes", "changed"),
    [(PREFERRED, PREFERRED_CODES, ("b", 1, (1, 2))), (UNCLEAN, UNCLEAN_CODES, ("d", 1, (1,)))],
    ids=["preferred", "unclean"],
)
def test_each_partition_has_its_own_result(
    kind: int, codes: dict[str, int], changed: tuple[str, int, tuple[int, ...]]
) -> None:
    cluster = cluster_of()
    assert rows(elect(cluster, kind, EVERY)) == {t: [(0, c)] for t, c in codes.items()}
    topic, leader, isr = changed
    assert (cluster.partition(topic).leader, cluster.partition(topic).isr) == (leader, isr)
    assert len(cluster.written) == 1


@pytest.mark.parametrize(
    ("kind", "codes"), [(PREFERRED, PREFERRED_CODES), (UNCLEAN, UNCLEAN_CODES)]
)
def test_asked_for_all_those_that_need_none_are_left_out(kind: int, codes: dict[str, int]) -> None:
    assert rows(elect(cluster_of(), kind, None)) == {
        topic: [] if code == NOT_NEEDED else [(0, code)] for topic, code in codes.items()
    }


def test_unknown_partitions_are_named() -> None:
    told = rows(elect(cluster_of(), PREFERRED, {"a": [0, 7], "z": [0]}))
    unknown = error_codes.UNKNOWN_TOPIC_OR_PARTITION
    assert told == {"a": [(0, NOT_NEEDED), (7, unknown)], "z": [(0, unknown)]}


def test_an_unknown_type_is_refused_everywhere() -> None:
    reply = elect(cluster_of(), 2, {"b": [0]})
    assert reply.error_code == error_codes.INVALID_REQUEST
    assert rows(reply) == {"b": [(0, error_codes.INVALID_REQUEST)]}
    assert elect(cluster_of(), 2, None).replica_election_results == []


def test_version_0_asks_for_preferred_leaders() -> None:
    cluster = cluster_of()
    assert rows(elect(cluster, UNCLEAN, {"b": [0]}, version=0)) == {"b": [(0, 0)]}


def test_a_topic_that_is_deleted_between_two_turns_is_left_out() -> None:
    cluster = Cluster.of((1, 2))
    cluster.topic("a", *[(1, 2)] * RECORDS_PER_TURN, leader=2)
    cluster.topic("b", (1, 2), leader=2)
    outcome = plan_elect(cluster.context, ElectLeaders(ElectLeadersRequest(PREFERRED, None), 2))
    assert isinstance(outcome, InTurns)
    cluster.write(next(outcome.turns))
    cluster.replay(made("RemoveTopic", topic_id=uuid("b")))
    reply = cluster.carry_out(outcome)
    assert [one.topic for one in reply.replica_election_results] == ["a"]
    assert len(cluster.written) == RECORDS_PER_TURN


def test_leaders_go_back_to_preferred_replicas_up_to_a_number() -> None:
    cluster = Cluster.of((1, 2, 3))
    cluster.topic("a", *[(1, 2)] * 3, leader=2)
    for records in preferred_elections(cluster.context, 2):
        cluster.write(records)
    assert [cluster.partition("a", number).leader for number in range(3)] == [1, 1, 2]
    for records in preferred_elections(cluster.context, 2):
        cluster.write(records)
    assert cluster.partition("a", 2).leader == 1
    assert list(preferred_elections(cluster.context, 2)) == []


def test_leaders_out_of_sync_come_where_a_topic_allows_them() -> None:
    cluster = cluster_of()
    cluster.topic("f", (3, 2), leader=-1, isr=[3])
    cluster.set("f", "unclean.leader.election.enable", "true")
    for records in unclean_elections(cluster.context, 1_000):
        cluster.write(records)
    assert cluster.partition("f").leader == 2
    assert cluster.partition("d").leader == -1
    assert len(cluster.written) == 1
