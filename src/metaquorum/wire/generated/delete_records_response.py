# GENERATED from schemas/delete_records_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 70c8172e9ff68e84, generator 1.
"""Says for each partition where it begins now. Api key 21, versions 0-2, flexible from 2."""

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

API_KEY: Final = 21
NAME: Final = "DeleteRecordsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 2


class DeleteRecordsPartitionResult(Message):
    """One result a partition."""

    __slots__ = ("partition_index", "low_watermark", "error_code", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # Lowest start of the log among the replicas; -1 when unknown.
        low_watermark: int = 0,
        # Error of this partition; 0 for none.
        error_code: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.low_watermark = low_watermark
        self.error_code = error_code
        self.unknown_tags = unknown_tags


class DeleteRecordsTopicResult(Message):
    """One result a topic."""

    __slots__ = ("name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # One result a partition.
        partitions: Sequence[DeleteRecordsPartitionResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partitions: Sequence[DeleteRecordsPartitionResult] = (
            [] if partitions == () else partitions
        )
        self.unknown_tags = unknown_tags


class DeleteRecordsResponse(Message):
    """Says for each partition where it begins now."""

    __slots__ = ("throttle_time_ms", "topics", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # One result a topic.
        topics: Sequence[DeleteRecordsTopicResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics: Sequence[DeleteRecordsTopicResult] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


_read_2i = Struct(">2i").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_iqh = Struct(">iqh").unpack_from
_read_iqhB = Struct(">iqhB").unpack_from
_rows_iqh = Struct(">iqh").iter_unpack
_rows_iqhx = Struct(">iqhx").iter_unpack
_write_2i = Struct(">2i").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack
_write_iqh = Struct(">iqh").pack
_write_iqhx = Struct(">iqhx").pack


def _get_delete_records_response_v0(buf: bytes, at: int) -> tuple[DeleteRecordsResponse, int]:
    m = new(DeleteRecordsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[DeleteRecordsTopicResult] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        records_topic_result = new(DeleteRecordsTopicResult)
        topics.append(records_topic_result)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        records_topic_result.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 14)
        partitions: list[DeleteRecordsPartitionResult] = []
        records_topic_result.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 14 * left_partitions
            partitions += map(new, repeat(DeleteRecordsPartitionResult, left_partitions))
            left_partitions = 0
            for partition_result, values in zip(partitions, _rows_iqh(buf[at:end])):
                (
                    partition_result.partition_index, partition_result.low_watermark,
                    partition_result.error_code,
                ) = values
                partition_result.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            partition_result = new(DeleteRecordsPartitionResult)
            partitions.append(partition_result)
            (
                partition_result.partition_index, partition_result.low_watermark,
                partition_result.error_code,
            ) = _read_iqh(buf, at)
            at += 14
            partition_result.unknown_tags = ()
        records_topic_result.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_delete_records_response_v2(buf: bytes, at: int) -> tuple[DeleteRecordsResponse, int]:
    m = new(DeleteRecordsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[DeleteRecordsTopicResult] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        records_topic_result = new(DeleteRecordsTopicResult)
        topics.append(records_topic_result)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        records_topic_result.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 15)
        partitions: list[DeleteRecordsPartitionResult] = []
        records_topic_result.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 14 : at + 15 * left_partitions : 15] == bytes(left_partitions)
        ):
            end = at + 15 * left_partitions
            partitions += map(new, repeat(DeleteRecordsPartitionResult, left_partitions))
            left_partitions = 0
            for partition_result, values in zip(partitions, _rows_iqhx(buf[at:end])):
                (
                    partition_result.partition_index, partition_result.low_watermark,
                    partition_result.error_code,
                ) = values
                partition_result.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            partition_result = new(DeleteRecordsPartitionResult)
            partitions.append(partition_result)
            (
                partition_result.partition_index, partition_result.low_watermark,
                partition_result.error_code, tags,
            ) = _read_iqhB(buf, at)
            at += 15
            partition_result.unknown_tags = ()
            if tags:
                partition_result.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        records_topic_result.unknown_tags = ()
        if tags:
            records_topic_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_delete_records_response_v0(out: Parts, m: DeleteRecordsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_2i(m.throttle_time_ms, n))
    for records_topic_result in topics:
        if records_topic_result.unknown_tags:
            refuse_field("unknown_tags")
        name = records_topic_result.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = records_topic_result.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for partition_result in partitions:
            if partition_result.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_iqh(
                partition_result.partition_index, partition_result.low_watermark,
                partition_result.error_code,
            ))


def _put_delete_records_response_v2(out: Parts, m: DeleteRecordsResponse) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for records_topic_result in topics:
        name = records_topic_result.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partitions = records_topic_result.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_result in partitions:
            out.append(_write_iqhx(
                partition_result.partition_index, partition_result.low_watermark,
                partition_result.error_code,
            ))
            if partition_result.unknown_tags:
                put_tags(out, [], partition_result.unknown_tags)
        out.append(b"\0")
        if records_topic_result.unknown_tags:
            put_tags(out, [], records_topic_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_delete_records_response_v0, 1: _get_delete_records_response_v0,
    2: _get_delete_records_response_v2,
}
_PUT = {
    0: _put_delete_records_response_v0, 1: _put_delete_records_response_v0,
    2: _put_delete_records_response_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DeleteRecordsResponse:
    """The DeleteRecordsResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DeleteRecordsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DeleteRecordsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DeleteRecordsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DELETE_RECORDS_PARTITION_RESULT_SHAPE: Shape = (
    DeleteRecordsPartitionResult,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 2), None, None, None, 0, False,
            (2, 2), None,
        ),
        (
            "lowWatermark", "low_watermark", "int64", (0, 2), None, None, None, 0, False, (2, 2),
            None,
        ),
        ("errorCode", "error_code", "int16", (0, 2), None, None, None, 0, False, (2, 2), None),
    ),
)
_DELETE_RECORDS_TOPIC_RESULT_SHAPE: Shape = (
    DeleteRecordsTopicResult,
    (
        ("name", "name", "string", (0, 2), None, None, None, "", False, (2, 2), None),
        (
            "partitions", "partitions", "[]DeleteRecordsPartitionResult", (0, 2), None, None, None,
            (), False, (2, 2), _DELETE_RECORDS_PARTITION_RESULT_SHAPE,
        ),
    ),
)
_DELETE_RECORDS_RESPONSE_SHAPE: Shape = (
    DeleteRecordsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 2), None, None, None, 0, False,
            (2, 2), None,
        ),
        (
            "topics", "topics", "[]DeleteRecordsTopicResult", (0, 2), None, None, None, (), False,
            (2, 2), _DELETE_RECORDS_TOPIC_RESULT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DELETE_RECORDS_RESPONSE_SHAPE, (0, 2), (2, 2))
