"""Votes and claims of leadership with every pair of defects: the earlier check answers.

The order is Kafka's, seen on 4.3.1. Where Kafka's process ends, ours answers INVALID_REQUEST at
the same place.
"""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.quorum.messages import NONE
from metaquorum.quorum.types import ElectionState
from metaquorum.testing.fakes import FakeHost, directory
from metaquorum.wire.generated import (
    begin_quorum_epoch_request,
    end_quorum_epoch_request,
    vote_request,
)
from tests.unit.quorum.adapt.over_the_wire import (
    CLUSTER,
    EPOCH,
    INVALID,
    OTHER_CLUSTER,
    SHAPES,
    Defect,
    Make,
    after,
    ask,
    assert_leader_named,
    expected,
    follower,
    leading,
    outcome,
    pairs,
    put,
    spoilt,
)

VOTE, BEGIN, END = 52, 53, 54
FENCED, VOTER_KEY = 74, 125


# --- Vote ------------------------------------------------------------------------------------


def vote(version: int, pre_vote: bool) -> vote_request.VoteRequest:
    row = vote_request.PartitionData(
        partition_index=0,
        replica_epoch=EPOCH + 1,
        replica_id=2,
        last_offset_epoch=3,
        last_offset=99,
        pre_vote=pre_vote,
    )
    request = vote_request.VoteRequest(cluster_id=CLUSTER)
    if version >= 1:
        row.replica_directory_id, row.voter_directory_id = directory(2), directory(1)
        request.voter_id = 1
    request.topics = [vote_request.TopicData(topic_name=METADATA_TOPIC, partitions=[row])]
    return request


OF_ANOTHER_VOTER = [
    Defect("other voter", VOTER_KEY, put("voter_id", 2), since=1, takes_epoch=True),
    Defect(
        "other directory",
        VOTER_KEY,
        put("row.voter_directory_id", directory(9)),
        since=1,
        takes_epoch=True,
    ),
]
PRE_VOTES = [
    *OTHER_CLUSTER,
    *SHAPES,
    Defect("negative offset", INVALID, put("row.last_offset", -1)),
    Defect("negative last epoch", INVALID, put("row.last_offset_epoch", -1), "last epoch"),
    Defect("last epoch above", INVALID, put("row.last_offset_epoch", EPOCH + 2), "last epoch"),
    Defect("older epoch", FENCED, put("row.replica_epoch", EPOCH - 1), "epoch"),
    Defect("no candidate", INVALID, put("row.replica_id", -1), "candidate"),
    Defect("ourselves", INVALID, put("row.replica_id", 1), "candidate"),
    *OF_ANOTHER_VOTER,
]
EQUAL = Defect("last epoch equal", INVALID, put("row.last_offset_epoch", EPOCH + 1), "last epoch")
VOTES = [*PRE_VOTES[:8], EQUAL, *PRE_VOTES[8:]]


@pytest.mark.parametrize("make", [follower, leading])
@pytest.mark.parametrize(("version", "pre_vote"), [(0, False), (1, False), (2, False), (2, True)])
def test_a_vote_is_checked_in_order(make: Make, version: int, pre_vote: bool) -> None:
    for first, second in pairs(PRE_VOTES if pre_vote else VOTES, version):
        node = make()
        before = node.replica.value()
        answer = ask(node, VOTE, version, spoilt(node, vote(version, pre_vote), first, second))
        assert outcome(answer) == expected(first), (first.name, second.name)
        assert after(node) == (EPOCH + 1 if first.takes_epoch else EPOCH)
        if not first.takes_epoch:
            assert node.replica.value() == before
        for topic in answer.topics:
            (row,) = topic.partitions
            assert (row.vote_granted, row.leader_epoch) == (False, after(node))
            assert_leader_named(node, row.leader_id, answer.node_endpoints, version >= 1)


# --- BeginQuorumEpoch, EndQuorumEpoch --------------------------------------------------------


def begin(version: int) -> begin_quorum_epoch_request.BeginQuorumEpochRequest:
    module = begin_quorum_epoch_request
    row = module.PartitionData(partition_index=0, leader_id=2, leader_epoch=EPOCH + 1)
    request = module.BeginQuorumEpochRequest(cluster_id=CLUSTER)
    if version >= 1:
        row.voter_directory_id, request.voter_id = directory(1), 1
        request.leader_endpoints = [module.LeaderEndpoint("CONTROLLER", "host2", 9093)]
    request.topics = [module.TopicData(topic_name=METADATA_TOPIC, partitions=[row])]
    return request


