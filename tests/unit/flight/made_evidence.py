"""Evidence as tests make it up: a quorum of three whose leaders write a NoOp every 500 ms."""

from __future__ import annotations

from attrs import define, field

from metaquorum.flight.evidence import (
    BROKER,
    CONTROLLER,
    BrokerChanged,
    BrokerRegistered,
    BrokerRemoved,
    ControllerRegistered,
    Described,
    Evidence,
    LeaderElected,
    OfLog,
    Outcome,
    Probed,
    ReplicaSeen,
    VotersSet,
    Wrote,
)
from metaquorum.flight.explaining import explain
from metaquorum.flight.explanation import Cause, Event, EventKind, Timeouts
from metaquorum.flight.history import History

START_MS = 1_795_250_000_000
NOOP_MS = 500


@define
class Story:
    """What happened, in order; times are milliseconds since its beginning."""

    items: list[Evidence] = field(factory=list)
    offset: int = 0
    epoch: int = 0
    now_ms: int = 0

    def led(self, leader: int, from_ms: int, until_ms: int, *granting: int) -> Story:
        """A leader's epoch begins, and it writes until then."""
        self.epoch += 1
        at_ms = START_MS + from_ms
        elected = LeaderElected(self.offset, self.epoch, at_ms, leader, (1, 2, 3), granting)
        self.items.append(elected)
        self.wrote(from_ms, until_ms)
        return self

    def wrote(self, from_ms: int, until_ms: int, gap_ms: int = NOOP_MS) -> Story:
        count = max(1, (until_ms - from_ms) // NOOP_MS)
        first, self.offset = self.offset, self.offset + count
        first_ms, last_ms = START_MS + from_ms, START_MS + until_ms
        self.items.append(
            Wrote(first, self.offset, self.epoch, first_ms, last_ms, count, gap_ms, last_ms)
        )
        self.now_ms = until_ms
        return self

    def _place(self, at_ms: int) -> tuple[int, int, int]:
        self.offset += 1
        return self.offset - 1, self.epoch, START_MS + at_ms

    def controller(self, node_id: int, at_ms: int, incarnation: str) -> Story:
        self.items.append(ControllerRegistered(*self._place(at_ms), node_id, incarnation))
        return self

    def broker(self, node_id: int, at_ms: int, incarnation: str) -> Story:
        self.items.append(BrokerRegistered(*self._place(at_ms), node_id, incarnation, True))
        return self

    def changed(
        self,
        node_id: int,
        at_ms: int,
        *,
        fenced: bool | None = None,
        stopping: bool = False,
        moved: int = 0,
    ) -> Story:
        place = self._place(at_ms)
        self.items.append(BrokerChanged(*place, node_id, fenced, stopping, moved))
        return self

    def removed(self, node_id: int, at_ms: int) -> Story:
        self.items.append(BrokerRemoved(*self._place(at_ms), node_id))
        return self

    def voters(self, at_ms: int, *ids: int) -> Story:
        self.items.append(VotersSet(*self._place(at_ms), ids))
        return self

    def asked(
        self,
        node_id: int,
        at_ms: int,
        outcome: Outcome,
        *,
        broker: bool = False,
        ours: bool = False,
    ) -> Story:
        role = BROKER if broker else CONTROLLER
        self.items.append(Probed(START_MS + at_ms, 1, node_id, role, outcome, ours))
        return self

    def described(
        self, leader: int, at_ms: int, *rows: tuple[int, int], ahead_ms: int = 0
    ) -> Story:
        """``rows`` are followers and brokers with the time since they fetched."""
        replicas = [ReplicaSeen(leader, True, 0, 0, 0)]
        replicas += [
            ReplicaSeen(node_id, node_id < 100, 0, since_ms, since_ms) for node_id, since_ms in rows
        ]
        now_ms = START_MS + at_ms
        self.items.append(
            Described(now_ms, 0, leader, self.epoch, 0, now_ms + ahead_ms, tuple(replicas))
        )
        return self

    def of_log(self) -> list[OfLog]:
        """Its items without what only a recorder sees."""
        return [one for one in self.items if not isinstance(one, Described | Probed)]

    def events(self, timeouts: Timeouts | None = None) -> list[Event]:
        return explain(History.of(self.items), timeouts or Timeouts())

    def event(self, kind: EventKind) -> Event:
        """The last one of this kind."""
        return [one for one in self.events() if one.kind is kind][-1]


def told(event: Event) -> tuple[str, str, str]:
    """Rule, cause and certainty of an event, by name."""
    verdict = event.verdict
    return verdict.rule, verdict.cause.value, verdict.certainty.value


def covers(event: Event, cause: Cause) -> bool:
    """Whether the explanation leaves this cause open."""
    return any(one.covers(cause) for one in (event.verdict.cause, *event.verdict.others))
