"""A number that only grows, and those who wait for it: the whole purgatory of consumer fetches."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from typing import Any, Final

from attrs import define, field

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.errors import HouseError, RequestError
from metaquorum.base.limits import MAX_PARKED_FETCHES, WAKES_PER_TURN
from metaquorum.base.offsets import NO_OFFSET, Offset
from metaquorum.runtime.later import Later
from metaquorum.wire.generated import error_codes

OVERDUE: Final[Millis] = 0
"""A deadline that has passed on every clock."""


@define(eq=False)
class _Parked:
    threshold: Offset
    deadline: Millis
    later: Later[bool]


@define(eq=False)
class Watermark:
    """The high watermark as the consumers' side of the house sees it.

    ``wait`` parks a promise until the number reaches a threshold (True) or a deadline passes
    (False). Two heaps name the next threshold and the next deadline, so that neither ``advance``
    nor ``expire`` looks at those whose turn has not come. ``on_sooner`` is called when a wait ends
    before all others, since whoever calls ``expire`` may be asleep until a later time.

    Hundreds may wait for the same thing, and each answers a fetch when it is told. So neither call
    tells more than ``WAKES_PER_TURN`` of them; while others are due ``deadline`` has passed, and
    ``expire`` goes on with them.
    """

    value: Offset = NO_OFFSET
    parked_limit: int = MAX_PARKED_FETCHES
    on_sooner: Callable[[], None] = field(default=lambda: None)
    _by_threshold: list[tuple[Offset, int, _Parked]] = field(factory=list)
    _by_deadline: list[tuple[Millis, int, _Parked]] = field(factory=list)
    _tickets: int = 0
    _waiting: int = 0

    def wait(self, threshold: Offset, deadline: Millis) -> Later[bool]:
        """A promise of True once ``value >= threshold``, of False at ``deadline``."""
        later: Later[bool] = Later()
        if self.value >= threshold:
            later.complete(True)
            return later
        if self._waiting >= self.parked_limit:
            later.fail(
                RequestError(error_codes.THROTTLING_QUOTA_EXCEEDED, "too many fetches are parked")
            )
            return later
        parked = _Parked(threshold, deadline, later)
        self._tickets += 1
        self._waiting += 1
        later.on_cancel(self._forget)
        heappush(self._by_threshold, (threshold, self._tickets, parked))
        heappush(self._by_deadline, (deadline, self._tickets, parked))
        if self._by_deadline[0][2] is parked:
            self.on_sooner()
        return later

    def advance(self, to: Offset) -> None:
        """The watermark is ``to`` now; everybody whose threshold it reached is told."""
        if to < self.value:
            raise HouseError(f"the high watermark went back from {self.value} to {to}")
        self.value = to
        self._tell_reached(WAKES_PER_TURN)
        self._compact()

    @property
    def deadline(self) -> Millis:
        """When ``expire`` has something to do."""
        if self._by_threshold and self._by_threshold[0][0] <= self.value:
            return OVERDUE
        while self._by_deadline and self._by_deadline[0][2].later.done:
            heappop(self._by_deadline)
        return self._by_deadline[0][0] if self._by_deadline else NEVER

    def expire(self, now: Millis) -> None:
        """Go on with those that ``advance`` left, and tell whose deadline has passed."""
        left = self._tell_reached(WAKES_PER_TURN)
        while left and self._by_deadline and self._by_deadline[0][0] <= now:
            left -= self._settle(heappop(self._by_deadline)[2], False)
        self._compact()

    def release_all(self) -> None:
        """Tell everybody that the wait is over: the node stops or has lost its place."""
        for _, _, parked in sorted(self._by_deadline, key=lambda entry: entry[1]):
            self._settle(parked, False)
        self._by_deadline.clear()
        self._by_threshold.clear()

    def statistics(self) -> dict[str, Any]:
        """What is parked here, for the metrics."""
        return {"value": self.value, "parked": self._waiting, "parked_limit": self.parked_limit}

    def _tell_reached(self, most: int) -> int:
        """Tell ``most`` of those whose threshold is reached; how many fewer they were."""
        while most and self._by_threshold and self._by_threshold[0][0] <= self.value:
            most -= self._settle(heappop(self._by_threshold)[2], True)
        return most

    def _settle(self, parked: _Parked, reached: bool) -> int:
        """1, or 0 if it is settled already."""
        if parked.later.done:
            return 0
        self._waiting -= 1
        parked.later.complete(reached)
        return 1

    def _forget(self) -> None:
        self._waiting -= 1

    def _compact(self) -> None:
        """Drop settled entries once they are most of a heap, so that neither grows for ever."""
        limit = 2 * self._waiting + 64
        if len(self._by_threshold) > limit:
            self._by_threshold = [e for e in self._by_threshold if not e[2].later.done]
            heapify(self._by_threshold)
        if len(self._by_deadline) > limit:
            self._by_deadline = [e for e in self._by_deadline if not e[2].later.done]
            heapify(self._by_deadline)
