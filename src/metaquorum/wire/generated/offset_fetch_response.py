# GENERATED from schemas/offset_fetch_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 57bb790f6506b351, generator 1.
"""Committed offsets of groups. Api key 9, versions 0-10, flexible from 6."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text,
    long_text_head, put_tags, refuse_field, refuse_null, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 9
NAME: Final = "OffsetFetchResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 10
FLEXIBLE_FROM: Final[int | None] = 6


class OffsetFetchResponsePartition(Message):
    """One result a partition."""

    __slots__ = (
        "partition_index", "committed_offset", "committed_leader_epoch", "metadata", "error_code",
        "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition. (v0-7)
        partition_index: int = 0,
        # Committed offset; -1 when the group has none here. (v0-7)
        committed_offset: int = 0,
        # Epoch stored with the offset; -1 when none was. (v5-7)
        committed_leader_epoch: int = -1,
        # Text stored with the offset; null when none was. (v0-7)
        metadata: str | None = "",
        # Error of this partition; 0 for none. (v0-7)
        error_code: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.committed_offset = committed_offset
        self.committed_leader_epoch = committed_leader_epoch
        self.metadata = metadata
        self.error_code = error_code
        self.unknown_tags = unknown_tags


class OffsetFetchResponseTopic(Message):
    """One result a topic."""

    __slots__ = ("name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v0-7)
        name: str = "",
        # One result a partition. (v0-7)
        partitions: Sequence[OffsetFetchResponsePartition] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partitions: Sequence[OffsetFetchResponsePartition] = (
            [] if partitions == () else partitions
        )
        self.unknown_tags = unknown_tags


class OffsetFetchResponsePartitions(Message):
    """One result a partition."""

    __slots__ = (
        "partition_index", "committed_offset", "committed_leader_epoch", "metadata", "error_code",
        "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition. (v8+)
        partition_index: int = 0,
        # Committed offset; -1 when the group has none here. (v8+)
        committed_offset: int = 0,
        # Epoch stored with the offset; -1 when none was. (v8+)
        committed_leader_epoch: int = -1,
        # Text stored with the offset; null when none was. (v8+)
        metadata: str | None = "",
        # Error of this row; 0 for none. (v8+)
        error_code: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.committed_offset = committed_offset
        self.committed_leader_epoch = committed_leader_epoch
        self.metadata = metadata
        self.error_code = error_code
        self.unknown_tags = unknown_tags


class OffsetFetchResponseTopics(Message):
    """One result a topic."""

    __slots__ = ("name", "topic_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v8-9)
        name: str = "",
        # Id of the topic. (v10+)
        topic_id: bytes = ZERO_UUID,
        # One result a partition. (v8+)
        partitions: Sequence[OffsetFetchResponsePartitions] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partitions: Sequence[OffsetFetchResponsePartitions] = (
            [] if partitions == () else partitions
        )
        self.unknown_tags = unknown_tags


class OffsetFetchResponseGroup(Message):
    """One result a group."""

    __slots__ = ("group_id", "topics", "error_code", "unknown_tags")

    def __init__(
        self,
        # Group. (v8+)
        group_id: str = "",
        # One result a topic. (v8+)
        topics: Sequence[OffsetFetchResponseTopics] = (),
        # Error of this group; 0 for none. (v8+)
        error_code: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.topics: Sequence[OffsetFetchResponseTopics] = [] if topics == () else topics
        self.error_code = error_code
        self.unknown_tags = unknown_tags


class OffsetFetchResponse(Message):
    """Committed offsets of groups."""

    __slots__ = ("throttle_time_ms", "topics", "error_code", "groups", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota. (v3+)
        throttle_time_ms: int = 0,
        # One result a topic. (v0-7)
        topics: Sequence[OffsetFetchResponseTopic] = (),
        # Error of the whole request; 0 for none. (v2-7)
        error_code: int = 0,
        # One result a group. (v8+)
        groups: Sequence[OffsetFetchResponseGroup] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics: Sequence[OffsetFetchResponseTopic] = [] if topics == () else topics
        self.error_code = error_code
        self.groups: Sequence[OffsetFetchResponseGroup] = [] if groups == () else groups
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_2i = Struct(">2i").unpack_from
_read_h = Struct(">h").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_iqh = Struct(">iqh").unpack_from
_read_iqiB = Struct(">iqiB").unpack_from
_read_iqih = Struct(">iqih").unpack_from
_write_16sB = Struct(">16sB").pack
_write_2i = Struct(">2i").pack
_write_h = Struct(">h").pack
_write_hx = Struct(">hx").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack
_write_iqh = Struct(">iqh").pack
_write_iqiB = Struct(">iqiB").pack
_write_iqih = Struct(">iqih").pack


def _get_offset_fetch_response_v0(buf: bytes, at: int) -> tuple[OffsetFetchResponse, int]:
    m = new(OffsetFetchResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[OffsetFetchResponseTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        fetch_response_topic = new(OffsetFetchResponseTopic)
        topics.append(fetch_response_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        fetch_response_topic.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 16)
        partitions: list[OffsetFetchResponsePartition] = []
        fetch_response_topic.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            response_partition = new(OffsetFetchResponsePartition)
            partitions.append(response_partition)
            (
                response_partition.partition_index, response_partition.committed_offset, n,
            ) = _read_iqh(buf, at)
            at += 14
            if n < 0:
                response_partition.metadata = None
            else:
                end = at + n
                response_partition.metadata = buf[at:end].decode()
                at = end
            (response_partition.error_code,) = _read_h(buf, at)
            at += 2
            response_partition.committed_leader_epoch = -1
            response_partition.unknown_tags = ()
        fetch_response_topic.unknown_tags = ()
    m.throttle_time_ms = 0
    m.error_code = 0
    m.groups = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_offset_fetch_response_v2(buf: bytes, at: int) -> tuple[OffsetFetchResponse, int]:
    m = new(OffsetFetchResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[OffsetFetchResponseTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        fetch_response_topic = new(OffsetFetchResponseTopic)
        topics.append(fetch_response_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        fetch_response_topic.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 16)
        partitions: list[OffsetFetchResponsePartition] = []
        fetch_response_topic.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            response_partition = new(OffsetFetchResponsePartition)
            partitions.append(response_partition)
            (
                response_partition.partition_index, response_partition.committed_offset, n,
            ) = _read_iqh(buf, at)
            at += 14
            if n < 0:
                response_partition.metadata = None
            else:
                end = at + n
                response_partition.metadata = buf[at:end].decode()
                at = end
            (response_partition.error_code,) = _read_h(buf, at)
            at += 2
            response_partition.committed_leader_epoch = -1
            response_partition.unknown_tags = ()
        fetch_response_topic.unknown_tags = ()
    (m.error_code,) = _read_h(buf, at)
    at += 2
    m.throttle_time_ms = 0
    m.groups = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_offset_fetch_response_v3(buf: bytes, at: int) -> tuple[OffsetFetchResponse, int]:
    m = new(OffsetFetchResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[OffsetFetchResponseTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        fetch_response_topic = new(OffsetFetchResponseTopic)
        topics.append(fetch_response_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        fetch_response_topic.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 16)
        partitions: list[OffsetFetchResponsePartition] = []
        fetch_response_topic.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            response_partition = new(OffsetFetchResponsePartition)
            partitions.append(response_partition)
            (
                response_partition.partition_index, response_partition.committed_offset, n,
            ) = _read_iqh(buf, at)
            at += 14
            if n < 0:
                response_partition.metadata = None
            else:
                end = at + n
                response_partition.metadata = buf[at:end].decode()
                at = end
            (response_partition.error_code,) = _read_h(buf, at)
            at += 2
            response_partition.committed_leader_epoch = -1
            response_partition.unknown_tags = ()
        fetch_response_topic.unknown_tags = ()
    (m.error_code,) = _read_h(buf, at)
    at += 2
    m.groups = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_offset_fetch_response_v5(buf: bytes, at: int) -> tuple[OffsetFetchResponse, int]:
    m = new(OffsetFetchResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[OffsetFetchResponseTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        fetch_response_topic = new(OffsetFetchResponseTopic)
        topics.append(fetch_response_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        fetch_response_topic.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 20)
        partitions: list[OffsetFetchResponsePartition] = []
        fetch_response_topic.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            response_partition = new(OffsetFetchResponsePartition)
            partitions.append(response_partition)
            (
                response_partition.partition_index, response_partition.committed_offset,
                response_partition.committed_leader_epoch, n,
            ) = _read_iqih(buf, at)
            at += 18
            if n < 0:
                response_partition.metadata = None
            else:
                end = at + n
                response_partition.metadata = buf[at:end].decode()
                at = end
            (response_partition.error_code,) = _read_h(buf, at)
            at += 2
            response_partition.unknown_tags = ()
        fetch_response_topic.unknown_tags = ()
    (m.error_code,) = _read_h(buf, at)
    at += 2
    m.groups = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_offset_fetch_response_v6(buf: bytes, at: int) -> tuple[OffsetFetchResponse, int]:
    m = new(OffsetFetchResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[OffsetFetchResponseTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        fetch_response_topic = new(OffsetFetchResponseTopic)
        topics.append(fetch_response_topic)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        fetch_response_topic.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 20)
        partitions: list[OffsetFetchResponsePartition] = []
        fetch_response_topic.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            response_partition = new(OffsetFetchResponsePartition)
            partitions.append(response_partition)
            (
                response_partition.partition_index, response_partition.committed_offset,
                response_partition.committed_leader_epoch, n,
            ) = _read_iqiB(buf, at)
            at += 17
            if n == 0:
                response_partition.metadata = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                response_partition.metadata = buf[at:end].decode()
                at = end
            (response_partition.error_code, tags) = _read_hB(buf, at)
            at += 3
            response_partition.unknown_tags = ()
            if tags:
                response_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        fetch_response_topic.unknown_tags = ()
        if tags:
            fetch_response_topic.unknown_tags, at = get_tags(buf, at - 1)
    (m.error_code, tags) = _read_hB(buf, at)
    at += 3
    m.groups = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_offset_fetch_response_v8(buf: bytes, at: int) -> tuple[OffsetFetchResponse, int]:
    m = new(OffsetFetchResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 5)
    groups: list[OffsetFetchResponseGroup] = []
    m.groups = groups
    left_groups = n - 1
    while left_groups:
        left_groups -= 1
        fetch_response_group = new(OffsetFetchResponseGroup)
        groups.append(fetch_response_group)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        fetch_response_group.group_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 3)
        topics: list[OffsetFetchResponseTopics] = []
        fetch_response_group.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            fetch_response_topics = new(OffsetFetchResponseTopics)
            topics.append(fetch_response_topics)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            fetch_response_topics.name = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 20)
            partitions: list[OffsetFetchResponsePartitions] = []
            fetch_response_topics.partitions = partitions
            left_partitions = n - 1
            while left_partitions:
                left_partitions -= 1
                response_partitions = new(OffsetFetchResponsePartitions)
                partitions.append(response_partitions)
                (
                    response_partitions.partition_index, response_partitions.committed_offset,
                    response_partitions.committed_leader_epoch, n,
                ) = _read_iqiB(buf, at)
                at += 17
                if n == 0:
                    response_partitions.metadata = None
                else:
                    if n > 127:
                        n, at = long_text(buf, at)
                    end = at + n - 1
                    response_partitions.metadata = buf[at:end].decode()
                    at = end
                (response_partitions.error_code, tags) = _read_hB(buf, at)
                at += 3
                response_partitions.unknown_tags = ()
                if tags:
                    response_partitions.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            fetch_response_topics.topic_id = ZERO_UUID
            fetch_response_topics.unknown_tags = ()
            if tags:
                fetch_response_topics.unknown_tags, at = get_tags(buf, at - 1)
        (fetch_response_group.error_code, tags) = _read_hB(buf, at)
        at += 3
        fetch_response_group.unknown_tags = ()
        if tags:
            fetch_response_group.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.topics = []
    m.error_code = 0
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_offset_fetch_response_v10(buf: bytes, at: int) -> tuple[OffsetFetchResponse, int]:
    m = new(OffsetFetchResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 5)
    groups: list[OffsetFetchResponseGroup] = []
    m.groups = groups
    left_groups = n - 1
    while left_groups:
        left_groups -= 1
        fetch_response_group = new(OffsetFetchResponseGroup)
        groups.append(fetch_response_group)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        fetch_response_group.group_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 18)
        topics: list[OffsetFetchResponseTopics] = []
        fetch_response_group.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            fetch_response_topics = new(OffsetFetchResponseTopics)
            topics.append(fetch_response_topics)
            (fetch_response_topics.topic_id, n) = _read_16sB(buf, at)
            at += 17
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 20)
            partitions: list[OffsetFetchResponsePartitions] = []
            fetch_response_topics.partitions = partitions
            left_partitions = n - 1
            while left_partitions:
                left_partitions -= 1
                response_partitions = new(OffsetFetchResponsePartitions)
                partitions.append(response_partitions)
                (
                    response_partitions.partition_index, response_partitions.committed_offset,
                    response_partitions.committed_leader_epoch, n,
                ) = _read_iqiB(buf, at)
                at += 17
                if n == 0:
                    response_partitions.metadata = None
                else:
                    if n > 127:
                        n, at = long_text(buf, at)
                    end = at + n - 1
                    response_partitions.metadata = buf[at:end].decode()
                    at = end
                (response_partitions.error_code, tags) = _read_hB(buf, at)
                at += 3
                response_partitions.unknown_tags = ()
                if tags:
                    response_partitions.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            fetch_response_topics.name = ""
            fetch_response_topics.unknown_tags = ()
            if tags:
                fetch_response_topics.unknown_tags, at = get_tags(buf, at - 1)
        (fetch_response_group.error_code, tags) = _read_hB(buf, at)
        at += 3
        fetch_response_group.unknown_tags = ()
        if tags:
            fetch_response_group.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.topics = []
    m.error_code = 0
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_offset_fetch_response_v0(out: Parts, m: OffsetFetchResponse) -> None:
    if m.groups:
        refuse_field("groups")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    for fetch_response_topic in topics:
        if fetch_response_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = fetch_response_topic.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = fetch_response_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for response_partition in partitions:
            if response_partition.unknown_tags:
                refuse_field("unknown_tags")
            metadata = (
                b"" if response_partition.metadata is None else response_partition.metadata.encode()
            )
            n = -1 if response_partition.metadata is None else len(metadata)
            out.append(_write_iqh(
                response_partition.partition_index, response_partition.committed_offset, n,
            ))
            out.append(metadata)
            out.append(_write_h(response_partition.error_code))


def _put_offset_fetch_response_v2(out: Parts, m: OffsetFetchResponse) -> None:
    if m.groups:
        refuse_field("groups")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    for fetch_response_topic in topics:
        if fetch_response_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = fetch_response_topic.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = fetch_response_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for response_partition in partitions:
            if response_partition.unknown_tags:
                refuse_field("unknown_tags")
            metadata = (
                b"" if response_partition.metadata is None else response_partition.metadata.encode()
            )
            n = -1 if response_partition.metadata is None else len(metadata)
            out.append(_write_iqh(
                response_partition.partition_index, response_partition.committed_offset, n,
            ))
            out.append(metadata)
            out.append(_write_h(response_partition.error_code))
    out.append(_write_h(m.error_code))


def _put_offset_fetch_response_v3(out: Parts, m: OffsetFetchResponse) -> None:
    if m.groups:
        refuse_field("groups")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_2i(m.throttle_time_ms, n))
    for fetch_response_topic in topics:
        if fetch_response_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = fetch_response_topic.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = fetch_response_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for response_partition in partitions:
            if response_partition.unknown_tags:
                refuse_field("unknown_tags")
            metadata = (
                b"" if response_partition.metadata is None else response_partition.metadata.encode()
            )
            n = -1 if response_partition.metadata is None else len(metadata)
            out.append(_write_iqh(
                response_partition.partition_index, response_partition.committed_offset, n,
            ))
            out.append(metadata)
            out.append(_write_h(response_partition.error_code))
    out.append(_write_h(m.error_code))


def _put_offset_fetch_response_v5(out: Parts, m: OffsetFetchResponse) -> None:
    if m.groups:
        refuse_field("groups")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_2i(m.throttle_time_ms, n))
    for fetch_response_topic in topics:
        if fetch_response_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = fetch_response_topic.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = fetch_response_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for response_partition in partitions:
            if response_partition.unknown_tags:
                refuse_field("unknown_tags")
            metadata = (
                b"" if response_partition.metadata is None else response_partition.metadata.encode()
            )
            n = -1 if response_partition.metadata is None else len(metadata)
            out.append(_write_iqih(
                response_partition.partition_index, response_partition.committed_offset,
                response_partition.committed_leader_epoch, n,
            ))
            out.append(metadata)
            out.append(_write_h(response_partition.error_code))
    out.append(_write_h(m.error_code))


def _put_offset_fetch_response_v6(out: Parts, m: OffsetFetchResponse) -> None:
    if m.groups:
        refuse_field("groups")
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for fetch_response_topic in topics:
        name = fetch_response_topic.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partitions = fetch_response_topic.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for response_partition in partitions:
            metadata = (
                b"" if response_partition.metadata is None else response_partition.metadata.encode()
            )
            n = 0 if response_partition.metadata is None else len(metadata) + 1
            out.append(_write_iqiB(
                response_partition.partition_index, response_partition.committed_offset,
                response_partition.committed_leader_epoch, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen_text(out, n)
            out.append(metadata)
            out.append(_write_hx(response_partition.error_code))
            if response_partition.unknown_tags:
                put_tags(out, [], response_partition.unknown_tags)
        out.append(b"\0")
        if fetch_response_topic.unknown_tags:
            put_tags(out, [], fetch_response_topic.unknown_tags)
    out.append(_write_hx(m.error_code))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_offset_fetch_response_v8(out: Parts, m: OffsetFetchResponse) -> None:
    if m.topics:
        refuse_field("topics")
    groups = m.groups
    n = len(groups) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for fetch_response_group in groups:
        group_id = fetch_response_group.group_id.encode()
        n = len(group_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_id)
        topics = fetch_response_group.topics
        n = len(topics) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for fetch_response_topics in topics:
            name = fetch_response_topics.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            partitions = fetch_response_topics.partitions
            n = len(partitions) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for response_partitions in partitions:
                metadata = (
                    b"" if response_partitions.metadata is None else
                    response_partitions.metadata.encode()
                )
                n = 0 if response_partitions.metadata is None else len(metadata) + 1
                out.append(_write_iqiB(
                    response_partitions.partition_index, response_partitions.committed_offset,
                    response_partitions.committed_leader_epoch, n if n < 128 else 0,
                ))
                if n > 127:
                    lengthen_text(out, n)
                out.append(metadata)
                out.append(_write_hx(response_partitions.error_code))
                if response_partitions.unknown_tags:
                    put_tags(out, [], response_partitions.unknown_tags)
            out.append(b"\0")
            if fetch_response_topics.unknown_tags:
                put_tags(out, [], fetch_response_topics.unknown_tags)
        out.append(_write_hx(fetch_response_group.error_code))
        if fetch_response_group.unknown_tags:
            put_tags(out, [], fetch_response_group.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_offset_fetch_response_v10(out: Parts, m: OffsetFetchResponse) -> None:
    if m.topics:
        refuse_field("topics")
    groups = m.groups
    n = len(groups) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for fetch_response_group in groups:
        group_id = fetch_response_group.group_id.encode()
        n = len(group_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_id)
        topics = fetch_response_group.topics
        n = len(topics) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for fetch_response_topics in topics:
            if len(fetch_response_topics.topic_id) != 16:
                refuse_uuid("topic_id")
            partitions = fetch_response_topics.partitions
            n = len(partitions) + 1
            out.append(_write_16sB(fetch_response_topics.topic_id, n if n < 128 else 0))
            if n > 127:
                lengthen(out, n)
            for response_partitions in partitions:
                metadata = (
                    b"" if response_partitions.metadata is None else
                    response_partitions.metadata.encode()
                )
                n = 0 if response_partitions.metadata is None else len(metadata) + 1
                out.append(_write_iqiB(
                    response_partitions.partition_index, response_partitions.committed_offset,
                    response_partitions.committed_leader_epoch, n if n < 128 else 0,
                ))
                if n > 127:
                    lengthen_text(out, n)
                out.append(metadata)
                out.append(_write_hx(response_partitions.error_code))
                if response_partitions.unknown_tags:
                    put_tags(out, [], response_partitions.unknown_tags)
            out.append(b"\0")
            if fetch_response_topics.unknown_tags:
                put_tags(out, [], fetch_response_topics.unknown_tags)
        out.append(_write_hx(fetch_response_group.error_code))
        if fetch_response_group.unknown_tags:
            put_tags(out, [], fetch_response_group.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_offset_fetch_response_v0, 1: _get_offset_fetch_response_v0,
    2: _get_offset_fetch_response_v2, 3: _get_offset_fetch_response_v3,
    4: _get_offset_fetch_response_v3, 5: _get_offset_fetch_response_v5,
    6: _get_offset_fetch_response_v6, 7: _get_offset_fetch_response_v6,
    8: _get_offset_fetch_response_v8, 9: _get_offset_fetch_response_v8,
    10: _get_offset_fetch_response_v10,
}
_PUT = {
    0: _put_offset_fetch_response_v0, 1: _put_offset_fetch_response_v0,
    2: _put_offset_fetch_response_v2, 3: _put_offset_fetch_response_v3,
    4: _put_offset_fetch_response_v3, 5: _put_offset_fetch_response_v5,
    6: _put_offset_fetch_response_v6, 7: _put_offset_fetch_response_v6,
    8: _put_offset_fetch_response_v8, 9: _put_offset_fetch_response_v8,
    10: _put_offset_fetch_response_v10,
}


def decode(buf: Buffer, version: int, at: int = 0) -> OffsetFetchResponse:
    """The OffsetFetchResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[OffsetFetchResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: OffsetFetchResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: OffsetFetchResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_OFFSET_FETCH_RESPONSE_PARTITION_SHAPE: Shape = (
    OffsetFetchResponsePartition,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 7), None, None, None, 0, False,
            (6, 10), None,
        ),
        (
            "committedOffset", "committed_offset", "int64", (0, 7), None, None, None, 0, False,
            (6, 10), None,
        ),
        (
            "committedLeaderEpoch", "committed_leader_epoch", "int32", (5, 7), None, None, None, -1,
            True, (6, 10), None,
        ),
        ("metadata", "metadata", "string", (0, 7), (0, 7), None, None, "", False, (6, 10), None),
        ("errorCode", "error_code", "int16", (0, 7), None, None, None, 0, False, (6, 10), None),
    ),
)
_OFFSET_FETCH_RESPONSE_TOPIC_SHAPE: Shape = (
    OffsetFetchResponseTopic,
    (
        ("name", "name", "string", (0, 7), None, None, None, "", False, (6, 10), None),
        (
            "partitions", "partitions", "[]OffsetFetchResponsePartition", (0, 7), None, None, None,
            (), False, (6, 10), _OFFSET_FETCH_RESPONSE_PARTITION_SHAPE,
        ),
    ),
)
_OFFSET_FETCH_RESPONSE_PARTITIONS_SHAPE: Shape = (
    OffsetFetchResponsePartitions,
    (
        (
            "partitionIndex", "partition_index", "int32", (8, 10), None, None, None, 0, False,
            (6, 10), None,
        ),
        (
            "committedOffset", "committed_offset", "int64", (8, 10), None, None, None, 0, False,
            (6, 10), None,
        ),
        (
            "committedLeaderEpoch", "committed_leader_epoch", "int32", (8, 10), None, None, None,
            -1, True, (6, 10), None,
        ),
        ("metadata", "metadata", "string", (8, 10), (8, 10), None, None, "", False, (6, 10), None),
        ("errorCode", "error_code", "int16", (8, 10), None, None, None, 0, False, (6, 10), None),
    ),
)
_OFFSET_FETCH_RESPONSE_TOPICS_SHAPE: Shape = (
    OffsetFetchResponseTopics,
    (
        ("name", "name", "string", (8, 9), None, None, None, "", True, (6, 10), None),
        ("topicId", "topic_id", "uuid", (10, 10), None, None, None, ZERO_UUID, True, (6, 10), None),
        (
            "partitions", "partitions", "[]OffsetFetchResponsePartitions", (8, 10), None, None,
            None, (), False, (6, 10), _OFFSET_FETCH_RESPONSE_PARTITIONS_SHAPE,
        ),
    ),
)
_OFFSET_FETCH_RESPONSE_GROUP_SHAPE: Shape = (
    OffsetFetchResponseGroup,
    (
        ("groupId", "group_id", "string", (8, 10), None, None, None, "", False, (6, 10), None),
        (
            "topics", "topics", "[]OffsetFetchResponseTopics", (8, 10), None, None, None, (), False,
            (6, 10), _OFFSET_FETCH_RESPONSE_TOPICS_SHAPE,
        ),
        ("errorCode", "error_code", "int16", (8, 10), None, None, None, 0, False, (6, 10), None),
    ),
)
_OFFSET_FETCH_RESPONSE_SHAPE: Shape = (
    OffsetFetchResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (3, 10), None, None, None, 0, True,
            (6, 10), None,
        ),
        (
            "topics", "topics", "[]OffsetFetchResponseTopic", (0, 7), None, None, None, (), False,
            (6, 10), _OFFSET_FETCH_RESPONSE_TOPIC_SHAPE,
        ),
        ("errorCode", "error_code", "int16", (2, 7), None, None, None, 0, True, (6, 10), None),
        (
            "groups", "groups", "[]OffsetFetchResponseGroup", (8, 10), None, None, None, (), False,
            (6, 10), _OFFSET_FETCH_RESPONSE_GROUP_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_OFFSET_FETCH_RESPONSE_SHAPE, (0, 10), (6, 10))
