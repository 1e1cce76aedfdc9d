"""What the records of a log did to a cluster: partitions by cells, and events by name.

Before and after each record the partitions that it touches are looked at, and the difference is
counted. What an open transaction did is held back until it ends, and dropped when it is aborted,
as the committed state has it (KIP-868).

In detail it also names the partitions that are not calm, up to a limit, and counts replicas by
broker and directory (decision 259).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any, Final, TypeVar

from attrs import define, field

from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.limits import MAX_PARTITIONS_NAMED
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.exporter.cells import Cell, cell_of
from metaquorum.metadata.state import (
    ABORT_TRANSACTION,
    BEGIN_TRANSACTION,
    END_TRANSACTION,
    MetadataState,
)
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.configs import BROKER, TOPIC
from metaquorum.metadata.tables.nodes import Broker
from metaquorum.metadata.tables.topics import (
    NO_LEADER,
    NO_LEADER_CHANGE,
    Partition,
    PartitionKey,
)
from metaquorum.records.metadata_record import MetadataRecord

MIN_IN_SYNC: Final = "min.insync.replicas"

# Events that are more than records of a type.
ISR_SHRINKS: Final = "isr-shrinks"
ISR_EXPANDS: Final = "isr-expands"
LEADERS_CHANGED: Final = "partition-leaders-changed"
UNCLEAN_ELECTIONS: Final = "unclean-elections"
ELIGIBLE_ELECTIONS: Final = "elections-of-eligible"
BROKERS_FENCED: Final = "brokers-fenced"

_PARTITION, _CONFIG, _PARTITION_CHANGE, _REMOVE_TOPIC, _CLEAR_ELR = 3, 4, 5, 9, 28
_REGISTER_BROKER, _FENCE_BROKER, _BROKER_CHANGE = 0, 7, 17

KINDS: Final[dict[int, str]] = {
    0: "broker-registration",
    1: "broker-removal",
    2: "topic-creation",
    3: "partition-creation",
    4: "config",
    5: "partition-change",
    7: "broker-change",
    8: "broker-change",
    9: "topic-deletion",
    10: "delegation-token",
    11: "scram-credential",
    12: "feature",
    14: "client-quota",
    15: "producer-ids",
    17: "broker-change",
    18: "acl",
    19: "acl",
    22: "scram-credential",
    26: "delegation-token",
    27: "controller-registration",
    28: "elr-clearing",
    29: "controller-removal",
}
"""What a record of a type changes, as the label ``kind``; NoOps and transactions change nothing."""


def min_in_sync_of(view: StateView, resource: tuple[int, str]) -> int | None:
    """The min.insync.replicas that is set for a topic or, by ``(BROKER, "")``, for all brokers.

    None where there is none, or no number above 0, which Kafka passes over too.
    """
    settings = view.configs.get(resource)
    text = "" if settings is None else settings.get(MIN_IN_SYNC, "").strip()
    return int(text) if text.isascii() and text.isdigit() and 0 < int(text) < 2**31 else None


def default_min_in_sync(view: StateView, otherwise: int) -> int:
    """What holds for topics without their own: the setting of all brokers, else ``otherwise``."""
    found = min_in_sync_of(view, (BROKER, ""))
    return otherwise if found is None else found


Seat = tuple[NodeId, Uuid]
"""A broker and one of its directories: where a replica is."""
Counted = TypeVar("Counted", bound=Hashable)


@define
class Changes:
    """Differences to be added; each of them may be negative."""

    cells: Counter[Cell] = field(factory=Counter)
    events: Counter[str] = field(factory=Counter)
    by_topic: dict[Uuid, Counter[Cell]] = field(factory=dict)
    seats: Counter[Seat] = field(factory=Counter)
    named: dict[PartitionKey, Cell | None] = field(factory=dict)
    """The cells that partitions have now, None of calm ones and of those that are gone."""

    def place(self, key: PartitionKey, partition: Partition, cell: Cell, more: int) -> None:
        """The same in detail: where its replicas are, and whether it is calm."""
        for seat in zip(partition.replicas, partition.directories, strict=False):
            self.seats[seat] += more
        self.named[key] = None if more < 0 or cell.is_calm else cell

    def count(self, topic_id: Uuid, cell: Cell, more: int, *, by_topic: bool) -> None:
        """One partition more in a cell, or one less."""
        self.cells[cell] += more
        if by_topic:
            self.by_topic.setdefault(topic_id, Counter())[cell] += more

    def add(self, other: Changes) -> None:
        """Add all differences of another; cells that are empty then are forgotten."""
        _add(self.cells, other.cells)
        _add(self.seats, other.seats)
        self.named.update(other.named)
        for name, more in other.events.items():
            self.events[name] += more
        for topic_id, cells in other.by_topic.items():
            mine = self.by_topic.setdefault(topic_id, Counter())
            _add(mine, cells)
            if not mine:
                del self.by_topic[topic_id]


def _add(counts: Counter[Counted], more: Counter[Counted]) -> None:
    for one, count in more.items():
        left = counts[one] + count
        if left:
            counts[one] = left
        else:
            del counts[one]


@define
class Tally:
    """Counts of one state, kept while its records are replayed through ``replay``.

    ``by_topic`` keeps them for each topic as well. Events are counted while ``is_live``: what
    happened before somebody watched is none. ``troubled`` has the first partitions that are not
    calm, while they are counted ``in_detail``; ``total.cells`` says how many there are.
    """

    state: MetadataState
    by_topic: bool = False
    is_live: bool = False
    in_detail: bool = False
    troubled: dict[PartitionKey, Cell] = field(factory=dict, init=False)
    total: Changes = field(factory=Changes, init=False)
    _held: Changes | None = field(default=None, init=False)

    @classmethod
    def of(cls, state: MetadataState, *, by_topic: bool = False, in_detail: bool = False) -> Tally:
        """Of a state that was loaded whole: the one time that its partitions are walked."""
        tally = cls(state, by_topic, in_detail=in_detail)
        view = state.live()
        own = _own_settings(view)
        total = tally.total
        if in_detail:
            for key, partition in view.partitions.items():
                cell = cell_of(partition, own.get(key[0]))
                total.count(key[0], cell, 1, by_topic=by_topic)
                for seat in zip(partition.replicas, partition.directories, strict=False):
                    total.seats[seat] += 1
                tally._name(key, None if cell.is_calm else cell)
        elif by_topic:
            for (topic_id, _), partition in view.partitions.items():
                total.count(topic_id, cell_of(partition, own.get(topic_id)), 1, by_topic=True)
        else:
            total.cells.update(
                cell_of(partition, own.get(key[0])) for key, partition in view.partitions.items()
            )
        return tally

    def replay(
        self, record: MetadataRecord, offset: Offset, epoch: Epoch, timestamp_ms: int
    ) -> None:
        """Replay one record into the state, and count what it does. Raises what the state does."""
        kind = record.type
        if BEGIN_TRANSACTION <= kind <= ABORT_TRANSACTION:
            self.state.replay(record, offset, epoch, timestamp_ms)
            self._transaction(kind)
            return
        changes = Changes()
        view = self.state.live()
        touched = tuple(_touched(record, view))
        before = {key: view.partitions.get(key) for key in touched}
        self._count(changes, view, before, -1)
        fenced = self._fenced(record, view)
        self.state.replay(record, offset, epoch, timestamp_ms)
        after = {key: view.partitions.get(key) for key in touched}
        self._count(changes, view, after, 1)
        if self.is_live:
            if kind in KINDS:
                changes.events[KINDS[kind]] += 1
            if kind == _PARTITION_CHANGE:
                _partition_events(changes, record.message, before[touched[0]], after[touched[0]])
            if fenced is False and self._fenced(record, view):
                changes.events[BROKERS_FENCED] += 1
        self._take(changes)

    def look_again(self) -> bool:
        """Name partitions anew by a walk, where the limit left none of those that are not calm.

        Whether it had to walk: that takes a second for a million partitions.
        """
        if self._held is not None:
            return False
        left = sum(count for cell, count in self.total.cells.items() if not cell.is_calm)
        if not self.in_detail or len(self.troubled) >= min(left, MAX_PARTITIONS_NAMED // 2):
            return False
        view = self.state.live()
        own = _own_settings(view)
        self.troubled.clear()
        for key, partition in view.partitions.items():
            cell = cell_of(partition, own.get(key[0]))
            self._name(key, None if cell.is_calm else cell)
        return True

    def _take(self, changes: Changes) -> None:
        if self._held is not None:
            self._held.add(changes)
            return
        self.total.add(changes)
        for key, cell in self.total.named.items():
            self._name(key, cell)
        self.total.named.clear()

    def _name(self, key: PartitionKey, cell: Cell | None) -> None:
        if cell is None:
            self.troubled.pop(key, None)
        elif key in self.troubled or len(self.troubled) < MAX_PARTITIONS_NAMED:
            self.troubled[key] = cell

    def _transaction(self, kind: int) -> None:
        if kind == BEGIN_TRANSACTION:
            self._held = Changes()
        elif self._held is not None:
            held, self._held = self._held, None
            if kind == END_TRANSACTION:
                self._take(held)

    def _count(
        self,
        changes: Changes,
        view: StateView,
        partitions: dict[PartitionKey, Partition | None],
        more: int,
    ) -> None:
        own: dict[Uuid, int | None] = {}
        for key, partition in partitions.items():
            if partition is None:
                continue
            topic_id = key[0]
            if topic_id not in own:
                topic = view.topics.get(topic_id)
                own[topic_id] = None if topic is None else min_in_sync_of(view, (TOPIC, topic.name))
            cell = cell_of(partition, own[topic_id])
            changes.count(topic_id, cell, more, by_topic=self.by_topic)
            if self.in_detail:
                changes.place(key, partition, cell, more)

    def _fenced(self, record: MetadataRecord, view: StateView) -> bool | None:
        """Whether the broker that a record is about is fenced; None for other records."""
        if record.type == _FENCE_BROKER:
            broker: Broker | None = view.brokers.get(record.message.id)
        elif record.type in (_REGISTER_BROKER, _BROKER_CHANGE):
            broker = view.brokers.get(record.message.broker_id)
        else:
            return None
        return None if broker is None else broker.fenced


def _own_settings(view: StateView) -> dict[Uuid, int | None]:
    """min.insync.replicas of the topics that have settings."""
    own: dict[Uuid, int | None] = {}
    for resource, _ in view.configs.items():
        topic_id = view.topic_ids.get(resource[1]) if resource[0] == TOPIC else None
        if topic_id is not None:
            own[topic_id] = min_in_sync_of(view, resource)
    return own


def _touched(record: MetadataRecord, view: StateView) -> Iterator[PartitionKey]:
    """The partitions that a record may change, or count otherwise."""
    kind, message = record.type, record.message
    if kind in (_PARTITION, _PARTITION_CHANGE):
        yield bytes(message.topic_id), message.partition_id
    elif kind == _REMOVE_TOPIC:
        yield from _all_of(view, bytes(message.topic_id))
    elif kind == _CONFIG:
        if message.resource_type == TOPIC and message.name == MIN_IN_SYNC:
            yield from _all_of(view, view.topic_ids.get(message.resource_name))
    elif kind == _CLEAR_ELR:
        chosen = (
            [view.topic_ids.get(message.topic_name)] if message.topic_name else view.topics.keys()
        )
        for topic_id in chosen:
            for key in _all_of(view, topic_id):
                partition = view.partitions.get(key)
                if partition is not None and (partition.elr or partition.last_known_elr):
                    yield key


def _all_of(view: StateView, topic_id: Uuid | None) -> Iterator[PartitionKey]:
    topic = None if topic_id is None else view.topics.get(topic_id)
    if topic is not None:
        for number in range(topic.partition_count):
            yield topic.topic_id, number


def _partition_events(
    changes: Changes, message: Any, before: Partition | None, after: Partition | None
) -> None:
    if before is None or after is None:
        return
    events = changes.events
    grown = len(after.isr) - len(before.isr)
    if grown:
        events[ISR_EXPANDS if grown > 0 else ISR_SHRINKS] += 1
    if before.leader != after.leader:
        events[LEADERS_CHANGED] += 1
    leader = message.leader
    if leader not in (NO_LEADER_CHANGE, NO_LEADER) and leader not in before.isr:
        events[ELIGIBLE_ELECTIONS if leader in before.elr else UNCLEAN_ELECTIONS] += 1
