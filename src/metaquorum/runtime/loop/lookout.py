"""Waiting for descriptors and for alarms: whoever waits is called, and not woken as a task."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import trio

from metaquorum.base.clock import Millis
from metaquorum.runtime.loop.alarm import Alarm

Hear = Callable[[], bool]
"""Looks after a descriptor that can be read; False when nothing more is to be heard of it."""


class Lookout(Protocol):
    """Waits for everybody who gives it something to wait for."""

    async def run(self) -> None:
        """What it has to do itself; ends by cancellation."""

    async def heed(self, descriptor: int, hear: Hear) -> None:
        """Call ``hear`` whenever the descriptor can be read, until it returns False.

        What it raises is raised here. The descriptor has to stay open for as long.
        """

    async def keep(self, alarm: Alarm) -> None:
        """Ring the alarm whenever its time has come; what that raises is raised here."""


class WaitingTasks:
    """Each of them waits in a task of its own, by trio's means: what works everywhere."""

    async def run(self) -> None:
        """Nothing: those who wait do it all."""

    async def heed(self, descriptor: int, hear: Hear) -> None:
        """As of ``Lookout``."""
        going_on = True
        while going_on:
            await trio.lowlevel.wait_readable(descriptor)
            going_on = hear()

    async def keep(self, alarm: Alarm) -> None:
        """As of ``Lookout``."""
        try:
            while True:
                with trio.CancelScope(deadline=_after(alarm.at_ms)) as rest:

                    def sooner(at_ms: Millis, rest: trio.CancelScope = rest) -> None:
                        rest.deadline = _after(at_ms)

                    alarm.on_sooner = sooner
                    await trio.sleep_forever()
                alarm.on_sooner = None
                alarm.ring()
                alarm.moved()
        finally:
            alarm.on_sooner = None


def _after(at_ms: Millis) -> float:
    """A fifth of a millisecond later, so that rounding never wakes anybody just before it."""
    return at_ms / 1_000 + 0.0002
