"""A log lane over a journal and a kernel that are told what to do."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import trio
import trio.testing
from attrs import define, field, frozen

from metaquorum.base.limits import (
    QUICK_SYNC_US,
    QUICK_SYNCS_IN_A_ROW,
)
from metaquorum.runtime.disk.log_lane import LogLane
from metaquorum.runtime.loop.event_counter import event_counter

SLOW_S = 2 * QUICK_SYNC_US / 1e6
FIRST = QUICK_SYNCS_IN_A_ROW + 1
"""The ticket of the first batch that a fast disk is known for."""


@frozen
class Effect:
    ticket: int


@define(eq=False)
class FakeJournal:
    """Notes what it is asked; a write with its sync takes ``seconds``.

    ``descriptor``: of the file that appends go to, None if more than that is always to be done.
    ``fails``: the names of the methods that do. ``hold`` makes the first batch wait for ``go_on``.
    """

    descriptor: int | None = None
    calls: list[tuple[str, list[int]]] = field(factory=list)
    loop: int = field(factory=threading.get_ident)
    fails: set[str] = field(factory=set)
    error: BaseException = field(factory=lambda: OSError(5, "input/output error"))
    seconds: float = 0.0
    now: float = 0.0
    is_preallocated: bool = False
    fast: list[bool] = field(factory=list)
    hold: bool = False
    started: threading.Event = field(factory=threading.Event)
    go_on: threading.Event = field(factory=threading.Event)
    last: int = 0

    def _done(self, what: str, effects: Sequence[Any] = ()) -> int:
        if self.fails & {what}:
            self.calls.append((f"{what} fails", []))
            raise self.error
        where = "loop" if threading.get_ident() == self.loop else "thread"
        self.calls.append((f"{what} {where}", [effect.ticket for effect in effects]))
        self.now += self.seconds
        if effects:
            self.last = effects[-1].ticket
        return self.last

    def execute(self, effects: Sequence[Any]) -> int:
        if self.hold and not self.started.is_set():
            self.started.set()
            self.go_on.wait(10)
        return self._done("execute", effects)

    def write(self, effects: Sequence[Any]) -> int | None:
        if self.descriptor is not None:
            self._done("write", effects)
        return self.descriptor

    def synced(self, seconds: float, failed: OSError | None) -> int:
        assert seconds == self.seconds
        if failed is not None:
            raise failed
        return self.last

    def grows_fast(self, is_so: bool) -> None:
        self.fast.append(is_so)
        self.is_preallocated = self.is_preallocated or is_so

    def release_preallocation(self) -> int:
        self._done("give back")
        self.is_preallocated = False
        return self.last

    def check_place(self) -> int:
        return self._done("check")

    @property
    def tickets(self) -> list[list[int]]:
        return [tickets for _, tickets in self.calls if tickets]

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.calls]


@define(eq=False)
class FakeKernel:
    """Ends a sync at once, or by ``end`` if it is ``slow``; ``takes`` none if it is told so."""

    slow: bool = False
    takes: bool = True
    error: OSError | None = None
    begun: list[int] = field(factory=list)
    counter: int = field(factory=event_counter)
    is_over: bool = False

    def begin(self, descriptor: int) -> bool:
        self.begun.append(descriptor)
        if self.takes and not self.slow:
            self.end()
        return self.takes

    def end(self) -> None:
        self.is_over = True
        self.wake()

    def wake(self) -> None:
        os.write(self.counter, (1).to_bytes(8, sys.byteorder))

    def has_ended(self) -> bool:
        os.read(self.counter, 8)
        ended, self.is_over = self.is_over, False
        if ended and self.error is not None:
            raise self.error
        return ended

    def close(self) -> None:
        trio.lowlevel.notify_closing(self.counter)
        os.close(self.counter)


@define(eq=False)
class Rig:
    """A lane over such a journal, and what it told."""

    journal: FakeJournal = field(factory=FakeJournal)
    durable: list[int] = field(factory=list)
    failed: list[str] = field(factory=list)
    lane: LogLane = field(init=False)
    sends: bool = False
    fast_syncs: bool = True

    def __attrs_post_init__(self) -> None:
        self.lane = LogLane(
            self.journal,
            self.durable.append,
            lambda ticket, why: self.failed.append(f"{ticket}: {why}"),
            fast_syncs=self.fast_syncs,
            sends_at=lambda ticket: self.sends,
            clock=lambda: self.journal.now,
        )

    def submit(self, *tickets: int) -> None:
        for ticket in tickets:
            self.lane.submit(Effect(ticket))  # type: ignore[arg-type]

    def begin(self, *tickets: int) -> None:
        self.submit(*tickets)
        self.lane.begin()

    async def write(self, *tickets: int) -> None:
        """Each a batch of its own, until it is durable."""
        for ticket in tickets:
            before = self.lane.drains
            self.begin(ticket)
            while self.lane.drains == before:
                await trio.lowlevel.checkpoint()

    async def fast(self) -> None:
        """So many batches that the disk is known to be fast."""
        await self.write(*range(1, FIRST))
        self.journal.calls.clear()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.lane.run)
            await trio.testing.wait_all_tasks_blocked()
            yield

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """A lane whose first batch, of ticket 1, is at the disk until the block ends."""
        self.journal.hold = True
        async with self.running():
            self.begin(1)
            await trio.to_thread.run_sync(self.journal.started.wait)
            yield
            self.journal.go_on.set()
            await self.lane.close()
