"""Produce (0): offered, because librdkafka cannot read without it, and refused.

Behaviour
- TOPIC_AUTHORIZATION_FAILED for the metadata partition: nobody but the controller writes there.
  UNKNOWN_TOPIC_OR_PARTITION, by id UNKNOWN_TOPIC_ID, for every other one.
- A producer with acks=0 wants no answer, and nothing is refused without one: its connection is
  closed, as Kafka does.

Version notes
- librdkafka derives what it can do from the range of this row: below 0 to 7 it loses record
  formats or zstd, without the row its Fetch cannot be decoded at all.
- 8 has messages. 13: topics by id.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.errors import PeerError
from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC
from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.server.contract import topics
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.produce_request import ProduceRequest, TopicProduceData
from metaquorum.wire.generated.produce_response import (
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)

_TOPIC_IDS_FROM: Final = 13
_READ_ONLY: Final = "the metadata log is written by the controller alone"


def handle(request: Request[ProduceRequest], services: Services) -> ProduceResponse:
    """No, for each partition."""
    _close_if_unanswerable(request)
    return ProduceResponse(
        responses=[
            TopicProduceResponse(
                topic.name,
                topic.topic_id,
                [
                    _refused(one.index, *_why(topic, one.index, request))
                    for one in topic.partition_data
                ],
            )
            for topic in request.message.topic_data
        ]
    )


def refusal(request: Request[ProduceRequest], code: int, reason: str | None) -> ProduceResponse:
    """The code for each partition."""
    _close_if_unanswerable(request)
    return ProduceResponse(
        responses=[
            TopicProduceResponse(
                topic.name,
                topic.topic_id,
                [_refused(one.index, code, reason) for one in topic.partition_data],
            )
            for topic in request.message.topic_data
        ]
    )


def _close_if_unanswerable(request: Request[ProduceRequest]) -> None:
    if request.message.acks == 0:
        raise PeerError("produced with acks=0; it can only be refused by closing the connection")


def _why(
    topic: TopicProduceData, index: int, request: Request[ProduceRequest]
) -> tuple[int, str | None]:
    by_id = request.version >= _TOPIC_IDS_FROM
    known = topics.is_metadata(None, topic.topic_id) if by_id else topics.is_metadata(topic.name)
    if known and index == METADATA_PARTITION:
        return error_codes.TOPIC_AUTHORIZATION_FAILED, _READ_ONLY
    if by_id and not known:
        return error_codes.UNKNOWN_TOPIC_ID, None
    if not request.rights.may(Operation.WRITE, ResourceType.TOPIC, topic.name or METADATA_TOPIC):
        return error_codes.TOPIC_AUTHORIZATION_FAILED, None
    return error_codes.UNKNOWN_TOPIC_OR_PARTITION, None


def _refused(index: int, code: int, reason: str | None) -> PartitionProduceResponse:
    return PartitionProduceResponse(
        index=index, error_code=code, base_offset=-1, error_message=reason
    )
