# GENERATED from schemas/leader_and_isr_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 cc6af4db9e31e17e, generator 1.
"""Says for each partition whether the broker took its role on. Api key 4, versions 0-7, flexible
from 4.
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
    encode_failure, get_tags, joined, lengthen, long_count, long_text, long_text_head, put_tags,
    refuse_field, refuse_null, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 4
NAME: Final = "LeaderAndIsrResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 7
FLEXIBLE_FROM: Final[int | None] = 4


class LeaderAndIsrPartitionError(Message):
    """Result of one partition."""

    __slots__ = ("topic_name", "partition_index", "error_code", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v0-4)
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


class LeaderAndIsrTopicError(Message):
    """One result a topic."""

    __slots__ = ("topic_id", "partition_errors", "unknown_tags")

    def __init__(
        self,
        # Id of the topic. (v5+)
        topic_id: bytes = ZERO_UUID,
        # One result a partition. (v5+)
        partition_errors: Sequence[LeaderAndIsrPartitionError] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_id = topic_id
        self.partition_errors: Sequence[LeaderAndIsrPartitionError] = (
            [] if partition_errors == () else partition_errors
        )
        self.unknown_tags = unknown_tags


class LeaderAndIsrResponse(Message):
    """Says for each partition whether the broker took its role on."""

    __slots__ = ("error_code", "partition_errors", "topics", "unknown_tags")

    def __init__(
        self,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # One result a partition. (v0-4)
        partition_errors: Sequence[LeaderAndIsrPartitionError] = (),
        # One result a topic. (v5+)
        topics: Sequence[LeaderAndIsrTopicError] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.partition_errors: Sequence[LeaderAndIsrPartitionError] = (
            [] if partition_errors == () else partition_errors
        )
        self.topics: Sequence[LeaderAndIsrTopicError] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_h = Struct(">h").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_hi = Struct(">hi").unpack_from
_read_ih = Struct(">ih").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_rows_ihx = Struct(">ihx").iter_unpack
_write_16sB = Struct(">16sB").pack
_write_h = Struct(">h").pack
_write_hB = Struct(">hB").pack
_write_hi = Struct(">hi").pack
_write_ih = Struct(">ih").pack
_write_ihx = Struct(">ihx").pack


def _get_leader_and_isr_response_v0(buf: bytes, at: int) -> tuple[LeaderAndIsrResponse, int]:
    m = new(LeaderAndIsrResponse)
    (m.error_code, n) = _read_hi(buf, at)
    at += 6
    if not 0 <= n < 128:
        check_count(buf, at, n, 8)
    partition_errors: list[LeaderAndIsrPartitionError] = []
    m.partition_errors = partition_errors
    left_partition_errors = n
    while left_partition_errors:
        left_partition_errors -= 1
        isr_partition_error = new(LeaderAndIsrPartitionError)
        partition_errors.append(isr_partition_error)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        isr_partition_error.topic_name = buf[at:end].decode()
        at = end
        (isr_partition_error.partition_index, isr_partition_error.error_code) = _read_ih(buf, at)
        at += 6
        isr_partition_error.unknown_tags = ()
    m.topics = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_leader_and_isr_response_v4(buf: bytes, at: int) -> tuple[LeaderAndIsrResponse, int]:
    m = new(LeaderAndIsrResponse)
    (m.error_code, n) = _read_hB(buf, at)
    at += 3
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 8)
    partition_errors: list[LeaderAndIsrPartitionError] = []
    m.partition_errors = partition_errors
    left_partition_errors = n - 1
    while left_partition_errors:
        left_partition_errors -= 1
        isr_partition_error = new(LeaderAndIsrPartitionError)
        partition_errors.append(isr_partition_error)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        isr_partition_error.topic_name = buf[at:end].decode()
        at = end
        (
            isr_partition_error.partition_index, isr_partition_error.error_code, tags,
        ) = _read_ihB(buf, at)
        at += 7
        isr_partition_error.unknown_tags = ()
        if tags:
            isr_partition_error.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.topics = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_leader_and_isr_response_v5(buf: bytes, at: int) -> tuple[LeaderAndIsrResponse, int]:
    m = new(LeaderAndIsrResponse)
    (m.error_code, n) = _read_hB(buf, at)
    at += 3
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    topics: list[LeaderAndIsrTopicError] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        and_isr_topic_error = new(LeaderAndIsrTopicError)
        topics.append(and_isr_topic_error)
        (and_isr_topic_error.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 7)
        partition_errors: list[LeaderAndIsrPartitionError] = []
        and_isr_topic_error.partition_errors = partition_errors
        left_partition_errors = n - 1
        if (
            left_partition_errors > 4
            and buf[at + 6 : at + 7 * left_partition_errors : 7] == bytes(left_partition_errors)
        ):
            end = at + 7 * left_partition_errors
            partition_errors += map(new, repeat(LeaderAndIsrPartitionError, left_partition_errors))
            left_partition_errors = 0
            for isr_partition_error, values in zip(partition_errors, _rows_ihx(buf[at:end])):
                (isr_partition_error.partition_index, isr_partition_error.error_code) = values
                isr_partition_error.topic_name = ""
                isr_partition_error.unknown_tags = ()
            at = end
        while left_partition_errors:
            left_partition_errors -= 1
            isr_partition_error = new(LeaderAndIsrPartitionError)
            partition_errors.append(isr_partition_error)
            (
                isr_partition_error.partition_index, isr_partition_error.error_code, tags,
            ) = _read_ihB(buf, at)
            at += 7
            isr_partition_error.topic_name = ""
            isr_partition_error.unknown_tags = ()
            if tags:
                isr_partition_error.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        and_isr_topic_error.unknown_tags = ()
        if tags:
            and_isr_topic_error.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.partition_errors = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_leader_and_isr_response_v0(out: Parts, m: LeaderAndIsrResponse) -> None:
    if m.topics:
        refuse_field("topics")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    partition_errors = m.partition_errors
    n = len(partition_errors)
    out.append(_write_hi(m.error_code, n))
    for isr_partition_error in partition_errors:
        if isr_partition_error.unknown_tags:
            refuse_field("unknown_tags")
        topic_name = isr_partition_error.topic_name.encode()
        n = len(topic_name)
        out.append(_write_h(n))
        out.append(topic_name)
        out.append(_write_ih(isr_partition_error.partition_index, isr_partition_error.error_code))


def _put_leader_and_isr_response_v4(out: Parts, m: LeaderAndIsrResponse) -> None:
    if m.topics:
        refuse_field("topics")
    partition_errors = m.partition_errors
    n = len(partition_errors) + 1
    out.append(_write_hB(m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for isr_partition_error in partition_errors:
        topic_name = isr_partition_error.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        out.append(_write_ihx(isr_partition_error.partition_index, isr_partition_error.error_code))
        if isr_partition_error.unknown_tags:
            put_tags(out, [], isr_partition_error.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_leader_and_isr_response_v5(out: Parts, m: LeaderAndIsrResponse) -> None:
    if m.partition_errors:
        refuse_field("partition_errors")
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_hB(m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for and_isr_topic_error in topics:
        if len(and_isr_topic_error.topic_id) != 16:
            refuse_uuid("topic_id")
        partition_errors = and_isr_topic_error.partition_errors
        n = len(partition_errors) + 1
        out.append(_write_16sB(and_isr_topic_error.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for isr_partition_error in partition_errors:
            out.append(_write_ihx(
                isr_partition_error.partition_index, isr_partition_error.error_code,
            ))
            if isr_partition_error.unknown_tags:
                put_tags(out, [], isr_partition_error.unknown_tags)
        out.append(b"\0")
        if and_isr_topic_error.unknown_tags:
            put_tags(out, [], and_isr_topic_error.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_leader_and_isr_response_v0, 1: _get_leader_and_isr_response_v0,
    2: _get_leader_and_isr_response_v0, 3: _get_leader_and_isr_response_v0,
    4: _get_leader_and_isr_response_v4, 5: _get_leader_and_isr_response_v5,
    6: _get_leader_and_isr_response_v5, 7: _get_leader_and_isr_response_v5,
}
_PUT = {
    0: _put_leader_and_isr_response_v0, 1: _put_leader_and_isr_response_v0,
    2: _put_leader_and_isr_response_v0, 3: _put_leader_and_isr_response_v0,
    4: _put_leader_and_isr_response_v4, 5: _put_leader_and_isr_response_v5,
    6: _put_leader_and_isr_response_v5, 7: _put_leader_and_isr_response_v5,
}


def decode(buf: Buffer, version: int, at: int = 0) -> LeaderAndIsrResponse:
    """The LeaderAndIsrResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[LeaderAndIsrResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: LeaderAndIsrResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: LeaderAndIsrResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_LEADER_AND_ISR_PARTITION_ERROR_SHAPE: Shape = (
    LeaderAndIsrPartitionError,
    (
        ("topicName", "topic_name", "string", (0, 4), None, None, None, "", True, (4, 7), None),
        (
            "partitionIndex", "partition_index", "int32", (0, 7), None, None, None, 0, False,
            (4, 7), None,
        ),
        ("errorCode", "error_code", "int16", (0, 7), None, None, None, 0, False, (4, 7), None),
    ),
)
_LEADER_AND_ISR_TOPIC_ERROR_SHAPE: Shape = (
    LeaderAndIsrTopicError,
    (
        ("topicId", "topic_id", "uuid", (5, 7), None, None, None, ZERO_UUID, False, (4, 7), None),
        (
            "partitionErrors", "partition_errors", "[]LeaderAndIsrPartitionError", (5, 7), None,
            None, None, (), False, (4, 7), _LEADER_AND_ISR_PARTITION_ERROR_SHAPE,
        ),
    ),
)
_LEADER_AND_ISR_RESPONSE_SHAPE: Shape = (
    LeaderAndIsrResponse,
    (
        ("errorCode", "error_code", "int16", (0, 7), None, None, None, 0, False, (4, 7), None),
        (
            "partitionErrors", "partition_errors", "[]LeaderAndIsrPartitionError", (0, 4), None,
            None, None, (), False, (4, 7), _LEADER_AND_ISR_PARTITION_ERROR_SHAPE,
        ),
        (
            "topics", "topics", "[]LeaderAndIsrTopicError", (5, 7), None, None, None, (), False,
            (4, 7), _LEADER_AND_ISR_TOPIC_ERROR_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_LEADER_AND_ISR_RESPONSE_SHAPE, (0, 7), (4, 7))
