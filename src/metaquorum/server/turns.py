"""Turns of the event loop for those who hold it for long: one at a time, with rests between them.

Everything here runs on one thread, so what one connection takes, all others wait for. A connection
whose last turns were long, or whose next request is large or of an API whose last ones took long,
therefore does not serve it where it stands but queues here, and so does one that is sending a large
request. An answer that takes long to make is made in steps (``work``), and each step is a turn.

After a turn the loop looks after everybody else once. While others are being served the queue also
rests after a few turns, for longer than they took: so whoever sends small requests finds the loop
free most of the time, whatever the others send. On a node with nothing else to do the queue goes on
at once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Final, TypeVar

import trio
from attrs import define, field

from metaquorum.base.clock import Clock, Millis
from metaquorum.base.errors import HouseError
from metaquorum.base.limits import (
    LEAST_REST_MS,
    LONG_TURN_MS,
    OTHERS_SERVED_MS,
    REST_FACTOR,
    TURNS_BEFORE_REST,
)
from metaquorum.runtime.later import Later

SLOW_IN_A_ROW: Final = 2  # one may have taken long because the machine was busy
_SLOW_AT_MOST: Final = 4  # so many quick ones in a row and an API is no slow one any more

T = TypeVar("T")

TakeTurn = Callable[[], None]
IsGone = Callable[[], bool]

_LONG_AGO: Final[Millis] = -OTHERS_SERVED_MS - 1


@define(eq=False)
class _Job:
    """An answer that is made in steps, and whether anybody still waits for it."""

    steps: Generator[None, None, Any]
    is_gone: IsGone
    has_begun: bool = False


@define(eq=False)
class Turns:
    """The queue; ``run`` gives the turns."""

    clock: Clock
    taken: int = 0
    steps_taken: int = 0
    rested_ms: int = 0
    _queue: dict[object, TakeTurn] = field(factory=dict)
    _others: dict[object, TakeTurn] = field(factory=dict)
    _others_are_next: bool = True
    _jobs: dict[Later[Any], _Job] = field(factory=dict)
    _slow: dict[int, int] = field(factory=dict)
    _giving: bool = False
    _last_served: object = None  # and when, and when somebody else was before
    _last_at: Millis = _LONG_AGO
    _before_at: Millis = _LONG_AGO
    _unrested: int = 0
    _idle: trio.Event | None = None

    def queue(self, who: object, take_turn: TakeTurn, *, is_waited_for: bool = True) -> None:
        """``take_turn`` is called once it is ``who``'s turn; asking twice changes nothing.

        Turns at whose end somebody has an answer are not behind a thousand others: they take
        every second one.
        """
        if who not in self._queue and who not in self._others:
            (self._queue if is_waited_for else self._others)[who] = take_turn
        if self._idle is not None:
            self._idle.set()

    def leave(self, who: object) -> None:
        """``who`` wants no turn any more."""
        self._queue.pop(who, None)
        self._others.pop(who, None)

    def work(self, steps: Generator[None, None, T], is_gone: IsGone) -> Later[T]:
        """What ``steps`` returns in the end; every step is a turn.

        One after the other, since a half-made answer is held in memory. Cancelling the promise
        ends the work; it is not begun if ``is_gone`` says that nobody waits for it.
        """
        made: Later[T] = Later()
        self._jobs[made] = _Job(steps, is_gone)
        made.on_cancel(lambda: self._drop(made))
        self.queue(self, self._take_step, is_waited_for=False)
        return made

    def _drop(self, made: Later[Any]) -> None:
        self._jobs.pop(made).steps.close()

    def _take_step(self) -> None:
        if self._jobs:
            made, job = next(iter(self._jobs.items()))
            if job.has_begun or not job.is_gone():
                self._take_step_of(made, job)
            else:
                made.cancel()
        if self._jobs:
            self.queue(self, self._take_step, is_waited_for=False)

    def _take_step_of(self, made: Later[Any], job: _Job) -> None:
        self.steps_taken += 1
        job.has_begun = True
        try:
            next(job.steps)
        except StopIteration as end:
            del self._jobs[made]
            made.complete(end.value)
        except HouseError:
            raise
        except Exception as error:  # of this answer alone, and of nobody else's
            del self._jobs[made]
            made.fail(error)

    def served(self, who: object, api_key: int, began: Millis, ended: Millis) -> None:
        """When a request of that API was served, so that the next ones are known before."""
        if not self._giving:
            if who is not self._last_served:
                self._last_served, self._before_at = who, self._last_at
            self._last_at = ended
        if ended - began >= LONG_TURN_MS:
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
        return len(self._queue) + len(self._others)

    async def run(self) -> None:
        """Give turns until cancelled."""
        while True:
            if not len(self):
                self._idle = trio.Event()
                await self._idle.wait()
                self._idle = None
                continue
            queue = self._next_queue()
            who = next(iter(queue))
            take_turn = queue.pop(who)
            began = self.clock.now_ms()
            self._give(take_turn)
            # What the turn has set going, a command to the controller say, is part of it. Tasks
            # that are ready together run in any order, so only the second pass is behind it.
            await trio.lowlevel.checkpoint()
            await trio.lowlevel.checkpoint()
            await self._rest(who, began)

    def _next_queue(self) -> dict[object, TakeTurn]:
        self._others_are_next = bool(self._others) and not (self._queue and self._others_are_next)
        return self._others if self._others_are_next else self._queue

    def _give(self, take_turn: TakeTurn) -> None:
        self.taken += 1
        self._giving = True
        try:
            take_turn()
        finally:
            self._giving = False

    async def _rest(self, who: object, began: Millis) -> None:
        now = self.clock.now_ms()
        others_at = self._before_at if who is self._last_served else self._last_at
        if now - others_at > OTHERS_SERVED_MS:
            return
        self._unrested += 1
        rest = REST_FACTOR * (now - began)
        if not rest and self._unrested < TURNS_BEFORE_REST:
            return
        self._unrested = 0
        rest = max(LEAST_REST_MS, rest)
        self.rested_ms += rest
        await trio.sleep(rest / 1_000)
