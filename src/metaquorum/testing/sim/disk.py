"""A disk in memory, of which a crash takes back what was not synced, and with which much can go
wrong. ``testing/sim/crashes.py`` says what a crash may take.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from attrs import define, field

from metaquorum.storage.disk import Buffer, DiskFailed
from metaquorum.storage.place import DELETED, REPLACED
from metaquorum.storage.preallocation import UNFINISHED_AT, held_back
from metaquorum.testing.sim.crashes import drawn_loss
from metaquorum.testing.sim.files import (
    Cut,
    Inode,
    Link,
    MoveDirectory,
    Op,
    SimFiles,
    SyncDirectory,
    SyncFile,
    Unlink,
    Write,
    dirname,
)
from metaquorum.testing.sim.rot import turn_a_bit
from metaquorum.wire.slices import FileSlice


class PowerLost(BaseException):
    """The machine went down in the middle of what its disk was asked to do."""


@define(eq=False)
class SimFile:
    """An open file of a SimDisk."""

    disk: SimDisk
    path: str
    inode: Inode
    closed: bool = False
    _preallocated_bytes: int = 0

    def fileno(self) -> int:
        """The inode's number: ``SimDisk.read_slice`` knows it."""
        return self.inode.number

    def size(self) -> int:
        """Bytes in the file."""
        return len(self.inode.content) - self._preallocated_bytes

    def append(self, parts: Sequence[Buffer], mark: bytes = b"") -> None:
        """Write all parts at the end, in one write; in preallocated space its end comes last.

        Short, and then DiskFailed, when the disk is full.
        """
        position = self.size()
        if mark:
            most, last = held_back(parts, mark)
            self.disk.write(self.path, self.inode, position, most)
            self.disk.write(self.path, self.inode, position + UNFINISHED_AT, last)
            end = position + len(most) - len(mark)
        else:
            data = b"".join(parts)
            self.disk.write(self.path, self.inode, position, data)
            end = position + len(data)
        self._preallocated_bytes = len(self.inode.content) - end

    def read(self, position: int, length_bytes: int) -> bytes:
        """Bytes from a position; fewer only at the end."""
        return bytes(self.inode.content[position : position + length_bytes])

    def truncate(self, size_bytes: int) -> None:
        """Cut the file, or fill it up with zeros as POSIX does."""
        if self._preallocated_bytes or size_bytes != self.size():
            self._preallocated_bytes = 0
            self.disk.cut(self.inode, size_bytes)

    def preallocate(self, more_bytes: int) -> None:
        """Space is given when it is written to."""

    def make_room(self, more_bytes: int, mark: bytes) -> bool:
        """The mark, and zeros as many as there are not yet."""
        end = self.size()
        self.disk.write(self.path, self.inode, end, mark)
        if end + more_bytes > len(self.inode.content):
            self.disk.cut(self.inode, end + more_bytes)
        self._preallocated_bytes = len(self.inode.content) - end
        return True

    def sync(self) -> None:
        """Make the bytes durable, or fail if the disk is set to."""
        self.disk.sync(self.path, SyncFile(self.inode.number))

    def make_read_only(self) -> None:
        """Remember that the file is finished."""
        self.inode.read_only = True

    def why_displaced(self) -> str | None:
        """By the inode that has the name."""
        found = self.disk.names_to_inodes.get(self.path)
        if found is None:
            return DELETED
        return None if found is self.inode else REPLACED

    def close(self) -> None:
        """Nothing to give back."""
        self.closed = True


