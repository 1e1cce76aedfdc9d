"""A controller core with its log and fake brokers, made from a world, that takes actions.

Everything that it appends is committed at once: a change that a fail-over takes back is one that
the controller before it had not made. Each record is held against the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from attrs import define, evolve, field, frozen

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import NO_OFFSET, Offset
from metaquorum.controller.commands import Command
from metaquorum.controller.config import ControllerConfig
from metaquorum.controller.core import ControllerCore
from metaquorum.controller.effects import Reply
from metaquorum.controller.events import (
    BecameActive,
    BecameInactive,
    CommandArrived,
    Event,
    HighWatermark,
    TimePassed,
)
from metaquorum.controller.log import Placed
from metaquorum.metadata.tables.nodes import FENCE, Broker
from metaquorum.metadata.tables.topics import NO_LEADER, Partition, PartitionKey
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.testing.explorer.partitions.scope import PartitionScope
from metaquorum.testing.explorer.partitions.world import (
    KILLED,
    InFlight,
    Process,
    World,
    contacts_of,
    settings,
    state_of,
)
from metaquorum.testing.explorer.properties import Violation
from metaquorum.testing.partition_rules import (
    PARTITION_RULES,
    Change,
    complete_after,
    idle_leads,
    offline_leads,
    unclean_restart_counts,
)

NEVER_MS = 1 << 40
SESSION_MS = 9_000
_REGISTER, _CHANGE, _PARTITION_CHANGE = 0, 17, 5


@frozen
class Written:
    """Records of one append, and what there was before them."""

    records: tuple[MetadataRecord, ...]
    brokers: dict[NodeId, Broker]
    partitions: dict[PartitionKey, Partition]


@define(eq=False)
class UnderWay:
    """A change in turns: what began it, whose, and the partitions that each turn wrote."""

    change: Any
    kind: str
    broker: NodeId
    epoch: Offset
    wrote: tuple[tuple[int, ...], ...] = ()


@define(eq=False)
class Cluster:
    """It is its controller's log as well.

    ``may_be_unclean`` is set while an operator's election is carried out, ``registering`` is a
    broker that may have lost records and is about to be registered. ``waits`` are those who asked,
    by the number of their command.
    """

    scope: PartitionScope
    core: ControllerCore
    end: Offset
    processes: dict[NodeId, Process]
    complete: dict[PartitionKey, frozenset[NodeId]]
    in_flight: InFlight | None
    budget: dict[str, int]
    epoch: int = 1
    now: int = 0
    may_be_unclean: bool = False
    registering: NodeId | None = None
    processes_started: int = 0
    waits: dict[int, Any] = field(factory=dict)
    _asked: int = 0
    _written: list[Written] = field(factory=list)
    _doing: tuple[str, NodeId] = ("", 0)
    _under_way: dict[int, UnderWay] = field(factory=dict)

    @classmethod
    def of(cls, scope: PartitionScope, world: World) -> Cluster:
        """The cluster at that moment."""
        config = ControllerConfig(
            100,
            max_idle_interval_ms=0,
            broker_session_timeout_ms=SESSION_MS,
            unclean_leader_election_interval_ms=NEVER_MS,
            leader_rebalance_enable=False,
        )
        core = ControllerCore(config, ())
        core.state = state_of(world, tuple(settings(scope)))
        cluster = cls(
            *(scope, core, world.end, dict(world.processes), dict(world.complete)),
            *(world.in_flight, dict(world.budget)),
        )
        cluster.step(BecameActive(cluster.epoch, world.end))
        while cluster.core.deadline <= cluster.now:
            cluster.turn()
        contacts_of(world, core._term.contacts)  # type: ignore[union-attr]
        return cluster

    # The log.

    @property
    def next_offset(self) -> Offset:
        """Where the next record will be."""
        return self.end

    def append(
        self, records: Sequence[MetadataRecord], epoch: int, *, atomic: bool, timestamp_ms: int
    ) -> Placed:
        """Take records; the rules are asked once they are replayed."""
        base = self.end
        self.end += len(records)
        self._written.append(Written(tuple(records), self.brokers, self.partitions))
        return Placed(base, epoch)

    # What there is.

    @property
    def brokers(self) -> dict[NodeId, Broker]:
        """The registrations."""
        return dict(self.core.state.live().brokers.items())

    @property
    def partitions(self) -> dict[PartitionKey, Partition]:
        """The partitions."""
        return dict(self.core.state.live().partitions.items())

    @property
    def contacts(self) -> Any:
        """What the controller knows of brokers beyond the log."""
        term = self.core._term
        assert term is not None
        return term.contacts

    @property
    def _changes(self) -> Sequence[Any]:
        term = self.core._term
        return () if term is None else term.changes

    @property
    def is_busy(self) -> bool:
        """Whether a change in turns is under way."""
        return bool(self._changes)

    def world(self) -> World:
        """This moment as a value; nothing may be under way."""
        brokers, contacts = self.brokers, self.contacts
        left = {one: at for one in brokers if (at := contacts.left_at(one)) is not None}
        assert all(map(contacts.left_whole, left)), "no turn is refused here, nor fails"
        return World(
            self.end,
            brokers,
            self.partitions,
            self.complete,
            {
                one: contacts.lowest_offset([one])
                for one, known in brokers.items()
                if contacts.has_session(one, known.epoch, self.now)
            },
            left,
            self.processes,
            self.in_flight,
            tuple(sorted(self.budget.items())),
        )

    # Steps.

    def step(self, event: Event) -> None:
        """Step the controller, hold what it wrote against the rules, and commit it."""
        head = next(iter(self._changes), None) if isinstance(event, TimePassed) else None
        self._effects(self.core.step(event, self.now, self.now, self))
        self._note_turns(head)
        self._look()
        if self.core.state.has_uncommitted:
            self._effects(self.core.step(HighWatermark(self.end), self.now, self.now, self))

    def begin(self, kind: str, broker_id: NodeId) -> None:
        """What is done from now on, and whose: changes that it begins are known by that."""
        self._doing = (kind, broker_id)

    def _note_turns(self, head: Any) -> None:
        """Which partitions each change in turns has written: together with the state this says
        how far it is.
        """
        for change in self._changes:
            if id(change) not in self._under_way:
                epoch = self._epoch_of(self._doing[1])
                self._under_way[id(change)] = UnderWay(change, *self._doing, epoch)
        if head is not None and self._written:
            known = self._under_way[id(head)]
            known.wrote += (tuple(_numbers(self._written[0].records)),)
        elif head is not None:
            self._under_way[id(head)].wrote += ((),)
        present = {id(one) for one in self._changes}
        self._under_way = {key: one for key, one in self._under_way.items() if key in present}

    def under_way(self) -> tuple[object, ...]:
        """How far each change is, in the order of their turns."""
        found = (self._under_way[id(one)] for one in self._changes)
        return tuple(
            (one.kind, one.broker, one.epoch == self._epoch_of(one.broker), one.wrote)
            for one in found
        )

    def ask(self, command: Command, then: Any) -> None:
        """Ask the controller; ``then`` is called with its reply, should it come."""
        self._asked += 1
        self.waits[self._asked] = then
        self.step(CommandArrived(self._asked, command))

    def _effects(self, effects: Sequence[Any]) -> None:
        for effect in effects:
            if isinstance(effect, Reply):
                then = self.waits.pop(effect.id)  # type: ignore[call-overload]
                if not isinstance(effect.response, RequestError):
                    then(effect.response)
            else:
                raise Violation(f"the controller failed: {effect}")

    def turn(self) -> None:
        """The next turn of what is under way."""
        self.step(TimePassed())

    def fail_over(self) -> None:
        """Another controller leads, and knows what is in the log."""
        self.waits.clear()
        self.core.step(BecameInactive(self.epoch, None), self.now, self.now, self)
        self.epoch += 1
        self.end += 1
        self.step(BecameActive(self.epoch, self.end))
        if self.core.deadline <= self.now:
            self.turn()  # what it does at once, for the sake of changes that were cut short

    def silence(self, broker_id: NodeId) -> None:
        """The session of one broker is over; nobody has looked yet. The others are heard of."""
        contacts = self.contacts
        kept = {
            one: contacts.lowest_offset([one])
            for one, known in self.brokers.items()
            if one != broker_id and contacts.has_session(one, known.epoch, self.now)
        }
        self.now += SESSION_MS + 1
        for one, applied in kept.items():
            contacts.heard_from(one, self.brokers[one].epoch, self.now, applied)

    # Rules.

    def _look(self) -> None:
        written, self._written = self._written, []
        last = Written((), self.brokers, self.partitions)
        for before, after in pairwise((*written, last)):
            for record in before.records:
                self._look_at(record, before, after)

    def _look_at(self, record: MetadataRecord, before: Written, after: Written) -> None:
        message = record.message
        if record.type == _PARTITION_CHANGE:
            key = (bytes(message.topic_id), message.partition_id)
            self._changed(key, before.brokers, before.partitions[key], after.partitions[key])
            return
        now, has_elr = after.partitions, self.scope.has_elr
        if record.type == _REGISTER and message.fenced:
            self._hold("a fenced broker leads nothing", idle_leads(message.broker_id, now, has_elr))
            if self.processes[message.broker_id].state == KILLED:
                self._hold(
                    "nobody counts with an unclean restart",
                    unclean_restart_counts(message.broker_id, now, has_elr),
                )
        elif record.type == _CHANGE:
            if message.fenced == FENCE:
                problem = idle_leads(message.broker_id, now, has_elr)
                self._hold("a fenced broker leads nothing", problem)
            if message.log_dirs:
                broker = after.brokers[message.broker_id]
                problem = offline_leads(broker, now)
                self._hold("nobody leads from a lost directory", problem)

    def _changed(
        self, key: PartitionKey, brokers: dict[NodeId, Broker], old: Partition, new: Partition
    ) -> None:
        restarting = frozenset(() if self.registering is None else (self.registering,))
        change = Change(
            *(key, old, new, brokers, self.scope.has_elr, self.scope.min_insync_replicas),
            self.scope.may_be_unclean or self.may_be_unclean,
            self.complete[key],
            restarting,
        )
        for check in PARTITION_RULES:
            self._hold(check.__name__.replace("_", " "), check(change))
        self._check_growth(change)
        self.complete[key] = complete_after(change)

    def _check_growth(self, change: Change) -> None:
        """Nobody comes into an ISR but by its leader's word, and with the epoch that it has."""
        old, new, asked = change.old, change.new, self.in_flight
        assert old is not None
        joined = set(new.isr).difference(old.isr)
        if not joined or new.leader not in old.isr:
            return
        epochs = dict(asked.isr) if asked is not None and asked.number == change.key[1] else {}
        wrong = [one for one in joined if epochs.get(one) != _epoch(change.brokers.get(one))]
        if asked is not None and not wrong:
            known = (asked.sender, asked.leader_epoch, asked.partition_epoch)
            if known != (old.leader, old.leader_epoch, old.partition_epoch):
                wrong = sorted(joined)
        problem = f"{wrong} came into ISR {list(new.isr)}, asked was {asked}" if wrong else None
        self._hold("an isr grows as its leader asked", problem)

    def _epoch_of(self, broker_id: NodeId) -> Offset:
        return _epoch(self.brokers.get(broker_id))

    def check_rest(self) -> None:
        """While nothing is under way, no partition that could have a leader has none."""
        for key, one in self.partitions.items():
            if one.leader != NO_LEADER:
                continue
            change = Change(
                *(key, one, one, self.brokers, self.scope.has_elr, self.scope.min_insync_replicas)
            )
            able = [other for other in one.isr or one.elr if change.is_active(other)]
            if able and all(
                one.directories[one.replicas.index(other)] in self.brokers[other].log_dirs
                for other in able
            ):
                self._hold("partitions with a candidate have a leader", f"{able} could lead {one}")

    def told_to_stop(self, broker_id: NodeId) -> None:
        """A broker was told that it should shut down."""
        problem = idle_leads(broker_id, self.partitions, self.scope.has_elr)
        self._hold("a broker told to stop leads nothing", problem)

    @staticmethod
    def _hold(name: str, problem: str | None) -> None:
        if problem is not None:
            raise Violation(f"{name}: {problem}")

    def becomes(self, broker_id: NodeId, **changes: Any) -> None:
        """A process is another now."""
        self.processes[broker_id] = evolve(self.processes[broker_id], **changes)


def _epoch(known: Broker | None) -> Offset:
    return NO_OFFSET if known is None else known.epoch


def _numbers(records: Sequence[MetadataRecord]) -> list[int]:
    return [one.message.partition_id for one in records if one.type == _PARTITION_CHANGE]
