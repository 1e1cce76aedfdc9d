"""The clocks of one node: they drift, and the wall clock jumps."""

from __future__ import annotations

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.testing.simulator.heap import Agenda

WALL_START_MS = 1_750_000_000_000
PARTS = 1_000_000


@define(eq=False)
class NodeClock:
    """A clock that runs ``rate_ppm`` millionths of a second a second.

    ``agenda`` knows the time of the simulation.
    """

    agenda: Agenda
    rate_ppm: int = PARTS
    wall_jump_ms: Millis = 0
    _since_us: int = 0
    _local_us: int = field(default=1_000_000_000)
    _ahead_us: int = field(default=1_000_000_000)

    def local_us(self) -> int:
        """This node's monotonic time in microseconds."""
        return self._local_us + (self.agenda.now_us - self._since_us) * self.rate_ppm // PARTS

    def now_ms(self) -> Millis:
        """Milliseconds since an unknown start; only ever more."""
        if self.rate_ppm == PARTS:
            return (self.agenda.now_us + self._ahead_us) // 1_000
        since_us = (self.agenda.now_us - self._since_us) * self.rate_ppm // PARTS
        return (self._local_us + since_us) // 1_000

    def wall_ms(self) -> Millis:
        """Milliseconds since 1970, as this node believes."""
        return WALL_START_MS + self.now_ms() + self.wall_jump_ms

    def set_rate(self, rate_ppm: int) -> None:
        """Run faster or slower from now on."""
        self._local_us, self._since_us = self.local_us(), self.agenda.now_us
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
