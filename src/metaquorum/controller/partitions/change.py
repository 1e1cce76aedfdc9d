"""What a partition becomes after a change of its replicas, or of what may lead: one record or none.

Every change of a partition goes through ``change_of``: a running reassignment is finished if it can
be, eligible leader replicas are kept (KIP-966), and a leader is elected. It reads nothing but its
arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from enum import Enum
from typing import Final

from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.value import value
from metaquorum.metadata import versions
from metaquorum.metadata.tables.topics import (
    NO_LEADER,
    RECOVERING,
    Partition,
    PartitionKey,
)
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated.records.partition_change_record import PartitionChangeRecord

PARTITION_CHANGE: Final = 5
_NODES = tuple[NodeId, ...]
_NOTHING: Final[frozenset[NodeId]] = frozenset()


class Election(Enum):
    """Who may be elected, and in which order.

    ONLINE keeps a leader that is in sync, or takes the first such replica. PREFERRED asks the first
    replica of all before it. UNCLEAN, where nobody else can lead, takes a replica that is not in
    sync, and records that only the others had are lost.
    """

    PREFERRED = "preferred"
    ONLINE = "online"
    UNCLEAN = "unclean"


@value
class TopicSettings:
    """Settings in force for a topic; ``election`` is the one that they allow."""

    min_insync_replicas: int
    election: Election = Election.ONLINE


@value
class Conditions:
    """What a change depends on besides the partition.

    ``can_lead`` says whether a broker is active and its log directory, the second argument, online.
    ``default_directory`` is where a broker puts a new replica. ``settings_of`` gives the settings
    of a topic, which few changes depend on.
    """

    can_lead: Callable[[NodeId, Uuid], bool]
    default_directory: Callable[[NodeId], Uuid]
    settings_of: Callable[[Uuid], TopicSettings]
    metadata_version: int
    has_elr: bool


@value
class Reassigned:
    """The replicas of a partition, and which of them are about to come and to go (KIP-455)."""

    replicas: _NODES
    adding: _NODES
    removing: _NODES


def change_of(
    key: PartitionKey,
    old: Partition,
    conditions: Conditions,
    *,
    election: Election | None = None,
    isr: _NODES | None = None,
    reassigned: Reassigned | None = None,
    directories: Mapping[NodeId, Uuid] | None = None,
    recovery_state: int | None = None,
    unclean: Collection[NodeId] = _NOTHING,
) -> MetadataRecord | None:
    """The PartitionChange record that makes ``old`` what is asked for, None if it is that already.

    What is not given stays. ``isr`` and ``reassigned`` are what is aimed at; ``directories`` are
    those of some replicas; ``unclean`` are replicas that may have lost records, and are no longer
    eligible to lead.
    """
    isr = old.isr if isr is None else isr
    replicas, aim = old.replicas, reassigned
    if aim is None and (old.adding_replicas or old.removing_replicas):
        aim = Reassigned(replicas, old.adding_replicas, old.removing_replicas)
    if aim is not None:
        aim, isr = _completed(aim, isr)
        replicas = aim.replicas
    is_moved = directories is not None or replicas is not old.replicas
    placed = _directories(old, replicas, conditions, directories) if is_moved else old.directories
    elr = _eligible(key[0], old, isr, replicas, conditions, unclean) if conditions.has_elr else ()
    state = old.leader_recovery_state if recovery_state is None else recovery_state

    leader, is_clean = _elected(key[0], old, replicas, placed, isr, elr, conditions, election)
    if not is_clean:
        isr, elr = (leader,), ()
        if old.leader_recovery_state != RECOVERING:
            state = RECOVERING  # one that was recovering gets what was asked for, as in Kafka
    elif leader != NO_LEADER and leader not in isr:
        isr, elr = (leader,), (*(one for one in elr if one != leader), *isr)
    elif not isr and not conditions.has_elr:
        isr = old.isr  # without eligible replicas the last one in sync must stay known

    record = PartitionChangeRecord(key[1], key[0])
    is_changed = aim is not None and _set_replicas(record, old, aim)
    if placed != old.directories and conditions.metadata_version >= versions.DIRECTORIES_FROM:
        record.directories = placed
        is_changed = True
    if leader != old.leader or not is_clean or _needs_new_epoch(old, replicas, isr, conditions):
        record.leader = leader
        is_changed = True
    if isr != old.isr:
        record.isr = isr
        is_changed = True
    if state != old.leader_recovery_state:
        record.leader_recovery_state = state
        is_changed = True
    if _set_eligible(record, old, elr, leader, conditions):
        is_changed = True
    if not is_changed:
        return None
    version = versions.partition_version(conditions.metadata_version)
    return MetadataRecord(PARTITION_CHANGE, version, record)


def _completed(aim: Reassigned, isr: _NODES) -> tuple[Reassigned, _NODES]:
    """The end of a reassignment, once what it adds is in sync.

    One that takes away more than it adds waits for every replica that stays (KAFKA-15665).
    """
    if not aim.adding and not aim.removing:
        return aim, isr
    staying = tuple(one for one in aim.replicas if one not in aim.removing)
    in_sync = tuple(one for one in isr if one not in aim.removing)
    needed = staying if len(aim.removing) > len(aim.adding) else aim.adding
    if not staying or not set(needed) <= set(in_sync):
        return aim, isr
    return Reassigned(staying, (), ()), in_sync


def _directories(
    old: Partition,
    replicas: _NODES,
    conditions: Conditions,
    given: Mapping[NodeId, Uuid] | None,
) -> tuple[Uuid, ...]:
    """The directory of each replica: as given, as before, or where its broker puts a new one."""
    if given is None and replicas == old.replicas:
        return old.directories
    known = {**dict(zip(old.replicas, old.directories, strict=True)), **(given or {})}
    return tuple(
        known[one] if one in known else conditions.default_directory(one) for one in replicas
    )


def _eligible(
    topic_id: Uuid,
    old: Partition,
    isr: _NODES,
    replicas: _NODES,
    conditions: Conditions,
    unclean: Collection[NodeId],
) -> _NODES:
    """Replicas that left the ISR when it was too small to acknowledge what they do not have."""
    if len(isr) >= len(replicas) or len(isr) >= (
        conditions.settings_of(topic_id).min_insync_replicas
    ):
        return ()
    # Kafka leaves replicas that were taken away in the ELR: added again, they have no records.
    left = {*old.elr, *old.isr}.intersection(old.replicas, replicas)
    found = left.difference(isr, unclean)
    return old.elr if found == set(old.elr) else tuple(sorted(found))


def _elected(
    topic_id: Uuid,
    old: Partition,
    replicas: _NODES,
    directories: tuple[Uuid, ...],
    isr: _NODES,
    elr: _NODES,
    conditions: Conditions,
    election: Election | None,
) -> tuple[NodeId, bool]:
    """Who leads, and whether that replica is known to have every committed record."""
    complete, can_lead = isr or elr, conditions.can_lead
    # One that moves to another directory is judged by that where it was, as in Kafka.
    places = _places(old, replicas, directories) if replicas != old.replicas else old.directories
    first = replicas[0] if election is Election.PREFERRED and replicas else old.leader
    for one in (first, old.leader, *replicas):
        if one in complete and one in replicas and can_lead(one, places[replicas.index(one)]):
            return one, True
    for one, place in zip(replicas, places, strict=True):
        # Who is in sync is about to leave, in a later turn; these have all that was acknowledged.
        if isr and one in elr and can_lead(one, place):
            return one, True
    if conditions.has_elr and not complete and len(old.last_known_elr) == 1:
        last = old.last_known_elr[0]
        # It must be there, too (KAFKA-19522).
        if last in replicas and can_lead(last, places[replicas.index(last)]):
            return last, False
    if (election or conditions.settings_of(topic_id).election) is Election.UNCLEAN:
        for one, place in zip(replicas, places, strict=True):
            if can_lead(one, place):
                return one, False
    return NO_LEADER, True


def _places(old: Partition, replicas: _NODES, directories: tuple[Uuid, ...]) -> list[Uuid]:
    """Where each of the replicas is now, a new one where it will be."""
    now = dict(zip(old.replicas, old.directories, strict=True))
    return [now.get(one, place) for one, place in zip(replicas, directories, strict=True)]


def _needs_new_epoch(old: Partition, replicas: _NODES, isr: _NODES, conditions: Conditions) -> bool:
    """Whether the leader epoch has to rise under the same leader.

    It does when a replica is taken away, so that followers that did not hear of it are refused; and
    before metadata.version 3.6-IV0 whenever the ISR shrinks (KAFKA-15021).
    """
    if replicas != old.replicas and not set(old.replicas) <= set(replicas):
        return True
    return (
        isr != old.isr
        and conditions.metadata_version < versions.SAME_EPOCH_ON_SHRINK_FROM
        and not set(old.isr) <= set(isr)
    )


def _set_replicas(record: PartitionChangeRecord, old: Partition, aim: Reassigned) -> bool:
    is_changed = False
    if aim.replicas != old.replicas:
        record.replicas = aim.replicas
        is_changed = True
    if aim.adding != old.adding_replicas:
        record.adding_replicas = aim.adding
        is_changed = True
    if aim.removing != old.removing_replicas:
        record.removing_replicas = aim.removing
        is_changed = True
    return is_changed


def _set_eligible(
    record: PartitionChangeRecord,
    old: Partition,
    elr: _NODES,
    leader: NodeId,
    conditions: Conditions,
) -> bool:
    """Eligible leader replicas, and the last leader of a partition that has none (KIP-966)."""
    if conditions.metadata_version < versions.ELR_FROM:
        return False
    last = old.last_known_elr
    if leader != NO_LEADER or not conditions.has_elr:
        last = ()
    elif old.leader != NO_LEADER:
        last = (old.leader,)
    if elr != old.elr:
        record.eligible_leader_replicas = elr
    if last != old.last_known_elr:
        record.last_known_elr = last
    return elr != old.elr or last != old.last_known_elr
