# GENERATED from schemas/offset_for_leader_epoch_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 6de0b40448a6aa3d, generator 1.
"""Where leader epochs end. Api key 23, versions 0-4, flexible from 4."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head,
    put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 23
NAME: Final = "OffsetForLeaderEpochResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 4
FLEXIBLE_FROM: Final[int | None] = 4


class EpochEndOffset(Message):
    """One result a partition."""

    __slots__ = ("error_code", "partition", "leader_epoch", "end_offset", "unknown_tags")

    def __init__(
        self,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        # Index of the partition.
        partition: int = 0,
        # Largest epoch at or below the asked one that has records; -1 when none. (v1+)
        leader_epoch: int = -1,
        # Offset after the last record of that epoch; -1 when unknown.
        end_offset: int = -1,
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.partition = partition
        self.leader_epoch = leader_epoch
        self.end_offset = end_offset
        self.unknown_tags = unknown_tags


class OffsetForLeaderTopicResult(Message):
    """One result a topic."""

    __slots__ = ("topic", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic: str = "",
        # One result a partition.
        partitions: Sequence[EpochEndOffset] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic = topic
        self.partitions: Sequence[EpochEndOffset] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class OffsetForLeaderEpochResponse(Message):
    """Where leader epochs end."""

    __slots__ = ("throttle_time_ms", "topics", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota. (v2+)
        throttle_time_ms: int = 0,
        # One result a topic.
        topics: Sequence[OffsetForLeaderTopicResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics: Sequence[OffsetForLeaderTopicResult] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_2i = Struct(">2i").unpack_from
_read_h = Struct(">h").unpack_from
_read_h2iq = Struct(">h2iq").unpack_from
_read_h2iqB = Struct(">h2iqB").unpack_from
_read_hiq = Struct(">hiq").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_rows_h2iq = Struct(">h2iq").iter_unpack
_rows_h2iqx = Struct(">h2iqx").iter_unpack
_rows_hiq = Struct(">hiq").iter_unpack
_write_2i = Struct(">2i").pack
_write_h = Struct(">h").pack
_write_h2iq = Struct(">h2iq").pack
_write_h2iqx = Struct(">h2iqx").pack
_write_hiq = Struct(">hiq").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack


def _get_offset_for_leader_epoch_response_v0(
    buf: bytes, at: int,
) -> tuple[OffsetForLeaderEpochResponse, int]:
    m = new(OffsetForLeaderEpochResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[OffsetForLeaderTopicResult] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        leader_topic_result = new(OffsetForLeaderTopicResult)
        topics.append(leader_topic_result)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        leader_topic_result.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 14)
        partitions: list[EpochEndOffset] = []
        leader_topic_result.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 14 * left_partitions
            partitions += map(new, repeat(EpochEndOffset, left_partitions))
            left_partitions = 0
            for epoch_end_offset, values in zip(partitions, _rows_hiq(buf[at:end])):
                (
                    epoch_end_offset.error_code, epoch_end_offset.partition,
                    epoch_end_offset.end_offset,
                ) = values
                epoch_end_offset.leader_epoch = -1
                epoch_end_offset.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            epoch_end_offset = new(EpochEndOffset)
            partitions.append(epoch_end_offset)
            (
                epoch_end_offset.error_code, epoch_end_offset.partition,
                epoch_end_offset.end_offset,
            ) = _read_hiq(buf, at)
            at += 14
            epoch_end_offset.leader_epoch = -1
            epoch_end_offset.unknown_tags = ()
        leader_topic_result.unknown_tags = ()
    m.throttle_time_ms = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_offset_for_leader_epoch_response_v1(
    buf: bytes, at: int,
) -> tuple[OffsetForLeaderEpochResponse, int]:
    m = new(OffsetForLeaderEpochResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[OffsetForLeaderTopicResult] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        leader_topic_result = new(OffsetForLeaderTopicResult)
        topics.append(leader_topic_result)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        leader_topic_result.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 18)
        partitions: list[EpochEndOffset] = []
        leader_topic_result.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 18 * left_partitions
            partitions += map(new, repeat(EpochEndOffset, left_partitions))
            left_partitions = 0
            for epoch_end_offset, values in zip(partitions, _rows_h2iq(buf[at:end])):
                (
                    epoch_end_offset.error_code, epoch_end_offset.partition,
                    epoch_end_offset.leader_epoch, epoch_end_offset.end_offset,
                ) = values
                epoch_end_offset.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            epoch_end_offset = new(EpochEndOffset)
            partitions.append(epoch_end_offset)
            (
                epoch_end_offset.error_code, epoch_end_offset.partition,
                epoch_end_offset.leader_epoch, epoch_end_offset.end_offset,
            ) = _read_h2iq(buf, at)
            at += 18
            epoch_end_offset.unknown_tags = ()
        leader_topic_result.unknown_tags = ()
    m.throttle_time_ms = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_offset_for_leader_epoch_response_v2(
    buf: bytes, at: int,
) -> tuple[OffsetForLeaderEpochResponse, int]:
    m = new(OffsetForLeaderEpochResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[OffsetForLeaderTopicResult] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        leader_topic_result = new(OffsetForLeaderTopicResult)
        topics.append(leader_topic_result)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        leader_topic_result.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 18)
        partitions: list[EpochEndOffset] = []
        leader_topic_result.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 18 * left_partitions
            partitions += map(new, repeat(EpochEndOffset, left_partitions))
            left_partitions = 0
            for epoch_end_offset, values in zip(partitions, _rows_h2iq(buf[at:end])):
                (
                    epoch_end_offset.error_code, epoch_end_offset.partition,
                    epoch_end_offset.leader_epoch, epoch_end_offset.end_offset,
                ) = values
                epoch_end_offset.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            epoch_end_offset = new(EpochEndOffset)
            partitions.append(epoch_end_offset)
            (
                epoch_end_offset.error_code, epoch_end_offset.partition,
                epoch_end_offset.leader_epoch, epoch_end_offset.end_offset,
            ) = _read_h2iq(buf, at)
            at += 18
            epoch_end_offset.unknown_tags = ()
        leader_topic_result.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_offset_for_leader_epoch_response_v4(
    buf: bytes, at: int,
) -> tuple[OffsetForLeaderEpochResponse, int]:
    m = new(OffsetForLeaderEpochResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[OffsetForLeaderTopicResult] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        leader_topic_result = new(OffsetForLeaderTopicResult)
        topics.append(leader_topic_result)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        leader_topic_result.topic = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 19)
        partitions: list[EpochEndOffset] = []
        leader_topic_result.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 18 : at + 19 * left_partitions : 19] == bytes(left_partitions)
        ):
            end = at + 19 * left_partitions
            partitions += map(new, repeat(EpochEndOffset, left_partitions))
            left_partitions = 0
            for epoch_end_offset, values in zip(partitions, _rows_h2iqx(buf[at:end])):
                (
                    epoch_end_offset.error_code, epoch_end_offset.partition,
                    epoch_end_offset.leader_epoch, epoch_end_offset.end_offset,
                ) = values
                epoch_end_offset.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            epoch_end_offset = new(EpochEndOffset)
            partitions.append(epoch_end_offset)
            (
                epoch_end_offset.error_code, epoch_end_offset.partition,
                epoch_end_offset.leader_epoch, epoch_end_offset.end_offset, tags,
            ) = _read_h2iqB(buf, at)
            at += 19
            epoch_end_offset.unknown_tags = ()
            if tags:
                epoch_end_offset.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        leader_topic_result.unknown_tags = ()
        if tags:
            leader_topic_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_offset_for_leader_epoch_response_v0(out: Parts, m: OffsetForLeaderEpochResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    for leader_topic_result in topics:
        if leader_topic_result.unknown_tags:
            refuse_field("unknown_tags")
        topic = leader_topic_result.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = leader_topic_result.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for epoch_end_offset in partitions:
            if epoch_end_offset.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_hiq(
                epoch_end_offset.error_code, epoch_end_offset.partition,
                epoch_end_offset.end_offset,
            ))


def _put_offset_for_leader_epoch_response_v1(out: Parts, m: OffsetForLeaderEpochResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    for leader_topic_result in topics:
        if leader_topic_result.unknown_tags:
            refuse_field("unknown_tags")
        topic = leader_topic_result.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = leader_topic_result.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for epoch_end_offset in partitions:
            if epoch_end_offset.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_h2iq(
                epoch_end_offset.error_code, epoch_end_offset.partition,
                epoch_end_offset.leader_epoch, epoch_end_offset.end_offset,
            ))


def _put_offset_for_leader_epoch_response_v2(out: Parts, m: OffsetForLeaderEpochResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_2i(m.throttle_time_ms, n))
    for leader_topic_result in topics:
        if leader_topic_result.unknown_tags:
            refuse_field("unknown_tags")
        topic = leader_topic_result.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = leader_topic_result.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for epoch_end_offset in partitions:
            if epoch_end_offset.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_h2iq(
                epoch_end_offset.error_code, epoch_end_offset.partition,
                epoch_end_offset.leader_epoch, epoch_end_offset.end_offset,
            ))


def _put_offset_for_leader_epoch_response_v4(out: Parts, m: OffsetForLeaderEpochResponse) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for leader_topic_result in topics:
        topic = leader_topic_result.topic.encode()
        n = len(topic) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic)
        partitions = leader_topic_result.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for epoch_end_offset in partitions:
            out.append(_write_h2iqx(
                epoch_end_offset.error_code, epoch_end_offset.partition,
                epoch_end_offset.leader_epoch, epoch_end_offset.end_offset,
            ))
            if epoch_end_offset.unknown_tags:
                put_tags(out, [], epoch_end_offset.unknown_tags)
        out.append(b"\0")
        if leader_topic_result.unknown_tags:
            put_tags(out, [], leader_topic_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_offset_for_leader_epoch_response_v0, 1: _get_offset_for_leader_epoch_response_v1,
    2: _get_offset_for_leader_epoch_response_v2, 3: _get_offset_for_leader_epoch_response_v2,
    4: _get_offset_for_leader_epoch_response_v4,
}
_PUT = {
    0: _put_offset_for_leader_epoch_response_v0, 1: _put_offset_for_leader_epoch_response_v1,
    2: _put_offset_for_leader_epoch_response_v2, 3: _put_offset_for_leader_epoch_response_v2,
    4: _put_offset_for_leader_epoch_response_v4,
}


def decode(buf: Buffer, version: int, at: int = 0) -> OffsetForLeaderEpochResponse:
    """The OffsetForLeaderEpochResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[OffsetForLeaderEpochResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: OffsetForLeaderEpochResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: OffsetForLeaderEpochResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_EPOCH_END_OFFSET_SHAPE: Shape = (
    EpochEndOffset,
    (
        ("errorCode", "error_code", "int16", (0, 4), None, None, None, 0, False, (4, 4), None),
        ("partition", "partition", "int32", (0, 4), None, None, None, 0, False, (4, 4), None),
        ("leaderEpoch", "leader_epoch", "int32", (1, 4), None, None, None, -1, True, (4, 4), None),
        ("endOffset", "end_offset", "int64", (0, 4), None, None, None, -1, False, (4, 4), None),
    ),
)
_OFFSET_FOR_LEADER_TOPIC_RESULT_SHAPE: Shape = (
    OffsetForLeaderTopicResult,
    (
        ("topic", "topic", "string", (0, 4), None, None, None, "", False, (4, 4), None),
        (
            "partitions", "partitions", "[]EpochEndOffset", (0, 4), None, None, None, (), False,
            (4, 4), _EPOCH_END_OFFSET_SHAPE,
        ),
    ),
)
_OFFSET_FOR_LEADER_EPOCH_RESPONSE_SHAPE: Shape = (
    OffsetForLeaderEpochResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (2, 4), None, None, None, 0, True,
            (4, 4), None,
        ),
        (
            "topics", "topics", "[]OffsetForLeaderTopicResult", (0, 4), None, None, None, (), False,
            (4, 4), _OFFSET_FOR_LEADER_TOPIC_RESULT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_OFFSET_FOR_LEADER_EPOCH_RESPONSE_SHAPE, (0, 4), (4, 4))
