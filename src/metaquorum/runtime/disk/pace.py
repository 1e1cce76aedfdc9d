"""How fast the disk is, and how fast the log grows: what the log lane decides by."""

from __future__ import annotations

from time import perf_counter, thread_time

from attrs import define

from metaquorum.base.clock import Millis
from metaquorum.base.limits import (
    FAST_WRITES_IN_A_ROW,
    FAST_WRITES_PAUSE_MS,
    QUICK_SYNC_US,
    QUICK_SYNCS_IN_A_ROW,
)


def waited_s() -> float:
    """A clock that stands still while the calling thread computes; only differences mean anything.

    While the loop computes nobody sees that the kernel's sync has ended, which says nothing of the
    disk (decision 274).
    """
    return perf_counter() - thread_time()


@define(eq=False)
class DiskPace:
    """How long the last writes with their syncs took.

    A slow one makes the disk slow until ``QUICK_SYNCS_IN_A_ROW`` fast ones have followed.
    """

    _quick: int = 0

    def took(self, seconds: float) -> None:
        """One more write and its sync; called by one thread at a time, whichever made them."""
        self._quick = self._quick + 1 if seconds * 1e6 <= QUICK_SYNC_US else 0

    @property
    def is_quick(self) -> bool:
        """Whether the last ``QUICK_SYNCS_IN_A_ROW`` took ``QUICK_SYNC_US`` at most."""
        return self._quick >= QUICK_SYNCS_IN_A_ROW


@define(eq=False)
class WriteBurst:
    """Whether the log grows so fast that space is preallocated behind its end (decision 191).

    A pause ends a burst: the next one takes as many writes to begin.
    """

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
        """When it is over, if nothing more is written."""
        return self._last_ms + FAST_WRITES_PAUSE_MS + 1
