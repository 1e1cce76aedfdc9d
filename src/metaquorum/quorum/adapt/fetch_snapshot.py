"""FetchSnapshot: parts of a snapshot file (KIP-630)."""

from __future__ import annotations

from typing import Any

from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC
from metaquorum.quorum.adapt.forms import (
    INCONSISTENT_CLUSTER_ID,
    INVALID_REQUEST,
    UNKNOWN_TOPIC_OR_PARTITION,
    AnswerContext,
    Settled,
    cluster_differs,
    directory,
    endpoint_rows,
    hint_of,
    leader_number,
    wire_directory,
)
from metaquorum.quorum.messages import (
    NONE,
    SNAPSHOT_NOT_FOUND,
    FetchSnapshotRequest,
    FetchSnapshotResponse,
    Hint,
    Refused,
    SnapshotSlice,
)
from metaquorum.quorum.types import ReplicaKey, SnapshotId
from metaquorum.wire.generated import fetch_snapshot_request as asked
from metaquorum.wire.generated import fetch_snapshot_response as given

WITH_ENDPOINTS = 1


def read_request(
    version: int, request: asked.FetchSnapshotRequest, cluster_id: str
) -> FetchSnapshotRequest | Settled:
    """The core's form. Kafka dies of an empty topic list; here it is a wrong request."""
    if cluster_differs(request.cluster_id, cluster_id):
        return Settled(given.FetchSnapshotResponse(error_code=INCONSISTENT_CLUSTER_ID))
    if len(request.topics) != 1 or len(request.topics[0].partitions) != 1:
        return Settled(given.FetchSnapshotResponse(error_code=INVALID_REQUEST))
    topic = request.topics[0]
    partition = topic.partitions[0]
    if topic.name != METADATA_TOPIC or partition.partition != METADATA_PARTITION:
        unknown = given.PartitionSnapshot(
            index=partition.partition,
            error_code=UNKNOWN_TOPIC_OR_PARTITION,
            unaligned_records=b"",
        )
        return Settled(_answer(topic.name, unknown))
    return FetchSnapshotRequest(
        replica=ReplicaKey(request.replica_id, directory(partition.replica_directory_id)),
        epoch=partition.current_leader_epoch,
        snapshot=SnapshotId(partition.snapshot_id.epoch, partition.snapshot_id.end_offset),
        position=partition.position,
        max_bytes=request.max_bytes,
    )


def write_response(
    version: int,
    request: asked.FetchSnapshotRequest,
    response: FetchSnapshotResponse,
    context: AnswerContext,
) -> given.FetchSnapshotResponse:
    """The wire form; an error carries empty records, which Kafka forgets to and then fails."""
    data: Any = response.data
    error = response.error
    if isinstance(data, SnapshotSlice):
        data = context.resolve(data)
        if data is None:  # the disk has let it go since the core answered
            error, data = SNAPSHOT_NOT_FOUND, b""
    partition = given.PartitionSnapshot(
        index=METADATA_PARTITION,
        error_code=error,
        snapshot_id=given.SnapshotId(
            end_offset=response.snapshot.offset, epoch=response.snapshot.epoch
        ),
        current_leader=given.LeaderIdAndEpoch(
            leader_id=leader_number(response.hint), leader_epoch=response.hint.epoch
        ),
        size=response.size_bytes,
        position=response.position,
        unaligned_records=data,
    )
    answer = _answer(METADATA_TOPIC, partition)
    if version >= WITH_ENDPOINTS:
        answer.node_endpoints = endpoint_rows(given, response.hint, context.listener)
    return answer


def named(
    response: given.FetchSnapshotResponse, hint: Hint, context: AnswerContext
) -> given.FetchSnapshotResponse:
    """A settled answer with the leader in it: a reader takes an absent one for node 0, epoch 0."""
    for topic in response.topics:
        for partition in topic.partitions:
            partition.current_leader = given.LeaderIdAndEpoch(
                leader_id=leader_number(hint), leader_epoch=hint.epoch
            )
    return response


def _answer(name: str, partition: given.PartitionSnapshot) -> given.FetchSnapshotResponse:
    topic = given.TopicSnapshot(name=name, partitions=[partition])
    return given.FetchSnapshotResponse(topics=[topic])


def write_request(
    version: int, message: FetchSnapshotRequest, cluster_id: str
) -> asked.FetchSnapshotRequest:
    """The wire form of our own request for a part."""
    row = asked.PartitionSnapshot(
        partition=METADATA_PARTITION,
        current_leader_epoch=message.epoch,
        snapshot_id=asked.SnapshotId(
            end_offset=message.snapshot.offset, epoch=message.snapshot.epoch
        ),
        position=message.position,
    )
    if version >= WITH_ENDPOINTS:
        row.replica_directory_id = wire_directory(message.replica)
    return asked.FetchSnapshotRequest(
        cluster_id=cluster_id,
        replica_id=message.replica.id,
        max_bytes=message.max_bytes,
        topics=[asked.TopicSnapshot(name=METADATA_TOPIC, partitions=[row])],
    )


def read_response(
    version: int, response: given.FetchSnapshotResponse, listener: str
) -> FetchSnapshotResponse | Refused:
    """The core's form. Kafka's own partition errors arrive as a top-level -1."""
    if response.error_code != NONE:
        return Refused(response.error_code)
    topics = response.topics
    if len(topics) != 1 or len(topics[0].partitions) != 1 or topics[0].name != METADATA_TOPIC:
        return Refused(INVALID_REQUEST)
    row = topics[0].partitions[0]
    leader = row.current_leader
    received: Any = row.unaligned_records
    return FetchSnapshotResponse(
        error=row.error_code,
        hint=hint_of(leader.leader_id, leader.leader_epoch, response.node_endpoints, listener),
        snapshot=SnapshotId(row.snapshot_id.epoch, row.snapshot_id.end_offset),
        size_bytes=row.size,
        position=row.position,
        data=bytes(received or b""),
    )