def end(version: int) -> end_quorum_epoch_request.EndQuorumEpochRequest:
    module = end_quorum_epoch_request
    row = module.PartitionData(partition_index=0, leader_id=2, leader_epoch=EPOCH + 1)
    if version >= 1:
        row.preferred_candidates = [module.ReplicaInfo(3, directory(3))]
    else:
        row.preferred_successors = [3]
    topics = [module.TopicData(topic_name=METADATA_TOPIC, partitions=[row])]
    request = module.EndQuorumEpochRequest(cluster_id=CLUSTER, topics=topics)
    if version >= 1:
        request.leader_endpoints = [module.LeaderEndpoint("CONTROLLER", "host2", 9093)]
    return request


def unknown_leader(node: FakeHost, request: Any) -> None:
    put("row.leader_id", 77)(node, request)
    request.leader_endpoints = []


def a_leader_without_a_host(node: FakeHost, request: Any) -> None:
    put("row.leader_id", 77)(node, request)
    request.leader_endpoints = [begin_quorum_epoch_request.LeaderEndpoint("CONTROLLER", "", 9093)]


CLAIMS = [
    *OTHER_CLUSTER,
    *SHAPES,
    Defect("older epoch", FENCED, put("row.leader_epoch", EPOCH - 1), "epoch"),
    Defect("no leader", INVALID, put("row.leader_id", -1), "leader"),
    Defect("ourselves", INVALID, put("row.leader_id", 1), "leader"),
    Defect("unknown leader", INVALID, unknown_leader, "leader"),
    Defect("no host", INVALID, a_leader_without_a_host, "leader", since=1),
]
BEGINS = [
    *CLAIMS,
    *OF_ANOTHER_VOTER,
]


@pytest.mark.parametrize("make", [follower, leading])
@pytest.mark.parametrize("version", range(2))
def test_the_beginning_of_an_epoch_is_checked_in_order(make: Make, version: int) -> None:
    for first, second in pairs(BEGINS, version):
        node = make()
        answer = ask(node, BEGIN, version, spoilt(node, begin(version), first, second))
        assert_claim_answered(node, answer, version, first, second)


@pytest.mark.parametrize("make", [follower, leading])
@pytest.mark.parametrize("version", range(2))
def test_the_end_of_an_epoch_is_checked_in_order(make: Make, version: int) -> None:
    for first, second in pairs(CLAIMS, version):
        node = make()
        answer = ask(node, END, version, spoilt(node, end(version), first, second))
        assert_claim_answered(node, answer, version, first, second)


def assert_claim_answered(
    node: FakeHost, answer: Any, version: int, first: Defect, second: Defect
) -> None:
    assert outcome(answer) == expected(first), (first.name, second.name)
    followed = ElectionState(EPOCH + 1, 2)
    assert (node.disk_election == followed) == first.takes_epoch
    assert after(node) == (EPOCH + 1 if first.takes_epoch else EPOCH)
    for topic in answer.topics:
        (row,) = topic.partitions
        assert row.leader_epoch == after(node)
        assert_leader_named(node, row.leader_id, answer.node_endpoints, version >= 1)


RIGHT = [
    *((VOTE, version, lambda version: vote(version, False)) for version in range(3)),
    *((BEGIN, version, begin) for version in range(2)),
    *((END, version, end) for version in range(2)),
]


@pytest.mark.parametrize("cluster_id", [None, CLUSTER], ids=["no cluster", "our cluster"])
@pytest.mark.parametrize(("key", "version", "request_of"), RIGHT)
def test_what_is_right_is_taken(
    key: int, version: int, request_of: Any, cluster_id: str | None
) -> None:
    request, node = request_of(version), follower()
    request.cluster_id = cluster_id
    answer = ask(node, key, version, request)
    assert outcome(answer) == (NONE, [NONE])
    assert after(node) == EPOCH + 1
    if key == VOTE:
        assert answer.topics[0].partitions[0].vote_granted
    else:
        assert node.disk_election == ElectionState(EPOCH + 1, 2)
