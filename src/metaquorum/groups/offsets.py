"""Offsets that groups commit: kept, fetched, deleted, and forgotten when their time is over.

Behaviour (KIP-211, KIP-496)
- A commit is answered once it is replicated; a fetch tells nothing that might still be lost.
- Nobody is asked whether the offset exists: a group may be reset to any.
- Text beside an offset is bounded (``offset.metadata.max.bytes``), each partition by itself.
- A group without members keeps its offsets for ``offsets.retention.minutes`` after it lost the
  last one, a group that never had any for as long after each commit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from metaquorum.base.clock import Millis
from metaquorum.groups.context import Context
from metaquorum.groups.rows import record_of, tombstone_of
from metaquorum.records.group_record import OFFSET_COMMIT, GroupRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.offset_commit_request import OffsetCommitRequest
from metaquorum.wire.generated.offset_commit_response import (
    OffsetCommitResponse,
    OffsetCommitResponsePartition,
    OffsetCommitResponseTopic,
)
from metaquorum.wire.generated.offset_delete_request import OffsetDeleteRequest
from metaquorum.wire.generated.offset_delete_response import (
    OffsetDeleteResponse,
    OffsetDeleteResponsePartition,
    OffsetDeleteResponseTopic,
)
from metaquorum.wire.generated.offset_fetch_request import OffsetFetchRequestGroup
from metaquorum.wire.generated.offset_fetch_response import (
    OffsetFetchResponseGroup,
    OffsetFetchResponsePartitions,
    OffsetFetchResponseTopics,
)

NO_OFFSET: Final = -1
_UNSET: Final = -1
_LATEST_MS: Final = (1 << 63) - 1  # a longer retention never ends


def commit(
    context: Context, request: OffsetCommitRequest, wall_ms: Millis
) -> tuple[list[GroupRecord], OffsetCommitResponse]:
    """The records and the answer; membership was checked before."""
    records: list[GroupRecord] = []
    topics: list[OffsetCommitResponseTopic] = []
    most = context.config.offset_metadata_max_bytes
    expires = -1
    if request.retention_time_ms != _UNSET:
        expires = min(wall_ms + request.retention_time_ms, _LATEST_MS)
    for topic in request.topics:
        listed: list[OffsetCommitResponsePartition] = []
        for one in topic.partitions:
            text = one.committed_metadata or ""
            code = error_codes.NONE
            if len(text.encode()) > most:
                code = error_codes.OFFSET_METADATA_TOO_LARGE
            else:
                stamp = wall_ms if one.commit_timestamp == _UNSET else one.commit_timestamp
                records.append(
                    record_of(
                        OFFSET_COMMIT,
                        *(request.group_id, topic.name, one.partition_index),
                        offset=one.committed_offset,
                        leader_epoch=one.committed_leader_epoch,
                        metadata=text,
                        commit_timestamp=stamp,
                        expire_timestamp=expires,
                    )
                )
            listed.append(OffsetCommitResponsePartition(one.partition_index, code))
        topics.append(OffsetCommitResponseTopic(topic.name, topic.topic_id, listed))
    return records, OffsetCommitResponse(topics=topics)


def fetch(context: Context, asked: OffsetFetchRequestGroup) -> OffsetFetchResponseGroup:
    """What a group committed; offset -1 without an error where it never did. No topics: all."""
    group_id = asked.group_id
    if asked.topics is None:
        return OffsetFetchResponseGroup(group_id=group_id, topics=_all(context, group_id))
    return OffsetFetchResponseGroup(
        group_id=group_id,
        topics=[
            OffsetFetchResponseTopics(
                name=topic.name,
                topic_id=topic.topic_id,
                partitions=[
                    _row(index, context.state.value(group_id, OFFSET_COMMIT, topic.name, index))
                    for index in topic.partition_indexes
                ],
            )
            for topic in asked.topics
        ],
    )


def delete(
    context: Context, request: OffsetDeleteRequest, is_subscribed: Callable[[str], bool]
) -> tuple[list[GroupRecord], OffsetDeleteResponse]:
    """Tombstones for what is there; topics that the group is subscribed to are refused."""
    records: list[GroupRecord] = []
    topics: list[OffsetDeleteResponseTopic] = []
    for topic in request.topics:
        listed: list[OffsetDeleteResponsePartition] = []
        refused = is_subscribed(topic.name)
        for one in topic.partitions:
            code = error_codes.NONE
            if refused:
                code = error_codes.GROUP_SUBSCRIBED_TO_TOPIC
            else:
                key = (topic.name, one.partition_index)
                if context.state.value(request.group_id, OFFSET_COMMIT, *key) is not None:
                    records.append(tombstone_of(OFFSET_COMMIT, request.group_id, *key))
            listed.append(OffsetDeleteResponsePartition(one.partition_index, code))
        topics.append(OffsetDeleteResponseTopic(topic.name, listed))
    return records, OffsetDeleteResponse(topics=topics)


def delete_all(context: Context, group_id: str) -> list[GroupRecord]:
    """Tombstones for every record of a group, offsets and whatever else there is."""
    return [
        GroupRecord(record.key, None) for _, record in sorted(context.state.rows(group_id).items())
    ]


def expired(
    context: Context,
    group_id: str,
    wall_ms: Millis,
    since_ms: Callable[[str, Any], Millis | None],
) -> list[GroupRecord]:
    """Tombstones for offsets whose time is over.

    ``since_ms`` tells from when on the retention of an offset to a topic counts; None: it is in
    use.
    """
    records: list[GroupRecord] = []
    for key, kept in context.state.values(group_id, OFFSET_COMMIT):
        since = since_ms(key[1], kept)
        if since is None:
            continue
        if kept.expire_timestamp != _UNSET:
            is_over = wall_ms >= kept.expire_timestamp
        else:
            is_over = wall_ms - since >= context.config.offsets_retention_ms
        if is_over:
            records.append(tombstone_of(OFFSET_COMMIT, group_id, *key[1:]))
    return records


def _all(context: Context, group_id: str) -> list[OffsetFetchResponseTopics]:
    return [
        OffsetFetchResponseTopics(name=name, partitions=list(partitions))
        for name, partitions in _by_topic(context, group_id)
    ]


def _by_topic(
    context: Context, group_id: str
) -> Iterator[tuple[str, list[OffsetFetchResponsePartitions]]]:
    topics: dict[str, list[OffsetFetchResponsePartitions]] = {}
    for key, kept in sorted(context.state.values(group_id, OFFSET_COMMIT), key=lambda row: row[0]):
        topics.setdefault(key[1], []).append(_row(key[2], kept))
    yield from topics.items()


def _row(index: int, kept: Any) -> OffsetFetchResponsePartitions:
    if kept is None:
        return OffsetFetchResponsePartitions(index, NO_OFFSET, -1, "", error_codes.NONE)
    return OffsetFetchResponsePartitions(
        index, kept.offset, kept.leader_epoch, kept.metadata, error_codes.NONE
    )
