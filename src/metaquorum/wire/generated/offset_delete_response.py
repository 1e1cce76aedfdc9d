# GENERATED from schemas/offset_delete_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 d652da610683ff3a, generator 1.
"""Says for each partition whether its offset was deleted. Api key 47, versions 0, never flexible.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, check_count, decode_failure, encode_failure,
    joined, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 47
NAME: Final = "OffsetDeleteResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = None


class OffsetDeleteResponsePartition(Message):
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


class OffsetDeleteResponseTopic(Message):
    """One result a topic."""

    __slots__ = ("name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # One result a partition.
        partitions: Sequence[OffsetDeleteResponsePartition] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partitions: Sequence[OffsetDeleteResponsePartition] = (
            [] if partitions == () else partitions
        )
        self.unknown_tags = unknown_tags


class OffsetDeleteResponse(Message):
    """Says for each partition whether its offset was deleted."""

    __slots__ = ("error_code", "throttle_time_ms", "topics", "unknown_tags")

    def __init__(
        self,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # One result a topic.
        topics: Sequence[OffsetDeleteResponseTopic] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.throttle_time_ms = throttle_time_ms
        self.topics: Sequence[OffsetDeleteResponseTopic] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_read_h2i = Struct(">h2i").unpack_from
_read_i = Struct(">i").unpack_from
_read_ih = Struct(">ih").unpack_from
_rows_ih = Struct(">ih").iter_unpack
_write_h = Struct(">h").pack
_write_h2i = Struct(">h2i").pack
_write_i = Struct(">i").pack
_write_ih = Struct(">ih").pack


def _get_offset_delete_response_v0(buf: bytes, at: int) -> tuple[OffsetDeleteResponse, int]:
    m = new(OffsetDeleteResponse)
    (m.error_code, m.throttle_time_ms, n) = _read_h2i(buf, at)
    at += 10
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[OffsetDeleteResponseTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        delete_response_topic = new(OffsetDeleteResponseTopic)
        topics.append(delete_response_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        delete_response_topic.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 6)
        partitions: list[OffsetDeleteResponsePartition] = []
        delete_response_topic.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 6 * left_partitions
            partitions += map(new, repeat(OffsetDeleteResponsePartition, left_partitions))
            left_partitions = 0
            for response_partition, values in zip(partitions, _rows_ih(buf[at:end])):
                (response_partition.partition_index, response_partition.error_code) = values
                response_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            response_partition = new(OffsetDeleteResponsePartition)
            partitions.append(response_partition)
            (response_partition.partition_index, response_partition.error_code) = _read_ih(buf, at)
            at += 6
            response_partition.unknown_tags = ()
        delete_response_topic.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _put_offset_delete_response_v0(out: Parts, m: OffsetDeleteResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_h2i(m.error_code, m.throttle_time_ms, n))
    for delete_response_topic in topics:
        if delete_response_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = delete_response_topic.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = delete_response_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for response_partition in partitions:
            if response_partition.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_ih(response_partition.partition_index, response_partition.error_code))


_GET = {0: _get_offset_delete_response_v0}
_PUT = {0: _put_offset_delete_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> OffsetDeleteResponse:
    """The OffsetDeleteResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[OffsetDeleteResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: OffsetDeleteResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: OffsetDeleteResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_OFFSET_DELETE_RESPONSE_PARTITION_SHAPE: Shape = (
    OffsetDeleteResponsePartition,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 0), None, None, None, 0, False, None,
            None,
        ),
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, None, None),
    ),
)
_OFFSET_DELETE_RESPONSE_TOPIC_SHAPE: Shape = (
    OffsetDeleteResponseTopic,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, None, None),
        (
            "partitions", "partitions", "[]OffsetDeleteResponsePartition", (0, 0), None, None, None,
            (), False, None, _OFFSET_DELETE_RESPONSE_PARTITION_SHAPE,
        ),
    ),
)
_OFFSET_DELETE_RESPONSE_SHAPE: Shape = (
    OffsetDeleteResponse,
    (
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, None, None),
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 0), None, None, None, 0, True, None,
            None,
        ),
        (
            "topics", "topics", "[]OffsetDeleteResponseTopic", (0, 0), None, None, None, (), False,
            None, _OFFSET_DELETE_RESPONSE_TOPIC_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_OFFSET_DELETE_RESPONSE_SHAPE, (0, 0), None)
