# GENERATED from schemas/transaction/transaction_log_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 a0d65f321abd716f, generator 1.
"""What the transaction coordinator knows of a transactional id. Record type 0, versions 0-1,
flexible from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tag_count, get_tag_head, get_tags, joined, lengthen, long_count, long_text,
    long_text_head, put_tags, refuse_field, refuse_null, refuse_size, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 0
NAME: Final = "TransactionLogValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 1


class PartitionsSchema(Message):
    """Partitions in the transaction; null when there are none."""

    __slots__ = ("topic", "partition_ids", "unknown_tags")

    def __init__(
        self,
        # Name of the topic.
        topic: str = "",
        # Partition indexes.
        partition_ids: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic = topic
        self.partition_ids: Sequence[int] = [] if partition_ids == () else partition_ids
        self.unknown_tags = unknown_tags


class TransactionLogValue(Message):
    """What the transaction coordinator knows of a transactional id."""

    __slots__ = (
        "producer_id", "previous_producer_id", "next_producer_id", "producer_epoch",
        "next_producer_epoch", "transaction_timeout_ms", "transaction_status",
        "transaction_partitions", "transaction_last_update_timestamp_ms",
        "transaction_start_timestamp_ms", "client_transaction_version", "unknown_tags",
    )

    def __init__(
        self,
        # Id of the producer.
        producer_id: int = 0,
        # Producer id before this one; -1 when there was none. (v1+, tag 0)
        previous_producer_id: int = -1,
        # Producer id to come; -1 when there is none. (v1+, tag 1)
        next_producer_id: int = -1,
        # Epoch of the producer.
        producer_epoch: int = 0,
        # Producer epoch to come; -1 when there is none. (v1+, tag 3)
        next_producer_epoch: int = -1,
        # Milliseconds after which an open transaction is aborted.
        transaction_timeout_ms: int = 0,
        # Code of the transaction's state.
        transaction_status: int = 0,
        # Partitions in the transaction; null when there are none.
        transaction_partitions: Sequence[PartitionsSchema] | None = (),
        # Milliseconds since 1970 at which the transaction changed last.
        transaction_last_update_timestamp_ms: int = 0,
        # Milliseconds since 1970 at which the transaction began.
        transaction_start_timestamp_ms: int = 0,
        # Level of the transaction protocol that the client uses. (v1+, tag 2)
        client_transaction_version: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.producer_id = producer_id
        self.previous_producer_id = previous_producer_id
        self.next_producer_id = next_producer_id
        self.producer_epoch = producer_epoch
        self.next_producer_epoch = next_producer_epoch
        self.transaction_timeout_ms = transaction_timeout_ms
        self.transaction_status = transaction_status
        self.transaction_partitions: Sequence[PartitionsSchema] | None = (
            [] if transaction_partitions == () else transaction_partitions
        )
        self.transaction_last_update_timestamp_ms = transaction_last_update_timestamp_ms
        self.transaction_start_timestamp_ms = transaction_start_timestamp_ms
        self.client_transaction_version = client_transaction_version
        self.unknown_tags = unknown_tags


_read_array_ni = ArrayReads("i", "", 0)
_read_array_ci_B = ArrayReads("i", "B", 1)
_read_2q = Struct(">2q").unpack_from
_read_2qB = Struct(">2qB").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_q = Struct(">q").unpack_from
_read_qhibB = Struct(">qhibB").unpack_from
_read_qhibi = Struct(">qhibi").unpack_from
_write_2q = Struct(">2q").pack
_write_2qx = Struct(">2qx").pack
_write_h = Struct(">h").pack
_write_q = Struct(">q").pack
_write_qhibB = Struct(">qhibB").pack
_write_qhibi = Struct(">qhibi").pack
_write_B_many_i_x = ArrayWrites("B *i x")
_write_i_many_i = ArrayWrites("i *i")


def _get_transaction_log_value_v0(buf: bytes, at: int) -> tuple[TransactionLogValue, int]:
    m = new(TransactionLogValue)
    (
        m.producer_id, m.producer_epoch, m.transaction_timeout_ms, m.transaction_status, n,
    ) = _read_qhibi(buf, at)
    at += 19
    if n < 0:
        m.transaction_partitions = None
    else:
        if n > 127:
            check_count(buf, at, n, 6)
        transaction_partitions: list[PartitionsSchema] = []
        m.transaction_partitions = transaction_partitions
        left_transaction_partitions = n
        while left_transaction_partitions:
            left_transaction_partitions -= 1
            partitions_schema = new(PartitionsSchema)
            transaction_partitions.append(partitions_schema)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            partitions_schema.topic = buf[at:end].decode()
            at = end
            (n_partition_ids,) = _read_i(buf, at)
            at += 4
            if not 0 <= n_partition_ids < 128:
                check_count(buf, at, n_partition_ids, 4)
            partitions_schema.partition_ids = [*_read_array_ni[n_partition_ids](buf, at)]
            at += 4 * n_partition_ids
            partitions_schema.unknown_tags = ()
    (m.transaction_last_update_timestamp_ms, m.transaction_start_timestamp_ms) = _read_2q(buf, at)
    at += 16
    m.previous_producer_id = -1
    m.next_producer_id = -1
    m.next_producer_epoch = -1
    m.client_transaction_version = 0
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_tags_transaction_log_value_v1(m: TransactionLogValue, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.previous_producer_id,) = _read_q(buf, at)
            at += 8
        elif tag == 1:
            (m.next_producer_id,) = _read_q(buf, at)
            at += 8
        elif tag == 2:
            (m.client_transaction_version,) = _read_h(buf, at)
            at += 2
        elif tag == 3:
            (m.next_producer_epoch,) = _read_h(buf, at)
            at += 2
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_transaction_log_value_v1(buf: bytes, at: int) -> tuple[TransactionLogValue, int]:
    m = new(TransactionLogValue)
    (
        m.producer_id, m.producer_epoch, m.transaction_timeout_ms, m.transaction_status, n,
    ) = _read_qhibB(buf, at)
    at += 16
    if n == 0:
        m.transaction_partitions = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 3)
        transaction_partitions: list[PartitionsSchema] = []
        m.transaction_partitions = transaction_partitions
        left_transaction_partitions = n - 1
        while left_transaction_partitions:
            left_transaction_partitions -= 1
            partitions_schema = new(PartitionsSchema)
            transaction_partitions.append(partitions_schema)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            partitions_schema.topic = buf[at:end].decode()
            at = end
            n_partition_ids = buf[at]
            at += 1
            if n_partition_ids > 127:
                n_partition_ids, at = long_count(buf, at, 4)
            (*partitions_schema.partition_ids, tags) = _read_array_ci_B[n_partition_ids](buf, at)
            at += 4 * n_partition_ids - 3
            partitions_schema.unknown_tags = ()
            if tags:
                partitions_schema.unknown_tags, at = get_tags(buf, at - 1)
    (
        m.transaction_last_update_timestamp_ms, m.transaction_start_timestamp_ms, tags,
    ) = _read_2qB(buf, at)
    at += 17
    m.previous_producer_id = -1
    m.next_producer_id = -1
    m.next_producer_epoch = -1
    m.client_transaction_version = 0
    m.unknown_tags = ()
    if tags:
        at = _get_tags_transaction_log_value_v1(m, buf, at - 1)
    return m, at


def _put_transaction_log_value_v0(out: Parts, m: TransactionLogValue) -> None:
    if m.previous_producer_id != -1:
        refuse_field("previous_producer_id")
    if m.next_producer_id != -1:
        refuse_field("next_producer_id")
    if m.next_producer_epoch != -1:
        refuse_field("next_producer_epoch")
    if m.client_transaction_version != 0:
        refuse_field("client_transaction_version")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    transaction_partitions = m.transaction_partitions
    n = -1 if transaction_partitions is None else len(transaction_partitions)
    out.append(_write_qhibi(
        m.producer_id, m.producer_epoch, m.transaction_timeout_ms, m.transaction_status, n,
    ))
    if transaction_partitions is not None:
        for partitions_schema in transaction_partitions:
            if partitions_schema.unknown_tags:
                refuse_field("unknown_tags")
            topic = partitions_schema.topic.encode()
            n = len(topic)
            out.append(_write_h(n))
            out.append(topic)
            partition_ids = partitions_schema.partition_ids
            n_partition_ids = len(partition_ids)
            write = _write_i_many_i[n_partition_ids]
            out.append(write(n_partition_ids, *partition_ids))
    out.append(_write_2q(m.transaction_last_update_timestamp_ms, m.transaction_start_timestamp_ms))


def _tags_of_transaction_log_value_v1(m: TransactionLogValue) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.previous_producer_id != -1:
        tags.append((0, _write_q(m.previous_producer_id)))
    if m.next_producer_id != -1:
        tags.append((1, _write_q(m.next_producer_id)))
    if m.client_transaction_version != 0:
        tags.append((2, _write_h(m.client_transaction_version)))
    if m.next_producer_epoch != -1:
        tags.append((3, _write_h(m.next_producer_epoch)))
    return tags


def _put_transaction_log_value_v1(out: Parts, m: TransactionLogValue) -> None:
    transaction_partitions = m.transaction_partitions
    n = 0 if transaction_partitions is None else len(transaction_partitions) + 1
    out.append(_write_qhibB(
        m.producer_id, m.producer_epoch, m.transaction_timeout_ms, m.transaction_status,
        n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    if transaction_partitions is not None:
        for partitions_schema in transaction_partitions:
            topic = partitions_schema.topic.encode()
            n = len(topic) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(topic)
            partition_ids = partitions_schema.partition_ids
            n_partition_ids = len(partition_ids)
            write = _write_B_many_i_x[n_partition_ids]
            out.append(write(n_partition_ids + 1, *partition_ids))
            if partitions_schema.unknown_tags:
                put_tags(out, [], partitions_schema.unknown_tags)
    out.append(_write_2qx(m.transaction_last_update_timestamp_ms, m.transaction_start_timestamp_ms))
    if (
        m.unknown_tags
        or m.previous_producer_id != -1
        or m.next_producer_id != -1
        or m.client_transaction_version != 0
        or m.next_producer_epoch != -1
    ):
        put_tags(out, _tags_of_transaction_log_value_v1(m), m.unknown_tags)


_GET = {0: _get_transaction_log_value_v0, 1: _get_transaction_log_value_v1}
_PUT = {0: _put_transaction_log_value_v0, 1: _put_transaction_log_value_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> TransactionLogValue:
    """The TransactionLogValue that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[TransactionLogValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: TransactionLogValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: TransactionLogValue, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_PARTITIONS_SCHEMA_SHAPE: Shape = (
    PartitionsSchema,
    (
        ("topic", "topic", "string", (0, 1), None, None, None, "", False, (1, 1), None),
        (
            "partitionIds", "partition_ids", "[]int32", (0, 1), None, None, None, (), False, (1, 1),
            None,
        ),
    ),
)
_TRANSACTION_LOG_VALUE_SHAPE: Shape = (
    TransactionLogValue,
    (
        ("producerId", "producer_id", "int64", (0, 1), None, None, None, 0, False, (1, 1), None),
        (
            "previousProducerId", "previous_producer_id", "int64", (1, 1), None, 0, (1, 1), -1,
            False, (1, 1), None,
        ),
        (
            "nextProducerId", "next_producer_id", "int64", (1, 1), None, 1, (1, 1), -1, False,
            (1, 1), None,
        ),
        (
            "producerEpoch", "producer_epoch", "int16", (0, 1), None, None, None, 0, False, (1, 1),
            None,
        ),
        (
            "nextProducerEpoch", "next_producer_epoch", "int16", (1, 1), None, 3, (1, 1), -1, False,
            (1, 1), None,
        ),
        (
            "transactionTimeoutMs", "transaction_timeout_ms", "int32", (0, 1), None, None, None, 0,
            False, (1, 1), None,
        ),
        (
            "transactionStatus", "transaction_status", "int8", (0, 1), None, None, None, 0, False,
            (1, 1), None,
        ),
        (
            "transactionPartitions", "transaction_partitions", "[]PartitionsSchema", (0, 1), (0, 1),
            None, None, (), False, (1, 1), _PARTITIONS_SCHEMA_SHAPE,
        ),
        (
            "transactionLastUpdateTimestampMs", "transaction_last_update_timestamp_ms", "int64",
            (0, 1), None, None, None, 0, False, (1, 1), None,
        ),
        (
            "transactionStartTimestampMs", "transaction_start_timestamp_ms", "int64", (0, 1), None,
            None, None, 0, False, (1, 1), None,
        ),
        (
            "clientTransactionVersion", "client_transaction_version", "int16", (1, 1), None, 2,
            (1, 1), 0, False, (1, 1), None,
        ),
    ),
)
SHAPE: Shape = (_TRANSACTION_LOG_VALUE_SHAPE, (0, 1), (1, 1))
