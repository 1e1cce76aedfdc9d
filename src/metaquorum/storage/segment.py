"""One segment of a log: a file of batches and the two sparse indexes beside it.

Writes come from one thread. Reads may come from another: they see the end that was published
last (``tail``), and the files below it do not change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from struct import unpack_from

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.limits import MAX_PLAN_ENDS
from metaquorum.base.offsets import Offset
from metaquorum.base.value import value
from metaquorum.records.batch import BATCH_OVERHEAD_BYTES, BatchHeader, read_header
from metaquorum.storage import names
from metaquorum.storage.disk import Disk, File
from metaquorum.storage.log_config import LogConfig
from metaquorum.storage.offset_index import ENTRY_BYTES as OFFSET_ENTRY_BYTES
from metaquorum.storage.offset_index import OffsetIndex
from metaquorum.storage.preallocation import MARK
from metaquorum.storage.recent_batches import RecentBatches
from metaquorum.storage.time_index import ENTRY_BYTES as TIME_ENTRY_BYTES
from metaquorum.storage.time_index import TimeIndex
from metaquorum.wire.slices import FileSlice

_WINDOW_BYTES = 16_384
MAX_RELATIVE_OFFSET = 2**31 - 1  # what an entry of an index can say


@value
class Tail:
    """Where the segment ends: bytes in the file, and the offset that comes next."""

    size_bytes: int
    next_offset: Offset


@value
class SegmentPlan:
    """A run of whole batches: where it lies, and the offset after it."""

    position: int
    size_bytes: int
    next_offset: Offset


@define(eq=False)
class Segment:
    """A segment in memory; ``sealed`` when it takes no more appends."""

    disk: Disk
    directory: str
    base_offset: Offset
    config: LogConfig
    log: File
    offsets: OffsetIndex
    times: TimeIndex
    tail: Tail
    first_timestamp_ms: Millis | None = None
    max_timestamp_ms: Millis = -1
    max_timestamp_offset: Offset = -1  # last offset of the batch that holds it
    _recent: RecentBatches = field(factory=RecentBatches)
    _plan_ends: dict[Offset, int] = field(factory=dict)  # where the batches behind plans begin
    _bytes_since_entry: int = 0
    _has_closing_entry: bool = False
    _index_files: tuple[File, File] | None = field(default=None)
    _reserved_bytes: int = 0
    _is_preallocated: bool = False
    _is_preallocation_refused: bool = False

    @classmethod
    def opened(
        cls, disk: Disk, directory: str, base_offset: Offset, config: LogConfig, *, create: bool
    ) -> Segment:
        """The segment at ``base_offset`` with its log file open and nothing known about it yet."""
        path = f"{directory}/{names.segment_file(base_offset, names.LOG)}"
        return cls(
            disk,
            directory,
            base_offset,
            config,
            disk.open(path, create=create),
            OffsetIndex(base_offset),
            TimeIndex(base_offset),
            Tail(0, base_offset),
        )

    def path(self, suffix: str) -> str:
        """Where the segment's file of this kind is."""
        return f"{self.directory}/{names.segment_file(self.base_offset, suffix)}"

    # Appending

    def track(self, header: BatchHeader, position: int) -> tuple[bytes, bytes]:
        """Take note of a batch at ``position``; returns the index bytes that it gives rise to."""
        if self.first_timestamp_ms is None:
            self.first_timestamp_ms = header.max_timestamp_ms
        if header.max_timestamp_ms > self.max_timestamp_ms:
            self.max_timestamp_ms = header.max_timestamp_ms
            self.max_timestamp_offset = header.last_offset
        self._recent.add(header.base_offset, header.last_offset, position)
        entry = closing = b""
        if self._bytes_since_entry > self.config.index_interval_bytes:
            entry = self.offsets.add(header.last_offset, position)
            closing = self.times.add(self.max_timestamp_ms, self.max_timestamp_offset)
            self._bytes_since_entry = 0
        self._bytes_since_entry += header.size_bytes
        return entry, closing

    def append(
        self, batches: Sequence[tuple[BatchHeader, bytes]], *, preallocates: bool = False
    ) -> None:
        """Write batches at the end and publish them to readers; raises DiskFailed.

        ``preallocates``: others follow at once, and are to find the file large enough.
        """
        position = self.tail.size_bytes
        more_bytes = sum([header.size_bytes for header, _ in batches])
        self._reserve(more_bytes + len(MARK), preallocates=preallocates)
        self.log.append([content for _, content in batches], MARK if self._is_preallocated else b"")
        if self._has_closing_entry:
            self._take_back_closing_entry()
        entries: list[bytes] = []
        times: list[bytes] = []
        for header, _ in batches:
            entry, time_entry = self.track(header, position)
            entries.append(entry)
            times.append(time_entry)
            position += header.size_bytes
        self.tail = Tail(position, batches[-1][0].next_offset)
        if any(entries):
            offset_file, time_file = self._open_indexes()
            offset_file.append([b"".join(entries)])
            time_file.append([b"".join(times)])

    def _reserve(self, more_bytes: int, *, preallocates: bool) -> None:
        step = self.config.preallocate_bytes
        begins = preallocates and not self._is_preallocated and not self._is_preallocation_refused
        if not step or not (begins or self.tail.size_bytes + more_bytes > self._reserved_bytes):
            return
        if begins or self._is_preallocated:
            self._is_preallocated = self.log.make_room(more_bytes + step, MARK)
            self._is_preallocation_refused = not self._is_preallocated
            if self._is_preallocation_refused:
                self.log.truncate(self.tail.size_bytes)
        if not self._is_preallocated:
            self.log.preallocate(more_bytes + step)
        self._reserved_bytes = self.tail.size_bytes + more_bytes + step

    @property
    def is_preallocated(self) -> bool:
        """Whether the file reaches beyond its batches, for all to see."""
        return self._is_preallocated

    def give_back(self) -> None:
        """End the file where its batches end, not durably; raises DiskFailed."""
        if self._reserved_bytes or self._is_preallocated:
            self.log.truncate(self.tail.size_bytes)
            self._reserved_bytes, self._is_preallocated = 0, False

    def wants_roll(self, header: BatchHeader, waiting_bytes: int = 0) -> bool:
        """Whether this batch should begin a new segment, by Kafka's rules but for jitter.

        ``waiting_bytes`` are those of batches that will be written before it. Age is known by the
        batches alone: a batch older than the segment's first never rolls it.
        """
        size_bytes = self.tail.size_bytes + waiting_bytes
        if size_bytes == 0:
            return False
        first_ms = self.first_timestamp_ms
        return (
            size_bytes > self.config.segment_bytes - header.size_bytes
            or (
                first_ms is not None and header.max_timestamp_ms - first_ms > self.config.segment_ms
            )
            or len(self.offsets) >= self.config.index_bytes // OFFSET_ENTRY_BYTES
            or len(self.times) >= self.config.index_bytes // TIME_ENTRY_BYTES - 1
            or header.last_offset - self.base_offset > MAX_RELATIVE_OFFSET
        )

    def sync(self) -> None:
        """Make the batches durable; the indexes are not worth it. Raises DiskFailed."""
        self.log.sync()

    # Indexes

    def add_closing_entry(self) -> bytes:
        """Name the maximum timestamp once more at the end, as a rolled or closed segment does."""
        if self.max_timestamp_offset < 0:
            return b""
        entry = self.times.add(self.max_timestamp_ms, self.max_timestamp_offset)
        self._has_closing_entry = bool(entry)
        return entry

    def _take_back_closing_entry(self) -> None:
        self.times.drop_last()
        self._has_closing_entry = False
        self._open_indexes()[1].truncate(len(self.times) * TIME_ENTRY_BYTES)

    def _open_indexes(self) -> tuple[File, File]:
        if self._index_files is None:
            self._index_files = (
                self.disk.open(self.path(names.OFFSET_INDEX), create=True),
                self.disk.open(self.path(names.TIME_INDEX), create=True),
            )
        return self._index_files

    def write_indexes(self) -> list[str]:
        """Make both index files equal to what is in memory; returns the kinds that differed."""
        changed: list[str] = []
        wanted = (
            (names.OFFSET_INDEX, self.offsets.encoded()),
            (names.TIME_INDEX, self.times.encoded()),
        )
        for file, (suffix, content) in zip(self._open_indexes(), wanted):
            if file.size() != len(content) or file.read(0, len(content)) != content:
                file.truncate(0)
                file.append([content])
                changed.append(suffix)
        return changed

    def seal(self) -> None:
        """Close the indexes with a last entry, give reserved space back, make all durable."""
        self.give_back()
        self.log.sync()
        self.add_closing_entry()
        self.write_indexes()
        for file in self._open_indexes():
            file.sync()
        self.close_indexes()

    def close_indexes(self) -> None:
        """Close the index files; they open again when there is something to write."""
        if self._index_files is not None:
            for file in self._index_files:
                file.close()
            self._index_files = None

    def close(self) -> None:
        """Give the descriptors back; slices out in the world keep theirs."""
        self.close_indexes()
        self.log.close()

    def remove(self) -> None:
        """Unlink the files; a holder of a slice goes on reading the bytes."""
        self.close_indexes()
        for suffix in (*names.INDEXES, names.PRODUCER_SNAPSHOT, names.LOG):
            self.disk.unlink(self.path(suffix))

    # Reading

    def headers(self, position: int, end: int) -> Iterator[tuple[BatchHeader, int]]:
        """Headers with their positions, from the batch that starts at ``position`` up to ``end``.

        Only headers are read when batches are larger than a window, and of the first batch in any
        case: most readers look no further.
        """
        window = b""
        start = position
        ahead = BATCH_OVERHEAD_BYTES
        while position < end:
            if position + BATCH_OVERHEAD_BYTES > start + len(window):
                start = position
                window = self.log.read(position, min(ahead, end - position))
                if len(window) < BATCH_OVERHEAD_BYTES:
                    return  # truncated meanwhile by the thread that writes
            header = read_header(window, position - start)
            yield header, position
            size_bytes = header.size_bytes
            position += size_bytes
            ahead = _WINDOW_BYTES if size_bytes < _WINDOW_BYTES else BATCH_OVERHEAD_BYTES

    def position_of(self, offset: Offset) -> int:
        """Where the batch starts that holds ``offset``; the end of the file if none does."""
        tail = self.tail
        if offset >= tail.next_offset:
            return tail.size_bytes
        known = self._recent.position_of(offset)
        if known is None:
            known = self._plan_ends.get(offset)
        if known is not None:
            return known
        start = self.offsets.position_before(offset)
        for header, position in self.headers(start, tail.size_bytes):
            if header.last_offset >= offset:
                return position
        return tail.size_bytes

    def plan(self, start: int, max_bytes: int, below: Offset, *, whole_first: bool) -> SegmentPlan:
        """Whole batches from position ``start``: at most ``max_bytes``, all under ``below``.

        With ``whole_first`` the first batch is taken even if it alone is larger.
        """
        plan_ends = self._plan_ends  # taken first: who truncates moves the tail, then puts new ones
        tail = self.tail
        if below >= tail.next_offset and tail.size_bytes - start <= max_bytes:
            return SegmentPlan(start, tail.size_bytes - start, tail.next_offset)
        limit = min(tail.size_bytes, start + max_bytes)
        place = min(self.offsets.last_position_until(limit), self.offsets.position_before(below))
        end = max(start, place)
        next_offset = tail.next_offset
        for header, position in self.headers(end, tail.size_bytes):
            after = position + header.size_bytes
            fits = after <= limit or (whole_first and position == start)
            if not fits or header.last_offset >= below:
                next_offset = header.base_offset
                if len(plan_ends) >= MAX_PLAN_ENDS:
                    plan_ends.clear()
                plan_ends[next_offset] = position
                break
            end, next_offset = after, header.next_offset
        return SegmentPlan(start, end - start, next_offset)

    def slice(self, plan: SegmentPlan) -> FileSlice:
        """The plan as a piece of the file; the slice pins the descriptor."""
        file = self.log
        return FileSlice(file.fileno(), plan.position, plan.size_bytes, file, plan.next_offset)

    def base_offset_at(self, position: int) -> Offset:
        """The base offset of the batch that starts at ``position``."""
        base: int = unpack_from(">q", self.log.read(position, 8))[0]
        return base

    # Truncating

    def truncate(self, to: Offset) -> None:
        """Drop every batch that holds ``to`` or more; a batch that straddles it goes whole."""
        position = self.position_of(to)
        if position == self.tail.size_bytes:
            return
        last = Tail(position, self.base_offset_at(position))
        self.tail = last
        self.log.truncate(position)
        self.log.sync()
        self._reserved_bytes, self._is_preallocated = 0, False
        self.recount()
        self.write_indexes()

    def recount(self) -> None:
        """Build indexes and maxima anew from the headers up to the tail."""
        fresh = Segment(
            self.disk,
            self.directory,
            self.base_offset,
            self.config,
            self.log,
            OffsetIndex(self.base_offset),
            TimeIndex(self.base_offset),
            self.tail,
        )
        for header, position in self.headers(0, self.tail.size_bytes):
            fresh.track(header, position)
        self.offsets, self.times, self._recent = fresh.offsets, fresh.times, fresh._recent
        self._plan_ends = fresh._plan_ends
        self.first_timestamp_ms = fresh.first_timestamp_ms
        self.max_timestamp_ms = fresh.max_timestamp_ms
        self.max_timestamp_offset = fresh.max_timestamp_offset
        self._bytes_since_entry = fresh._bytes_since_entry
        self._has_closing_entry = False
