"""A host for one group coordinator: a log in memory, and hands on the watermark and the clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from attrs import define, field

from metaquorum.base.clock import NEVER
from metaquorum.base.errors import RequestError
from metaquorum.controller.effects import Effect, Failed, Reply
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
from metaquorum.records.group_record import GroupRecord
from metaquorum.wire.generated import error_codes

WALL_MS = 1_700_000_000_000


@define
class Host:
    """Is the log too that the core appends to, and keeps what was replied.

    With ``is_prompt`` everything is committed as soon as it is appended.
    """

    core: GroupCore
    is_prompt: bool = True
    epoch: int = 0
    end: int = 0
    high_watermark: int = 0
    now: int = 0
    refuse_with: int | None = None
    refuse_for: Exception | None = None
    failures: list[type[Exception]] = field(factory=list)
    log: list[tuple[int, int, tuple[GroupRecord, ...]]] = field(factory=list)
    replies: dict[object, Any] = field(factory=dict)
    asked: int = 0

    def step(self, event: Any) -> None:
        effects = self.core.step(event, self.now, WALL_MS + self.now, self)
        for effect in effects:
            self._act(effect)
        if self.is_prompt and self.high_watermark < self.end:
            self.commit()

    def lead(self) -> None:
        """Win an election: a control record comes first, and is committed at once."""
        self.feed()
        self.epoch += 1
        self.end += 1
        self.high_watermark = self.end
        self.step(BecameActive(self.epoch, self.end))

    def follow(self) -> None:
        """Lose the leadership, and what was not committed with it."""
        self.step(BecameInactive(self.epoch, None))
        self.log = [batch for batch in self.log if batch[0] < self.high_watermark]
        self.end = self.high_watermark

    def feed(self) -> None:
        """Tell a standby of every committed batch that it has not seen."""
        for base, epoch, records in self.log:
            if base >= self.core.next_offset and base + len(records) <= self.high_watermark:
                self.step(BatchCommitted(base, epoch, WALL_MS, records))  # type: ignore[arg-type]

    def commit(self) -> None:
        self.high_watermark = self.end
        self.step(HighWatermark(self.high_watermark))

    def ask(self, command: Any) -> int:
        self.asked += 1
        self.step(CommandArrived(self.asked, command, NEVER))
        return self.asked

    def get(self, command: Any) -> Any:
        """The reply, which must have come at once."""
        return self.replies[self.ask(command)]

    def code(self, command: Any) -> int:
        """The code of the refusal, which must have come at once."""
        reply = self.get(command)
        assert isinstance(reply, RequestError), reply
        return reply.code

    def wait(self, milliseconds: int) -> None:
        """Let time pass, waking the core whenever it asked to be."""
        until = self.now + milliseconds
        while self.core.deadline <= until:
            self.now = max(self.now, self.core.deadline)
            self.step(TimePassed())
        self.now = until

    def successor(self, make: Callable[..., Host]) -> Host:
        """Another node that has the same log and leads."""
        other = make()
        other.core = type(self.core)(self.core.config, self.core._context.draw)
        other.log, other.end, other.epoch = list(self.log), self.end, self.epoch
        other.high_watermark, other.now = self.high_watermark, self.now
        other.lead()
        return other

    def _act(self, effect: Effect) -> None:
        if isinstance(effect, Reply):
            assert effect.id not in self.replies, "one command, one reply"
            self.replies[effect.id] = effect.response
            return
        if isinstance(effect, Failed):
            self.failures.append(type(effect.cause))
            return
        raise AssertionError(f"an effect of another kind: {effect}")

    def append(
        self, records: Sequence[GroupRecord], epoch: int, *, atomic: bool, timestamp_ms: int
    ) -> Placed | Refused:
        assert atomic
        if self.refuse_for is not None:
            return Refused(error_codes.UNKNOWN_SERVER_ERROR, self.refuse_for)
        if self.refuse_with is not None:
            return Refused(self.refuse_with)
        base = self.end
        # What the log gives back is what was encoded.
        read = tuple(GroupRecord.decode(*record.encode()) for record in records)
        self.log.append((base, epoch, read))
        self.end = base + len(records)
        return Placed(base, epoch)


def drawing() -> Callable[[], bytes]:
    """Uuids 1, 2, 3 and so on."""
    drawn = 0

    def draw() -> bytes:
        nonlocal drawn
        drawn += 1
        return drawn.to_bytes(16, "big")

    return draw


@pytest.fixture
def make_host() -> Callable[..., Host]:
    """A coordinator with its host, configured as given."""

    def make(*, is_prompt: bool = True, **settings: Any) -> Host:
        return Host(GroupCore(GroupConfig(**settings), drawing()), is_prompt)

    return make


@pytest.fixture
def host(make_host: Callable[..., Host]) -> Host:
    """One that leads, and whose records are committed at once."""
    host = make_host()
    host.lead()
    return host
