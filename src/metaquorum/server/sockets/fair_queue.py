"""Turns of the event loop for those who hold it for long: one at a time, with rests between them.

Everything here runs on one thread, so what one connection takes, all others wait for. A connection
whose last turns were long, or whose next request is large or of an API whose last ones took long,
therefore does not serve it where it stands but queues here, and so does one that is sending a large
request. An answer that takes long to make is made in steps (``work``), and each step is a turn.

After a turn the loop looks after everybody else once. While others are being served the queue also
rests, for REST_PERCENT of the time that its turns took: so small requests often find
the loop free, and a long answer takes less than twice its work. On a node
with nothing else to do the queue goes on at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final, TypeVar

import trio
from attrs import define, field

from metaquorum.base.clock import Clock, Millis
from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import (
    LEAST_REST_MS,
    LEAVES_PER_ACCEPT,
    LEAVES_PER_TURN,
    LONG_TURN_MS,
    OTHERS_SERVED_MS,
    REST_PERCENT,
)
from metaquorum.runtime.loop.promise import AnyPromise, Promise
from metaquorum.server.contract.steps import MadeInSteps, Steps

SLOW_IN_A_ROW: Final = 2  # one may have taken long because the machine was busy
_SLOW_AT_MOST: Final = 4  # so many quick ones in a row and an API is no slow one any more

T = TypeVar("T")

TakeTurn = Callable[[], None]
IsGone = Callable[[], bool]

_LONG_AGO: Final[Millis] = -OTHERS_SERVED_MS - 1


@define(eq=False)
class _Job:
    """An answer that is made in steps, and whether anybody still waits for it."""

    steps: Steps[object]
    is_gone: IsGone
    has_begun: bool = False


@define(eq=False)
class FairQueue:
    """The queue; ``run`` gives the turns."""

    clock: Clock
    taken: int = 0
    steps_taken: int = 0
    rested_ms: int = 0
    _queue: dict[object, TakeTurn] = field(factory=dict)
    _others: dict[object, TakeTurn] = field(factory=dict)
    _others_are_next: bool = True
    _jobs: dict[AnyPromise, _Job] = field(factory=dict)
    _waiting: dict[AnyPromise, _Job] = field(factory=dict)
    _slow: dict[int, int] = field(factory=dict)
    _giving: bool = False
    _last_served: object = None  # and when, and when another was before
    _last_at: Millis = _LONG_AGO
    _before_at: Millis = _LONG_AGO
    _owed_percent: int = 0  # of a millisecond of rest; below zero if the last one was too long
    _idle: trio.Event | None = None

    def queue(self, who: object, take_turn: TakeTurn, *, is_waited_for: bool = True) -> None:
        """``take_turn`` is called once it is ``who``'s turn; asking twice changes nothing.

        Turns at whose end a client has its answer are not behind a thousand others: they take
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

    def work(self, steps: Steps[T], is_gone: IsGone) -> Promise[T]:
        """What ``steps`` returns in the end; every step is a turn.

        One after the other, since a half-made answer is held in memory; others go on while one
        waits for what it has asked. Cancelling the promise ends the work; it is not begun if
        ``is_gone`` says that nobody waits for it.
        """
        made: MadeInSteps[T] = MadeInSteps()
        self._begin(made, _Job(steps, is_gone))
        made.on_cancel(lambda: self._drop(made))
        return made

    def _begin(self, made: AnyPromise, job: _Job) -> None:
        self._jobs[made] = job
        self.queue(self, self._take_step, is_waited_for=False)

    def _drop(self, made: AnyPromise) -> None:
        job = self._jobs.pop(made, None) or self._waiting.pop(made)
        job.steps.close()

    def _take_step(self) -> None:
        if self._jobs:
            made, job = next(iter(self._jobs.items()))
            if job.has_begun or not job.is_gone():
                self._take_step_of(made, job)
            else:
                made.cancel()
        if self._jobs:
            self.queue(self, self._take_step, is_waited_for=False)

    def _take_step_of(self, made: AnyPromise, job: _Job) -> None:
        self.steps_taken += 1
        job.has_begun = True
        try:
            awaited = next(job.steps)
        except StopIteration as end:
            del self._jobs[made]
            made.complete(end.value)
        except InvariantViolated:
            raise
        except Exception as error:  # of this answer alone, and of nobody else's
            del self._jobs[made]
            made.fail(error)
        else:
            if awaited is not None and not awaited.done:
                self._waiting[made] = self._jobs.pop(made)
                awaited.then(lambda _: self._go_on(made))

    def _go_on(self, made: AnyPromise) -> None:
        """What its next step waited for is done."""
        job = self._waiting.pop(made, None)
        if job is not None:
            self._begin(made, job)

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
            took_ms = self.clock.now_ms() - began
            # Tasks that are ready together run in any order: only after the second pass has
            # everybody else surely had a turn.
            await trio.lowlevel.checkpoint()
            await trio.lowlevel.checkpoint()
            await self._rest(who, took_ms)

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

    async def _rest(self, who: object, took_ms: Millis) -> None:
        """Sleep for a share of what turns took, if another connection is being served.

        Most turns are shorter than the clock is fine. What is measured of them is right on average,
        and a rest that lasts longer than it was to counts for the turns behind it.
        """
        now = self.clock.now_ms()
        others_at = self._before_at if who is self._last_served else self._last_at
        if now - others_at > OTHERS_SERVED_MS:
            self._owed_percent = 0
            return
        self._owed_percent += took_ms * REST_PERCENT
        rest_ms = self._owed_percent // 100
        if rest_ms < LEAST_REST_MS:
            return
        await trio.sleep(rest_ms / 1_000)
        rested_ms = max(self.clock.now_ms() - now, rest_ms)
        self.rested_ms += rested_ms
        self._owed_percent -= rested_ms * 100


@define(eq=False)
class Leaving:
    """Connections whose peers hung up, cleared away some at a time.

    A thousand that hang up together must not hold the loop all at once; and they must go faster
    than others can come, as each still counts for its address. The queue rests while others are
    served, but new connections do not wait for it; so two of them go for every one that comes.
    """

    fair_queue: FairQueue
    _waiting: deque[Callable[[], None]] = field(factory=deque)

    def queue(self, go: Callable[[], None]) -> None:
        """``go`` is called in one of the next turns; it must bear to be called when all is over."""
        self._waiting.append(go)
        self.fair_queue.queue(self, self._take_turn, is_waited_for=False)

    def make_room(self) -> None:
        """A connection comes: the first that wait go at once."""
        self._go(LEAVES_PER_ACCEPT)

    def _go(self, count: int) -> None:
        for _ in range(min(count, len(self._waiting))):
            self._waiting.popleft()()

    def _take_turn(self) -> None:
        self._go(LEAVES_PER_TURN)
        if self._waiting:
            self.fair_queue.queue(self, self._take_turn, is_waited_for=False)
