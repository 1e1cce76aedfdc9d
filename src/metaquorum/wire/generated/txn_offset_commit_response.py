# GENERATED from schemas/txn_offset_commit_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 17adde5afd3eb51b, generator 1.
"""Says for each partition whether its offset is part of the transaction. Api key 28, versions 0-6,
flexible from 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head,
    put_tags, refuse_field, refuse_null, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 28
NAME: Final = "TxnOffsetCommitResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 6
FLEXIBLE_FROM: Final[int | None] = 3


class TxnOffsetCommitResponsePartition(Message):
    """One result a partition."""

    __slots__ = ("partition_index", "error_code", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.unknown_tags = unknown_tags


class TxnOffsetCommitResponseTopic(Message):
    """One result a topic."""

    __slots__ = ("name", "topic_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v0-5)
        name: str = "",
        # Id of the topic. (v6+)
        topic_id: bytes = ZERO_UUID,
        # One result a partition.
        partitions: Sequence[TxnOffsetCommitResponsePartition] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partitions: Sequence[TxnOffsetCommitResponsePartition] = (
            [] if partitions == () else partitions
        )
        self.unknown_tags = unknown_tags


class TxnOffsetCommitResponse(Message):
    """Says for each partition whether its offset is part of the transaction."""

    __slots__ = ("throttle_time_ms", "topics", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # One result a topic.
        topics: Sequence[TxnOffsetCommitResponseTopic] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics: Sequence[TxnOffsetCommitResponseTopic] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_2i = Struct(">2i").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ih = Struct(">ih").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_rows_ih = Struct(">ih").iter_unpack
_rows_ihx = Struct(">ihx").iter_unpack
_write_16sB = Struct(">16sB").pack
_write_2i = Struct(">2i").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack
_write_ih = Struct(">ih").pack
_write_ihx = Struct(">ihx").pack


def _get_txn_offset_commit_response_v0(buf: bytes, at: int) -> tuple[TxnOffsetCommitResponse, int]:
    m = new(TxnOffsetCommitResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[TxnOffsetCommitResponseTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        commit_response_topic = new(TxnOffsetCommitResponseTopic)
        topics.append(commit_response_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        commit_response_topic.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 6)
        partitions: list[TxnOffsetCommitResponsePartition] = []
        commit_response_topic.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 6 * left_partitions
            partitions += map(new, repeat(TxnOffsetCommitResponsePartition, left_partitions))
            left_partitions = 0
            for response_partition, values in zip(partitions, _rows_ih(buf[at:end])):
                (response_partition.partition_index, response_partition.error_code) = values
                response_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            response_partition = new(TxnOffsetCommitResponsePartition)
            partitions.append(response_partition)
            (response_partition.partition_index, response_partition.error_code) = _read_ih(buf, at)
            at += 6
            response_partition.unknown_tags = ()
        commit_response_topic.topic_id = ZERO_UUID
        commit_response_topic.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_txn_offset_commit_response_v3(buf: bytes, at: int) -> tuple[TxnOffsetCommitResponse, int]:
    m = new(TxnOffsetCommitResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[TxnOffsetCommitResponseTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        commit_response_topic = new(TxnOffsetCommitResponseTopic)
        topics.append(commit_response_topic)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        commit_response_topic.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 7)
        partitions: list[TxnOffsetCommitResponsePartition] = []
        commit_response_topic.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 6 : at + 7 * left_partitions : 7] == bytes(left_partitions)
        ):
            end = at + 7 * left_partitions
            partitions += map(new, repeat(TxnOffsetCommitResponsePartition, left_partitions))
            left_partitions = 0
            for response_partition, values in zip(partitions, _rows_ihx(buf[at:end])):
                (response_partition.partition_index, response_partition.error_code) = values
                response_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            response_partition = new(TxnOffsetCommitResponsePartition)
            partitions.append(response_partition)
            (
                response_partition.partition_index, response_partition.error_code, tags,
            ) = _read_ihB(buf, at)
            at += 7
            response_partition.unknown_tags = ()
            if tags:
                response_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        commit_response_topic.topic_id = ZERO_UUID
        commit_response_topic.unknown_tags = ()
        if tags:
            commit_response_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_txn_offset_commit_response_v6(buf: bytes, at: int) -> tuple[TxnOffsetCommitResponse, int]:
    m = new(TxnOffsetCommitResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    topics: list[TxnOffsetCommitResponseTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        commit_response_topic = new(TxnOffsetCommitResponseTopic)
        topics.append(commit_response_topic)
        (commit_response_topic.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 7)
        partitions: list[TxnOffsetCommitResponsePartition] = []
        commit_response_topic.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 6 : at + 7 * left_partitions : 7] == bytes(left_partitions)
        ):
            end = at + 7 * left_partitions
            partitions += map(new, repeat(TxnOffsetCommitResponsePartition, left_partitions))
            left_partitions = 0
            for response_partition, values in zip(partitions, _rows_ihx(buf[at:end])):
                (response_partition.partition_index, response_partition.error_code) = values
                response_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            response_partition = new(TxnOffsetCommitResponsePartition)
            partitions.append(response_partition)
            (
                response_partition.partition_index, response_partition.error_code, tags,
            ) = _read_ihB(buf, at)
            at += 7
            response_partition.unknown_tags = ()
            if tags:
                response_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        commit_response_topic.name = ""
        commit_response_topic.unknown_tags = ()
        if tags:
            commit_response_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_txn_offset_commit_response_v0(out: Parts, m: TxnOffsetCommitResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_2i(m.throttle_time_ms, n))
    for commit_response_topic in topics:
        if commit_response_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = commit_response_topic.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = commit_response_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for response_partition in partitions:
            if response_partition.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_ih(response_partition.partition_index, response_partition.error_code))


def _put_txn_offset_commit_response_v3(out: Parts, m: TxnOffsetCommitResponse) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for commit_response_topic in topics:
        name = commit_response_topic.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partitions = commit_response_topic.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for response_partition in partitions:
            out.append(_write_ihx(
                response_partition.partition_index, response_partition.error_code,
            ))
            if response_partition.unknown_tags:
                put_tags(out, [], response_partition.unknown_tags)
        out.append(b"\0")
        if commit_response_topic.unknown_tags:
            put_tags(out, [], commit_response_topic.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_txn_offset_commit_response_v6(out: Parts, m: TxnOffsetCommitResponse) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for commit_response_topic in topics:
        if len(commit_response_topic.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = commit_response_topic.partitions
        n = len(partitions) + 1
        out.append(_write_16sB(commit_response_topic.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for response_partition in partitions:
            out.append(_write_ihx(
                response_partition.partition_index, response_partition.error_code,
            ))
            if response_partition.unknown_tags:
                put_tags(out, [], response_partition.unknown_tags)
        out.append(b"\0")
        if commit_response_topic.unknown_tags:
            put_tags(out, [], commit_response_topic.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_txn_offset_commit_response_v0, 1: _get_txn_offset_commit_response_v0,
    2: _get_txn_offset_commit_response_v0, 3: _get_txn_offset_commit_response_v3,
    4: _get_txn_offset_commit_response_v3, 5: _get_txn_offset_commit_response_v3,
    6: _get_txn_offset_commit_response_v6,
}
_PUT = {
    0: _put_txn_offset_commit_response_v0, 1: _put_txn_offset_commit_response_v0,
    2: _put_txn_offset_commit_response_v0, 3: _put_txn_offset_commit_response_v3,
    4: _put_txn_offset_commit_response_v3, 5: _put_txn_offset_commit_response_v3,
    6: _put_txn_offset_commit_response_v6,
}


def decode(buf: Buffer, version: int, at: int = 0) -> TxnOffsetCommitResponse:
    """The TxnOffsetCommitResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[TxnOffsetCommitResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: TxnOffsetCommitResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: TxnOffsetCommitResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_TXN_OFFSET_COMMIT_RESPONSE_PARTITION_SHAPE: Shape = (
    TxnOffsetCommitResponsePartition,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 6), None, None, None, 0, False,
            (3, 6), None,
        ),
        ("errorCode", "error_code", "int16", (0, 6), None, None, None, 0, False, (3, 6), None),
    ),
)
_TXN_OFFSET_COMMIT_RESPONSE_TOPIC_SHAPE: Shape = (
    TxnOffsetCommitResponseTopic,
    (
        ("name", "name", "string", (0, 5), None, None, None, "", True, (3, 6), None),
        ("topicId", "topic_id", "uuid", (6, 6), None, None, None, ZERO_UUID, True, (3, 6), None),
        (
            "partitions", "partitions", "[]TxnOffsetCommitResponsePartition", (0, 6), None, None,
            None, (), False, (3, 6), _TXN_OFFSET_COMMIT_RESPONSE_PARTITION_SHAPE,
        ),
    ),
)
_TXN_OFFSET_COMMIT_RESPONSE_SHAPE: Shape = (
    TxnOffsetCommitResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 6), None, None, None, 0, False,
            (3, 6), None,
        ),
        (
            "topics", "topics", "[]TxnOffsetCommitResponseTopic", (0, 6), None, None, None, (),
            False, (3, 6), _TXN_OFFSET_COMMIT_RESPONSE_TOPIC_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_TXN_OFFSET_COMMIT_RESPONSE_SHAPE, (0, 6), (3, 6))
