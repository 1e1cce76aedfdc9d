"""Where the last batches of a segment begin.

Replicas and the applier read at the end of the log, over and over. The offset index is sparse, so
each such read would look at every header since its last entry.
"""

from __future__ import annotations

from bisect import bisect_left

from attrs import define, field

from metaquorum.base.limits import MAX_RECENT_BATCHES
from metaquorum.base.offsets import Offset


@define(eq=False)
class RecentBatches:
    """Last offset, position and base offset of so many of the last batches, ascending.

    One thread adds, another may look at the same time: what it finds is right as long as it asks
    for nothing beyond the segment's published end.
    """

    _places: list[tuple[Offset, int, Offset]] = field(factory=list)

    def add(self, base_offset: Offset, last_offset: Offset, position: int) -> None:
        """A batch was put after all others."""
        if len(self._places) >= MAX_RECENT_BATCHES:
            self._places = self._places[MAX_RECENT_BATCHES // 2 :]
        self._places.append((last_offset, position, base_offset))

    def position_of(self, offset: Offset) -> int | None:
        """Where the batch starts that holds ``offset``; None if that is not among these."""
        places = self._places
        at = bisect_left(places, (offset, -1, -1))
        if at == len(places) or (at == 0 and places[0][2] > offset):
            return None
        return places[at][1]
