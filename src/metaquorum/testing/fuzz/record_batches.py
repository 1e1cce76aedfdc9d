"""Batches and their records, plain and by every codec; and the codecs' own streams."""

from __future__ import annotations

from metaquorum.base.limits import MAX_DECOMPRESSED_BATCH_BYTES
from metaquorum.records.batch import BATCH_OVERHEAD_BYTES, BatchHeader, check
from metaquorum.records.builder import build_batch
from metaquorum.records.compression import ZSTD, compress, decompress
from metaquorum.records.errors import BatchError, UnsupportedCodec
from metaquorum.records.reader import walk_batches, walk_records
from metaquorum.records.record import Record
from metaquorum.testing.fuzz.checksums import with_right_checksums
from metaquorum.testing.fuzz.promise import promise, refused_at

BATCHES = 0
REPAIRED = 0x80  # checksums are put right first, so that what lies behind them is reached
_REPACKED_BYTES = 1 << 16  # compressing again what unpacked to more would only cost time


def one_input(data: bytes) -> bool:
    """A mode, then bytes: batches (0), or a stream of codec 1 to 4; whether they could be read."""
    if not data:
        return False
    codec = data[0] % (ZSTD + 1)
    if codec != BATCHES:
        return _stream(codec, data[1:])
    return _batches(with_right_checksums(data[1:]) if data[0] & REPAIRED else data[1:])


def _stream(codec: int, blob: bytes) -> bool:
    try:
        records = decompress(codec, blob)
    except BatchError as why:
        return refused_at(why, len(blob))
    promise(len(records) <= MAX_DECOMPRESSED_BATCH_BYTES, "no more is unpacked than the limit")
    if len(records) <= _REPACKED_BYTES:
        again = decompress(codec, compress(codec, records))
        promise(again == records, f"codec {codec} gives back what it took")
    return True


def _batches(buf: bytes) -> bool:
    found = []
    try:
        for header, batch in walk_batches(buf):
            promise(header.size_bytes == len(batch), "a batch has the size that its header says")
            found.append((header, batch))
    except BatchError as why:
        refused_at(why, len(buf))
    good = [_batch(header, batch) for header, batch in found]
    return bool(good) and all(good)


def _batch(header: BatchHeader, batch: memoryview) -> bool:
    try:
        promise(check(batch) == header, "a checked header is the header")
    except BatchError as why:
        refused_at(why, len(batch))
    try:
        records = list(walk_records(batch, header))
    except BatchError as why:
        return refused_at(why, len(batch))
    promise(len(records) == max(header.record_count, 0), "as many records as the header says")
    if records:
        _check_round_trip(records, header)
    return True


def _check_round_trip(records: list[Record], header: BatchHeader) -> None:
    pairs = [(_bytes(each.key), _bytes(each.value)) for each in records]
    total_bytes = sum(len(key or b"") + len(value or b"") for key, value in pairs)
    if total_bytes > _REPACKED_BYTES:
        return
    codec = 0 if header.is_control else header.compression
    try:
        written = build_batch(pairs, timestamp_ms=5, base_offset=9, compression=codec)
    except UnsupportedCodec:
        promise(False, "a codec that is read is written too")
    promise(len(written) >= BATCH_OVERHEAD_BYTES, "a batch has its header")
    check(written)
    again = [(each.offset, each.key, each.value) for each in walk_records(written)]
    wanted = [(9 + index, key, value) for index, (key, value) in enumerate(pairs)]
    promise(again == wanted, "records that were written again read the same")


def _bytes(field: bytes | memoryview | None) -> bytes | None:
    return None if field is None else bytes(field)
