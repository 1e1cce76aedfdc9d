"""Waiting for descriptors and for timers by callback: no task is woken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import trio

from metaquorum.base.clock import Millis
from metaquorum.runtime.loop.timer import Timer

OnReadable = Callable[[], bool]
"""Looks after a descriptor that can be read; False when it is to be watched no longer."""


class Poller(Protocol):
    """Waits for everybody who gives it something to wait for."""

    async def run(self) -> None:
        """What it has to do itself; ends by cancellation."""

    async def watch_fd(self, descriptor: int, on_readable: OnReadable) -> None:
        """Call ``on_readable`` whenever the descriptor can be read, until it returns False.

        What it raises is raised here. The descriptor has to stay open for as long.
        """

    async def watch_timer(self, timer: Timer) -> None:
        """Fire the timer whenever its time has come; what that raises is raised here."""


class TaskPoller:
    """Each of them waits in a task of its own, by trio's means: what works everywhere."""

    async def run(self) -> None:
        """Nothing: those who wait do it all."""

    async def watch_fd(self, descriptor: int, on_readable: OnReadable) -> None:
        """As of ``Poller``."""
        going_on = True
        while going_on:
            await trio.lowlevel.wait_readable(descriptor)
            going_on = on_readable()

    async def watch_timer(self, timer: Timer) -> None:
        """As of ``Poller``."""
        try:
            while True:
                with trio.CancelScope(deadline=_after(timer.at_ms)) as rest:

                    def sooner(at_ms: Millis, rest: trio.CancelScope = rest) -> None:
                        rest.deadline = _after(at_ms)

                    timer.on_sooner = sooner
                    await trio.sleep_forever()
                timer.on_sooner = None
                timer.fire()
                timer.reschedule()
        finally:
            timer.on_sooner = None


def _after(at_ms: Millis) -> float:
    """A fifth of a millisecond later, so that rounding never wakes anybody just before it."""
    return at_ms / 1_000 + 0.0002
