# GENERATED from schemas/offset_for_leader_epoch_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 a18f3541b60ff1a7, generator 1.
"""Asks where leader epochs end, to find out about truncation (KIP-320). Api key 23, versions 0-4,
flexible from 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head,
    put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 23
NAME: Final = "OffsetForLeaderEpochRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 4
FLEXIBLE_FROM: Final[int | None] = 4


class OffsetForLeaderPartition(Message):
    """One row a partition."""

    __slots__ = ("partition", "current_leader_epoch", "leader_epoch", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition: int = 0,
        # Leader epoch the client believes in; -1 turns the check off. (v2+)
        current_leader_epoch: int = -1,
        # Epoch whose end is asked for.
        leader_epoch: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition = partition
        self.current_leader_epoch = current_leader_epoch
        self.leader_epoch = leader_epoch
        self.unknown_tags = unknown_tags


class OffsetForLeaderTopic(Message):
    """One row a topic."""

    __slots__ = ("topic", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic: str = "",
        # One row a partition.
        partitions: Sequence[OffsetForLeaderPartition] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic = topic
        self.partitions: Sequence[OffsetForLeaderPartition] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class OffsetForLeaderEpochRequest(Message):
    """Asks where leader epochs end, to find out about truncation (KIP-320)."""

    __slots__ = ("replica_id", "topics", "unknown_tags")

    def __init__(
        self,
        # Broker that asks; -1 for a consumer, -2 for a debugging client. (v3+)
        replica_id: int = -2,
        # One row a topic.
        topics: Sequence[OffsetForLeaderTopic] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.replica_id = replica_id
        self.topics: Sequence[OffsetForLeaderTopic] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_2i = Struct(">2i").unpack_from
_read_3i = Struct(">3i").unpack_from
_read_3iB = Struct(">3iB").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_rows_2i = Struct(">2i").iter_unpack
_rows_3i = Struct(">3i").iter_unpack
_rows_3ix = Struct(">3ix").iter_unpack
_write_2i = Struct(">2i").pack
_write_3i = Struct(">3i").pack
_write_3ix = Struct(">3ix").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack


def _get_offset_for_leader_epoch_request_v0(
    buf: bytes, at: int,
) -> tuple[OffsetForLeaderEpochRequest, int]:
    m = new(OffsetForLeaderEpochRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[OffsetForLeaderTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        for_leader_topic = new(OffsetForLeaderTopic)
        topics.append(for_leader_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        for_leader_topic.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 8)
        partitions: list[OffsetForLeaderPartition] = []
        for_leader_topic.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 8 * left_partitions
            partitions += map(new, repeat(OffsetForLeaderPartition, left_partitions))
            left_partitions = 0
            for for_leader_partition, values in zip(partitions, _rows_2i(buf[at:end])):
                (for_leader_partition.partition, for_leader_partition.leader_epoch) = values
                for_leader_partition.current_leader_epoch = -1
                for_leader_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            for_leader_partition = new(OffsetForLeaderPartition)
            partitions.append(for_leader_partition)
            (for_leader_partition.partition, for_leader_partition.leader_epoch) = _read_2i(buf, at)
            at += 8
            for_leader_partition.current_leader_epoch = -1
            for_leader_partition.unknown_tags = ()
        for_leader_topic.unknown_tags = ()
    m.replica_id = -2
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_offset_for_leader_epoch_request_v2(
    buf: bytes, at: int,
) -> tuple[OffsetForLeaderEpochRequest, int]:
    m = new(OffsetForLeaderEpochRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[OffsetForLeaderTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        for_leader_topic = new(OffsetForLeaderTopic)
        topics.append(for_leader_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        for_leader_topic.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 12)
        partitions: list[OffsetForLeaderPartition] = []
        for_leader_topic.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 12 * left_partitions
            partitions += map(new, repeat(OffsetForLeaderPartition, left_partitions))
            left_partitions = 0
            for for_leader_partition, values in zip(partitions, _rows_3i(buf[at:end])):
                (
                    for_leader_partition.partition, for_leader_partition.current_leader_epoch,
                    for_leader_partition.leader_epoch,
                ) = values
                for_leader_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            for_leader_partition = new(OffsetForLeaderPartition)
            partitions.append(for_leader_partition)
            (
                for_leader_partition.partition, for_leader_partition.current_leader_epoch,
                for_leader_partition.leader_epoch,
            ) = _read_3i(buf, at)
            at += 12
            for_leader_partition.unknown_tags = ()
        for_leader_topic.unknown_tags = ()
    m.replica_id = -2
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_offset_for_leader_epoch_request_v3(
    buf: bytes, at: int,
) -> tuple[OffsetForLeaderEpochRequest, int]:
    m = new(OffsetForLeaderEpochRequest)
    (m.replica_id, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[OffsetForLeaderTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        for_leader_topic = new(OffsetForLeaderTopic)
        topics.append(for_leader_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        for_leader_topic.topic = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 12)
        partitions: list[OffsetForLeaderPartition] = []
        for_leader_topic.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 12 * left_partitions
            partitions += map(new, repeat(OffsetForLeaderPartition, left_partitions))
            left_partitions = 0
            for for_leader_partition, values in zip(partitions, _rows_3i(buf[at:end])):
                (
                    for_leader_partition.partition, for_leader_partition.current_leader_epoch,
                    for_leader_partition.leader_epoch,
                ) = values
                for_leader_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            for_leader_partition = new(OffsetForLeaderPartition)
            partitions.append(for_leader_partition)
            (
                for_leader_partition.partition, for_leader_partition.current_leader_epoch,
                for_leader_partition.leader_epoch,
            ) = _read_3i(buf, at)
            at += 12
            for_leader_partition.unknown_tags = ()
        for_leader_topic.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_offset_for_leader_epoch_request_v4(
    buf: bytes, at: int,
) -> tuple[OffsetForLeaderEpochRequest, int]:
    m = new(OffsetForLeaderEpochRequest)
    (m.replica_id, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[OffsetForLeaderTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        for_leader_topic = new(OffsetForLeaderTopic)
        topics.append(for_leader_topic)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        for_leader_topic.topic = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 13)
        partitions: list[OffsetForLeaderPartition] = []
        for_leader_topic.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 12 : at + 13 * left_partitions : 13] == bytes(left_partitions)
        ):
            end = at + 13 * left_partitions
            partitions += map(new, repeat(OffsetForLeaderPartition, left_partitions))
            left_partitions = 0
            for for_leader_partition, values in zip(partitions, _rows_3ix(buf[at:end])):
                (
                    for_leader_partition.partition, for_leader_partition.current_leader_epoch,
                    for_leader_partition.leader_epoch,
                ) = values
                for_leader_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            for_leader_partition = new(OffsetForLeaderPartition)
            partitions.append(for_leader_partition)
            (
                for_leader_partition.partition, for_leader_partition.current_leader_epoch,
                for_leader_partition.leader_epoch, tags,
            ) = _read_3iB(buf, at)
            at += 13
            for_leader_partition.unknown_tags = ()
            if tags:
                for_leader_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        for_leader_topic.unknown_tags = ()
        if tags:
            for_leader_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_offset_for_leader_epoch_request_v0(out: Parts, m: OffsetForLeaderEpochRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    for for_leader_topic in topics:
        if for_leader_topic.unknown_tags:
            refuse_field("unknown_tags")
        topic = for_leader_topic.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = for_leader_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for for_leader_partition in partitions:
            if for_leader_partition.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_2i(for_leader_partition.partition, for_leader_partition.leader_epoch))


def _put_offset_for_leader_epoch_request_v2(out: Parts, m: OffsetForLeaderEpochRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    for for_leader_topic in topics:
        if for_leader_topic.unknown_tags:
            refuse_field("unknown_tags")
        topic = for_leader_topic.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = for_leader_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for for_leader_partition in partitions:
            if for_leader_partition.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_3i(
                for_leader_partition.partition, for_leader_partition.current_leader_epoch,
                for_leader_partition.leader_epoch,
            ))


def _put_offset_for_leader_epoch_request_v3(out: Parts, m: OffsetForLeaderEpochRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_2i(m.replica_id, n))
    for for_leader_topic in topics:
        if for_leader_topic.unknown_tags:
            refuse_field("unknown_tags")
        topic = for_leader_topic.topic.encode()
        n = len(topic)
        out.append(_write_h(n))
        out.append(topic)
        partitions = for_leader_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for for_leader_partition in partitions:
            if for_leader_partition.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_3i(
                for_leader_partition.partition, for_leader_partition.current_leader_epoch,
                for_leader_partition.leader_epoch,
            ))


def _put_offset_for_leader_epoch_request_v4(out: Parts, m: OffsetForLeaderEpochRequest) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.replica_id, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for for_leader_topic in topics:
        topic = for_leader_topic.topic.encode()
        n = len(topic) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic)
        partitions = for_leader_topic.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for for_leader_partition in partitions:
            out.append(_write_3ix(
                for_leader_partition.partition, for_leader_partition.current_leader_epoch,
                for_leader_partition.leader_epoch,
            ))
            if for_leader_partition.unknown_tags:
                put_tags(out, [], for_leader_partition.unknown_tags)
        out.append(b"\0")
        if for_leader_topic.unknown_tags:
            put_tags(out, [], for_leader_topic.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_offset_for_leader_epoch_request_v0, 1: _get_offset_for_leader_epoch_request_v0,
    2: _get_offset_for_leader_epoch_request_v2, 3: _get_offset_for_leader_epoch_request_v3,
    4: _get_offset_for_leader_epoch_request_v4,
}
_PUT = {
    0: _put_offset_for_leader_epoch_request_v0, 1: _put_offset_for_leader_epoch_request_v0,
    2: _put_offset_for_leader_epoch_request_v2, 3: _put_offset_for_leader_epoch_request_v3,
    4: _put_offset_for_leader_epoch_request_v4,
}


def decode(buf: Buffer, version: int, at: int = 0) -> OffsetForLeaderEpochRequest:
    """The OffsetForLeaderEpochRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[OffsetForLeaderEpochRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: OffsetForLeaderEpochRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: OffsetForLeaderEpochRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_OFFSET_FOR_LEADER_PARTITION_SHAPE: Shape = (
    OffsetForLeaderPartition,
    (
        ("partition", "partition", "int32", (0, 4), None, None, None, 0, False, (4, 4), None),
        (
            "currentLeaderEpoch", "current_leader_epoch", "int32", (2, 4), None, None, None, -1,
            True, (4, 4), None,
        ),
        ("leaderEpoch", "leader_epoch", "int32", (0, 4), None, None, None, 0, False, (4, 4), None),
    ),
)
_OFFSET_FOR_LEADER_TOPIC_SHAPE: Shape = (
    OffsetForLeaderTopic,
    (
        ("topic", "topic", "string", (0, 4), None, None, None, "", False, (4, 4), None),
        (
            "partitions", "partitions", "[]OffsetForLeaderPartition", (0, 4), None, None, None, (),
            False, (4, 4), _OFFSET_FOR_LEADER_PARTITION_SHAPE,
        ),
    ),
)
_OFFSET_FOR_LEADER_EPOCH_REQUEST_SHAPE: Shape = (
    OffsetForLeaderEpochRequest,
    (
        ("replicaId", "replica_id", "int32", (3, 4), None, None, None, -2, True, (4, 4), None),
        (
            "topics", "topics", "[]OffsetForLeaderTopic", (0, 4), None, None, None, (), False,
            (4, 4), _OFFSET_FOR_LEADER_TOPIC_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_OFFSET_FOR_LEADER_EPOCH_REQUEST_SHAPE, (0, 4), (4, 4))
