"""Batches of producers, as seeds: what a broker of Kafka keeps of them in a log."""

from __future__ import annotations

from struct import Struct

from metaquorum.records.batch import CONTROL_BIT, TRANSACTIONAL_BIT
from metaquorum.records.builder import build_batch
from metaquorum.records.control import ControlType, TransactionMarker, encode_control
from metaquorum.storage.producer_snapshot import encode_producers
from metaquorum.storage.producer_state import LastBatch, ProducerEntry
from metaquorum.testing.fuzz.checksums import with_right_checksums
from metaquorum.testing.fuzz.producer_logs import NOW_MS, REPAIRED, Files

_PRODUCER = Struct(">qhi")
_PRODUCER_AT = 43
_ATTRIBUTES_AT = 22


def data(offset: int, producer_id: int, sequence: int, *, transactional: bool = False) -> bytes:
    """Two records of a producer."""
    records = [(b"k", b"one"), (b"k", b"two")]
    raw = build_batch(records, timestamp_ms=NOW_MS - 5, base_offset=offset, leader_epoch=1)
    return _owned(raw, producer_id, sequence, TRANSACTIONAL_BIT if transactional else 0)


def marker(offset: int, producer_id: int) -> bytes:
    """The end of a transaction."""
    record = encode_control(ControlType.COMMIT, TransactionMarker(0, 3))
    raw = build_batch(
        [record], timestamp_ms=NOW_MS - 4, base_offset=offset, leader_epoch=1, control=True
    )
    return _owned(raw, producer_id, -1, TRANSACTIONAL_BIT | CONTROL_BIT)


def _owned(batch: bytes, producer_id: int, sequence: int, bits: int) -> bytes:
    raw = bytearray(batch)
    _PRODUCER.pack_into(raw, _PRODUCER_AT, producer_id, 1, sequence)
    raw[_ATTRIBUTES_AT] |= bits
    return with_right_checksums(bytes(raw))


def producer_logs() -> dict[str, bytes]:
    """Partitions whose snapshots are missing, there, or damaged."""
    first = data(0, 7, 0) + data(2, 9, 0, transactional=True)
    second = marker(4, 9) + data(5, 7, 2)
    entry = ProducerEntry(7, 1, -1, NOW_MS - 5, -1, LastBatch(1, 1, 1))
    snapshot = encode_producers([entry])
    index = bytes(3) + b"\1" + bytes(4)
    return {
        "nothing-is-there": Files(first, 4, second, b"", b"").encoded(),
        "one-is-there": Files(first, 4, second, snapshot, index).encoded(),
        "one-is-torn": Files(first, 4, second, snapshot[:-9], index).encoded(REPAIRED),
        "no-producer": Files(b"", 4, b"", encode_producers([]), b"").encoded(),
        "to-be-damaged": Files(first, 4, second, b"", index).encoded(REPAIRED),
    }
