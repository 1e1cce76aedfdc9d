"""Deadlines by name: what is due, and when the next one is."""

from __future__ import annotations

from collections.abc import Hashable
from heapq import heappop, heappush

from attrs import define, field

from metaquorum.base.clock import NEVER, Millis


@define(eq=False)
class Timers:
    """Each name has at most one deadline; those of the same moment come in the order of setting."""

    _due: dict[Hashable, tuple[Millis, int]] = field(factory=dict)
    _heap: list[tuple[Millis, int, Hashable]] = field(factory=list)
    _set: int = 0

    def __len__(self) -> int:
        return len(self._due)

    def set(self, name: Hashable, at: Millis) -> None:
        """``name`` is due at ``at``, and no more when it was to be."""
        self._set += 1
        self._due[name] = (at, self._set)
        heappush(self._heap, (at, self._set, name))
        if len(self._heap) > 2 * len(self._due) + 64:
            self._heap = sorted((at, number, one) for one, (at, number) in self._due.items())

    def cancel(self, name: Hashable) -> None:
        """It is not due any more."""
        self._due.pop(name, None)

    def is_set(self, name: Hashable) -> bool:
        """Whether it is going to be due."""
        return name in self._due

    @property
    def deadline(self) -> Millis:
        """When the next one is due."""
        self._drop_stale()
        return self._heap[0][0] if self._heap else NEVER

    def pop_due(self, now: Millis) -> Hashable | None:
        """The next one that is due; None when none is."""
        if self.deadline > now:
            return None
        name = heappop(self._heap)[2]
        del self._due[name]
        return name

    def clear(self) -> None:
        """Forget them all."""
        self._due.clear()
        self._heap.clear()

    def _drop_stale(self) -> None:
        heap = self._heap
        while heap and self._due.get(heap[0][2]) != heap[0][:2]:
            heappop(heap)
