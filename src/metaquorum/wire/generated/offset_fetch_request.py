# GENERATED from schemas/offset_fetch_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 28143e1e42270532, generator 1.
"""Asks how far groups have consumed. Api key 9, versions 0-10, flexible from 6."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head,
    put_tags, refuse_field, refuse_null, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 9
NAME: Final = "OffsetFetchRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 10
FLEXIBLE_FROM: Final[int | None] = 6


class OffsetFetchRequestTopic(Message):
    """Topics whose offsets are asked for; null for all."""

    __slots__ = ("name", "partition_indexes", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v0-7)
        name: str = "",
        # Partitions whose offsets are asked for. (v0-7)
        partition_indexes: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partition_indexes: Sequence[int] = [] if partition_indexes == () else partition_indexes
        self.unknown_tags = unknown_tags


class OffsetFetchRequestTopics(Message):
    """Topics whose offsets are asked for; null for all."""

    __slots__ = ("name", "topic_id", "partition_indexes", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v8-9)
        name: str = "",
        # Id of the topic. (v10+)
        topic_id: bytes = ZERO_UUID,
        # Partitions whose offsets are asked for. (v8+)
        partition_indexes: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partition_indexes: Sequence[int] = [] if partition_indexes == () else partition_indexes
        self.unknown_tags = unknown_tags


class OffsetFetchRequestGroup(Message):
    """Groups whose offsets are asked for."""

    __slots__ = ("group_id", "member_id", "member_epoch", "topics", "unknown_tags")

    def __init__(
        self,
        # Group. (v8+)
        group_id: str = "",
        # Asking member; null when it does not say. (v9+)
        member_id: str | None = None,
        # Epoch of the asking member; -1 when it does not say. (v9+)
        member_epoch: int = -1,
        # Topics whose offsets are asked for; null for all. (v8+)
        topics: Sequence[OffsetFetchRequestTopics] | None = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.topics: Sequence[OffsetFetchRequestTopics] | None = [] if topics == () else topics
        self.unknown_tags = unknown_tags


class OffsetFetchRequest(Message):
    """Asks how far groups have consumed."""

    __slots__ = ("group_id", "topics", "groups", "require_stable", "unknown_tags")

    def __init__(
        self,
        # Group. (v0-7)
        group_id: str = "",
        # Topics whose offsets are asked for; null for all. (v0-7)
        topics: Sequence[OffsetFetchRequestTopic] | None = (),
        # Groups whose offsets are asked for. (v8+)
        groups: Sequence[OffsetFetchRequestGroup] = (),
        # True to be told when offsets of an undecided transaction are pending. (v7+)
        require_stable: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.topics: Sequence[OffsetFetchRequestTopic] | None = [] if topics == () else topics
        self.groups: Sequence[OffsetFetchRequestGroup] = [] if groups == () else groups
        self.require_stable = require_stable
        self.unknown_tags = unknown_tags


_read_array_ni = ArrayReads("i", "", 0)
_read_array_ci_B = ArrayReads("i", "B", 1)
_read_16sB = Struct(">16sB").unpack_from
_read_tB = Struct(">?B").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_tx = Struct(">?x").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack
_write_16sB_many_i_x = ArrayWrites("16sB *i x")
_write_B_many_i_x = ArrayWrites("B *i x")
_write_i_many_i = ArrayWrites("i *i")


def _get_offset_fetch_request_v0(buf: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    m = new(OffsetFetchRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.group_id = buf[at:end].decode()
    at = end
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[OffsetFetchRequestTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        fetch_request_topic = new(OffsetFetchRequestTopic)
        topics.append(fetch_request_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        fetch_request_topic.name = buf[at:end].decode()
        at = end
        (n_partition_indexes,) = _read_i(buf, at)
        at += 4
        if not 0 <= n_partition_indexes < 128:
            check_count(buf, at, n_partition_indexes, 4)
        fetch_request_topic.partition_indexes = [*_read_array_ni[n_partition_indexes](buf, at)]
        at += 4 * n_partition_indexes
        fetch_request_topic.unknown_tags = ()
    m.groups = []
    m.require_stable = False
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_offset_fetch_request_v2(buf: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    m = new(OffsetFetchRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.group_id = buf[at:end].decode()
    at = end
    (n,) = _read_i(buf, at)
    at += 4
    if n < 0:
        m.topics = None
    else:
        if n > 127:
            check_count(buf, at, n, 6)
        topics: list[OffsetFetchRequestTopic] = []
        m.topics = topics
        left_topics = n
        while left_topics:
            left_topics -= 1
            fetch_request_topic = new(OffsetFetchRequestTopic)
            topics.append(fetch_request_topic)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            fetch_request_topic.name = buf[at:end].decode()
            at = end
            (n_partition_indexes,) = _read_i(buf, at)
            at += 4
            if not 0 <= n_partition_indexes < 128:
                check_count(buf, at, n_partition_indexes, 4)
            fetch_request_topic.partition_indexes = [*_read_array_ni[n_partition_indexes](buf, at)]
            at += 4 * n_partition_indexes
            fetch_request_topic.unknown_tags = ()
    m.groups = []
    m.require_stable = False
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_offset_fetch_request_v6(buf: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    m = new(OffsetFetchRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.group_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.topics = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 3)
        topics: list[OffsetFetchRequestTopic] = []
        m.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            fetch_request_topic = new(OffsetFetchRequestTopic)
            topics.append(fetch_request_topic)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            fetch_request_topic.name = buf[at:end].decode()
            at = end
            n_partition_indexes = buf[at]
            at += 1
            if n_partition_indexes > 127:
                n_partition_indexes, at = long_count(buf, at, 4)
            (
                *fetch_request_topic.partition_indexes, tags,
            ) = _read_array_ci_B[n_partition_indexes](buf, at)
            at += 4 * n_partition_indexes - 3
            fetch_request_topic.unknown_tags = ()
            if tags:
                fetch_request_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.groups = []
    m.require_stable = False
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_offset_fetch_request_v7(buf: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    m = new(OffsetFetchRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.group_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.topics = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 3)
        topics: list[OffsetFetchRequestTopic] = []
        m.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            fetch_request_topic = new(OffsetFetchRequestTopic)
            topics.append(fetch_request_topic)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            fetch_request_topic.name = buf[at:end].decode()
            at = end
            n_partition_indexes = buf[at]
            at += 1
            if n_partition_indexes > 127:
                n_partition_indexes, at = long_count(buf, at, 4)
            (
                *fetch_request_topic.partition_indexes, tags,
            ) = _read_array_ci_B[n_partition_indexes](buf, at)
            at += 4 * n_partition_indexes - 3
            fetch_request_topic.unknown_tags = ()
            if tags:
                fetch_request_topic.unknown_tags, at = get_tags(buf, at - 1)
    (m.require_stable, tags) = _read_tB(buf, at)
    at += 2
    m.groups = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_offset_fetch_request_v8(buf: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    m = new(OffsetFetchRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    groups: list[OffsetFetchRequestGroup] = []
    m.groups = groups
    left_groups = n - 1
    while left_groups:
        left_groups -= 1
        fetch_request_group = new(OffsetFetchRequestGroup)
        groups.append(fetch_request_group)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        fetch_request_group.group_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0:
            fetch_request_group.topics = None
        else:
            if n > 127:
                n, at = long_count(buf, at, 3)
            topics: list[OffsetFetchRequestTopics] = []
            fetch_request_group.topics = topics
            left_topics = n - 1
            while left_topics:
                left_topics -= 1
                fetch_request_topics = new(OffsetFetchRequestTopics)
                topics.append(fetch_request_topics)
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                fetch_request_topics.name = buf[at:end].decode()
                at = end
                n_partition_indexes = buf[at]
                at += 1
                if n_partition_indexes > 127:
                    n_partition_indexes, at = long_count(buf, at, 4)
                (
                    *fetch_request_topics.partition_indexes, tags,
                ) = _read_array_ci_B[n_partition_indexes](buf, at)
                at += 4 * n_partition_indexes - 3
                fetch_request_topics.topic_id = ZERO_UUID
                fetch_request_topics.unknown_tags = ()
                if tags:
                    fetch_request_topics.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        fetch_request_group.member_id = None
        fetch_request_group.member_epoch = -1
        fetch_request_group.unknown_tags = ()
        if tags:
            fetch_request_group.unknown_tags, at = get_tags(buf, at - 1)
    (m.require_stable, tags) = _read_tB(buf, at)
    at += 2
    m.group_id = ""
    m.topics = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_offset_fetch_request_v9(buf: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    m = new(OffsetFetchRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 8)
    groups: list[OffsetFetchRequestGroup] = []
    m.groups = groups
    left_groups = n - 1
    while left_groups:
        left_groups -= 1
        fetch_request_group = new(OffsetFetchRequestGroup)
        groups.append(fetch_request_group)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        fetch_request_group.group_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0:
            fetch_request_group.member_id = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            fetch_request_group.member_id = buf[at:end].decode()
            at = end
        (fetch_request_group.member_epoch, n) = _read_iB(buf, at)
        at += 5
        if n == 0:
            fetch_request_group.topics = None
        else:
            if n > 127:
                n, at = long_count(buf, at, 3)
            topics: list[OffsetFetchRequestTopics] = []
            fetch_request_group.topics = topics
            left_topics = n - 1
            while left_topics:
                left_topics -= 1
                fetch_request_topics = new(OffsetFetchRequestTopics)
                topics.append(fetch_request_topics)
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                fetch_request_topics.name = buf[at:end].decode()
                at = end
                n_partition_indexes = buf[at]
                at += 1
                if n_partition_indexes > 127:
                    n_partition_indexes, at = long_count(buf, at, 4)
                (
                    *fetch_request_topics.partition_indexes, tags,
                ) = _read_array_ci_B[n_partition_indexes](buf, at)
                at += 4 * n_partition_indexes - 3
                fetch_request_topics.topic_id = ZERO_UUID
                fetch_request_topics.unknown_tags = ()
                if tags:
                    fetch_request_topics.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        fetch_request_group.unknown_tags = ()
        if tags:
            fetch_request_group.unknown_tags, at = get_tags(buf, at - 1)
    (m.require_stable, tags) = _read_tB(buf, at)
    at += 2
    m.group_id = ""
    m.topics = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_offset_fetch_request_v10(buf: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    m = new(OffsetFetchRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 8)
    groups: list[OffsetFetchRequestGroup] = []
    m.groups = groups
    left_groups = n - 1
    while left_groups:
        left_groups -= 1
        fetch_request_group = new(OffsetFetchRequestGroup)
        groups.append(fetch_request_group)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        fetch_request_group.group_id = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0:
            fetch_request_group.member_id = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            fetch_request_group.member_id = buf[at:end].decode()
            at = end
        (fetch_request_group.member_epoch, n) = _read_iB(buf, at)
        at += 5
        if n == 0:
            fetch_request_group.topics = None
        else:
            if n > 127:
                n, at = long_count(buf, at, 18)
            topics: list[OffsetFetchRequestTopics] = []
            fetch_request_group.topics = topics
            left_topics = n - 1
            while left_topics:
                left_topics -= 1
                fetch_request_topics = new(OffsetFetchRequestTopics)
                topics.append(fetch_request_topics)
                (fetch_request_topics.topic_id, n_partition_indexes) = _read_16sB(buf, at)
                at += 17
                if n_partition_indexes > 127:
                    n_partition_indexes, at = long_count(buf, at, 4)
                (
                    *fetch_request_topics.partition_indexes, tags,
                ) = _read_array_ci_B[n_partition_indexes](buf, at)
                at += 4 * n_partition_indexes - 3
                fetch_request_topics.name = ""
                fetch_request_topics.unknown_tags = ()
                if tags:
                    fetch_request_topics.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        fetch_request_group.unknown_tags = ()
        if tags:
            fetch_request_group.unknown_tags, at = get_tags(buf, at - 1)
    (m.require_stable, tags) = _read_tB(buf, at)
    at += 2
    m.group_id = ""
    m.topics = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_offset_fetch_request_v0(out: Parts, m: OffsetFetchRequest) -> None:
    if m.groups:
        refuse_field("groups")
    if m.require_stable:
        refuse_field("require_stable")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    group_id = m.group_id.encode()
    n = len(group_id)
    out.append(_write_h(n))
    out.append(group_id)
    topics = m.topics
    if topics is None:
        refuse_null("topics")
    n = len(topics)
    out.append(_write_i(n))
    for fetch_request_topic in topics:
        if fetch_request_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = fetch_request_topic.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partition_indexes = fetch_request_topic.partition_indexes
        n_partition_indexes = len(partition_indexes)
        write = _write_i_many_i[n_partition_indexes]
        out.append(write(n_partition_indexes, *partition_indexes))


def _put_offset_fetch_request_v2(out: Parts, m: OffsetFetchRequest) -> None:
    if m.groups:
        refuse_field("groups")
    if m.require_stable:
        refuse_field("require_stable")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    group_id = m.group_id.encode()
    n = len(group_id)
    out.append(_write_h(n))
    out.append(group_id)
    topics = m.topics
    n = -1 if topics is None else len(topics)
    out.append(_write_i(n))
    if topics is not None:
        for fetch_request_topic in topics:
            if fetch_request_topic.unknown_tags:
                refuse_field("unknown_tags")
            name = fetch_request_topic.name.encode()
            n = len(name)
            out.append(_write_h(n))
            out.append(name)
            partition_indexes = fetch_request_topic.partition_indexes
            n_partition_indexes = len(partition_indexes)
            write = _write_i_many_i[n_partition_indexes]
            out.append(write(n_partition_indexes, *partition_indexes))


def _put_offset_fetch_request_v6(out: Parts, m: OffsetFetchRequest) -> None:
    if m.groups:
        refuse_field("groups")
    if m.require_stable:
        refuse_field("require_stable")
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    topics = m.topics
    n = 0 if topics is None else len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if topics is not None:
        for fetch_request_topic in topics:
            name = fetch_request_topic.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            partition_indexes = fetch_request_topic.partition_indexes
            n_partition_indexes = len(partition_indexes)
            write = _write_B_many_i_x[n_partition_indexes]
            out.append(write(n_partition_indexes + 1, *partition_indexes))
            if fetch_request_topic.unknown_tags:
                put_tags(out, [], fetch_request_topic.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_offset_fetch_request_v7(out: Parts, m: OffsetFetchRequest) -> None:
    if m.groups:
        refuse_field("groups")
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    topics = m.topics
    n = 0 if topics is None else len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if topics is not None:
        for fetch_request_topic in topics:
            name = fetch_request_topic.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            partition_indexes = fetch_request_topic.partition_indexes
            n_partition_indexes = len(partition_indexes)
            write = _write_B_many_i_x[n_partition_indexes]
            out.append(write(n_partition_indexes + 1, *partition_indexes))
            if fetch_request_topic.unknown_tags:
                put_tags(out, [], fetch_request_topic.unknown_tags)
    out.append(_write_tx(m.require_stable))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_offset_fetch_request_v8(out: Parts, m: OffsetFetchRequest) -> None:
    if m.group_id != "":
        refuse_field("group_id")
    if m.topics is None or len(m.topics):
        refuse_field("topics")
    groups = m.groups
    n = len(groups) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for fetch_request_group in groups:
        group_id = fetch_request_group.group_id.encode()
        n = len(group_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_id)
        topics = fetch_request_group.topics
        n = 0 if topics is None else len(topics) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        if topics is not None:
            for fetch_request_topics in topics:
                name = fetch_request_topics.name.encode()
                n = len(name) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(name)
                partition_indexes = fetch_request_topics.partition_indexes
                n_partition_indexes = len(partition_indexes)
                write = _write_B_many_i_x[n_partition_indexes]
                out.append(write(n_partition_indexes + 1, *partition_indexes))
                if fetch_request_topics.unknown_tags:
                    put_tags(out, [], fetch_request_topics.unknown_tags)
        out.append(b"\0")
        if fetch_request_group.unknown_tags:
            put_tags(out, [], fetch_request_group.unknown_tags)
    out.append(_write_tx(m.require_stable))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_offset_fetch_request_v9(out: Parts, m: OffsetFetchRequest) -> None:
    if m.group_id != "":
        refuse_field("group_id")
    if m.topics is None or len(m.topics):
        refuse_field("topics")
    groups = m.groups
    n = len(groups) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for fetch_request_group in groups:
        group_id = fetch_request_group.group_id.encode()
        n = len(group_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_id)
        member_id = (
            b"" if fetch_request_group.member_id is None else fetch_request_group.member_id.encode()
        )
        n = 0 if fetch_request_group.member_id is None else len(member_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(member_id)
        topics = fetch_request_group.topics
        n = 0 if topics is None else len(topics) + 1
        out.append(_write_iB(fetch_request_group.member_epoch, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        if topics is not None:
            for fetch_request_topics in topics:
                name = fetch_request_topics.name.encode()
                n = len(name) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(name)
                partition_indexes = fetch_request_topics.partition_indexes
                n_partition_indexes = len(partition_indexes)
                write = _write_B_many_i_x[n_partition_indexes]
                out.append(write(n_partition_indexes + 1, *partition_indexes))
                if fetch_request_topics.unknown_tags:
                    put_tags(out, [], fetch_request_topics.unknown_tags)
        out.append(b"\0")
        if fetch_request_group.unknown_tags:
            put_tags(out, [], fetch_request_group.unknown_tags)
    out.append(_write_tx(m.require_stable))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_offset_fetch_request_v10(out: Parts, m: OffsetFetchRequest) -> None:
    if m.group_id != "":
        refuse_field("group_id")
    if m.topics is None or len(m.topics):
        refuse_field("topics")
    groups = m.groups
    n = len(groups) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for fetch_request_group in groups:
        group_id = fetch_request_group.group_id.encode()
        n = len(group_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(group_id)
        member_id = (
            b"" if fetch_request_group.member_id is None else fetch_request_group.member_id.encode()
        )
        n = 0 if fetch_request_group.member_id is None else len(member_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(member_id)
        topics = fetch_request_group.topics
        n = 0 if topics is None else len(topics) + 1
        out.append(_write_iB(fetch_request_group.member_epoch, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        if topics is not None:
            for fetch_request_topics in topics:
                if len(fetch_request_topics.topic_id) != 16:
                    refuse_uuid("topic_id")
                partition_indexes = fetch_request_topics.partition_indexes
                n_partition_indexes = len(partition_indexes)
                write = _write_16sB_many_i_x[n_partition_indexes]
                out.append(write(
                    fetch_request_topics.topic_id, n_partition_indexes + 1, *partition_indexes,
                ))
                if fetch_request_topics.unknown_tags:
                    put_tags(out, [], fetch_request_topics.unknown_tags)
        out.append(b"\0")
        if fetch_request_group.unknown_tags:
            put_tags(out, [], fetch_request_group.unknown_tags)
    out.append(_write_tx(m.require_stable))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_offset_fetch_request_v0, 1: _get_offset_fetch_request_v0,
    2: _get_offset_fetch_request_v2, 3: _get_offset_fetch_request_v2,
    4: _get_offset_fetch_request_v2, 5: _get_offset_fetch_request_v2,
    6: _get_offset_fetch_request_v6, 7: _get_offset_fetch_request_v7,
    8: _get_offset_fetch_request_v8, 9: _get_offset_fetch_request_v9,
    10: _get_offset_fetch_request_v10,
}
_PUT = {
    0: _put_offset_fetch_request_v0, 1: _put_offset_fetch_request_v0,
    2: _put_offset_fetch_request_v2, 3: _put_offset_fetch_request_v2,
    4: _put_offset_fetch_request_v2, 5: _put_offset_fetch_request_v2,
    6: _put_offset_fetch_request_v6, 7: _put_offset_fetch_request_v7,
    8: _put_offset_fetch_request_v8, 9: _put_offset_fetch_request_v9,
    10: _put_offset_fetch_request_v10,
}


def decode(buf: Buffer, version: int, at: int = 0) -> OffsetFetchRequest:
    """The OffsetFetchRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[OffsetFetchRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: OffsetFetchRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: OffsetFetchRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_OFFSET_FETCH_REQUEST_TOPIC_SHAPE: Shape = (
    OffsetFetchRequestTopic,
    (
        ("name", "name", "string", (0, 7), None, None, None, "", False, (6, 10), None),
        (
            "partitionIndexes", "partition_indexes", "[]int32", (0, 7), None, None, None, (), False,
            (6, 10), None,
        ),
    ),
)
_OFFSET_FETCH_REQUEST_TOPICS_SHAPE: Shape = (
    OffsetFetchRequestTopics,
    (
        ("name", "name", "string", (8, 9), None, None, None, "", True, (6, 10), None),
        ("topicId", "topic_id", "uuid", (10, 10), None, None, None, ZERO_UUID, True, (6, 10), None),
        (
            "partitionIndexes", "partition_indexes", "[]int32", (8, 10), None, None, None, (),
            False, (6, 10), None,
        ),
    ),
)
_OFFSET_FETCH_REQUEST_GROUP_SHAPE: Shape = (
    OffsetFetchRequestGroup,
    (
        ("groupId", "group_id", "string", (8, 10), None, None, None, "", False, (6, 10), None),
        (
            "memberId", "member_id", "string", (9, 10), (9, 10), None, None, None, True, (6, 10),
            None,
        ),
        (
            "memberEpoch", "member_epoch", "int32", (9, 10), None, None, None, -1, True, (6, 10),
            None,
        ),
        (
            "topics", "topics", "[]OffsetFetchRequestTopics", (8, 10), (8, 10), None, None, (),
            False, (6, 10), _OFFSET_FETCH_REQUEST_TOPICS_SHAPE,
        ),
    ),
)
_OFFSET_FETCH_REQUEST_SHAPE: Shape = (
    OffsetFetchRequest,
    (
        ("groupId", "group_id", "string", (0, 7), None, None, None, "", False, (6, 10), None),
        (
            "topics", "topics", "[]OffsetFetchRequestTopic", (0, 7), (2, 7), None, None, (), False,
            (6, 10), _OFFSET_FETCH_REQUEST_TOPIC_SHAPE,
        ),
        (
            "groups", "groups", "[]OffsetFetchRequestGroup", (8, 10), None, None, None, (), False,
            (6, 10), _OFFSET_FETCH_REQUEST_GROUP_SHAPE,
        ),
        (
            "requireStable", "require_stable", "bool", (7, 10), None, None, None, False, False,
            (6, 10), None,
        ),
    ),
)
SHAPE: Shape = (_OFFSET_FETCH_REQUEST_SHAPE, (0, 10), (6, 10))
