"""Random numbers: from a seed, so that a run can be repeated, or the system's."""

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
    """Draws of the system's generator: earlier draws say nothing of the next."""

    def __init__(self) -> None:
        self._random = SystemRandom()

    def jitter(self, low: int, high: int) -> int:
        """An integer from ``low`` to ``high``, both included."""
        return self._random.randint(low, high)
