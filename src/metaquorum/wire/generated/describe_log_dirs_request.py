# GENERATED from schemas/describe_log_dirs_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 4f958e73a151bca7, generator 1.
"""Asks which replicas lie in the broker's log directories. Api key 35, versions 0-5, flexible from
2.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, long_count, long_head, long_text, long_text_head, put_tags,
    refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 35
NAME: Final = "DescribeLogDirsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 5
FLEXIBLE_FROM: Final[int | None] = 2


class DescribableLogDirTopic(Message):
    """Topics to describe; null for all."""

    __slots__ = ("topic", "partitions", "unknown_tags")

    def __init__(
        self,
        # Topic to describe.
        topic: str = "",
        # Partitions to describe.
        partitions: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic = topic
        self.partitions: Sequence[int] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class DescribeLogDirsRequest(Message):
    """Asks which replicas lie in the broker's log directories."""

    __slots__ = ("topics", "unknown_tags")

    def __init__(
        self,
        # Topics to describe; null for all.
        topics: Sequence[DescribableLogDirTopic] | None = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topics: Sequence[DescribableLogDirTopic] | None = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_array_ni = ArrayReads("i", "", 0)
_read_array_ci_B = ArrayReads("i", "B", 1)
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_B_many_i_x = ArrayWrites("B *i x")
_write_i_many_i = ArrayWrites("i *i")


def _get_describe_log_dirs_request_v0(buf: bytes, at: int) -> tuple[DescribeLogDirsRequest, int]:
    m = new(DescribeLogDirsRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if n < 0:
        m.topics = None
    else:
        if n > 127:
            check_count(buf, at, n, 6)
        topics: list[DescribableLogDirTopic] = []
        m.topics = topics
        left_topics = n
        while left_topics:
            left_topics -= 1
            log_dir_topic = new(DescribableLogDirTopic)
            topics.append(log_dir_topic)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            log_dir_topic.topic = buf[at:end].decode()
            at = end
            (n_partitions,) = _read_i(buf, at)
            at += 4
            if not 0 <= n_partitions < 128:
                check_count(buf, at, n_partitions, 4)
            log_dir_topic.partitions = [*_read_array_ni[n_partitions](buf, at)]
            at += 4 * n_partitions
            log_dir_topic.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_log_dirs_request_v2(buf: bytes, at: int) -> tuple[DescribeLogDirsRequest, int]:
    m = new(DescribeLogDirsRequest)
    n = buf[at]
    at += 1
    if n == 0:
        m.topics = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 3)
        topics: list[DescribableLogDirTopic] = []
        m.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            log_dir_topic = new(DescribableLogDirTopic)
            topics.append(log_dir_topic)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            log_dir_topic.topic = buf[at:end].decode()
            at = end
            n_partitions = buf[at]
            at += 1
            if n_partitions > 127:
                n_partitions, at = long_count(buf, at, 4)
            (*log_dir_topic.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
            at += 4 * n_partitions - 3
            log_dir_topic.unknown_tags = ()
            if tags:
                log_dir_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_log_dirs_request_v0(out: Parts, m: DescribeLogDirsRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = -1 if topics is None else len(topics)
    out.append(_write_i(n))
    if topics is not None:
        for log_dir_topic in topics:
            if log_dir_topic.unknown_tags:
                refuse_field("unknown_tags")
            topic = log_dir_topic.topic.encode()
            n = len(topic)
            out.append(_write_h(n))
            out.append(topic)
            partitions = log_dir_topic.partitions
            n_partitions = len(partitions)
            write = _write_i_many_i[n_partitions]
            out.append(write(n_partitions, *partitions))


def _put_describe_log_dirs_request_v2(out: Parts, m: DescribeLogDirsRequest) -> None:
    topics = m.topics
    n = 0 if topics is None else len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if topics is not None:
        for log_dir_topic in topics:
            topic = log_dir_topic.topic.encode()
            n = len(topic) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(topic)
            partitions = log_dir_topic.partitions
            n_partitions = len(partitions)
            write = _write_B_many_i_x[n_partitions]
            out.append(write(n_partitions + 1, *partitions))
            if log_dir_topic.unknown_tags:
                put_tags(out, [], log_dir_topic.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_describe_log_dirs_request_v0, 1: _get_describe_log_dirs_request_v0,
    2: _get_describe_log_dirs_request_v2, 3: _get_describe_log_dirs_request_v2,
    4: _get_describe_log_dirs_request_v2, 5: _get_describe_log_dirs_request_v2,
}
_PUT = {
    0: _put_describe_log_dirs_request_v0, 1: _put_describe_log_dirs_request_v0,
    2: _put_describe_log_dirs_request_v2, 3: _put_describe_log_dirs_request_v2,
    4: _put_describe_log_dirs_request_v2, 5: _put_describe_log_dirs_request_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeLogDirsRequest:
    """The DescribeLogDirsRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeLogDirsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeLogDirsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeLogDirsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DESCRIBABLE_LOG_DIR_TOPIC_SHAPE: Shape = (
    DescribableLogDirTopic,
    (
        ("topic", "topic", "string", (0, 5), None, None, None, "", False, (2, 5), None),
        ("partitions", "partitions", "[]int32", (0, 5), None, None, None, (), False, (2, 5), None),
    ),
)
_DESCRIBE_LOG_DIRS_REQUEST_SHAPE: Shape = (
    DescribeLogDirsRequest,
    (
        (
            "topics", "topics", "[]DescribableLogDirTopic", (0, 5), (0, 5), None, None, (), False,
            (2, 5), _DESCRIBABLE_LOG_DIR_TOPIC_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_LOG_DIRS_REQUEST_SHAPE, (0, 5), (2, 5))
