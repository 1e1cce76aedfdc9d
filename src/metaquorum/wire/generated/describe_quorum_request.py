# GENERATED from schemas/describe_quorum_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 79f39e011749a3c3, generator 1.
"""Asks the quorum's leader how far every replica is. Api key 55, versions 0-2, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_count, long_head, long_text, long_text_head, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 55
NAME: Final = "DescribeQuorumRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 0


class PartitionData(Message):
    """One row a partition."""

    __slots__ = ("partition_index", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.unknown_tags = unknown_tags


class TopicData(Message):
    """One row a topic."""

    __slots__ = ("topic_name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic_name: str = "",
        # One row a partition.
        partitions: Sequence[PartitionData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.partitions: Sequence[PartitionData] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class DescribeQuorumRequest(Message):
    """Asks the quorum's leader how far every replica is."""

    __slots__ = ("topics", "unknown_tags")

    def __init__(
        self,
        # One row a topic.
        topics: Sequence[TopicData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topics: Sequence[TopicData] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_iB = Struct(">iB").unpack_from
_rows_ix = Struct(">ix").iter_unpack
_write_ix = Struct(">ix").pack


def _get_describe_quorum_request_v0(buf: bytes, at: int) -> tuple[DescribeQuorumRequest, int]:
    m = new(DescribeQuorumRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[TopicData] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        topic_data = new(TopicData)
        topics.append(topic_data)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_data.topic_name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 5)
        partitions: list[PartitionData] = []
        topic_data.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 4 : at + 5 * left_partitions : 5] == bytes(left_partitions)
        ):
            end = at + 5 * left_partitions
            partitions += map(new, repeat(PartitionData, left_partitions))
            left_partitions = 0
            for partition_data, values in zip(partitions, _rows_ix(buf[at:end])):
                (partition_data.partition_index,) = values
                partition_data.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            partition_data = new(PartitionData)
            partitions.append(partition_data)
            (partition_data.partition_index, tags) = _read_iB(buf, at)
            at += 5
            partition_data.unknown_tags = ()
            if tags:
                partition_data.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_data.unknown_tags = ()
        if tags:
            topic_data.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_quorum_request_v0(out: Parts, m: DescribeQuorumRequest) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for topic_data in topics:
        topic_name = topic_data.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        partitions = topic_data.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_data in partitions:
            out.append(_write_ix(partition_data.partition_index))
            if partition_data.unknown_tags:
                put_tags(out, [], partition_data.unknown_tags)
        out.append(b"\0")
        if topic_data.unknown_tags:
            put_tags(out, [], topic_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_describe_quorum_request_v0, 1: _get_describe_quorum_request_v0,
    2: _get_describe_quorum_request_v0,
}
_PUT = {
    0: _put_describe_quorum_request_v0, 1: _put_describe_quorum_request_v0,
    2: _put_describe_quorum_request_v0,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeQuorumRequest:
    """The DescribeQuorumRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeQuorumRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeQuorumRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeQuorumRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_PARTITION_DATA_SHAPE: Shape = (
    PartitionData,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 2), None, None, None, 0, False,
            (0, 2), None,
        ),
    ),
)
_TOPIC_DATA_SHAPE: Shape = (
    TopicData,
    (
        ("topicName", "topic_name", "string", (0, 2), None, None, None, "", False, (0, 2), None),
        (
            "partitions", "partitions", "[]PartitionData", (0, 2), None, None, None, (), False,
            (0, 2), _PARTITION_DATA_SHAPE,
        ),
    ),
)
_DESCRIBE_QUORUM_REQUEST_SHAPE: Shape = (
    DescribeQuorumRequest,
    (
        (
            "topics", "topics", "[]TopicData", (0, 2), None, None, None, (), False, (0, 2),
            _TOPIC_DATA_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_QUORUM_REQUEST_SHAPE, (0, 2), (0, 2))
