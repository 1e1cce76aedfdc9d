# GENERATED from schemas/alter_share_group_offsets_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 b9a7cdb4e4ad2955, generator 1.
"""Sets where an empty share group begins to read. Api key 91, versions 0, flexible from 0."""

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

API_KEY: Final = 91
NAME: Final = "AlterShareGroupOffsetsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class AlterShareGroupOffsetsRequestPartition(Message):
    """One row a partition."""

    __slots__ = ("partition_index", "start_offset", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Offset at which the group shall begin.
        start_offset: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.start_offset = start_offset
        self.unknown_tags = unknown_tags


class AlterShareGroupOffsetsRequestTopic(Message):
    """One row a topic."""

    __slots__ = ("topic_name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic_name: str = "",
        # One row a partition.
        partitions: Sequence[AlterShareGroupOffsetsRequestPartition] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.partitions: Sequence[AlterShareGroupOffsetsRequestPartition] = (
            [] if partitions == () else partitions
        )
        self.unknown_tags = unknown_tags


class AlterShareGroupOffsetsRequest(Message):
    """Sets where an empty share group begins to read."""

    __slots__ = ("group_id", "topics", "unknown_tags")

    def __init__(
        self,
        # Group.
        group_id: str = "",
        # One row a topic.
        topics: Sequence[AlterShareGroupOffsetsRequestTopic] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.topics: Sequence[AlterShareGroupOffsetsRequestTopic] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_iqB = Struct(">iqB").unpack_from
_rows_iqx = Struct(">iqx").iter_unpack
_write_iqx = Struct(">iqx").pack


def _get_alter_share_group_offsets_request_v0(
    buf: bytes, at: int,
) -> tuple[AlterShareGroupOffsetsRequest, int]:
    m = new(AlterShareGroupOffsetsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.group_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[AlterShareGroupOffsetsRequestTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        offsets_request_topic = new(AlterShareGroupOffsetsRequestTopic)
        topics.append(offsets_request_topic)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        offsets_request_topic.topic_name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 13)
        partitions: list[AlterShareGroupOffsetsRequestPartition] = []
        offsets_request_topic.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 12 : at + 13 * left_partitions : 13] == bytes(left_partitions)
        ):
            end = at + 13 * left_partitions
            partitions += map(new, repeat(AlterShareGroupOffsetsRequestPartition, left_partitions))
            left_partitions = 0
            for request_partition, values in zip(partitions, _rows_iqx(buf[at:end])):
                (request_partition.partition_index, request_partition.start_offset) = values
                request_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            request_partition = new(AlterShareGroupOffsetsRequestPartition)
            partitions.append(request_partition)
            (
                request_partition.partition_index, request_partition.start_offset, tags,
            ) = _read_iqB(buf, at)
            at += 13
            request_partition.unknown_tags = ()
            if tags:
                request_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        offsets_request_topic.unknown_tags = ()
        if tags:
            offsets_request_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_alter_share_group_offsets_request_v0(out: Parts, m: AlterShareGroupOffsetsRequest) -> None:
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for offsets_request_topic in topics:
        topic_name = offsets_request_topic.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        partitions = offsets_request_topic.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for request_partition in partitions:
            out.append(_write_iqx(
                request_partition.partition_index, request_partition.start_offset,
            ))
            if request_partition.unknown_tags:
                put_tags(out, [], request_partition.unknown_tags)
        out.append(b"\0")
        if offsets_request_topic.unknown_tags:
            put_tags(out, [], offsets_request_topic.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_alter_share_group_offsets_request_v0}
_PUT = {0: _put_alter_share_group_offsets_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> AlterShareGroupOffsetsRequest:
    """The AlterShareGroupOffsetsRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AlterShareGroupOffsetsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AlterShareGroupOffsetsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AlterShareGroupOffsetsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ALTER_SHARE_GROUP_OFFSETS_REQUEST_PARTITION_SHAPE: Shape = (
    AlterShareGroupOffsetsRequestPartition,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        ("startOffset", "start_offset", "int64", (0, 0), None, None, None, 0, False, (0, 0), None),
    ),
)
_ALTER_SHARE_GROUP_OFFSETS_REQUEST_TOPIC_SHAPE: Shape = (
    AlterShareGroupOffsetsRequestTopic,
    (
        ("topicName", "topic_name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        (
            "partitions", "partitions", "[]AlterShareGroupOffsetsRequestPartition", (0, 0), None,
            None, None, (), False, (0, 0), _ALTER_SHARE_GROUP_OFFSETS_REQUEST_PARTITION_SHAPE,
        ),
    ),
)
_ALTER_SHARE_GROUP_OFFSETS_REQUEST_SHAPE: Shape = (
    AlterShareGroupOffsetsRequest,
    (
        ("groupId", "group_id", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        (
            "topics", "topics", "[]AlterShareGroupOffsetsRequestTopic", (0, 0), None, None, None,
            (), False, (0, 0), _ALTER_SHARE_GROUP_OFFSETS_REQUEST_TOPIC_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_ALTER_SHARE_GROUP_OFFSETS_REQUEST_SHAPE, (0, 0), (0, 0))