@define(eq=False)
class SimDisk(SimFiles):
    """A disk, and the switches of what goes wrong with it.

    ``power_left`` counts the operations until PowerLost, ``sync_fails`` the syncs until one
    fails and all after it, ``free_bytes`` what may still be written; None means never.
    ``rot_reads`` is how many of the next reads come back with a bit turned. A disk that ``lies``
    reports syncs that it does not do. ``fired`` is called with the name of what really went wrong.
    """

    random: Random = field(factory=lambda: Random(0))
    fired: Callable[[str], None] = lambda name: None
    power_left: int | None = None
    sync_fails: int | None = None
    free_bytes: int | None = None
    no_descriptors: bool = False
    rot_reads: int = 0
    lies: bool = False

    @classmethod
    def holding(cls, files: dict[str, bytes]) -> SimDisk:
        """A disk with these files, all durable."""
        disk = cls()
        disk.restore(files)
        return disk

    # What files do.

    def write(self, path: str, inode: Inode, position: int, data: bytes) -> None:
        """Put bytes into a file: as many as there is space for, and then DiskFailed."""
        self.use_power()
        free = self.free_bytes
        fitting = data if free is None else data[:free]
        if fitting:
            self.do(Write(inode.number, position, fitting))
        if free is not None:
            self.free_bytes = max(0, free - len(data))
            if len(fitting) < len(data):
                self.fired("full-disk")
                raise DiskFailed(path, "cannot write", "no space left, the write was short")

    def cut(self, inode: Inode, size_bytes: int) -> None:
        """Change the size of a file."""
        self.use_power()
        self.do(Cut(inode.number, size_bytes))

    def sync(self, path: str, op: Op) -> None:
        """Nothing that was done in this place can be lost any more; or DiskFailed."""
        self.use_power()
        if self.sync_fails is not None:
            self.sync_fails -= 1
            if self.sync_fails < 0:
                self.fired("fsync-error")
                raise DiskFailed(path, "cannot sync", "input/output error")
        if not self.lies:
            self.do(op)

    @property
    def is_without_power(self) -> bool:
        """Whether PowerLost was raised, and no crash has followed yet."""
        return self.power_left is not None and self.power_left < 0

    def use_power(self) -> None:
        """One more operation; PowerLost if there is no power for it."""
        if self.power_left is not None:
            self.power_left -= 1
            if self.power_left < 0:
                raise PowerLost

    # The Disk protocol.

    def open(self, path: str, *, create: bool = False, writable: bool = True) -> SimFile:
        """Open or create a file."""
        if self.no_descriptors:
            self.fired("no-descriptors")
            raise OSError(24, "too many open files", path)
        inode = self.names_to_inodes.get(path)
        if inode is None:
            if not create or dirname(path) not in self.directories:
                raise FileNotFoundError(path)
            self.use_power()
            self.do(Link(path, self.new_inode()))
            inode = self.names_to_inodes[path]
        elif writable and inode.read_only:
            raise PermissionError(path)
        return SimFile(self, path, inode)

    def rename(self, old: str, new: str) -> None:
        """Atomic replacement."""
        self.use_power()
        if old in self.directories:
            self.do(MoveDirectory(old, new))
            return
        inode = self.names_to_inodes.get(old)
        if inode is None:
            raise DiskFailed(old, "cannot rename", "no such file")
        self.do(Link(new, inode.number, old))

    def unlink(self, path: str) -> None:
        """Remove a name; one that is gone already is as good."""
        if path in self.names_to_inodes:
            self.use_power()
            self.do(Unlink(path))

    def sync_directory(self, path: str) -> None:
        """Make names durable, or fail if the disk is set to."""
        self.sync(path, SyncDirectory(path))

    def read_slice(self, part: FileSlice) -> bytes:
        """The bytes behind a slice, now and then with a bit turned."""
        start = part.position
        data = bytes(self.inodes[part.fd].content[start : start + part.length_bytes])
        if self.rot_reads and data:
            self.rot_reads -= 1
            self.fired("rot-read")
            rotten = bytearray(data)
            turn_a_bit(rotten, self.random)
            data = bytes(rotten)
        return data

    # What a crash does.

    def mend(self) -> None:
        """Nothing goes wrong any more, but lies go on, and lost power stays so until a crash."""
        self.power_left = self.power_left if self.is_without_power else None
        self.sync_fails = self.free_bytes = None
        self.no_descriptors, self.rot_reads = False, 0

    def crash(self) -> str:
        """Lose what was not synced, as a crash may; in words what survived."""
        self.power_left = None
        self.mend()
        if not self.unsynced:
            return "everything was synced"
        loss = drawn_loss(self.unsynced, self.random)
        loss.happen(self)
        if loss.lost:
            self.fired("crash-loses-unsynced")
        if loss.kept_bytes:
            self.fired("torn-write")
        return loss.story
