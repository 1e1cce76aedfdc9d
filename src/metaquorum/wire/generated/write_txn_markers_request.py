# GENERATED from schemas/write_txn_markers_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 c7cb289746c14593, generator 1.
"""A transaction coordinator has the end of transactions written into partitions. Api key 27,
versions 0-2, flexible from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, long_count, long_head, long_text, long_text_head,
    put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 27
NAME: Final = "WriteTxnMarkersRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 1


class WritableTxnMarkerTopic(Message):
    """One row a topic."""

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


class WritableTxnMarker(Message):
    """One row a transaction."""

    __slots__ = (
        "producer_id", "producer_epoch", "transaction_result", "topics", "coordinator_epoch",
        "transaction_version", "unknown_tags",
    )

    def __init__(
        self,
        # Id of the producer.
        producer_id: int = 0,
        # Epoch of the producer.
        producer_epoch: int = 0,
        # True when the transaction was committed, false when it was aborted.
        transaction_result: bool = False,
        # One row a topic.
        topics: Sequence[WritableTxnMarkerTopic] = (),
        # Epoch of the transaction coordinator that wrote the marker.
        coordinator_epoch: int = 0,
        # Level of the transaction protocol; 0 when unknown. (v2+)
        transaction_version: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.transaction_result = transaction_result
        self.topics: Sequence[WritableTxnMarkerTopic] = [] if topics == () else topics
        self.coordinator_epoch = coordinator_epoch
        self.transaction_version = transaction_version
        self.unknown_tags = unknown_tags


class WriteTxnMarkersRequest(Message):
    """A transaction coordinator has the end of transactions written into partitions."""

    __slots__ = ("markers", "unknown_tags")

    def __init__(
        self,
        # One row a transaction.
        markers: Sequence[WritableTxnMarker] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.markers: Sequence[WritableTxnMarker] = [] if markers == () else markers
        self.unknown_tags = unknown_tags


_read_array_ni = ArrayReads("i", "", 0)
_read_array_ci_B = ArrayReads("i", "B", 1)
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ibB = Struct(">ibB").unpack_from
_read_qhtB = Struct(">qh?B").unpack_from
_read_qhti = Struct(">qh?i").unpack_from
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_ibx = Struct(">ibx").pack
_write_ix = Struct(">ix").pack
_write_qhtB = Struct(">qh?B").pack
_write_qhti = Struct(">qh?i").pack
_write_B_many_i_x = ArrayWrites("B *i x")
_write_i_many_i = ArrayWrites("i *i")


def _get_write_txn_markers_request_v0(buf: bytes, at: int) -> tuple[WriteTxnMarkersRequest, int]:
    m = new(WriteTxnMarkersRequest)
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 19)
    markers: list[WritableTxnMarker] = []
    m.markers = markers
    left_markers = n
    while left_markers:
        left_markers -= 1
        writable_txn_marker = new(WritableTxnMarker)
        markers.append(writable_txn_marker)
        (
            writable_txn_marker.producer_id, writable_txn_marker.producer_epoch,
            writable_txn_marker.transaction_result, n,
        ) = _read_qhti(buf, at)
        at += 15
        if not 0 <= n < 128:
            check_count(buf, at, n, 6)
        topics: list[WritableTxnMarkerTopic] = []
        writable_txn_marker.topics = topics
        left_topics = n
        while left_topics:
            left_topics -= 1
            txn_marker_topic = new(WritableTxnMarkerTopic)
            topics.append(txn_marker_topic)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            txn_marker_topic.name = buf[at:end].decode()
            at = end
            (n_partition_indexes,) = _read_i(buf, at)
            at += 4
            if not 0 <= n_partition_indexes < 128:
                check_count(buf, at, n_partition_indexes, 4)
            txn_marker_topic.partition_indexes = [*_read_array_ni[n_partition_indexes](buf, at)]
            at += 4 * n_partition_indexes
            txn_marker_topic.unknown_tags = ()
        (writable_txn_marker.coordinator_epoch,) = _read_i(buf, at)
        at += 4
        writable_txn_marker.transaction_version = 0
        writable_txn_marker.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_write_txn_markers_request_v1(buf: bytes, at: int) -> tuple[WriteTxnMarkersRequest, int]:
    m = new(WriteTxnMarkersRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 17)
    markers: list[WritableTxnMarker] = []
    m.markers = markers
    left_markers = n - 1
    while left_markers:
        left_markers -= 1
        writable_txn_marker = new(WritableTxnMarker)
        markers.append(writable_txn_marker)
        (
            writable_txn_marker.producer_id, writable_txn_marker.producer_epoch,
            writable_txn_marker.transaction_result, n,
        ) = _read_qhtB(buf, at)
        at += 12
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 3)
        topics: list[WritableTxnMarkerTopic] = []
        writable_txn_marker.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            txn_marker_topic = new(WritableTxnMarkerTopic)
            topics.append(txn_marker_topic)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            txn_marker_topic.name = buf[at:end].decode()
            at = end
            n_partition_indexes = buf[at]
            at += 1
            if n_partition_indexes > 127:
                n_partition_indexes, at = long_count(buf, at, 4)
            (
                *txn_marker_topic.partition_indexes, tags,
            ) = _read_array_ci_B[n_partition_indexes](buf, at)
            at += 4 * n_partition_indexes - 3
            txn_marker_topic.unknown_tags = ()
            if tags:
                txn_marker_topic.unknown_tags, at = get_tags(buf, at - 1)
        (writable_txn_marker.coordinator_epoch, tags) = _read_iB(buf, at)
        at += 5
        writable_txn_marker.transaction_version = 0
        writable_txn_marker.unknown_tags = ()
        if tags:
            writable_txn_marker.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_write_txn_markers_request_v2(buf: bytes, at: int) -> tuple[WriteTxnMarkersRequest, int]:
    m = new(WriteTxnMarkersRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    markers: list[WritableTxnMarker] = []
    m.markers = markers
    left_markers = n - 1
    while left_markers:
        left_markers -= 1
        writable_txn_marker = new(WritableTxnMarker)
        markers.append(writable_txn_marker)
        (
            writable_txn_marker.producer_id, writable_txn_marker.producer_epoch,
            writable_txn_marker.transaction_result, n,
        ) = _read_qhtB(buf, at)
        at += 12
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 3)
        topics: list[WritableTxnMarkerTopic] = []
        writable_txn_marker.topics = topics
        left_topics = n - 1
        while left_topics:
            left_topics -= 1
            txn_marker_topic = new(WritableTxnMarkerTopic)
            topics.append(txn_marker_topic)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            txn_marker_topic.name = buf[at:end].decode()
            at = end
            n_partition_indexes = buf[at]
            at += 1
            if n_partition_indexes > 127:
                n_partition_indexes, at = long_count(buf, at, 4)
            (
                *txn_marker_topic.partition_indexes, tags,
            ) = _read_array_ci_B[n_partition_indexes](buf, at)
            at += 4 * n_partition_indexes - 3
            txn_marker_topic.unknown_tags = ()
            if tags:
                txn_marker_topic.unknown_tags, at = get_tags(buf, at - 1)
        (
            writable_txn_marker.coordinator_epoch, writable_txn_marker.transaction_version, tags,
        ) = _read_ibB(buf, at)
        at += 6
        writable_txn_marker.unknown_tags = ()
        if tags:
            writable_txn_marker.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_write_txn_markers_request_v0(out: Parts, m: WriteTxnMarkersRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    markers = m.markers
    n = len(markers)
    out.append(_write_i(n))
    for writable_txn_marker in markers:
        if writable_txn_marker.unknown_tags:
            refuse_field("unknown_tags")
        topics = writable_txn_marker.topics
        n = len(topics)
        out.append(_write_qhti(
            writable_txn_marker.producer_id, writable_txn_marker.producer_epoch,
            writable_txn_marker.transaction_result, n,
        ))
        for txn_marker_topic in topics:
            if txn_marker_topic.unknown_tags:
                refuse_field("unknown_tags")
            name = txn_marker_topic.name.encode()
            n = len(name)
            out.append(_write_h(n))
            out.append(name)
            partition_indexes = txn_marker_topic.partition_indexes
            n_partition_indexes = len(partition_indexes)
            write = _write_i_many_i[n_partition_indexes]
            out.append(write(n_partition_indexes, *partition_indexes))
        out.append(_write_i(writable_txn_marker.coordinator_epoch))


def _put_write_txn_markers_request_v1(out: Parts, m: WriteTxnMarkersRequest) -> None:
    markers = m.markers
    n = len(markers) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for writable_txn_marker in markers:
        topics = writable_txn_marker.topics
        n = len(topics) + 1
        out.append(_write_qhtB(
            writable_txn_marker.producer_id, writable_txn_marker.producer_epoch,
            writable_txn_marker.transaction_result, n if n < 128 else 0,
        ))
        if n > 127:
            lengthen(out, n)
        for txn_marker_topic in topics:
            name = txn_marker_topic.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            partition_indexes = txn_marker_topic.partition_indexes
            n_partition_indexes = len(partition_indexes)
            write = _write_B_many_i_x[n_partition_indexes]
            out.append(write(n_partition_indexes + 1, *partition_indexes))
            if txn_marker_topic.unknown_tags:
                put_tags(out, [], txn_marker_topic.unknown_tags)
        out.append(_write_ix(writable_txn_marker.coordinator_epoch))
        if writable_txn_marker.unknown_tags:
            put_tags(out, [], writable_txn_marker.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_write_txn_markers_request_v2(out: Parts, m: WriteTxnMarkersRequest) -> None:
    markers = m.markers
    n = len(markers) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for writable_txn_marker in markers:
        topics = writable_txn_marker.topics
        n = len(topics) + 1
        out.append(_write_qhtB(
            writable_txn_marker.producer_id, writable_txn_marker.producer_epoch,
            writable_txn_marker.transaction_result, n if n < 128 else 0,
        ))
        if n > 127:
            lengthen(out, n)
        for txn_marker_topic in topics:
            name = txn_marker_topic.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            partition_indexes = txn_marker_topic.partition_indexes
            n_partition_indexes = len(partition_indexes)
            write = _write_B_many_i_x[n_partition_indexes]
            out.append(write(n_partition_indexes + 1, *partition_indexes))
            if txn_marker_topic.unknown_tags:
                put_tags(out, [], txn_marker_topic.unknown_tags)
        out.append(_write_ibx(
            writable_txn_marker.coordinator_epoch, writable_txn_marker.transaction_version,
        ))
        if writable_txn_marker.unknown_tags:
            put_tags(out, [], writable_txn_marker.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_write_txn_markers_request_v0, 1: _get_write_txn_markers_request_v1,
    2: _get_write_txn_markers_request_v2,
}
_PUT = {
    0: _put_write_txn_markers_request_v0, 1: _put_write_txn_markers_request_v1,
    2: _put_write_txn_markers_request_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> WriteTxnMarkersRequest:
    """The WriteTxnMarkersRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[WriteTxnMarkersRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: WriteTxnMarkersRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: WriteTxnMarkersRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_WRITABLE_TXN_MARKER_TOPIC_SHAPE: Shape = (
    WritableTxnMarkerTopic,
    (
        ("name", "name", "string", (0, 2), None, None, None, "", False, (1, 2), None),
        (
            "partitionIndexes", "partition_indexes", "[]int32", (0, 2), None, None, None, (), False,
            (1, 2), None,
        ),
    ),
)
_WRITABLE_TXN_MARKER_SHAPE: Shape = (
    WritableTxnMarker,
    (
        ("producerId", "producer_id", "int64", (0, 2), None, None, None, 0, False, (1, 2), None),
        (
            "producerEpoch", "producer_epoch", "int16", (0, 2), None, None, None, 0, False, (1, 2),
            None,
        ),
        (
            "transactionResult", "transaction_result", "bool", (0, 2), None, None, None, False,
            False, (1, 2), None,
        ),
        (
            "topics", "topics", "[]WritableTxnMarkerTopic", (0, 2), None, None, None, (), False,
            (1, 2), _WRITABLE_TXN_MARKER_TOPIC_SHAPE,
        ),
        (
            "coordinatorEpoch", "coordinator_epoch", "int32", (0, 2), None, None, None, 0, False,
            (1, 2), None,
        ),
        (
            "transactionVersion", "transaction_version", "int8", (2, 2), None, None, None, 0, True,
            (1, 2), None,
        ),
    ),
)
_WRITE_TXN_MARKERS_REQUEST_SHAPE: Shape = (
    WriteTxnMarkersRequest,
    (
        (
            "markers", "markers", "[]WritableTxnMarker", (0, 2), None, None, None, (), False,
            (1, 2), _WRITABLE_TXN_MARKER_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_WRITE_TXN_MARKERS_REQUEST_SHAPE, (0, 2), (1, 2))
