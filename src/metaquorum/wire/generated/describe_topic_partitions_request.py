# GENERATED from schemas/describe_topic_partitions_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 3c6894620c2d4a35, generator 1.
"""Asks about topics page by page (KIP-966). Api key 75, versions 0, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_count, long_head, long_text, long_text_head, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 75
NAME: Final = "DescribeTopicPartitionsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class TopicRequest(Message):
    """Topics to describe."""

    __slots__ = ("name", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.unknown_tags = unknown_tags


class Cursor(Message):
    """Where to go on; null to begin at the beginning."""

    __slots__ = ("topic_name", "partition_index", "unknown_tags")

    def __init__(
        self,
        # First topic to list.
        topic_name: str = "",
        # First partition of that topic to list.
        partition_index: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.partition_index = partition_index
        self.unknown_tags = unknown_tags


class DescribeTopicPartitionsRequest(Message):
    """Asks about topics page by page (KIP-966)."""

    __slots__ = ("topics", "response_partition_limit", "cursor", "unknown_tags")

    def __init__(
        self,
        # Topics to describe.
        topics: Sequence[TopicRequest] = (),
        # Most partitions in the response.
        response_partition_limit: int = 2000,
        # Where to go on; null to begin at the beginning.
        cursor: Cursor | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.topics: Sequence[TopicRequest] = [] if topics == () else topics
        self.response_partition_limit = response_partition_limit
        self.cursor = cursor
        self.unknown_tags = unknown_tags


_read_iB = Struct(">iB").unpack_from
_read_ib = Struct(">ib").unpack_from
_write_ib = Struct(">ib").pack
_write_ix = Struct(">ix").pack


def _get_cursor_v0(buf: bytes, at: int) -> tuple[Cursor, int]:
    m = new(Cursor)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.topic_name = buf[at:end].decode()
    at = end
    (m.partition_index, tags) = _read_iB(buf, at)
    at += 5
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_describe_topic_partitions_request_v0(
    buf: bytes, at: int,
) -> tuple[DescribeTopicPartitionsRequest, int]:
    m = new(DescribeTopicPartitionsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 2)
    topics: list[TopicRequest] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        topic_request = new(TopicRequest)
        topics.append(topic_request)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_request.name = buf[at:end].decode()
        at = end
        tags = buf[at]
        at += 1
        topic_request.unknown_tags = ()
        if tags:
            topic_request.unknown_tags, at = get_tags(buf, at - 1)
    (m.response_partition_limit, n) = _read_ib(buf, at)
    at += 5
    if n < 0:
        m.cursor = None
    else:
        m.cursor, at = _get_cursor_v0(buf, at)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_cursor_v0(out: Parts, m: Cursor) -> None:
    topic_name = m.topic_name.encode()
    n = len(topic_name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(topic_name)
    out.append(_write_ix(m.partition_index))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_describe_topic_partitions_request_v0(
    out: Parts, m: DescribeTopicPartitionsRequest,
) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for topic_request in topics:
        name = topic_request.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        out.append(b"\0")
        if topic_request.unknown_tags:
            put_tags(out, [], topic_request.unknown_tags)
    out.append(_write_ib(m.response_partition_limit, -1 if m.cursor is None else 1))
    if m.cursor is not None:
        _put_cursor_v0(out, m.cursor)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_describe_topic_partitions_request_v0}
_PUT = {0: _put_describe_topic_partitions_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeTopicPartitionsRequest:
    """The DescribeTopicPartitionsRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeTopicPartitionsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeTopicPartitionsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeTopicPartitionsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_TOPIC_REQUEST_SHAPE: Shape = (
    TopicRequest,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
    ),
)
_CURSOR_SHAPE: Shape = (
    Cursor,
    (
        ("topicName", "topic_name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        (
            "partitionIndex", "partition_index", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
    ),
)
_DESCRIBE_TOPIC_PARTITIONS_REQUEST_SHAPE: Shape = (
    DescribeTopicPartitionsRequest,
    (
        (
            "topics", "topics", "[]TopicRequest", (0, 0), None, None, None, (), False, (0, 0),
            _TOPIC_REQUEST_SHAPE,
        ),
        (
            "responsePartitionLimit", "response_partition_limit", "int32", (0, 0), None, None, None,
            2000, False, (0, 0), None,
        ),
        (
            "cursor", "cursor", "Cursor", (0, 0), (0, 0), None, None, None, False, (0, 0),
            _CURSOR_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_TOPIC_PARTITIONS_REQUEST_SHAPE, (0, 0), (0, 0))
