# GENERATED from schemas/controlled_shutdown_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 1145d3494b71543d, generator 1.
"""Names the partitions that the broker leads still. Api key 7, versions 0-3, flexible from 3."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, long_count, long_text, long_text_head, put_tags,
    refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 7
NAME: Final = "ControlledShutdownResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 3
FLEXIBLE_FROM: Final[int | None] = 3


class RemainingPartition(Message):
    """Partitions that the broker leads still."""

    __slots__ = ("topic_name", "partition_index", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic_name: str = "",
        # Index of the partition.
        partition_index: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.partition_index = partition_index
        self.unknown_tags = unknown_tags


class ControlledShutdownResponse(Message):
    """Names the partitions that the broker leads still."""

    __slots__ = ("error_code", "remaining_partitions", "unknown_tags")

    def __init__(
        self,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Partitions that the broker leads still.
        remaining_partitions: Sequence[RemainingPartition] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.remaining_partitions: Sequence[RemainingPartition] = (
            [] if remaining_partitions == () else remaining_partitions
        )
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_hi = Struct(">hi").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_h = Struct(">h").pack
_write_hB = Struct(">hB").pack
_write_hi = Struct(">hi").pack
_write_i = Struct(">i").pack
_write_ix = Struct(">ix").pack


def _get_controlled_shutdown_response_v0(
    buf: bytes, at: int,
) -> tuple[ControlledShutdownResponse, int]:
    m = new(ControlledShutdownResponse)
    (m.error_code, n) = _read_hi(buf, at)
    at += 6
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    remaining_partitions: list[RemainingPartition] = []
    m.remaining_partitions = remaining_partitions
    left_remaining_partitions = n
    while left_remaining_partitions:
        left_remaining_partitions -= 1
        remaining_partition = new(RemainingPartition)
        remaining_partitions.append(remaining_partition)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        remaining_partition.topic_name = buf[at:end].decode()
        at = end
        (remaining_partition.partition_index,) = _read_i(buf, at)
        at += 4
        remaining_partition.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_controlled_shutdown_response_v3(
    buf: bytes, at: int,
) -> tuple[ControlledShutdownResponse, int]:
    m = new(ControlledShutdownResponse)
    (m.error_code, n) = _read_hB(buf, at)
    at += 3
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 6)
    remaining_partitions: list[RemainingPartition] = []
    m.remaining_partitions = remaining_partitions
    left_remaining_partitions = n - 1
    while left_remaining_partitions:
        left_remaining_partitions -= 1
        remaining_partition = new(RemainingPartition)
        remaining_partitions.append(remaining_partition)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        remaining_partition.topic_name = buf[at:end].decode()
        at = end
        (remaining_partition.partition_index, tags) = _read_iB(buf, at)
        at += 5
        remaining_partition.unknown_tags = ()
        if tags:
            remaining_partition.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_controlled_shutdown_response_v0(out: Parts, m: ControlledShutdownResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    remaining_partitions = m.remaining_partitions
    n = len(remaining_partitions)
    out.append(_write_hi(m.error_code, n))
    for remaining_partition in remaining_partitions:
        if remaining_partition.unknown_tags:
            refuse_field("unknown_tags")
        topic_name = remaining_partition.topic_name.encode()
        n = len(topic_name)
        out.append(_write_h(n))
        out.append(topic_name)
        out.append(_write_i(remaining_partition.partition_index))


def _put_controlled_shutdown_response_v3(out: Parts, m: ControlledShutdownResponse) -> None:
    remaining_partitions = m.remaining_partitions
    n = len(remaining_partitions) + 1
    out.append(_write_hB(m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for remaining_partition in remaining_partitions:
        topic_name = remaining_partition.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        out.append(_write_ix(remaining_partition.partition_index))
        if remaining_partition.unknown_tags:
            put_tags(out, [], remaining_partition.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_controlled_shutdown_response_v0, 1: _get_controlled_shutdown_response_v0,
    2: _get_controlled_shutdown_response_v0, 3: _get_controlled_shutdown_response_v3,
}
_PUT = {
    0: _put_controlled_shutdown_response_v0, 1: _put_controlled_shutdown_response_v0,
    2: _put_controlled_shutdown_response_v0, 3: _put_controlled_shutdown_response_v3,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ControlledShutdownResponse:
    """The ControlledShutdownResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ControlledShutdownResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ControlledShutdownResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ControlledShutdownResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_REMAINING_PARTITION_SHAPE: Shape = (
    RemainingPartition,
    (
        ("topicName", "topic_name", "string", (0, 3), None, None, None, "", False, (3, 3), None),
        (
            "partitionIndex", "partition_index", "int32", (0, 3), None, None, None, 0, False,
            (3, 3), None,
        ),
    ),
)
_CONTROLLED_SHUTDOWN_RESPONSE_SHAPE: Shape = (
    ControlledShutdownResponse,
    (
        ("errorCode", "error_code", "int16", (0, 3), None, None, None, 0, False, (3, 3), None),
        (
            "remainingPartitions", "remaining_partitions", "[]RemainingPartition", (0, 3), None,
            None, None, (), False, (3, 3), _REMAINING_PARTITION_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_CONTROLLED_SHUTDOWN_RESPONSE_SHAPE, (0, 3), (3, 3))
