# GENERATED from schemas/group/consumer_group_partition_metadata_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 795a77c8b31950d7, generator 1.
"""Topics that a consumer group subscribed to; no longer written. Record type 4, versions 0,
flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_compact_texts, get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text,
    put_compact_texts, put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 4
NAME: Final = "ConsumerGroupPartitionMetadataValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class PartitionMetadata(Message):
    """One row a partition, where racks are known."""

    __slots__ = ("partition", "racks", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition: int = 0,
        # Racks of the replicas.
        racks: Sequence[str] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.partition = partition
        self.racks: Sequence[str] = [] if racks == () else racks
        self.unknown_tags = unknown_tags


class TopicMetadata(Message):
    """One row a topic."""

    __slots__ = ("topic_id", "topic_name", "num_partitions", "partition_metadata", "unknown_tags")

    def __init__(
        self,
        # Id of the topic.
        topic_id: bytes = ZERO_UUID,
        # Name of the topic.
        topic_name: str = "",
        # Number of partitions.
        num_partitions: int = 0,
        # One row a partition, where racks are known.
        partition_metadata: Sequence[PartitionMetadata] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_id = topic_id
        self.topic_name = topic_name
        self.num_partitions = num_partitions
        self.partition_metadata: Sequence[PartitionMetadata] = (
            [] if partition_metadata == () else partition_metadata
        )
        self.unknown_tags = unknown_tags


class ConsumerGroupPartitionMetadataValue(Message):
    """Topics that a consumer group subscribed to; no longer written."""

    __slots__ = ("topics", "unknown_tags")

    def __init__(
        self,
        # One row a topic.
        topics: Sequence[TopicMetadata] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topics: Sequence[TopicMetadata] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_16sB = Struct(">16sB").pack
_write_iB = Struct(">iB").pack


def _get_consumer_group_partition_metadata_value_v0(
    buf: bytes, at: int,
) -> tuple[ConsumerGroupPartitionMetadataValue, int]:
    m = new(ConsumerGroupPartitionMetadataValue)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 23)
    topics: list[TopicMetadata] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        topic_metadata = new(TopicMetadata)
        topics.append(topic_metadata)
        (topic_metadata.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_metadata.topic_name = buf[at:end].decode()
        at = end
        (topic_metadata.num_partitions, n) = _read_iB(buf, at)
        at += 5
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 6)
        partition_metadata: list[PartitionMetadata] = []
        topic_metadata.partition_metadata = partition_metadata
        left_partition_metadata = n - 1
        while left_partition_metadata:
            left_partition_metadata -= 1
            partition_metadata_ = new(PartitionMetadata)
            partition_metadata.append(partition_metadata_)
            (partition_metadata_.partition, n) = _read_iB(buf, at)
            at += 5
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 1)
            partition_metadata_.racks, at = get_compact_texts(buf, at, n - 1)
            tags = buf[at]
            at += 1
            partition_metadata_.unknown_tags = ()
            if tags:
                partition_metadata_.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_metadata.unknown_tags = ()
        if tags:
            topic_metadata.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_consumer_group_partition_metadata_value_v0(
    out: Parts, m: ConsumerGroupPartitionMetadataValue,
) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for topic_metadata in topics:
        if len(topic_metadata.topic_id) != 16:
            refuse_uuid("topic_id")
        topic_name = topic_metadata.topic_name.encode()
        n = len(topic_name) + 1
        out.append(_write_16sB(topic_metadata.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(topic_name)
        partition_metadata = topic_metadata.partition_metadata
        n = len(partition_metadata) + 1
        out.append(_write_iB(topic_metadata.num_partitions, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for partition_metadata_ in partition_metadata:
            racks = partition_metadata_.racks
            n = len(racks) + 1
            out.append(_write_iB(partition_metadata_.partition, n if n < 128 else 0))
            if n > 127:
                lengthen(out, n)
            put_compact_texts(out, racks)
            out.append(b"\0")
            if partition_metadata_.unknown_tags:
                put_tags(out, [], partition_metadata_.unknown_tags)
        out.append(b"\0")
        if topic_metadata.unknown_tags:
            put_tags(out, [], topic_metadata.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_consumer_group_partition_metadata_value_v0}
_PUT = {0: _put_consumer_group_partition_metadata_value_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ConsumerGroupPartitionMetadataValue:
    """The ConsumerGroupPartitionMetadataValue that begins at ``at``, in this version; what follows
    it is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ConsumerGroupPartitionMetadataValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ConsumerGroupPartitionMetadataValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ConsumerGroupPartitionMetadataValue, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_PARTITION_METADATA_SHAPE: Shape = (
    PartitionMetadata,
    (
        ("partition", "partition", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("racks", "racks", "[]string", (0, 0), None, None, None, (), False, (0, 0), None),
    ),
)
_TOPIC_METADATA_SHAPE: Shape = (
    TopicMetadata,
    (
        ("topicId", "topic_id", "uuid", (0, 0), None, None, None, ZERO_UUID, False, (0, 0), None),
        ("topicName", "topic_name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        (
            "numPartitions", "num_partitions", "int32", (0, 0), None, None, None, 0, False, (0, 0),
            None,
        ),
        (
            "partitionMetadata", "partition_metadata", "[]PartitionMetadata", (0, 0), None, None,
            None, (), False, (0, 0), _PARTITION_METADATA_SHAPE,
        ),
    ),
)
_CONSUMER_GROUP_PARTITION_METADATA_VALUE_SHAPE: Shape = (
    ConsumerGroupPartitionMetadataValue,
    (
        (
            "topics", "topics", "[]TopicMetadata", (0, 0), None, None, None, (), False, (0, 0),
            _TOPIC_METADATA_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_CONSUMER_GROUP_PARTITION_METADATA_VALUE_SHAPE, (0, 0), (0, 0))
