"""Lists that mostly are of one, made without a loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")


def each(make: Callable[[T], U], items: Sequence[T]) -> list[U]:
    """What ``make`` makes of each item, in order.

    A command has one entry with one part and one change, and PyPy compiles a loop as a thing of its
    own: to enter it only to find that there is nothing more takes a frame, and as long as a small
    function. What is called for one item becomes a part of its caller.
    """
    if len(items) == 1:
        return [make(items[0])]
    return [make(item) for item in items]
