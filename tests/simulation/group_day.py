"""A day of consumer groups in virtual time: members that come, go, hang and die; fail-overs; loss.

The coordinators are the node's own core, three of them over one log. What is not committed is lost
with the leader, as are requests and replies now and then. Whatever a group reads is written down
record by record, so that one left out, or read again without need, is known at sight.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from heapq import heappop, heappush
from random import Random
from typing import Any

from attrs import define, field, frozen

from metaquorum.base.errors import RequestError
from metaquorum.controller.effects import Effect, Reply
from metaquorum.controller.events import (
    BatchCommitted,
    BecameActive,
    BecameInactive,
    CommandArrived,
    HighWatermark,
    TimePassed,
)
from metaquorum.controller.log import Placed, Refused
from metaquorum.groups.config import GroupConfig
from metaquorum.groups.core import GroupCore

WALL_MS = 1_700_000_000_000
NODES = 3
LOSS = 0.01
LOST = object()
"""What a member hears in the end of a request that got no answer."""
REQUEST_TIMEOUT_MS = 400_000
"""Longer than any round takes: a JoinGroup is answered when all have joined."""


class Wrong(AssertionError):
    """A group read what it had no need to, or left something out."""


@frozen
class Ask:
    """A member's next step: a request, of which it hears the reply, an error code, or LOST."""

    command: Any
    timeout_ms: int = 5_000


@frozen
class Pause:
    """A member's next step: nothing, for a while."""

    for_ms: int


Life = Generator[Ask | Pause, Any, None]


@define(eq=False)
class Coordinators:
    """Three cores over one log; at most one of them leads."""

    day: Day
    cores: list[GroupCore] = field(init=False)
    leader: int | None = None
    epoch: int = 0
    end: int = 0
    high_watermark: int = 0
    log: list[tuple[int, int, int, tuple[Any, ...]]] = field(factory=list)
    _heard: dict[int, Callable[[Any], None]] = field(factory=dict)
    _asked: int = 0

    def __attrs_post_init__(self) -> None:
        draw = Random(self.day.seed).randbytes
        config = GroupConfig()
        self.cores = [GroupCore(config, lambda: draw(16)) for _ in range(NODES)]

    @property
    def deadline(self) -> float:
        return float("inf") if self.leader is None else self.cores[self.leader].deadline

    def pass_time(self) -> None:
        if self.leader is not None and self.deadline <= self.day.now:
            self.step(self.leader, TimePassed())

    def elect(self, node: int) -> None:
        """Everything committed is known to it before it leads."""
        self.feed(node)
        self.epoch += 1
        self.end += 1  # the record that opens an epoch
        self.high_watermark = self.end
        self.leader = node
        self.step(node, BecameActive(self.epoch, self.end))

    def depose(self) -> None:
        """The leader is gone, and with it what was not committed and all replies that it owed."""
        if self.leader is None:
            return
        node, self.leader = self.leader, None
        self.log = [batch for batch in self.log if batch[0] < self.high_watermark]
        self.end = self.high_watermark
        owed, self._heard = self._heard, {}
        if self.day.chance.random() < 0.5:
            self._heard = owed  # it lives, and tells them
        self.step(node, BecameInactive(self.epoch, None))
        self._heard.clear()

    def feed(self, node: int) -> None:
        core = self.cores[node]
        for base, epoch, wall_ms, records in self.log:
            if core.next_offset <= base < self.high_watermark:
                self.step(node, BatchCommitted(base, epoch, wall_ms, records))

    def ask(self, command: Any, heard: Callable[[Any], None]) -> None:
        """Put a command to the leader, on whose way some are lost, and some of the replies."""
        if self.leader is None or self.day.loses():
            return
        self._asked += 1
        if not self.day.loses():
            self._heard[self._asked] = heard
        self.step(self.leader, CommandArrived(self._asked, command, self.day.now + 30_000))

    def step(self, node: int, event: Any) -> None:
        now = self.day.now
        for effect in self.cores[node].step(event, now, WALL_MS + now, self):
            self._act(node, effect)

    def _act(self, node: int, effect: Effect) -> None:
        if isinstance(effect, Reply):
            heard = self._heard.pop(effect.id, None)  # type: ignore[call-overload]
            if heard is not None:
                told: Any = effect.response
                heard(told.code if isinstance(told, RequestError) else told)

    def append(
        self, records: Sequence[Any], epoch: int, *, atomic: bool, timestamp_ms: int
    ) -> Placed | Refused:
        base, self.end = self.end, self.end + len(records)
        self.log.append((base, epoch, timestamp_ms, tuple(records)))
        self.day.at(self.day.chance.choice([1, 5, 40, 2_000]), self._commit(epoch))
        return Placed(base, epoch)

    def _commit(self, epoch: int) -> Callable[[], None]:
        """What is in the log now is committed then, if the same leader is there."""
        until = self.end

        def commit() -> None:
            if self.leader is not None and self.epoch == epoch and until > self.high_watermark:
                self.high_watermark = until
                self.step(self.leader, HighWatermark(until))

        return commit


