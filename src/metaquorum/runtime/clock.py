"""The real clocks: trio's for deadlines, the machine's for record timestamps."""

from __future__ import annotations

import time

import trio

from metaquorum.base.clock import Millis


class TrioClock:
    """Deadlines follow trio, so that a test with a jumping clock moves the whole node."""

    def now_ms(self) -> Millis:
        """Milliseconds of trio's clock, which only grows."""
        return int(trio.current_time() * 1_000)

    def wall_ms(self) -> Millis:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000
