"""A host for one controller: a log in memory, and hands on the watermark and the clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from attrs import define, field

from metaquorum.base.clock import NEVER
from metaquorum.controller.commands import Command
from metaquorum.controller.config import ControllerConfig
from metaquorum.controller.core import ControllerCore
from metaquorum.controller.effects import Effect, Reply
from metaquorum.controller.events import (
    BatchCommitted,
    BecameActive,
    BecameInactive,
    CommandArrived,
    Event,
    HighWatermark,
    TimePassed,
)
from metaquorum.controller.log import Placed, Refused
from metaquorum.records.metadata_record import MetadataRecord
from tests.unit.controller.brokers_of_host import bootstrap

Batch = tuple[int, int, Sequence[MetadataRecord]]


@define
class Host:
    """Is the log too that the core appends to, and keeps what was replied."""

    core: ControllerCore
    epoch: int = 0
    end: int = 0
    high_watermark: int = 0
    now: int = 0
    refuse_with: int | None = None
    log: list[Batch] = field(factory=list)
    replies: dict[object, object] = field(factory=dict)
    other_effects: list[Effect] = field(factory=list)
    asked: int = 0

    def step(self, event: Event) -> None:
        for effect in self.core.step(event, self.now, 1_000_000 + self.now, self):
            if isinstance(effect, Reply):
                assert effect.id not in self.replies, "one command, one reply"
                self.replies[effect.id] = effect.response
            else:
                self.other_effects.append(effect)

    def lead(self) -> None:
        """Win an election: a control record comes first, and is committed at once."""
        self.feed()
        self.epoch += 1
        self.end += 1
        self.high_watermark = self.end
        self.step(BecameActive(self.epoch, self.end))

    def follow(self, keep: int | None = None) -> None:
        """Lose the leadership; of what was not committed, ``keep`` batches survive elsewhere."""
        self.step(BecameInactive(self.epoch, None))
        cut = [batch for batch in self.log if batch[0] >= self.high_watermark][keep or 0 :]
        self.log = [batch for batch in self.log if batch not in cut]
        self.end = max([self.high_watermark, *(base + len(r) for base, _, r in self.log)])
        self.high_watermark = self.end
        self.feed()

    def feed(self) -> None:
        """Tell a standby of every committed batch that it has not seen."""
        for base, epoch, records in self.log:
            fresh = records[max(self.core.next_offset - base, 0) :]
            if fresh and base + len(records) <= self.high_watermark:
                first = base + len(records) - len(fresh)
                self.step(BatchCommitted(first, epoch, 1_000_000, fresh))

    def commit(self, to: int | None = None) -> None:
        self.high_watermark = self.end if to is None else to
        self.step(HighWatermark(self.high_watermark))

    def ask(self, command: Command, deadline_ms: int = NEVER) -> int:
        self.asked += 1
        self.step(CommandArrived(self.asked, command, deadline_ms))
        return self.asked

    def wait(self, milliseconds: int) -> None:
        """Let time pass, waking the core whenever it asked to be."""
        until = self.now + milliseconds
        while self.core.deadline <= until:
            self.now = self.core.deadline
            self.step(TimePassed())
        self.now = until

    def written(self) -> list[str]:
        """The names of all records in the log."""
        return [type(r.message).__name__ for _, _, records in self.log for r in records]

    @property
    def next_offset(self) -> int:
        return self.end

    def append(
        self, records: Sequence[MetadataRecord], epoch: int, *, atomic: bool, timestamp_ms: int
    ) -> Placed | Refused:
        if self.refuse_with is not None:
            return Refused(self.refuse_with)
        base = self.end
        self.log.append((base, epoch, records))
        self.end = base + len(records)
        return Placed(base, epoch)


@pytest.fixture
def make_host() -> Callable[..., Host]:
    """A controller with its host; bootstrap records and configuration as given.

    Elections that nobody asks for are held only where a test sets their intervals.
    """

    def make(bootstrap: Sequence[MetadataRecord] = (), **settings: int) -> Host:
        given: dict[str, Any] = {
            "leader_rebalance_enable": False,
            "unclean_leader_election_interval_ms": NEVER,
        }
        config = ControllerConfig(node_id=1, **(given | settings))
        return Host(ControllerCore(config, bootstrap))

    return make


@pytest.fixture
def host(make_host: Callable[..., Host]) -> Host:
    """The active controller of a cluster that brokers may join; its first records are committed."""
    host = make_host(bootstrap(), max_idle_interval_ms=0)
    host.lead()
    host.commit()
    return host
