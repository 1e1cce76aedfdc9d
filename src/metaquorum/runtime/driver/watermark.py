"""A number that only grows, and those who wait for it: the whole purgatory of consumer fetches."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from typing import Final

from attrs import define, field

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.errors import InvariantViolated, RequestError
from metaquorum.base.limits import MAX_PARKED_FETCHES, WAKES_PER_TURN
from metaquorum.base.offsets import NO_OFFSET, Offset
from metaquorum.base.pace import Pace
from metaquorum.runtime.loop.promise import Promise
from metaquorum.wire.generated import error_codes

OVERDUE: Final[Millis] = 0
"""A deadline that has passed on every clock."""


@define(eq=False)
class _Parked:
    threshold: Offset
    deadline: Millis
    promise: Promise[bool]


@define(eq=False)
class Watermark:
    """The high watermark as consumers see it.

    ``wait`` parks a promise until the number reaches a threshold (True) or a deadline passes
    (False). Two heaps name the next threshold and the next deadline, so that neither ``advance``
    nor ``expire`` looks at those whose turn has not come. ``on_sooner`` is called when a wait ends
    before all others, since the caller of ``expire`` may be asleep until a later time.

    Hundreds may wait for the same thing, and each answers a fetch when it is woken. So they are
    woken at a ``Pace``, the lowest threshold first; ``expire`` goes on with those that are left.
    Nor does it tell more than ``WAKES_PER_TURN`` that their time is over; while others are due
    ``deadline`` has passed.
    """

    value: Offset = NO_OFFSET
    parked_limit: int = MAX_PARKED_FETCHES
    on_sooner: Callable[[], None] = field(default=lambda: None)
    _by_threshold: list[tuple[Offset, int, _Parked]] = field(factory=list)
    _by_deadline: list[tuple[Millis, int, _Parked]] = field(factory=list)
    _tickets: int = 0
    _waiting: int = 0
    _pace: Pace = field(factory=Pace)

    def has_turn(self, now: Millis) -> bool:
        """Whether a reader whose records are there is to be answered at once; else ``wait``."""
        waiting = self._by_threshold
        if (waiting and waiting[0][0] <= self.value) or not self._pace.allowed(now):
            return False
        self._pace.woke(1)
        return True

    def wait(self, threshold: Offset, deadline: Millis, *, in_turn: bool = False) -> Promise[bool]:
        """A promise of True once ``value >= threshold``, of False at ``deadline``.

        It waits behind all others that are to be woken first if it is to wait ``in_turn``.
        """
        promise: Promise[bool] = Promise()
        if in_turn:
            threshold = max(threshold, self.value)
        elif self.value >= threshold:
            promise.complete(True)
            return promise
        if self._waiting >= self.parked_limit:
            promise.fail(
                RequestError(error_codes.THROTTLING_QUOTA_EXCEEDED, "too many fetches are parked")
            )
            return promise
        parked = _Parked(threshold, deadline, promise)
        self._tickets += 1
        self._waiting += 1
        promise.on_cancel(self._forget)
        heappush(self._by_threshold, (threshold, self._tickets, parked))
        heappush(self._by_deadline, (deadline, self._tickets, parked))
        if in_turn or self._by_deadline[0][2] is parked:
            self.on_sooner()
        return promise

    def advance(self, to: Offset, now: Millis) -> None:
        """The watermark is ``to`` now; all whose threshold it reached are woken."""
        if to < self.value:
            raise InvariantViolated(f"the high watermark went back from {self.value} to {to}")
        self.value = to
        self._wake_reached(now)
        self._compact()

    @property
    def deadline(self) -> Millis:
        """When ``expire`` has something to do."""
        while self._by_deadline and self._by_deadline[0][2].promise.done:
            heappop(self._by_deadline)
        due = self._by_deadline[0][0] if self._by_deadline else NEVER
        if self._by_threshold and self._by_threshold[0][0] <= self.value:
            return min(due, self._pace.next_ms)
        return due

    def expire(self, now: Millis) -> None:
        """Go on with those that ``advance`` left, and tell whose deadline has passed."""
        self._wake_reached(now)
        left = WAKES_PER_TURN
        while left and self._by_deadline and self._by_deadline[0][0] <= now:
            left -= self._settle(heappop(self._by_deadline)[2], False)
        self._compact()

    def release_all(self) -> None:
        """Tell everybody that the wait is over: the node stops or has lost its place."""
        for _, _, parked in sorted(self._by_deadline, key=lambda entry: entry[1]):
            self._settle(parked, False)
        self._by_deadline.clear()
        self._by_threshold.clear()

    def statistics(self) -> dict[str, int]:
        """What is parked here, for the metrics."""
        return {"value": self.value, "parked": self._waiting, "parked_limit": self.parked_limit}

    def _wake_reached(self, now: Millis) -> None:
        """Tell those whose threshold is reached, as many as the pace allows."""
        waiting, value = self._by_threshold, self.value
        if not waiting or waiting[0][0] > value:
            return
        allowed = left = self._pace.allowed(now)
        while left and waiting and waiting[0][0] <= value:
            left -= self._settle(heappop(waiting)[2], True)
        self._pace.woke(allowed - left)

    def _settle(self, parked: _Parked, reached: bool) -> int:
        """1, or 0 if it is settled already."""
        if parked.promise.done:
            return 0
        self._waiting -= 1
        parked.promise.complete(reached)
        return 1

    def _forget(self) -> None:
        self._waiting -= 1

    def _compact(self) -> None:
        """Drop settled entries once they are most of a heap, so that neither grows for ever."""
        limit = 2 * self._waiting + 64
        if len(self._by_threshold) > limit:
            self._by_threshold = [e for e in self._by_threshold if not e[2].promise.done]
            heapify(self._by_threshold)
        if len(self._by_deadline) > limit:
            self._by_deadline = [e for e in self._by_deadline if not e[2].promise.done]
            heapify(self._by_deadline)
