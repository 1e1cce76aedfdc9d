# GENERATED from schemas/describe_producers_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 4cc3027652387901, generator 1.
"""Asks which producers write to partitions (KIP-664). Api key 61, versions 0, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_count, long_head, long_text, long_text_head, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 61
NAME: Final = "DescribeProducersRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class TopicRequest(Message):
    """One row a topic."""

    __slots__ = ("name", "partition_indexes", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # Partitions whose producers are asked for.
        partition_indexes: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partition_indexes: Sequence[int] = [] if partition_indexes == () else partition_indexes
        self.unknown_tags = unknown_tags


class DescribeProducersRequest(Message):
    """Asks which producers write to partitions (KIP-664)."""

    __slots__ = ("topics", "unknown_tags")

    def __init__(
        self,
        # One row a topic.
        topics: Sequence[TopicRequest] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topics: Sequence[TopicRequest] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_array_ci_B = ArrayReads("i", "B", 1)
_write_B_many_i_x = ArrayWrites("B *i x")


def _get_describe_producers_request_v0(buf: bytes, at: int) -> tuple[DescribeProducersRequest, int]:
    m = new(DescribeProducersRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
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
        n_partition_indexes = buf[at]
        at += 1
        if n_partition_indexes > 127:
            n_partition_indexes, at = long_count(buf, at, 4)
        (*topic_request.partition_indexes, tags) = _read_array_ci_B[n_partition_indexes](buf, at)
        at += 4 * n_partition_indexes - 3
        topic_request.unknown_tags = ()
        if tags:
            topic_request.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_producers_request_v0(out: Parts, m: DescribeProducersRequest) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for topic_request in topics:
        name = topic_request.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partition_indexes = topic_request.partition_indexes
        n_partition_indexes = len(partition_indexes)
        write = _write_B_many_i_x[n_partition_indexes]
        out.append(write(n_partition_indexes + 1, *partition_indexes))
        if topic_request.unknown_tags:
            put_tags(out, [], topic_request.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_describe_producers_request_v0}
_PUT = {0: _put_describe_producers_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeProducersRequest:
    """The DescribeProducersRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeProducersRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeProducersRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeProducersRequest, version: int) -> None:
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
        (
            "partitionIndexes", "partition_indexes", "[]int32", (0, 0), None, None, None, (), False,
            (0, 0), None,
        ),
    ),
)
_DESCRIBE_PRODUCERS_REQUEST_SHAPE: Shape = (
    DescribeProducersRequest,
    (
        (
            "topics", "topics", "[]TopicRequest", (0, 0), None, None, None, (), False, (0, 0),
            _TOPIC_REQUEST_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_PRODUCERS_REQUEST_SHAPE, (0, 0), (0, 0))
