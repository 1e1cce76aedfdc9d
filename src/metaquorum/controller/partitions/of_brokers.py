"""What becomes of a broker's partitions when it leaves, comes back, or loses log directories.

There may be a hundred thousand of them, so each of these changes is a row of turns
(``controller.outcome``). No index says which partitions a broker has: passing over those of others
costs less than keeping one would at every change (docs/decisions/232). A turn looks at each
partition as it is then, so it does not matter what was changed between two turns, and a change that
was given up half-way is finished by the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.limits import PARTITIONS_PER_TURN, RECORDS_PER_TURN
from metaquorum.base.memo import Memo
from metaquorum.controller.context import PlanContext
from metaquorum.controller.partitions.change import change_of
from metaquorum.controller.partitions.facts import Facts
from metaquorum.metadata.tables.topics import NO_LEADER, Partition, PartitionKey
from metaquorum.records.metadata_record import MetadataRecord

Turn = Sequence[MetadataRecord]
Some = Iterable[tuple[PartitionKey, Partition]]
Changes = Callable[[Some], Iterable[MetadataRecord | None]]
"""What some partitions become, of those that may have to change; None where nothing does."""

_AT_A_TIME: Final = 128  # so the walk costs little a partition


def leaves_isrs(
    context: PlanContext,
    broker_id: NodeId,
    *,
    is_unclean: bool = False,
    is_forgotten: bool = False,
) -> Iterator[Turn]:
    """The broker is fenced, shuts down or is forgotten: it leads nothing and is in no ISR.

    The last replica in sync becomes eligible to lead, or without eligible leader replicas stays in
    sync (KIP-966). ``is_unclean``: the broker may have lost records, so it is not eligible either.
    ``is_forgotten``: it may stay eligible, but where it is, another may be elected uncleanly.
    """

    looks_at_elr = is_unclean or is_forgotten
    unclean = (broker_id,) if is_unclean else ()

    def turn() -> Changes:
        facts = Facts(context, gone=broker_id)
        without = Memo(partial(_without, broker_id))

        def changes(some: Some) -> Iterator[MetadataRecord | None]:
            for key, old in some:
                if broker_id in old.isr or (looks_at_elr and broker_id in old.elr):
                    isr = without[old.isr]
                    yield change_of(key, old, facts.conditions, isr=isr, unclean=unclean)

        return changes

    return changes_in_turns(context, turn)


def takes_up(context: PlanContext, broker_id: NodeId | None = None) -> Iterator[Turn]:
    """The broker is unfenced: partitions without a leader get one, which the broker may be.

    None: no broker is, and all that are active are asked.
    """

    def turn() -> Changes:
        facts = Facts(context, coming=broker_id)

        def changes(some: Some) -> Iterator[MetadataRecord | None]:
            for key, old in some:
                if old.leader == NO_LEADER:
                    yield change_of(key, old, facts.conditions)

        return changes

    if not context.view.partition_counts.offline:
        return iter(())
    return changes_in_turns(context, turn)


def loses_directories(
    context: PlanContext, broker_id: NodeId, directories: frozenset[Uuid]
) -> Iterator[Turn]:
    """Log directories of the broker are offline: its replicas there leave the ISR (KIP-858)."""

    def turn() -> Changes:
        facts = Facts(context, gone=broker_id)

        def changes(some: Some) -> Iterator[MetadataRecord | None]:
            for key, old in some:
                if broker_id not in old.isr:
                    continue
                if old.directories[old.replicas.index(broker_id)] in directories:
                    isr = _without(broker_id, old.isr)
                    yield change_of(key, old, facts.conditions, isr=isr)

        return changes

    return changes_in_turns(context, turn)


def _without(broker_id: NodeId, isr: tuple[NodeId, ...]) -> tuple[NodeId, ...]:
    return tuple([one for one in isr if one != broker_id])


def leads_any(context: PlanContext, broker_id: NodeId) -> bool:
    """Whether the broker leads a partition; costs nothing, the number is kept at replay."""
    return context.view.led_by(broker_id) > 0


def changes_in_turns(
    context: PlanContext,
    turn: Callable[[], Changes],
    most: int | None = None,
) -> Iterator[Turn]:
    """The records of all partitions that are to change, some in each turn.

    ``turn`` is called at the beginning of each turn, and gives what is asked for some partitions at
    a time. ``most`` records are the end of it.
    """
    walk = context.view.walk_partitions()
    left = most
    while not walk.is_over and left != 0:
        records: list[MetadataRecord] = []
        changes = turn()
        room = RECORDS_PER_TURN if left is None else min(RECORDS_PER_TURN, left)
        to_look_at = PARTITIONS_PER_TURN
        while len(records) < room and to_look_at and not walk.is_over:
            # No more at a time than would fit if each of them changed.
            at_a_time = min(_AT_A_TIME, room - len(records), to_look_at)
            to_look_at -= at_a_time
            records += [one for one in changes(walk.some(at_a_time)) if one is not None]
        if left is not None:
            left -= len(records)
        yield records
