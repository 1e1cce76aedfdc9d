"""Chance from one seeded generator, so that a run can be told again from its seed."""

from __future__ import annotations

from random import Random


class SeededChance:
    """Draws of one node; the seed is logged at start."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._random = Random(seed)

    def jitter(self, low: int, high: int) -> int:
        """An integer from ``low`` to ``high``, both included."""
        return self._random.randint(low, high)
