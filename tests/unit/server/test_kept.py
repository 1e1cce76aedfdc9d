"""What a request keeps while it waits, and whether a connection has spoken as a voter."""

from __future__ import annotations

import pytest

from metaquorum.base.limits import FETCH_PARTITION_BYTES, FETCH_SESSION_BYTES, SMALL_REQUEST_BYTES
from metaquorum.server.contract.request import Origin, Request
from metaquorum.server.pipeline.kept import kept_bytes
from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated.begin_quorum_epoch_request import BeginQuorumEpochRequest
from metaquorum.wire.generated.begin_quorum_epoch_request import PartitionData as BegunPartition
from metaquorum.wire.generated.begin_quorum_epoch_request import TopicData as BegunTopic
from metaquorum.wire.generated.describe_quorum_request import DescribeQuorumRequest
from metaquorum.wire.generated.fetch_request import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    ForgottenTopic,
)
from metaquorum.wire.generated.fetch_snapshot_request import FetchSnapshotRequest
from metaquorum.wire.generated.vote_request import PartitionData, TopicData, VoteRequest
from metaquorum.wire.headers import RequestHeader


def fetch(**more) -> FetchRequest:
    one = FetchPartition(fetch_offset=8, partition_max_bytes=1 << 20)
    topic = FetchTopic("__cluster_metadata", partitions=[one])
    return FetchRequest(max_wait_ms=60_000, min_bytes=1, max_bytes=1 << 20, topics=[topic], **more)


def test_a_waiting_fetch_keeps_its_partitions_but_no_forgotten_topics():
    asked = fetch(
        forgotten_topics_data=[ForgottenTopic("x" * 500, partitions=[0]) for _ in range(100)],
        rack_id="r" * 1_000,
    )
    client = PipelineClient(services_with_eight_records())
    client.send(asked, 12)
    most = FETCH_SESSION_BYTES + FETCH_PARTITION_BYTES + 100
    assert client.pipeline.kept_bytes is not None
    assert SMALL_REQUEST_BYTES < client.pipeline.kept_bytes < most


def test_what_is_dropped_of_a_fetch_is_gone():
    asked = fetch(forgotten_topics_data=[ForgottenTopic("x", partitions=[0])], rack_id="r")
    asked.unknown_tags = asked.topics[0].unknown_tags = ((9, b"long"),)
    origin = PipelineClient(services_with_eight_records()).origin
    kept_bytes(Request(RequestHeader(1, 12, 7, "me"), asked, origin, 0))
    assert (asked.forgotten_topics_data, asked.rack_id) == ([], "")
    assert asked.unknown_tags == asked.topics[0].unknown_tags == ()
    assert len(asked.topics[0].partitions) == 1


def test_whatever_is_not_known_to_shrink_is_kept_whole():
    origin = PipelineClient(services_with_eight_records()).origin
    request = Request(RequestHeader(55, 2, 7), DescribeQuorumRequest(), origin, 0)
    assert kept_bytes(request) is None


VOTE = VoteRequest(topics=[TopicData("__cluster_metadata", [PartitionData(0, 1, 2)])])
BEGIN = BeginQuorumEpochRequest(
    topics=[BegunTopic("__cluster_metadata", [BegunPartition(0, leader_id=2)])]
)


def spoke(asked, version: int, voters=(1, 2)) -> bool:
    client = PipelineClient(services_with_eight_records(voters=voters))
    heard: list[bool] = []
    client.origin.standing.on_voter = lambda: heard.append(True)
    client.send(asked, version)
    client.send(asked, version)
    assert len(heard) <= 1
    return client.origin.standing.is_voter


@pytest.mark.parametrize(
    ("asked", "version"),
    [(VOTE, 0), (BEGIN, 0), (FetchSnapshotRequest(replica_id=2), 0), (fetch(replica_id=2), 12)],
    ids=["Vote", "BeginQuorumEpoch", "FetchSnapshot", "Fetch"],
)
def test_requests_of_a_voter_make_a_connection_one_of_a_voter(asked, version):
    assert spoke(asked, version)
    assert not spoke(asked, version, voters=(1, 3))


def test_a_consumers_fetch_makes_nobody_a_voter():
    assert not spoke(fetch(), 12)


def test_who_has_no_right_to_speak_as_a_voter_is_none():
    client = PipelineClient(services_with_eight_records(voters=(1, 2)))
    client.pipeline.authoriser = Refuser()
    client.send(VOTE, 0)
    assert not client.origin.standing.is_voter


class Refuser:
    """Lets nobody do anything."""

    is_on = True

    def allows(self, *asked: object) -> bool:
        """No."""
        return False


def test_the_origin_of_each_connection_has_a_standing_of_its_own():
    listener = PipelineClient(services_with_eight_records()).origin.listener
    assert Origin(listener, "a").standing is not Origin(listener, "b").standing
