# GENERATED from schemas/group/share_group_current_member_assignment_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 e468f288002fccf6, generator 1.
"""What a member of a share group owns. Record type 14, versions 0, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, lengthen, long_count, put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 14
NAME: Final = "ShareGroupCurrentMemberAssignmentValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class TopicPartitions(Message):
    """Partitions of one topic."""

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


class ShareGroupCurrentMemberAssignmentValue(Message):
    """What a member of a share group owns."""

    __slots__ = (
        "member_epoch", "previous_member_epoch", "state", "assigned_partitions", "unknown_tags",
    )

    def __init__(
        self,
        # Epoch the member has reached.
        member_epoch: int = 0,
        # Epoch of the member before this one.
        previous_member_epoch: int = 0,
        # Code of the member's state.
        state: int = 0,
        # Partitions the member owns.
        assigned_partitions: Sequence[TopicPartitions] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.member_epoch = member_epoch
        self.previous_member_epoch = previous_member_epoch
        self.state = state
        self.assigned_partitions: Sequence[TopicPartitions] = (
            [] if assigned_partitions == () else assigned_partitions
        )
        self.unknown_tags = unknown_tags


_read_array_ci_B = ArrayReads("i", "B", 1)
_read_16sB = Struct(">16sB").unpack_from
_read_2ibB = Struct(">2ibB").unpack_from
_write_2ibB = Struct(">2ibB").pack
_write_16sB_many_i_x = ArrayWrites("16sB *i x")


def _get_share_group_current_member_assignment_value_v0(
    buf: bytes, at: int,
) -> tuple[ShareGroupCurrentMemberAssignmentValue, int]:
    m = new(ShareGroupCurrentMemberAssignmentValue)
    (m.member_epoch, m.previous_member_epoch, m.state, n) = _read_2ibB(buf, at)
    at += 10
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    assigned_partitions: list[TopicPartitions] = []
    m.assigned_partitions = assigned_partitions
    left_assigned_partitions = n - 1
    while left_assigned_partitions:
        left_assigned_partitions -= 1
        topic_partitions = new(TopicPartitions)
        assigned_partitions.append(topic_partitions)
        (topic_partitions.topic_id, n_partitions) = _read_16sB(buf, at)
        at += 17
        if n_partitions > 127:
            n_partitions, at = long_count(buf, at, 4)
        (*topic_partitions.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
        at += 4 * n_partitions - 3
        topic_partitions.unknown_tags = ()
        if tags:
            topic_partitions.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_share_group_current_member_assignment_value_v0(
    out: Parts, m: ShareGroupCurrentMemberAssignmentValue,
) -> None:
    assigned_partitions = m.assigned_partitions
    n = len(assigned_partitions) + 1
    out.append(_write_2ibB(m.member_epoch, m.previous_member_epoch, m.state, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for topic_partitions in assigned_partitions:
        if len(topic_partitions.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = topic_partitions.partitions
        n_partitions = len(partitions)
        write = _write_16sB_many_i_x[n_partitions]
        out.append(write(topic_partitions.topic_id, n_partitions + 1, *partitions))
        if topic_partitions.unknown_tags:
            put_tags(out, [], topic_partitions.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_share_group_current_member_assignment_value_v0}
_PUT = {0: _put_share_group_current_member_assignment_value_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ShareGroupCurrentMemberAssignmentValue:
    """The ShareGroupCurrentMemberAssignmentValue that begins at ``at``, in this version; what
    follows it is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ShareGroupCurrentMemberAssignmentValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ShareGroupCurrentMemberAssignmentValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ShareGroupCurrentMemberAssignmentValue, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_TOPIC_PARTITIONS_SHAPE: Shape = (
    TopicPartitions,
    (
        ("topicId", "topic_id", "uuid", (0, 0), None, None, None, ZERO_UUID, False, (0, 0), None),
        ("partitions", "partitions", "[]int32", (0, 0), None, None, None, (), False, (0, 0), None),
    ),
)
_SHARE_GROUP_CURRENT_MEMBER_ASSIGNMENT_VALUE_SHAPE: Shape = (
    ShareGroupCurrentMemberAssignmentValue,
    (
        ("memberEpoch", "member_epoch", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "previousMemberEpoch", "previous_member_epoch", "int32", (0, 0), None, None, None, 0,
            False, (0, 0), None,
        ),
        ("state", "state", "int8", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "assignedPartitions", "assigned_partitions", "[]TopicPartitions", (0, 0), None, None,
            None, (), False, (0, 0), _TOPIC_PARTITIONS_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_SHARE_GROUP_CURRENT_MEMBER_ASSIGNMENT_VALUE_SHAPE, (0, 0), (0, 0))
