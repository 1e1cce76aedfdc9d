# GENERATED from schemas/describe_log_dirs_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 4b74b5cff0969c44, generator 1.
"""Lists log directories with their replicas. Api key 35, versions 0-5, flexible from 2."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text,
    long_text_head, put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 35
NAME: Final = "DescribeLogDirsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 5
FLEXIBLE_FROM: Final[int | None] = 2


class DescribeLogDirsPartition(Message):
    """One result a partition."""

    __slots__ = ("partition_index", "partition_size", "offset_lag", "is_future_key", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Bytes of the replica's log segments.
        partition_size: int = 0,
        # Records that a future copy still lacks, or those beyond the high watermark.
        offset_lag: int = 0,
        # True when the replica is a copy that will replace the present one.
        is_future_key: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.partition_size = partition_size
        self.offset_lag = offset_lag
        self.is_future_key = is_future_key
        self.unknown_tags = unknown_tags


class DescribeLogDirsTopic(Message):
    """One result a topic."""

    __slots__ = ("name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # One result a partition.
        partitions: Sequence[DescribeLogDirsPartition] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partitions: Sequence[DescribeLogDirsPartition] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class DescribeLogDirsResult(Message):
    """One result a log directory."""

    __slots__ = (
        "error_code", "log_dir", "topics", "total_bytes", "usable_bytes", "is_cordoned",
        "unknown_tags",
    )

    def __init__(
        self,
        # Error of this row; 0 for none.
        error_code: int = 0,
        # Path of the log directory.
        log_dir: str = "",
        # One result a topic.
        topics: Sequence[DescribeLogDirsTopic] = (),
        # Bytes of the volume the directory lies on; -1 when unknown. (v4+)
        total_bytes: int = -1,
        # Bytes free on that volume; -1 when unknown. (v4+)
        usable_bytes: int = -1,
        # True when the directory takes no new replicas. (v5+)
        is_cordoned: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.log_dir = log_dir
        self.topics: Sequence[DescribeLogDirsTopic] = [] if topics == () else topics
        self.total_bytes = total_bytes
        self.usable_bytes = usable_bytes
        self.is_cordoned = is_cordoned
        self.unknown_tags = unknown_tags


class DescribeLogDirsResponse(Message):
    """Lists log directories with their replicas."""

    __slots__ = ("throttle_time_ms", "error_code", "results", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none. (v3+)
        error_code: int = 0,
        # One result a log directory.
        results: Sequence[DescribeLogDirsResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.results: Sequence[DescribeLogDirsResult] = [] if results == () else results
        self.unknown_tags = unknown_tags


_read_2h = Struct(">2h").unpack_from
_read_2i = Struct(">2i").unpack_from
_read_2qtB = Struct(">2q?B").unpack_from
_read_2qB = Struct(">2qB").unpack_from
_read_h = Struct(">h").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_i = Struct(">i").unpack_from
_read_i2qt = Struct(">i2q?").unpack_from
_read_i2qtB = Struct(">i2q?B").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_rows_i2qt = Struct(">i2q?").iter_unpack
_rows_i2qtx = Struct(">i2q?x").iter_unpack
_write_2h = Struct(">2h").pack
_write_2i = Struct(">2i").pack
_write_2qtx = Struct(">2q?x").pack
_write_2qx = Struct(">2qx").pack
_write_h = Struct(">h").pack
_write_hB = Struct(">hB").pack
_write_i = Struct(">i").pack
_write_i2qt = Struct(">i2q?").pack
_write_i2qtx = Struct(">i2q?x").pack
_write_iB = Struct(">iB").pack
_write_ihB = Struct(">ihB").pack


def _get_describe_log_dirs_response_v0(buf: bytes, at: int) -> tuple[DescribeLogDirsResponse, int]:
    m = new(DescribeLogDirsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 8)
    results: list[DescribeLogDirsResult] = []
    m.results = results
    left_results = n
    while left_results:
        left_results -= 1
        log_dirs_result = new(DescribeLogDirsResult)
        results.append(log_dirs_result)
        (log_dirs_result.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        log_dirs_result.log_dir = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 6)
        topics: list[DescribeLogDirsTopic] = []
        log_dirs_result.topics = topics
        left_topics = n
        while left_topics:
            left_topics -= 1
            log_dirs_topic = new(DescribeLogDirsTopic)
            topics.append(log_dirs_topic)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            log_dirs_topic.name = buf[at:end].decode()
            at = end
            (n,) = _read_i(buf, at)
            at += 4
            if not 0 <= n < 128:
                check_count(buf, at, n, 21)
            partitions: list[DescribeLogDirsPartition] = []
            log_dirs_topic.partitions = partitions
            left_partitions = n
            if left_partitions > 4:
                end = at + 21 * left_partitions
                partitions += map(new, repeat(DescribeLogDirsPartition, left_partitions))
                left_partitions = 0
                for log_dirs_partition, values in zip(partitions, _rows_i2qt(buf[at:end])):
                    (
                        log_dirs_partition.partition_index, log_dirs_partition.partition_size,
                        log_dirs_partition.offset_lag, log_dirs_partition.is_future_key,
                    ) = values
                    log_dirs_partition.unknown_tags = ()
                at = end
            while left_partitions:
                left_partitions -= 1
                log_dirs_partition = new(DescribeLogDirsPartition)
                partitions.append(log_dirs_partition)
                (
                    log_dirs_partition.partition_index, log_dirs_partition.partition_size,
                    log_dirs_partition.offset_lag, log_dirs_partition.is_future_key,
                ) = _read_i2qt(buf, at)
                at += 21
                log_dirs_partition.unknown_tags = ()
            log_dirs_topic.unknown_tags = ()
        log_dirs_result.total_bytes = -1
        log_dirs_result.usable_bytes = -1
        log_dirs_result.is_cordoned = False
        log_dirs_result.unknown_tags = ()
    m.error_code = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_log_dirs_response_v2(buf: bytes, at: int) -> tuple[DescribeLogDirsResponse, int]:
    m = new(DescribeLogDirsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 5)
    results: list[DescribeLogDirsResult] = []
    m.results = results
    left_results = n - 1
    while left_results:
        left_results -= 1
        log_dirs_result = new(DescribeLogDirsResult)
        results.append(log_dirs_result)
        (log_dirs_result.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        log_dirs_result.log_dir = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 3)
        topics: list[DescribeLogDirsTopic] = []
        log_dirs_result.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            log_dirs_topic = new(DescribeLogDirsTopic)
            topics.append(log_dirs_topic)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            log_dirs_topic.name = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 22)
            partitions: list[DescribeLogDirsPartition] = []
            log_dirs_topic.partitions = partitions
            left_partitions = n - 1
            if (
                left_partitions > 4
                and buf[at + 21 : at + 22 * left_partitions : 22] == bytes(left_partitions)
            ):
                end = at + 22 * left_partitions
                partitions += map(new, repeat(DescribeLogDirsPartition, left_partitions))
                left_partitions = 0
                for log_dirs_partition, values in zip(partitions, _rows_i2qtx(buf[at:end])):
                    (
                        log_dirs_partition.partition_index, log_dirs_partition.partition_size,
                        log_dirs_partition.offset_lag, log_dirs_partition.is_future_key,
                    ) = values
                    log_dirs_partition.unknown_tags = ()
                at = end
            while left_partitions:
                left_partitions -= 1
                log_dirs_partition = new(DescribeLogDirsPartition)
                partitions.append(log_dirs_partition)
                (
                    log_dirs_partition.partition_index, log_dirs_partition.partition_size,
                    log_dirs_partition.offset_lag, log_dirs_partition.is_future_key, tags,
                ) = _read_i2qtB(buf, at)
                at += 22
                log_dirs_partition.unknown_tags = ()
                if tags:
                    log_dirs_partition.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            log_dirs_topic.unknown_tags = ()
            if tags:
                log_dirs_topic.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        log_dirs_result.total_bytes = -1
        log_dirs_result.usable_bytes = -1
        log_dirs_result.is_cordoned = False
        log_dirs_result.unknown_tags = ()
        if tags:
            log_dirs_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.error_code = 0
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_describe_log_dirs_response_v3(buf: bytes, at: int) -> tuple[DescribeLogDirsResponse, int]:
    m = new(DescribeLogDirsResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 5)
    results: list[DescribeLogDirsResult] = []
    m.results = results
    left_results = n - 1
    while left_results:
        left_results -= 1
        log_dirs_result = new(DescribeLogDirsResult)
        results.append(log_dirs_result)
        (log_dirs_result.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        log_dirs_result.log_dir = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 3)
        topics: list[DescribeLogDirsTopic] = []
        log_dirs_result.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            log_dirs_topic = new(DescribeLogDirsTopic)
            topics.append(log_dirs_topic)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            log_dirs_topic.name = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 22)
            partitions: list[DescribeLogDirsPartition] = []
            log_dirs_topic.partitions = partitions
            left_partitions = n - 1
            if (
                left_partitions > 4
                and buf[at + 21 : at + 22 * left_partitions : 22] == bytes(left_partitions)
            ):
                end = at + 22 * left_partitions
                partitions += map(new, repeat(DescribeLogDirsPartition, left_partitions))
                left_partitions = 0
                for log_dirs_partition, values in zip(partitions, _rows_i2qtx(buf[at:end])):
                    (
                        log_dirs_partition.partition_index, log_dirs_partition.partition_size,
                        log_dirs_partition.offset_lag, log_dirs_partition.is_future_key,
                    ) = values
                    log_dirs_partition.unknown_tags = ()
                at = end
            while left_partitions:
                left_partitions -= 1
                log_dirs_partition = new(DescribeLogDirsPartition)
                partitions.append(log_dirs_partition)
                (
                    log_dirs_partition.partition_index, log_dirs_partition.partition_size,
                    log_dirs_partition.offset_lag, log_dirs_partition.is_future_key, tags,
                ) = _read_i2qtB(buf, at)
                at += 22
                log_dirs_partition.unknown_tags = ()
                if tags:
                    log_dirs_partition.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            log_dirs_topic.unknown_tags = ()
            if tags:
                log_dirs_topic.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        log_dirs_result.total_bytes = -1
        log_dirs_result.usable_bytes = -1
        log_dirs_result.is_cordoned = False
        log_dirs_result.unknown_tags = ()
        if tags:
            log_dirs_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_describe_log_dirs_response_v4(buf: bytes, at: int) -> tuple[DescribeLogDirsResponse, int]:
    m = new(DescribeLogDirsResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 21)
    results: list[DescribeLogDirsResult] = []
    m.results = results
    left_results = n - 1
    while left_results:
        left_results -= 1
        log_dirs_result = new(DescribeLogDirsResult)
        results.append(log_dirs_result)
        (log_dirs_result.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        log_dirs_result.log_dir = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 3)
        topics: list[DescribeLogDirsTopic] = []
        log_dirs_result.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            log_dirs_topic = new(DescribeLogDirsTopic)
            topics.append(log_dirs_topic)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            log_dirs_topic.name = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 22)
            partitions: list[DescribeLogDirsPartition] = []
            log_dirs_topic.partitions = partitions
            left_partitions = n - 1
            if (
                left_partitions > 4
                and buf[at + 21 : at + 22 * left_partitions : 22] == bytes(left_partitions)
            ):
                end = at + 22 * left_partitions
                partitions += map(new, repeat(DescribeLogDirsPartition, left_partitions))
                left_partitions = 0
                for log_dirs_partition, values in zip(partitions, _rows_i2qtx(buf[at:end])):
                    (
                        log_dirs_partition.partition_index, log_dirs_partition.partition_size,
                        log_dirs_partition.offset_lag, log_dirs_partition.is_future_key,
                    ) = values
                    log_dirs_partition.unknown_tags = ()
                at = end
            while left_partitions:
                left_partitions -= 1
                log_dirs_partition = new(DescribeLogDirsPartition)
                partitions.append(log_dirs_partition)
                (
                    log_dirs_partition.partition_index, log_dirs_partition.partition_size,
                    log_dirs_partition.offset_lag, log_dirs_partition.is_future_key, tags,
                ) = _read_i2qtB(buf, at)
                at += 22
                log_dirs_partition.unknown_tags = ()
                if tags:
                    log_dirs_partition.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            log_dirs_topic.unknown_tags = ()
            if tags:
                log_dirs_topic.unknown_tags, at = get_tags(buf, at - 1)
        (log_dirs_result.total_bytes, log_dirs_result.usable_bytes, tags) = _read_2qB(buf, at)
        at += 17
        log_dirs_result.is_cordoned = False
        log_dirs_result.unknown_tags = ()
        if tags:
            log_dirs_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_describe_log_dirs_response_v5(buf: bytes, at: int) -> tuple[DescribeLogDirsResponse, int]:
    m = new(DescribeLogDirsResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 22)
    results: list[DescribeLogDirsResult] = []
    m.results = results
    left_results = n - 1
    while left_results:
        left_results -= 1
        log_dirs_result = new(DescribeLogDirsResult)
        results.append(log_dirs_result)
        (log_dirs_result.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        log_dirs_result.log_dir = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 3)
        topics: list[DescribeLogDirsTopic] = []
        log_dirs_result.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            log_dirs_topic = new(DescribeLogDirsTopic)
            topics.append(log_dirs_topic)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            log_dirs_topic.name = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 22)
            partitions: list[DescribeLogDirsPartition] = []
            log_dirs_topic.partitions = partitions
            left_partitions = n - 1
            if (
                left_partitions > 4
                and buf[at + 21 : at + 22 * left_partitions : 22] == bytes(left_partitions)
            ):
                end = at + 22 * left_partitions
                partitions += map(new, repeat(DescribeLogDirsPartition, left_partitions))
                left_partitions = 0
                for log_dirs_partition, values in zip(partitions, _rows_i2qtx(buf[at:end])):
                    (
                        log_dirs_partition.partition_index, log_dirs_partition.partition_size,
                        log_dirs_partition.offset_lag, log_dirs_partition.is_future_key,
                    ) = values
                    log_dirs_partition.unknown_tags = ()
                at = end
            while left_partitions:
                left_partitions -= 1
                log_dirs_partition = new(DescribeLogDirsPartition)
                partitions.append(log_dirs_partition)
                (
                    log_dirs_partition.partition_index, log_dirs_partition.partition_size,
                    log_dirs_partition.offset_lag, log_dirs_partition.is_future_key, tags,
                ) = _read_i2qtB(buf, at)
                at += 22
                log_dirs_partition.unknown_tags = ()
                if tags:
                    log_dirs_partition.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            log_dirs_topic.unknown_tags = ()
            if tags:
                log_dirs_topic.unknown_tags, at = get_tags(buf, at - 1)
        (
            log_dirs_result.total_bytes, log_dirs_result.usable_bytes, log_dirs_result.is_cordoned,
            tags,
        ) = _read_2qtB(buf, at)
        at += 18
        log_dirs_result.unknown_tags = ()
        if tags:
            log_dirs_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_log_dirs_response_v0(out: Parts, m: DescribeLogDirsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    results = m.results
    n = len(results)
    out.append(_write_2i(m.throttle_time_ms, n))
    for log_dirs_result in results:
        if log_dirs_result.unknown_tags:
            refuse_field("unknown_tags")
        log_dir = log_dirs_result.log_dir.encode()
        n = len(log_dir)
        out.append(_write_2h(log_dirs_result.error_code, n))
        out.append(log_dir)
        topics = log_dirs_result.topics
        n = len(topics)
        out.append(_write_i(n))
        for log_dirs_topic in topics:
            if log_dirs_topic.unknown_tags:
                refuse_field("unknown_tags")
            name = log_dirs_topic.name.encode()
            n = len(name)
            out.append(_write_h(n))
            out.append(name)
            partitions = log_dirs_topic.partitions
            n = len(partitions)
            out.append(_write_i(n))
            for log_dirs_partition in partitions:
                if log_dirs_partition.unknown_tags:
                    refuse_field("unknown_tags")
                out.append(_write_i2qt(
                    log_dirs_partition.partition_index, log_dirs_partition.partition_size,
                    log_dirs_partition.offset_lag, log_dirs_partition.is_future_key,
                ))


def _put_describe_log_dirs_response_v2(out: Parts, m: DescribeLogDirsResponse) -> None:
    results = m.results
    n = len(results) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for log_dirs_result in results:
        log_dir = log_dirs_result.log_dir.encode()
        n = len(log_dir) + 1
        out.append(_write_hB(log_dirs_result.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(log_dir)
        topics = log_dirs_result.topics
        n = len(topics) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for log_dirs_topic in topics:
            name = log_dirs_topic.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            partitions = log_dirs_topic.partitions
            n = len(partitions) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for log_dirs_partition in partitions:
                out.append(_write_i2qtx(
                    log_dirs_partition.partition_index, log_dirs_partition.partition_size,
                    log_dirs_partition.offset_lag, log_dirs_partition.is_future_key,
                ))
                if log_dirs_partition.unknown_tags:
                    put_tags(out, [], log_dirs_partition.unknown_tags)
            out.append(b"\0")
            if log_dirs_topic.unknown_tags:
                put_tags(out, [], log_dirs_topic.unknown_tags)
        out.append(b"\0")
        if log_dirs_result.unknown_tags:
            put_tags(out, [], log_dirs_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_describe_log_dirs_response_v3(out: Parts, m: DescribeLogDirsResponse) -> None:
    results = m.results
    n = len(results) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for log_dirs_result in results:
        log_dir = log_dirs_result.log_dir.encode()
        n = len(log_dir) + 1
        out.append(_write_hB(log_dirs_result.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(log_dir)
        topics = log_dirs_result.topics
        n = len(topics) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for log_dirs_topic in topics:
            name = log_dirs_topic.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            partitions = log_dirs_topic.partitions
            n = len(partitions) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for log_dirs_partition in partitions:
                out.append(_write_i2qtx(
                    log_dirs_partition.partition_index, log_dirs_partition.partition_size,
                    log_dirs_partition.offset_lag, log_dirs_partition.is_future_key,
                ))
                if log_dirs_partition.unknown_tags:
                    put_tags(out, [], log_dirs_partition.unknown_tags)
            out.append(b"\0")
            if log_dirs_topic.unknown_tags:
                put_tags(out, [], log_dirs_topic.unknown_tags)
        out.append(b"\0")
        if log_dirs_result.unknown_tags:
            put_tags(out, [], log_dirs_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_describe_log_dirs_response_v4(out: Parts, m: DescribeLogDirsResponse) -> None:
    results = m.results
    n = len(results) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for log_dirs_result in results:
        log_dir = log_dirs_result.log_dir.encode()
        n = len(log_dir) + 1
        out.append(_write_hB(log_dirs_result.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(log_dir)
        topics = log_dirs_result.topics
        n = len(topics) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for log_dirs_topic in topics:
            name = log_dirs_topic.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            partitions = log_dirs_topic.partitions
            n = len(partitions) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for log_dirs_partition in partitions:
                out.append(_write_i2qtx(
                    log_dirs_partition.partition_index, log_dirs_partition.partition_size,
                    log_dirs_partition.offset_lag, log_dirs_partition.is_future_key,
                ))
                if log_dirs_partition.unknown_tags:
                    put_tags(out, [], log_dirs_partition.unknown_tags)
            out.append(b"\0")
            if log_dirs_topic.unknown_tags:
                put_tags(out, [], log_dirs_topic.unknown_tags)
        out.append(_write_2qx(log_dirs_result.total_bytes, log_dirs_result.usable_bytes))
        if log_dirs_result.unknown_tags:
            put_tags(out, [], log_dirs_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_describe_log_dirs_response_v5(out: Parts, m: DescribeLogDirsResponse) -> None:
    results = m.results
    n = len(results) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for log_dirs_result in results:
        log_dir = log_dirs_result.log_dir.encode()
        n = len(log_dir) + 1
        out.append(_write_hB(log_dirs_result.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(log_dir)
        topics = log_dirs_result.topics
        n = len(topics) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for log_dirs_topic in topics:
            name = log_dirs_topic.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            partitions = log_dirs_topic.partitions
            n = len(partitions) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for log_dirs_partition in partitions:
                out.append(_write_i2qtx(
                    log_dirs_partition.partition_index, log_dirs_partition.partition_size,
                    log_dirs_partition.offset_lag, log_dirs_partition.is_future_key,
                ))
                if log_dirs_partition.unknown_tags:
                    put_tags(out, [], log_dirs_partition.unknown_tags)
            out.append(b"\0")
            if log_dirs_topic.unknown_tags:
                put_tags(out, [], log_dirs_topic.unknown_tags)
        out.append(_write_2qtx(
            log_dirs_result.total_bytes, log_dirs_result.usable_bytes, log_dirs_result.is_cordoned,
        ))
        if log_dirs_result.unknown_tags:
            put_tags(out, [], log_dirs_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_describe_log_dirs_response_v0, 1: _get_describe_log_dirs_response_v0,
    2: _get_describe_log_dirs_response_v2, 3: _get_describe_log_dirs_response_v3,
    4: _get_describe_log_dirs_response_v4, 5: _get_describe_log_dirs_response_v5,
}
_PUT = {
    0: _put_describe_log_dirs_response_v0, 1: _put_describe_log_dirs_response_v0,
    2: _put_describe_log_dirs_response_v2, 3: _put_describe_log_dirs_response_v3,
    4: _put_describe_log_dirs_response_v4, 5: _put_describe_log_dirs_response_v5,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeLogDirsResponse:
    """The DescribeLogDirsResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeLogDirsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeLogDirsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeLogDirsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DESCRIBE_LOG_DIRS_PARTITION_SHAPE: Shape = (
    DescribeLogDirsPartition,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 5), None, None, None, 0, False,
            (2, 5), None,
        ),
        (
            "partitionSize", "partition_size", "int64", (0, 5), None, None, None, 0, False, (2, 5),
            None,
        ),
        ("offsetLag", "offset_lag", "int64", (0, 5), None, None, None, 0, False, (2, 5), None),
        (
            "isFutureKey", "is_future_key", "bool", (0, 5), None, None, None, False, False, (2, 5),
            None,
        ),
    ),
)
_DESCRIBE_LOG_DIRS_TOPIC_SHAPE: Shape = (
    DescribeLogDirsTopic,
    (
        ("name", "name", "string", (0, 5), None, None, None, "", False, (2, 5), None),
        (
            "partitions", "partitions", "[]DescribeLogDirsPartition", (0, 5), None, None, None, (),
            False, (2, 5), _DESCRIBE_LOG_DIRS_PARTITION_SHAPE,
        ),
    ),
)
_DESCRIBE_LOG_DIRS_RESULT_SHAPE: Shape = (
    DescribeLogDirsResult,
    (
        ("errorCode", "error_code", "int16", (0, 5), None, None, None, 0, False, (2, 5), None),
        ("logDir", "log_dir", "string", (0, 5), None, None, None, "", False, (2, 5), None),
        (
            "topics", "topics", "[]DescribeLogDirsTopic", (0, 5), None, None, None, (), False,
            (2, 5), _DESCRIBE_LOG_DIRS_TOPIC_SHAPE,
        ),
        ("totalBytes", "total_bytes", "int64", (4, 5), None, None, None, -1, True, (2, 5), None),
        ("usableBytes", "usable_bytes", "int64", (4, 5), None, None, None, -1, True, (2, 5), None),
        ("isCordoned", "is_cordoned", "bool", (5, 5), None, None, None, False, True, (2, 5), None),
    ),
)
_DESCRIBE_LOG_DIRS_RESPONSE_SHAPE: Shape = (
    DescribeLogDirsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 5), None, None, None, 0, False,
            (2, 5), None,
        ),
        ("errorCode", "error_code", "int16", (3, 5), None, None, None, 0, True, (2, 5), None),
        (
            "results", "results", "[]DescribeLogDirsResult", (0, 5), None, None, None, (), False,
            (2, 5), _DESCRIBE_LOG_DIRS_RESULT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_LOG_DIRS_RESPONSE_SHAPE, (0, 5), (2, 5))
