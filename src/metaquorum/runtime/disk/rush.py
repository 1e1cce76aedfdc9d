"""Whether a log grows so fast that it is worth having room behind its end (``storage.room``)."""

from __future__ import annotations

from attrs import define

from metaquorum.base.clock import Millis
from metaquorum.base.limits import FAST_WRITES_IN_A_ROW, FAST_WRITES_PAUSE_MS


@define(eq=False)
class Rush:
    """Told of each write. A pause ends a rush: the next one takes as many writes to begin."""

    _in_a_row: int = 0
    _last_ms: Millis = 0

    def wrote(self, now: Millis) -> None:
        """One more write."""
        in_time = now - self._last_ms <= FAST_WRITES_PAUSE_MS
        self._in_a_row = self._in_a_row + 1 if in_time else 1
        self._last_ms = now

    @property
    def is_on(self) -> bool:
        """Whether the last ``FAST_WRITES_IN_A_ROW`` came without a pause."""
        return self._in_a_row >= FAST_WRITES_IN_A_ROW

    @property
    def ends_ms(self) -> Millis:
        """From when on it is over, if nothing more is written."""
        return self._last_ms + FAST_WRITES_PAUSE_MS + 1
