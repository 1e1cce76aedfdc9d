"""Partitions counted by what they have in common, so that no scrape walks a million of them.

All partitions with the same leader, the same number of replicas in sync and so on are one *cell*
with a count. A change of a partition takes one from a cell and adds one to another. There are as
many cells as there are brokers times a few, and every figure is a sum over cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

from attrs import frozen

from metaquorum.base.ids import NodeId
from metaquorum.metadata.tables.topics import NO_LEADER, Partition

KAFKAS_MIN_IN_SYNC: Final = 1
"""Kafka's default of min.insync.replicas."""


class Cell(NamedTuple):
    """What a partition is counted by.

    ``min_in_sync`` is the topic's own min.insync.replicas, None where the topic has none; a change
    of the default then moves nothing.
    """

    min_in_sync: int | None
    leader: NodeId
    in_sync: int
    replicas: int
    adding: int
    is_preferred: bool
    is_reassigning: bool
    has_elr: bool
    has_last_known_elr: bool

    @property
    def is_calm(self) -> bool:
        """Whether no figure of trouble counts it, whatever min.insync.replicas is by default.

        No partition needs more replicas in sync than it has.
        """
        return (
            self.is_preferred
            and not self.is_reassigning
            and self.leader != NO_LEADER
            and self.in_sync >= self.replicas
        )


def cell_of(partition: Partition, min_in_sync: int | None) -> Cell:
    """The cell of a partition whose topic has this min.insync.replicas of its own."""
    replicas, adding = partition.replicas, partition.adding_replicas
    return Cell(
        min_in_sync,
        partition.leader,
        len(partition.isr),
        len(replicas),
        len(adding),
        partition.leader == (replicas[0] if replicas else NO_LEADER),
        bool(adding or partition.removing_replicas),
        bool(partition.elr),
        bool(partition.last_known_elr),
    )


@frozen
class PartitionFigures:
    """How many partitions are in which state.

    As with Kafka's brokers, a partition without a leader is offline and neither under-replicated
    nor below nor at its min.insync.replicas: these are counted by leaders. While a partition is
    reassigned, the replicas that are being added are not missed.
    """

    all: int = 0
    offline: int = 0
    not_preferred: int = 0
    under_replicated: int = 0
    under_min_in_sync: int = 0
    at_min_in_sync: int = 0
    reassigning: int = 0
    with_elr: int = 0
    with_last_known_elr: int = 0


def figures_of(cells: Mapping[Cell, int], default_min_in_sync: int) -> PartitionFigures:
    """The sums over ``cells``, where this min.insync.replicas holds for topics without their own.

    No partition needs more replicas in sync than it has, as with Kafka.
    """
    sums: Counter[str] = Counter()
    for cell, count in cells.items():
        sums["all"] += count
        sums["not_preferred"] += 0 if cell.is_preferred else count
        sums["reassigning"] += count if cell.is_reassigning else 0
        sums["with_elr"] += count if cell.has_elr else 0
        sums["with_last_known_elr"] += count if cell.has_last_known_elr else 0
        if cell.leader == NO_LEADER:
            sums["offline"] += count
            continue
        wanted = default_min_in_sync if cell.min_in_sync is None else cell.min_in_sync
        needed = min(wanted, cell.replicas)
        sums["under_replicated"] += count if cell.in_sync < cell.replicas - cell.adding else 0
        sums["under_min_in_sync"] += count if cell.in_sync < needed else 0
        sums["at_min_in_sync"] += count if cell.in_sync == needed else 0
    return PartitionFigures(**sums)


def led_by_broker(cells: Mapping[Cell, int]) -> dict[NodeId, int]:
    """How many partitions each broker leads, of those that lead any."""
    led: Counter[NodeId] = Counter()
    for cell, count in cells.items():
        if cell.leader != NO_LEADER:
            led[cell.leader] += count
    return dict(sorted(led.items()))
