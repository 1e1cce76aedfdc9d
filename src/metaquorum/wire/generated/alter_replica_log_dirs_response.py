# GENERATED from schemas/alter_replica_log_dirs_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 e7362db6fbed85af, generator 1.
"""Says for each replica whether its move was taken on. Api key 34, versions 0-2, flexible from 2.
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

API_KEY: Final = 34
NAME: Final = "AlterReplicaLogDirsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 2


class AlterReplicaLogDirPartitionResult(Message):
    """One result a partition."""

    __slots__ = ("partition_index", "error_code", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.unknown_tags = unknown_tags


class AlterReplicaLogDirTopicResult(Message):
    """One result a topic."""

    __slots__ = ("topic_name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic_name: str = "",
        # One result a partition.
        partitions: Sequence[AlterReplicaLogDirPartitionResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.partitions: Sequence[AlterReplicaLogDirPartitionResult] = (
            [] if partitions == () else partitions
        )
        self.unknown_tags = unknown_tags


class AlterReplicaLogDirsResponse(Message):
    """Says for each replica whether its move was taken on."""

    __slots__ = ("throttle_time_ms", "results", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # One result a topic.
        results: Sequence[AlterReplicaLogDirTopicResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results: Sequence[AlterReplicaLogDirTopicResult] = [] if results == () else results
        self.unknown_tags = unknown_tags


_read_2i = Struct(">2i").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ih = Struct(">ih").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_rows_ih = Struct(">ih").iter_unpack
_rows_ihx = Struct(">ihx").iter_unpack
_write_2i = Struct(">2i").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack
_write_ih = Struct(">ih").pack
_write_ihx = Struct(">ihx").pack


def _get_alter_replica_log_dirs_response_v0(
    buf: bytes, at: int,
) -> tuple[AlterReplicaLogDirsResponse, int]:
    m = new(AlterReplicaLogDirsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    results: list[AlterReplicaLogDirTopicResult] = []
    m.results = results
    left_results = n
    while left_results:
        left_results -= 1
        log_dir_topic_result = new(AlterReplicaLogDirTopicResult)
        results.append(log_dir_topic_result)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        log_dir_topic_result.topic_name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 6)
        partitions: list[AlterReplicaLogDirPartitionResult] = []
        log_dir_topic_result.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 6 * left_partitions
            partitions += map(new, repeat(AlterReplicaLogDirPartitionResult, left_partitions))
            left_partitions = 0
            for dir_partition_result, values in zip(partitions, _rows_ih(buf[at:end])):
                (dir_partition_result.partition_index, dir_partition_result.error_code) = values
                dir_partition_result.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            dir_partition_result = new(AlterReplicaLogDirPartitionResult)
            partitions.append(dir_partition_result)
            (
                dir_partition_result.partition_index, dir_partition_result.error_code,
            ) = _read_ih(buf, at)
            at += 6
            dir_partition_result.unknown_tags = ()
        log_dir_topic_result.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_alter_replica_log_dirs_response_v2(
    buf: bytes, at: int,
) -> tuple[AlterReplicaLogDirsResponse, int]:
    m = new(AlterReplicaLogDirsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    results: list[AlterReplicaLogDirTopicResult] = []
    m.results = results
    left_results = n - 1
    while left_results:
        left_results -= 1
        log_dir_topic_result = new(AlterReplicaLogDirTopicResult)
        results.append(log_dir_topic_result)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        log_dir_topic_result.topic_name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 7)
        partitions: list[AlterReplicaLogDirPartitionResult] = []
        log_dir_topic_result.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 6 : at + 7 * left_partitions : 7] == bytes(left_partitions)
        ):
            end = at + 7 * left_partitions
            partitions += map(new, repeat(AlterReplicaLogDirPartitionResult, left_partitions))
            left_partitions = 0
            for dir_partition_result, values in zip(partitions, _rows_ihx(buf[at:end])):
                (dir_partition_result.partition_index, dir_partition_result.error_code) = values
                dir_partition_result.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            dir_partition_result = new(AlterReplicaLogDirPartitionResult)
            partitions.append(dir_partition_result)
            (
                dir_partition_result.partition_index, dir_partition_result.error_code, tags,
            ) = _read_ihB(buf, at)
            at += 7
            dir_partition_result.unknown_tags = ()
            if tags:
                dir_partition_result.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        log_dir_topic_result.unknown_tags = ()
        if tags:
            log_dir_topic_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_alter_replica_log_dirs_response_v0(out: Parts, m: AlterReplicaLogDirsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    results = m.results
    n = len(results)
    out.append(_write_2i(m.throttle_time_ms, n))
    for log_dir_topic_result in results:
        if log_dir_topic_result.unknown_tags:
            refuse_field("unknown_tags")
        topic_name = log_dir_topic_result.topic_name.encode()
        n = len(topic_name)
        out.append(_write_h(n))
        out.append(topic_name)
        partitions = log_dir_topic_result.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for dir_partition_result in partitions:
            if dir_partition_result.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_ih(
                dir_partition_result.partition_index, dir_partition_result.error_code,
            ))


def _put_alter_replica_log_dirs_response_v2(out: Parts, m: AlterReplicaLogDirsResponse) -> None:
    results = m.results
    n = len(results) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for log_dir_topic_result in results:
        topic_name = log_dir_topic_result.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        partitions = log_dir_topic_result.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for dir_partition_result in partitions:
            out.append(_write_ihx(
                dir_partition_result.partition_index, dir_partition_result.error_code,
            ))
            if dir_partition_result.unknown_tags:
                put_tags(out, [], dir_partition_result.unknown_tags)
        out.append(b"\0")
        if log_dir_topic_result.unknown_tags:
            put_tags(out, [], log_dir_topic_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_alter_replica_log_dirs_response_v0, 1: _get_alter_replica_log_dirs_response_v0,
    2: _get_alter_replica_log_dirs_response_v2,
}
_PUT = {
    0: _put_alter_replica_log_dirs_response_v0, 1: _put_alter_replica_log_dirs_response_v0,
    2: _put_alter_replica_log_dirs_response_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> AlterReplicaLogDirsResponse:
    """The AlterReplicaLogDirsResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AlterReplicaLogDirsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AlterReplicaLogDirsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AlterReplicaLogDirsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ALTER_REPLICA_LOG_DIR_PARTITION_RESULT_SHAPE: Shape = (
    AlterReplicaLogDirPartitionResult,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 2), None, None, None, 0, False,
            (2, 2), None,
        ),
        ("errorCode", "error_code", "int16", (0, 2), None, None, None, 0, False, (2, 2), None),
    ),
)
_ALTER_REPLICA_LOG_DIR_TOPIC_RESULT_SHAPE: Shape = (
    AlterReplicaLogDirTopicResult,
    (
        ("topicName", "topic_name", "string", (0, 2), None, None, None, "", False, (2, 2), None),
        (
            "partitions", "partitions", "[]AlterReplicaLogDirPartitionResult", (0, 2), None, None,
            None, (), False, (2, 2), _ALTER_REPLICA_LOG_DIR_PARTITION_RESULT_SHAPE,
        ),
    ),
)
_ALTER_REPLICA_LOG_DIRS_RESPONSE_SHAPE: Shape = (
    AlterReplicaLogDirsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 2), None, None, None, 0, False,
            (2, 2), None,
        ),
        (
            "results", "results", "[]AlterReplicaLogDirTopicResult", (0, 2), None, None, None, (),
            False, (2, 2), _ALTER_REPLICA_LOG_DIR_TOPIC_RESULT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_ALTER_REPLICA_LOG_DIRS_RESPONSE_SHAPE, (0, 2), (2, 2))
