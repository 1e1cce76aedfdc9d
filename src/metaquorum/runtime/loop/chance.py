"""Chance: from a seed, so that a run can be told again, or the system's, which none can guess."""

from __future__ import annotations

from random import Random, SystemRandom


class SeededChance:
    """Draws of one node; the seed is logged at start."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._random = Random(seed)

    def jitter(self, low: int, high: int) -> int:
        """An integer from ``low`` to ``high``, both included."""
        return self._random.randint(low, high)


class SystemChance:
    """Draws of the system's generator: the next cannot be told from those before."""

    def __init__(self) -> None:
        self._random = SystemRandom()

    def jitter(self, low: int, high: int) -> int:
        """An integer from ``low`` to ``high``, both included."""
        return self._random.randint(low, high)
