# GENERATED from schemas/list_offsets_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 881318dc3fdf5528, generator 1.
"""Looks up offsets by time, or special ones such as the earliest. Api key 2, versions 0-11,
flexible from 6.
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

API_KEY: Final = 2
NAME: Final = "ListOffsetsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 11
FLEXIBLE_FROM: Final[int | None] = 6


class ListOffsetsPartition(Message):
    """One row a partition."""

    __slots__ = (
        "partition_index", "current_leader_epoch", "timestamp", "max_num_offsets", "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Leader epoch the client believes in; -1 turns the check off. (v4+)
        current_leader_epoch: int = -1,
        # Milliseconds since 1970 to search for; -1 to -6 ask for special offsets such as latest or
        # earliest.
        timestamp: int = 0,
        # Most offsets to return. (v0)
        max_num_offsets: int = 1,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.current_leader_epoch = current_leader_epoch
        self.timestamp = timestamp
        self.max_num_offsets = max_num_offsets
        self.unknown_tags = unknown_tags


class ListOffsetsTopic(Message):
    """One row a topic."""

    __slots__ = ("name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # One row a partition.
        partitions: Sequence[ListOffsetsPartition] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partitions: Sequence[ListOffsetsPartition] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class ListOffsetsRequest(Message):
    """Looks up offsets by time, or special ones such as the earliest."""

    __slots__ = ("replica_id", "isolation_level", "topics", "timeout_ms", "unknown_tags")

    def __init__(
        self,
        # Broker that asks; -1 for a consumer, -2 for a debugging client.
        replica_id: int = 0,
        # 0 reads everything below the high watermark, 1 only what is committed. (v2+)
        isolation_level: int = 0,
        # One row a topic.
        topics: Sequence[ListOffsetsTopic] = (),
        # Milliseconds the server may take to look in remote storage. (v10+)
        timeout_ms: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.replica_id = replica_id
        self.isolation_level = isolation_level
        self.topics: Sequence[ListOffsetsTopic] = [] if topics == () else topics
        self.timeout_ms = timeout_ms
        self.unknown_tags = unknown_tags


_read_2i = Struct(">2i").unpack_from
_read_2iq = Struct(">2iq").unpack_from
_read_2iqB = Struct(">2iqB").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ibB = Struct(">ibB").unpack_from
_read_ibi = Struct(">ibi").unpack_from
_read_iq = Struct(">iq").unpack_from
_read_iqi = Struct(">iqi").unpack_from
_rows_2iq = Struct(">2iq").iter_unpack
_rows_2iqx = Struct(">2iqx").iter_unpack
_rows_iq = Struct(">iq").iter_unpack
_rows_iqi = Struct(">iqi").iter_unpack
_write_2i = Struct(">2i").pack
_write_2iq = Struct(">2iq").pack
_write_2iqx = Struct(">2iqx").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_ibB = Struct(">ibB").pack
_write_ibi = Struct(">ibi").pack
_write_iq = Struct(">iq").pack
_write_iqi = Struct(">iqi").pack
_write_ix = Struct(">ix").pack


def _get_list_offsets_request_v0(buf: bytes, at: int) -> tuple[ListOffsetsRequest, int]:
    m = new(ListOffsetsRequest)
    (m.replica_id, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[ListOffsetsTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        list_offsets_topic = new(ListOffsetsTopic)
        topics.append(list_offsets_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        list_offsets_topic.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 16)
        partitions: list[ListOffsetsPartition] = []
        list_offsets_topic.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 16 * left_partitions
            partitions += map(new, repeat(ListOffsetsPartition, left_partitions))
            left_partitions = 0
            for list_offsets_partition, values in zip(partitions, _rows_iqi(buf[at:end])):
                (
                    list_offsets_partition.partition_index, list_offsets_partition.timestamp,
                    list_offsets_partition.max_num_offsets,
                ) = values
                list_offsets_partition.current_leader_epoch = -1
                list_offsets_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            list_offsets_partition = new(ListOffsetsPartition)
            partitions.append(list_offsets_partition)
            (
                list_offsets_partition.partition_index, list_offsets_partition.timestamp,
                list_offsets_partition.max_num_offsets,
            ) = _read_iqi(buf, at)
            at += 16
            list_offsets_partition.current_leader_epoch = -1
            list_offsets_partition.unknown_tags = ()
        list_offsets_topic.unknown_tags = ()
    m.isolation_level = 0
    m.timeout_ms = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_list_offsets_request_v1(buf: bytes, at: int) -> tuple[ListOffsetsRequest, int]:
    m = new(ListOffsetsRequest)
    (m.replica_id, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[ListOffsetsTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        list_offsets_topic = new(ListOffsetsTopic)
        topics.append(list_offsets_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        list_offsets_topic.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 12)
        partitions: list[ListOffsetsPartition] = []
        list_offsets_topic.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 12 * left_partitions
            partitions += map(new, repeat(ListOffsetsPartition, left_partitions))
            left_partitions = 0
            for list_offsets_partition, values in zip(partitions, _rows_iq(buf[at:end])):
                (list_offsets_partition.partition_index, list_offsets_partition.timestamp) = values
                list_offsets_partition.current_leader_epoch = -1
                list_offsets_partition.max_num_offsets = 1
                list_offsets_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            list_offsets_partition = new(ListOffsetsPartition)
            partitions.append(list_offsets_partition)
            (
                list_offsets_partition.partition_index, list_offsets_partition.timestamp,
            ) = _read_iq(buf, at)
            at += 12
            list_offsets_partition.current_leader_epoch = -1
            list_offsets_partition.max_num_offsets = 1
            list_offsets_partition.unknown_tags = ()
        list_offsets_topic.unknown_tags = ()
    m.isolation_level = 0
    m.timeout_ms = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_list_offsets_request_v2(buf: bytes, at: int) -> tuple[ListOffsetsRequest, int]:
    m = new(ListOffsetsRequest)
    (m.replica_id, m.isolation_level, n) = _read_ibi(buf, at)
    at += 9
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[ListOffsetsTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        list_offsets_topic = new(ListOffsetsTopic)
        topics.append(list_offsets_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        list_offsets_topic.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 12)
        partitions: list[ListOffsetsPartition] = []
        list_offsets_topic.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 12 * left_partitions
            partitions += map(new, repeat(ListOffsetsPartition, left_partitions))
            left_partitions = 0
            for list_offsets_partition, values in zip(partitions, _rows_iq(buf[at:end])):
                (list_offsets_partition.partition_index, list_offsets_partition.timestamp) = values
                list_offsets_partition.current_leader_epoch = -1
                list_offsets_partition.max_num_offsets = 1
                list_offsets_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            list_offsets_partition = new(ListOffsetsPartition)
            partitions.append(list_offsets_partition)
            (
                list_offsets_partition.partition_index, list_offsets_partition.timestamp,
            ) = _read_iq(buf, at)
            at += 12
            list_offsets_partition.current_leader_epoch = -1
            list_offsets_partition.max_num_offsets = 1
            list_offsets_partition.unknown_tags = ()
        list_offsets_topic.unknown_tags = ()
    m.timeout_ms = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_list_offsets_request_v4(buf: bytes, at: int) -> tuple[ListOffsetsRequest, int]:
    m = new(ListOffsetsRequest)
    (m.replica_id, m.isolation_level, n) = _read_ibi(buf, at)
    at += 9
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[ListOffsetsTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        list_offsets_topic = new(ListOffsetsTopic)
        topics.append(list_offsets_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        list_offsets_topic.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 16)
        partitions: list[ListOffsetsPartition] = []
        list_offsets_topic.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 16 * left_partitions
            partitions += map(new, repeat(ListOffsetsPartition, left_partitions))
            left_partitions = 0
            for list_offsets_partition, values in zip(partitions, _rows_2iq(buf[at:end])):
                (
                    list_offsets_partition.partition_index,
                    list_offsets_partition.current_leader_epoch, list_offsets_partition.timestamp,
                ) = values
                list_offsets_partition.max_num_offsets = 1
                list_offsets_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            list_offsets_partition = new(ListOffsetsPartition)
            partitions.append(list_offsets_partition)
            (
                list_offsets_partition.partition_index, list_offsets_partition.current_leader_epoch,
                list_offsets_partition.timestamp,
            ) = _read_2iq(buf, at)
            at += 16
            list_offsets_partition.max_num_offsets = 1
            list_offsets_partition.unknown_tags = ()
        list_offsets_topic.unknown_tags = ()
    m.timeout_ms = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_list_offsets_request_v6(buf: bytes, at: int) -> tuple[ListOffsetsRequest, int]:
    m = new(ListOffsetsRequest)
    (m.replica_id, m.isolation_level, n) = _read_ibB(buf, at)
    at += 6
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[ListOffsetsTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        list_offsets_topic = new(ListOffsetsTopic)
        topics.append(list_offsets_topic)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        list_offsets_topic.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 17)
        partitions: list[ListOffsetsPartition] = []
        list_offsets_topic.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 16 : at + 17 * left_partitions : 17] == bytes(left_partitions)
        ):
            end = at + 17 * left_partitions
            partitions += map(new, repeat(ListOffsetsPartition, left_partitions))
            left_partitions = 0
            for list_offsets_partition, values in zip(partitions, _rows_2iqx(buf[at:end])):
                (
                    list_offsets_partition.partition_index,
                    list_offsets_partition.current_leader_epoch, list_offsets_partition.timestamp,
                ) = values
                list_offsets_partition.max_num_offsets = 1
                list_offsets_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            list_offsets_partition = new(ListOffsetsPartition)
            partitions.append(list_offsets_partition)
            (
                list_offsets_partition.partition_index, list_offsets_partition.current_leader_epoch,
                list_offsets_partition.timestamp, tags,
            ) = _read_2iqB(buf, at)
            at += 17
            list_offsets_partition.max_num_offsets = 1
            list_offsets_partition.unknown_tags = ()
            if tags:
                list_offsets_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        list_offsets_topic.unknown_tags = ()
        if tags:
            list_offsets_topic.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.timeout_ms = 0
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_list_offsets_request_v10(buf: bytes, at: int) -> tuple[ListOffsetsRequest, int]:
    m = new(ListOffsetsRequest)
    (m.replica_id, m.isolation_level, n) = _read_ibB(buf, at)
    at += 6
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[ListOffsetsTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        list_offsets_topic = new(ListOffsetsTopic)
        topics.append(list_offsets_topic)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        list_offsets_topic.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 17)
        partitions: list[ListOffsetsPartition] = []
        list_offsets_topic.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 16 : at + 17 * left_partitions : 17] == bytes(left_partitions)
        ):
            end = at + 17 * left_partitions
            partitions += map(new, repeat(ListOffsetsPartition, left_partitions))
            left_partitions = 0
            for list_offsets_partition, values in zip(partitions, _rows_2iqx(buf[at:end])):
                (
                    list_offsets_partition.partition_index,
                    list_offsets_partition.current_leader_epoch, list_offsets_partition.timestamp,
                ) = values
                list_offsets_partition.max_num_offsets = 1
                list_offsets_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            list_offsets_partition = new(ListOffsetsPartition)
            partitions.append(list_offsets_partition)
            (
                list_offsets_partition.partition_index, list_offsets_partition.current_leader_epoch,
                list_offsets_partition.timestamp, tags,
            ) = _read_2iqB(buf, at)
            at += 17
            list_offsets_partition.max_num_offsets = 1
            list_offsets_partition.unknown_tags = ()
            if tags:
                list_offsets_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        list_offsets_topic.unknown_tags = ()
        if tags:
            list_offsets_topic.unknown_tags, at = get_tags(buf, at - 1)
    (m.timeout_ms, tags) = _read_iB(buf, at)
    at += 5
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_list_offsets_request_v0(out: Parts, m: ListOffsetsRequest) -> None:
    if m.isolation_level != 0:
        refuse_field("isolation_level")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_2i(m.replica_id, n))
    for list_offsets_topic in topics:
        if list_offsets_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = list_offsets_topic.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = list_offsets_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for list_offsets_partition in partitions:
            if list_offsets_partition.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_iqi(
                list_offsets_partition.partition_index, list_offsets_partition.timestamp,
                list_offsets_partition.max_num_offsets,
            ))


def _put_list_offsets_request_v1(out: Parts, m: ListOffsetsRequest) -> None:
    if m.isolation_level != 0:
        refuse_field("isolation_level")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_2i(m.replica_id, n))
    for list_offsets_topic in topics:
        if list_offsets_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = list_offsets_topic.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = list_offsets_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for list_offsets_partition in partitions:
            if list_offsets_partition.max_num_offsets != 1:
                refuse_field("max_num_offsets")
            if list_offsets_partition.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_iq(
                list_offsets_partition.partition_index, list_offsets_partition.timestamp,
            ))


def _put_list_offsets_request_v2(out: Parts, m: ListOffsetsRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_ibi(m.replica_id, m.isolation_level, n))
    for list_offsets_topic in topics:
        if list_offsets_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = list_offsets_topic.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = list_offsets_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for list_offsets_partition in partitions:
            if list_offsets_partition.max_num_offsets != 1:
                refuse_field("max_num_offsets")
            if list_offsets_partition.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_iq(
                list_offsets_partition.partition_index, list_offsets_partition.timestamp,
            ))


def _put_list_offsets_request_v4(out: Parts, m: ListOffsetsRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_ibi(m.replica_id, m.isolation_level, n))
    for list_offsets_topic in topics:
        if list_offsets_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = list_offsets_topic.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = list_offsets_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for list_offsets_partition in partitions:
            if list_offsets_partition.max_num_offsets != 1:
                refuse_field("max_num_offsets")
            if list_offsets_partition.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_2iq(
                list_offsets_partition.partition_index, list_offsets_partition.current_leader_epoch,
                list_offsets_partition.timestamp,
            ))


def _put_list_offsets_request_v6(out: Parts, m: ListOffsetsRequest) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_ibB(m.replica_id, m.isolation_level, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for list_offsets_topic in topics:
        name = list_offsets_topic.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partitions = list_offsets_topic.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for list_offsets_partition in partitions:
            if list_offsets_partition.max_num_offsets != 1:
                refuse_field("max_num_offsets")
            out.append(_write_2iqx(
                list_offsets_partition.partition_index, list_offsets_partition.current_leader_epoch,
                list_offsets_partition.timestamp,
            ))
            if list_offsets_partition.unknown_tags:
                put_tags(out, [], list_offsets_partition.unknown_tags)
        out.append(b"\0")
        if list_offsets_topic.unknown_tags:
            put_tags(out, [], list_offsets_topic.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_list_offsets_request_v10(out: Parts, m: ListOffsetsRequest) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_ibB(m.replica_id, m.isolation_level, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for list_offsets_topic in topics:
        name = list_offsets_topic.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partitions = list_offsets_topic.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for list_offsets_partition in partitions:
            if list_offsets_partition.max_num_offsets != 1:
                refuse_field("max_num_offsets")
            out.append(_write_2iqx(
                list_offsets_partition.partition_index, list_offsets_partition.current_leader_epoch,
                list_offsets_partition.timestamp,
            ))
            if list_offsets_partition.unknown_tags:
                put_tags(out, [], list_offsets_partition.unknown_tags)
        out.append(b"\0")
        if list_offsets_topic.unknown_tags:
            put_tags(out, [], list_offsets_topic.unknown_tags)
    out.append(_write_ix(m.timeout_ms))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_list_offsets_request_v0, 1: _get_list_offsets_request_v1,
    2: _get_list_offsets_request_v2, 3: _get_list_offsets_request_v2,
    4: _get_list_offsets_request_v4, 5: _get_list_offsets_request_v4,
    6: _get_list_offsets_request_v6, 7: _get_list_offsets_request_v6,
    8: _get_list_offsets_request_v6, 9: _get_list_offsets_request_v6,
    10: _get_list_offsets_request_v10, 11: _get_list_offsets_request_v10,
}
_PUT = {
    0: _put_list_offsets_request_v0, 1: _put_list_offsets_request_v1,
    2: _put_list_offsets_request_v2, 3: _put_list_offsets_request_v2,
    4: _put_list_offsets_request_v4, 5: _put_list_offsets_request_v4,
    6: _put_list_offsets_request_v6, 7: _put_list_offsets_request_v6,
    8: _put_list_offsets_request_v6, 9: _put_list_offsets_request_v6,
    10: _put_list_offsets_request_v10, 11: _put_list_offsets_request_v10,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ListOffsetsRequest:
    """The ListOffsetsRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ListOffsetsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ListOffsetsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ListOffsetsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_LIST_OFFSETS_PARTITION_SHAPE: Shape = (
    ListOffsetsPartition,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 11), None, None, None, 0, False,
            (6, 11), None,
        ),
        (
            "currentLeaderEpoch", "current_leader_epoch", "int32", (4, 11), None, None, None, -1,
            True, (6, 11), None,
        ),
        ("timestamp", "timestamp", "int64", (0, 11), None, None, None, 0, False, (6, 11), None),
        (
            "maxNumOffsets", "max_num_offsets", "int32", (0, 0), None, None, None, 1, False,
            (6, 11), None,
        ),
    ),
)
_LIST_OFFSETS_TOPIC_SHAPE: Shape = (
    ListOffsetsTopic,
    (
        ("name", "name", "string", (0, 11), None, None, None, "", False, (6, 11), None),
        (
            "partitions", "partitions", "[]ListOffsetsPartition", (0, 11), None, None, None, (),
            False, (6, 11), _LIST_OFFSETS_PARTITION_SHAPE,
        ),
    ),
)
_LIST_OFFSETS_REQUEST_SHAPE: Shape = (
    ListOffsetsRequest,
    (
        ("replicaId", "replica_id", "int32", (0, 11), None, None, None, 0, False, (6, 11), None),
        (
            "isolationLevel", "isolation_level", "int8", (2, 11), None, None, None, 0, False,
            (6, 11), None,
        ),
        (
            "topics", "topics", "[]ListOffsetsTopic", (0, 11), None, None, None, (), False, (6, 11),
            _LIST_OFFSETS_TOPIC_SHAPE,
        ),
        ("timeoutMs", "timeout_ms", "int32", (10, 11), None, None, None, 0, True, (6, 11), None),
    ),
)
SHAPE: Shape = (_LIST_OFFSETS_REQUEST_SHAPE, (0, 11), (6, 11))
