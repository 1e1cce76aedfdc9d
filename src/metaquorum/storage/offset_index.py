"""Sparse index from offsets to byte positions of one segment; rebuildable, never trusted.

Kafka's format: entries of eight bytes, offset relative to the segment's base and position in the
log file. An entry names a batch: its last offset and where it starts.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from struct import Struct

from metaquorum.base.offsets import Offset

ENTRY_BYTES = 8
_ENTRY = Struct(">ii")


class OffsetIndex:
    """The entries in memory, in the order of offsets and of positions.

    ``add`` runs in the thread that writes, lookups may run in another: positions grow first, so
    that an offset that can be found always has its position.
    """

    def __init__(self, base_offset: Offset) -> None:
        self.base_offset = base_offset
        self._positions = array("q")
        self._offsets = array("q")

    def __len__(self) -> int:
        return len(self._offsets)

    def __iter__(self) -> Iterator[tuple[Offset, int]]:
        return zip(self._offsets, self._positions)

    def add(self, last_offset: Offset, position: int) -> bytes:
        """Take one more entry; returns what belongs at the end of the index file."""
        self._positions.append(position)
        self._offsets.append(last_offset)
        return _ENTRY.pack(last_offset - self.base_offset, position)

    def position_before(self, offset: Offset) -> int:
        """Where to begin looking for ``offset``: no batch that holds it starts earlier.

        An entry whose own batch may hold the offset is as good as the one before it.
        """
        at = bisect_right(self._offsets, offset) - 1
        return self._positions[at] if at >= 0 else 0

    def last_position_until(self, position: int) -> int:
        """The largest position of an entry that is not beyond ``position``; 0 without one."""
        at = bisect_right(self._positions, position) - 1
        return self._positions[at] if at >= 0 else 0

    def encoded(self) -> bytes:
        """The whole index file."""
        base = self.base_offset
        return b"".join(_ENTRY.pack(offset - base, position) for offset, position in self)
