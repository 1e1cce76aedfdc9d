"""Virtual time: what happens next, in one fixed order."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

from attrs import define, field

Act = Callable[..., None]
"""Something to do, with its arguments; most acts are so many that each saves an object."""


@define(eq=False)
class Agenda:
    """Things to do by time in microseconds; those of one moment in the order of asking."""

    now_us: int = 0
    done: int = 0
    _heap: list[tuple[int, int, Act, tuple[Any, ...]]] = field(factory=list)
    _asked: int = 0

    def at(self, due_us: int, act: Act, *arguments: Any) -> None:
        """Do something at a time, now at the earliest."""
        self._asked += 1
        due_us = due_us if due_us > self.now_us else self.now_us
        heappush(self._heap, (due_us, self._asked, act, arguments))

    def after(self, delay_us: int, act: Act, *arguments: Any) -> None:
        """Do something after a while."""
        self._asked += 1
        now_us = self.now_us
        due_us = now_us + delay_us if delay_us > 0 else now_us
        heappush(self._heap, (due_us, self._asked, act, arguments))

    def run_until(self, until_us: int) -> None:
        """Do everything that is due by then; afterwards it is then."""
        heap, pop = self._heap, heappop
        while heap and heap[0][0] <= until_us:
            self.now_us, _, act, arguments = pop(heap)
            self.done += 1
            act(*arguments)
        self.now_us = until_us
