"""The only way to the disk: one queue, one batch at a time, one sync for each batch.

Effects queue up while the previous sync is in flight, and the next batch takes them all. So a slow
disk costs latency and never throughput, and the order of tickets is the order on the disk.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, TypeVar, TypeVarTuple

import trio
from attrs import define, field

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.errors import InvariantViolated
from metaquorum.quorum.effects import DiskEffect, SaveElection
from metaquorum.quorum.types import Ticket
from metaquorum.runtime.disk.kernel_sync import KernelSync
from metaquorum.runtime.disk.lane_states import LaneState, check_transition
from metaquorum.runtime.disk.pace import DiskPace, WriteBurst, waited_s
from metaquorum.runtime.loop.poller import Poller, TaskPoller

Args = TypeVarTuple("Args")
R = TypeVar("R")


class Journal(Protocol):
    """What the lane needs of storage. A ticket that is returned is the last effect's."""

    def execute(self, effects: Sequence[DiskEffect]) -> Ticket:
        """Do these in order; returns once all are durable."""

    def write(self, effects: Sequence[DiskEffect]) -> int | None:
        """Do these but for the sync of one file, and return its descriptor.

        None, with nothing done, if more than an append to one file is to be done.
        """

    def synced(self, seconds: float, failed: OSError | None) -> Ticket:
        """The sync that ``write`` left took so long. A failure is raised."""

    @property
    def is_preallocated(self) -> bool:
        """Whether space is preallocated behind the end that has to be given back."""

    def grows_fast(self, is_so: bool) -> None:
        """Whether more appends are expected soon, so that space is to be preallocated."""

    def release_preallocation(self) -> Ticket:
        """Cut the file at its end."""

    def check_place(self) -> Ticket:
        """Fails when the directory is not the one that was opened (decision 198)."""


class RunInThread(Protocol):
    """Runs a blocking call in a thread, as ``trio.to_thread.run_sync`` does."""

    async def __call__(
        self, work: Callable[[*Args], R], /, *args: *Args, limiter: trio.CapacityLimiter
    ) -> R:
        """What ``work`` returns; ``limiter`` says how many may run at once."""


_AT_REST = {LaneState.IDLE, LaneState.REPORTING}


