"""Snapshot files of a log directory: list, read by slices, write beside and freeze, delete.

KIP-630. A finished snapshot is never written again (mode 0400). It appears under its name only
after its bytes are durable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.limits import SNAPSHOT_SYNC_BYTES
from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.records.batch import BatchHeader
from metaquorum.storage.disk import Disk, File
from metaquorum.storage.names import parse_snapshot_file, snapshot_file, snapshot_part_file
from metaquorum.storage.place import DELETED, displaced
from metaquorum.storage.snapshot_check import (
    SnapshotFacts,
    checked_batches,
    control_batches,
    read_last_contained_ms,
    verify_file,
)
from metaquorum.wire.slices import FileSlice


def list_snapshots(disk: Disk, directory: str) -> tuple[OffsetAndEpoch, ...]:
    """Finished snapshots, oldest first (by epoch, then offset); names that are none are ignored."""
    found = [parse_snapshot_file(name) for name in disk.names(directory)]
    return tuple(sorted(snapshot for snapshot in found if snapshot is not None))


@define(eq=False)
class SnapshotPart:
    """A snapshot that is being written; ``position`` is how many bytes it has.

    It is synced piece by piece: a sync of the log waits for what another file has to write at that
    time, which would be all of a large snapshot (docs/decisions/271).
    """

    disk: Disk
    directory: str
    snapshot: OffsetAndEpoch
    file: File
    _synced_bytes: int = 0

    @classmethod
    def begun(cls, disk: Disk, directory: str, snapshot: OffsetAndEpoch) -> SnapshotPart:
        """An empty part; one left over from before is overwritten."""
        file = disk.open(f"{directory}/{snapshot_part_file(snapshot)}", create=True)
        file.truncate(0)
        return cls(disk, directory, snapshot, file)

    @property
    def position(self) -> int:
        """Bytes written so far, where the next ones go."""
        return self.file.size()

    def append(self, data: bytes | memoryview) -> None:
        """Write more; it is no snapshot before ``freeze``. Raises DiskFailed."""
        self.append_all([data])

    def append_all(self, pieces: Sequence[bytes | memoryview]) -> None:
        """The same for several pieces at once."""
        if pieces:
            self.file.append(pieces)
        if self.position - self._synced_bytes >= SNAPSHOT_SYNC_BYTES:
            self.file.sync()
            self._synced_bytes = self.position

    def freeze(self) -> SnapshotFacts:
        """Verify, sync, protect, rename: afterwards the snapshot exists.

        Raises BadSnapshot and leaves the part where it is, for ``discard``; raises DiskFailed.
        """
        facts = verify_file(self.file, self.snapshot)
        self.file.sync()
        self.file.make_read_only()
        self.file.close()
        final = f"{self.directory}/{snapshot_file(self.snapshot)}"
        self.disk.rename(f"{self.directory}/{snapshot_part_file(self.snapshot)}", final)
        self.disk.sync_directory(self.directory)
        return facts

    def discard(self) -> None:
        """Remove the part."""
        self.file.close()
        self.disk.unlink(f"{self.directory}/{snapshot_part_file(self.snapshot)}")


def write_snapshot(
    disk: Disk, directory: str, snapshot: OffsetAndEpoch, batches: Iterable[bytes]
) -> SnapshotFacts:
    """Write a whole snapshot durably; raises BadSnapshot if the batches are none, DiskFailed."""
    part = SnapshotPart.begun(disk, directory, snapshot)
    try:
        for batch in batches:
            part.append(batch)
        return part.freeze()
    except BaseException:
        part.discard()
        raise


def _unchecked() -> None:
    """Nobody else has to do with this directory."""


@define(eq=False)
class SnapshotFiles:
    """The finished snapshots of a directory, opened when they are read.

    ``check_directory`` raises DiskFailed when the path no longer names the directory.
    """

    disk: Disk
    directory: str
    ids: tuple[OffsetAndEpoch, ...] = field(init=False)
    _open: dict[OffsetAndEpoch, File] = field(factory=dict)
    _contained_ms: dict[OffsetAndEpoch, Millis] = field(factory=dict)
    check_directory: Callable[[], None] = field(default=_unchecked, kw_only=True)

    def __attrs_post_init__(self) -> None:
        self.refresh()

    def refresh(self) -> None:
        """Look at the directory again."""
        self.ids = list_snapshots(self.disk, self.directory)

    def frozen(self, snapshot: OffsetAndEpoch) -> None:
        """A snapshot was frozen, perhaps in the place of a damaged file of the same id.

        Nobody may go on with what was read of that one.
        """
        self._open.pop(snapshot, None)  # the descriptor goes with its last slice
        self._contained_ms.pop(snapshot, None)
        self.refresh()

    def begin(self, snapshot: OffsetAndEpoch) -> SnapshotPart:
        """A part to be written. Raises DiskFailed, OSError."""
        self.check_directory()
        return SnapshotPart.begun(self.disk, self.directory, snapshot)

    def freeze(self, part: SnapshotPart) -> SnapshotFacts:
        """As ``SnapshotPart.freeze``; DiskFailed too if the directory is not ours any more: a
        snapshot in another one is none.
        """
        facts = part.freeze()
        self.check_directory()
        return facts

    def check_place(self) -> None:
        """DiskFailed if the newest snapshot is gone: the log may begin at its end."""
        latest = self.latest
        if latest is None or latest.offset == 0:
            return
        path = f"{self.directory}/{snapshot_file(latest)}"
        if not self.disk.exists(path):
            raise displaced(path, DELETED)

    @property
    def latest(self) -> OffsetAndEpoch | None:
        """The newest snapshot."""
        return self.ids[-1] if self.ids else None

    def size_bytes(self, snapshot: OffsetAndEpoch) -> int:
        """The size of a snapshot; KeyError when there is none of that id."""
        return self._file(snapshot).size()

    def plan(self, snapshot: OffsetAndEpoch, position: int, max_bytes: int) -> FileSlice:
        """The bytes from ``position``, at most ``max_bytes``, as FetchSnapshot hands them out.

        Raises KeyError without such a snapshot, IndexError for a position outside of it.
        """
        file = self._file(snapshot)
        size_bytes = file.size()
        if not 0 <= position < size_bytes:
            raise IndexError(f"position {position} of a snapshot with {size_bytes} bytes")
        length_bytes = min(max_bytes, size_bytes - position)
        return FileSlice(file.fileno(), position, length_bytes, file)

    def last_contained_ms(self, snapshot: OffsetAndEpoch) -> Millis:
        """When the last record that a snapshot covers was appended, as its header says.

        KeyError without such a snapshot; BadSnapshot when the header cannot be read.
        """
        known = self._contained_ms.get(snapshot)
        if known is None:
            file = self._file(snapshot)
            known = self._contained_ms[snapshot] = read_last_contained_ms(file)
        return known

    def batches(self, snapshot: OffsetAndEpoch) -> Iterator[tuple[BatchHeader, bytes]]:
        """All batches, verified; KeyError, or BadSnapshot at the first fault."""
        return checked_batches(self._file(snapshot))

    def control_batches(self, snapshot: OffsetAndEpoch) -> Iterator[tuple[BatchHeader, bytes]]:
        """The control batches of one that was verified before; KeyError."""
        return control_batches(self._file(snapshot))

    def delete_before(self, offset: Offset) -> tuple[OffsetAndEpoch, ...]:
        """Remove all snapshots that end before ``offset``; the newest always stays."""
        self.refresh()
        gone = tuple(snapshot for snapshot in self.ids[:-1] if snapshot.offset < offset)
        for snapshot in gone:
            self._open.pop(snapshot, None)  # the descriptor goes with its last slice
            self._contained_ms.pop(snapshot, None)
            self.disk.unlink(f"{self.directory}/{snapshot_file(snapshot)}")
        if gone:
            self.disk.sync_directory(self.directory)
            self.refresh()
        return gone

    def close(self) -> None:
        """Give all descriptors back."""
        for file in self._open.values():
            file.close()
        self._open.clear()

    def _file(self, snapshot: OffsetAndEpoch) -> File:
        file = self._open.get(snapshot)
        if file is None:
            if snapshot not in self.ids:
                raise KeyError(snapshot)
            path = f"{self.directory}/{snapshot_file(snapshot)}"
            file = self._open[snapshot] = self.disk.open(path, writable=False)
        return file
