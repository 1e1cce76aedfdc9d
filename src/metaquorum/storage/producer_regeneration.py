"""Producer snapshots that are missing, made again out of the log (KIP-952).

Tiered storage wants ``N.snapshot`` beside every closed segment that ends at N; brokers before 2.8
kept the two newest only. A state is replayed from the newest valid snapshot before it. Without
one the replay begins at the first segment that is young enough for a producer in it not to be
expired; the older ones are only looked at, 61 bytes of each batch, because a transaction that is
open never expires, and its true beginning may lie in any of them.
"""

from __future__ import annotations

from enum import Enum

from attrs import define, field, frozen

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import NO_OFFSET, Offset
from metaquorum.records.batch import BatchHeader
from metaquorum.records.errors import BatchError
from metaquorum.storage.disk import Disk
from metaquorum.storage.names import PRODUCER_SNAPSHOT, parse_segment_file
from metaquorum.storage.partition_log import (
    PartitionSegment,
    RottenSegment,
    look_at_headers,
    segments_of,
    walk_segment,
)
from metaquorum.storage.producer_snapshot import DamagedSnapshot, read_producers
from metaquorum.storage.producer_state import (
    BrokenTransaction,
    ProducerDelta,
    ProducerEntry,
    applied,
    delta_of,
    living,
    state_of,
)

_NEVER: Offset = 1 << 63  # above every offset


class SnapshotState(Enum):
    """What was found in the place of a producer snapshot."""

    VALID = "valid"
    MISSING = "missing"
    DAMAGED = "damaged"


@frozen
class FoundSnapshot:
    """One place where tiered storage wants a snapshot; ``why`` it is damaged, else empty."""

    offset: Offset
    state: SnapshotState
    why: str = ""


@frozen
class Regenerated:
    """A state as of ``offset``, and what it took: whole segments, or their headers only."""

    offset: Offset
    entries: tuple[ProducerEntry, ...]
    replayed_from: Offset
    replayed_segments: int
    looked_at_segments: int


@frozen
class _Look:
    """The headers of a segment: its youngest timestamp, and what is open where it ends."""

    largest_timestamp_ms: Millis
    open_transactions: dict[int, Offset]


