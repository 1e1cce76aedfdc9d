"""OffsetCommit (8): how far a group is; answered once that is replicated.

Behaviour
- It takes READ on the group and READ on the topic: TOPIC_AUTHORIZATION_FAILED.
- A partition that does not exist is UNKNOWN_TOPIC_OR_PARTITION, so that nobody fills the log with
  names; an unknown topic id is UNKNOWN_TOPIC_ID.
- Without groups: GROUP_AUTHORIZATION_FAILED for each partition; see ``server.groups``. Clients that
  commit by themselves in the background log it and go on reading.

Version notes
- 10: topics by id.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC
from metaquorum.groups.commands import CommitOffsets
from metaquorum.metadata.acl_codes import Operation
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract import groups
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from metaquorum.wire.generated.offset_commit_response import (
    OffsetCommitResponse,
    OffsetCommitResponsePartition,
    OffsetCommitResponseTopic,
)
from metaquorum.wire.message import evolve

_BY_ID_FROM: Final = 10


def handle(
    request: Request[OffsetCommitRequest], services: Services
) -> OffsetCommitResponse | Promise[OffsetCommitResponse]:
    """A row for each partition."""
    if services.groups is None:
        return refusal(request, groups.REFUSED, None)
    codes = [[_code(request, topic, one) for one in topic.partitions] for topic in _topics(request)]
    kept = [
        OffsetCommitRequestTopic(
            METADATA_TOPIC,
            topic.topic_id,
            [one for one, code in zip(topic.partitions, row, strict=True) if not code],
        )
        for topic, row in zip(_topics(request), codes, strict=True)
    ]
    if not any(topic.partitions for topic in kept):
        return _merged(request, codes, ())
    command = CommitOffsets(evolve(request.message, topics=kept), request.version)
    replied = services.groups.ask(command, deadline_ms=groups.deadline_of(request))
    return replied.map(lambda answer: _merged(request, codes, answer.topics))


def _topics(request: Request[OffsetCommitRequest]) -> Sequence[OffsetCommitRequestTopic]:
    return request.message.topics


def _code(
    request: Request[OffsetCommitRequest],
    topic: OffsetCommitRequestTopic,
    one: OffsetCommitRequestPartition,
) -> int:
    """What a partition is refused with before the coordinator is asked; 0: nothing."""
    name = groups.topic_name(topic.name, topic.topic_id)
    if name is None and request.version >= _BY_ID_FROM:
        return error_codes.UNKNOWN_TOPIC_ID
    if not groups.may_topic(request, Operation.READ, name or ""):
        return error_codes.TOPIC_AUTHORIZATION_FAILED
    if name != METADATA_TOPIC or one.partition_index != METADATA_PARTITION:
        return error_codes.UNKNOWN_TOPIC_OR_PARTITION
    return error_codes.NONE


def _merged(
    request: Request[OffsetCommitRequest],
    codes: Sequence[Sequence[int]],
    answered: Sequence[OffsetCommitResponseTopic],
) -> OffsetCommitResponse:
    """Every partition in the order in which it was asked for."""
    answers = iter([one.error_code for topic in answered for one in topic.partitions])
    return OffsetCommitResponse(
        topics=[
            OffsetCommitResponseTopic(
                topic.name,
                topic.topic_id,
                [
                    OffsetCommitResponsePartition(one.partition_index, code or next(answers))
                    for one, code in zip(topic.partitions, row, strict=True)
                ],
            )
            for topic, row in zip(_topics(request), codes, strict=True)
        ]
    )


def refusal(
    request: Request[OffsetCommitRequest], code: int, reason: str | None
) -> OffsetCommitResponse:
    """The code for each partition."""
    return OffsetCommitResponse(
        topics=[
            OffsetCommitResponseTopic(
                name=topic.name,
                topic_id=topic.topic_id,
                partitions=[
                    OffsetCommitResponsePartition(one.partition_index, code)
                    for one in topic.partitions
                ],
            )
            for topic in request.message.topics
        ]
    )
