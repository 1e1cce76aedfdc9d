"""Fetch of the metadata log by replicas and traceless readers (KIP-595; facts raft 2.10)."""

from __future__ import annotations

from typing import Any

from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC, METADATA_TOPIC_ID
from metaquorum.quorum.adapt.forms import (
    INCONSISTENT_CLUSTER_ID,
    INVALID_REQUEST,
    AnswerContext,
    Settled,
    cluster_differs,
    directory,
    leader_endpoint,
    leader_number,
)
from metaquorum.quorum.messages import FetchRequest, FetchResponse, LogSlice
from metaquorum.quorum.types import ReplicaKey
from metaquorum.wire.generated import fetch_request as asked
from metaquorum.wire.generated import fetch_response as given

BY_TOPIC_ID = 13
WITH_LEADER_HINT = 12
WITH_REPLICA_STATE = 15
WITH_ENDPOINTS = 17  # the schema would allow 16; Kafka fills it from 17 on
WITH_HIGH_WATERMARK = 18
HIGH_WATERMARK_UNSAID = (1 << 63) - 1


def read_request(
    version: int, request: asked.FetchRequest, cluster_id: str
) -> FetchRequest | Settled:
    """The core's form; a wrong cluster or shape is answered with a top-level error."""
    if cluster_differs(request.cluster_id, cluster_id):
        return Settled(given.FetchResponse(error_code=INCONSISTENT_CLUSTER_ID))
    if not _is_metadata_log(version, request):
        return Settled(given.FetchResponse(error_code=INVALID_REQUEST))
    partition = request.topics[0].partitions[0]
    replica_id = request.replica_id
    if version >= WITH_REPLICA_STATE:
        replica_id = request.replica_state.replica_id
    return FetchRequest(
        replica=ReplicaKey(replica_id, directory(partition.replica_directory_id)),
        epoch=partition.current_leader_epoch,
        offset=partition.fetch_offset,
        last_epoch=partition.last_fetched_epoch,
        max_wait_ms=request.max_wait_ms,
        max_bytes=request.max_bytes,
        high_watermark=_known_watermark(version, partition.high_watermark),
    )


def _known_watermark(version: int, high_watermark: int) -> int | None:
    if version < WITH_HIGH_WATERMARK or high_watermark == HIGH_WATERMARK_UNSAID:
        return None
    return high_watermark


def _is_metadata_log(version: int, request: asked.FetchRequest) -> bool:
    if len(request.topics) != 1 or len(request.topics[0].partitions) != 1:
        return False
    topic = request.topics[0]
    if topic.partitions[0].partition != METADATA_PARTITION:
        return False
    if version >= BY_TOPIC_ID:
        topic_id: bytes = bytes(topic.topic_id)
        return topic_id == METADATA_TOPIC_ID
    name: str = topic.topic
    return name == METADATA_TOPIC


def write_response(
    version: int, request: asked.FetchRequest, response: FetchResponse, context: AnswerContext
) -> given.FetchResponse:
    """The wire form; the topic is named as the request named it."""
    partition = given.PartitionData(
        partition_index=METADATA_PARTITION,
        error_code=response.error,
        high_watermark=response.high_watermark,
        log_start_offset=response.log_start,
        records=_records(response, context),
    )
    if version >= WITH_LEADER_HINT:
        _hint(partition, response)
    topic = given.FetchableTopicResponse(partitions=[partition])
    if version >= BY_TOPIC_ID:
        topic.topic_id = METADATA_TOPIC_ID
    else:
        topic.topic = METADATA_TOPIC
    answer = given.FetchResponse(responses=[topic])
    endpoint = leader_endpoint(response.hint, context.listener)
    if version >= WITH_ENDPOINTS and endpoint is not None:
        answer.node_endpoints = [
            given.NodeEndpoint(
                node_id=leader_number(response.hint), host=endpoint.host, port=endpoint.port
            )
        ]
    return answer


def _records(response: FetchResponse, context: AnswerContext) -> Any:
    if isinstance(response.records, LogSlice):
        return context.resolve(response.records)
    return b""


def _hint(partition: given.PartitionData, response: FetchResponse) -> None:
    partition.current_leader = given.LeaderIdAndEpoch(
        leader_id=leader_number(response.hint), leader_epoch=response.hint.epoch
    )
    if response.diverging is not None:
        partition.diverging_epoch = given.EpochEndOffset(
            epoch=response.diverging.epoch, end_offset=response.diverging.offset
        )
    if response.snapshot is not None:
        partition.snapshot_id = given.SnapshotId(
            end_offset=response.snapshot.offset, epoch=response.snapshot.epoch
        )
