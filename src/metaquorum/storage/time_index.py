"""Sparse index from timestamps to offsets of one segment; rebuildable, never trusted.

Kafka's format: entries of twelve bytes, a timestamp and an offset relative to the segment's base.
Up to that offset no record is younger; the offset is the last one of the batch that holds the
maximum. Timestamps strictly rise. One more entry closes a segment that is rolled or closed.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from struct import Struct

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import Offset

ENTRY_BYTES = 12
_ENTRY = Struct(">qi")


class TimeIndex:
    """The entries in memory; grows like the offset index, for readers in another thread."""

    def __init__(self, base_offset: Offset) -> None:
        self.base_offset = base_offset
        self._offsets = array("q")
        self._timestamps = array("q")

    def __len__(self) -> int:
        return len(self._timestamps)

    def __iter__(self) -> Iterator[tuple[Millis, Offset]]:
        return zip(self._timestamps, self._offsets)

    def add(self, timestamp_ms: Millis, offset: Offset) -> bytes:
        """Take an entry if it is younger than the last; returns what belongs into the file."""
        if self._timestamps and timestamp_ms <= self._timestamps[-1]:
            return b""
        self._offsets.append(offset)
        self._timestamps.append(timestamp_ms)
        return _ENTRY.pack(timestamp_ms, offset - self.base_offset)

    def offset_before(self, timestamp_ms: Millis) -> Offset:
        """An offset before which no record is as young as ``timestamp_ms``."""
        at = bisect_right(self._timestamps, timestamp_ms - 1) - 1
        return self._offsets[at] if at >= 0 else self.base_offset

    def last_until(self, offset: Offset) -> tuple[Millis, Offset] | None:
        """The last entry whose offset is below ``offset``."""
        at = bisect_right(self._offsets, offset - 1) - 1
        return (self._timestamps[at], self._offsets[at]) if at >= 0 else None

    def drop_last(self) -> None:
        """Take back the closing entry of a segment that goes on growing."""
        self._timestamps.pop()
        self._offsets.pop()

    def encoded(self) -> bytes:
        """The whole index file."""
        base = self.base_offset
        return b"".join(_ENTRY.pack(timestamp, offset - base) for timestamp, offset in self)
