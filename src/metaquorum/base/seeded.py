"""Numbers that look random and follow from a seed: pure code is given the seed, and no chance."""

from __future__ import annotations

from typing import TypeVar

import xxhash
from attrs import define

T = TypeVar("T")


@define
class Seeded:
    """The same seed gives the same numbers, in every process and on every Python."""

    seed: int
    _drawn: int = 0

    def below(self, limit: int) -> int:
        """A number from 0 to ``limit`` - 1."""
        self._drawn += 1
        digest: int = xxhash.xxh3_64_intdigest(self._drawn.to_bytes(8, "big"), self.seed)
        return digest % limit

    def shuffle(self, items: list[T]) -> None:
        """Put the items into another order, in place."""
        for at in range(len(items) - 1, 0, -1):
            other = self.below(at + 1)
            items[at], items[other] = items[other], items[at]
