"""Batches as brokers keep them for producers, and directories of a partition made of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from struct import Struct, pack

from crc32c import crc32c

from metaquorum.records.batch import (
    CONTROL_BIT,
    CRC_START_BYTES,
    TRANSACTIONAL_BIT,
    BatchHeader,
    read_header,
)
from metaquorum.records.builder import build_batch
from metaquorum.records.control import ControlType, TransactionMarker, encode_control
from metaquorum.storage.names import LOG, segment_file
from metaquorum.storage.producer_state import ProducerDelta, delta_of

NOW_MS = 1_800_000_000_000
DAY_MS = 86_400_000
_PRODUCER = Struct(">qhi")
_PRODUCER_AT = 43
_ATTRIBUTES_AT = 21


def data(
    offset: int,
    producer_id: int = -1,
    epoch: int = 0,
    sequence: int = 0,
    count: int = 1,
    *,
    transactional: bool = False,
    timestamp_ms: int = NOW_MS - 1_000,
    gap: int = 0,
    compression: int = 0,
    value: bytes | None = None,
) -> bytes:
    """A batch of ``count`` records at ``offset``; ``gap`` slots at its end are compacted away."""
    raw = bytearray(
        build_batch(
            [(b"k", value or b"value %d" % number) for number in range(count)],
            timestamp_ms=timestamp_ms,
            base_offset=offset,
            leader_epoch=1,
            compression=compression,
        )
    )
    raw[23:27] = pack(">i", count - 1 + gap)
    return _owned(raw, producer_id, epoch, sequence, TRANSACTIONAL_BIT if transactional else 0)


def marker(
    offset: int,
    producer_id: int,
    epoch: int = 0,
    coordinator_epoch: int = 0,
    *,
    commit: bool = True,
    timestamp_ms: int = NOW_MS - 1_000,
) -> bytes:
    """The end of a transaction."""
    kind = ControlType.COMMIT if commit else ControlType.ABORT
    record = encode_control(kind, TransactionMarker(0, coordinator_epoch))
    raw = bytearray(
        build_batch(
            [record], timestamp_ms=timestamp_ms, base_offset=offset, leader_epoch=1, control=True
        )
    )
    return _owned(raw, producer_id, epoch, -1, TRANSACTIONAL_BIT | CONTROL_BIT)


def emptied(batch: bytes) -> bytes:
    """The same batch after a cleaner took its records."""
    raw = bytearray(batch[:61])
    raw[8:12] = pack(">i", 49)
    raw[57:61] = pack(">i", 0)
    return _summed(raw)


def _owned(raw: bytearray, producer_id: int, epoch: int, sequence: int, bits: int) -> bytes:
    _PRODUCER.pack_into(raw, _PRODUCER_AT, producer_id, epoch, sequence)
    raw[_ATTRIBUTES_AT + 1] |= bits
    return _summed(raw)


def _summed(raw: bytearray) -> bytes:
    raw[17:21] = pack(">I", crc32c(bytes(raw[CRC_START_BYTES:])))
    return bytes(raw)


def header_of(batch: bytes) -> BatchHeader:
    return read_header(batch)


def delta(batch: bytes) -> ProducerDelta:
    found = delta_of(read_header(batch), batch)
    assert found is not None
    return found


def write_segments(directory: Path, segments: dict[int, Sequence[bytes]]) -> Path:
    """A partition's directory with these segments, by their bases."""
    directory.mkdir(parents=True, exist_ok=True)
    for base, batches in segments.items():
        (directory / segment_file(base, LOG)).write_bytes(b"".join(batches))
    return directory
