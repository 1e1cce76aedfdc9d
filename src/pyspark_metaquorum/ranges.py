"""Reading one part: what an executor does, for files and for a live quorum."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from attrs import frozen

from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.client.log_span import snapshot_batches
from metaquorum.records.control import ControlType, control_type
from metaquorum.records.errors import BatchError
from metaquorum.records.reader import walk_records
from metaquorum.storage.preallocation import Read
from pyspark_metaquorum.collector import collector_at_rest
from pyspark_metaquorum.decoding import Decoder
from pyspark_metaquorum.file_system import Place
from pyspark_metaquorum.log_bytes import Fault, PlacedBatch, batches_between
from pyspark_metaquorum.log_directory import FileRange
from pyspark_metaquorum.options import SourceOptions


@frozen
class LiveRange:
    """Committed records of a quorum's log from ``first`` to ``until``, which is not included."""

    first: Offset
    until: Offset


@frozen
class LiveSnapshot:
    """A snapshot that the quorum hands out."""

    snapshot: OffsetAndEpoch


Range = FileRange | LiveRange | LiveSnapshot


def read_range(one: Range, options: SourceOptions) -> Iterator[Any]:
    """The rows of one part as Arrow batches."""
    with collector_at_rest():
        if isinstance(one, FileRange):
            yield from _read_file(one, options)
        elif isinstance(one, LiveRange):
            yield from _read_live(one, options)
        else:
            yield from _read_snapshot(one, options)


def _decoder(source: str, options: SourceOptions) -> Decoder:
    return Decoder(source, options.types, options.raw, options.rows_per_batch)


def _read_file(one: FileRange, options: SourceOptions) -> Iterator[Any]:
    decoder = _decoder(one.uri, options)
    decoder.first, decoder.until = one.first, options.end
    if isinstance(options.start, int):
        decoder.first = max(options.start, one.first or 0)
    with Place.of(one.uri).open() as file:

        def read(position: int, count: int) -> bytes:
            file.seek(position)
            data: bytes = file.read(count)
            return data

        yield from decode_bytes(read, one, decoder)
    yield from decoder.rest()


def decode_bytes(read: Read, one: FileRange, decoder: Decoder) -> Iterator[Any]:
    """The rows of a range of a file, with a row for each fault; ``read`` gives its bytes."""
    last: PlacedBatch | Fault | None = None
    for found in batches_between(read, one.start, one.end, one.size_bytes):
        last = found
        if isinstance(found, Fault):
            decoder.fault(found, one.snapshot)
        else:
            yield from decoder.take(found.header, found.data, one.snapshot)
    if one.snapshot is not None and one.end == one.size_bytes and not _ends(last):
        why = "no snapshot footer: the checkpoint is not whole"
        decoder.fault(Fault(one.size_bytes, why), one.snapshot)


def _ends(last: PlacedBatch | Fault | None) -> bool:
    """Whether a snapshot is whole by its last batch, or its fault has been said already."""
    if not isinstance(last, PlacedBatch):
        return last is not None
    if not last.header.is_control:
        return False
    try:
        records = list(walk_records(last.data, last.header))
        return bool(records) and control_type(records[-1]) == ControlType.SNAPSHOT_FOOTER
    except BatchError:
        return True


def _read_live(one: LiveRange, options: SourceOptions) -> Iterator[Any]:
    if one.first >= one.until:
        return
    decoder = _decoder(options.source, options)
    decoder.first, decoder.until = one.first, one.until
    # It follows: a new leader's watermark may be behind for a while, and the records are due.
    reader = options.open(
        options.servers, one.first, follow=True, timeout_ms=options.timeout_ms, bridge=False
    )
    try:
        for batch in reader.batches():
            yield from decoder.take(batch.header, batch.data)
            if batch.header.next_offset >= one.until:
                break
    finally:
        reader.close()
    yield from decoder.rest()


def _read_snapshot(one: LiveSnapshot, options: SourceOptions) -> Iterator[Any]:
    decoder = _decoder(options.source, options)
    found = snapshot_batches(
        options.servers, one.snapshot, timeout_ms=options.timeout_ms, open=options.open
    )
    for batch in found:
        yield from decoder.take(batch.header, batch.data, batch.snapshot)
    yield from decoder.rest()


def live_ranges(first: Offset, until: Offset, rows: int) -> list[LiveRange]:
    """A stretch of the log in parts of about so many offsets each."""
    parts = max(1, -(-(until - first) // rows))
    edges = [first + (until - first) * part // parts for part in range(parts + 1)]
    return [LiveRange(low, high) for low, high in pairwise(edges) if low < high]


def span_ranges(
    snapshot: OffsetAndEpoch | None, first: int, end: int, options: SourceOptions
) -> list[Range]:
    """The snapshot, if there is one to begin with, and the log up to the end that is asked for."""
    until = end if options.end is None else min(end, options.end)
    found: list[Range] = [LiveSnapshot(snapshot)] if snapshot is not None else []
    return [*found, *live_ranges(first, max(first, until), options.partition_rows)]
