# GENERATED from schemas/alter_share_group_offsets_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 9bfad3a9d27bba28, generator 1.
"""Says for each partition whether its start was set. Api key 91, versions 0, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text, long_text_head,
    put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 91
NAME: Final = "AlterShareGroupOffsetsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class AlterShareGroupOffsetsResponsePartition(Message):
    """One result a partition."""

    __slots__ = ("partition_index", "error_code", "error_message", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message
        self.unknown_tags = unknown_tags


class AlterShareGroupOffsetsResponseTopic(Message):
    """One result a topic."""

    __slots__ = ("topic_name", "topic_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic_name: str = "",
        # Id of the topic.
        topic_id: bytes = ZERO_UUID,
        # One result a partition.
        partitions: Sequence[AlterShareGroupOffsetsResponsePartition] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.topic_id = topic_id
        self.partitions: Sequence[AlterShareGroupOffsetsResponsePartition] = (
            [] if partitions == () else partitions
        )
        self.unknown_tags = unknown_tags


class AlterShareGroupOffsetsResponse(Message):
    """Says for each partition whether its start was set."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "responses", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = None,
        # One result a topic.
        responses: Sequence[AlterShareGroupOffsetsResponseTopic] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.responses: Sequence[AlterShareGroupOffsetsResponseTopic] = (
            [] if responses == () else responses
        )
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_16sB = Struct(">16sB").pack
_write_ihB = Struct(">ihB").pack


def _get_alter_share_group_offsets_response_v0(
    buf: bytes, at: int,
) -> tuple[AlterShareGroupOffsetsResponse, int]:
    m = new(AlterShareGroupOffsetsResponse)
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
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 19)
    responses: list[AlterShareGroupOffsetsResponseTopic] = []
    m.responses = responses
    left_responses = n - 1
    while left_responses:
        left_responses -= 1
        offsets_response_topic = new(AlterShareGroupOffsetsResponseTopic)
        responses.append(offsets_response_topic)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        offsets_response_topic.topic_name = buf[at:end].decode()
        at = end
        (offsets_response_topic.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 8)
        partitions: list[AlterShareGroupOffsetsResponsePartition] = []
        offsets_response_topic.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            response_partition = new(AlterShareGroupOffsetsResponsePartition)
            partitions.append(response_partition)
            (
                response_partition.partition_index, response_partition.error_code, n,
            ) = _read_ihB(buf, at)
            at += 7
            if n == 0:
                response_partition.error_message = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                response_partition.error_message = buf[at:end].decode()
                at = end
            tags = buf[at]
            at += 1
            response_partition.unknown_tags = ()
            if tags:
                response_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        offsets_response_topic.unknown_tags = ()
        if tags:
            offsets_response_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_alter_share_group_offsets_response_v0(
    out: Parts, m: AlterShareGroupOffsetsResponse,
) -> None:
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    responses = m.responses
    n = len(responses) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for offsets_response_topic in responses:
        topic_name = offsets_response_topic.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        if len(offsets_response_topic.topic_id) != 16:
            refuse_uuid("topic_id")
        partitions = offsets_response_topic.partitions
        n = len(partitions) + 1
        out.append(_write_16sB(offsets_response_topic.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for response_partition in partitions:
            error_message_ = (
                b"" if response_partition.error_message is None else
                response_partition.error_message.encode()
            )
            n = 0 if response_partition.error_message is None else len(error_message_) + 1
            out.append(_write_ihB(
                response_partition.partition_index, response_partition.error_code,
                n if n < 128 else 0,
            ))
            if n > 127:
                lengthen_text(out, n)
            out.append(error_message_)
            out.append(b"\0")
            if response_partition.unknown_tags:
                put_tags(out, [], response_partition.unknown_tags)
        out.append(b"\0")
        if offsets_response_topic.unknown_tags:
            put_tags(out, [], offsets_response_topic.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_alter_share_group_offsets_response_v0}
_PUT = {0: _put_alter_share_group_offsets_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> AlterShareGroupOffsetsResponse:
    """The AlterShareGroupOffsetsResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AlterShareGroupOffsetsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AlterShareGroupOffsetsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AlterShareGroupOffsetsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ALTER_SHARE_GROUP_OFFSETS_RESPONSE_PARTITION_SHAPE: Shape = (
    AlterShareGroupOffsetsResponsePartition,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "errorMessage", "error_message", "string", (0, 0), (0, 0), None, None, None, False,
            (0, 0), None,
        ),
    ),
)
_ALTER_SHARE_GROUP_OFFSETS_RESPONSE_TOPIC_SHAPE: Shape = (
    AlterShareGroupOffsetsResponseTopic,
    (
        ("topicName", "topic_name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("topicId", "topic_id", "uuid", (0, 0), None, None, None, ZERO_UUID, False, (0, 0), None),
        (
            "partitions", "partitions", "[]AlterShareGroupOffsetsResponsePartition", (0, 0), None,
            None, None, (), False, (0, 0), _ALTER_SHARE_GROUP_OFFSETS_RESPONSE_PARTITION_SHAPE,
        ),
    ),
)
_ALTER_SHARE_GROUP_OFFSETS_RESPONSE_SHAPE: Shape = (
    AlterShareGroupOffsetsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "errorMessage", "error_message", "string", (0, 0), (0, 0), None, None, None, False,
            (0, 0), None,
        ),
        (
            "responses", "responses", "[]AlterShareGroupOffsetsResponseTopic", (0, 0), None, None,
            None, (), False, (0, 0), _ALTER_SHARE_GROUP_OFFSETS_RESPONSE_TOPIC_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_ALTER_SHARE_GROUP_OFFSETS_RESPONSE_SHAPE, (0, 0), (0, 0))
