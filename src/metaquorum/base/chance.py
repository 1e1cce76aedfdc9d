"""Chance as an argument, so that a run can be run again."""

from __future__ import annotations

from typing import Protocol


class Chance(Protocol):
    """Draws for election time-outs and back-offs; a seeded generator or the explorer's choice."""

    def jitter(self, low: int, high: int) -> int:
        """An integer from ``low`` to ``high``, both included."""
