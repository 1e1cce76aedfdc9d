"""The only door to the disk: one queue, one thread, one sync for everything that waited.

Effects queue up while the previous sync is in flight; the next drain takes them all. So one slow
disk costs latency and never throughput, and the order of tickets is the order on the disk.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from typing import Any, Protocol

import trio
from attrs import define, field

from metaquorum.base.errors import HouseError
from metaquorum.quorum.effects import SaveElection
from metaquorum.runtime.lane_thread import LaneThread


class Journal(Protocol):
    """What the lane needs of storage: do these in order, come back when they are durable."""

    def execute(self, effects: Sequence[Any]) -> int:
        """The ticket of the last effect, once it and all before it are on the disk."""


RunAside = Callable[..., Awaitable[Any]]
"""Runs a blocking call, given with its arguments and ``limiter``, without holding up the loop."""


@define(eq=False)
class LogLane:
    """Feeds a journal from the event loop and reports what became durable.

    ``on_durable(ticket)`` and ``on_failed(ticket, why)`` are called on the loop's thread. A
    failure ends the lane: a failed sync is never tried again, because the kernel may already have
    dropped the pages that it could not write. Blocking calls go to ``run_aside``, or to a thread
    of the lane's own (``own_thread``).
    """

    journal: Journal
    on_durable: Callable[[int], None]
    on_failed: Callable[[int, str], None]
    now_ms: Callable[[], int] = field(default=lambda: int(trio.current_time() * 1_000))
    run_aside: RunAside = field(default=trio.to_thread.run_sync)
    own_thread: bool = False
    draining_since_ms: int | None = None
    drains: int = 0
    effects_done: int = 0
    _queue: deque[Any] = field(factory=deque)
    _wake: trio.Event = field(factory=trio.Event)
    _idle: trio.Event = field(factory=trio.Event)
    _closing: bool = False
    _last_ticket: int = 0

    def submit(self, effect: Any) -> None:
        """Queue one disk effect; tickets must come in order."""
        if effect.ticket <= self._last_ticket:
            raise HouseError(f"ticket {effect.ticket} came after {self._last_ticket}")
        self._last_ticket = effect.ticket
        self._queue.append(effect)
        self._wake.set()

    async def run(self) -> None:
        """Drain until ``close`` is called and the queue is empty, or the disk fails."""
        limiter = trio.CapacityLimiter(1)
        with ExitStack() as stack:
            stack.callback(self._idle.set)
            if self.own_thread:
                self.run_aside = stack.enter_context(LaneThread())
            while True:
                if not self._queue:
                    if self._closing:
                        return
                    await self._wake.wait()
                    self._wake = trio.Event()
                    continue
                if not await self._drain(self._next_batch(), limiter):
                    return

    def _next_batch(self) -> list[Any]:
        """Everything that waits, up to where the log ends and the vote begins, or the reverse.

        The two are different files and cost a sync each in any case; so the words that wait for a
        vote need not wait for the log behind it as well.
        """
        of_vote = isinstance(self._queue[0], SaveElection)
        batch = [self._queue.popleft()]
        while self._queue and isinstance(self._queue[0], SaveElection) == of_vote:
            batch.append(self._queue.popleft())
        return batch

    async def _drain(self, batch: list[Any], limiter: trio.CapacityLimiter) -> bool:
        self.draining_since_ms = self.now_ms()
        try:
            ticket = await self.run_aside(self.journal.execute, batch, limiter=limiter)
        except OSError as error:
            self.on_failed(batch[0].ticket, f"{type(error).__name__}: {error}")
            return False
        finally:
            self.draining_since_ms = None
        self.drains += 1
        self.effects_done += len(batch)
        self.on_durable(ticket)
        return True

    async def close(self) -> None:
        """Let everything queued reach the disk, then end ``run``."""
        self._closing = True
        self._wake.set()
        await self._idle.wait()

    def statistics(self) -> dict[str, int]:
        """Drains, effects and what is queued now, for the metrics."""
        return {
            "queued": len(self._queue),
            "drains": self.drains,
            "effects": self.effects_done,
            "last_ticket": self._last_ticket,
        }
