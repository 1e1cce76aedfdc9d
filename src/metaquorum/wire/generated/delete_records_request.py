# GENERATED from schemas/delete_records_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 007fd62906b4772a, generator 1.
"""Deletes the records of partitions that lie before given offsets. Api key 21, versions 0-2,
flexible from 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, long_count, long_head, long_text, long_text_head, put_tags,
    refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 21
NAME: Final = "DeleteRecordsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 2


class DeleteRecordsPartition(Message):
    """One row a partition."""

    __slots__ = ("partition_index", "offset", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        partition_index: int = 0,
        # First offset to keep; -1 for the high watermark.
        offset: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_index = partition_index
        self.offset = offset
        self.unknown_tags = unknown_tags


class DeleteRecordsTopic(Message):
    """One row a topic."""

    __slots__ = ("name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # One row a partition.
        partitions: Sequence[DeleteRecordsPartition] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partitions: Sequence[DeleteRecordsPartition] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class DeleteRecordsRequest(Message):
    """Deletes the records of partitions that lie before given offsets."""

    __slots__ = ("topics", "timeout_ms", "unknown_tags")

    def __init__(
        self,
        # One row a topic.
        topics: Sequence[DeleteRecordsTopic] = (),
        # Milliseconds the server may take.
        timeout_ms: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.topics: Sequence[DeleteRecordsTopic] = [] if topics == () else topics
        self.timeout_ms = timeout_ms
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_iq = Struct(">iq").unpack_from
_read_iqB = Struct(">iqB").unpack_from
_rows_iq = Struct(">iq").iter_unpack
_rows_iqx = Struct(">iqx").iter_unpack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_iq = Struct(">iq").pack
_write_iqx = Struct(">iqx").pack
_write_ix = Struct(">ix").pack


def _get_delete_records_request_v0(buf: bytes, at: int) -> tuple[DeleteRecordsRequest, int]:
    m = new(DeleteRecordsRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topics: list[DeleteRecordsTopic] = []
    m.topics = topics
    left_topics = n
    while left_topics:
        left_topics -= 1
        delete_records_topic = new(DeleteRecordsTopic)
        topics.append(delete_records_topic)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        delete_records_topic.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 12)
        partitions: list[DeleteRecordsPartition] = []
        delete_records_topic.partitions = partitions
        left_partitions = n
        if left_partitions > 4:
            end = at + 12 * left_partitions
            partitions += map(new, repeat(DeleteRecordsPartition, left_partitions))
            left_partitions = 0
            for records_partition, values in zip(partitions, _rows_iq(buf[at:end])):
                (records_partition.partition_index, records_partition.offset) = values
                records_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            records_partition = new(DeleteRecordsPartition)
            partitions.append(records_partition)
            (records_partition.partition_index, records_partition.offset) = _read_iq(buf, at)
            at += 12
            records_partition.unknown_tags = ()
        delete_records_topic.unknown_tags = ()
    (m.timeout_ms,) = _read_i(buf, at)
    at += 4
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_delete_records_request_v2(buf: bytes, at: int) -> tuple[DeleteRecordsRequest, int]:
    m = new(DeleteRecordsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topics: list[DeleteRecordsTopic] = []
    m.topics = topics
    left_topics = n - 1
    while left_topics:
        left_topics -= 1
        delete_records_topic = new(DeleteRecordsTopic)
        topics.append(delete_records_topic)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        delete_records_topic.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 13)
        partitions: list[DeleteRecordsPartition] = []
        delete_records_topic.partitions = partitions
        left_partitions = n - 1
        if (
            left_partitions > 4
            and buf[at + 12 : at + 13 * left_partitions : 13] == bytes(left_partitions)
        ):
            end = at + 13 * left_partitions
            partitions += map(new, repeat(DeleteRecordsPartition, left_partitions))
            left_partitions = 0
            for records_partition, values in zip(partitions, _rows_iqx(buf[at:end])):
                (records_partition.partition_index, records_partition.offset) = values
                records_partition.unknown_tags = ()
            at = end
        while left_partitions:
            left_partitions -= 1
            records_partition = new(DeleteRecordsPartition)
            partitions.append(records_partition)
            (records_partition.partition_index, records_partition.offset, tags) = _read_iqB(buf, at)
            at += 13
            records_partition.unknown_tags = ()
            if tags:
                records_partition.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        delete_records_topic.unknown_tags = ()
        if tags:
            delete_records_topic.unknown_tags, at = get_tags(buf, at - 1)
    (m.timeout_ms, tags) = _read_iB(buf, at)
    at += 5
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_delete_records_request_v0(out: Parts, m: DeleteRecordsRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topics = m.topics
    n = len(topics)
    out.append(_write_i(n))
    for delete_records_topic in topics:
        if delete_records_topic.unknown_tags:
            refuse_field("unknown_tags")
        name = delete_records_topic.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partitions = delete_records_topic.partitions
        n = len(partitions)
        out.append(_write_i(n))
        for records_partition in partitions:
            if records_partition.unknown_tags:
                refuse_field("unknown_tags")
            out.append(_write_iq(records_partition.partition_index, records_partition.offset))
    out.append(_write_i(m.timeout_ms))


def _put_delete_records_request_v2(out: Parts, m: DeleteRecordsRequest) -> None:
    topics = m.topics
    n = len(topics) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for delete_records_topic in topics:
        name = delete_records_topic.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partitions = delete_records_topic.partitions
        n = len(partitions) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for records_partition in partitions:
            out.append(_write_iqx(records_partition.partition_index, records_partition.offset))
            if records_partition.unknown_tags:
                put_tags(out, [], records_partition.unknown_tags)
        out.append(b"\0")
        if delete_records_topic.unknown_tags:
            put_tags(out, [], delete_records_topic.unknown_tags)
    out.append(_write_ix(m.timeout_ms))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_delete_records_request_v0, 1: _get_delete_records_request_v0,
    2: _get_delete_records_request_v2,
}
_PUT = {
    0: _put_delete_records_request_v0, 1: _put_delete_records_request_v0,
    2: _put_delete_records_request_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DeleteRecordsRequest:
    """The DeleteRecordsRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DeleteRecordsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DeleteRecordsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DeleteRecordsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DELETE_RECORDS_PARTITION_SHAPE: Shape = (
    DeleteRecordsPartition,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 2), None, None, None, 0, False,
            (2, 2), None,
        ),
        ("offset", "offset", "int64", (0, 2), None, None, None, 0, False, (2, 2), None),
    ),
)
_DELETE_RECORDS_TOPIC_SHAPE: Shape = (
    DeleteRecordsTopic,
    (
        ("name", "name", "string", (0, 2), None, None, None, "", False, (2, 2), None),
        (
            "partitions", "partitions", "[]DeleteRecordsPartition", (0, 2), None, None, None, (),
            False, (2, 2), _DELETE_RECORDS_PARTITION_SHAPE,
        ),
    ),
)
_DELETE_RECORDS_REQUEST_SHAPE: Shape = (
    DeleteRecordsRequest,
    (
        (
            "topics", "topics", "[]DeleteRecordsTopic", (0, 2), None, None, None, (), False, (2, 2),
            _DELETE_RECORDS_TOPIC_SHAPE,
        ),
        ("timeoutMs", "timeout_ms", "int32", (0, 2), None, None, None, 0, False, (2, 2), None),
    ),
)
SHAPE: Shape = (_DELETE_RECORDS_REQUEST_SHAPE, (0, 2), (2, 2))
