"""What the log gives to the screen: rows that are made where it is read, and never changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import field, frozen

from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.exporter.cells import Cell
from metaquorum.exporter.figures import LogFigures
from metaquorum.metadata.tables.nodes import BrokerState
from metaquorum.metadata.tables.topics import NO_LEADER, Partition

OFFLINE: Final = "offline"
UNDER_MIN: Final = "under min ISR"
UNDER_REPLICATED: Final = "under-replicated"
REASSIGNING: Final = "reassigning"
NOT_PREFERRED: Final = "not preferred"
TROUBLES: Final = (OFFLINE, UNDER_MIN, UNDER_REPLICATED, REASSIGNING, NOT_PREFERRED)
"""What may be wrong with a partition, the worst first."""
STATE_WORDS: Final[Mapping[BrokerState, str]] = {
    BrokerState.UNFENCED: "active",
    BrokerState.FENCED: "fenced",
    BrokerState.CONTROLLED_SHUTDOWN: "in shutdown",
}


@frozen
class Election:
    """A leader of the metadata log; ``since_ms`` since 1970, when it wrote its first record."""

    epoch: Epoch
    leader_id: NodeId
    since_ms: int


@frozen
class ChangeRow:
    """A change in words; ``kind`` is that of ``metadata diff``, or ``leader``, ``log``.

    ``time_ms`` since 1970 is when its batch was appended. ``number`` tells rows apart.
    """

    number: int
    offset: Offset
    time_ms: int
    kind: str
    words: str


@frozen
class BrokerRow:
    """A registered broker. ``directories_offline`` hold replicas and are not registered now."""

    id: NodeId
    state: BrokerState
    rack: str | None
    leaders: int
    replicas: int
    directories: int
    directories_offline: int
    end_point: str

    @property
    def state_words(self) -> str:
        """Its state as it is shown."""
        return STATE_WORDS.get(self.state, "fenced")

    @property
    def is_calm(self) -> bool:
        """Whether nothing about it asks for a look."""
        return self.state == BrokerState.UNFENCED and not self.directories_offline


@frozen
class PartitionRow:
    """A partition that is not as it should be, and in which ways."""

    topic: str
    number: int
    troubles: tuple[str, ...]
    leader: NodeId
    replicas: tuple[NodeId, ...]
    in_sync: tuple[NodeId, ...]

    @property
    def name(self) -> str:
        """Topic and number, as Kafka writes them."""
        return f"{self.topic}-{self.number}"


def troubles_of(cell: Cell, default_min_in_sync: int) -> tuple[str, ...]:
    """What is wrong with the partitions of a cell, by the rules of ``figures_of``."""
    found = []
    if cell.leader == NO_LEADER:
        found.append(OFFLINE)
    else:
        wanted = default_min_in_sync if cell.min_in_sync is None else cell.min_in_sync
        if cell.in_sync < min(wanted, cell.replicas):
            found.append(UNDER_MIN)
        if cell.in_sync < cell.replicas - cell.adding:
            found.append(UNDER_REPLICATED)
    if cell.is_reassigning:
        found.append(REASSIGNING)
    if not cell.is_preferred and cell.leader != NO_LEADER:
        found.append(NOT_PREFERRED)
    return tuple(found)


def partition_row(
    topic: str, number: int, partition: Partition, troubles: tuple[str, ...]
) -> PartitionRow:
    """The row of one partition."""
    return PartitionRow(
        topic, number, troubles, partition.leader, partition.replicas, partition.isr
    )


@frozen(kw_only=True)
class WatchedFigures(LogFigures):
    """What the exporter has of the log, and the rows; the last change and election come last."""

    broker_rows: tuple[BrokerRow, ...]
    partition_rows: tuple[PartitionRow, ...]
    changes: tuple[ChangeRow, ...]
    elections: tuple[Election, ...]
    controller_ends: Mapping[NodeId, str] = field(factory=dict)
