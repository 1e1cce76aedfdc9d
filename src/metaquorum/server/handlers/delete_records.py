"""DeleteRecords (21): records of the metadata log go with snapshots only.

Behaviour
- The metadata partition: POLICY_VIOLATION, from whichever node is asked. The log starts later when
  a snapshot covers what lies before (KIP-630), and never because a client wants it.
- Anything else: UNKNOWN_TOPIC_OR_PARTITION, or INVALID_TOPIC_EXCEPTION for what is no name.
- Without DELETE on the topic: TOPIC_AUTHORIZATION_FAILED.
- The low watermark of a refusal is -1.

Version notes
- 2 is the first flexible one; all say the same.
"""

from __future__ import annotations

from metaquorum.base.offsets import NO_OFFSET
from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.server.contract import topics
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.delete_records_request import DeleteRecordsRequest
from metaquorum.wire.generated.delete_records_response import (
    DeleteRecordsPartitionResult,
    DeleteRecordsResponse,
    DeleteRecordsTopicResult,
)


def handle(request: Request[DeleteRecordsRequest], services: Services) -> DeleteRecordsResponse:
    """A refusal for each partition."""
    return DeleteRecordsResponse(
        topics=[
            DeleteRecordsTopicResult(
                topic.name,
                [
                    _row(one.partition_index, _code(request, topic.name, one.partition_index))
                    for one in topic.partitions
                ],
            )
            for topic in request.message.topics
        ]
    )


def refusal(
    request: Request[DeleteRecordsRequest], code: int, reason: str | None
) -> DeleteRecordsResponse:
    """The code for each partition."""
    return DeleteRecordsResponse(
        topics=[
            DeleteRecordsTopicResult(
                topic.name, [_row(one.partition_index, code) for one in topic.partitions]
            )
            for topic in request.message.topics
        ]
    )


def _code(request: Request[DeleteRecordsRequest], name: str, index: int) -> int:
    if not request.rights.may(Operation.DELETE, ResourceType.TOPIC, name):
        return error_codes.TOPIC_AUTHORIZATION_FAILED
    if topics.is_metadata_partition(name, index):
        return error_codes.POLICY_VIOLATION
    if topics.is_metadata(name):
        return error_codes.UNKNOWN_TOPIC_OR_PARTITION
    return topics.unknown_topic(name)


def _row(index: int, code: int) -> DeleteRecordsPartitionResult:
    return DeleteRecordsPartitionResult(index, NO_OFFSET, code)
