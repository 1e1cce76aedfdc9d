"""Brokers and partitions as the committed log has them, each record held against the rules.

The committed records are replayed once beside the nodes, with the production code's tables. What
brokers asked for, and when controllers heard of them, is kept here too: some rules are about that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from attrs import define, field, frozen

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.offsets import NO_OFFSET, Offset
from metaquorum.metadata.reading import read_metadata_batch
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.configs import BROKER, TOPIC
from metaquorum.metadata.tables.features import ELIGIBLE_LEADER_REPLICAS_VERSION
from metaquorum.metadata.tables.nodes import FENCE, UNFENCE
from metaquorum.metadata.tables.topics import NO_LEADER, Partition, PartitionKey
from metaquorum.records.batch import read_header
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.testing.partition_rules import (
    Change,
    complete_after,
    idle_leads,
    offline_leads,
    unclean_restart_counts,
)
from metaquorum.testing.simulator.contacts_seen import ContactsSeen
from metaquorum.testing.simulator.invariants import brokers as rules
from metaquorum.testing.simulator.invariants import partitions

MIN_INSYNC_REPLICAS: Final = "min.insync.replicas"
UNCLEAN: Final = "unclean.leader.election.enable"
_NOBODY: Final[frozenset[NodeId]] = frozenset()


@frozen
class Was:
    """A partition as the record at an offset left it."""

    offset: Offset
    partition: Partition


@frozen
class AskedIsr:
    """What a leader asked for: its epochs, and the ISR with the epochs of its brokers."""

    sender: NodeId
    sender_epoch: Offset
    leader_epoch: int
    partition_epoch: int
    isr: Mapping[NodeId, Offset]


@define(eq=False)
class ClusterLog:
    """The reference, and what was asked for.

    ``session_ms`` is the controllers' broker.session.timeout.ms. ``lives`` are the epochs that each
    broker was registered with, ``registered`` those of each incarnation. ``claims`` are those that
    asked to be registered, with the epoch that they said they had before. ``complete`` is of
    ``partition_rules``. In topics that are ``forced`` an operator has asked for unclean elections.
    Lives that are ``let_go`` were fenced since they asked to shut down. A heartbeat that one sent
    before it asked may arrive after that and unfence it, as with Kafka's controllers.
    """

    session_ms: Millis
    contacts: ContactsSeen = field(factory=ContactsSeen)
    state: MetadataState = field(factory=MetadataState)
    history: dict[PartitionKey, dict[int, Was]] = field(factory=dict)
    complete: dict[PartitionKey, frozenset[NodeId]] = field(factory=dict)
    asked: dict[PartitionKey, list[AskedIsr]] = field(factory=dict)
    lives: dict[NodeId, list[Offset]] = field(factory=dict)
    registered: set[tuple[Uuid, Offset]] = field(factory=set)
    claims: dict[NodeId, dict[Uuid, Offset]] = field(factory=dict)
    created: dict[Uuid, str] = field(factory=dict)
    deleted: dict[Uuid, Offset] = field(factory=dict)
    counts: dict[str, int] = field(factory=dict)
    settings: set[tuple[int, str, str, str | None]] = field(factory=set)
    forced: set[str] = field(factory=set)
    leaving_since: dict[tuple[NodeId, Offset], Offset] = field(factory=dict)
    let_go: set[tuple[NodeId, Offset]] = field(factory=set)
    given_below: int = 0
    _confirmed_below: int = 0

    @property
    def view(self) -> StateView:
        """Everything that is committed."""
        return self.state.live()

    # Batches.

    def commit(self, entry_print: int, payload: bytes, end: Offset) -> None:
        """One more batch is committed."""
        header = read_header(payload)
        records = read_metadata_batch(memoryview(payload), header)
        for at, record in enumerate(records):
            offset = header.base_offset + at
            self._record(record, offset, header.leader_epoch, header.max_timestamp_ms, entry_print)
        if records:
            self.state.close_batch()
        self.state.commit(end)

    def print(self, view: StateView) -> int:
        """A fingerprint of brokers and partitions, for comparing states of one process."""
        found = 0
        for broker_id, one in view.brokers.items():
            told = (one.epoch, one.fenced, one.in_controlled_shutdown, one.log_dirs)
            found ^= hash((broker_id, told))
        for key, partition in view.partitions.items():
            found ^= hash((key, _values(partition)))
        return found

    def _record(
        self, record: MetadataRecord, offset: Offset, epoch: int, at_ms: int, entry_print: int
    ) -> None:
        before = _BEFORE.get(record.type)
        if before is not None:
            before(self, record.message, offset, entry_print)
        changes = _CHANGED.get(record.type)
        old = {} if changes is None else {key: self._known(key) for key in changes(self, record)}
        facts = {key: self._facts(key) for key in old}
        self.state.replay(record, offset, epoch, at_ms)
        for key, partition in old.items():
            new = self.view.partitions.get(key)
            if new is not None and new != partition:
                self._changed(key, partition, new, facts[key], offset, record.type == _CLEAR_ELR)
        after = _AFTER.get(record.type)
        if after is not None:
            after(self, record.message, offset)

    def _known(self, key: PartitionKey) -> Partition | None:
        return self.view.partitions.get(key)

    # Partitions.

    def _facts(self, key: PartitionKey) -> tuple[bool, int, bool, dict[NodeId, Any]]:
        view = self.view
        name = self.created.get(key[0], "")
        unclean = self.setting(name, UNCLEAN) == "true" or name in self.forced
        needed = int(self.setting(name, MIN_INSYNC_REPLICAS) or 1)
        return self.has_elr, needed, unclean, dict(view.brokers.items())

    @property
    def has_elr(self) -> bool:
        """Whether eligible leader replicas are on."""
        return self.view.features.level(ELIGIBLE_LEADER_REPLICAS_VERSION) > 0

    def setting(self, topic: str, name: str) -> str | None:
        """What the log sets for a topic, of its own or for all."""
        for resource in ((TOPIC, topic), (BROKER, "")):
            settings = self.view.configs.get(resource)
            found = None if settings is None else settings.get(name)
            if found is not None:
                return found
        return None

    def _changed(
        self,
        key: PartitionKey,
        old: Partition | None,
        new: Partition,
        facts: tuple[bool, int, bool, dict[NodeId, Any]],
        offset: Offset,
        clears_elr: bool,
    ) -> None:
        has_elr, needed, unclean, brokers = facts
        change = Change(
            *(key, old, new, brokers, has_elr, needed, unclean),
            complete=self.complete.get(key, _NOBODY),
            restarting=self._restarting(),
            clears_elr=clears_elr,
        )
        for check in partitions.CHECKS:
            check(change)
        if old is not None:
            self._check_growth(change)
        self.complete[key] = complete_after(change)
        self.history.setdefault(key, {})[new.partition_epoch] = Was(offset, new)
        for name in _what_happened(change):
            self.counts[name] = self.counts.get(name, 0) + 1

    def _restarting(self) -> frozenset[NodeId]:
        """Brokers of which a process asked to be registered that may have lost records."""
        found = set()
        for broker_id, claims in self.claims.items():
            known = self.view.brokers.get(broker_id)
            epoch = NO_OFFSET if known is None else known.epoch
            if any(one != epoch or known is None for one in claims.values()):
                found.add(broker_id)
        return frozenset(found)

    def _check_growth(self, change: Change) -> None:
        old, new = change.old, change.new
        assert old is not None
        joined = set(new.isr).difference(old.isr)
        if not joined or (new.leader not in old.isr and not change.ends_a_move):
            return  # it was elected
        if old.leader == NO_LEADER or change.is_unclean:
            return  # the first replica from before a move, or one from the ELR
        asked = self.asked.get(change.key, ())
        is_asked = any(self._fits(one, old, joined) for one in asked)
        is_back = change.ends_a_move and change.may_be_unclean and new.isr == new.replicas[:1]
        partitions.an_isr_grows_as_its_leader_asked(change, joined, is_asked or is_back)

    def _fits(self, asked: AskedIsr, old: Partition, joined: set[NodeId]) -> bool:
        epochs = (asked.leader_epoch, asked.partition_epoch)
        return (
            asked.sender == old.leader
            and epochs == (old.leader_epoch, old.partition_epoch)
            and asked.sender_epoch == self._epoch_of(asked.sender)
            and all(asked.isr.get(one) in (-1, self._epoch_of(one)) for one in joined)
        )

    def _epoch_of(self, broker_id: NodeId) -> Offset:
        known = self.view.brokers.get(broker_id)
        return NO_OFFSET - 1 if known is None else known.epoch

    # Records, before they are replayed.

    def _topic(self, message: Any, offset: Offset, entry_print: int) -> None:
        topic_id = bytes(message.topic_id)
        partitions.a_deleted_topic_stays_deleted(topic_id, offset, topic_id in self.deleted)
        if hasattr(message, "name"):
            self.created[topic_id] = message.name

    def _remove_topic(self, message: Any, offset: Offset, entry_print: int) -> None:
        topic_id = bytes(message.topic_id)
        partitions.a_deleted_topic_stays_deleted(topic_id, offset, topic_id in self.deleted)
        self.deleted[topic_id] = offset

    def _register(self, message: Any, offset: Offset, entry_print: int) -> None:
        broker_id, incarnation = message.broker_id, bytes(message.incarnation_id)
        known = self.view.brokers.get(broker_id)
        if known is not None and known.incarnation_id == incarnation:
            rules.an_older_life_changes_nothing(
                broker_id, message.broker_epoch, known.epoch, "a registration"
            )
            return
        lives = self.lives.setdefault(broker_id, [])
        before = lives[-1] if lives else NO_OFFSET
        rules.broker_epochs_rise(broker_id, before, message.broker_epoch, offset)
        claims = self.claims.get(broker_id, {})
        claimed = claims.get(incarnation, NO_OFFSET)
        if known is None or claimed != known.epoch:
            problem = unclean_restart_counts(
                broker_id, dict(self.view.partitions.items()), self.has_elr
            )
            rules.nobody_counts_with_an_unclean_restart(problem)
        # Processes that asked before this one are gone.
        for one in list(claims):
            del claims[one]
            if one == incarnation:
                break
        lives.append(message.broker_epoch)
        self.registered.add((incarnation, message.broker_epoch))

    def _unregister(self, message: Any, offset: Offset, entry_print: int) -> None:
        self._of_a_life(message.broker_id, message.broker_epoch, "an unregistration")
        self._check_idle(message.broker_id)

    def _registration_changes(self, message: Any, offset: Offset, entry_print: int) -> None:
        broker_id, epoch = message.broker_id, message.broker_epoch
        self._of_a_life(broker_id, epoch, "a change of the registration")
        known = self.view.brokers.get(broker_id)
        if known is None:
            return
        if message.fenced == UNFENCE:
            applied = self.contacts.applied.get((broker_id, epoch))
            rules.a_broker_is_unfenced_when_it_caught_up(
                broker_id, applied, known.registered_offset
            )
        elif message.fenced == FENCE and not known.fenced:
            if (broker_id, epoch) in self.contacts.leaves:
                self.let_go.add((broker_id, epoch))
            self._check_idle(broker_id)
            self.contacts.check_fencing(broker_id, epoch, entry_print, self.session_ms)
            self._check_grant(broker_id, epoch, entry_print)
        if message.in_controlled_shutdown:
            self.leaving_since[(broker_id, epoch)] = offset

    def _check_grant(self, broker_id: NodeId, epoch: Offset, entry_print: int) -> None:
        """The end of a controlled shutdown, unless the session expired meanwhile."""
        since = self.leaving_since.get((broker_id, epoch))
        silent_ms, _ = self.contacts.silence(broker_id, epoch, entry_print)
        if since is None or silent_ms > self.session_ms:
            return
        for other_id, one in self.view.brokers.items():
            if not one.fenced and not one.in_controlled_shutdown:
                applied = self.contacts.applied.get((other_id, one.epoch), NO_OFFSET)
                rules.a_broker_goes_when_all_others_know(broker_id, other_id, applied, since)

    def _of_a_life(self, broker_id: NodeId, epoch: Offset, what: str) -> None:
        rules.an_older_life_changes_nothing(broker_id, epoch, self._epoch_of(broker_id), what)

    def _check_idle(self, broker_id: NodeId) -> None:
        problem = idle_leads(broker_id, dict(self.view.partitions.items()), self.has_elr)
        rules.a_fenced_broker_leads_nothing(problem)

    def _producer_ids(self, message: Any, offset: Offset, entry_print: int) -> None:
        self._of_a_life(message.broker_id, message.broker_epoch, "producer ids")
        below = self.view.next_producer_id
        rules.producer_ids_are_given_once(below, message.next_producer_id - below, self.given_below)
        self.given_below = message.next_producer_id

    # And after.

    def _registered(self, message: Any, offset: Offset) -> None:
        if message.fenced:
            self._check_idle(message.broker_id)

    def _lost_directories(self, message: Any, offset: Offset) -> None:
        broker = self.view.brokers.get(message.broker_id)
        if broker is not None and message.log_dirs:
            problem = offline_leads(broker, dict(self.view.partitions.items()))
            rules.nobody_leads_from_a_lost_directory(problem)

    def _config(self, message: Any, offset: Offset) -> None:
        name = message.resource_name
        self.settings.add((message.resource_type, name, message.name, message.value))
        if message.name != MIN_INSYNC_REPLICAS:
            return
        for key, partition in self.view.partitions.items():
            needed = int(self.setting(self.created[key[0]], MIN_INSYNC_REPLICAS) or 1)
            if len(partition.isr) >= min(needed, len(partition.replicas)):
                self.complete[key] = frozenset(partition.isr)

    # What is asked for.

    def asks_to_register(self, broker_id: NodeId, incarnation: Uuid, before: Offset) -> None:
        """A controller is asked to register a process, which names the epoch that it had before."""
        known = self.view.brokers.get(broker_id)
        if known is None or known.incarnation_id != incarnation:
            self.claims.setdefault(broker_id, {})[incarnation] = before

    def asks_for_isr(self, key: PartitionKey, asked: AskedIsr) -> None:
        """A leader, or who takes itself for one, asks for an ISR."""
        self.asked.setdefault(key, []).append(asked)

    # What was acknowledged.

    def registration_told(self, broker_id: NodeId, incarnation: Uuid, epoch: Offset) -> None:
        """A broker was told the epoch of its registration."""
        what = f"the registration of broker {broker_id} with epoch {epoch}"
        rules.acknowledged_changes_are_kept(what, (incarnation, epoch) in self.registered)

    def isr_told(
        self, key: PartitionKey, partition_epoch: int, leader_epoch: int, isr: tuple[NodeId, ...]
    ) -> None:
        """A leader was told what its partition is now."""
        was = self.history.get(key, {}).get(partition_epoch)
        is_there = was is not None and (
            (was.partition.leader_epoch, was.partition.isr) == (leader_epoch, isr)
        )
        what = f"ISR {list(isr)} of partition {key[1]} of {key[0].hex()} at epoch {partition_epoch}"
        rules.acknowledged_changes_are_kept(what, is_there)

    def told(self, what: str, is_there: bool) -> None:
        """Somebody was told that something is done."""
        rules.acknowledged_changes_are_kept(what, is_there)

    def producer_ids_told(self, first: int, count: int) -> None:
        """A broker was given a block of producer ids."""
        rules.producer_ids_are_given_once(first, count, self._confirmed_below)
        self._confirmed_below = first + count
        what = f"the block of {count} producer ids from {first}"
        rules.acknowledged_changes_are_kept(what, first + count <= self.given_below)

    def told_to_stop(self, broker_id: NodeId, epoch: Offset) -> None:
        """A broker was told that it should shut down."""
        known = self.view.brokers.get(broker_id)
        if known is None or known.epoch != epoch:
            return  # another process of it has come since
        is_fenced = known.fenced or (broker_id, epoch) in self.let_go
        problem = None if is_fenced else f"broker {broker_id} was not fenced"
        found = idle_leads(broker_id, dict(self.view.partitions.items()), self.has_elr)
        rules.a_broker_told_to_stop_leads_nothing(problem or found)


def _values(one: Partition) -> tuple[object, ...]:
    return (
        *(one.replicas, one.directories, one.isr, one.elr, one.last_known_elr, one.leader),
        *(one.leader_epoch, one.partition_epoch, one.leader_recovery_state),
        *(one.adding_replicas, one.removing_replicas),
    )


def _what_happened(change: Change) -> Iterator[str]:
    """Words for the counts of a run."""
    old, new = change.old, change.new
    if old is None:
        return
    if change.is_unclean:
        yield "partition-unclean-election"
    elif new.leader not in (old.leader, NO_LEADER):
        yield "partition-election"
        if new.leader in old.elr:
            yield "partition-elr-election"
    if new.leader == NO_LEADER != old.leader:
        yield "partition-offline"
    if set(old.isr) - set(new.isr):
        yield "isr-shrink"
    if set(new.isr) - set(old.isr):
        yield "isr-expand"
    if change.ends_a_move:
        yield "move-completed"


_CLEAR_ELR: Final = 28

_BEFORE: Final[Mapping[int, Callable[[ClusterLog, Any, Offset, int], None]]] = {
    0: ClusterLog._register,
    1: ClusterLog._unregister,
    2: ClusterLog._topic,
    3: ClusterLog._topic,
    5: ClusterLog._topic,
    9: ClusterLog._remove_topic,
    15: ClusterLog._producer_ids,
    17: ClusterLog._registration_changes,
}
_AFTER: Final[Mapping[int, Callable[[ClusterLog, Any, Offset], None]]] = {
    0: ClusterLog._registered,
    4: ClusterLog._config,
    17: ClusterLog._lost_directories,
}


def _one(log: ClusterLog, record: MetadataRecord) -> list[PartitionKey]:
    return [(bytes(record.message.topic_id), record.message.partition_id)]


def _all(log: ClusterLog, record: MetadataRecord) -> list[PartitionKey]:
    return list(log.view.partitions.keys())


_CHANGED: Final[Mapping[int, Callable[[ClusterLog, MetadataRecord], list[PartitionKey]]]] = {
    3: _one,
    5: _one,
    _CLEAR_ELR: _all,
}
"""By record type: the partitions that a record may change."""
