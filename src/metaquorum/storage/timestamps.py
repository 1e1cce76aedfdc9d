"""Finding records by their time: what ListOffsets asks of a log."""

from __future__ import annotations

from collections.abc import Sequence

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.records.batch import BatchHeader
from metaquorum.records.reader import walk_records
from metaquorum.storage.segment import Segment

Found = tuple[Offset, Millis, Epoch]


def first_at_or_after(
    segments: Sequence[Segment], timestamp_ms: Millis, start: Offset, below: Offset
) -> Found | None:
    """The first record from ``start`` and under ``below`` that is not older than a timestamp."""
    for segment in segments:
        if segment.max_timestamp_ms < timestamp_ms or segment.tail.next_offset <= start:
            continue
        from_offset = max(segment.times.offset_before(timestamp_ms), start)
        position = segment.position_of(from_offset)
        for header, place in segment.headers(position, segment.tail.size_bytes):
            if header.base_offset >= below:
                return None
            if header.max_timestamp_ms < timestamp_ms or header.last_offset < start:
                continue
            found = _record(segment, header, place, timestamp_ms, start, below)
            if found is not None:
                return found
    return None


def last_maximum(segments: Sequence[Segment], start: Offset, below: Offset) -> Found | None:
    """The first record with the largest timestamp among those from ``start`` under ``below``.

    Only batches that lie wholly under ``below`` count.
    """
    best: tuple[Segment, BatchHeader, int] | None = None
    for segment in segments:
        tail = segment.tail
        best_ms = best[1].max_timestamp_ms if best else -1
        if segment.max_timestamp_ms <= best_ms or tail.next_offset <= start:
            continue
        entry = segment.times.last_until(min(below, tail.next_offset))
        from_offset = start if entry is None or entry[1] < start else entry[1]
        position = segment.position_of(max(from_offset, segment.base_offset))
        for header, place in segment.headers(position, tail.size_bytes):
            if header.last_offset >= below:
                break
            if best is None or header.max_timestamp_ms > best[1].max_timestamp_ms:
                best = segment, header, place
    if best is None:
        return None
    segment, header, place = best
    return _record(segment, header, place, header.max_timestamp_ms, start, below)


def _record(
    segment: Segment,
    header: BatchHeader,
    place: int,
    timestamp_ms: Millis,
    start: Offset,
    below: Offset,
) -> Found | None:
    """The first record of one batch that is not older than a timestamp."""
    for record in walk_records(segment.log.read(place, header.size_bytes), header):
        if record.timestamp_ms >= timestamp_ms and start <= record.offset < below:
            return record.offset, record.timestamp_ms, header.leader_epoch
    return None
