"""One wait for everything a node's commits wait for, trio's own loop included.

A commit of three nodes is some ten wake-ups, and a wake-up by trio is two system calls and a turn
of its scheduler for a task that does a few calls and waits again. Here one task waits for all of
them, and calls them: it holds the thread, in an epoll of its own, for as long as no task of trio's
has anything to do. trio's descriptor is one of those that it waits for, and trio's next deadline
ends the wait; so trio's tasks are late for nothing. See docs/decisions/175.

A timer's call may take milliseconds, and the next one be due at once: a change in turns is driven
so. It gives way to tasks that can go on, for TICKS_BEFORE_TIMERS ticks of trio's at most. Otherwise
the end of a thread, which takes three of them until its task goes on, would come three turns late,
and every commit with it (docs/decisions/273).

This needs two facts about trio's loop that trio does not tell: ``TriosLoop`` has them.
"""

from __future__ import annotations

import select
import sys
from collections.abc import Callable
from typing import Final

import trio
from attrs import define, field, frozen

from metaquorum.base.limits import TICKS_BEFORE_TIMERS
from metaquorum.runtime.loop.poller import OnReadable, Poller, TaskPoller
from metaquorum.runtime.loop.timer import Timer

_IN: Final = getattr(select, "EPOLLIN", 1)
_LONGEST_S: Final = 3_600.0


@frozen
class TriosLoop:
    """What has to be known of the run of trio that this thread is in."""

    descriptor: int
    """Its epoll: it can be read when a task of trio's is to be woken by a descriptor, a thread or a
    signal."""
    next_deadline: Callable[[], float]
    """When the next of its tasks is to be woken by the clock; ``inf`` if none is."""
    time: Callable[[], float]

    @classmethod
    def here(cls) -> TriosLoop | None:
        """None where trio waits by other means, or keeps another time than the machine's."""
        try:
            from trio._core._run import GLOBAL_RUN_CONTEXT, SystemClock

            runner = GLOBAL_RUN_CONTEXT.runner
            if not isinstance(runner.clock, SystemClock):
                return None
            return cls(
                runner.io_manager._epoll.fileno(),
                runner.deadlines.next_deadline,
                runner.clock.current_time,
            )
        except (ImportError, AttributeError):  # another release of trio keeps it elsewhere
            return None


class _Runnable(trio.abc.Instrument):
    """The tasks of trio's that can go on and have not had their turn yet."""

    def __init__(self) -> None:
        self.tasks: set[trio.lowlevel.Task] = set()

    def task_scheduled(self, task: trio.lowlevel.Task) -> None:
        self.tasks.add(task)

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        self.tasks.discard(task)


@define(eq=False)
class _Waiting:
    """One watched descriptor or timer: over when ``call`` says False or raises."""

    call: Callable[[], bool]
    over: trio.Event = field(factory=trio.Event)
    error: BaseException | None = None

    def __call__(self) -> None:
        if self.over.is_set():
            return
        try:
            if not self.call():
                self.over.set()
        except BaseException as error:  # raised again where the wait is
            self.error = error
            self.over.set()

    async def end(self) -> None:
        await self.over.wait()
        if self.error is not None:
            raise self.error


@define(eq=False)
class SharedPoller:
    """The poller of a process that is one node: at most one may run in a run of trio.

    Watches that are added after ``run`` has ended never fire.
    """

    loop: TriosLoop
    _poll: select.epoll
    trio_steps: int = 0
    _ticks_given: int = 0  # in a row, in which timers that were due gave way
    _watched_fds: dict[int, _Waiting] = field(factory=dict)
    _kept: list[tuple[Timer, _Waiting]] = field(factory=list)

    async def run(self) -> None:
        """Hold the thread whenever no task of trio's has anything to do."""
        runnable = _Runnable()
        trio.lowlevel.add_instrument(runnable)
        self._poll.register(self.loop.descriptor, _IN)
        try:
            # Who was runnable before anybody counted has had a turn after two of ours.
            await trio.lowlevel.checkpoint()
            while True:
                await trio.lowlevel.checkpoint()
                self.trio_steps += 1
                self._hold(runnable.tasks)
        finally:
            trio.lowlevel.remove_instrument(runnable)
            self._poll.unregister(self.loop.descriptor)

    async def watch_fd(self, descriptor: int, on_readable: OnReadable) -> None:
        """As of ``Poller``."""
        waiting = self._watched_fds[descriptor] = _Waiting(on_readable)
        self._poll.register(descriptor, _IN)
        try:
            await waiting.end()
        finally:
            del self._watched_fds[descriptor]
            self._poll.unregister(descriptor)

    async def watch_timer(self, timer: Timer) -> None:
        """As of ``Poller``."""

        def rung() -> bool:
            timer.fire()
            timer.reschedule()
            return True

        entry = timer, _Waiting(rung)
        self._kept.append(entry)
        try:
            await entry[1].end()
        finally:
            self._kept.remove(entry)

    def _hold(self, others: set[trio.lowlevel.Task]) -> None:
        """Wait, and make the calls that are due, until a task of trio's can go on."""
        loop, watched_fds = self.loop, self._watched_fds
        trio_has_work = False
        while not trio_has_work:
            now = loop.time()
            until = loop.next_deadline()
            trio_has_work = until <= now
            gives_way = bool(others) and self._ticks_given < TICKS_BEFORE_TIMERS
            self._ticks_given = self._ticks_given + 1 if gives_way else 0
            for timer, fire in tuple(self._kept):
                if timer.at_ms <= int(now * 1_000) and not gives_way:
                    fire()
                until = min(until, timer.at_ms / 1_000)
            trio_has_work = trio_has_work or bool(others)
            rest_s = 0.0 if trio_has_work else max(0.0, min(until - now, _LONGEST_S))
            for descriptor, _ in self._poll.poll(rest_s):
                call = watched_fds.get(descriptor)
                if call is not None:
                    call()
                else:
                    trio_has_work = trio_has_work or descriptor == loop.descriptor
            trio_has_work = trio_has_work or bool(others)


def poller_of_process() -> Poller:
    """For a process that is one node, in its run of trio: one wait, or else a task for each."""
    loop = TriosLoop.here() if sys.platform == "linux" else None
    return TaskPoller() if loop is None else SharedPoller(loop, select.epoll())
