"""A disk in memory that remembers what was synced, so that every legal crash can be tried.

The model: bytes of a file last once the file is synced, names once their directory is. Of what is
not synced a crash keeps any prefix, in the order of the calls, and may tear the last write. Files
and directories need not agree: names may last without the bytes, and bytes without their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from attrs import define, field, frozen

from metaquorum.storage.disk import Buffer, DiskFailed
from metaquorum.storage.preallocation import UNFINISHED_AT, held_back
from metaquorum.testing.sim.names import FIRST_INODE, SimNames, dirname
from metaquorum.wire.slices import FileSlice


@frozen
class Write:
    """Bytes put into a file."""

    inode: int
    position: int
    data: bytes


@frozen
class Cut:
    """A file truncated."""

    inode: int
    size_bytes: int


@frozen
class Link:
    """A name given to a file, taken from ``old`` if that is set."""

    path: str
    inode: int
    old: str | None = None


@frozen
class Unlink:
    """A name removed."""

    path: str


@frozen
class SyncFile:
    """The bytes of a file made durable."""

    inode: int


@frozen
class SyncDirectory:
    """The names of a directory made durable."""

    path: str


Op = Write | Cut | Link | Unlink | SyncFile | SyncDirectory


@define(eq=False)
class SimFile:
    """An open file of a SimDisk."""

    disk: SimDisk
    path: str
    inode: int
    closed: bool = False
    _preallocated_bytes: int = 0

    def fileno(self) -> int:
        """The inode: SimDisk.read_slice knows it."""
        return self.inode

    def size(self) -> int:
        """Bytes in the file."""
        return len(self.disk.inodes[self.inode]) - self._preallocated_bytes

    def append(self, parts: Sequence[Buffer], mark: bytes = b"") -> None:
        """Write all parts at the end, as one write; in room its last byte is another one."""
        position = self.size()
        if mark:
            most, last = held_back(parts, mark)
            self.disk.do(Write(self.inode, position, most))
            self.disk.do(Write(self.inode, position + UNFINISHED_AT, last))
            end = position + len(most) - len(mark)
        else:
            data = b"".join(parts)
            if data:
                self.disk.do(Write(self.inode, position, data))
            end = position + len(data)
        self._preallocated_bytes = len(self.disk.inodes[self.inode]) - end

    def read(self, position: int, length_bytes: int) -> bytes:
        """Bytes from a position; fewer only at the end."""
        return bytes(self.disk.inodes[self.inode][position : position + length_bytes])

    def truncate(self, size_bytes: int) -> None:
        """Cut the file, or fill it up with zeros as POSIX does."""
        if self._preallocated_bytes or size_bytes != self.size():
            self._preallocated_bytes = 0
            self.disk.do(Cut(self.inode, size_bytes))

    def preallocate(self, more_bytes: int) -> None:
        """Space is never short here."""

    def make_room(self, more_bytes: int, mark: bytes) -> bool:
        """The mark, and zeros as many as there are not yet."""
        end = self.size()
        self.disk.do(Write(self.inode, end, mark))
        if end + more_bytes > len(self.disk.inodes[self.inode]):
            self.disk.do(Cut(self.inode, end + more_bytes))
        self._preallocated_bytes = len(self.disk.inodes[self.inode]) - end
        return True

    def sync(self) -> None:
        """Make the bytes durable, or fail if the disk was told to."""
        self.disk.maybe_fail(self.path)
        self.disk.do(SyncFile(self.inode))

    def make_read_only(self) -> None:
        """Remember that the file is finished."""
        self.disk.read_only.add(self.inode)

    def why_displaced(self) -> str | None:
        """By the inode that has the name."""
        return self.disk.why_displaced(self.path, self.inode)

    def close(self) -> None:
        """Nothing to give back."""
        self.closed = True


@define(eq=False)
class SimDisk(SimNames[int]):
    """Files by path; ``trace`` holds everything that was done to them, in order."""

    inodes: dict[int, bytearray] = field(factory=dict)
    read_only: set[int] = field(factory=set)
    trace: list[Op] = field(factory=list)
    fail_syncs_after: int | None = None
    _next_inode: int = FIRST_INODE

    @classmethod
    def holding(cls, files: dict[str, bytes]) -> SimDisk:
        """A disk with these files, all durable."""
        disk = cls()
        for path, content in files.items():
            disk.make_directory(dirname(path))
            disk.names_to_inodes[path] = disk._new_inode(content)
        return disk

    def files(self) -> dict[str, bytes]:
        """All files with their content, as a process sees them."""
        return {path: bytes(self.inodes[i]) for path, i in sorted(self.names_to_inodes.items())}

    def do(self, op: Op) -> None:
        """Record an operation and let it show."""
        self.trace.append(op)
        _apply(op, self.names_to_inodes, self.inodes)

    def maybe_fail(self, path: str) -> None:
        """Count down to the sync that was chosen to fail; later ones fail too."""
        if self.fail_syncs_after is not None:
            self.fail_syncs_after -= 1
            if self.fail_syncs_after < 0:
                raise DiskFailed(path, "cannot sync", "told to fail")

    def _new_inode(self, content: bytes = b"") -> int:
        inode = self._next_inode
        self._next_inode += 1
        self.inodes[inode] = bytearray(content)
        return inode

    # The Disk protocol

    def open(self, path: str, *, create: bool = False, writable: bool = True) -> SimFile:
        """Open or create a file."""
        inode = self.names_to_inodes.get(path)
        if inode is None:
            if not create or dirname(path) not in self.directories:
                raise FileNotFoundError(path)
            inode = self._new_inode()
            self.do(Link(path, inode))
        elif writable and inode in self.read_only:
            raise PermissionError(path)
        return SimFile(self, path, inode)

    def read_bytes(self, path: str) -> bytes:
        """The whole file."""
        return bytes(self.inodes[self.inode_at(path)])

    def rename(self, old: str, new: str) -> None:
        """Atomic replacement."""
        if old not in self.names_to_inodes:
            raise DiskFailed(old, "cannot rename", "no such file")
        self.do(Link(new, self.names_to_inodes[old], old))

    def unlink(self, path: str) -> None:
        """Remove a name; one that is gone already is as good."""
        if path in self.names_to_inodes:
            self.do(Unlink(path))

    def sync_directory(self, path: str) -> None:
        """Make names durable, or fail if the disk was told to."""
        self.maybe_fail(path)
        self.do(SyncDirectory(path))

    def read_slice(self, part: FileSlice) -> bytes:
        """The bytes behind a slice."""
        start = part.position
        return bytes(self.inodes[part.fd][start : start + part.length_bytes])


def _apply(op: Op, names: dict[str, int], inodes: dict[int, bytearray]) -> None:
    match op:
        case Write(inode, position, data):
            content = inodes.setdefault(inode, bytearray())
            content.extend(bytes(max(0, position - len(content))))
            content[position : position + len(data)] = data
        case Cut(inode, size_bytes):
            content = inodes.setdefault(inode, bytearray())
            del content[size_bytes:]
            content.extend(bytes(size_bytes - len(content)))
        case Link(path, inode, old):
            inodes.setdefault(inode, bytearray())
            if old is not None:
                names.pop(old, None)
            names[path] = inode
        case Unlink(path):
            names.pop(path, None)


@frozen
class Crash:
    """What a crash left: ``done`` operations had been called, ``story`` says what survived."""

    done: int
    story: str
    files: dict[str, bytes]


def crashes(
    start: dict[str, bytes], trace: Sequence[Op], *, first: int = 0, most_cuts: int = 8
) -> Iterator[Crash]:
    """Every kind of crash at every moment of a trace that began on a disk with ``start``.

    Of the unsynced operations any prefix survives, its last write whole or torn; when there are
    more than ``most_cuts`` of them, the shortest and the longest prefixes are tried. ``first``
    skips the moments before that operation.
    """
    base = SimDisk.holding(start)
    for done in range(first, len(trace) + 1):
        unsynced = _unsynced(trace[:done])
        cuts = range(len(unsynced) + 1)
        half = most_cuts // 2
        chosen = cuts if len(cuts) <= most_cuts else [*cuts[:half], *cuts[-half:]]
        seen: list[dict[str, bytes]] = []
        for story, lost in _losses(trace, unsynced, chosen):
            files = _survivors(base, trace[:done], lost)
            if files not in seen:
                seen.append(files)
                yield Crash(done, story, files)


def after_crash(
    start: dict[str, bytes], trace: Sequence[Op], chance: Random
) -> tuple[str, dict[str, bytes]]:
    """One of the crashes at the end of a trace: what survived in words, and the files."""
    unsynced = _unsynced(trace)
    losses = list(_losses(trace, unsynced, range(len(unsynced) + 1)))
    story, lost = chance.choice(losses)
    return story, _survivors(SimDisk.holding(start), trace, lost)


def _unsynced(trace: Sequence[Op]) -> list[int]:
    """The operations that no sync has covered, by their place in the trace."""
    waiting: list[int] = []
    for index, op in enumerate(trace):
        if isinstance(op, SyncFile):
            waiting = [
                i
                for i in waiting
                if not (isinstance(w := trace[i], Write | Cut) and w.inode == op.inode)
            ]
        elif isinstance(op, SyncDirectory):
            waiting = [
                i
                for i in waiting
                if not (isinstance(n := trace[i], Link | Unlink) and dirname(n.path) == op.path)
            ]
        else:
            waiting.append(index)
    return waiting


def _losses(
    trace: Sequence[Op], unsynced: list[int], cuts: Sequence[int]
) -> Iterator[tuple[str, dict[int, int]]]:
    """What is lost: for each operation the bytes of it that remain, 0 for none of it."""
    for cut in cuts:
        lost = dict.fromkeys(unsynced[cut:], 0)
        yield f"{cut} of {len(unsynced)} unsynced survived", lost
        if cut < len(unsynced) and isinstance(op := trace[unsynced[cut]], Write):
            for kept in sorted({len(op.data) // 2, len(op.data) - 1} - {0}):
                torn = {**lost, unsynced[cut]: kept}
                yield f"{cut} of {len(unsynced)} survived, {kept} bytes of the next", torn
    data = [i for i in unsynced if isinstance(trace[i], Write | Cut)]
    namings = [i for i in unsynced if isinstance(trace[i], Link | Unlink)]
    yield "names survived, bytes did not", dict.fromkeys(data, 0)
    yield "bytes survived, names did not", dict.fromkeys(namings, 0)


def _survivors(base: SimDisk, trace: Sequence[Op], lost: dict[int, int]) -> dict[str, bytes]:
    names = dict(base.names_to_inodes)
    inodes = {inode: bytearray(content) for inode, content in base.inodes.items()}
    for index, op in enumerate(trace):
        kept = lost.get(index)
        if kept is None:
            _apply(op, names, inodes)
        elif kept and isinstance(op, Write):
            _apply(Write(op.inode, op.position, op.data[:kept]), names, inodes)
    return {path: bytes(inodes[inode]) for path, inode in sorted(names.items())}
