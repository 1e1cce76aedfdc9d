# GENERATED from schemas/consumer_protocol_assignment.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 0cf63ddbafba6da1, generator 1.
"""Assignment of a classic consumer, carried opaquely in SyncGroup. Versions 0-3, never flexible."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, check_count, decode_failure, encode_failure,
    joined, refuse_field, refuse_null, whole,
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
        self.assigned_partitions: Sequence[TopicPartition] = (
            [] if assigned_partitions == () else assigned_partitions
        )
        self.user_data = user_data
        self.unknown_tags = unknown_tags


_read_array_ni = ArrayReads("i", "", 0)
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_i_many_i = ArrayWrites("i *i")


def _get_consumer_protocol_assignment_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[ConsumerProtocolAssignment, int]:
    m = new(ConsumerProtocolAssignment)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    assigned_partitions: list[TopicPartition] = []
    m.assigned_partitions = assigned_partitions
    left_assigned_partitions = n
    while left_assigned_partitions:
        left_assigned_partitions -= 1
        topic_partition = new(TopicPartition)
        assigned_partitions.append(topic_partition)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        topic_partition.topic = buf[at:end].decode()
        at = end
        (n_partitions,) = _read_i(buf, at)
        at += 4
        if not 0 <= n_partitions < 128:
            check_count(buf, at, n_partitions, 4)
        topic_partition.partitions = [*_read_array_ni[n_partitions](buf, at)]
        at += 4 * n_partitions
        topic_partition.unknown_tags = ()
    (n,) = _read_i(buf, at)
    at += 4
    if n < 0:
        m.user_data = None
    else:
        end = at + n
        m.user_data = view[at:end]
        at = end
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _put_consumer_protocol_assignment_v0(out: Parts, m: ConsumerProtocolAssignment) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    assigned_partitions = m.assigned_partitions
    n = len(assigned_partitions)
    out.append(_write_i(n))
    for topic_partition in assigned_partitions:
        if topic_partition.unknown_tags:
            refuse_field("unknown_tags")
        topic = topic_partition.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = topic_partition.partitions
        n_partitions = len(partitions)
        write = _write_i_many_i[n_partitions]
        out.append(write(n_partitions, *partitions))
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
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ConsumerProtocolAssignment, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ConsumerProtocolAssignment, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
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
