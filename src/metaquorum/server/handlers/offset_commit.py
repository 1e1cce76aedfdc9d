"""OffsetCommit (8): refused, since it could not be read back.

Behaviour
- GROUP_AUTHORIZATION_FAILED for each partition; see ``server.groups``. Clients that commit by
  themselves in the background log it and go on reading.

Version notes
- 10: topics by id.
"""

from __future__ import annotations

from metaquorum.server import groups
from metaquorum.server.house import House
from metaquorum.server.request import Request
from metaquorum.wire.generated.offset_commit_request import OffsetCommitRequest
from metaquorum.wire.generated.offset_commit_response import (
    OffsetCommitResponse,
    OffsetCommitResponsePartition,
    OffsetCommitResponseTopic,
)


def handle(request: Request[OffsetCommitRequest], house: House) -> OffsetCommitResponse:
    """No."""
    return refusal(request, groups.REFUSED, None)


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
