# GENERATED from schemas/stop_replica_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 f02f292e5b036aaf, generator 1.
"""Says for each replica whether it stopped. Api key 5, versions 0-4, flexible from 2."""

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

API_KEY: Final = 5
NAME: Final = "StopReplicaResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 4
FLEXIBLE_FROM: Final[int | None] = 2


class StopReplicaPartitionError(Message):
    """One result a partition."""

    __slots__ = ("topic_name", "partition_index", "error_code", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic_name: str = "",
        # Index of the partition.
        partition_index: int = 0,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.partition_index = partition_index
        self.error_code = error_code
        self.unknown_tags = unknown_tags


class StopReplicaResponse(Message):
    """Says for each replica whether it stopped."""

    __slots__ = ("error_code", "partition_errors", "unknown_tags")

    def __init__(
        self,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # One result a partition.
        partition_errors: Sequence[StopReplicaPartitionError] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.partition_errors: Sequence[StopReplicaPartitionError] = (
            [] if partition_errors == () else partition_errors
        )
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_hi = Struct(">hi").unpack_from
_read_ih = Struct(">ih").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_h = Struct(">h").pack
_write_hB = Struct(">hB").pack
_write_hi = Struct(">hi").pack
_write_ih = Struct(">ih").pack
_write_ihx = Struct(">ihx").pack


def _get_stop_replica_response_v0(buf: bytes, at: int) -> tuple[StopReplicaResponse, int]:
    m = new(StopReplicaResponse)
    (m.error_code, n) = _read_hi(buf, at)
    at += 6
    if not 0 <= n < 128:
        check_count(buf, at, n, 8)
    partition_errors: list[StopReplicaPartitionError] = []
    m.partition_errors = partition_errors
    left_partition_errors = n
    while left_partition_errors:
        left_partition_errors -= 1
        partition_error = new(StopReplicaPartitionError)
        partition_errors.append(partition_error)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        partition_error.topic_name = buf[at:end].decode()
        at = end
        (partition_error.partition_index, partition_error.error_code) = _read_ih(buf, at)
        at += 6
        partition_error.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_stop_replica_response_v2(buf: bytes, at: int) -> tuple[StopReplicaResponse, int]:
    m = new(StopReplicaResponse)
    (m.error_code, n) = _read_hB(buf, at)
    at += 3
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 8)
    partition_errors: list[StopReplicaPartitionError] = []
    m.partition_errors = partition_errors
    left_partition_errors = n - 1
    while left_partition_errors:
        left_partition_errors -= 1
        partition_error = new(StopReplicaPartitionError)
        partition_errors.append(partition_error)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        partition_error.topic_name = buf[at:end].decode()
        at = end
        (partition_error.partition_index, partition_error.error_code, tags) = _read_ihB(buf, at)
        at += 7
        partition_error.unknown_tags = ()
        if tags:
            partition_error.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_stop_replica_response_v0(out: Parts, m: StopReplicaResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    partition_errors = m.partition_errors
    n = len(partition_errors)
    out.append(_write_hi(m.error_code, n))
    for partition_error in partition_errors:
        if partition_error.unknown_tags:
            refuse_field("unknown_tags")
        topic_name = partition_error.topic_name.encode()
        n = len(topic_name)
        out.append(_write_h(n))
        out.append(topic_name)
        out.append(_write_ih(partition_error.partition_index, partition_error.error_code))


def _put_stop_replica_response_v2(out: Parts, m: StopReplicaResponse) -> None:
    partition_errors = m.partition_errors
    n = len(partition_errors) + 1
    out.append(_write_hB(m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for partition_error in partition_errors:
        topic_name = partition_error.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        out.append(_write_ihx(partition_error.partition_index, partition_error.error_code))
        if partition_error.unknown_tags:
            put_tags(out, [], partition_error.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_stop_replica_response_v0, 1: _get_stop_replica_response_v0,
    2: _get_stop_replica_response_v2, 3: _get_stop_replica_response_v2,
    4: _get_stop_replica_response_v2,
}
_PUT = {
    0: _put_stop_replica_response_v0, 1: _put_stop_replica_response_v0,
    2: _put_stop_replica_response_v2, 3: _put_stop_replica_response_v2,
    4: _put_stop_replica_response_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> StopReplicaResponse:
    """The StopReplicaResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[StopReplicaResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: StopReplicaResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: StopReplicaResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_STOP_REPLICA_PARTITION_ERROR_SHAPE: Shape = (
    StopReplicaPartitionError,
    (
        ("topicName", "topic_name", "string", (0, 4), None, None, None, "", False, (2, 4), None),
        (
            "partitionIndex", "partition_index", "int32", (0, 4), None, None, None, 0, False,
            (2, 4), None,
        ),
        ("errorCode", "error_code", "int16", (0, 4), None, None, None, 0, False, (2, 4), None),
    ),
)
_STOP_REPLICA_RESPONSE_SHAPE: Shape = (
    StopReplicaResponse,
    (
        ("errorCode", "error_code", "int16", (0, 4), None, None, None, 0, False, (2, 4), None),
        (
            "partitionErrors", "partition_errors", "[]StopReplicaPartitionError", (0, 4), None,
            None, None, (), False, (2, 4), _STOP_REPLICA_PARTITION_ERROR_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_STOP_REPLICA_RESPONSE_SHAPE, (0, 4), (2, 4))
