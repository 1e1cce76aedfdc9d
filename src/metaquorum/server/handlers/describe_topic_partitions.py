"""DescribeTopicPartitions (75): the metadata topic's partition, for ``kafka-topics --describe``.

Behaviour
- No topics named means all of them. Names come back sorted; a cursor skips what lies before it,
  and the answer ends with a cursor when the limit of partitions, at least one, is reached.
- Unknown names give UNKNOWN_TOPIC_OR_PARTITION, impossible ones INVALID_TOPIC_EXCEPTION. A cursor
  with a negative partition, or at a topic that was not named, gives INVALID_REQUEST for each name.
- Without DESCRIBE a topic that was named is TOPIC_AUTHORIZATION_FAILED, others are left out.
- The two lists of eligible leader replicas are empty, never null: Java's admin client fails on
  null there.

Version notes
- 0 is the only version.
"""

from __future__ import annotations

from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC, METADATA_TOPIC_ID
from metaquorum.server.contract import topics
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.describe_topic_partitions_request import (
    DescribeTopicPartitionsRequest,
)
from metaquorum.wire.generated.describe_topic_partitions_response import (
    Cursor,
    DescribeTopicPartitionsResponse,
    DescribeTopicPartitionsResponsePartition,
    DescribeTopicPartitionsResponseTopic,
)


def handle(
    request: Request[DescribeTopicPartitionsRequest], services: Services
) -> DescribeTopicPartitionsResponse:
    """The topics from the cursor on."""
    asked = request.message
    names = _names(asked)
    first = asked.cursor or Cursor("", METADATA_PARTITION)
    named = {topic.name for topic in asked.topics}
    if first.partition_index < 0 or (asked.cursor and named and first.topic_name not in named):
        return refusal(request, error_codes.INVALID_REQUEST, None)
    left = max(asked.response_partition_limit, 1)
    rows: list[DescribeTopicPartitionsResponseTopic] = []
    for name in (one for one in names if one >= first.topic_name):
        if left == 0:
            return DescribeTopicPartitionsResponse(
                topics=rows, next_cursor=Cursor(name, METADATA_PARTITION)
            )
        if not topics.may_describe(request, name, noted=bool(named)):
            if named:
                rows.append(_error(name, error_codes.TOPIC_AUTHORIZATION_FAILED))
            continue
        if name != METADATA_TOPIC:
            rows.append(_error(name, topics.unknown_topic(name)))
            continue
        skipped = name == first.topic_name and first.partition_index > METADATA_PARTITION
        listed = [] if skipped else [_partition(services, request.origin.listener.name)]
        rows.append(_metadata_topic(listed, topics.metadata_operations(request)))
        left -= len(listed)
    return DescribeTopicPartitionsResponse(topics=rows)


def refusal(
    request: Request[DescribeTopicPartitionsRequest], code: int, reason: str | None
) -> DescribeTopicPartitionsResponse:
    """The code for each topic that was named."""
    return DescribeTopicPartitionsResponse(
        topics=[_error(name, code) for name in _names(request.message)]
    )


def _names(asked: DescribeTopicPartitionsRequest) -> list[str]:
    return sorted({topic.name for topic in asked.topics} or {METADATA_TOPIC})


def _metadata_topic(
    partitions: list[DescribeTopicPartitionsResponsePartition], operations: int
) -> DescribeTopicPartitionsResponseTopic:
    return DescribeTopicPartitionsResponseTopic(
        name=METADATA_TOPIC,
        topic_id=METADATA_TOPIC_ID,
        partitions=partitions,
        topic_authorized_operations=operations,
    )


def _partition(services: Services, listener: str) -> DescribeTopicPartitionsResponsePartition:
    place = topics.metadata_place(services, listener)
    return DescribeTopicPartitionsResponsePartition(
        error_code=place.error_code,
        partition_index=METADATA_PARTITION,
        leader_id=place.leader_id,
        leader_epoch=place.leader_epoch,
        replica_nodes=list(place.replicas),
        isr_nodes=list(place.replicas),
        eligible_leader_replicas=[],
        last_known_elr=[],
    )


def _error(name: str, code: int) -> DescribeTopicPartitionsResponseTopic:
    return DescribeTopicPartitionsResponseTopic(error_code=code, name=name)
