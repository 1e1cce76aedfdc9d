"""The disk of a simulated node: what is not synced can be taken back, and much can go wrong.

The model is that of ``testing/sim_disk.py`` (bytes last once their file is synced, names once
their directory is), made quick for long lives: an operation keeps what it takes to undo it until
a sync covers it, so a crash costs what it undoes and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from attrs import define, field

from metaquorum.records.errors import BatchError
from metaquorum.records.reader import walk_batches
from metaquorum.storage.disk import Buffer, DiskFailed
from metaquorum.testing.sim.names import FIRST_INODE, SimNames, dirname
from metaquorum.wire.slices import FileSlice


class PowerLost(BaseException):
    """The node went down in the middle of what its disk was asked to do."""


@define(eq=False)
class Inode:
    """A file without its name."""

    number: int
    content: bytearray = field(factory=bytearray)
    read_only: bool = False


@define(eq=False)
class Undo:
    """An operation that no sync has covered. ``data`` is set for writes, ``path`` for names."""

    take_back: Callable[[], None]
    inode: Inode
    path: str = ""
    position: int = 0
    data: bytes = b""

    @property
    def is_naming(self) -> bool:
        """Whether it is about a name and not about bytes."""
        return bool(self.path)


@define(eq=False)
class FaultyFile:
    """An open file of a FaultyDisk."""

    disk: FaultyDisk
    path: str
    inode: Inode

    def fileno(self) -> int:
        """The inode's number: ``read_slice`` knows it."""
        return self.inode.number

    def size(self) -> int:
        """Bytes in the file."""
        return len(self.inode.content)

    def append(self, parts: Sequence[Buffer], mark: bytes = b"") -> None:
        """Write all parts at the end; short, and then DiskFailed, when the disk is full."""
        self.disk.write(self.path, self.inode, b"".join(parts))

    def read(self, position: int, length_bytes: int) -> bytes:
        """Bytes from a position; fewer only at the end."""
        return bytes(self.inode.content[position : position + length_bytes])

    def truncate(self, size_bytes: int) -> None:
        """Cut the file, or fill it up with zeros."""
        self.disk.cut(self.inode, size_bytes)

    def preallocate(self, more_bytes: int) -> None:
        """Space is given when it is written to."""

    def make_room(self, more_bytes: int, mark: bytes) -> bool:
        """No: one file system has it, another does not, and this is one of the others."""
        return False

    def sync(self) -> None:
        """Make the bytes durable, or fail if the disk was told to."""
        self.disk.sync_file(self.path, self.inode)

    def make_read_only(self) -> None:
        """Remember that the file is finished."""
        self.inode.read_only = True

    def why_displaced(self) -> str | None:
        """By the inode that has the name."""
        return self.disk.why_displaced(self.path, self.inode)

    def close(self) -> None:
        """Nothing to give back."""


