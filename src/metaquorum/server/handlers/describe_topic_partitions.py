"""DescribeTopicPartitions (75): the metadata topic's partition, for ``kafka-topics --describe``.

Behaviour
- No topics named means all of them. Names come back sorted; a cursor skips what lies before it,
  and the answer ends with a cursor when the limit of partitions is reached.
- Unknown names give UNKNOWN_TOPIC_OR_PARTITION. A cursor with a negative partition gives
  INVALID_REQUEST for every topic named.
- The two lists of eligible leader replicas are empty, never null: Java's admin client fails on
  null there.

Version notes
- 0 is the only version.
"""

from __future__ import annotations

from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC, METADATA_TOPIC_ID
from metaquorum.server import topics
from metaquorum.server.house import House
from metaquorum.server.request import Request
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
    request: Request[DescribeTopicPartitionsRequest], house: House
) -> DescribeTopicPartitionsResponse:
    """The topics from the cursor on."""
    cursor = request.message.cursor
    first_name, first_partition = "", METADATA_PARTITION
    if cursor is not None:
        first_name, first_partition = cursor.topic_name, cursor.partition_index
        if first_partition < 0:
            return refusal(request, error_codes.INVALID_REQUEST, None)
    listener = request.origin.listener.name
    told: list[DescribeTopicPartitionsResponseTopic] = []
    next_cursor = None
    for name in (one for one in _names(request.message) if one >= first_name):
        skipped = name == first_name and first_partition > METADATA_PARTITION
        if name != METADATA_TOPIC:
            told.append(_error(name, error_codes.UNKNOWN_TOPIC_OR_PARTITION))
        elif request.message.response_partition_limit < 1:
            next_cursor = Cursor(name, METADATA_PARTITION)
            break
        elif not skipped:
            told.append(_metadata_topic(house, listener))
    return DescribeTopicPartitionsResponse(topics=told, next_cursor=next_cursor)


def refusal(
    request: Request[DescribeTopicPartitionsRequest], code: int, reason: str | None
) -> DescribeTopicPartitionsResponse:
    """The code for each topic that was named."""
    return DescribeTopicPartitionsResponse(
        topics=[_error(name, code) for name in _names(request.message)]
    )


def _names(asked: DescribeTopicPartitionsRequest) -> list[str]:
    return sorted({topic.name for topic in asked.topics} or {METADATA_TOPIC})


def _metadata_topic(house: House, listener: str) -> DescribeTopicPartitionsResponseTopic:
    place = topics.metadata_place(house, listener)
    return DescribeTopicPartitionsResponseTopic(
        name=METADATA_TOPIC,
        topic_id=METADATA_TOPIC_ID,
        partitions=[
            DescribeTopicPartitionsResponsePartition(
                error_code=place.error_code,
                partition_index=METADATA_PARTITION,
                leader_id=place.leader_id,
                leader_epoch=place.leader_epoch,
                replica_nodes=list(place.replicas),
                isr_nodes=list(place.replicas),
                eligible_leader_replicas=[],
                last_known_elr=[],
            )
        ],
        topic_authorized_operations=topics.TOPIC_OPERATIONS,
    )


def _error(name: str, code: int) -> DescribeTopicPartitionsResponseTopic:
    return DescribeTopicPartitionsResponseTopic(error_code=code, name=name)
