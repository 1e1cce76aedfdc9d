# GENERATED from schemas/consumer_protocol_assignment.json by `make generate`: edit the schema, not this file.
# Schema xxh3 0cf63ddbafba6da1, generator 1.
"""Assignment of a classic consumer, carried opaquely in SyncGroup. Versions 0-3, never flexible."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, check_count, decode_failure, encode_failure,
    joined, many, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

NAME: Final = "ConsumerProtocolAssignment"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 3
FLEXIBLE_FROM: Final[int | None] = None


class TopicPartition(Message):
    """Partitions assigned to the member."""

    __slots__ = ("topic", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic: str = "",
        # Partition indexes.
        partitions: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic = topic
        self.partitions: Sequence[int] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class ConsumerProtocolAssignment(Message):
    """Assignment of a classic consumer, carried opaquely in SyncGroup."""

    __slots__ = ("assigned_partitions", "user_data", "unknown_tags")

    def __init__(
        self,
        # Partitions assigned to the member.
        assigned_partitions: Sequence[TopicPartition] = (),
        # Bytes of the assignor; opaque to the group; may be null.
        user_data: Buffer | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.assigned_partitions: Sequence[TopicPartition] = [] if assigned_partitions == () else assigned_partitions
        self.user_data = user_data
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack


def _get_many_topic_partition_v0(
    buf: bytes, at: int, count: int,
) -> tuple[list[TopicPartition], int]:
    found: list[TopicPartition] = []
    for _ in range(count):
        m = new(TopicPartition)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        m.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 4)
        m.partitions = [*many("i", n).unpack_from(buf, at)]
        at += 4 * n
        m.unknown_tags = ()
        found.append(m)
    return found, at


def _get_consumer_protocol_assignment_v0(buf: bytes, view: memoryview, at: int) -> tuple[ConsumerProtocolAssignment, int]:
    m = new(ConsumerProtocolAssignment)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    m.assigned_partitions, at = _get_many_topic_partition_v0(buf, at, n)
    (n,) = _read_i(buf, at)
    at += 4
    if n < 0:
        m.user_data = None
    else:
        end = at + n
        m.user_data = view[at:end]
        at = end
    m.unknown_tags = ()
    return m, at


def _put_many_topic_partition_v0(out: Parts, messages: Sequence[TopicPartition]) -> None:
    for m in messages:
        if m.unknown_tags:
            refuse_field("unknown_tags")
        topic = m.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = m.partitions
        n = len(partitions)
        out.append(_write_i(n))
        out.append(many("i", n).pack(*partitions))


def _put_consumer_protocol_assignment_v0(out: Parts, m: ConsumerProtocolAssignment) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    assigned_partitions = m.assigned_partitions
    n = len(assigned_partitions)
    out.append(_write_i(n))
    _put_many_topic_partition_v0(out, assigned_partitions)
    user_data = m.user_data
    n = -1 if user_data is None else len(user_data)
    out.append(_write_i(n))
    if user_data is not None:
        out.append(user_data)


_GET = {
    0: _get_consumer_protocol_assignment_v0, 1: _get_consumer_protocol_assignment_v0,
    2: _get_consumer_protocol_assignment_v0, 3: _get_consumer_protocol_assignment_v0,
}
_PUT = {
    0: _put_consumer_protocol_assignment_v0, 1: _put_consumer_protocol_assignment_v0,
    2: _put_consumer_protocol_assignment_v0, 3: _put_consumer_protocol_assignment_v0,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ConsumerProtocolAssignment:
    """The ConsumerProtocolAssignment that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        message, end = _GET[version](data, memoryview(data), at)
        if end > len(data):
            raise IndexError
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None
    return message


def get(buf: Buffer, at: int, version: int) -> tuple[ConsumerProtocolAssignment, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        message, end = _GET[version](data, memoryview(data), at)
        if end > len(data):
            raise IndexError
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None
    return message, end


def encode(message: ConsumerProtocolAssignment, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    put(out, message, version)
    return joined(out)


def put(parts: Parts, message: ConsumerProtocolAssignment, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_TOPIC_PARTITION_SHAPE: Shape = (
    TopicPartition,
    (
        ("topic", "topic", "string", (0, 3), None, None, None, "", False, None, None),
        ("partitions", "partitions", "[]int32", (0, 3), None, None, None, (), False, None, None),
    ),
)
_CONSUMER_PROTOCOL_ASSIGNMENT_SHAPE: Shape = (
    ConsumerProtocolAssignment,
    (
        (
            "assignedPartitions", "assigned_partitions", "[]TopicPartition", (0, 3), None, None,
            None, (), False, None, _TOPIC_PARTITION_SHAPE,
        ),
        ("userData", "user_data", "bytes", (0, 3), (0, 3), None, None, None, False, None, None),
    ),
)
SHAPE: Shape = (_CONSUMER_PROTOCOL_ASSIGNMENT_SHAPE, (0, 3), None)
