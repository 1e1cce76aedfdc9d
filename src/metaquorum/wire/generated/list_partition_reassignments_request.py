# GENERATED from schemas/list_partition_reassignments_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 4259e38c6af470ba, generator 1.
"""Asks which partitions are on the move. Api key 46, versions 0, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, long_count, long_text, long_text_head, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 46
NAME: Final = "ListPartitionReassignmentsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class ListPartitionReassignmentsTopics(Message):
    """One row a topic; null for all."""

    __slots__ = ("name", "partition_indexes", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # Partition indexes.
        partition_indexes: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partition_indexes: Sequence[int] = [] if partition_indexes == () else partition_indexes
        self.unknown_tags = unknown_tags


class ListPartitionReassignmentsRequest(Message):
    """Asks which partitions are on the move."""

    __slots__ = ("timeout_ms", "topics", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the server may take.
        timeout_ms: int = 60000,
        # One row a topic; null for all.
        topics: Sequence[ListPartitionReassignmentsTopics] | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.timeout_ms = timeout_ms
        self.topics = topics
        self.unknown_tags = unknown_tags


_read_array_ci_B = ArrayReads("i", "B", 1)
_read_iB = Struct(">iB").unpack_from
_write_iB = Struct(">iB").pack
_write_B_many_i_x = ArrayWrites("B *i x")


def _get_list_partition_reassignments_request_v0(
    buf: bytes, at: int,
) -> tuple[ListPartitionReassignmentsRequest, int]:
    m = new(ListPartitionReassignmentsRequest)
    (m.timeout_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0:
        m.topics = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 3)
        topics: list[ListPartitionReassignmentsTopics] = []
        m.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            reassignments_topics = new(ListPartitionReassignmentsTopics)
            topics.append(reassignments_topics)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            reassignments_topics.name = buf[at:end].decode()
            at = end
            n_partition_indexes = buf[at]
            at += 1
            if n_partition_indexes > 127:
                n_partition_indexes, at = long_count(buf, at, 4)
            (
                *reassignments_topics.partition_indexes, tags,
            ) = _read_array_ci_B[n_partition_indexes](buf, at)
            at += 4 * n_partition_indexes - 3
            reassignments_topics.unknown_tags = ()
            if tags:
                reassignments_topics.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_list_partition_reassignments_request_v0(
    out: Parts, m: ListPartitionReassignmentsRequest,
) -> None:
    topics = m.topics
    n = 0 if topics is None else len(topics) + 1
    out.append(_write_iB(m.timeout_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    if topics is not None:
        for reassignments_topics in topics:
            name = reassignments_topics.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            partition_indexes = reassignments_topics.partition_indexes
            n_partition_indexes = len(partition_indexes)
            write = _write_B_many_i_x[n_partition_indexes]
            out.append(write(n_partition_indexes + 1, *partition_indexes))
            if reassignments_topics.unknown_tags:
                put_tags(out, [], reassignments_topics.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_list_partition_reassignments_request_v0}
_PUT = {0: _put_list_partition_reassignments_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ListPartitionReassignmentsRequest:
    """The ListPartitionReassignmentsRequest that begins at ``at``, in this version; what follows it
    is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ListPartitionReassignmentsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ListPartitionReassignmentsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ListPartitionReassignmentsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_LIST_PARTITION_REASSIGNMENTS_TOPICS_SHAPE: Shape = (
    ListPartitionReassignmentsTopics,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        (
            "partitionIndexes", "partition_indexes", "[]int32", (0, 0), None, None, None, (), False,
            (0, 0), None,
        ),
    ),
)
_LIST_PARTITION_REASSIGNMENTS_REQUEST_SHAPE: Shape = (
    ListPartitionReassignmentsRequest,
    (
        ("timeoutMs", "timeout_ms", "int32", (0, 0), None, None, None, 60000, False, (0, 0), None),
        (
            "topics", "topics", "[]ListPartitionReassignmentsTopics", (0, 0), (0, 0), None, None,
            None, False, (0, 0), _LIST_PARTITION_REASSIGNMENTS_TOPICS_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_LIST_PARTITION_REASSIGNMENTS_REQUEST_SHAPE, (0, 0), (0, 0))
