# GENERATED from schemas/offset_delete_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 c41a5298d424333b, generator 1.
"""Deletes committed offsets of a group (KIP-496). Api key 47, versions 0, never flexible."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, check_count, decode_failure, encode_failure,
    joined, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 47
NAME: Final = "OffsetDeleteRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = None


class OffsetDeleteRequestPartition(Message):
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


class OffsetDeleteRequestTopic(Message):
    """One row a topic."""

    __slots__ = ("name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # One row a partition.
        partitions: Sequence[OffsetDeleteRequestPartition] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partitions: Sequence[OffsetDeleteRequestPartition] = (
            [] if partitions == () else partitions
        )
        self.unknown_tags = unknown_tags


class OffsetDeleteRequest(Message):
    """Deletes committed offsets of a group (KIP-496)."""

    __slots__ = ("group_id", "topics", "unknown_tags")

    def __init__(
        self,
        # Group.
        group_id: str = "",
        # One row a topic.
        topics: Sequence[OffsetDeleteRequestTopic] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.topics: Sequence[OffsetDeleteRequestTopic] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_rows_i = Struct(">i").iter_unpack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack


def _get_offset_delete_request_v0(buf: bytes, at: int) -> tuple[OffsetDeleteRequest, int]:
    m = new(OffsetDeleteRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.group_id = buf[at:end].decode()
    at = end
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[OffsetDeleteRequestTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        delete_request_topic = new(OffsetDeleteRequestTopic)
        topics.append(delete_request_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        delete_request_topic.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 4)
        partitions: list[OffsetDeleteRequestPartition] = []
        delete_request_topic.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 4 * left_partitions
            partitions += map(new, repeat(OffsetDeleteRequestPartition, left_partitions))
            left_partitions = 0
            for request_partition, values in zip(partitions, _rows_i(buf[at:end])):
                (request_partition.partition_index,) = values
                request_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            request_partition = new(OffsetDeleteRequestPartition)
            partitions.append(request_partition)
            (request_partition.partition_index,) = _read_i(buf, at)
            at += 4
            request_partition.unknown_tags = ()
        delete_request_topic.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _put_offset_delete_request_v0(out: Parts, m: OffsetDeleteRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    group_id = m.group_id.encode()
    n = len(group_id)
    out.append(_write_h(n))
    out.append(group_id)
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    for delete_request_topic in topics:
        if delete_request_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = delete_request_topic.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = delete_request_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for request_partition in partitions:
            if request_partition.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_i(request_partition.partition_index))


_GET = {0: _get_offset_delete_request_v0}
_PUT = {0: _put_offset_delete_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> OffsetDeleteRequest:
    """The OffsetDeleteRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[OffsetDeleteRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: OffsetDeleteRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: OffsetDeleteRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_OFFSET_DELETE_REQUEST_PARTITION_SHAPE: Shape = (
    OffsetDeleteRequestPartition,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 0), None, None, None, 0, False, None,
            None,
        ),
    ),
)
_OFFSET_DELETE_REQUEST_TOPIC_SHAPE: Shape = (
    OffsetDeleteRequestTopic,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, None, None),
        (
            "partitions", "partitions", "[]OffsetDeleteRequestPartition", (0, 0), None, None, None,
            (), False, None, _OFFSET_DELETE_REQUEST_PARTITION_SHAPE,
        ),
    ),
)
_OFFSET_DELETE_REQUEST_SHAPE: Shape = (
    OffsetDeleteRequest,
    (
        ("groupId", "group_id", "string", (0, 0), None, None, None, "", False, None, None),
        (
            "topics", "topics", "[]OffsetDeleteRequestTopic", (0, 0), None, None, None, (), False,
            None, _OFFSET_DELETE_REQUEST_TOPIC_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_OFFSET_DELETE_REQUEST_SHAPE, (0, 0), None)