@define
class PartitionProducers:
    """The producers of one partition's directory, by offset; reads only.

    ``log_start`` is where the partition begins, below which there is nothing any more;
    ``now_ms`` and ``expiration_ms`` (``producer.id.expiration.ms``) say who is forgotten.
    """

    disk: Disk
    directory: str
    log_start: Offset
    now_ms: Millis
    expiration_ms: Millis
    segments: tuple[PartitionSegment, ...] = field(init=False)
    _looks: list[_Look] = field(factory=list, init=False)
    _rotten: dict[Offset, RottenSegment] = field(factory=dict, init=False)
    _at: Offset | None = field(default=None, init=False)
    _state: dict[int, ProducerEntry] = field(factory=dict, init=False)
    _replayed_from: Offset = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        self.segments = segments_of(self.disk, self.directory)
        self.log_start = max(self.log_start, self.segments[0].base if self.segments else 0)

    def wanted(self) -> tuple[FoundSnapshot, ...]:
        """Every place of a snapshot that a closed segment needs, and what is there."""
        ends = (one.end for one in self.segments if one.end is not None)
        return tuple(self._found(end) for end in ends if end > self.log_start)

    def state_at(self, offset: Offset) -> Regenerated:
        """The living producers after every record before ``offset``, the end of a segment.

        Offsets that rise from call to call are replayed in one pass. Raises RottenSegment.
        """
        before = [
            one
            for one in self.segments
            if one.end is not None and self.log_start < one.end <= offset
        ]
        looked_at = self._go_to_start(offset, before)
        to_replay = [one for one in before if one.end is not None and one.end > (self._at or 0)]
        for segment in to_replay:
            self._replay(segment)
        self._at = offset
        entries = living(self._state, self.now_ms, self.expiration_ms)
        return Regenerated(offset, entries, self._replayed_from, len(to_replay), looked_at)

    def first_unstable(self) -> Offset | None:
        """Where the oldest transaction begins that the log does not end; None without one.

        From the newest valid snapshot on, headers are looked at. What comes after rot is not
        known, so transactions that are open there count, and else the place itself.
        """
        newest = self._newest_snapshot(_NEVER)
        entries = read_producers(self.disk, self.directory, newest) if newest is not None else ()
        first = {one.producer_id: one.transaction_first_offset for one in entries or ()}
        still_open = {one: offset for one, offset in first.items() if offset != NO_OFFSET}
        start = newest if newest is not None else self.log_start
        try:
            for segment in self.segments:
                if segment.end is None or segment.end > start:
                    for _, header in look_at_headers(self.disk, segment):
                        if header.base_offset >= start:
                            _follow(still_open, header)
        except RottenSegment as error:
            still_open.setdefault(-1, error.offset)
        return min(still_open.values(), default=None)

    def _found(self, offset: Offset) -> FoundSnapshot:
        try:
            entries = read_producers(self.disk, self.directory, offset)
        except DamagedSnapshot as error:
            return FoundSnapshot(offset, SnapshotState.DAMAGED, str(error))
        state = SnapshotState.MISSING if entries is None else SnapshotState.VALID
        return FoundSnapshot(offset, state)

    def _go_to_start(self, offset: Offset, before: list[PartitionSegment]) -> int:
        """Have the state from which ``offset`` is reached; how many segments were looked at."""
        newest = self._newest_snapshot(offset)
        if self._at is not None and self._at <= offset and self._at >= (newest or 0):
            return 0
        if newest is not None:
            entries = read_producers(self.disk, self.directory, newest)
            self._at, self._replayed_from = newest, newest
            self._state = state_of(entries or ())
            return 0
        start, looked_at = self._window_start(before)
        self._at = self._replayed_from = max(start, self.log_start)
        self._state = {}
        return looked_at

    def _newest_snapshot(self, offset: Offset) -> Offset | None:
        """The newest valid snapshot before ``offset``, of any name."""
        names = self.disk.names(self.directory)
        found = (parse_segment_file(name, PRODUCER_SNAPSHOT) for name in names)
        inside = (one for one in found if one is not None and self.log_start < one < offset)
        for place in sorted(inside, reverse=True):
            if self._found(place).state is SnapshotState.VALID:
                return place
        return None

    def _window_start(self, before: list[PartitionSegment]) -> tuple[Offset, int]:
        """Where a replay without any snapshot begins, and how many segments were looked at.

        A segment is old if its youngest record is; from the first that is not, all are replayed,
        as a newer batch may carry an older time. Times that cannot be are taken for young.
        """
        oldest_ms = self.now_ms - self.expiration_ms
        for number, segment in enumerate(before):
            is_last = number + 1 == len(before)
            look = self._look(number, segment) if not is_last else None
            if look is None or not 0 <= look.largest_timestamp_ms < oldest_ms:
                start = segment.base
                if number:
                    still_open = self._looks[number - 1].open_transactions.values()
                    start = min(start, *still_open) if still_open else start
                return self._segment_base(start), len(self._looks)
        return self.log_start, 0

    def _segment_base(self, offset: Offset) -> Offset:
        return max(one.base for one in self.segments if one.base <= offset)

    def _look(self, number: int, segment: PartitionSegment) -> _Look:
        if number < len(self._looks):
            return self._looks[number]
        largest_ms = -1
        still_open = dict(self._looks[number - 1].open_transactions) if number else {}
        for _, header in look_at_headers(self.disk, segment):
            largest_ms = max(largest_ms, header.max_timestamp_ms)
            _follow(still_open, header)
        self._looks.append(_Look(largest_ms, still_open))
        return self._looks[number]

    def _replay(self, segment: PartitionSegment) -> None:
        """The batches of one segment from where the state is; after rot there is no state."""
        known = self._rotten.get(segment.base)
        if known is not None:
            self._at = None
            raise known
        try:
            deltas = segment_deltas(self.disk, segment, self._at or 0)
            self._state = applied(self._state, deltas)
        except RottenSegment as error:
            self._rotten[segment.base], self._at = error, None
            raise
        except BrokenTransaction as error:
            position = _position_of(self.disk, segment, error.offset)
            rotten = RottenSegment(segment.path, position, error.offset, str(error))
            self._rotten[segment.base], self._at = rotten, None
            raise rotten from None


def segment_deltas(
    disk: Disk, segment: PartitionSegment, start: Offset = 0
) -> dict[int, ProducerDelta]:
    """One segment's batches from ``start`` on, folded; RottenSegment for what is not as it must be.

    Segments may be folded apart from each other, and merged in their order (``merged``).
    """
    deltas: dict[int, ProducerDelta] = {}
    for placed in walk_segment(disk, segment):
        header = placed.header
        if header.next_offset <= start:
            continue
        try:
            delta = delta_of(header, placed.content)
        except BatchError as error:
            due = header.base_offset
            raise RottenSegment(segment.path, placed.position, due, error.reason) from None
        if delta is not None:
            before = deltas.get(header.producer_id)
            deltas[header.producer_id] = delta if before is None else before.then(delta)
    return deltas


def _follow(still_open: dict[int, Offset], header: BatchHeader) -> None:
    """Which transactions are open after one more batch, and where each begins."""
    if header.producer_id < 0:
        return
    if header.is_control and header.record_count > 0:
        still_open.pop(header.producer_id, None)
    elif header.is_transactional and not header.is_control:
        still_open.setdefault(header.producer_id, header.base_offset)


def _position_of(disk: Disk, segment: PartitionSegment, offset: Offset) -> int:
    batches = walk_segment(disk, segment)
    return next(one.position for one in batches if one.header.base_offset == offset)
