"""What was made once for a key and is looked up from then on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Memo(dict[K, V]):
    """A dictionary that makes what it lacks: ``functools.cache`` for what a command asks for.

    On PyPy that one is written in Python, and makes a key of the arguments at each call: a fifth of
    a microsecond, where this is a hundredth. For keys that are few, since nothing is forgotten.
    """

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[K], V]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: K) -> V:
        made = self[key] = self._make(key)
        return made
