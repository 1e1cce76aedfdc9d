"""OffsetFetch (9): how far groups are.

Behaviour
- Offset -1 without an error for a partition that nothing was committed for, so that a client goes
  on by its reset policy; without groups that is every one. Asked for all partitions: those that
  there is an offset for.
- Without DESCRIBE on a topic: TOPIC_AUTHORIZATION_FAILED for its partitions; of all, they are left
  out. An unknown topic id is UNKNOWN_TOPIC_ID.
- Without DESCRIBE on the group: GROUP_AUTHORIZATION_FAILED.
- A refusal stands at the group or at the top, never at a partition: librdkafka would be stuck for
  good.

Version notes
- 2+: null means all partitions. 8+: several groups at once. 10: topics by id.
- 0 and 1 have no error but at a partition.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from metaquorum.base.ids import METADATA_TOPIC_ID
from metaquorum.groups.commands import FetchOffsets
from metaquorum.metadata.acl_codes import Operation
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract import groups
from metaquorum.server.contract.groups import NO_OFFSET_COMMITTED
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import GroupPort, Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.offset_fetch_request import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
)
from metaquorum.wire.generated.offset_fetch_response import (
    OffsetFetchResponse,
    OffsetFetchResponseGroup,
    OffsetFetchResponsePartition,
    OffsetFetchResponsePartitions,
    OffsetFetchResponseTopic,
    OffsetFetchResponseTopics,
)
from metaquorum.wire.message import evolve

_TOP_ERROR_FROM: Final = 2
_MANY_GROUPS_FROM: Final = 8


def handle(
    request: Request[OffsetFetchRequest], services: Services
) -> OffsetFetchResponse | Promise[OffsetFetchResponse]:
    """A row for each partition."""
    asked = request.message
    if services.groups is not None:
        return _fetched(request, services.groups)
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


def _fetched(
    request: Request[OffsetFetchRequest], port: GroupPort
) -> OffsetFetchResponse | Promise[OffsetFetchResponse]:
    """What the coordinator knows of the groups that the client may know of."""
    groups_asked = _in_groups(request)
    allowed = [
        _of_known_topics(group)
        for group in groups_asked
        if groups.may(request, Operation.DESCRIBE, group.group_id)
    ]
    if not allowed:
        return refusal(request, groups.REFUSED, None)
    replied = port.ask(FetchOffsets(allowed), deadline_ms=groups.deadline_of(request))
    return replied.map(lambda rows: _shown(request, groups_asked, rows))


def _in_groups(request: Request[OffsetFetchRequest]) -> Sequence[OffsetFetchRequestGroup]:
    """The request in the form that it has from version 8 on."""
    asked = request.message
    if request.version >= _MANY_GROUPS_FROM:
        return asked.groups
    topics = asked.topics
    return [
        OffsetFetchRequestGroup(
            asked.group_id,
            topics=None
            if topics is None
            else [
                OffsetFetchRequestTopics(one.name, partition_indexes=one.partition_indexes)
                for one in topics
            ],
        )
    ]


def _of_known_topics(group: OffsetFetchRequestGroup) -> OffsetFetchRequestGroup:
    if group.topics is None:
        return group
    named = [
        evolve(topic, name=groups.topic_name(topic.name, topic.topic_id) or "")
        for topic in group.topics
    ]
    return evolve(group, topics=named)


def _shown(
    request: Request[OffsetFetchRequest],
    asked: Sequence[OffsetFetchRequestGroup],
    rows: Sequence[OffsetFetchResponseGroup],
) -> OffsetFetchResponse:
    """The answer in the version that was asked in, without what may not be known."""
    found = {row.group_id: _allowed(request, row, group) for row, group in _paired(rows, asked)}
    if request.version >= _MANY_GROUPS_FROM:
        return OffsetFetchResponse(
            groups=[
                found.get(one.group_id)
                or OffsetFetchResponseGroup(one.group_id, (), groups.REFUSED)
                for one in asked
            ]
        )
    (row,) = found.values()
    if row.error_code:
        return refusal(request, row.error_code, None)
    return OffsetFetchResponse(
        topics=[
            OffsetFetchResponseTopic(
                topic.name,
                [
                    OffsetFetchResponsePartition(
                        one.partition_index,
                        one.committed_offset,
                        one.committed_leader_epoch,
                        one.metadata,
                        one.error_code,
                    )
                    for one in topic.partitions
                ],
            )
            for topic in row.topics
        ]
    )


def _paired(
    rows: Sequence[OffsetFetchResponseGroup], asked: Sequence[OffsetFetchRequestGroup]
) -> list[tuple[OffsetFetchResponseGroup, OffsetFetchRequestGroup]]:
    by_name = {group.group_id: group for group in asked}
    return [(row, by_name[row.group_id]) for row in rows]


def _allowed(
    request: Request[OffsetFetchRequest],
    row: OffsetFetchResponseGroup,
    asked: OffsetFetchRequestGroup,
) -> OffsetFetchResponseGroup:
    topics: list[OffsetFetchResponseTopics] = []
    for topic in row.topics:
        if asked.topics is None:
            if groups.may_topic(request, Operation.DESCRIBE, topic.name):
                topics.append(evolve(topic, topic_id=METADATA_TOPIC_ID))
        elif not topic.name:
            topics.append(_refused(topic, error_codes.UNKNOWN_TOPIC_ID))
        elif not groups.may_topic(request, Operation.DESCRIBE, topic.name):
            topics.append(_refused(topic, error_codes.TOPIC_AUTHORIZATION_FAILED))
        else:
            topics.append(topic)
    return evolve(row, topics=topics)


def _refused(topic: OffsetFetchResponseTopics, code: int) -> OffsetFetchResponseTopics:
    rows = [
        OffsetFetchResponsePartitions(one.partition_index, NO_OFFSET_COMMITTED, -1, "", code)
        for one in topic.partitions
    ]
    return evolve(topic, partitions=rows)


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
