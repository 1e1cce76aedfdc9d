"""The clocks of a simulated node: deadlines follow trio's virtual time, and so do the dates."""

from __future__ import annotations

import trio

from metaquorum.base.clock import Millis

BEGIN_MS = 1_700_000_000_000


class VirtualClock:
    """Every run begins on the same day."""

    def now_ms(self) -> Millis:
        """Milliseconds of virtual time."""
        return int(trio.current_time() * 1_000)

    def wall_ms(self) -> Millis:
        """Milliseconds since 1970."""
        return BEGIN_MS + self.now_ms()
