"""The clocks of one node: they drift, and the wall clock jumps."""

from __future__ import annotations

from typing import Protocol

import trio
from attrs import define, field

from metaquorum.base.clock import Millis

WALL_START_MS = 1_750_000_000_000
PARTS = 1_000_000


class Time(Protocol):
    """The time of the simulation, which no node sees."""

    @property
    def now_us(self) -> int:
        """Microseconds since it began."""


class TrioTime:
    """The virtual time of a ``trio.run``."""

    @property
    def now_us(self) -> int:
        """Microseconds since it began."""
        return int(trio.current_time() * 1_000_000)


@define(eq=False)
class NodeClock:
    """A clock that runs ``rate_ppm`` millionths of a second a second.

    ``time`` is that of the simulation, which begins when this clock shows ``start_us``.
    """

    time: Time
    rate_ppm: int = PARTS
    wall_jump_ms: Millis = 0
    start_us: int = 1_000_000_000
    _since_us: int = 0
    _local_us: int = field(init=False)
    _ahead_us: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._local_us = self._ahead_us = self.start_us

    def local_us(self) -> int:
        """This node's monotonic time in microseconds."""
        return self._local_us + (self.time.now_us - self._since_us) * self.rate_ppm // PARTS

    def now_ms(self) -> Millis:
        """Milliseconds since an unknown start; only ever more."""
        if self.rate_ppm == PARTS:
            return (self.time.now_us + self._ahead_us) // 1_000
        since_us = (self.time.now_us - self._since_us) * self.rate_ppm // PARTS
        return (self._local_us + since_us) // 1_000

    def wall_ms(self) -> Millis:
        """Milliseconds since 1970, as this node believes."""
        return WALL_START_MS + self.now_ms() + self.wall_jump_ms

    def set_rate(self, rate_ppm: int) -> None:
        """Run faster or slower from now on."""
        self._local_us, self._since_us = self.local_us(), self.time.now_us
        self._ahead_us = self._local_us - self._since_us
        self.rate_ppm = rate_ppm

    def true_us_at(self, due_ms: Millis) -> int:
        """When this clock will show ``due_ms``; rounded up, so that nobody wakes too early."""
        if self.rate_ppm == PARTS:
            due_us = due_ms * 1_000 - self._ahead_us
            return due_us if due_us > self._since_us else self._since_us
        left_us = due_ms * 1_000 - self._local_us
        if left_us <= 0:
            return self._since_us
        return self._since_us - (-left_us * PARTS // self.rate_ppm)
