"""Latencies and rates of the quorum, kept as Kafka's raft-metrics keep them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TypedDict

from attrs import define, field

from metaquorum.base.clock import Clock, Millis
from metaquorum.base.offsets import Offset
from metaquorum.controller.events import Event
from metaquorum.observe.windows import Distribution, Window

ELECTING = frozenset({"Prospective", "Candidate"})
SETTLED = frozenset({"Leader", "Follower"})


class DriverStatistics(TypedDict):
    """What ``Driver.statistics`` counts."""

    inbox: dict[str, int]
    gate: dict[str, int]
    open_answers: int
    open_replies: int
    tail_bytes: int


@define(eq=False)
class Measures:
    """Windows that the driver feeds while it carries out effects; times in milliseconds.

    Commit latency: from a batch's append on the leader to the high watermark past it. Election
    latency: from the first step of an election to a leader or a follower. Busy: the time spent
    on the cores; the rest is what ``idle_ratio`` tells. ``replay_s`` is what it took so far to
    replay a batch that is not over. The distributions are histograms of
    applying a batch, of how far and after what time the high watermark advanced, and of how long
    controller events waited and took.
    """

    commit_latency: Window = field(factory=Window)
    election_latency: Window = field(factory=Window)
    appended_records: Window = field(factory=Window)
    fetched_records: Window = field(factory=Window)
    busy: Window = field(factory=Window)
    apply_ms: Distribution = field(factory=Distribution)
    advance_offsets: Distribution = field(factory=Distribution)
    advance_ms: Distribution = field(factory=Distribution)
    event_wait_ms: Distribution = field(factory=Distribution)
    event_ms: Distribution = field(factory=Distribution)
    replay_s: float = 0.0
    role: str = ""
    _high_watermark: Offset | None = None
    _uncommitted: deque[tuple[Offset, Millis]] = field(factory=deque)
    _election_began: Millis | None = None

    def waiting(
        self, step: Callable[[Event], None], clock: Clock, *, waits: bool
    ) -> Callable[[Event], None]:
        """``step``, which tells how long a command waited for it; nothing unless it ``waits``."""
        if not waits:
            self.event_wait_ms.record(0)
            return step
        since_ms = clock.now_ms()

        def waited(event: Event) -> None:
            self.event_wait_ms.record(clock.now_ms() - since_ms)
            step(event)

        return waited

    def appended(self, next_offset: Offset, records: int, *, leading: bool, now: Millis) -> None:
        """A batch that ends below ``next_offset`` was accepted."""
        if leading:
            self.appended_records.record(records, now)
            self._uncommitted.append((next_offset, now))
        else:
            self.fetched_records.record(records, now)

    def committed(self, high_watermark: Offset, now: Millis) -> None:
        """Everything below the high watermark is committed."""
        if self._high_watermark is not None:
            self.advance_offsets.record(high_watermark - self._high_watermark)
        self._high_watermark = high_watermark
        while self._uncommitted and self._uncommitted[0][0] <= high_watermark:
            took = now - self._uncommitted.popleft()[1]
            self.commit_latency.record(took, now)
            self.advance_ms.record(took)

    def replayed(self) -> None:
        """A batch became part of the state, in ``replay_s``."""
        self.apply_ms.record(self.replay_s * 1_000)
        self.replay_s = 0.0

    def role_is(self, role: str, now: Millis) -> None:
        """The replica's role after a step."""
        if role == self.role:
            return
        self.role = role
        if role in ELECTING:
            if self._election_began is None:
                self._election_began = now
        elif self._election_began is not None:
            if role in SETTLED:
                self.election_latency.record(now - self._election_began, now)
            self._election_began = None
        if role != "Leader":
            self._uncommitted.clear()

    def idle_ratio(self, now: Millis) -> float:
        """The share of time, 0 to 1, in which nobody was busy with the cores."""
        return max(0.0, 1 - self.busy.rate(now) / 1000)
