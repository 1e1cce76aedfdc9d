"""Connections whose peers hung up, cleared away some at a time.

A thousand that hang up together must not hold the loop all at once; and they must go faster than
others can come, as each still counts for its address. Turns rest while others are served, and who
comes does not; so two of them go for every one that comes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from attrs import define, field

from metaquorum.base.limits import LEAVES_PER_ACCEPT, LEAVES_PER_TURN
from metaquorum.server.sockets.turns import Turns


@define(eq=False)
class Leaving:
    """Those that wait to be cleared away; the first of them go in one turn."""

    turns: Turns
    _waiting: deque[Callable[[], None]] = field(factory=deque)

    def queue(self, go: Callable[[], None]) -> None:
        """``go`` is called in one of the next turns; it must bear to be called when all is over."""
        self._waiting.append(go)
        self.turns.queue(self, self._take_turn, is_waited_for=False)

    def make_room(self) -> None:
        """Somebody comes: the first that wait go at once."""
        self._go(LEAVES_PER_ACCEPT)

    def _go(self, count: int) -> None:
        for _ in range(min(count, len(self._waiting))):
            self._waiting.popleft()()

    def _take_turn(self) -> None:
        self._go(LEAVES_PER_TURN)
        if self._waiting:
            self.turns.queue(self, self._take_turn, is_waited_for=False)
