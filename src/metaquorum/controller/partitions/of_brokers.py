"""What becomes of a broker's partitions when it leaves, comes back, or loses log directories.

There may be a hundred thousand of them, so each of these changes is a row of turns
(``controller.outcome``). No index says which partitions a broker has: passing over those of others
costs less than keeping one would at every change (docs/decisions/232). A turn looks at each
partition as it is then, so it does not matter what was changed between two turns, and a change that
was given up half-way is finished by the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.limits import PARTITIONS_PER_TURN, RECORDS_PER_TURN
from metaquorum.base.memo import Memo
from metaquorum.controller.context import PlanContext
from metaquorum.controller.partitions.change import change_of
from metaquorum.controller.partitions.facts import Facts
from metaquorum.metadata.tables.topics import NO_LEADER, Partition, PartitionKey
from metaquorum.records.metadata_record import MetadataRecord

Turn = Sequence[MetadataRecord]
Change = Callable[[PartitionKey, Partition], MetadataRecord | None]


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

    def turn() -> Change:
        facts = Facts(context, gone=broker_id)
        unclean = (broker_id,) if is_unclean else ()
        without = Memo(partial(_without, broker_id))

        def change(key: PartitionKey, old: Partition) -> MetadataRecord | None:
            is_eligible = (is_unclean or is_forgotten) and broker_id in old.elr
            if broker_id not in old.isr and not is_eligible:
                return None
            isr = without[old.isr]
            return change_of(key, old, facts.of(key[0]), isr=isr, unclean=unclean)

        return change

    return changes_in_turns(context, turn)


def takes_up(context: PlanContext, broker_id: NodeId | None = None) -> Iterator[Turn]:
    """The broker is unfenced: partitions without a leader get one, which the broker may be.

    None: no broker is, and all that are active are asked.
    """

    def turn() -> Change:
        facts = Facts(context, coming=broker_id)

        def change(key: PartitionKey, old: Partition) -> MetadataRecord | None:
            if old.leader != NO_LEADER:
                return None
            return change_of(key, old, facts.of(key[0]))

        return change

    if not context.view.partition_counts.offline:
        return iter(())
    return changes_in_turns(context, turn)


def loses_directories(
    context: PlanContext, broker_id: NodeId, directories: frozenset[Uuid]
) -> Iterator[Turn]:
    """Log directories of the broker are offline: its replicas there leave the ISR (KIP-858)."""

    def turn() -> Change:
        facts = Facts(context, gone=broker_id)

        def change(key: PartitionKey, old: Partition) -> MetadataRecord | None:
            if broker_id not in old.isr:
                return None
            if old.directories[old.replicas.index(broker_id)] not in directories:
                return None
            return change_of(key, old, facts.of(key[0]), isr=_without(broker_id, old.isr))

        return change

    return changes_in_turns(context, turn)


def _without(broker_id: NodeId, isr: tuple[NodeId, ...]) -> tuple[NodeId, ...]:
    return tuple([one for one in isr if one != broker_id])


def leads_any(context: PlanContext, broker_id: NodeId) -> bool:
    """Whether the broker leads a partition; costs nothing, the number is kept at replay."""
    return context.view.led_by(broker_id) > 0


def changes_in_turns(
    context: PlanContext,
    turn: Callable[[], Change],
    most: int | None = None,
) -> Iterator[Turn]:
    """The records of all partitions that are to change, some in each turn.

    ``turn`` is called at the beginning of each turn, and gives what is asked for each partition.
    ``most`` records are the end of it.
    """
    walk = context.view.walk_partitions()
    written = 0
    while not walk.is_over:
        records: list[MetadataRecord] = []
        change = turn()
        for key, old in walk.some(PARTITIONS_PER_TURN):
            record = change(key, old)
            if record is not None:
                records.append(record)
                if len(records) == RECORDS_PER_TURN or written + len(records) == most:
                    break
        written += len(records)
        yield records
        if written == most:
            return
