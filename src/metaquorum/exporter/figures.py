"""What the exporter knows at one moment, in numbers: of the log, of the quorum, of itself.

They are made by the threads that read and never changed, so a scrape takes the last ones and waits
for nobody. None stands for what is not known.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.client.quorum_view import Replica
from metaquorum.exporter.cells import PartitionFigures
from metaquorum.metadata.tables.nodes import BrokerState


@frozen
class TopicFigures:
    """One topic's partitions."""

    name: str
    partitions: PartitionFigures


@frozen
class LogPlace:
    """Where the reader is and whom it reads from; ``leader_id`` is -1 where that is not known."""

    position: Offset
    high_watermark: Offset
    log_start_offset: Offset
    leader_id: NodeId
    leader_epoch: Epoch


@frozen
class LogFigures:
    """The log, read up to a place, and the state that it amounts to.

    ``read_at_ms`` is when this was known, by a monotonic clock; ``record_time_ms`` when the last
    record of the state was written, in ms since 1970, -1 if never. ``brokers_in_shutdown`` may
    be fenced as well. ``entries`` counts what the state holds, ``events`` what happened since the
    log was first read to its end.
    """

    read_at_ms: Millis
    place: LogPlace
    record_time_ms: int
    brokers: Mapping[NodeId, BrokerState]
    brokers_in_shutdown: int
    controllers: int
    topics: int
    partitions: PartitionFigures
    led_by_broker: Mapping[NodeId, int]
    features: Mapping[str, int]
    entries: Mapping[str, int]
    events: Mapping[str, int]
    by_topic: tuple[TopicFigures, ...] = ()
    topics_left_out: int = 0


@frozen
class SnapshotFigures:
    """The leader's latest snapshot; ``contained_ms`` is the time of the last record in it."""

    end_offset: Offset
    contained_ms: int


@frozen
class QuorumFigures:
    """The quorum as its leader described it; ``asked_at_ms`` by a monotonic clock.

    ``log_end_offset`` is the leader's. ``snapshot`` is None while the leader has none.
    ``endpoints`` has what the answer tells of voters: listener name, host and port.
    """

    cluster_id: str
    leader_id: NodeId
    epoch: Epoch
    high_watermark: Offset
    log_end_offset: Offset
    replicas: tuple[Replica, ...]
    log_end_offsets: Mapping[NodeId, Offset]
    asked_at_ms: Millis
    snapshot: SnapshotFigures | None = None
    snapshot_is_known: bool = False
    endpoints: Mapping[NodeId, tuple[tuple[str, str, int], ...]] = field(factory=dict)


@frozen
class SourceFigures:
    """How one source of the exporter does; ``failing`` is the reason while it does not work.

    ``since_ms`` is the time since it worked last, None while it never did; ``why`` says in words
    what failed last.
    """

    failing: str | None
    since_ms: Millis | None
    failures: Mapping[str, int] = field(factory=dict)
    why: str = ""
