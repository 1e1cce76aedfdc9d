# GENERATED from schemas/write_txn_markers_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 b5586376bd11ff83, generator 1.
"""Says for each partition whether the end was written. Api key 27, versions 0-2, flexible from 1.
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

API_KEY: Final = 27
NAME: Final = "WriteTxnMarkersResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 1


class WritableTxnMarkerPartitionResult(Message):
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


class WritableTxnMarkerTopicResult(Message):
    """One result a topic."""

    __slots__ = ("name", "partitions", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        name: str = "",
        # One result a partition.
        partitions: Sequence[WritableTxnMarkerPartitionResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.partitions: Sequence[WritableTxnMarkerPartitionResult] = (
            [] if partitions == () else partitions
        )
        self.unknown_tags = unknown_tags


class WritableTxnMarkerResult(Message):
    """One result a producer."""

    __slots__ = ("producer_id", "topics", "unknown_tags")

    def __init__(
        self,
        # Id of the producer.
        producer_id: int = 0,
        # One result a topic.
        topics: Sequence[WritableTxnMarkerTopicResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.producer_id = producer_id
        self.topics: Sequence[WritableTxnMarkerTopicResult] = [] if topics == () else topics
        self.unknown_tags = unknown_tags


class WriteTxnMarkersResponse(Message):
    """Says for each partition whether the end was written."""

    __slots__ = ("markers", "unknown_tags")

    def __init__(
        self,
        # One result a producer.
        markers: Sequence[WritableTxnMarkerResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.markers: Sequence[WritableTxnMarkerResult] = [] if markers == () else markers
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_ih = Struct(">ih").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_read_qB = Struct(">qB").unpack_from
_read_qi = Struct(">qi").unpack_from
_rows_ih = Struct(">ih").iter_unpack
_rows_ihx = Struct(">ihx").iter_unpack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_ih = Struct(">ih").pack
_write_ihx = Struct(">ihx").pack
_write_qB = Struct(">qB").pack
_write_qi = Struct(">qi").pack


def _get_write_txn_markers_response_v0(buf: bytes, at: int) -> tuple[WriteTxnMarkersResponse, int]:
    m = new(WriteTxnMarkersResponse)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 12)
    markers: list[WritableTxnMarkerResult] = []
    m.markers = markers
    left_markers = n
    while left_markers:
        left_markers -= 1
        txn_marker_result = new(WritableTxnMarkerResult)
        markers.append(txn_marker_result)
        (txn_marker_result.producer_id, n) = _read_qi(buf, at)
        at += 12
        if not 0 <= n < 128:
            check_count(buf, at, n, 6)
        topics: list[WritableTxnMarkerTopicResult] = []
        txn_marker_result.topics = topics
        left_topics = n
        while left_topics:
            left_topics -= 1
            marker_topic_result = new(WritableTxnMarkerTopicResult)
            topics.append(marker_topic_result)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            marker_topic_result.name = buf[at:end].decode()
            at = end
            (n,) = _read_i(buf, at)
            at += 4
            if not 0 <= n < 128:
                check_count(buf, at, n, 6)
            partitions: list[WritableTxnMarkerPartitionResult] = []
            marker_topic_result.partitions = partitions
            left_partitions = n
            if left_partitions > 4:
                end = at + 6 * left_partitions
                partitions += map(new, repeat(WritableTxnMarkerPartitionResult, left_partitions))
                left_partitions = 0
                for partition_result, values in zip(partitions, _rows_ih(buf[at:end])):
                    (partition_result.partition_index, partition_result.error_code) = values
                    partition_result.unknown_tags = ()
                at = end
            while left_partitions:
                left_partitions -= 1
                partition_result = new(WritableTxnMarkerPartitionResult)
                partitions.append(partition_result)
                (partition_result.partition_index, partition_result.error_code) = _read_ih(buf, at)
                at += 6
                partition_result.unknown_tags = ()
            marker_topic_result.unknown_tags = ()
        txn_marker_result.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_write_txn_markers_response_v1(buf: bytes, at: int) -> tuple[WriteTxnMarkersResponse, int]:
    m = new(WriteTxnMarkersResponse)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 10)
    markers: list[WritableTxnMarkerResult] = []
    m.markers = markers
    left_markers = n - 1
    while left_markers:
        left_markers -= 1
        txn_marker_result = new(WritableTxnMarkerResult)
        markers.append(txn_marker_result)
        (txn_marker_result.producer_id, n) = _read_qB(buf, at)
        at += 9
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 3)
        topics: list[WritableTxnMarkerTopicResult] = []
        txn_marker_result.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            marker_topic_result = new(WritableTxnMarkerTopicResult)
            topics.append(marker_topic_result)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            marker_topic_result.name = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 7)
            partitions: list[WritableTxnMarkerPartitionResult] = []
            marker_topic_result.partitions = partitions
            left_partitions = n - 1
            if (
                left_partitions > 4
                and buf[at + 6 : at + 7 * left_partitions : 7] == bytes(left_partitions)
            ):
                end = at + 7 * left_partitions
                partitions += map(new, repeat(WritableTxnMarkerPartitionResult, left_partitions))
                left_partitions = 0
                for partition_result, values in zip(partitions, _rows_ihx(buf[at:end])):
                    (partition_result.partition_index, partition_result.error_code) = values
                    partition_result.unknown_tags = ()
                at = end
            while left_partitions:
                left_partitions -= 1
                partition_result = new(WritableTxnMarkerPartitionResult)
                partitions.append(partition_result)
                (
                    partition_result.partition_index, partition_result.error_code, tags,
                ) = _read_ihB(buf, at)
                at += 7
                partition_result.unknown_tags = ()
                if tags:
                    partition_result.unknown_tags, at = get_tags(buf, at - 1)
            tags = buf[at]
            at += 1
            marker_topic_result.unknown_tags = ()
            if tags:
                marker_topic_result.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        txn_marker_result.unknown_tags = ()
        if tags:
            txn_marker_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_write_txn_markers_response_v0(out: Parts, m: WriteTxnMarkersResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    markers = m.markers
    n = len(markers)
    out.append(_write_i(n))
    for txn_marker_result in markers:
        if txn_marker_result.unknown_tags:
            refuse_field("unknown_tags")
        topics = txn_marker_result.topics
        n = len(topics)
        out.append(_write_qi(txn_marker_result.producer_id, n))
        for marker_topic_result in topics:
            if marker_topic_result.unknown_tags:
                refuse_field("unknown_tags")
            name = marker_topic_result.name.encode()
            n = len(name)
            out.append(_write_h(n))
            out.append(name)
            partitions = marker_topic_result.partitions
            n = len(partitions)
            out.append(_write_i(n))
            for partition_result in partitions:
                if partition_result.unknown_tags:
                    refuse_field("unknown_tags")
                out.append(_write_ih(partition_result.partition_index, partition_result.error_code))


def _put_write_txn_markers_response_v1(out: Parts, m: WriteTxnMarkersResponse) -> None:
    markers = m.markers
    n = len(markers) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for txn_marker_result in markers:
        topics = txn_marker_result.topics
        n = len(topics) + 1
        out.append(_write_qB(txn_marker_result.producer_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for marker_topic_result in topics:
            name = marker_topic_result.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            partitions = marker_topic_result.partitions
            n = len(partitions) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            for partition_result in partitions:
                out.append(_write_ihx(
                    partition_result.partition_index, partition_result.error_code,
                ))
                if partition_result.unknown_tags:
                    put_tags(out, [], partition_result.unknown_tags)
            out.append(b"\0")
            if marker_topic_result.unknown_tags:
                put_tags(out, [], marker_topic_result.unknown_tags)
        out.append(b"\0")
        if txn_marker_result.unknown_tags:
            put_tags(out, [], txn_marker_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_write_txn_markers_response_v0, 1: _get_write_txn_markers_response_v1,
    2: _get_write_txn_markers_response_v1,
}
_PUT = {
    0: _put_write_txn_markers_response_v0, 1: _put_write_txn_markers_response_v1,
    2: _put_write_txn_markers_response_v1,
}


def decode(buf: Buffer, version: int, at: int = 0) -> WriteTxnMarkersResponse:
    """The WriteTxnMarkersResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[WriteTxnMarkersResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: WriteTxnMarkersResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: WriteTxnMarkersResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_WRITABLE_TXN_MARKER_PARTITION_RESULT_SHAPE: Shape = (
    WritableTxnMarkerPartitionResult,
    (
        (
            "partitionIndex", "partition_index", "int32", (0, 2), None, None, None, 0, False,
            (1, 2), None,
        ),
        ("errorCode", "error_code", "int16", (0, 2), None, None, None, 0, False, (1, 2), None),
    ),
)
_WRITABLE_TXN_MARKER_TOPIC_RESULT_SHAPE: Shape = (
    WritableTxnMarkerTopicResult,
    (
        ("name", "name", "string", (0, 2), None, None, None, "", False, (1, 2), None),
        (
            "partitions", "partitions", "[]WritableTxnMarkerPartitionResult", (0, 2), None, None,
            None, (), False, (1, 2), _WRITABLE_TXN_MARKER_PARTITION_RESULT_SHAPE,
        ),
    ),
)
_WRITABLE_TXN_MARKER_RESULT_SHAPE: Shape = (
    WritableTxnMarkerResult,
    (
        ("producerId", "producer_id", "int64", (0, 2), None, None, None, 0, False, (1, 2), None),
        (
            "topics", "topics", "[]WritableTxnMarkerTopicResult", (0, 2), None, None, None, (),
            False, (1, 2), _WRITABLE_TXN_MARKER_TOPIC_RESULT_SHAPE,
        ),
    ),
)
_WRITE_TXN_MARKERS_RESPONSE_SHAPE: Shape = (
    WriteTxnMarkersResponse,
    (
        (
            "markers", "markers", "[]WritableTxnMarkerResult", (0, 2), None, None, None, (), False,
            (1, 2), _WRITABLE_TXN_MARKER_RESULT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_WRITE_TXN_MARKERS_RESPONSE_SHAPE, (0, 2), (1, 2))
