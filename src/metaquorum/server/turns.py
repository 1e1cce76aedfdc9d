"""Turns of the event loop for those who hold it for long: one at a time, with rests between them.

Everything here runs on one thread, so what one connection takes, all others wait for. A connection
whose last turns were long, or whose next request is large or of an API whose last ones took long,
therefore does not serve it where it stands but queues here. After a short turn the loop looks after
everybody else once; after a long one, which is one request that cannot be divided, the queue rests
for longer than that took. So whoever sends small requests finds the loop free most of the time,
whatever the others send.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import trio
from attrs import define, field

from metaquorum.base.clock import Clock, Millis
from metaquorum.base.limits import LONG_TURN_MS, REST_FACTOR

SLOW_IN_A_ROW: Final = 2  # one may have taken long because the machine was busy
_SLOW_AT_MOST: Final = 4  # so many quick ones in a row and an API is no slow one any more

TakeTurn = Callable[[], None]


@define(eq=False)
class Turns:
    """The queue; ``run`` gives the turns."""

    clock: Clock
    taken: int = 0
    rested_ms: int = 0
    _queue: dict[object, TakeTurn] = field(factory=dict)
    _slow: dict[int, int] = field(factory=dict)
    _idle: trio.Event | None = None

    def queue(self, who: object, take_turn: TakeTurn) -> None:
        """``take_turn`` is called once it is ``who``'s turn; asking twice changes nothing."""
        self._queue.setdefault(who, take_turn)
        if self._idle is not None:
            self._idle.set()

    def leave(self, who: object) -> None:
        """``who`` wants no turn any more."""
        self._queue.pop(who, None)

    def served(self, api_key: int, took_ms: Millis) -> None:
        """How long a request of that API took, so that the next ones are known before."""
        if took_ms >= LONG_TURN_MS:
            self._slow[api_key] = min(self._slow.get(api_key, 0) + 1, _SLOW_AT_MOST)
        elif api_key in self._slow:
            self._slow[api_key] -= 1
            if not self._slow[api_key]:
                del self._slow[api_key]

    def is_slow(self, api_key: int) -> bool:
        """Whether requests of that API took long of late."""
        return self._slow.get(api_key, 0) >= SLOW_IN_A_ROW

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
