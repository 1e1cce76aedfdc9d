"""Time as an argument: milliseconds, and who tells them."""

from __future__ import annotations

from typing import Protocol

Millis = int

NEVER: Millis = 1 << 62


class Clock(Protocol):
    """Two clocks in one: deadlines need the first, record timestamps the second."""

    def now_ms(self) -> Millis:
        """Milliseconds that only ever grow, from an unknown start."""

    def wall_ms(self) -> Millis:
        """Milliseconds since 1970, as the machine believes; may jump."""
