"""The batches of a metadata log, replayed into a state, and that state in numbers.

Knows no clock and no socket. A snapshot replaces the state; it is loaded as its batches come, so
that it never lies in memory beside the state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.errors import PeerError
from metaquorum.base.ids import NodeId
from metaquorum.base.limits import MAX_TOPICS_SHOWN
from metaquorum.base.offsets import Epoch, Offset, OffsetAndEpoch
from metaquorum.client.log_record import FetchedBatch
from metaquorum.client.snapshot_question import header_time_ms
from metaquorum.exporter.cells import Cell, figures_of, led_by_broker
from metaquorum.exporter.figures import LogFigures, LogPlace, TopicFigures
from metaquorum.exporter.tally import Tally, default_min_in_sync
from metaquorum.metadata.entry_counts import entry_counts
from metaquorum.metadata.reading import walk_metadata_batch
from metaquorum.metadata.snapshot_reader import StateLoading
from metaquorum.metadata.state import MetadataState, Provenance
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.nodes import BrokerState, state_of
from metaquorum.records.batch import BatchHeader
from metaquorum.records.control import ControlType, controls_of
from metaquorum.records.metadata_record import MetadataRecord

LEADER_CHANGES: Final = "leader-changes"
RECORDS: Final = "records"
BYTES: Final = "bytes"
SNAPSHOTS: Final = "snapshots"


@define
class FollowedLog:
    """A log that is read from its beginning, or from a snapshot on.

    ``otherwise_min_in_sync`` is the min.insync.replicas of topics for which the log has none.
    ``in_detail`` has the tally name partitions and seats as well.
    ``position`` is where to go on, and ``epoch`` that of the record before it, None at the
    beginning.
    """

    otherwise_min_in_sync: int
    by_topic: bool = False
    in_detail: bool = False
    position: Offset = field(default=0, init=False)
    epoch: Epoch | None = field(default=None, init=False)
    events: Counter[str] = field(factory=Counter, init=False)
    is_live: bool = field(default=False, init=False)
    _tally: Tally = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._tally = Tally(MetadataState(), self.by_topic, in_detail=self.in_detail)

    def _replay_record(self, record: MetadataRecord, offset: Offset, header: BatchHeader) -> None:
        self._tally.replay(record, offset, header.leader_epoch, header.max_timestamp_ms)

    def cleared(self) -> Iterator[None]:
        """Forget the state and begin anew, in steps; the events stay counted."""
        self.events = self._all_events()
        state = self._tally.state
        self._tally = Tally(MetadataState(), self.by_topic, self.is_live, self.in_detail)
        self.position, self.epoch = 0, None
        yield from state.cleared()

    def go_live(self) -> None:
        """Count events from now on: the log was read to its end."""
        self.is_live = self._tally.is_live = True

    def replay(self, batch: FetchedBatch) -> None:
        """Take one committed batch of the log.

        InvariantViolated and BatchError say that a record cannot be read or replayed.
        """
        header = batch.header
        state = self._tally.state
        if header.is_control:
            self._count_controls(batch)
        elif header.next_offset > state.end_offset:
            records = walk_metadata_batch(batch.data, header)
            for offset, record in enumerate(records, start=header.base_offset):
                if offset >= state.end_offset:
                    self._replay_record(record, offset, header)
            state.close_batch()
        state.commit(header.next_offset)
        if self.is_live:
            self.events[RECORDS] += header.record_count
            self.events[BYTES] += header.size_bytes
        self.position, self.epoch = header.next_offset, header.leader_epoch

    def load(
        self, snapshot: OffsetAndEpoch, first: FetchedBatch, more: Iterator[FetchedBatch]
    ) -> Iterator[int]:
        """Take a snapshot's batches up to its footer; ``cleared`` comes before.

        It tells from time to time how many records were read, and how many there are in the end.
        PeerError is raised for a snapshot that ends before its footer, and what ``replay`` raises.
        """
        loading = StateLoading(
            until_footer(first, more),
            Provenance(snapshot.offset, snapshot.epoch, header_time_ms(first.data)),
        )
        yield from loading.slices()
        self._tally = Tally.of(loading.state, by_topic=self.by_topic, in_detail=self.in_detail)
        self._tally.is_live = self.is_live
        self.events[SNAPSHOTS] += 1
        self.position, self.epoch = snapshot.offset, snapshot.epoch
        yield loading.records

    @property
    def view(self) -> StateView:
        """The committed state as it is now; good until the next batch."""
        return self._tally.state.committed()

    @property
    def cells(self) -> Counter[Cell]:
        """The partitions, counted by what they have in common."""
        return self._tally.total.cells

    def figures(self, place: LogPlace, now_ms: Millis) -> LogFigures:
        """The committed state in numbers, as it is now; the reader knows the place."""
        view, provenance = self._tally.state.committed(), self._tally.state.provenance
        cells = self._tally.total.cells
        default = default_min_in_sync(view, self.otherwise_min_in_sync)
        by_topic = self._topics(view, default) if self.by_topic else ()
        return LogFigures(
            read_at_ms=now_ms,
            place=place,
            record_time_ms=provenance.timestamp_ms,
            brokers=_brokers(view),
            brokers_in_shutdown=sum(one.in_controlled_shutdown for _, one in view.brokers.items()),
            controllers=len(view.controllers),
            topics=len(view.topics),
            partitions=figures_of(cells, default),
            led_by_broker=led_by_broker(cells),
            features=dict(view.features),
            entries=entry_counts(view),
            events=self._all_events(),
            by_topic=by_topic,
            topics_left_out=len(view.topics) - len(by_topic) if self.by_topic else 0,
        )

    def _all_events(self) -> Counter[str]:
        return self.events + self._tally.total.events

    def _count_controls(self, batch: FetchedBatch) -> None:
        if self.is_live:
            for control in controls_of(batch.data, batch.header):
                self.events[LEADER_CHANGES] += control.type == ControlType.LEADER_CHANGE

    def _topics(self, view: StateView, default: int) -> tuple[TopicFigures, ...]:
        """By name; where there are more than may be shown, those in trouble come first."""
        rows = []
        for topic_id, cells in self._tally.total.by_topic.items():
            topic = view.topics.get(topic_id)
            if topic is not None:
                rows.append(TopicFigures(topic.name, figures_of(cells, default)))
        if len(rows) > MAX_TOPICS_SHOWN:
            rows.sort(key=lambda row: (not _is_in_trouble(row), row.name))
            del rows[MAX_TOPICS_SHOWN:]
        return tuple(sorted(rows, key=lambda row: row.name))


def until_footer(
    first: FetchedBatch, more: Iterator[FetchedBatch]
) -> Iterator[tuple[BatchHeader, memoryview]]:
    """The batches of one snapshot; whether the log goes on after it needs not be known."""
    batch: FetchedBatch | None = first
    while batch is not None:
        if batch.snapshot != first.snapshot:
            break
        yield batch.header, batch.data
        if batch.header.is_control and any(
            control.type == ControlType.SNAPSHOT_FOOTER
            for control in controls_of(batch.data, batch.header)
        ):
            return
        batch = next(more, None)
    raise PeerError("a snapshot without its footer")


def _brokers(view: StateView) -> dict[NodeId, BrokerState]:
    return {broker_id: state_of(one) for broker_id, one in sorted(view.brokers.items())}


def _is_in_trouble(row: TopicFigures) -> bool:
    found = row.partitions
    return bool(found.offline or found.under_replicated or found.under_min_in_sync)
