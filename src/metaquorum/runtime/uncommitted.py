"""How many bytes the leader has appended that nobody may see yet."""

from __future__ import annotations

from collections import deque

from attrs import define, field

from metaquorum.base.limits import MAX_UNCOMMITTED_BYTES
from metaquorum.base.offsets import Offset


@define(eq=False)
class Uncommitted:
    """A budget of bytes between the high watermark and the log end.

    Without it a leader that has lost its majority would take writes until its memory ends.
    """

    limit_bytes: int = MAX_UNCOMMITTED_BYTES
    size_bytes: int = 0
    _appends: deque[tuple[Offset, int]] = field(factory=deque)

    def has_room(self, size_bytes: int) -> bool:
        """Whether so many bytes more may be appended; one append always may."""
        return not self._appends or self.size_bytes + size_bytes <= self.limit_bytes

    def appended(self, next_offset: Offset, size_bytes: int) -> None:
        """An append ends at ``next_offset``."""
        self._appends.append((next_offset, size_bytes))
        self.size_bytes += size_bytes

    def committed(self, high_watermark: Offset) -> None:
        """Everything below the high watermark is committed."""
        while self._appends and self._appends[0][0] <= high_watermark:
            self.size_bytes -= self._appends.popleft()[1]

    def clear(self) -> None:
        """The leadership is lost: what was not committed is not ours to count any more."""
        self._appends.clear()
        self.size_bytes = 0
