"""Fetches of log and snapshots, and DescribeQuorum: of two defects the earlier check answers.

The order is Kafka's, seen on 4.3.1. Where Kafka's process ends, ours answers INVALID_REQUEST at
the same place.
"""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID, ZERO_UUID
from metaquorum.quorum.messages import NONE
from metaquorum.testing.fakes import FakeHost, directory
from metaquorum.wire.generated import (
    describe_quorum_request,
    fetch_request,
    fetch_snapshot_request,
)
from tests.unit.quorum.adapt.over_the_wire import (
    CLUSTER,
    EPOCH,
    INVALID,
    OTHER_CLUSTER,
    PART_ID,
    SHAPES,
    Defect,
    Make,
    ask,
    assert_leader_named,
    expected,
    follower,
    leading,
    other_name,
    other_partition,
    outcome,
    pairs,
    put,
    shape,
    spoilt,
)

FETCH, DESCRIBE, SNAPSHOT = 1, 55, 59
SERVER, NO_TOPIC, NOT_LEADER, FENCED, UNKNOWN_EPOCH = -1, 3, 6, 74, 75
NOT_FOUND, OUT_OF_RANGE = 98, 99


# --- Fetch -----------------------------------------------------------------------------------


def fetch(version: int) -> fetch_request.FetchRequest:
    row = fetch_request.FetchPartition(
        partition=0, current_leader_epoch=EPOCH, fetch_offset=6, last_fetched_epoch=EPOCH
    )
    topic = fetch_request.FetchTopic(topic_id=METADATA_TOPIC_ID, partitions=[row])
    request = fetch_request.FetchRequest(
        cluster_id=CLUSTER, max_wait_ms=0, max_bytes=1_000, topics=[topic]
    )
    if version >= 15:
        request.replica_state = fetch_request.ReplicaState(replica_id=2)
    else:
        request.replica_id = 2
    if version >= 17:
        row.replica_directory_id = directory(2)
    return request


def by_leader(node: FakeHost, request: Any) -> None:
    """The replica id of the one that is asked."""
    if request.replica_id >= 0:
        request.replica_id = 1
    else:
        request.replica_state.replica_id = 1


def topic_id(raw: bytes) -> Any:
    return shape(lambda topics: setattr(topics[0], "topic_id", raw))


def fetched_partition(topics: Any) -> None:
    topics[0].partitions[0].partition = 1


FETCH_SHAPES = [
    *SHAPES[:2],
    Defect("zero topic id", INVALID, topic_id(ZERO_UUID), "shape", True),
    Defect("other topic id", INVALID, topic_id(b"t" * 16), "shape", True),
    Defect("other partition", INVALID, shape(fetched_partition), "shape", True),
    *SHAPES[4:],
]
FETCHES = [
    *OTHER_CLUSTER,
    *FETCH_SHAPES,
    Defect("negative wait", INVALID, put("max_wait_ms", -1)),
    Defect("negative offset", INVALID, put("row.fetch_offset", -1)),
    Defect("negative last epoch", INVALID, put("row.last_fetched_epoch", -1), "last epoch"),
    Defect("last epoch above", INVALID, put("row.last_fetched_epoch", EPOCH + 2), "last epoch"),
    Defect("older epoch", FENCED, put("row.current_leader_epoch", EPOCH - 1), "epoch"),
    Defect("newer epoch", UNKNOWN_EPOCH, put("row.current_leader_epoch", EPOCH + 1), "epoch"),
    Defect("from itself", SERVER, by_leader),
    Defect("negative bytes", SERVER, put("max_bytes", -1)),
]


def fetches_of(version: int) -> fetch_request.FetchRequest:
    """With a last epoch that an older current epoch may still have."""
    request = fetch(version)
    request.topics[0].partitions[0].last_fetched_epoch = 3
    return request


@pytest.mark.parametrize("version", range(13, 19))
def test_a_fetch_at_the_leader_is_checked_in_order(version: int) -> None:
    node = leading()
    before = node.replica.value()
    for first, second in pairs(FETCHES, version):
        answer = ask(node, FETCH, version, spoilt(node, fetches_of(version), first, second))
        assert outcome(answer) == expected(first), (first.name, second.name)
        assert_refused_fetch(node, answer, version)
    assert node.replica.value() == before


@pytest.mark.parametrize("version", range(13, 19))
def test_a_fetch_at_a_follower_is_checked_in_order(version: int) -> None:
    node = follower()
    for first, second in pairs(FETCHES[:-2], version):
        answer = ask(node, FETCH, version, spoilt(node, fetches_of(version), first, second))
        assert outcome(answer) == expected(first), (first.name, second.name)
        assert_refused_fetch(node, answer, version)


@pytest.mark.parametrize("version", range(13, 19))
@pytest.mark.parametrize("changes", [{}, {"max_bytes": -1}])
def test_a_fetch_without_defects_at_a_follower(version: int, changes: dict[str, int]) -> None:
    node = follower()
    request = fetch(version)
    for name, value in changes.items():
        setattr(request, name, value)
    answer = ask(node, FETCH, version, request)
    assert outcome(answer) == (0, [NOT_LEADER])
    assert_refused_fetch(node, answer, version)


def assert_refused_fetch(node: FakeHost, answer: Any, version: int) -> None:
    """Leader and epoch in every row, its endpoint from version 17 on, and no watermark."""
    for topic in answer.responses:
        assert bytes(topic.topic_id) == METADATA_TOPIC_ID
        (row,) = topic.partitions
        told = (row.high_watermark, row.last_stable_offset, row.log_start_offset)
        assert told == (-1, -1, node.replica.log.start)
        assert bytes(row.records or b"") == b""
        assert row.current_leader.leader_epoch == EPOCH
        endpoints = answer.node_endpoints
        assert_leader_named(node, row.current_leader.leader_id, endpoints, version >= 17)


