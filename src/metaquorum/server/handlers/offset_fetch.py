"""OffsetFetch (9): nothing was ever committed.

Behaviour
- Offset -1 without an error for every partition that is asked for, so that a client goes on by its
  reset policy; see ``server.groups``. Asked for all partitions: none.
- Without DESCRIBE on the group: GROUP_AUTHORIZATION_FAILED.
- A refusal stands at the group or at the top, never at a partition: librdkafka would be stuck for
  good.

Version notes
- 2+: null means all partitions. 8+: several groups at once. 10: topics by id.
- 0 and 1 have no error but at a partition.
"""

from __future__ import annotations

from typing import Final

from metaquorum.metadata.acl_codes import Operation
from metaquorum.server import groups
from metaquorum.server.groups import NO_OFFSET_COMMITTED
from metaquorum.server.house import House
from metaquorum.server.request import Request
from metaquorum.wire.generated.offset_fetch_request import OffsetFetchRequest
from metaquorum.wire.generated.offset_fetch_response import (
    OffsetFetchResponse,
    OffsetFetchResponseGroup,
    OffsetFetchResponsePartition,
    OffsetFetchResponsePartitions,
    OffsetFetchResponseTopic,
    OffsetFetchResponseTopics,
)

_TOP_ERROR_FROM: Final = 2
_MANY_GROUPS_FROM: Final = 8


def handle(request: Request[OffsetFetchRequest], house: House) -> OffsetFetchResponse:
    """No offset for each partition."""
    asked = request.message
    if request.version < _MANY_GROUPS_FROM:
        if not groups.may(request, Operation.DESCRIBE, asked.group_id):
            return refusal(request, groups.REFUSED, None)
        return OffsetFetchResponse(topics=_topics(asked, 0))
    return OffsetFetchResponse(
        groups=[
            OffsetFetchResponseGroup(group_id=group.group_id, error_code=groups.REFUSED)
            if not groups.may(request, Operation.DESCRIBE, group.group_id)
            else OffsetFetchResponseGroup(
                group_id=group.group_id,
                topics=[
                    OffsetFetchResponseTopics(
                        name=topic.name,
                        topic_id=topic.topic_id,
                        partitions=[
                            OffsetFetchResponsePartitions(
                                partition_index=index,
                                committed_offset=NO_OFFSET_COMMITTED,
                                metadata="",
                            )
                            for index in topic.partition_indexes
                        ],
                    )
                    for topic in group.topics or ()
                ],
            )
            for group in asked.groups
        ]
    )


def refusal(
    request: Request[OffsetFetchRequest], code: int, reason: str | None
) -> OffsetFetchResponse:
    """The code for each group, or at the top."""
    if request.version >= _MANY_GROUPS_FROM:
        return OffsetFetchResponse(
            groups=[
                OffsetFetchResponseGroup(group_id=group.group_id, error_code=code)
                for group in request.message.groups
            ]
        )
    if request.version >= _TOP_ERROR_FROM:
        return OffsetFetchResponse(error_code=code)
    return OffsetFetchResponse(topics=_topics(request.message, code))


def _topics(asked: OffsetFetchRequest, code: int) -> list[OffsetFetchResponseTopic]:
    return [
        OffsetFetchResponseTopic(
            name=topic.name,
            partitions=[
                OffsetFetchResponsePartition(
                    partition_index=index,
                    committed_offset=NO_OFFSET_COMMITTED,
                    metadata="",
                    error_code=code,
                )
                for index in topic.partition_indexes
            ],
        )
        for topic in asked.topics or ()
    ]
