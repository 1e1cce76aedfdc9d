"""The only door to the disk: one queue, one thread, one sync for everything that waited.

Effects queue up while the previous sync is in flight; the next drain takes them all. So one slow
disk costs latency and never throughput, and the order of tickets is the order on the disk.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from functools import partial
from time import perf_counter
from typing import Any, Protocol

import trio
from attrs import define, field

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.errors import HouseError
from metaquorum.quorum.effects import SaveElection
from metaquorum.runtime.disk.disk_pace import DiskPace
from metaquorum.runtime.disk.lane_thread import LaneThread, Tell, Unsynced
from metaquorum.runtime.disk.rush import Rush
from metaquorum.runtime.loop.lookout import Lookout, WaitingTasks


class Journal(Protocol):
    """What the lane needs of storage: do these in order, come back when they are durable."""

    def execute(self, effects: Sequence[Any]) -> int:
        """The ticket of the last effect, once it and all before it are on the disk."""


class Writer(Protocol):
    """What the lane needs of a journal that leaves the sync to somebody else."""

    def appends_to(self, effects: Sequence[Any]) -> int | None:
        """The descriptor of the one file that these would be appended to; None where there is
        more to be done."""

    def write(self, effects: Sequence[Any]) -> None:
        """Do these, but for the sync of that file."""

    def synced(self, seconds: float, failed: OSError | None) -> int:
        """That took so long: the ticket of the last effect. The failure is raised."""

    @property
    def has_room(self) -> bool:
        """Whether there is room behind the end that has to be given back."""

    def grows_fast(self, is_so: bool) -> None:
        """Whether more follows what is done next, so that room is worth to be made."""

    def give_back_room(self) -> int:
        """Do so: the ticket of the last effect."""


RunAside = Callable[..., Awaitable[Any]]
"""Runs a blocking call, given with its arguments and ``limiter``, without holding up the loop."""


class Aside(Protocol):
    """Does one thing at a time elsewhere than on the loop."""

    @property
    def leaves_syncs(self) -> bool:
        """Whether a work that is done on the loop may leave a sync (``Unsynced``)."""

    def begin(self, work: Callable[[], Any], *, here: bool = False) -> None:
        """Have ``work`` done, on the loop itself if ``here`` says so; nothing else is under way."""

    async def ends(self, tell: Tell) -> None:
        """Tell what each work came to, until nobody wants to know of the next."""


@define(eq=False)
class _Borrowed:
    """A thread that belongs to somebody else, by ``run_aside``."""

    run_aside: RunAside
    _limiter: trio.CapacityLimiter = field(factory=lambda: trio.CapacityLimiter(1))
    _work: Callable[[], Any] | None = None
    _begun: trio.Event = field(factory=trio.Event)
    leaves_syncs: bool = False

    def begin(self, work: Callable[[], Any], *, here: bool = False) -> None:
        """As of ``Aside``, but that nothing is done on the loop: its disk may be no quick one."""
        self._work = work
        self._begun.set()

    async def ends(self, tell: Tell) -> None:
        """As of ``Aside``."""
        going_on = True
        while going_on:
            await self._begun.wait()
            self._begun = trio.Event()
            assert self._work is not None
            try:
                result = await self.run_aside(self._work, limiter=self._limiter)
            except OSError as error:
                going_on = tell(None, error)
            else:
                going_on = tell(result, None)


@define(eq=False)
class LogLane:
    """Feeds a journal from the event loop and reports what became durable.

    ``on_durable(ticket)`` and ``on_failed(ticket, why)`` are called on the loop's thread. A
    failure ends the lane: a failed sync is never tried again, because the kernel may already have
    dropped the pages that it could not write. Blocking calls go to ``run_aside``, or to a thread
    of the lane's own (``own_thread``), whose end ``lookout`` waits for. While the disk is quick
    (``pace``), the loop itself writes and syncs what a request to a peer waits for (``sends_at`` a
    ticket, decision 208); what none waits for it writes by ``writer``, if there is one, and the
    kernel syncs it (decision 190).
    ``clock`` gives seconds. A log that grows fast (``rush``) has room made by the ``writer``, which
    is given back after a pause, when ``tidy_at_ms`` has come (decision 191). ``check_place``
    fails when the directory is not the one that was opened (decision 198).
    """

    journal: Journal
    on_durable: Callable[[int], None]
    on_failed: Callable[[int, str], None]
    now_ms: Callable[[], int] = field(default=lambda: int(trio.current_time() * 1_000))
    run_aside: RunAside = field(default=trio.to_thread.run_sync)
    own_thread: bool = False
    lookout: Lookout = field(factory=WaitingTasks)
    sends_at: Callable[[int], bool] = field(default=lambda ticket: False)
    writer: Writer | None = None
    check_place: Callable[[], int] | None = None
    pace: DiskPace = field(factory=DiskPace)
    rush: Rush = field(factory=Rush)
    clock: Callable[[], float] = field(default=perf_counter)
    draining_since_ms: int | None = None
    drains: int = 0
    effects_done: int = 0
    _queue: deque[Any] = field(factory=deque)
    _drain: list[Any] = field(factory=list)
    _under_way: bool = False
    _aside: Aside | None = None
    _idle: trio.Event = field(factory=trio.Event)
    _closing: bool = False
    _check_due: bool = False
    _last_ticket: int = 0

    def submit(self, effect: Any) -> None:
        """Queue one disk effect; tickets must come in order. ``begin`` has to follow."""
        if effect.ticket <= self._last_ticket:
            raise HouseError(f"ticket {effect.ticket} came after {self._last_ticket}")
        self._last_ticket = effect.ticket
        self._queue.append(effect)

    def begin(self) -> None:
        """Hand over what is queued, unless the disk is at work: then it follows by itself.

        This is no task's work, as a task would have to be woken for it.
        """
        while self._queue and not self._under_way and self._aside is not None:
            batch = self._drain = self._next_batch()
            self.draining_since_ms = now = self.now_ms()
            self._under_way = True
            self.rush.wrote(now)
            if self.writer is not None:
                self.writer.grows_fast(self.rush.is_on)
            check = self._due_check() if self._check_due else None
            if self.pace.is_quick and check is None:
                if self.own_thread and self.sends_at(batch[-1].ticket):
                    self._sync_here(self._aside, batch)
                    continue
                if self._leaves_sync(self._aside, batch):
                    return
            self._aside.begin(partial(self._write, batch, check))

    def _write(self, batch: list[Any], check: Callable[[], int] | None = None) -> int:
        """The ticket of the last effect, once all are durable; ``check`` is called before them."""
        if check is not None:
            check()
        began = self.clock()
        ticket = self.journal.execute(batch)
        self.pace.took(self.clock() - began)
        return ticket

    def _sync_here(self, aside: Aside, batch: list[Any]) -> None:
        """Write and sync on the loop, and report it at once; a failure ends ``run``."""
        try:
            ticket = self._write(batch)
        except BaseException as error:  # raised where the lane waits for its thread
            aside.begin(partial(_raise, error), here=True)
            return
        self.draining_since_ms = None
        self._report(ticket)

    def check_soon(self) -> None:
        """Have the directory checked, before the next write or at once if there is none.

        Never on the loop: the directory may be on a disk that does not answer.
        """
        if self.check_place is None:
            return
        self._check_due = True
        if not self._queue and not self._under_way and self._aside is not None:
            check = self._due_check()
            self.draining_since_ms = self.now_ms()
            self._under_way = True
            self._aside.begin(check)

    async def keep_checking(self, every_ms: Millis) -> None:
        """Check the directory so often; ends by cancellation."""
        while True:
            await trio.sleep(every_ms / 1_000)
            self.check_soon()

    def _due_check(self) -> Callable[[], int]:
        assert self.check_place is not None
        self._check_due = False
        return self.check_place

    @property
    def tidy_at_ms(self) -> Millis:
        """When ``tidy`` is to be called, if nothing more is written."""
        if self._under_way or self.writer is None or not self.writer.has_room:
            return NEVER
        return self.rush.ends_ms

    def tidy(self) -> None:
        """Have room given back that nobody has needed for a while; nothing if the disk works."""
        if self.writer is not None and self._aside is not None and not self._under_way:
            self._under_way = True
            self._aside.begin(self.writer.give_back_room)

    def _leaves_sync(self, aside: Aside, batch: list[Any]) -> bool:
        """Write these on the loop and leave their sync to the kernel, if that can be."""
        writer = self.writer
        if writer is None or not aside.leaves_syncs:
            return False
        descriptor = writer.appends_to(batch)
        if descriptor is None:
            return False
        began = self.clock()

        def synced(failed: OSError | None) -> int:
            seconds = self.clock() - began
            self.pace.took(seconds)
            return writer.synced(seconds, failed)

        def work() -> Unsynced:
            writer.write(batch)
            return Unsynced(descriptor, synced)

        aside.begin(work, here=True)
        return True

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

    async def run(self) -> None:
        """Report each drain and begin the next, until ``close`` or until the disk fails."""
        with ExitStack() as stack:
            stack.callback(self._end)
            if self.own_thread:
                self._aside = stack.enter_context(LaneThread(self.lookout))
            else:
                self._aside = _Borrowed(self.run_aside)
            self.begin()
            if self._is_wanted:
                await self._aside.ends(self._drained)

    @property
    def _is_wanted(self) -> bool:
        return self._under_way or not self._closing

    def _end(self) -> None:
        self._aside = None
        self.draining_since_ms = None
        self._idle.set()

    def _drained(self, ticket: int, error: OSError | None) -> bool:
        """Report one drain and begin the next; False when there is none, or the disk failed."""
        self.draining_since_ms = None
        if error is not None:
            first = self._drain[0].ticket if self._drain else self._last_ticket
            self.on_failed(first, f"{type(error).__name__}: {error}")
            return False
        self._report(ticket)
        self.begin()
        return self._is_wanted

    def _report(self, ticket: int) -> None:
        done, self._drain, self._under_way = self._drain, [], False
        if done:
            self.drains += 1
            self.effects_done += len(done)
            self.on_durable(ticket)

    async def close(self) -> None:
        """Let everything queued reach the disk, then end ``run``."""
        if not self._closing:
            self._closing = True
            self.begin()
            if not self._under_way and self._aside is not None:
                self._under_way = True
                self._aside.begin(_nothing)
        await self._idle.wait()

    def statistics(self) -> dict[str, int]:
        """Drains, effects and what is queued now, for the metrics."""
        return {
            "queued": len(self._queue),
            "drains": self.drains,
            "effects": self.effects_done,
            "last_ticket": self._last_ticket,
        }


def _raise(error: BaseException) -> None:
    raise error


def _nothing() -> int:
    """What an idle lane does that is to end."""
    return 0