# --- FetchSnapshot ---------------------------------------------------------------------------


def part(version: int) -> fetch_snapshot_request.FetchSnapshotRequest:
    module = fetch_snapshot_request
    row = module.PartitionSnapshot(
        partition=0,
        current_leader_epoch=EPOCH,
        snapshot_id=module.SnapshotId(PART_ID.offset, PART_ID.epoch),
        position=10,
    )
    if version >= 1:
        row.replica_directory_id = directory(2)
    topics = [module.TopicSnapshot(name=METADATA_TOPIC, partitions=[row])]
    return module.FetchSnapshotRequest(
        cluster_id=CLUSTER, replica_id=2, max_bytes=100, topics=topics
    )


def snapshot_of(end_offset: int, epoch: int) -> Any:
    return put("row.snapshot_id", fetch_snapshot_request.SnapshotId(end_offset, epoch))


SNAPSHOT_SHAPES = [
    *SHAPES[:2],
    *SHAPES[4:],
    Defect("other topic", NO_TOPIC, shape(lambda topics: setattr(topics[0], "name", "t")), "topic"),
    Defect("other partition", NO_TOPIC, put("row.partition", 1), "partition"),
]
OF_THE_LEADER = [
    Defect("older epoch", FENCED, put("row.current_leader_epoch", EPOCH - 1), "epoch"),
    Defect("newer epoch", UNKNOWN_EPOCH, put("row.current_leader_epoch", EPOCH + 1), "epoch"),
]
OF_THE_PART = [
    Defect("negative bytes", INVALID, put("max_bytes", -1)),
    Defect("unknown snapshot", NOT_FOUND, snapshot_of(4, 3), "snapshot"),
    Defect("bootstrap snapshot", NOT_FOUND, snapshot_of(0, 0), "snapshot"),
    Defect("negative snapshot", NOT_FOUND, snapshot_of(-1, -1), "snapshot"),
    Defect("negative position", OUT_OF_RANGE, put("row.position", -1), "position"),
    Defect("position at the end", OUT_OF_RANGE, put("row.position", 1_000), "position"),
    Defect("position beyond 2 GiB", OUT_OF_RANGE, put("row.position", 1 << 31), "position"),
]
PARTS = [*OTHER_CLUSTER, *SNAPSHOT_SHAPES, *OF_THE_LEADER]


@pytest.mark.parametrize("version", range(2))
def test_a_part_of_a_snapshot_is_checked_in_order(version: int) -> None:
    node = leading()
    before = node.replica.value()
    for first, second in pairs([*PARTS, *OF_THE_PART], version):
        answer = ask(node, SNAPSHOT, version, spoilt(node, part(version), first, second))
        assert outcome(answer) == expected(first), (first.name, second.name)
        assert_refused_part(node, answer)
    assert node.replica.value() == before


@pytest.mark.parametrize("version", range(2))
def test_a_part_of_a_snapshot_at_a_follower_is_checked_in_order(version: int) -> None:
    node = follower()
    for first, second in pairs(PARTS, version):
        answer = ask(node, SNAPSHOT, version, spoilt(node, part(version), first, second))
        assert outcome(answer) == expected(first), (first.name, second.name)
        assert_refused_part(node, answer)


def assert_refused_part(node: FakeHost, answer: Any) -> None:
    """With the leader, and with empty bytes, which Kafka forgets and so fails."""
    for topic in answer.topics:
        (row,) = topic.partitions
        assert bytes(row.unaligned_records) == b""
        leader_row = row.current_leader
        assert (leader_row.leader_id, leader_row.leader_epoch) == (node.replica.leader_id, EPOCH)


@pytest.mark.parametrize("version", range(2))
def test_a_follower_looks_at_no_part_but_says_who_leads(version: int) -> None:
    for defect in OF_THE_PART:
        node = follower()
        answer = ask(node, SNAPSHOT, version, spoilt(node, part(version), defect))
        assert outcome(answer) == (0, [NOT_LEADER]), defect.name


# --- DescribeQuorum, and what is right -------------------------------------------------------


def describe(version: int) -> describe_quorum_request.DescribeQuorumRequest:
    module = describe_quorum_request
    row = module.PartitionData(partition_index=0)
    topics = [module.TopicData(topic_name=METADATA_TOPIC, partitions=[row])]
    return module.DescribeQuorumRequest(topics=topics)


@pytest.mark.parametrize("version", range(3))
@pytest.mark.parametrize(
    ("make", "change", "rows"),
    [
        (leading, None, [0]),
        (follower, None, [NOT_LEADER]),
        (leading, lambda topics: topics.clear(), []),
        (leading, other_name, [NO_TOPIC]),
        (leading, other_partition, [NO_TOPIC]),
        (follower, other_name, [NO_TOPIC]),
    ],
)
def test_a_question_about_the_quorum(
    version: int, make: Make, change: Any, rows: list[int]
) -> None:
    request = describe(version)
    if change is not None:
        change(request.topics)
    answer = ask(make(), DESCRIBE, version, request)
    assert outcome(answer) == (0, rows)


RIGHT = [
    *((FETCH, version, fetch) for version in range(13, 19)),
    *((SNAPSHOT, version, part) for version in range(2)),
]


@pytest.mark.parametrize("cluster_id", [None, CLUSTER], ids=["no cluster", "our cluster"])
@pytest.mark.parametrize(("key", "version", "request_of"), RIGHT)
def test_what_is_right_is_served(
    key: int, version: int, request_of: Any, cluster_id: str | None
) -> None:
    request = request_of(version)
    request.cluster_id = cluster_id
    assert outcome(ask(leading(), key, version, request)) == (NONE, [NONE])
