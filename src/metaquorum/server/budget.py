"""Bytes that requests may hold in memory at once, over all connections.

Charged is what stays behind when a connection's turn is over (half a frame, requests whose turn
has not come), and every request of more than a kilobyte while it is being served. A request that
comes whole and is answered at once costs one comparison. Charging is by bytes that really came,
never by a size that a peer merely announced: a lie costs it nothing to tell and must cost us
nothing to hear.

When the budget is spent, connections that hold something stop reading, large requests are not
begun, and TCP holds their peers back; one of them may go on all the same, so that the budget can be
overdrawn by one request but never locks up. Whoever holds nothing reads on, in small pieces: the
usual small request is served as ever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field

from metaquorum.base.errors import HouseError
from metaquorum.base.limits import MAX_REQUEST_BYTES_IN_FLIGHT

Resume = Callable[[], None]


@define(eq=False)
class ByteBudget:
    """Units that ride with a request: taken as its bytes come, given when its answer has left."""

    limit_bytes: int = MAX_REQUEST_BYTES_IN_FLIGHT
    taken_bytes: int = 0
    _waiting: dict[object, Resume] = field(factory=dict)
    _overdrawing: object | None = None

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left, so that whoever holds something has to wait."""
        return self.taken_bytes >= self.limit_bytes

    def take(self, count: int) -> None:
        """Charge bytes that have arrived; never refuses, ``may_go_on`` holds back the next ones."""
        self.taken_bytes += count

    def give(self, reader: object, count: int) -> None:
        """Give units back and let those read on that waited for them."""
        self.taken_bytes -= count
        if self.taken_bytes < 0:
            raise HouseError(f"{count} bytes were given back to the budget that nobody had taken")
        if reader is self._overdrawing:
            self._overdrawing = None
        if self.taken_bytes < self.limit_bytes:
            self._overdrawing = None
            resumed, self._waiting = self._waiting, {}
            for resume in resumed.values():
                resume()
        elif self._overdrawing is None:
            self._let_one_go_on()

    def may_go_on(self, reader: object) -> bool:
        """Whether ``reader`` may read more of its frame, or have a large one served, now."""
        if self.taken_bytes < self.limit_bytes:
            return True
        if self._overdrawing is None:
            self._overdrawing = reader
        return self._overdrawing is reader

    def wait(self, reader: object, resume: Resume) -> None:
        """``resume`` is called once ``may_go_on`` is worth another question."""
        self._waiting[reader] = resume

    def leave(self, reader: object) -> None:
        """``reader`` has gone and waits no more."""
        self._waiting.pop(reader, None)
        if reader is self._overdrawing:
            self._overdrawing = None
            self._let_one_go_on()

    def _let_one_go_on(self) -> None:
        if self._waiting:
            first = next(iter(self._waiting))
            self._waiting.pop(first)()

    def statistics(self) -> dict[str, Any]:
        """What is taken and who waits, for the metrics."""
        return {
            "taken_bytes": self.taken_bytes,
            "limit_bytes": self.limit_bytes,
            "waiting": len(self._waiting),
        }
