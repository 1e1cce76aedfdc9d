# GENERATED from schemas/storage/producer_snapshot.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 cde2fe265814e204, generator 1.
"""What a log knew of its producers at one offset: the file beside a segment. Versions 1, never
flexible.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, check_count, decode_failure, encode_failure,
    joined, refuse_field, whole,
)
from metaquorum.wire.shape import Shape

NAME: Final = "ProducerSnapshot"
LOWEST_VERSION: Final = 1
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = None


class ProducerEntry(Message):
    """One row a producer."""

    __slots__ = (
        "producer_id", "epoch", "last_sequence", "last_offset", "offset_delta", "timestamp",
        "coordinator_epoch", "current_txn_first_offset", "unknown_tags",
    )

    def __init__(
        self,
        # Id of the producer.
        producer_id: int = 0,
        # Epoch of the producer.
        epoch: int = 0,
        # Sequence number of the last record; -1 when there is none.
        last_sequence: int = 0,
        # Offset of the last record; -1 when there is none.
        last_offset: int = 0,
        # Records of the last batch, less one.
        offset_delta: int = 0,
        # Timestamp of the last batch.
        timestamp: int = 0,
        # Epoch of the coordinator that wrote the last marker; -1 when there is none.
        coordinator_epoch: int = 0,
        # Where the open transaction begins; -1 when none is.
        current_txn_first_offset: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.producer_id = producer_id
        self.epoch = epoch
        self.last_sequence = last_sequence
        self.last_offset = last_offset
        self.offset_delta = offset_delta
        self.timestamp = timestamp
        self.coordinator_epoch = coordinator_epoch
        self.current_txn_first_offset = current_txn_first_offset
        self.unknown_tags = unknown_tags


class ProducerSnapshot(Message):
    """What a log knew of its producers at one offset: the file beside a segment."""

    __slots__ = ("crc", "producer_entries", "unknown_tags")

    def __init__(
        self,
        # CRC32C of all that follows.
        crc: int = 0,
        # One row a producer.
        producer_entries: Sequence[ProducerEntry] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.crc = crc
        self.producer_entries: Sequence[ProducerEntry] = (
            [] if producer_entries == () else producer_entries
        )
        self.unknown_tags = unknown_tags


_read_Ii = Struct(">Ii").unpack_from
_read_qhiqiqiq = Struct(">qhiqiqiq").unpack_from
_rows_qhiqiqiq = Struct(">qhiqiqiq").iter_unpack
_write_Ii = Struct(">Ii").pack
_write_qhiqiqiq = Struct(">qhiqiqiq").pack


def _get_producer_snapshot_v1(buf: bytes, at: int) -> tuple[ProducerSnapshot, int]:
    m = new(ProducerSnapshot)
    (m.crc, n) = _read_Ii(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 46)
    producer_entries: list[ProducerEntry] = []
    m.producer_entries = producer_entries
    left_producer_entries = n
    if left_producer_entries > 4:
        end = at + 46 * left_producer_entries
        producer_entries += map(new, repeat(ProducerEntry, left_producer_entries))
        left_producer_entries = 0
        for producer_entry, values in zip(producer_entries, _rows_qhiqiqiq(buf[at:end])):
            (
                producer_entry.producer_id, producer_entry.epoch, producer_entry.last_sequence,
                producer_entry.last_offset, producer_entry.offset_delta, producer_entry.timestamp,
                producer_entry.coordinator_epoch, producer_entry.current_txn_first_offset,
            ) = values
            producer_entry.unknown_tags = ()
        at = end
    while left_producer_entries:
        left_producer_entries -= 1
        producer_entry = new(ProducerEntry)
        producer_entries.append(producer_entry)
        (
            producer_entry.producer_id, producer_entry.epoch, producer_entry.last_sequence,
            producer_entry.last_offset, producer_entry.offset_delta, producer_entry.timestamp,
            producer_entry.coordinator_epoch, producer_entry.current_txn_first_offset,
        ) = _read_qhiqiqiq(buf, at)
        at += 46
        producer_entry.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _put_producer_snapshot_v1(out: Parts, m: ProducerSnapshot) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    producer_entries = m.producer_entries
    n = len(producer_entries)
    out.append(_write_Ii(m.crc, n))
    for producer_entry in producer_entries:
        if producer_entry.unknown_tags:
            refuse_field("unknown_tags")
        out.append(_write_qhiqiqiq(
            producer_entry.producer_id, producer_entry.epoch, producer_entry.last_sequence,
            producer_entry.last_offset, producer_entry.offset_delta, producer_entry.timestamp,
            producer_entry.coordinator_epoch, producer_entry.current_txn_first_offset,
        ))


_GET = {1: _get_producer_snapshot_v1}
_PUT = {1: _put_producer_snapshot_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> ProducerSnapshot:
    """The ProducerSnapshot that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ProducerSnapshot, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ProducerSnapshot, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ProducerSnapshot, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_PRODUCER_ENTRY_SHAPE: Shape = (
    ProducerEntry,
    (
        ("producerId", "producer_id", "int64", (1, 1), None, None, None, 0, False, None, None),
        ("epoch", "epoch", "int16", (1, 1), None, None, None, 0, False, None, None),
        ("lastSequence", "last_sequence", "int32", (1, 1), None, None, None, 0, False, None, None),
        ("lastOffset", "last_offset", "int64", (1, 1), None, None, None, 0, False, None, None),
        ("offsetDelta", "offset_delta", "int32", (1, 1), None, None, None, 0, False, None, None),
        ("timestamp", "timestamp", "int64", (1, 1), None, None, None, 0, False, None, None),
        (
            "coordinatorEpoch", "coordinator_epoch", "int32", (1, 1), None, None, None, 0, False,
            None, None,
        ),
        (
            "currentTxnFirstOffset", "current_txn_first_offset", "int64", (1, 1), None, None, None,
            0, False, None, None,
        ),
    ),
)
_PRODUCER_SNAPSHOT_SHAPE: Shape = (
    ProducerSnapshot,
    (
        ("crc", "crc", "uint32", (1, 1), None, None, None, 0, False, None, None),
        (
            "producerEntries", "producer_entries", "[]ProducerEntry", (1, 1), None, None, None, (),
            False, None, _PRODUCER_ENTRY_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_PRODUCER_SNAPSHOT_SHAPE, (1, 1), None)