@define(eq=False)
class LogLane:
    """Feeds a journal from the event loop and reports what became durable.

    ``on_durable(ticket)`` and ``on_failed(ticket, why)`` are called on the loop's thread. A
    failure ends the lane: a failed sync is never tried again, because the kernel may already have
    dropped the pages that it could not write.

    There are three ways to write and sync a batch, and ``_start`` chooses (decision 208):

    - **a thread** (``run_in_thread``) for whatever may take long: always without ``fast_syncs``,
      and while the disk is slow (``pace``). A check of the directory and a give-back always go
      there;
    - **the loop** while the disk is fast and a request to a peer waits for this ticket
      (``sends_at``): a follower, which has nothing better to do than to fetch again;
    - **the kernel** while the disk is fast and nobody waits so: a leader, which takes further
      commands meanwhile. The loop writes, and Linux's AIO syncs (``kernel_sync``). Only appends
      to the last segment; the thread does anything else, and all where there is no AIO.

    While the log grows fast (``burst``) the journal preallocates, and ``tidy`` gives that back
    after a pause, when ``tidy_at_ms`` has come (decision 191). ``clock`` gives the seconds in which
    the calling thread waited, so that what the loop computes does not count as the disk's time.
    """

    journal: Journal
    on_durable: Callable[[Ticket], None]
    on_failed: Callable[[Ticket, str], None]
    now_ms: Callable[[], Millis] = field(default=lambda: int(trio.current_time() * 1_000))
    run_in_thread: RunInThread = field(default=trio.to_thread.run_sync)
    fast_syncs: bool = False
    poller: Poller = field(factory=TaskPoller)
    sends_at: Callable[[Ticket], bool] = field(default=lambda ticket: False)
    clock: Callable[[], float] = field(default=waited_s)
    pace: DiskPace = field(factory=DiskPace)
    burst: WriteBurst = field(factory=WriteBurst)
    draining_since_ms: Millis | None = None
    drains: int = 0
    effects_done: int = 0
    state: LaneState = field(default=LaneState.NEW, init=False)
    _queue: deque[DiskEffect] = field(factory=deque)
    _batch: list[DiskEffect] = field(factory=list)
    _job: Callable[[], Ticket] | None = None
    _job_is_there: trio.Event = field(factory=trio.Event)
    _kernel: KernelSync | None = None
    _began_s: float = 0.0
    _ended: trio.Event = field(factory=trio.Event)
    _check_due: bool = False
    _last_ticket: Ticket = 0

    # --- what the driver asks --------------------------------------------------------------

    def submit(self, effect: DiskEffect) -> None:
        """Queue one disk effect; tickets must come in order. ``begin`` has to follow."""
        if effect.ticket <= self._last_ticket:
            raise InvariantViolated(f"ticket {effect.ticket} came after {self._last_ticket}")
        self._last_ticket = effect.ticket
        self._queue.append(effect)

    def begin(self) -> None:
        """Start on what is queued, unless the disk is at work: then it follows by itself.

        No task does this, as it would have to be woken for it.
        """
        if self.state is LaneState.IDLE and self._queue:
            self._go_on()

    def check_soon(self) -> None:
        """Have the directory checked, before the next write or at once if there is none.

        Never on the loop: the directory may be on a disk that does not answer.
        """
        self._check_due = True
        if self.state is LaneState.IDLE and not self._queue:
            self._check_due = False
            self._by_thread(self.journal.check_place)

    async def keep_checking(self, every_ms: Millis) -> None:
        """Check the directory so often; ends by cancellation."""
        while True:
            await trio.sleep(every_ms / 1_000)
            self.check_soon()

    @property
    def tidy_at_ms(self) -> Millis:
        """When ``tidy`` is to be called, if nothing more is written."""
        if self.state not in _AT_REST or not self.journal.is_preallocated:
            return NEVER
        return self.burst.ends_ms

    def tidy(self) -> None:
        """Give back preallocated space; nothing while the disk is at work."""
        if self.state is LaneState.IDLE:
            self._by_thread(self.journal.release_preallocation)

    async def run(self) -> None:
        """Write and report until ``close`` or until the disk fails."""
        if self.fast_syncs:
            self._kernel = KernelSync.found()
        try:
            async with trio.open_nursery() as nursery:
                if self._kernel is not None:
                    nursery.start_soon(
                        self.poller.watch_fd, self._kernel.counter, self._kernel_ended
                    )
                if self.state is LaneState.NEW:
                    self._enter(LaneState.IDLE)
                    self.begin()
                else:
                    self._go_on()
                await self._run_jobs()
                nursery.cancel_scope.cancel()
        finally:
            if self.state is not LaneState.ENDED:
                self._end()
            if self._kernel is not None:
                self._kernel.close()

    async def close(self) -> None:
        """Let everything queued reach the disk, then end ``run``."""
        if self.state is LaneState.IDLE:
            self._by_thread(_nothing, LaneState.CLOSING)
        elif self.state in (LaneState.NEW, LaneState.BUSY):
            self._enter(LaneState.CLOSING)
        await self._ended.wait()

    def statistics(self) -> dict[str, int]:
        """Batches, effects and what is queued now, for the metrics."""
        return {
            "queued": len(self._queue),
            "drains": self.drains,
            "effects": self.effects_done,
            "last_ticket": self._last_ticket,
        }

    # --- one batch -------------------------------------------------------------------------

    def _go_on(self) -> None:
        """Start on what is queued; again and again for as long as the loop syncs."""
        while self._queue:
            batch = self._batch = self._next_batch()
            self.draining_since_ms = now = self.now_ms()
            self.burst.wrote(now)
            self.journal.grows_fast(self.burst.is_on)
            if self.state in _AT_REST:
                self._enter(LaneState.BUSY)
            if not self._start(batch):
                return
        if self.state is LaneState.CLOSING:
            self._end()
        elif self.state is LaneState.REPORTING:
            self._enter(LaneState.IDLE)

    def _start(self, batch: list[DiskEffect]) -> bool:
        """Write the batch by one of the three ways; True if it is durable and reported."""
        check, self._check_due = self._check_due, False
        if self.fast_syncs and self.pace.is_quick and not check:
            if self.sends_at(batch[-1].ticket):
                return self._on_loop(batch)
            if self._kernel is not None:
                synced = self._by_kernel(batch, self._kernel)
                if synced is not None:
                    return synced
        self._job_for_thread(partial(self._write, batch, check=check))
        return False

    def _on_loop(self, batch: list[DiskEffect]) -> bool:
        try:
            ticket = self._write(batch)
        except BaseException as error:
            self._job_for_thread(partial(_raise, error))  # it is ``run`` that fails, no caller
            return False
        self._report(ticket)
        return True

    def _by_kernel(self, batch: list[DiskEffect], kernel: KernelSync) -> bool | None:
        """None, and nothing is done, if it is more than an append to the last segment."""
        self._began_s = self.clock()
        try:
            descriptor = self.journal.write(batch)
            if descriptor is None:
                return None
            if kernel.begin(descriptor):
                return False
            os.fdatasync(descriptor)
            ticket = self._synced(None)
        except BaseException as error:
            self._job_for_thread(partial(_raise, error))
            return False
        self._report(ticket)
        return True

    def _by_thread(self, job: Callable[[], Ticket], state: LaneState = LaneState.BUSY) -> None:
        self._batch = []
        self.draining_since_ms = self.now_ms()
        self._enter(state)
        self._job_for_thread(job)

    def _job_for_thread(self, job: Callable[[], Ticket]) -> None:
        self._job = job
        self._job_is_there.set()

    def _write(self, batch: list[DiskEffect], check: bool = False) -> Ticket:
        if check:
            self.journal.check_place()
        began = self.clock()
        ticket = self.journal.execute(batch)
        self.pace.took(self.clock() - began)
        return ticket

    def _synced(self, failed: OSError | None) -> Ticket:
        seconds = self.clock() - self._began_s
        self.pace.took(seconds)
        return self.journal.synced(seconds, failed)

    def _next_batch(self) -> list[DiskEffect]:
        """All that is queued, up to where appends end and a vote begins, or the reverse.

        The two are different files and cost a sync each in any case; so a request that waits for
        the vote need not wait for the log behind it as well.
        """
        of_vote = isinstance(self._queue[0], SaveElection)
        batch = [self._queue.popleft()]
        while self._queue and isinstance(self._queue[0], SaveElection) == of_vote:
            batch.append(self._queue.popleft())
        return batch

    # --- what came of it -------------------------------------------------------------------

    def _kernel_ended(self) -> bool:
        """Called when the kernel's counter can be read; False when the lane has ended."""
        kernel = self._kernel
        assert kernel is not None
        failed: OSError | None = None
        try:
            if not kernel.has_ended():
                return True
        except OSError as error:
            failed = error
        try:
            ticket = self._synced(failed)
        except OSError as error:
            self._fail(error)
        else:
            self._report(ticket)
            self._go_on()
        return self.state is not LaneState.ENDED

    async def _run_jobs(self) -> None:
        """Have done in a thread what is left to one, until the lane has ended."""
        limiter = trio.CapacityLimiter(1)
        while self.state is not LaneState.ENDED:
            await self._job_is_there.wait()
            self._job_is_there = trio.Event()
            job, self._job = self._job, None
            if job is None:
                continue
            try:
                ticket = await self.run_in_thread(job, limiter=limiter)
            except OSError as error:
                self._fail(error)
            else:
                self._report(ticket)
                self._go_on()

    def _report(self, ticket: Ticket) -> None:
        self.draining_since_ms = None
        if self.state is LaneState.BUSY:
            self._enter(LaneState.REPORTING)
        done, self._batch = self._batch, []
        if done:
            self.drains += 1
            self.effects_done += len(done)
            self.on_durable(ticket)

    def _fail(self, error: OSError) -> None:
        first = self._batch[0].ticket if self._batch else self._last_ticket
        self._end()
        self.on_failed(first, f"{type(error).__name__}: {error}")

    def _end(self) -> None:
        self.draining_since_ms = None
        self._enter(LaneState.ENDED)
        self._job_is_there.set()
        self._ended.set()

    def _enter(self, state: LaneState) -> None:
        check_transition(self.state, state)
        self.state = state


def _raise(error: BaseException) -> Ticket:
    raise error


def _nothing() -> Ticket:
    """What an idle lane does that is to end."""
    return 0
