# GENERATED from schemas/list_offsets_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 83f9a1f3478207a8, generator 1.
"""Offsets that were found. Api key 2, versions 0-11, flexible from 6."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head,
    put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 2
NAME: Final = "ListOffsetsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 11
FLEXIBLE_FROM: Final[int | None] = 6


class ListOffsetsPartitionResponse(Message):
    """One result a partition."""

    __slots__ = (
        "partition_index", "error_code", "old_style_offsets", "timestamp", "offset", "leader_epoch",
        "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        # Start offsets of segments, newest first. (v0)
        old_style_offsets: Sequence[int] = (),
        # Timestamp of the record that was found; -1 when there is none. (v1+)
        timestamp: int = -1,
        # Offset that was found; -1 when there is none. (v1+)
        offset: int = -1,
        # Epoch of the record that was found; -1 when unknown. (v4+)
        leader_epoch: int = -1,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.old_style_offsets: Sequence[int] = [] if old_style_offsets == () else old_style_offsets
        self.timestamp = timestamp
        self.offset = offset
        self.leader_epoch = leader_epoch
        self.unknown_tags = unknown_tags


class ListOffsetsTopicResponse(Message):
    """One result a topic."""

    __slots__ = ("name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # One result a partition.
        partitions: Sequence[ListOffsetsPartitionResponse] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partitions: Sequence[ListOffsetsPartitionResponse] = (
            [] if partitions == () else partitions
        )
        self.unknown_tags = unknown_tags


class ListOffsetsResponse(Message):
    """Offsets that were found."""

    __slots__ = ("throttle_time_ms", "topics", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota. (v2+)
        throttle_time_ms: int = 0,
        # One result a topic.
        topics: Sequence[ListOffsetsTopicResponse] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics: Sequence[ListOffsetsTopicResponse] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_array_nq = ArrayReads("q", "", 0)
_read_2i = Struct(">2i").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ih2q = Struct(">ih2q").unpack_from
_read_ih2qi = Struct(">ih2qi").unpack_from
_read_ih2qiB = Struct(">ih2qiB").unpack_from
_read_ihi = Struct(">ihi").unpack_from
_rows_ih2q = Struct(">ih2q").iter_unpack
_rows_ih2qi = Struct(">ih2qi").iter_unpack
_rows_ih2qix = Struct(">ih2qix").iter_unpack
_write_2i = Struct(">2i").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack
_write_ih2q = Struct(">ih2q").pack
_write_ih2qi = Struct(">ih2qi").pack
_write_ih2qix = Struct(">ih2qix").pack
_write_ihi_many_q = ArrayWrites("ihi *q")


def _get_list_offsets_response_v0(buf: bytes, at: int) -> tuple[ListOffsetsResponse, int]:
    m = new(ListOffsetsResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[ListOffsetsTopicResponse] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        offsets_topic_response = new(ListOffsetsTopicResponse)
        topics.append(offsets_topic_response)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        offsets_topic_response.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 10)
        partitions: list[ListOffsetsPartitionResponse] = []
        offsets_topic_response.partitions = partitions
        left_partitions = n
        while left_partitions:
            left_partitions -= 1
            partition_response = new(ListOffsetsPartitionResponse)
            partitions.append(partition_response)
            (
                partition_response.partition_index, partition_response.error_code,
                n_old_style_offsets,
            ) = _read_ihi(buf, at)
            at += 10
            if not 0 <= n_old_style_offsets < 128:
                check_count(buf, at, n_old_style_offsets, 8)
            partition_response.old_style_offsets = [*_read_array_nq[n_old_style_offsets](buf, at)]
            at += 8 * n_old_style_offsets
            partition_response.timestamp = -1
            partition_response.offset = -1
            partition_response.leader_epoch = -1
            partition_response.unknown_tags = ()
        offsets_topic_response.unknown_tags = ()
    m.throttle_time_ms = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_list_offsets_response_v1(buf: bytes, at: int) -> tuple[ListOffsetsResponse, int]:
    m = new(ListOffsetsResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[ListOffsetsTopicResponse] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        offsets_topic_response = new(ListOffsetsTopicResponse)
        topics.append(offsets_topic_response)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        offsets_topic_response.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 22)
        partitions: list[ListOffsetsPartitionResponse] = []
        offsets_topic_response.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 22 * left_partitions
            partitions += map(new, repeat(ListOffsetsPartitionResponse, left_partitions))
            left_partitions = 0
            for partition_response, values in zip(partitions, _rows_ih2q(buf[at:end])):
                (
                    partition_response.partition_index, partition_response.error_code,
                    partition_response.timestamp, partition_response.offset,
                ) = values
                partition_response.old_style_offsets = []
                partition_response.leader_epoch = -1
                partition_response.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            partition_response = new(ListOffsetsPartitionResponse)
            partitions.append(partition_response)
            (
                partition_response.partition_index, partition_response.error_code,
                partition_response.timestamp, partition_response.offset,
            ) = _read_ih2q(buf, at)
            at += 22
            partition_response.old_style_offsets = []
            partition_response.leader_epoch = -1
            partition_response.unknown_tags = ()
        offsets_topic_response.unknown_tags = ()
    m.throttle_time_ms = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_list_offsets_response_v2(buf: bytes, at: int) -> tuple[ListOffsetsResponse, int]:
    m = new(ListOffsetsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[ListOffsetsTopicResponse] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        offsets_topic_response = new(ListOffsetsTopicResponse)
        topics.append(offsets_topic_response)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        offsets_topic_response.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 22)
        partitions: list[ListOffsetsPartitionResponse] = []
        offsets_topic_response.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 22 * left_partitions
            partitions += map(new, repeat(ListOffsetsPartitionResponse, left_partitions))
            left_partitions = 0
            for partition_response, values in zip(partitions, _rows_ih2q(buf[at:end])):
                (
                    partition_response.partition_index, partition_response.error_code,
                    partition_response.timestamp, partition_response.offset,
                ) = values
                partition_response.old_style_offsets = []
                partition_response.leader_epoch = -1
                partition_response.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            partition_response = new(ListOffsetsPartitionResponse)
            partitions.append(partition_response)
            (
                partition_response.partition_index, partition_response.error_code,
                partition_response.timestamp, partition_response.offset,
            ) = _read_ih2q(buf, at)
            at += 22
            partition_response.old_style_offsets = []
            partition_response.leader_epoch = -1
            partition_response.unknown_tags = ()
        offsets_topic_response.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_list_offsets_response_v4(buf: bytes, at: int) -> tuple[ListOffsetsResponse, int]:
    m = new(ListOffsetsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[ListOffsetsTopicResponse] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        offsets_topic_response = new(ListOffsetsTopicResponse)
        topics.append(offsets_topic_response)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        offsets_topic_response.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 26)
        partitions: list[ListOffsetsPartitionResponse] = []
        offsets_topic_response.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 26 * left_partitions
            partitions += map(new, repeat(ListOffsetsPartitionResponse, left_partitions))
            left_partitions = 0
            for partition_response, values in zip(partitions, _rows_ih2qi(buf[at:end])):
                (
                    partition_response.partition_index, partition_response.error_code,
                    partition_response.timestamp, partition_response.offset,
                    partition_response.leader_epoch,
                ) = values
                partition_response.old_style_offsets = []
                partition_response.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            partition_response = new(ListOffsetsPartitionResponse)
            partitions.append(partition_response)
            (
                partition_response.partition_index, partition_response.error_code,
                partition_response.timestamp, partition_response.offset,
                partition_response.leader_epoch,
            ) = _read_ih2qi(buf, at)
            at += 26
            partition_response.old_style_offsets = []
            partition_response.unknown_tags = ()
        offsets_topic_response.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_list_offsets_response_v6(buf: bytes, at: int) -> tuple[ListOffsetsResponse, int]:
    m = new(ListOffsetsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[ListOffsetsTopicResponse] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        offsets_topic_response = new(ListOffsetsTopicResponse)
        topics.append(offsets_topic_response)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        offsets_topic_response.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 27)
        partitions: list[ListOffsetsPartitionResponse] = []
        offsets_topic_response.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 26 : at + 27 * left_partitions : 27] == bytes(left_partitions)
        ):
            end = at + 27 * left_partitions
            partitions += map(new, repeat(ListOffsetsPartitionResponse, left_partitions))
            left_partitions = 0
            for partition_response, values in zip(partitions, _rows_ih2qix(buf[at:end])):
                (
                    partition_response.partition_index, partition_response.error_code,
                    partition_response.timestamp, partition_response.offset,
                    partition_response.leader_epoch,
                ) = values
                partition_response.old_style_offsets = []
                partition_response.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            partition_response = new(ListOffsetsPartitionResponse)
            partitions.append(partition_response)
            (
                partition_response.partition_index, partition_response.error_code,
                partition_response.timestamp, partition_response.offset,
                partition_response.leader_epoch, tags,
            ) = _read_ih2qiB(buf, at)
            at += 27
            partition_response.old_style_offsets = []
            partition_response.unknown_tags = ()
            if tags:
                partition_response.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        offsets_topic_response.unknown_tags = ()
        if tags:
            offsets_topic_response.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_list_offsets_response_v0(out: Parts, m: ListOffsetsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    for offsets_topic_response in topics:
        if offsets_topic_response.unknown_tags:
            refuse_field("unknown_tags")
        name = offsets_topic_response.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = offsets_topic_response.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for partition_response in partitions:
            if partition_response.timestamp != -1:
                refuse_field("timestamp")
            if partition_response.offset != -1:
                refuse_field("offset")
            if partition_response.leader_epoch != -1:
                refuse_field("leader_epoch")
            if partition_response.unknown_tags:
                refuse_field("unknown_tags")
            old_style_offsets = partition_response.old_style_offsets
            n_old_style_offsets = len(old_style_offsets)
            write = _write_ihi_many_q[n_old_style_offsets]
            out.append(write(
                partition_response.partition_index, partition_response.error_code,
                n_old_style_offsets, *old_style_offsets,
            ))


def _put_list_offsets_response_v1(out: Parts, m: ListOffsetsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    for offsets_topic_response in topics:
        if offsets_topic_response.unknown_tags:
            refuse_field("unknown_tags")
        name = offsets_topic_response.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = offsets_topic_response.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for partition_response in partitions:
            if partition_response.old_style_offsets:
                refuse_field("old_style_offsets")
            if partition_response.leader_epoch != -1:
                refuse_field("leader_epoch")
            if partition_response.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_ih2q(
                partition_response.partition_index, partition_response.error_code,
                partition_response.timestamp, partition_response.offset,
            ))


def _put_list_offsets_response_v2(out: Parts, m: ListOffsetsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_2i(m.throttle_time_ms, n))
    for offsets_topic_response in topics:
        if offsets_topic_response.unknown_tags:
            refuse_field("unknown_tags")
        name = offsets_topic_response.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = offsets_topic_response.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for partition_response in partitions:
            if partition_response.old_style_offsets:
                refuse_field("old_style_offsets")
            if partition_response.leader_epoch != -1:
                refuse_field("leader_epoch")
            if partition_response.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_ih2q(
                partition_response.partition_index, partition_response.error_code,
                partition_response.timestamp, partition_response.offset,
            ))


def _put_list_offsets_response_v4(out: Parts, m: ListOffsetsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_2i(m.throttle_time_ms, n))
    for offsets_topic_response in topics:
        if offsets_topic_response.unknown_tags:
            refuse_field("unknown_tags")
        name = offsets_topic_response.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = offsets_topic_response.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for partition_response in partitions:
            if partition_response.old_style_offsets:
                refuse_field("old_style_offsets")
            if partition_response.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_ih2qi(
                partition_response.partition_index, partition_response.error_code,
                partition_response.timestamp, partition_response.offset,
                partition_response.leader_epoch,
            ))


def _put_list_offsets_response_v6(out: Parts, m: ListOffsetsResponse) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for offsets_topic_response in topics:
        name = offsets_topic_response.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partitions = offsets_topic_response.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_response in partitions:
            if partition_response.old_style_offsets:
                refuse_field("old_style_offsets")
            out.append(_write_ih2qix(
                partition_response.partition_index, partition_response.error_code,
                partition_response.timestamp, partition_response.offset,
                partition_response.leader_epoch,
            ))
            if partition_response.unknown_tags:
                put_tags(out, [], partition_response.unknown_tags)
        out.append(b"\0")
        if offsets_topic_response.unknown_tags:
            put_tags(out, [], offsets_topic_response.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_list_offsets_response_v0, 1: _get_list_offsets_response_v1,
    2: _get_list_offsets_response_v2, 3: _get_list_offsets_response_v2,
    4: _get_list_offsets_response_v4, 5: _get_list_offsets_response_v4,
    6: _get_list_offsets_response_v6, 7: _get_list_offsets_response_v6,
    8: _get_list_offsets_response_v6, 9: _get_list_offsets_response_v6,
    10: _get_list_offsets_response_v6, 11: _get_list_offsets_response_v6,
}
_PUT = {
    0: _put_list_offsets_response_v0, 1: _put_list_offsets_response_v1,
    2: _put_list_offsets_response_v2, 3: _put_list_offsets_response_v2,
    4: _put_list_offsets_response_v4, 5: _put_list_offsets_response_v4,
    6: _put_list_offsets_response_v6, 7: _put_list_offsets_response_v6,
    8: _put_list_offsets_response_v6, 9: _put_list_offsets_response_v6,
    10: _put_list_offsets_response_v6, 11: _put_list_offsets_response_v6,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ListOffsetsResponse:
    """The ListOffsetsResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ListOffsetsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ListOffsetsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ListOffsetsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_LIST_OFFSETS_PARTITION_RESPONSE_SHAPE: Shape = (
    ListOffsetsPartitionResponse,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 11), None, None, None, 0, False,
            (6, 11), None,
        ),
        ("errorCode", "error_code", "int16", (0, 11), None, None, None, 0, False, (6, 11), None),
        (
            "oldStyleOffsets", "old_style_offsets", "[]int64", (0, 0), None, None, None, (), False,
            (6, 11), None,
        ),
        ("timestamp", "timestamp", "int64", (1, 11), None, None, None, -1, False, (6, 11), None),
        ("offset", "offset", "int64", (1, 11), None, None, None, -1, False, (6, 11), None),
        (
            "leaderEpoch", "leader_epoch", "int32", (4, 11), None, None, None, -1, False, (6, 11),
            None,
        ),
    ),
)
_LIST_OFFSETS_TOPIC_RESPONSE_SHAPE: Shape = (
    ListOffsetsTopicResponse,
    (
        ("name", "name", "string", (0, 11), None, None, None, "", False, (6, 11), None),
        (
            "partitions", "partitions", "[]ListOffsetsPartitionResponse", (0, 11), None, None, None,
            (), False, (6, 11), _LIST_OFFSETS_PARTITION_RESPONSE_SHAPE,
        ),
    ),
)
_LIST_OFFSETS_RESPONSE_SHAPE: Shape = (
    ListOffsetsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (2, 11), None, None, None, 0, True,
            (6, 11), None,
        ),
        (
            "topics", "topics", "[]ListOffsetsTopicResponse", (0, 11), None, None, None, (), False,
            (6, 11), _LIST_OFFSETS_TOPIC_RESPONSE_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_LIST_OFFSETS_RESPONSE_SHAPE, (0, 11), (6, 11))
