"""The log lane of a simulated disk: one drain at a time, each takes a while."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any

from attrs import define, field

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.errors import InvariantViolated
from metaquorum.runtime.disk.log_lane import Journal
from metaquorum.testing.sim.disk import PowerLost, SimDisk

LATER = 3
"""One drain in so many is executed at its end, so that a crash can find it half done."""


@define(eq=False)
class SimLane:
    """Stands in the place of ``runtime.log_lane.LogLane``: the same order, virtual time.

    ``after(delay_us, act)`` does something later in this life of the node. ``on_disk`` is called
    with the effects that are durable, before the node is; ``begun`` of those that a crash
    interrupts. ``queue`` is what was submitted and not begun.
    """

    journal: Journal
    disk: SimDisk
    random: Random
    on_durable: Callable[[int], None]
    on_failed: Callable[[int, str], None]
    on_disk: Callable[[list[Any]], None]
    begun: Callable[[list[Any]], None]
    after: Callable[[int, Callable[[], None]], None]
    latency_us: Callable[[], int]
    draining_since_ms: int | None = None
    tidy_at_ms: Millis = NEVER
    queue: deque[Any] = field(factory=deque)
    _drain: list[Any] = field(factory=list)
    _executed: bool = False
    _last_ticket: int = 0

    def submit(self, effect: Any) -> None:
        """Queue one disk effect; tickets must come in order."""
        if effect.ticket <= self._last_ticket:
            raise InvariantViolated(f"ticket {effect.ticket} came after {self._last_ticket}")
        self._last_ticket = effect.ticket
        self.queue.append(effect)

    def begin(self) -> None:
        """The step is over: whatever it submitted is one drain, if none is under way."""
        if self._drain or not self.queue:
            return
        self._drain = [*self.queue]
        self.queue.clear()
        self._executed = False
        if self.random.randrange(LATER) and not self._execute():
            return
        self.after(self.latency_us(), self._end)

    def tidy(self) -> None:
        """Nothing is preallocated here: the crashes of ``tests/storage`` are about that."""

    def _execute(self) -> bool:
        """Do everything of this drain; False when the disk failed."""
        drain = self._drain
        try:
            self.journal.execute(drain)
        except OSError as error:
            self.queue.clear()
            self.on_failed(drain[0].ticket, f"{type(error).__name__}: {error}")
            return False
        self._executed = True
        self.on_disk(drain)
        return True

    def _end(self) -> None:
        if not self._executed and not self._execute():
            return
        ticket = self._drain[-1].ticket
        self._drain = []
        self.on_durable(ticket)

    def lose_power(self) -> None:
        """The node goes down: what was being written is done as far as it came."""
        if not self._drain or self._executed:
            return  # what was submitted in the step that failed was never begun
        self.begun(self._drain)
        self.disk.power_left = self.random.randrange(12)
        try:
            self.journal.execute(self._drain)
        except PowerLost:
            return
        except (OSError, InvariantViolated):
            return
        self.on_disk(self._drain)

    def statistics(self) -> dict[str, int]:
        """As the real lane tells it, for the metrics."""
        return {"queued": len(self.queue), "last_ticket": self._last_ticket}
