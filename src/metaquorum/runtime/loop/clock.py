"""The real clocks: trio's for deadlines, the machine's for record timestamps."""

from __future__ import annotations

import time
from collections.abc import Callable

import trio

from metaquorum.base.clock import Millis


class TrioClock:
    """Deadlines follow trio, so that a test with a jumping clock moves the whole node.

    It belongs to the run of trio in which it is first asked: every request asks it several times,
    and ``trio.current_time`` would look for the clock of the run each time.
    """

    def __init__(self) -> None:
        self._time: Callable[[], float] | None = None

    def now_ms(self) -> Millis:
        """Milliseconds of trio's clock, which only grows."""
        if self._time is None:
            self._time = trio.lowlevel.current_clock().current_time
        return int(self._time() * 1_000)

    def wall_ms(self) -> Millis:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000
