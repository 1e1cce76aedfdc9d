"""OffsetDelete (47): offsets that a group committed are forgotten.

Behaviour
- It takes DELETE on the group and READ on the topic. A topic that does not exist is
  UNKNOWN_TOPIC_OR_PARTITION, one that the group's members read GROUP_SUBSCRIBED_TO_TOPIC.
- Without groups: GROUP_ID_NOT_FOUND for the whole request.

Version notes
- 0 is the only version.
"""

from __future__ import annotations

from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.groups.commands import DeleteOffsets
from metaquorum.metadata.acl_codes import Operation
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract import groups
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.offset_delete_request import (
    OffsetDeleteRequest,
    OffsetDeleteRequestTopic,
)
from metaquorum.wire.generated.offset_delete_response import (
    OffsetDeleteResponse,
    OffsetDeleteResponsePartition,
    OffsetDeleteResponseTopic,
)


def handle(
    request: Request[OffsetDeleteRequest], services: Services
) -> OffsetDeleteResponse | Promise[OffsetDeleteResponse]:
    """A row for each partition."""
    if services.groups is None:
        return refusal(request, groups.NO_SUCH_GROUP, None)
    refused: list[OffsetDeleteResponseTopic] = []
    allowed: list[OffsetDeleteRequestTopic] = []
    for topic in request.message.topics:
        code = error_codes.NONE
        if not groups.may_topic(request, Operation.READ, topic.name):
            code = error_codes.TOPIC_AUTHORIZATION_FAILED
        elif topic.name != METADATA_TOPIC:
            code = error_codes.UNKNOWN_TOPIC_OR_PARTITION
        if code == error_codes.NONE:
            allowed.append(topic)
        else:
            rows = [
                OffsetDeleteResponsePartition(one.partition_index, code) for one in topic.partitions
            ]
            refused.append(OffsetDeleteResponseTopic(topic.name, rows))
    command = DeleteOffsets(OffsetDeleteRequest(request.message.group_id, allowed))
    replied = services.groups.ask(command, deadline_ms=groups.deadline_of(request))
    return replied.map(
        lambda answer: (
            answer if answer.error_code else OffsetDeleteResponse(topics=[*refused, *answer.topics])
        )
    )


def refusal(
    request: Request[OffsetDeleteRequest], code: int, reason: str | None
) -> OffsetDeleteResponse:
    """An error and nothing else."""
    return OffsetDeleteResponse(error_code=code)