@define(eq=False)
class Journal:
    """What a group did, as an observer of everything sees it."""

    name: str
    read_until: int = 0
    acknowledged: int = 0
    read_again: int = 0
    newest_term: int = 0
    rounds: int = 0
    owners: dict[int, str] = field(factory=dict)

    def owns(self, member: str, term: int) -> None:
        """A member was told that the partition is its own, in a generation or member epoch."""
        if self.owners.setdefault(term, member) != member:
            raise Wrong(f"{self.name}: {member} and {self.owners[term]} own one partition: {term}")
        self.rounds += 1
        self.newest_term = max(self.newest_term, term)
        for old in sorted(self.owners)[:-50]:
            del self.owners[old]

    def begins(self, position: int, acknowledged_before: int) -> None:
        """An owner was told where to begin; before it asked, so much had been acknowledged."""
        if position < acknowledged_before:
            raise Wrong(f"{self.name}: {acknowledged_before} was committed, {position} is told")

    def reads(self, begin: int, end: int) -> None:
        """Records from ``begin`` up to ``end`` were handled."""
        if begin > self.read_until:
            raise Wrong(f"{self.name}: {self.read_until} to {begin} were never read")
        self.read_again += min(self.read_until, end) - begin
        self.read_until = max(self.read_until, end)

    def commits(self, offset: int, term: int, newest_when_asked: int) -> None:
        """A commit was acknowledged, which was asked for when that was the newest term known."""
        if term < newest_when_asked:
            raise Wrong(f"{self.name}: a commit of term {term} amid {newest_when_asked}")
        self.acknowledged = max(self.acknowledged, offset)


@define(eq=False)
class Day:
    """Everything that happens, in the order of time. One seed, one day."""

    seed: int
    now: int = 0
    log_end: int = 0
    is_calm: bool = False
    chance: Random = field(init=False)
    coordinators: Coordinators = field(init=False)
    journals: dict[str, Journal] = field(factory=dict)
    counts: dict[str, int] = field(factory=dict)
    _agenda: list[tuple[int, int, Callable[[], None]]] = field(factory=list)
    _ticket: int = 0

    def __attrs_post_init__(self) -> None:
        self.chance = Random(self.seed)
        self.coordinators = Coordinators(self)
        self.coordinators.elect(0)
        self.at(0, self.write)
        self.at(60_000, self.fail_over)

    def at(self, in_ms: int, what: Callable[[], None]) -> None:
        """``what`` is to happen in so many milliseconds."""
        self._ticket += 1
        heappush(self._agenda, (self.now + in_ms, self._ticket, what))

    def run(self, for_ms: int) -> None:
        """Live for so long."""
        ends = self.now + for_ms
        while (when := min(self._agenda[0][0], self.coordinators.deadline)) <= ends:
            self.now = max(self.now, int(when))
            self.coordinators.pass_time()
            while self._agenda and self._agenda[0][0] <= self.now:
                heappop(self._agenda)[2]()
        self.now = ends

    def loses(self) -> bool:
        return not self.is_calm and self.chance.random() < LOSS

    def count(self, name: str) -> None:
        self.counts[name] = self.counts.get(name, 0) + 1

    def journal(self, group: str) -> Journal:
        return self.journals.setdefault(group, Journal(group))

    def write(self) -> None:
        """The log that everybody reads grows."""
        self.log_end += self.chance.choice([1, 1, 2, 20])
        if not self.is_calm:
            self.at(self.chance.choice([100, 3_000, 30_000]), self.write)

    def fail_over(self) -> None:
        """Another node coordinates, at once or after a while without one."""
        if self.is_calm:
            return
        self.count("fail-overs")
        self.coordinators.depose()
        chosen = self.chance.randrange(NODES)
        self.at(
            self.chance.choice([1, 300, 4_000, 20_000]), lambda: self.coordinators.elect(chosen)
        )
        self.at(self.chance.choice([30_000, 120_000, 900_000]), self.fail_over)


@define(eq=False)
class Client:
    """Runs a member's life, step by step, until it ends or is ended."""

    day: Day
    life: Life
    is_over: bool = False
    _waits_for: int = 0

    def begin(self) -> None:
        self._go_on(None)

    def end(self) -> None:
        """Gone, without a word."""
        self.is_over = True
        self.life.close()

    def _go_on(self, heard: Any) -> None:
        if self.is_over:
            return
        try:
            step = self.life.send(heard)
        except StopIteration:
            self.is_over = True
            return
        self._waits_for += 1
        ticket = self._waits_for
        if isinstance(step, Pause):
            self.day.at(step.for_ms, lambda: self._hear(ticket, None))
            return
        day, there, back = self.day, self._way(), self._way()

        def answered(told: Any) -> None:
            day.at(back, lambda: self._hear(ticket, told))

        day.at(there, lambda: day.coordinators.ask(step.command, answered))
        day.at(step.timeout_ms, lambda: self._hear(ticket, LOST))

    def _hear(self, ticket: int, told: Any) -> None:
        if ticket == self._waits_for:
            self._go_on(told)

    def _way(self) -> int:
        return self.day.chance.choice([0, 1, 1, 20, 300])
