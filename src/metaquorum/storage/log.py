"""The log on disk: ordered segments, appended at the end, read by plans.

``append``, ``sync``, ``truncate`` and the other writing verbs belong to one thread. Reading verbs
may run in another at the same time: they see the list of segments and the ends that were
published last.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from metaquorum.base.clock import Millis
from metaquorum.base.epochs import EpochStarts
from metaquorum.base.errors import InvariantViolated
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.records.batch import BatchHeader, read_header
from metaquorum.records.control import ControlRecord, controls_of
from metaquorum.storage.disk import Disk
from metaquorum.storage.epoch_file import write_epochs
from metaquorum.storage.log_config import LogConfig
from metaquorum.storage.place import LogPlace
from metaquorum.storage.producer_snapshot import write_empty_producer_snapshot
from metaquorum.storage.read_plan import ReadPlan
from metaquorum.storage.recovery import Check, Recovered, RecoveryReport, recover
from metaquorum.storage.segment import Segment
from metaquorum.storage.timestamps import Found, first_at_or_after, last_maximum
from metaquorum.wire.slices import FileSlice


class OffsetOutOfRange(LookupError):
    """A read below the log's start or beyond its end."""


class Log:
    """One partition's log. Open it with ``Log.open``, end it with ``close``."""

    def __init__(self, disk: Disk, directory: str, config: LogConfig, found: Recovered) -> None:
        self.disk = disk
        self.directory = directory
        self.config = config
        self.epochs: EpochStarts = found.scan.epochs
        self.start_offset: Offset = found.segments[0].base_offset
        self._segments: tuple[Segment, ...] = tuple(found.segments)
        self._controls: list[tuple[Offset, bytes]] = found.scan.controls
        self._closed = False
        self._place = LogPlace.of(disk, directory)
        self.grows_fast = False  # more is to come at once: the file may reach beyond the end

    @classmethod
    def open(
        cls,
        disk: Disk,
        directory: str,
        config: LogConfig | None = None,
        check: Check = lambda report, scan: None,
    ) -> tuple[Log, RecoveryReport]:
        """Recover the directory and open what is in it; an empty log if there is nothing.

        Raises what ``recover`` does: RottenLog, OperatorError, OSError, DiskFailed.
        """
        config = config or LogConfig()
        found = recover(disk, directory, config, check)
        return cls(disk, directory, config, found), found.report

    @property
    def end_offset(self) -> Offset:
        """The offset that the next record will have; what is below may not be durable yet."""
        return self._segments[-1].tail.next_offset

    @property
    def last_epoch(self) -> Epoch:
        """The epoch of the last batch, 0 in an empty log."""
        return self.epochs.last_epoch

    @property
    def size_bytes(self) -> int:
        """All batches together, as retention counts them."""
        return sum(segment.tail.size_bytes for segment in self._segments)

    @property
    def segment_sizes(self) -> tuple[tuple[Offset, int], ...]:
        """Base offset and bytes of each segment, oldest first."""
        return tuple((one.base_offset, one.tail.size_bytes) for one in self._segments)

    # Writing

    def append(self, batches: Sequence[bytes]) -> None:
        """Write stamped batches at the end; they are durable after ``sync``.

        Raises InvariantViolated for a batch that does not continue the log, DiskFailed.
        """
        group: list[tuple[BatchHeader, bytes]] = []
        waiting_bytes = 0
        epochs = self.epochs
        for header, batch in self._continuing(batches):
            epochs = epochs.assigned(header.leader_epoch, header.base_offset)
            if self._segments[-1].wants_roll(header, waiting_bytes):
                self._put(group)
                group, waiting_bytes = [], 0
                self._roll(header.base_offset)
            group.append((header, batch))
            waiting_bytes += header.size_bytes
        self._put(group)
        if epochs is not self.epochs:
            self.epochs = epochs
            write_epochs(self.disk, self.directory, epochs)

    def append_to_last(self, batches: Sequence[bytes]) -> int | None:
        """As ``append``, if all of it goes to the last segment and its indexes: the descriptor of
        the segment, which is to be synced. None, and nothing written, if they begin a segment or
        an epoch.
        """
        segment, waiting_bytes = self._segments[-1], 0
        group = self._continuing(batches)
        for header, _ in group:
            if header.leader_epoch != self.last_epoch or segment.wants_roll(header, waiting_bytes):
                return None
            waiting_bytes += header.size_bytes
        self._put(group)
        return segment.log.fileno()

    def _continuing(self, batches: Sequence[bytes]) -> list[tuple[BatchHeader, bytes]]:
        """The batches with their headers; InvariantViolated unless they continue the log."""
        group: list[tuple[BatchHeader, bytes]] = []
        end = self.end_offset
        for batch in batches:
            header = read_header(batch)
            if header.size_bytes != len(batch) or header.base_offset != end:
                raise InvariantViolated(
                    f"a batch of {len(batch)} bytes for offset {header.base_offset} "
                    f"cannot follow a log that ends at {end}"
                )
            group.append((header, batch))
            end = header.next_offset
        return group

    def _put(self, group: list[tuple[BatchHeader, bytes]]) -> None:
        if group:
            self._segments[-1].append(group, preallocates=self.grows_fast)
            self._controls += [(h.base_offset, batch) for h, batch in group if h.is_control]

    def _roll(self, base_offset: Offset) -> None:
        if self._segments[-1].tail.size_bytes == 0:
            return
        self.check_place()
        self._segments[-1].seal()
        self._segments += (self._new_segment(base_offset),)

    def _new_segment(self, base_offset: Offset) -> Segment:
        segment = Segment.opened(self.disk, self.directory, base_offset, self.config, create=True)
        segment.log.truncate(0)
        segment.write_indexes()
        if base_offset > 0:
            write_empty_producer_snapshot(self.disk, self.directory, base_offset)
        self.disk.sync_directory(self.directory)
        return segment

    def sync(self) -> None:
        """Return when everything appended so far is durable; DiskFailed is final."""
        self._segments[-1].sync()

    def check_place(self) -> None:
        """DiskFailed if the directory, or a segment, is gone or another one has its name.

        For the thread that writes.
        """
        self._place.check([segment.log for segment in self._segments])

    def check_directory(self) -> None:
        """The same of the directory alone; for any thread."""
        self._place.check_directory()

    @property
    def is_preallocated(self) -> bool:
        """Whether the last file reaches beyond the end, for all to see."""
        return self._segments[-1].is_preallocated

    def release_preallocation(self) -> None:
        """End the last file where the log ends; raises DiskFailed."""
        self._segments[-1].give_back()

    def truncate(self, to: Offset) -> None:
        """Drop everything from ``to`` on, durably: data first, then epoch file, then indexes.

        A batch that straddles ``to`` goes whole. InvariantViolated below the log's start.
        """
        if to < self.start_offset:
            raise InvariantViolated(
                f"cannot truncate to {to}, the log starts at {self.start_offset}"
            )
        if to >= self.end_offset:
            return
        keep = [s for s in self._segments if s.base_offset < to] or [self._segments[0]]
        for segment in reversed(self._segments[len(keep) :]):
            segment.remove()
        if len(keep) < len(self._segments):
            self.disk.sync_directory(self.directory)
        self._segments = tuple(keep)
        keep[-1].truncate(to)
        end = self.end_offset
        self._controls = [(offset, batch) for offset, batch in self._controls if offset < end]
        self._save_epochs(self.epochs.truncated(end))
        keep[-1].write_indexes()

    def drop_prefix(self, before: Offset) -> None:
        """Start the log at ``before``: whole segments below it go, the last one never does.

        The caller has a snapshot at or beyond ``before``. InvariantViolated beyond the log's end.
        """
        if before > self.end_offset:
            raise InvariantViolated(f"cannot start at {before}, the log ends at {self.end_offset}")
        if before <= self.start_offset:
            return
        gone = [s for s in self._segments[:-1] if s.tail.next_offset <= before]
        self.start_offset = before  # a read in another thread is refused from here on
        self._segments = self._segments[len(gone) :]
        self._save_epochs(self.epochs.starting_at(before))
        base_offset = self._segments[0].base_offset
        self._controls = [item for item in self._controls if item[0] >= base_offset]
        for segment in gone:
            segment.remove()
        if gone:
            self.disk.sync_directory(self.directory)

    def restart_at(self, offset: Offset) -> None:
        """Throw everything away and begin, empty, at ``offset``: the end of a new snapshot."""
        old = self._segments
        for segment in reversed(old):
            segment.remove()
        self.disk.sync_directory(self.directory)
        self._segments = (self._new_segment(offset),)
        self.start_offset = offset
        self._controls = []
        self._save_epochs(EpochStarts())

    def _save_epochs(self, epochs: EpochStarts) -> None:
        if epochs != self.epochs:
            self.epochs = epochs
            write_epochs(self.disk, self.directory, epochs)

    def close(self) -> None:
        """Sync, trim and close, leaving the directory as a cleanly stopped Kafka does."""
        if self._closed:
            return
        self._closed = True
        self._segments[-1].seal()
        if self.end_offset > 0:
            write_empty_producer_snapshot(self.disk, self.directory, self.end_offset)
        self.disk.sync_directory(self.directory)
        for segment in self._segments:
            segment.close()
        self._place.close()

    # Reading

    def read_plan(
        self, offset: Offset, max_bytes: int, below: Offset, whole_first: bool = True
    ) -> ReadPlan:
        """Whole batches from the one that holds ``offset``: at most ``max_bytes`` of them.

        No offset at or above ``below`` is in it. ``whole_first``: the first batch comes even if it
        alone is larger. Raises OffsetOutOfRange.
        """
        if not self.start_offset <= offset <= self.end_offset:
            raise OffsetOutOfRange(
                f"offset {offset}, the log has {self.start_offset} to {self.end_offset}"
            )
        slices: list[FileSlice] = []
        next_offset = offset
        left_bytes = max_bytes
        segments = self._from(offset)
        if segments[0].base_offset > offset:  # it went since the check above
            raise OffsetOutOfRange(f"offset {offset} is gone")
        for segment in segments:
            start = segment.position_of(offset) if not slices else 0
            plan = segment.plan(start, left_bytes, below, whole_first=whole_first and not slices)
            if plan.size_bytes == 0:
                break
            slices.append(segment.slice(plan))
            next_offset = plan.next_offset
            left_bytes -= plan.size_bytes
            if left_bytes <= 0 or start + plan.size_bytes < segment.tail.size_bytes:
                break
        total = sum(map(len, slices))
        return ReadPlan(tuple(slices), next_offset, total)

    def read(self, offset: Offset, max_bytes: int, below: Offset) -> bytes:
        """The bytes of a plan, joined."""
        plan = self.read_plan(offset, max_bytes, below)
        return b"".join(self.disk.read_slice(part) for part in plan.slices)

    def batches(self, from_offset: Offset = 0) -> Iterator[tuple[BatchHeader, memoryview]]:
        """Batches from the one that holds ``from_offset``, or the log's first, up to the end."""
        offset = max(from_offset, self.start_offset)
        for segment in self._from(offset):
            start = segment.position_of(offset)
            for header, position in segment.headers(start, segment.tail.size_bytes):
                content = segment.log.read(position, header.size_bytes)
                yield header, memoryview(content)

    def control_records(self) -> list[tuple[Offset, Epoch, ControlRecord]]:
        """All control records of the log with the offset and epoch of each, in order."""
        return [
            (control.offset, header.leader_epoch, control)
            for _, batch in self._controls
            if (header := read_header(batch))
            for control in controls_of(batch, header)
        ]

    def offset_for_timestamp(self, timestamp_ms: Millis, below: Offset) -> Found | None:
        """The first record, control records included, that is at least as young.

        ListOffsets with a timestamp: (offset, its real timestamp, epoch), or None.
        """
        return first_at_or_after(self._segments, timestamp_ms, self.start_offset, below)

    def max_timestamp(self, below: Offset) -> Found | None:
        """The first record with the largest timestamp: ListOffsets with -3 (KIP-734)."""
        return last_maximum(self._segments, self.start_offset, below)

    def _from(self, offset: Offset) -> tuple[Segment, ...]:
        """The segments from the one that holds ``offset``."""
        segments = self._segments
        at = bisect_right(segments, offset, key=lambda segment: segment.base_offset) - 1
        return segments[max(at, 0) :]
