"""What must hold of every change of a partition, in the simulator and in the explorer.

Each rule is a pure function of one ``Change``, and says what is wrong, or None. The sources stand
with the rules of the simulator (``simulator/invariants/partitions.py``).

``complete`` is a model of the data that no record tells: the replicas that have every record that
was acknowledged to a producer with acks=all. Only while at least min.insync.replicas are in sync
is anything acknowledged, and then replicas that are not in sync may lack it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol

from attrs import field, frozen

from metaquorum.base.ids import NodeId
from metaquorum.controller.partitions.facts import is_online
from metaquorum.metadata.tables.nodes import Broker
from metaquorum.metadata.tables.topics import NO_LEADER, RECOVERING, Partition, PartitionKey

_NOBODY: Final[frozenset[NodeId]] = frozenset()


class Brokers(Protocol):
    """The registrations of a moment."""

    def get(self, key: NodeId, /) -> Broker | None:
        """The registration of a broker, None if it has none."""


@frozen
class Change:
    """A partition before and after one record; ``old`` is None where the record creates it.

    ``brokers`` and the settings are those before the record. ``may_be_unclean``: the topic allows
    unclean elections, or an operator asked for one. ``restarting`` are brokers that are being
    registered anew after they may have lost records. ``clears_elr``: min.insync.replicas changed,
    and the record forgets who was eligible.
    """

    key: PartitionKey
    old: Partition | None
    new: Partition
    brokers: Brokers
    has_elr: bool
    min_insync_replicas: int
    may_be_unclean: bool = False
    complete: frozenset[NodeId] = _NOBODY
    restarting: frozenset[NodeId] = field(default=_NOBODY)
    clears_elr: bool = False

    @property
    def needed(self) -> int:
        """How many must be in sync for a write to be acknowledged, as KIP-966 counts."""
        return min(self.min_insync_replicas, len(self.new.replicas))

    def is_active(self, broker_id: NodeId) -> bool:
        """Whether the broker may lead and come into the ISR."""
        broker = self.brokers.get(broker_id)
        return broker is not None and not broker.fenced and not broker.in_controlled_shutdown

    @property
    def is_led_anew(self) -> bool:
        """Whether the record names a leader, perhaps the same."""
        return self.old is None or self.new.leader_epoch != self.old.leader_epoch

    @property
    def ends_a_move(self) -> bool:
        """Whether a reassignment is completed or cancelled by it."""
        old, new = self.old, self.new
        if old is None:
            return False
        was = old.adding_replicas or old.removing_replicas
        return bool(was) and not (new.adding_replicas or new.removing_replicas)

    @property
    def is_unclean(self) -> bool:
        """Whether the new leader was neither in the ISR nor in the ELR just before.

        What the end of a reassignment adds to the ISR came in by the word of the leader before.
        """
        old, new = self.old, self.new
        if old is None or new.leader == NO_LEADER or new.leader in (*old.isr, *old.elr):
            return False
        is_completed = set(new.replicas) == set(old.replicas).difference(old.removing_replicas)
        return not (self.ends_a_move and is_completed and old.leader != NO_LEADER)


def complete_after(change: Change) -> frozenset[NodeId]:
    """The replicas that have every acknowledged record once the change is made."""
    new, old = change.new, change.old
    if old is None:
        return frozenset(new.isr)
    if change.is_unclean:
        return frozenset(new.isr)
    if len(new.isr) >= change.needed:
        return frozenset(new.isr)
    joined = set(new.isr).difference(old.isr) if old.leader != NO_LEADER else _NOBODY
    return change.complete.union(joined).intersection(new.replicas)


def a_leader_is_in_the_isr(change: Change) -> str | None:
    """The leader is a member of the ISR, or there is none."""
    new = change.new
    if new.leader == NO_LEADER or new.leader in new.isr:
        return None
    return f"{new.leader} leads, in sync are {list(new.isr)}"


def an_isr_is_made_of_replicas(change: Change) -> str | None:
    """The ISR is a part of the replicas, and neither names one twice."""
    new = change.new
    for what, found in (("replicas", new.replicas), ("ISR", new.isr), ("ELR", new.elr)):
        if len(set(found)) < len(found):
            return f"the {what} {list(found)} name one twice"
    if not set(new.isr) <= set(new.replicas):
        return f"in sync are {list(new.isr)}, replicas are {list(new.replicas)}"
    if not new.replicas or len(new.directories) != len(new.replicas):
        return f"{len(new.replicas)} replicas with {len(new.directories)} directories"
    return None


def an_isr_is_empty_only_with_an_elr(change: Change) -> str | None:
    """Only with eligible leader replicas on may nobody be in sync; then nobody leads."""
    new = change.new
    if new.isr or (change.has_elr and new.leader == NO_LEADER):
        return None
    return f"nobody is in sync, {new.leader} leads, ELR is {'on' if change.has_elr else 'off'}"


def an_elr_is_apart_from_the_isr(change: Change) -> str | None:
    """Nobody is in both; the ELR is made of replicas, and empty while the feature is off."""
    new = change.new
    if not new.elr:
        return None
    if set(new.elr) & set(new.isr) or not set(new.elr) <= set(new.replicas) or not change.has_elr:
        return f"ELR {list(new.elr)}, ISR {list(new.isr)}, replicas {list(new.replicas)}"
    return None


def a_last_leader_is_known_only_without_a_leader(change: Change) -> str | None:
    """LastKnownElr names one replica, and only while nobody leads."""
    new = change.new
    if not new.last_known_elr or (new.leader == NO_LEADER and len(new.last_known_elr) == 1):
        return None
    return f"{new.leader} leads, last known are {list(new.last_known_elr)}"


def nobody_complete_is_forgotten(change: Change) -> str | None:
    """While the ISR is too small to acknowledge anything, who leaves it becomes eligible.

    Unless the replica is taken away, or may have lost records, or another was elected uncleanly.
    """
    old, new = change.old, change.new
    if old is None or not change.has_elr or len(new.isr) >= change.needed or change.is_unclean:
        return None
    kept = {*new.isr, *new.elr} | change.restarting
    gone = {*old.isr, *old.elr}.intersection(new.replicas) - kept
    if not gone or change.clears_elr or (change.ends_a_move and change.may_be_unclean):
        return None
    return f"{sorted(gone)} are in neither ISR {list(new.isr)} nor ELR {list(new.elr)} any more"


def an_elr_ends_when_the_isr_is_large_enough(change: Change) -> str | None:
    """With min.insync.replicas in sync writes are acknowledged that the ELR does not have."""
    new = change.new
    if new.elr and change.old != new and len(new.isr) >= change.needed:
        return f"ELR {list(new.elr)} beside ISR {list(new.isr)}, {change.needed} are enough"
    return None


def only_active_brokers_come_into_the_isr(change: Change) -> str | None:
    """Nobody fenced, shutting down or unknown enters an ISR."""
    old, new = change.old, change.new
    before = () if old is None else old.isr
    idle = [one for one in new.isr if one not in before and not change.is_active(one)]
    if not idle or (change.ends_a_move and change.is_unclean and change.may_be_unclean):
        return None
    if change.ends_a_move and change.may_be_unclean and new.leader == NO_LEADER:
        return None  # cancelled: back to the first replica from before, whatever became of it
    return f"{idle} are not active and came into the ISR {list(new.isr)}"


def only_active_brokers_are_elected(change: Change) -> str | None:
    """Who is elected is active, and its log directory online."""
    new = change.new
    if new.leader == NO_LEADER or not change.is_led_anew or new.leader not in new.replicas:
        return None
    if not change.is_active(new.leader):
        return f"{new.leader} is not active and was elected"
    broker = change.brokers.get(new.leader)
    directory = new.directories[new.replicas.index(new.leader)]
    if broker is not None and not is_online(broker, directory):
        return f"{new.leader} was elected, its directory {directory.hex()} is offline"
    return None


def a_leader_changes_with_its_epoch(change: Change) -> str | None:
    """Another leader has another leader epoch, which rises by one at a time."""
    old, new = change.old, change.new
    if old is None:
        return (
            None if (new.leader_epoch, new.partition_epoch) == (0, 0) else "it does not begin at 0"
        )
    if new.leader_epoch - old.leader_epoch not in (0, 1):
        return f"the leader epoch went from {old.leader_epoch} to {new.leader_epoch}"
    if new.leader != old.leader and new.leader_epoch == old.leader_epoch:
        return f"{new.leader} leads after {old.leader}, both in epoch {new.leader_epoch}"
    return None


def a_partition_epoch_counts_changes(change: Change) -> str | None:
    """Each change raises the partition epoch by one."""
    old, new = change.old, change.new
    if old is None or new.partition_epoch == old.partition_epoch + 1:
        return None
    return f"the partition epoch went from {old.partition_epoch} to {new.partition_epoch}"


def a_removed_replica_raises_the_leader_epoch(change: Change) -> str | None:
    """When a replica is taken away, its fetches must be refused: the leader epoch rises."""
    old, new = change.old, change.new
    if old is None or set(old.replicas) <= set(new.replicas) or change.is_led_anew:
        return None
    return f"replicas {list(old.replicas)} became {list(new.replicas)} in one leader epoch"


def unclean_elections_are_allowed(change: Change) -> str | None:
    """A leader that was neither in sync nor eligible leads only where it may.

    The topic allows it, or an operator asked, or it was the last leader of a partition that has
    nobody else.
    """
    old, new = change.old, change.new
    if old is None or not change.is_unclean or change.may_be_unclean:
        return None
    others = {*old.isr, *old.elr} - change.restarting
    if change.has_elr and not others and old.last_known_elr == (new.leader,):
        return None
    return f"{new.leader} leads, ISR was {list(old.isr)}, ELR {list(old.elr)}"


def an_unclean_leader_recovers(change: Change) -> str | None:
    """After an unclean election the leader is alone in the ISR, and marked as recovering.

    A cancelled reassignment goes back to the first replica without the mark, as Kafka's does.
    """
    new = change.new
    if not change.is_unclean or change.ends_a_move:
        return None
    if new.isr == (new.leader,) and new.leader_recovery_state == RECOVERING:
        return None
    return f"{new.leader} leads, in sync are {list(new.isr)}, state {new.leader_recovery_state}"


def a_clean_leader_has_every_acknowledged_record(change: Change) -> str | None:
    """Who is elected cleanly lacks nothing that a producer was told to be safe."""
    old, new = change.old, change.new
    if old is None or new.leader in (NO_LEADER, old.leader) or change.is_unclean:
        return None
    joined = new.leader not in old.isr and old.leader != NO_LEADER
    if new.leader in change.complete or joined:
        return None
    return f"{new.leader} was elected, all records are on {sorted(change.complete)} only"


PARTITION_RULES: Final[tuple[Callable[[Change], str | None], ...]] = (
    a_leader_is_in_the_isr,
    an_isr_is_made_of_replicas,
    an_isr_is_empty_only_with_an_elr,
    an_elr_is_apart_from_the_isr,
    a_last_leader_is_known_only_without_a_leader,
    nobody_complete_is_forgotten,
    an_elr_ends_when_the_isr_is_large_enough,
    only_active_brokers_come_into_the_isr,
    only_active_brokers_are_elected,
    a_leader_changes_with_its_epoch,
    a_partition_epoch_counts_changes,
    a_removed_replica_raises_the_leader_epoch,
    unclean_elections_are_allowed,
    an_unclean_leader_recovers,
    a_clean_leader_has_every_acknowledged_record,
)


def idle_leads(
    broker_id: NodeId, partitions: Mapping[PartitionKey, Partition], has_elr: bool
) -> str | None:
    """Of a broker that was taken out of service: it leads nothing and is in no ISR.

    Without eligible leader replicas the last replica in sync stays so, and nobody leads.
    """
    for key, one in partitions.items():
        stays = not has_elr and one.isr == (broker_id,) and one.leader == NO_LEADER
        if one.leader == broker_id or (broker_id in one.isr and not stays):
            return _counting(broker_id, key, one)
    return None


def offline_leads(broker: Broker, partitions: Mapping[PartitionKey, Partition]) -> str | None:
    """Of a broker that lost log directories: it leads nothing from there.

    It may be in sync there for a moment: a leader's request for that can come late, as in Kafka.
    """
    for key, one in partitions.items():
        if one.leader != broker.broker_id:
            continue
        directory = one.directories[one.replicas.index(broker.broker_id)]
        if not is_online(broker, directory):
            return f"no directory {directory.hex()}: {_counting(broker.broker_id, key, one)}"
    return None


def unclean_restart_counts(
    broker_id: NodeId, partitions: Mapping[PartitionKey, Partition], has_elr: bool
) -> str | None:
    """Of a broker that may have lost records and is registered anew: nobody counts with it."""
    for key, one in partitions.items():
        stays = not has_elr and one.isr == (broker_id,)
        if broker_id in one.elr or (broker_id in one.isr and not stays):
            return _counting(broker_id, key, one)
    return None


def _counting(broker_id: NodeId, key: PartitionKey, one: Partition) -> str:
    return (
        f"broker {broker_id}: partition {key[1]} of {key[0].hex()} is led by {one.leader}, "
        f"ISR {list(one.isr)}, ELR {list(one.elr)}"
    )
