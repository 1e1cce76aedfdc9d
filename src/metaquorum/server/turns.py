"""Turns of the event loop for those who hold it for long: one at a time, with rests between them.

Everything here runs on one thread, so what one connection takes, all others wait for. A connection
whose last turn was long, or whose next request is large, therefore does not serve it where it
stands but queues here. After a short turn the loop looks after everybody else once; after a long
one, which is one request that cannot be divided, the queue rests for longer than that took. So
whoever sends small requests finds the loop free most of the time, whatever the others send.
"""

from __future__ import annotations

from collections.abc import Callable

import trio
from attrs import define, field

from metaquorum.base.clock import Clock
from metaquorum.base.limits import LONG_TURN_MS, REST_FACTOR

TakeTurn = Callable[[], None]


@define(eq=False)
class Turns:
    """The queue; ``run`` gives the turns."""

    clock: Clock
    taken: int = 0
    rested_ms: int = 0
    _queue: dict[object, TakeTurn] = field(factory=dict)
    _idle: trio.Event | None = None

    def queue(self, who: object, take_turn: TakeTurn) -> None:
        """``take_turn`` is called once it is ``who``'s turn; asking twice changes nothing."""
        self._queue.setdefault(who, take_turn)
        if self._idle is not None:
            self._idle.set()

    def leave(self, who: object) -> None:
        """``who`` wants no turn any more."""
        self._queue.pop(who, None)

    def __len__(self) -> int:
        """How many wait for their turn."""
        return len(self._queue)

    async def run(self) -> None:
        """Give turns until cancelled."""
        while True:
            if not self._queue:
                self._idle = trio.Event()
                await self._idle.wait()
                self._idle = None
                continue
            who = next(iter(self._queue))
            take_turn = self._queue.pop(who)
            began = self.clock.now_ms()
            take_turn()
            self.taken += 1
            # What the turn has set going, a command to the controller say, is part of it. Tasks
            # that are ready together run in any order, so only the second pass is behind it.
            await trio.lowlevel.checkpoint()
            await trio.lowlevel.checkpoint()
            took = self.clock.now_ms() - began
            if took >= LONG_TURN_MS:
                self.rested_ms += REST_FACTOR * took
                await trio.sleep(REST_FACTOR * took / 1_000)
