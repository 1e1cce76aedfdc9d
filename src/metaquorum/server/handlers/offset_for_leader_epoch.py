"""OffsetForLeaderEpoch (23): where an epoch ends, so that a reader notices a truncation.

Behaviour
- For a known epoch: the largest epoch not above it and the offset where that one ends; the latest
  epoch ends at the high watermark for clients, who must not see further. An epoch above ours: -1
  and -1. One older than all we know ends where the log starts: -1 there would send Java back to
  its reset policy, although nothing that it read was ever taken back.
- The leader answers, once it knows its high watermark; the current leader epoch that the client
  names is checked first (KIP-320).
- It takes CLUSTER_ACTION, or DESCRIBE on the topic: TOPIC_AUTHORIZATION_FAILED without either.

Version notes
- librdkafka speaks 2 only, Java needs 3 or later to use it at all: both are served.
- 1 adds the epoch to the answer, 2 the current leader epoch to the request, 3 the replica id.
"""

from __future__ import annotations

from metaquorum.base.offsets import NO_EPOCH, NO_OFFSET
from metaquorum.fetch.plan import epoch_refusal
from metaquorum.metadata.acl_codes import CLUSTER_NAME, Operation, ResourceType
from metaquorum.server.contract import topics
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.offset_for_leader_epoch_request import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
)
from metaquorum.wire.generated.offset_for_leader_epoch_response import (
    EpochEndOffset,
    OffsetForLeaderEpochResponse,
    OffsetForLeaderTopicResult,
)


def handle(
    request: Request[OffsetForLeaderEpochRequest], services: Services
) -> OffsetForLeaderEpochResponse:
    """The end of each epoch that was asked for."""
    is_replica = request.rights.may(
        Operation.CLUSTER_ACTION, ResourceType.CLUSTER, CLUSTER_NAME, noted=False
    )
    return OffsetForLeaderEpochResponse(
        topics=[
            OffsetForLeaderTopicResult(
                topic.topic,
                [_partition(topic.topic, one, services) for one in topic.partitions]
                if is_replica or topics.may_describe(request, topic.topic)
                else [_refused(one) for one in topic.partitions],
            )
            for topic in request.message.topics
        ]
    )


def refusal(
    request: Request[OffsetForLeaderEpochRequest], code: int, reason: str | None
) -> OffsetForLeaderEpochResponse:
    """The code for each partition that was named."""
    return OffsetForLeaderEpochResponse(
        topics=[
            OffsetForLeaderTopicResult(
                topic.topic, [EpochEndOffset(code, one.partition) for one in topic.partitions]
            )
            for topic in request.message.topics
        ]
    )


def _refused(one: OffsetForLeaderPartition) -> EpochEndOffset:
    return EpochEndOffset(error_codes.TOPIC_AUTHORIZATION_FAILED, one.partition)


def _partition(name: str, one: OffsetForLeaderPartition, services: Services) -> EpochEndOffset:
    if not topics.is_metadata_partition(name, one.partition):
        return EpochEndOffset(error_codes.UNKNOWN_TOPIC_OR_PARTITION, one.partition)
    leadership = topics.leadership(services)
    code = epoch_refusal(one.current_leader_epoch, leadership)
    if code:
        return EpochEndOffset(code, one.partition)
    log = services.log
    if log.high_watermark == NO_OFFSET:
        return EpochEndOffset(error_codes.NOT_LEADER_OR_FOLLOWER, one.partition)
    if not 0 <= one.leader_epoch <= leadership.epoch:
        return EpochEndOffset(error_codes.NONE, one.partition, NO_EPOCH, NO_OFFSET)
    found = log.end_of_epoch(one.leader_epoch)
    if found is None:
        return EpochEndOffset(error_codes.NONE, one.partition, one.leader_epoch, log.start_offset)
    end = min(found.offset, log.high_watermark)
    return EpochEndOffset(error_codes.NONE, one.partition, found.epoch, end)
