# GENERATED from schemas/share_group_heartbeat_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 19ee09f022dceb73, generator 1.
"""Tells a member of a share group what to read. Api key 76, versions 0-1, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen_text, long_count, long_head, long_text, long_text_head, put_tags,
    refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 76
NAME: Final = "ShareGroupHeartbeatResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
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


class Assignment(Message):
    """Partitions to read; null when unchanged."""

    __slots__ = ("topic_partitions", "unknown_tags")

    def __init__(
        self,
        # Partitions by topic.
        topic_partitions: Sequence[TopicPartitions] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_partitions: Sequence[TopicPartitions] = (
            [] if topic_partitions == () else topic_partitions
        )
        self.unknown_tags = unknown_tags


class ShareGroupHeartbeatResponse(Message):
    """Tells a member of a share group what to read."""

    __slots__ = (
        "throttle_time_ms", "error_code", "error_message", "member_id", "member_epoch",
        "heartbeat_interval_ms", "assignment", "unknown_tags",
    )

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = None,
        # Id of the member; null when it is not repeated.
        member_id: str | None = None,
        # Epoch the member has reached.
        member_epoch: int = 0,
        # Milliseconds between the heartbeats of the member.
        heartbeat_interval_ms: int = 0,
        # Partitions to read; null when unchanged.
        assignment: Assignment | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.heartbeat_interval_ms = heartbeat_interval_ms
        self.assignment = assignment
        self.unknown_tags = unknown_tags


_read_array_ci_B = ArrayReads("i", "B", 1)
_read_16sB = Struct(">16sB").unpack_from
_read_2ib = Struct(">2ib").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_2ib = Struct(">2ib").pack
_write_ihB = Struct(">ihB").pack
_write_16sB_many_i_x = ArrayWrites("16sB *i x")


def _get_assignment_v0(buf: bytes, at: int) -> tuple[Assignment, int]:
    m = new(Assignment)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    topic_partitions: list[TopicPartitions] = []
    m.topic_partitions = topic_partitions
    left_topic_partitions = n - 1
    while left_topic_partitions:
        left_topic_partitions -= 1
        topic_partitions_ = new(TopicPartitions)
        topic_partitions.append(topic_partitions_)
        (topic_partitions_.topic_id, n_partitions) = _read_16sB(buf, at)
        at += 17
        if n_partitions > 127:
            n_partitions, at = long_count(buf, at, 4)
        (*topic_partitions_.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
        at += 4 * n_partitions - 3
        topic_partitions_.unknown_tags = ()
        if tags:
            topic_partitions_.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_share_group_heartbeat_response_v0(
    buf: bytes, at: int,
) -> tuple[ShareGroupHeartbeatResponse, int]:
    m = new(ShareGroupHeartbeatResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0:
        m.error_message = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.error_message = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.member_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.member_id = buf[at:end].decode()
        at = end
    (m.member_epoch, m.heartbeat_interval_ms, n) = _read_2ib(buf, at)
    at += 9
    if n < 0:
        m.assignment = None
    else:
        m.assignment, at = _get_assignment_v0(buf, at)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_assignment_v0(out: Parts, m: Assignment) -> None:
    topic_partitions = m.topic_partitions
    n = len(topic_partitions) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for topic_partitions_ in topic_partitions:
        if len(topic_partitions_.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = topic_partitions_.partitions
        n_partitions = len(partitions)
        write = _write_16sB_many_i_x[n_partitions]
        out.append(write(topic_partitions_.topic_id, n_partitions + 1, *partitions))
        if topic_partitions_.unknown_tags:
            put_tags(out, [], topic_partitions_.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_share_group_heartbeat_response_v0(out: Parts, m: ShareGroupHeartbeatResponse) -> None:
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    member_id = b"" if m.member_id is None else m.member_id.encode()
    n = 0 if m.member_id is None else len(member_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(member_id)
    out.append(_write_2ib(
        m.member_epoch, m.heartbeat_interval_ms, -1 if m.assignment is None else 1,
    ))
    if m.assignment is not None:
        _put_assignment_v0(out, m.assignment)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_share_group_heartbeat_response_v0, 1: _get_share_group_heartbeat_response_v0}
_PUT = {0: _put_share_group_heartbeat_response_v0, 1: _put_share_group_heartbeat_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ShareGroupHeartbeatResponse:
    """The ShareGroupHeartbeatResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ShareGroupHeartbeatResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ShareGroupHeartbeatResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ShareGroupHeartbeatResponse, version: int) -> None:
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
        ("topicId", "topic_id", "uuid", (0, 1), None, None, None, ZERO_UUID, False, (0, 1), None),
        ("partitions", "partitions", "[]int32", (0, 1), None, None, None, (), False, (0, 1), None),
    ),
)
_ASSIGNMENT_SHAPE: Shape = (
    Assignment,
    (
        (
            "topicPartitions", "topic_partitions", "[]TopicPartitions", (0, 1), None, None, None,
            (), False, (0, 1), _TOPIC_PARTITIONS_SHAPE,
        ),
    ),
)
_SHARE_GROUP_HEARTBEAT_RESPONSE_SHAPE: Shape = (
    ShareGroupHeartbeatResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 1), None, None, None, 0, False,
            (0, 1), None,
        ),
        ("errorCode", "error_code", "int16", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "errorMessage", "error_message", "string", (0, 1), (0, 1), None, None, None, False,
            (0, 1), None,
        ),
        ("memberId", "member_id", "string", (0, 1), (0, 1), None, None, None, False, (0, 1), None),
        ("memberEpoch", "member_epoch", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "heartbeatIntervalMs", "heartbeat_interval_ms", "int32", (0, 1), None, None, None, 0,
            False, (0, 1), None,
        ),
        (
            "assignment", "assignment", "Assignment", (0, 1), (0, 1), None, None, None, False,
            (0, 1), _ASSIGNMENT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_SHARE_GROUP_HEARTBEAT_RESPONSE_SHAPE, (0, 1), (0, 1))