@define(eq=False)
class FaultyDisk(SimNames[Inode]):
    """Files by path, and the switches of what goes wrong with them.

    ``power_left`` counts the operations until PowerLost, ``sync_fails`` the syncs until one
    fails, ``preallocated_bytes`` what may still be written; None means never. ``rot_reads`` is how
    many of the next reads come back with a bit turned. ``replaced`` keeps what renames took the
    place of. ``fired`` is told what really went wrong.
    """

    random: Random
    fired: Callable[[str], None]
    inodes: dict[int, Inode] = field(factory=dict)
    pending: list[Undo] = field(factory=list)
    power_left: int | None = None
    sync_fails: int | None = None
    preallocated_bytes: int | None = None
    no_descriptors: bool = False
    rot_reads: int = 0
    replaced: dict[str, bytes] = field(factory=dict)
    _next_inode: int = FIRST_INODE

    # What files do.

    def write(self, path: str, inode: Inode, data: bytes) -> None:
        """Put bytes at the end of a file."""
        self._draw_power()
        room = self.preallocated_bytes
        if room is not None:
            fitting, self.preallocated_bytes = data[:room], max(0, room - len(data))
            if len(fitting) < len(data):
                self._append(inode, fitting)
                self.fired("full-disk")
                raise DiskFailed(path, "cannot write", "no space left, the write was short")
        self._append(inode, data)

    def _append(self, inode: Inode, data: bytes) -> None:
        if data:
            content, position = inode.content, len(inode.content)
            content += data

            def take_back() -> None:
                del content[position:]

            self.pending.append(Undo(take_back, inode, position=position, data=data))

    def cut(self, inode: Inode, size_bytes: int) -> None:
        """Change the size of a file."""
        content, before = inode.content, len(inode.content)
        if size_bytes == before:
            return
        self._draw_power()
        lost = bytes(content[size_bytes:])
        del content[size_bytes:]
        content.extend(bytes(size_bytes - len(content)))

        def take_back() -> None:
            del content[before:]
            content.extend(lost)

        self.pending.append(Undo(take_back, inode))

    def sync_file(self, path: str, inode: Inode) -> None:
        """Nothing that was done to the bytes of this file can be lost any more."""
        self._draw_power()
        self._fail_sync(path)
        if self.pending:
            self.pending = [one for one in self.pending if one.path or one.inode is not inode]

    # The Disk protocol.

    def open(self, path: str, *, create: bool = False, writable: bool = True) -> FaultyFile:
        """Open or create a file."""
        if self.no_descriptors:
            self.fired("no-descriptors")
            raise OSError(24, "too many open files", path)
        inode = self.names_to_inodes.get(path)
        if inode is None:
            if not create or dirname(path) not in self.directories:
                raise FileNotFoundError(path)
            self._draw_power()
            inode = self._new_inode()
            self._link(path, inode, None)
        elif writable and inode.read_only:
            raise PermissionError(path)
        return FaultyFile(self, path, inode)

    def read_bytes(self, path: str) -> bytes:
        """The whole file."""
        return bytes(self.inode_at(path).content)

    def rename(self, old: str, new: str) -> None:
        """Atomic replacement."""
        self._draw_power()
        inode = self.names_to_inodes.get(old)
        if inode is None:
            raise DiskFailed(old, "cannot rename", "no such file")
        self._link(new, inode, old)

    def unlink(self, path: str) -> None:
        """Remove a name; one that is gone already is as good."""
        inode = self.names_to_inodes.get(path)
        if inode is None:
            return
        self._draw_power()
        names = self.names_to_inodes
        del names[path]

        def take_back() -> None:
            names[path] = inode

        self.pending.append(Undo(take_back, inode, path))

    def sync_directory(self, path: str) -> None:
        """Make names durable, or fail if the disk was told to."""
        self._draw_power()
        self._fail_sync(path)
        if self.pending:
            self.pending = [
                one for one in self.pending if not one.path or dirname(one.path) != path
            ]

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

    def _link(self, path: str, inode: Inode, old: str | None) -> None:
        names, before = self.names_to_inodes, self.names_to_inodes.get(path)
        if old is not None:
            del names[old]
            if before is not None:
                self.replaced[path] = bytes(before.content)
        names[path] = inode

        def take_back() -> None:
            if before is None:
                names.pop(path, None)
            else:
                names[path] = before
            if old is not None:
                names[old] = inode

        self.pending.append(Undo(take_back, inode, path))

    def _new_inode(self) -> Inode:
        inode = Inode(self._next_inode)
        self.inodes[inode.number] = inode
        self._next_inode += 1
        return inode

    def _draw_power(self) -> None:
        if self.power_left is not None:
            self.power_left -= 1
            if self.power_left < 0:
                raise PowerLost

    def _fail_sync(self, path: str) -> None:
        if self.sync_fails is not None:
            self.sync_fails -= 1
            if self.sync_fails < 0:
                self.fired("fsync-error")
                raise DiskFailed(path, "cannot sync", "input/output error")

    # What a crash does.

    def crash(self) -> None:
        """Lose what was not synced, as a crash may: any suffix, the first lost write torn."""
        self.power_left = self.sync_fails = self.preallocated_bytes = None
        self.no_descriptors, self.rot_reads = False, 0
        pending, self.pending = self.pending, []
        if not pending:
            return
        draw = self.random.randrange(8)
        if draw == 0:
            lost = [one for one in pending if not one.is_naming]
        elif draw == 1:
            lost = [one for one in pending if one.is_naming]
        else:
            lost = pending[self.random.randrange(len(pending) + 1) :]
        for one in reversed(lost):
            one.take_back()
        if lost:
            self.fired("crash-loses-unsynced")
        first = lost[0] if lost else None
        if first is not None and first.data and draw >= 4 and len(first.data) > 1:
            first.inode.content += first.data[: self.random.randrange(1, len(first.data))]
            self.fired("torn-write")

    def copy(self) -> dict[str, bytes]:
        """All files with their content, for a disk that comes back later."""
        return {path: bytes(inode.content) for path, inode in self.names_to_inodes.items()}

    def restore(self, files: dict[str, bytes]) -> None:
        """Hold exactly these files, all durable."""
        self.pending = []
        self.names_to_inodes = {}
        for path, content in files.items():
            self.make_directory(dirname(path))
            inode = self._new_inode()
            inode.content += content
            inode.read_only = path.endswith(".checkpoint")
            self.names_to_inodes[path] = inode


EPOCH_BYTES = range(12, 16)
"""Where a batch names its epoch: outside its checksum, so that rot there goes unseen."""


def turn_a_bit(content: bytearray, random: Random) -> None:
    """Turn one bit of a run of batches, but none that no checksum of the format covers."""
    at = random.randrange(len(content))
    start = 0
    try:
        for header, _ in walk_batches(bytes(content)):
            if at < start + header.size_bytes:
                break
            start += header.size_bytes
    except BatchError:
        start = 0
    if at - start in EPOCH_BYTES:
        at = min(start + EPOCH_BYTES.stop, len(content) - 1)  # no batch is that short
    content[at] ^= 1 << random.randrange(8)
