# GENERATED from schemas/alter_partition_reassignments_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 8048e250e057e3ac, generator 1.
"""Starts, changes or cancels moves of partitions between brokers (KIP-455). Api key 45, versions
0-1, flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head, put_tags,
    refuse_field, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 45
NAME: Final = "AlterPartitionReassignmentsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 0


class ReassignablePartition(Message):
    """One row a partition."""

    __slots__ = ("partition_index", "replicas", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Replicas to end with, preferred leader first; null cancels the move.
        replicas: Sequence[int] | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.replicas = replicas
        self.unknown_tags = unknown_tags


class ReassignableTopic(Message):
    """One row a topic."""

    __slots__ = ("name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # One row a partition.
        partitions: Sequence[ReassignablePartition] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partitions: Sequence[ReassignablePartition] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class AlterPartitionReassignmentsRequest(Message):
    """Starts, changes or cancels moves of partitions between brokers (KIP-455)."""

    __slots__ = ("timeout_ms", "allow_replication_factor_change", "topics", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the server may take.
        timeout_ms: int = 60000,
        # False to refuse a move that changes the number of replicas. (v1+)
        allow_replication_factor_change: bool = True,
        # One row a topic.
        topics: Sequence[ReassignableTopic] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.timeout_ms = timeout_ms
        self.allow_replication_factor_change = allow_replication_factor_change
        self.topics: Sequence[ReassignableTopic] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_array_ci = ArrayReads("i", "", 1)
_read_itB = Struct(">i?B").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_itB = Struct(">i?B").pack
_write_iB = Struct(">iB").pack
_write_many_i = ArrayWrites("*i")


def _get_alter_partition_reassignments_request_v0(
    buf: bytes, at: int,
) -> tuple[AlterPartitionReassignmentsRequest, int]:
    m = new(AlterPartitionReassignmentsRequest)
    (m.timeout_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[ReassignableTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        reassignable_topic = new(ReassignableTopic)
        topics.append(reassignable_topic)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        reassignable_topic.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 6)
        partitions: list[ReassignablePartition] = []
        reassignable_topic.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            reassignable_partition = new(ReassignablePartition)
            partitions.append(reassignable_partition)
            (reassignable_partition.partition_index, n_replicas) = _read_iB(buf, at)
            at += 5
            if n_replicas == 0:
                reassignable_partition.replicas = None
            else:
                if n_replicas > 127:
                    n_replicas, at = long_count(buf, at, 4)
                reassignable_partition.replicas = [*_read_array_ci[n_replicas](buf, at)]
                at += 4 * n_replicas - 4
            tags = buf[at]
            at += 1
            reassignable_partition.unknown_tags = ()
            if tags:
                reassignable_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        reassignable_topic.unknown_tags = ()
        if tags:
            reassignable_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.allow_replication_factor_change = True
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_alter_partition_reassignments_request_v1(
    buf: bytes, at: int,
) -> tuple[AlterPartitionReassignmentsRequest, int]:
    m = new(AlterPartitionReassignmentsRequest)
    (m.timeout_ms, m.allow_replication_factor_change, n) = _read_itB(buf, at)
    at += 6
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[ReassignableTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        reassignable_topic = new(ReassignableTopic)
        topics.append(reassignable_topic)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        reassignable_topic.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 6)
        partitions: list[ReassignablePartition] = []
        reassignable_topic.partitions = partitions
        left_partitions = n - 1
        while left_partitions:
            left_partitions -= 1
            reassignable_partition = new(ReassignablePartition)
            partitions.append(reassignable_partition)
            (reassignable_partition.partition_index, n_replicas) = _read_iB(buf, at)
            at += 5
            if n_replicas == 0:
                reassignable_partition.replicas = None
            else:
                if n_replicas > 127:
                    n_replicas, at = long_count(buf, at, 4)
                reassignable_partition.replicas = [*_read_array_ci[n_replicas](buf, at)]
                at += 4 * n_replicas - 4
            tags = buf[at]
            at += 1
            reassignable_partition.unknown_tags = ()
            if tags:
                reassignable_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        reassignable_topic.unknown_tags = ()
        if tags:
            reassignable_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_alter_partition_reassignments_request_v0(
    out: Parts, m: AlterPartitionReassignmentsRequest,
) -> None:
    if not m.allow_replication_factor_change:
        refuse_field("allow_replication_factor_change")
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.timeout_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for reassignable_topic in topics:
        name = reassignable_topic.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partitions = reassignable_topic.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for reassignable_partition in partitions:
            replicas = reassignable_partition.replicas
            n = 0 if replicas is None else len(replicas) + 1
            out.append(_write_iB(reassignable_partition.partition_index, n if n < 128 else 0))
            if n > 127:
                lengthen(out, n)
            if replicas is not None:
                out.append(_write_many_i[len(replicas)](*replicas))
            out.append(b"\0")
            if reassignable_partition.unknown_tags:
                put_tags(out, [], reassignable_partition.unknown_tags)
        out.append(b"\0")
        if reassignable_topic.unknown_tags:
            put_tags(out, [], reassignable_topic.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_alter_partition_reassignments_request_v1(
    out: Parts, m: AlterPartitionReassignmentsRequest,
) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_itB(m.timeout_ms, m.allow_replication_factor_change, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for reassignable_topic in topics:
        name = reassignable_topic.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partitions = reassignable_topic.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for reassignable_partition in partitions:
            replicas = reassignable_partition.replicas
            n = 0 if replicas is None else len(replicas) + 1
            out.append(_write_iB(reassignable_partition.partition_index, n if n < 128 else 0))
            if n > 127:
                lengthen(out, n)
            if replicas is not None:
                out.append(_write_many_i[len(replicas)](*replicas))
            out.append(b"\0")
            if reassignable_partition.unknown_tags:
                put_tags(out, [], reassignable_partition.unknown_tags)
        out.append(b"\0")
        if reassignable_topic.unknown_tags:
            put_tags(out, [], reassignable_topic.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_alter_partition_reassignments_request_v0,
    1: _get_alter_partition_reassignments_request_v1,
}
_PUT = {
    0: _put_alter_partition_reassignments_request_v0,
    1: _put_alter_partition_reassignments_request_v1,
}


def decode(buf: Buffer, version: int, at: int = 0) -> AlterPartitionReassignmentsRequest:
    """The AlterPartitionReassignmentsRequest that begins at ``at``, in this version; what follows
    it is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AlterPartitionReassignmentsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AlterPartitionReassignmentsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AlterPartitionReassignmentsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_REASSIGNABLE_PARTITION_SHAPE: Shape = (
    ReassignablePartition,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 1), None, None, None, 0, False,
            (0, 1), None,
        ),
        ("replicas", "replicas", "[]int32", (0, 1), (0, 1), None, None, None, False, (0, 1), None),
    ),
)
_REASSIGNABLE_TOPIC_SHAPE: Shape = (
    ReassignableTopic,
    (
        ("name", "name", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        (
            "partitions", "partitions", "[]ReassignablePartition", (0, 1), None, None, None, (),
            False, (0, 1), _REASSIGNABLE_PARTITION_SHAPE,
        ),
    ),
)
_ALTER_PARTITION_REASSIGNMENTS_REQUEST_SHAPE: Shape = (
    AlterPartitionReassignmentsRequest,
    (
        ("timeoutMs", "timeout_ms", "int32", (0, 1), None, None, None, 60000, False, (0, 1), None),
        (
            "allowReplicationFactorChange", "allow_replication_factor_change", "bool", (1, 1), None,
            None, None, True, False, (0, 1), None,
        ),
        (
            "topics", "topics", "[]ReassignableTopic", (0, 1), None, None, None, (), False, (0, 1),
            _REASSIGNABLE_TOPIC_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_ALTER_PARTITION_REASSIGNMENTS_REQUEST_SHAPE, (0, 1), (0, 1))
