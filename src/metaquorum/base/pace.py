"""The rate at which hundreds that wait for the same commit are answered."""

from __future__ import annotations

from attrs import define

from metaquorum.base.clock import Millis
from metaquorum.base.limits import WAITERS_A_MS, WAITERS_AT_ONCE, WAITERS_PAUSE_MS


@define(eq=False)
class Pace:
    """``WAITERS_A_MS`` in every millisecond, and those of the last few ones at once.

    Each wake-up costs an answer, and mostly a request that follows. If all were woken by each
    commit, a few hundred of them would take all of a node's time, and the commits would starve.
    So they are woken less often, for several commits at a time: each of them is answered within
    the time that all others take. Up to ``WAITERS_AT_ONCE`` of them never notice.
    """

    _left: int = WAITERS_AT_ONCE
    _counted_ms: Millis = 0

    def allowed(self, now: Millis) -> int:
        """How many may be woken now."""
        passed_ms = now - self._counted_ms
        if passed_ms > 0:
            self._left = min(self._left + passed_ms * WAITERS_A_MS, WAITERS_AT_ONCE)
            self._counted_ms = now
        return self._left

    def woke(self, count: int) -> None:
        """So many were; no more than were allowed."""
        self._left -= count

    @property
    def next_ms(self) -> Millis:
        """When more may be woken, if none were left a moment ago."""
        return self._counted_ms + WAITERS_PAUSE_MS

    def fork(self) -> Pace:
        """A copy."""
        return Pace(self._left, self._counted_ms)
