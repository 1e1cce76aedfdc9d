# GENERATED from schemas/produce_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 64b2c49bcb1c5bc7, generator 1.
"""Appends record batches. Api key 0, versions 0-13, flexible from 9."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, long_count, long_head, long_size, long_text,
    long_text_head, put_records, put_tags, refuse_field, refuse_null, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape
from metaquorum.wire.slices import RecordsValue

API_KEY: Final = 0
NAME: Final = "ProduceRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 13
FLEXIBLE_FROM: Final[int | None] = 9


class PartitionProduceData(Message):
    """One row a partition."""

    __slots__ = ("index", "records", "unknown_tags")

    def __init__(
        self,
        # Index of the partition.
        index: int = 0,
        # Record batches to append.
        records: RecordsValue = b"",
        unknown_tags: Tags = (),
    ) -> None:
        self.index = index
        self.records = records
        self.unknown_tags = unknown_tags


class TopicProduceData(Message):
    """One row a topic."""

    __slots__ = ("name", "topic_id", "partition_data", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v0-12)
        name: str = "",
        # Id of the topic. (v13+)
        topic_id: bytes = ZERO_UUID,
        # One row a partition.
        partition_data: Sequence[PartitionProduceData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partition_data: Sequence[PartitionProduceData] = (
            [] if partition_data == () else partition_data
        )
        self.unknown_tags = unknown_tags


class ProduceRequest(Message):
    """Appends record batches."""

    __slots__ = ("transactional_id", "acks", "timeout_ms", "topic_data", "unknown_tags")

    def __init__(
        self,
        # Transactional id of the producer; null outside of transactions. (v3+)
        transactional_id: str | None = None,
        # Acknowledgements to wait for: 0 none, 1 the leader, -1 all in-sync replicas.
        acks: int = 0,
        # Milliseconds to wait for the acknowledgements.
        timeout_ms: int = 0,
        # One row a topic.
        topic_data: Sequence[TopicProduceData] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.transactional_id = transactional_id
        self.acks = acks
        self.timeout_ms = timeout_ms
        self.topic_data: Sequence[TopicProduceData] = [] if topic_data == () else topic_data
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_read_2i = Struct(">2i").unpack_from
_read_h = Struct(">h").unpack_from
_read_h2i = Struct(">h2i").unpack_from
_read_hiB = Struct(">hiB").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_16sB = Struct(">16sB").pack
_write_2i = Struct(">2i").pack
_write_h = Struct(">h").pack
_write_h2i = Struct(">h2i").pack
_write_hiB = Struct(">hiB").pack
_write_i = Struct(">i").pack


def _get_produce_request_v0(buf: bytes, view: memoryview, at: int) -> tuple[ProduceRequest, int]:
    m = new(ProduceRequest)
    (m.acks, m.timeout_ms, n) = _read_h2i(buf, at)
    at += 10
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topic_data: list[TopicProduceData] = []
    m.topic_data = topic_data
    left_topic_data = n
    while left_topic_data:
        left_topic_data -= 1
        topic_produce_data = new(TopicProduceData)
        topic_data.append(topic_produce_data)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        topic_produce_data.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 8)
        partition_data: list[PartitionProduceData] = []
        topic_produce_data.partition_data = partition_data
        left_partition_data = n
        while left_partition_data:
            left_partition_data -= 1
            partition_produce_data = new(PartitionProduceData)
            partition_data.append(partition_produce_data)
            (partition_produce_data.index, n) = _read_2i(buf, at)
            at += 8
            if n < 0:
                partition_produce_data.records = None
            else:
                end = at + n
                partition_produce_data.records = view[at:end]
                at = end
            partition_produce_data.unknown_tags = ()
        topic_produce_data.topic_id = ZERO_UUID
        topic_produce_data.unknown_tags = ()
    m.transactional_id = None
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_produce_request_v3(buf: bytes, view: memoryview, at: int) -> tuple[ProduceRequest, int]:
    m = new(ProduceRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        m.transactional_id = None
    else:
        end = at + n
        m.transactional_id = buf[at:end].decode()
        at = end
    (m.acks, m.timeout_ms, n) = _read_h2i(buf, at)
    at += 10
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topic_data: list[TopicProduceData] = []
    m.topic_data = topic_data
    left_topic_data = n
    while left_topic_data:
        left_topic_data -= 1
        topic_produce_data = new(TopicProduceData)
        topic_data.append(topic_produce_data)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        topic_produce_data.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 8)
        partition_data: list[PartitionProduceData] = []
        topic_produce_data.partition_data = partition_data
        left_partition_data = n
        while left_partition_data:
            left_partition_data -= 1
            partition_produce_data = new(PartitionProduceData)
            partition_data.append(partition_produce_data)
            (partition_produce_data.index, n) = _read_2i(buf, at)
            at += 8
            if n < 0:
                partition_produce_data.records = None
            else:
                end = at + n
                partition_produce_data.records = view[at:end]
                at = end
            partition_produce_data.unknown_tags = ()
        topic_produce_data.topic_id = ZERO_UUID
        topic_produce_data.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_produce_request_v9(buf: bytes, view: memoryview, at: int) -> tuple[ProduceRequest, int]:
    m = new(ProduceRequest)
    n = buf[at]
    at += 1
    if n == 0:
        m.transactional_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.transactional_id = buf[at:end].decode()
        at = end
    (m.acks, m.timeout_ms, n) = _read_hiB(buf, at)
    at += 7
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topic_data: list[TopicProduceData] = []
    m.topic_data = topic_data
    left_topic_data = n - 1
    while left_topic_data:
        left_topic_data -= 1
        topic_produce_data = new(TopicProduceData)
        topic_data.append(topic_produce_data)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        topic_produce_data.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 6)
        partition_data: list[PartitionProduceData] = []
        topic_produce_data.partition_data = partition_data
        left_partition_data = n - 1
        while left_partition_data:
            left_partition_data -= 1
            partition_produce_data = new(PartitionProduceData)
            partition_data.append(partition_produce_data)
            (partition_produce_data.index, n) = _read_iB(buf, at)
            at += 5
            if n == 0:
                partition_produce_data.records = None
            else:
                if n > 127:
                    if 0 < buf[at] < 128:
                        n += (buf[at] << 7) - 128
                        at += 1
                    else:
                        n, at = long_size(buf, at)
                end = at + n - 1
                partition_produce_data.records = view[at:end]
                at = end
            tags = buf[at]
            at += 1
            partition_produce_data.unknown_tags = ()
            if tags:
                partition_produce_data.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_produce_data.topic_id = ZERO_UUID
        topic_produce_data.unknown_tags = ()
        if tags:
            topic_produce_data.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_produce_request_v13(buf: bytes, view: memoryview, at: int) -> tuple[ProduceRequest, int]:
    m = new(ProduceRequest)
    n = buf[at]
    at += 1
    if n == 0:
        m.transactional_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.transactional_id = buf[at:end].decode()
        at = end
    (m.acks, m.timeout_ms, n) = _read_hiB(buf, at)
    at += 7
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 18)
    topic_data: list[TopicProduceData] = []
    m.topic_data = topic_data
    left_topic_data = n - 1
    while left_topic_data:
        left_topic_data -= 1
        topic_produce_data = new(TopicProduceData)
        topic_data.append(topic_produce_data)
        (topic_produce_data.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 6)
        partition_data: list[PartitionProduceData] = []
        topic_produce_data.partition_data = partition_data
        left_partition_data = n - 1
        while left_partition_data:
            left_partition_data -= 1
            partition_produce_data = new(PartitionProduceData)
            partition_data.append(partition_produce_data)
            (partition_produce_data.index, n) = _read_iB(buf, at)
            at += 5
            if n == 0:
                partition_produce_data.records = None
            else:
                if n > 127:
                    if 0 < buf[at] < 128:
                        n += (buf[at] << 7) - 128
                        at += 1
                    else:
                        n, at = long_size(buf, at)
                end = at + n - 1
                partition_produce_data.records = view[at:end]
                at = end
            tags = buf[at]
            at += 1
            partition_produce_data.unknown_tags = ()
            if tags:
                partition_produce_data.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        topic_produce_data.name = ""
        topic_produce_data.unknown_tags = ()
        if tags:
            topic_produce_data.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_produce_request_v0(out: Parts, m: ProduceRequest) -> None:
    if m.transactional_id is not None:
        refuse_field("transactional_id")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topic_data = m.topic_data
    n = len(topic_data)
    out.append(_write_h2i(m.acks, m.timeout_ms, n))
    for topic_produce_data in topic_data:
        if topic_produce_data.unknown_tags:
            refuse_field("unknown_tags")
        name = topic_produce_data.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partition_data = topic_produce_data.partition_data
        n = len(partition_data)
        out.append(_write_i(n))
        for partition_produce_data in partition_data:
            if partition_produce_data.unknown_tags:
                refuse_field("unknown_tags")
            records = partition_produce_data.records
            n = -1 if records is None else len(records)
            out.append(_write_2i(partition_produce_data.index, n))
            if records is not None:
                if type(records) is bytes:
                    out.append(records)
                else:
                    put_records(out, records)


def _put_produce_request_v3(out: Parts, m: ProduceRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    transactional_id = b"" if m.transactional_id is None else m.transactional_id.encode()
    n = -1 if m.transactional_id is None else len(transactional_id)
    out.append(_write_h(n))
    out.append(transactional_id)
    topic_data = m.topic_data
    n = len(topic_data)
    out.append(_write_h2i(m.acks, m.timeout_ms, n))
    for topic_produce_data in topic_data:
        if topic_produce_data.unknown_tags:
            refuse_field("unknown_tags")
        name = topic_produce_data.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        partition_data = topic_produce_data.partition_data
        n = len(partition_data)
        out.append(_write_i(n))
        for partition_produce_data in partition_data:
            if partition_produce_data.unknown_tags:
                refuse_field("unknown_tags")
            records = partition_produce_data.records
            n = -1 if records is None else len(records)
            out.append(_write_2i(partition_produce_data.index, n))
            if records is not None:
                if type(records) is bytes:
                    out.append(records)
                else:
                    put_records(out, records)


def _put_produce_request_v9(out: Parts, m: ProduceRequest) -> None:
    transactional_id = b"" if m.transactional_id is None else m.transactional_id.encode()
    n = 0 if m.transactional_id is None else len(transactional_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(transactional_id)
    topic_data = m.topic_data
    n = len(topic_data) + 1
    out.append(_write_hiB(m.acks, m.timeout_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for topic_produce_data in topic_data:
        name = topic_produce_data.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        partition_data = topic_produce_data.partition_data
        n = len(partition_data) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_produce_data in partition_data:
            records = partition_produce_data.records
            n = 0 if records is None else len(records) + 1
            out.append(_write_i(partition_produce_data.index))
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            if records is not None:
                if type(records) is bytes:
                    out.append(records)
                else:
                    put_records(out, records)
            out.append(b"\0")
            if partition_produce_data.unknown_tags:
                put_tags(out, [], partition_produce_data.unknown_tags)
        out.append(b"\0")
        if topic_produce_data.unknown_tags:
            put_tags(out, [], topic_produce_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_produce_request_v13(out: Parts, m: ProduceRequest) -> None:
    transactional_id = b"" if m.transactional_id is None else m.transactional_id.encode()
    n = 0 if m.transactional_id is None else len(transactional_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(transactional_id)
    topic_data = m.topic_data
    n = len(topic_data) + 1
    out.append(_write_hiB(m.acks, m.timeout_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for topic_produce_data in topic_data:
        if len(topic_produce_data.topic_id) != 16:
            refuse_uuid("topic_id")
        partition_data = topic_produce_data.partition_data
        n = len(partition_data) + 1
        out.append(_write_16sB(topic_produce_data.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for partition_produce_data in partition_data:
            records = partition_produce_data.records
            n = 0 if records is None else len(records) + 1
            out.append(_write_i(partition_produce_data.index))
            out.append(ONE_BYTE[n] if n < 128 else long_head(n))
            if records is not None:
                if type(records) is bytes:
                    out.append(records)
                else:
                    put_records(out, records)
            out.append(b"\0")
            if partition_produce_data.unknown_tags:
                put_tags(out, [], partition_produce_data.unknown_tags)
        out.append(b"\0")
        if topic_produce_data.unknown_tags:
            put_tags(out, [], topic_produce_data.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_produce_request_v0, 1: _get_produce_request_v0, 2: _get_produce_request_v0,
    3: _get_produce_request_v3, 4: _get_produce_request_v3, 5: _get_produce_request_v3,
    6: _get_produce_request_v3, 7: _get_produce_request_v3, 8: _get_produce_request_v3,
    9: _get_produce_request_v9, 10: _get_produce_request_v9, 11: _get_produce_request_v9,
    12: _get_produce_request_v9, 13: _get_produce_request_v13,
}
_PUT = {
    0: _put_produce_request_v0, 1: _put_produce_request_v0, 2: _put_produce_request_v0,
    3: _put_produce_request_v3, 4: _put_produce_request_v3, 5: _put_produce_request_v3,
    6: _put_produce_request_v3, 7: _put_produce_request_v3, 8: _put_produce_request_v3,
    9: _put_produce_request_v9, 10: _put_produce_request_v9, 11: _put_produce_request_v9,
    12: _put_produce_request_v9, 13: _put_produce_request_v13,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ProduceRequest:
    """The ProduceRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ProduceRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ProduceRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ProduceRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_PARTITION_PRODUCE_DATA_SHAPE: Shape = (
    PartitionProduceData,
    (
        ("index", "index", "int32", (0, 13), None, None, None, 0, False, (9, 13), None),
        ("records", "records", "records", (0, 13), (0, 13), None, None, b"", False, (9, 13), None),
    ),
)
_TOPIC_PRODUCE_DATA_SHAPE: Shape = (
    TopicProduceData,
    (
        ("name", "name", "string", (0, 12), None, None, None, "", True, (9, 13), None),
        ("topicId", "topic_id", "uuid", (13, 13), None, None, None, ZERO_UUID, True, (9, 13), None),
        (
            "partitionData", "partition_data", "[]PartitionProduceData", (0, 13), None, None, None,
            (), False, (9, 13), _PARTITION_PRODUCE_DATA_SHAPE,
        ),
    ),
)
_PRODUCE_REQUEST_SHAPE: Shape = (
    ProduceRequest,
    (
        (
            "transactionalId", "transactional_id", "string", (3, 13), (3, 13), None, None, None,
            False, (9, 13), None,
        ),
        ("acks", "acks", "int16", (0, 13), None, None, None, 0, False, (9, 13), None),
        ("timeoutMs", "timeout_ms", "int32", (0, 13), None, None, None, 0, False, (9, 13), None),
        (
            "topicData", "topic_data", "[]TopicProduceData", (0, 13), None, None, None, (), False,
            (9, 13), _TOPIC_PRODUCE_DATA_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_PRODUCE_REQUEST_SHAPE, (0, 13), (9, 13))
