"""The exporter's log, followed for a screen: what changed last in words, and rows of tables.

The thread that reads replays here. It leaves its rows in ``figures`` as values; who wants to look
into the state itself calls ``look``, which waits for one batch at most.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar

from attrs import define, evolve, field, fields, frozen

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.limits import (
    MAX_CHANGE_CHARS,
    MAX_CHANGES_KEPT,
    MAX_CHANGES_OF_BATCH,
    MAX_LEADERS_KEPT,
    MAX_RECENT_LOG_BYTES,
    MAX_SCREEN_ROWS,
)
from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.cli.metadata_extract import Extract, Few, extract
from metaquorum.cli.top.change_words import control_words, record_words
from metaquorum.cli.top.rows import (
    TROUBLES,
    BrokerRow,
    ChangeRow,
    Election,
    PartitionRow,
    WatchedFigures,
    partition_row,
    troubles_of,
)
from metaquorum.client.log_record import FetchedBatch, LogRecord
from metaquorum.config.listeners import bracketed
from metaquorum.controller.partitions.facts import LOST_DIRECTORY, UNASSIGNED_DIRECTORY
from metaquorum.exporter.figures import LogFigures, LogPlace
from metaquorum.exporter.followed_log import FollowedLog
from metaquorum.exporter.tally import Tally, default_min_in_sync
from metaquorum.metadata.state import ABORT_TRANSACTION, BEGIN_TRANSACTION
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.nodes import NodeEndpoint, state_of
from metaquorum.metadata.tables.topics import MIGRATING_DIRECTORY
from metaquorum.records.batch import BatchHeader
from metaquorum.records.control import ControlType, controls_of
from metaquorum.records.metadata_record import MetadataRecord

T = TypeVar("T")

NO_PLACES: Final = frozenset((MIGRATING_DIRECTORY, UNASSIGNED_DIRECTORY))
_TOPIC, _PARTITION = 2, 3


@frozen
class _Seen:
    """A record that changed something, until its words are made."""

    offset: Offset
    time_ms: int
    before: Extract
    after: Extract


@define
class WatchedLog(FollowedLog):
    """A followed log, in detail."""

    in_detail: bool = True
    _lock: threading.Lock = field(factory=threading.Lock, init=False)
    _seen: deque[_Seen | ChangeRow] = field(
        factory=lambda: deque(maxlen=MAX_CHANGES_KEPT), init=False
    )
    _rows: deque[ChangeRow] = field(factory=lambda: deque(maxlen=MAX_CHANGES_KEPT), init=False)
    _elections: deque[Election] = field(factory=lambda: deque(maxlen=MAX_LEADERS_KEPT), init=False)
    _recent: deque[FetchedBatch] = field(factory=deque, init=False)
    _recent_bytes: int = field(default=0, init=False)
    _of_batch: list[_Seen] = field(factory=list, init=False)
    _created: dict[Uuid, int] = field(factory=dict, init=False)
    _left_out: int = field(default=0, init=False)
    _in_transaction: list[_Seen | ChangeRow] | None = field(default=None, init=False)
    _count: int = field(default=0, init=False)

    def look(self, read: Callable[[StateView], T], within_s: float) -> T | None:
        """What ``read`` makes of the committed state; None when there was no turn in time.

        Any thread may call it; the log waits meanwhile, so ``read`` has to be short.
        """
        if not self._lock.acquire(timeout=within_s):
            return None
        try:
            return read(self._tally.state.committed())
        finally:
            self._lock.release()

    def record_at(self, offset: Offset, within_s: float) -> LogRecord | None:
        """The record of that offset, while its batch is among the last ones."""
        if not self._lock.acquire(timeout=within_s):
            return None
        try:
            batches = tuple(self._recent)
        finally:
            self._lock.release()
        for batch in reversed(batches):
            if batch.header.base_offset <= offset < batch.header.next_offset:
                return next((one for one in batch.records() if one.offset == offset), None)
        return None

    # ------------------------------------------------------------ replaying

    def cleared(self) -> Iterator[None]:
        """Forget the state, and what was told of it."""
        with self._lock:
            self._elections.clear()
            self._recent.clear()
            self._recent_bytes = 0
            self._in_transaction = None
            yield from super().cleared()

    def load(
        self, snapshot: OffsetAndEpoch, first: FetchedBatch, more: Iterator[FetchedBatch]
    ) -> Iterator[int]:
        """Take a snapshot; what led to it is not told."""
        yield from super().load(snapshot, first, more)
        time_ms = self._tally.state.provenance.timestamp_ms
        words = f"snapshot loaded, it ends at offset {snapshot.offset}, epoch {snapshot.epoch}"
        self._tell("log", snapshot.offset, time_ms, words)

    def replay(self, batch: FetchedBatch) -> None:
        """Take one committed batch."""
        with self._lock:
            self._open_batch()
            self._keep(batch)
            if batch.header.is_control and batch.header.base_offset >= self.position:
                self._controls(batch)
            super().replay(batch)
            self._close_batch(batch.header)

    def _replay_record(self, record: MetadataRecord, offset: Offset, header: BatchHeader) -> None:
        view = self._tally.state.live()
        before = self._before(record, view)
        super()._replay_record(record, offset, header)
        if before is not None:
            after = extract(record, view)
            assert after is not None
            self._of_batch.append(_Seen(offset, header.max_timestamp_ms, before, after))
        if BEGIN_TRANSACTION <= record.type <= ABORT_TRANSACTION:
            self._transaction(record.type, offset, header.max_timestamp_ms)

    def _before(self, record: MetadataRecord, view: StateView) -> Extract | None:
        """What a record is about to change; None where it needs no line of its own."""
        if record.type == _TOPIC:
            self._created[bytes(record.message.topic_id)] = len(self._of_batch)
        elif record.type == _PARTITION and bytes(record.message.topic_id) in self._created:
            return None  # told with its topic
        if len(self._of_batch) < MAX_CHANGES_OF_BATCH:
            return extract(record, view)
        self._left_out += 1
        return None

    def _transaction(self, kind: int, offset: Offset, time_ms: int) -> None:
        if kind == BEGIN_TRANSACTION:
            self._in_transaction = []
            return
        held, self._in_transaction = self._in_transaction or [], None
        if kind == ABORT_TRANSACTION:
            self._of_batch.clear()
            self._tell("log", offset, time_ms, "metadata transaction aborted")
        else:
            self._seen.extend(held)

    def _close_batch(self, header: BatchHeader) -> None:
        view = self._tally.state.live()
        for topic_id, at in self._created.items():
            if at < len(self._of_batch) and (topic := view.topics.get(topic_id)) is not None:
                seen = self._of_batch[at]
                if topic_id in seen.after.topics:  # now with all its partitions
                    after = Extract(topics=Few({topic_id: topic}))
                    self._of_batch[at] = evolve(seen, after=after)
        for seen in self._of_batch:
            self._append(seen)
        if self._left_out:
            last = self._of_batch[-1].offset if self._of_batch else header.base_offset
            words = f"and {self._left_out:,} records more of that batch"
            self._tell("log", last + 1, header.max_timestamp_ms, words)

    def _open_batch(self) -> None:
        """What a batch left that could not be read goes."""
        self._of_batch.clear()
        self._created.clear()
        self._left_out = 0

    def _controls(self, batch: FetchedBatch) -> None:
        header = batch.header
        for control in controls_of(batch.data, header):
            if control.type == ControlType.LEADER_CHANGE:
                leader_id = control.message.leader_id
                self._elections.append(
                    Election(header.leader_epoch, leader_id, header.max_timestamp_ms)
                )
            words = control_words(control, header.leader_epoch)
            if words:
                self._tell("leader", control.offset, header.max_timestamp_ms, words)

    def _tell(self, kind: str, offset: Offset, time_ms: int, words: str) -> None:
        self._append(ChangeRow(0, offset, time_ms, kind, words))

    def _append(self, one: _Seen | ChangeRow) -> None:
        if self._in_transaction is None:
            self._seen.append(one)
        elif len(self._in_transaction) < MAX_CHANGES_KEPT:
            self._in_transaction.append(one)

    def _keep(self, batch: FetchedBatch) -> None:
        """Its bytes, copied: the answer that they came in may be far longer."""
        size_bytes = batch.header.size_bytes
        if size_bytes > MAX_RECENT_LOG_BYTES:
            return
        self._recent.append(FetchedBatch(batch.header, memoryview(bytes(batch.data))))
        self._recent_bytes += size_bytes
        while self._recent_bytes > MAX_RECENT_LOG_BYTES or len(self._recent) > MAX_CHANGES_KEPT:
            self._recent_bytes -= self._recent.popleft().header.size_bytes

    # ------------------------------------------------------------ figures

    def figures(self, place: LogPlace, now_ms: Millis) -> WatchedFigures:
        """The state in numbers and rows."""
        base = super().figures(place, now_ms)
        tally, view = self._tally, self._tally.state.committed()
        tally.look_again()
        known: dict[str, Any] = {one.name: getattr(base, one.name) for one in fields(LogFigures)}
        self._make_words()
        return WatchedFigures(
            **known,
            broker_rows=_broker_rows(tally, view, base),
            partition_rows=_partition_rows(
                tally, view, default_min_in_sync(view, self.otherwise_min_in_sync)
            ),
            changes=tuple(self._rows),
            elections=tuple(self._elections),
            controller_ends={
                controller_id: end_point(one.endpoints)
                for controller_id, one in view.controllers.items()
            },
        )

    def _make_words(self) -> None:
        while self._seen:
            one = self._seen.popleft()
            found = (
                ((one.kind, one.words),)
                if isinstance(one, ChangeRow)
                else record_words(one.before, one.after)
            )
            for kind, words in found:
                self._count += 1
                words = (
                    words if len(words) <= MAX_CHANGE_CHARS else f"{words[:MAX_CHANGE_CHARS]}..."
                )
                self._rows.append(ChangeRow(self._count, one.offset, one.time_ms, kind, words))


def end_point(endpoints: tuple[NodeEndpoint, ...]) -> str:
    """Where a node listens first, the empty text where it said nothing."""
    return f"{bracketed(endpoints[0].host)}:{endpoints[0].port}" if endpoints else ""


def _broker_rows(tally: Tally, view: StateView, base: LogFigures) -> tuple[BrokerRow, ...]:
    """Those that are not calm first, then by id."""
    replicas: Counter[NodeId] = Counter()
    offline: Counter[NodeId] = Counter()
    for (broker_id, directory), count in tally.total.seats.items():
        replicas[broker_id] += count
        broker = view.brokers.get(broker_id)
        if directory in NO_PLACES or broker is None or not broker.log_dirs:
            continue
        offline[broker_id] += directory == LOST_DIRECTORY or directory not in broker.log_dirs
    rows = [
        BrokerRow(
            broker_id,
            state_of(one),
            one.rack,
            base.led_by_broker.get(broker_id, 0),
            replicas[broker_id],
            len(one.log_dirs),
            offline[broker_id],
            end_point(one.endpoints),
        )
        for broker_id, one in view.brokers.items()
    ]
    rows.sort(key=lambda row: (row.is_calm, row.id))
    return tuple(rows[:MAX_SCREEN_ROWS])


def _partition_rows(tally: Tally, view: StateView, default: int) -> tuple[PartitionRow, ...]:
    """The worst first, then by name."""
    troubles = {cell: troubles_of(cell, default) for cell in set(tally.troubled.values())}
    found = []
    for key, cell in tally.troubled.items():
        told = troubles[cell]
        topic = view.topics.get(key[0]) if told else None
        if topic is not None:
            found.append((TROUBLES.index(told[0]), topic.name, key[1], key, told))
    found.sort()
    rows = []
    for _, name, number, key, told in found[:MAX_SCREEN_ROWS]:
        partition = view.partitions.get(key)
        if partition is not None:
            rows.append(partition_row(name, number, partition, told))
    return tuple(rows)
