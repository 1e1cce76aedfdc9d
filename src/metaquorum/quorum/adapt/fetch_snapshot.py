"""FetchSnapshot: parts of a snapshot file (KIP-630; facts raft 2.11)."""

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
    leader_endpoint,
    leader_number,
)
from metaquorum.quorum.messages import (
    FetchSnapshotRequest,
    FetchSnapshotResponse,
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
    if isinstance(data, SnapshotSlice):
        data = context.resolve(data)
    partition = given.PartitionSnapshot(
        index=METADATA_PARTITION,
        error_code=response.error,
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
    endpoint = leader_endpoint(response.hint, context.listener)
    if version >= WITH_ENDPOINTS and endpoint is not None:
        answer.node_endpoints = [
            given.NodeEndpoint(
                node_id=leader_number(response.hint), host=endpoint.host, port=endpoint.port
            )
        ]
    return answer


def _answer(name: str, partition: given.PartitionSnapshot) -> given.FetchSnapshotResponse:
    topic = given.TopicSnapshot(name=name, partitions=[partition])
    return given.FetchSnapshotResponse(topics=[topic])
