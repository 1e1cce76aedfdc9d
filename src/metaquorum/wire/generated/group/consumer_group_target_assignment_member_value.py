# GENERATED from schemas/group/consumer_group_target_assignment_member_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 d5eefda0e025beab, generator 1.
"""What a member of a consumer group is meant to own. Record type 7, versions 0, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_count, long_head, put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 7
NAME: Final = "ConsumerGroupTargetAssignmentMemberValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class TopicPartition(Message):
    """Partitions by topic."""

    __slots__ = ("topic_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Id of the topic.
        topic_id: bytes = ZERO_UUID,
        # Partition indexes.
        partitions: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_id = topic_id
        self.partitions: Sequence[int] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class ConsumerGroupTargetAssignmentMemberValue(Message):
    """What a member of a consumer group is meant to own."""

    __slots__ = ("topic_partitions", "unknown_tags")

    def __init__(
        self,
        # Partitions by topic.
        topic_partitions: Sequence[TopicPartition] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_partitions: Sequence[TopicPartition] = (
            [] if topic_partitions == () else topic_partitions
        )
        self.unknown_tags = unknown_tags


_read_array_ci_B = ArrayReads("i", "B", 1)
_read_16sB = Struct(">16sB").unpack_from
_write_16sB_many_i_x = ArrayWrites("16sB *i x")


def _get_consumer_group_target_assignment_member_value_v0(
    buf: bytes, at: int,
) -> tuple[ConsumerGroupTargetAssignmentMemberValue, int]:
    m = new(ConsumerGroupTargetAssignmentMemberValue)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    topic_partitions: list[TopicPartition] = []
    m.topic_partitions = topic_partitions
    left_topic_partitions = n - 1
    while left_topic_partitions:
        left_topic_partitions -= 1
        topic_partition = new(TopicPartition)
        topic_partitions.append(topic_partition)
        (topic_partition.topic_id, n_partitions) = _read_16sB(buf, at)
        at += 17
        if n_partitions > 127:
            n_partitions, at = long_count(buf, at, 4)
        (*topic_partition.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
        at += 4 * n_partitions - 3
        topic_partition.unknown_tags = ()
        if tags:
            topic_partition.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_consumer_group_target_assignment_member_value_v0(
    out: Parts, m: ConsumerGroupTargetAssignmentMemberValue,
) -> None:
    topic_partitions = m.topic_partitions
    n = len(topic_partitions) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for topic_partition in topic_partitions:
        if len(topic_partition.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = topic_partition.partitions
        n_partitions = len(partitions)
        write = _write_16sB_many_i_x[n_partitions]
        out.append(write(topic_partition.topic_id, n_partitions + 1, *partitions))
        if topic_partition.unknown_tags:
            put_tags(out, [], topic_partition.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_consumer_group_target_assignment_member_value_v0}
_PUT = {0: _put_consumer_group_target_assignment_member_value_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ConsumerGroupTargetAssignmentMemberValue:
    """The ConsumerGroupTargetAssignmentMemberValue that begins at ``at``, in this version; what
    follows it is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ConsumerGroupTargetAssignmentMemberValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ConsumerGroupTargetAssignmentMemberValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ConsumerGroupTargetAssignmentMemberValue, version: int) -> None:
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
        ("topicId", "topic_id", "uuid", (0, 0), None, None, None, ZERO_UUID, False, (0, 0), None),
        ("partitions", "partitions", "[]int32", (0, 0), None, None, None, (), False, (0, 0), None),
    ),
)
_CONSUMER_GROUP_TARGET_ASSIGNMENT_MEMBER_VALUE_SHAPE: Shape = (
    ConsumerGroupTargetAssignmentMemberValue,
    (
        (
            "topicPartitions", "topic_partitions", "[]TopicPartition", (0, 0), None, None, None, (),
            False, (0, 0), _TOPIC_PARTITION_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_CONSUMER_GROUP_TARGET_ASSIGNMENT_MEMBER_VALUE_SHAPE, (0, 0), (0, 0))
