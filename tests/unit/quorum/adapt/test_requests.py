"""Wire to core and back, with the field rules of each version."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID, ZERO_UUID
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.adapt import AnswerContext, Settled, read_request, write_response
from metaquorum.quorum.messages import (
    DescribeRequest,
    DescribeResponse,
    FetchRequest,
    FetchResponse,
    FetchSnapshotRequest,
    FetchSnapshotResponse,
    Hint,
    LogSlice,
    ReplicaStatus,
    SnapshotSlice,
)
from metaquorum.quorum.types import Endpoint, ReplicaKey, SnapshotId
from metaquorum.testing.fakes import voter
from metaquorum.wire.generated import describe_quorum_request as describe
from metaquorum.wire.generated import describe_quorum_response as described
from metaquorum.wire.generated import fetch_request as fetch
from metaquorum.wire.generated import fetch_response as fetched
from metaquorum.wire.generated import fetch_snapshot_request as snapshot
from metaquorum.wire.generated import fetch_snapshot_response as snapshotted

FETCH, DESCRIBE, SNAPSHOT = 1, 55, 59
CLUSTER = "cluster"
DIRECTORY = b"d" * 16
HINT = Hint(3, 7, (Endpoint("BROKER", "b", 9092), Endpoint("CONTROLLER", "c", 9093)))


def resolve(part: LogSlice | SnapshotSlice) -> bytes:
    return repr(part).encode()


CONTEXT = AnswerContext("controller", resolve, wall_minus_now_ms=1_000_000)


def fetch_of(version: int, **changes: Any) -> fetch.FetchRequest:
    partition = fetch.FetchPartition(
        partition=changes.pop("partition", 0), fetch_offset=5, current_leader_epoch=7
    )
    if version >= 12:
        partition.last_fetched_epoch = 6
    if version >= 17:
        partition.replica_directory_id = DIRECTORY
    if version >= 18:
        partition.high_watermark = changes.pop("high_watermark", 4)
    topic = fetch.FetchTopic(partitions=[partition])
    if version >= 13:
        topic.topic_id = changes.pop("topic_id", METADATA_TOPIC_ID)
    else:
        topic.topic = changes.pop("topic", METADATA_TOPIC)
    request = fetch.FetchRequest(max_wait_ms=500, max_bytes=1000, topics=[topic])
    if version >= 15:
        request.replica_state = fetch.ReplicaState(replica_id=2)
    else:
        request.replica_id = 2
    request.cluster_id = changes.pop("cluster_id", None)
    return request


def over_the_wire(module: Any, message: Any, version: int) -> Any:
    return module.decode(module.encode(message, version), version)


@pytest.mark.parametrize("version", range(13, 19))
def test_a_fetch_says_the_same_in_every_version(version: int) -> None:
    request = over_the_wire(fetch, fetch_of(version), version)
    message = read_request(FETCH, version, request, CLUSTER)
    assert message == FetchRequest(
        replica=ReplicaKey(2, DIRECTORY if version >= 17 else None),
        epoch=7,
        offset=5,
        last_epoch=6,
        max_wait_ms=500,
        max_bytes=1000,
        high_watermark=4 if version >= 18 else None,
    )


def test_a_fetch_18_that_leaves_the_watermark_out_knows_none_to_say() -> None:
    request = over_the_wire(fetch, fetch_of(18, high_watermark=(1 << 63) - 1), 18)
    message = read_request(FETCH, 18, request, CLUSTER)
    assert isinstance(message, FetchRequest)
    assert message.high_watermark is None


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"cluster_id": "other"}, 104),
        ({"cluster_id": ""}, 104),
        ({"topic_id": ZERO_UUID}, 42),
        ({"partition": 1}, 42),
        ({"cluster_id": "other", "partition": 1}, 104),
    ],
)
def test_a_fetch_of_something_else_is_settled_at_once(changes: dict[str, Any], error: int) -> None:
    settled = read_request(FETCH, 17, fetch_of(17, **changes), CLUSTER)
    assert isinstance(settled, Settled)
    answer = over_the_wire(fetched, settled.response, 17)
    assert (answer.error_code, answer.responses) == (error, [])


@pytest.mark.parametrize("version", range(4, 13))
def test_a_replica_that_fetches_by_name_is_refused_at_the_top(version: int) -> None:
    """Below version 7 there is no place for the code: an empty list says it, as in Kafka."""
    settled = read_request(FETCH, version, fetch_of(version), CLUSTER)
    assert isinstance(settled, Settled)
    answer = over_the_wire(fetched, settled.response, version)
    assert (answer.error_code, answer.responses) == (42 if version >= 7 else 0, [])


def test_the_right_cluster_is_served() -> None:
    message = read_request(FETCH, 17, fetch_of(17, cluster_id=CLUSTER), CLUSTER)
    assert isinstance(message, FetchRequest)


@pytest.mark.parametrize("version", range(13, 19))
def test_a_fetch_answer_names_topic_and_leader_as_the_version_does(version: int) -> None:
    response = FetchResponse(0, HINT, 40, 3, records=LogSlice(5, 10, 20))
    wire = write_response(FETCH, version, fetch_of(version), response, CONTEXT)
    answer = over_the_wire(fetched, wire, version)
    (topic,) = answer.responses
    (row,) = topic.partitions
    assert bytes(topic.topic_id) == METADATA_TOPIC_ID
    assert (row.high_watermark, row.log_start_offset, row.last_stable_offset) == (40, 3, -1)
    assert (row.current_leader.leader_id, row.current_leader.leader_epoch) == (3, 7)
    assert bytes(row.records) == resolve(LogSlice(5, 10, 20))
    endpoints = [(one.node_id, one.host, one.port) for one in answer.node_endpoints]
    assert endpoints == ([(3, "c", 9093)] if version >= 17 else [])


def test_divergence_and_snapshots_are_told_in_their_own_fields() -> None:
    parted = FetchResponse(0, HINT, diverging=OffsetAndEpoch(6, 30))
    (row,) = write_response(FETCH, 17, fetch_of(17), parted, CONTEXT).responses[0].partitions
    assert (row.diverging_epoch.epoch, row.diverging_epoch.end_offset) == (6, 30)
    behind = FetchResponse(0, HINT, snapshot=SnapshotId(6, 31))
    (row,) = write_response(FETCH, 17, fetch_of(17), behind, CONTEXT).responses[0].partitions
    assert (row.snapshot_id.epoch, row.snapshot_id.end_offset) == (6, 31)
    assert row.records == b""


def test_no_leader_endpoint_is_named_for_an_unknown_listener() -> None:
    context = AnswerContext("ELSEWHERE", resolve)
    wire = write_response(FETCH, 17, fetch_of(17), FetchResponse(6, HINT), context)
    assert wire.node_endpoints == []
    nobody = FetchResponse(6, Hint(None, 7))
    wire = write_response(FETCH, 17, fetch_of(17), nobody, CONTEXT)
    assert wire.responses[0].partitions[0].current_leader.leader_id == -1


def describe_of(*named: tuple[str, int]) -> describe.DescribeQuorumRequest:
    return describe.DescribeQuorumRequest(
        topics=[
            describe.TopicData(
                topic_name=name, partitions=[describe.PartitionData(partition_index=index)]
            )
            for name, index in named
        ]
    )


@pytest.mark.parametrize("version", [0, 1, 2])
def test_describe_shows_what_the_version_can_carry(version: int) -> None:
    assert read_request(DESCRIBE, version, describe_of((METADATA_TOPIC, 0)), CLUSTER) == (
        DescribeRequest()
    )
    response = DescribeResponse(
        0,
        HINT,
        90,
        voters=(ReplicaStatus(voter(3).key, 91, 50, 50), ReplicaStatus(voter(4).key)),
        observers=(ReplicaStatus(ReplicaKey(100), 88, 40, 30),),
        nodes=(voter(3),),
    )
    wire = write_response(DESCRIBE, version, describe_of((METADATA_TOPIC, 0)), response, CONTEXT)
    answer = over_the_wire(described, wire, version)
    (row,) = answer.topics[0].partitions
    assert (row.leader_id, row.leader_epoch, row.high_watermark) == (3, 7, 90)
    told = [
        (one.replica_id, one.log_end_offset, one.last_fetch_timestamp, one.last_caught_up_timestamp)
        for one in (*row.current_voters, *row.observers)
    ]
    with_times = version >= 1
    assert told == [
        (3, 91, 1_000_050 if with_times else -1, 1_000_050 if with_times else -1),
        (4, -1, -1, -1),
        (100, 88, 1_000_040 if with_times else -1, 1_000_030 if with_times else -1),
    ]
    if version == 2:
        assert bytes(row.current_voters[0].replica_directory_id) == voter(3).key.directory_id
        assert bytes(row.observers[0].replica_directory_id) == ZERO_UUID
        assert answer.nodes[0].listeners[0].host == "host3"


@pytest.mark.parametrize("named", [("other", 0), (METADATA_TOPIC, 1)])
def test_describe_of_another_log_is_settled_in_its_row(named: tuple[str, int]) -> None:
    settled = read_request(DESCRIBE, 2, describe_of(named), CLUSTER)
    assert isinstance(settled, Settled)
    answer = over_the_wire(described, settled.response, 2)
    (row,) = answer.topics[0].partitions
    assert (answer.error_code, row.error_code, row.leader_id, row.high_watermark) == (0, 3, 0, 0)
    assert row.error_message


def test_describe_of_nothing_is_answered_with_nothing() -> None:
    settled = read_request(DESCRIBE, 2, describe_of(), CLUSTER)
    assert isinstance(settled, Settled)
    assert (settled.response.error_code, list(settled.response.topics)) == (0, [])


def test_a_replica_that_does_not_lead_names_the_leader() -> None:
    wire = write_response(
        DESCRIBE, 2, describe_of((METADATA_TOPIC, 0)), DescribeResponse(6, HINT), CONTEXT
    )
    (row,) = wire.topics[0].partitions
    assert (row.error_code, row.leader_id, row.leader_epoch) == (6, 3, 7)
    assert row.error_message


def snapshot_of(version: int, **changes: Any) -> snapshot.FetchSnapshotRequest:
    partition = snapshot.PartitionSnapshot(
        partition=changes.pop("partition", 0),
        current_leader_epoch=7,
        snapshot_id=snapshot.SnapshotId(end_offset=90, epoch=6),
        position=10,
    )
    if version >= 1:
        partition.replica_directory_id = DIRECTORY
    topics = [snapshot.TopicSnapshot(name=METADATA_TOPIC, partitions=[partition])]
    return snapshot.FetchSnapshotRequest(
        replica_id=2,
        max_bytes=100,
        topics=topics[: changes.pop("topics", 1)],
        cluster_id=changes.pop("cluster_id", None),
    )


@pytest.mark.parametrize("version", [0, 1])
def test_a_snapshot_request_and_its_answer_survive_the_wire(version: int) -> None:
    request = over_the_wire(snapshot, snapshot_of(version), version)
    message = read_request(SNAPSHOT, version, request, CLUSTER)
    key = ReplicaKey(2, DIRECTORY if version else None)
    assert message == FetchSnapshotRequest(key, 7, SnapshotId(6, 90), 10, 100)
    part = SnapshotSlice(SnapshotId(6, 90), 10, 100)
    response = FetchSnapshotResponse(0, HINT, SnapshotId(6, 90), 500, 10, part)
    wire = write_response(SNAPSHOT, version, request, response, CONTEXT)
    answer = over_the_wire(snapshotted, wire, version)
    (row,) = answer.topics[0].partitions
    assert (row.snapshot_id.end_offset, row.snapshot_id.epoch) == (90, 6)
    assert (row.size, row.position, bytes(row.unaligned_records)) == (500, 10, resolve(part))
    assert [(one.node_id, one.port) for one in answer.node_endpoints] == [(3, 9093)] * version


@pytest.mark.parametrize(
    ("changes", "top", "row"),
    [
        ({"cluster_id": "other"}, 104, None),
        ({"topics": 0}, 42, None),
        ({"partition": 1}, 0, 3),
    ],
)
def test_a_snapshot_request_for_something_else_is_settled(
    changes: dict[str, Any], top: int, row: int | None
) -> None:
    settled = read_request(SNAPSHOT, 1, snapshot_of(1, **changes), CLUSTER)
    assert isinstance(settled, Settled)
    answer = over_the_wire(snapshotted, settled.response, 1)
    assert answer.error_code == top
    rows = [one.error_code for topic in answer.topics for one in topic.partitions]
    assert rows == ([] if row is None else [row])
