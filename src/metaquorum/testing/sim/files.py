"""Files by path in memory, and the operations that change them, each of which can be taken back.

A name lasts once its directory is synced, bytes once their file is: an operation stands in
``unsynced`` until a sync covers it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from posixpath import dirname as parent_of
from typing import ClassVar

from attrs import define, field, frozen

from metaquorum.storage.disk import DiskFailed
from metaquorum.storage.place import DELETED


@lru_cache(maxsize=4_096)  # few paths, each asked for with every sync
def dirname(path: str) -> str:
    """The directory that a path is in."""
    return parent_of(path)


FIRST_INODE = 1_000_000
"""Unlike any descriptor, so that mixing them up shows."""


@define(eq=False)
class Inode:
    """A file without its name."""

    number: int
    content: bytearray = field(factory=bytearray)
    read_only: bool = False


TakeBack = Callable[[], object]


@define(eq=False)
class Op:
    """One operation. ``place`` is the inode or the directory whose sync makes it last."""

    is_sync: ClassVar[bool] = False
    is_naming: ClassVar[bool] = False

    @property
    def place(self) -> int | str:
        """The inode's number, or the path of the directory."""
        raise NotImplementedError

    def apply(self, files: SimFiles) -> TakeBack:
        """Let it show; gives what takes it back."""
        raise NotImplementedError


@define(eq=False)
class Write(Op):
    """Bytes put into a file."""

    inode: int
    position: int
    data: bytes

    @property
    def place(self) -> int:
        return self.inode

    def apply(self, files: SimFiles) -> TakeBack:
        content, position, data = files.inode(self.inode).content, self.position, self.data
        size = len(content)
        if position < size:
            before = bytes(content[position : position + len(data)])
            content[position : position + len(data)] = data

            def take_back() -> None:
                content[position : position + len(data)] = before

            return take_back
        content += data

        def shrink() -> None:
            del content[size:]

        return shrink


@define(eq=False)
class Cut(Op):
    """A file truncated, or filled up with zeros."""

    inode: int
    size_bytes: int

    @property
    def place(self) -> int:
        return self.inode

    def apply(self, files: SimFiles) -> TakeBack:
        content = files.inode(self.inode).content
        before, lost = len(content), bytes(content[self.size_bytes :])
        del content[self.size_bytes :]
        content.extend(bytes(self.size_bytes - len(content)))

        def take_back() -> None:
            del content[before:]
            content.extend(lost)

        return take_back


@define(eq=False)
class Link(Op):
    """A name given to a file, taken from ``old`` if that is set."""

    is_naming: ClassVar[bool] = True
    path: str
    inode: int
    old: str | None = None

    @property
    def place(self) -> str:
        return dirname(self.path)

    def apply(self, files: SimFiles) -> TakeBack:
        names, path, old = files.names_to_inodes, self.path, self.old
        inode = files.inode(self.inode)
        before = names.get(path)
        if old is not None:
            names.pop(old, None)
            if before is not None:
                files.replaced[path] = bytes(before.content)
        names[path] = inode

        def take_back() -> None:
            if before is None:
                names.pop(path, None)
            else:
                names[path] = before
            if old is not None:
                names[old] = inode

        return take_back


@define(eq=False)
class MoveDirectory(Op):
    """A directory given another name in the same one, with all that is in it."""

    is_naming: ClassVar[bool] = True
    old: str
    new: str

    @property
    def place(self) -> str:
        return dirname(self.new)

    def apply(self, files: SimFiles) -> TakeBack:
        files.move(self.old, self.new)

        def take_back() -> None:
            files.move(self.new, self.old)

        return take_back


@define(eq=False)
class Unlink(Op):
    """A name removed."""

    is_naming: ClassVar[bool] = True
    path: str

    @property
    def place(self) -> str:
        return dirname(self.path)

    def apply(self, files: SimFiles) -> TakeBack:
        names, path = files.names_to_inodes, self.path
        inode = names.pop(path)

        def take_back() -> None:
            names[path] = inode

        return take_back


@define(eq=False)
class SyncFile(Op):
    """The bytes of a file made durable."""

    is_sync: ClassVar[bool] = True
    inode: int

    @property
    def place(self) -> int:
        return self.inode


@define(eq=False)
class SyncDirectory(Op):
    """The names of a directory made durable."""

    is_sync: ClassVar[bool] = True
    path: str

    @property
    def place(self) -> str:
        return self.path


@frozen
class Unsynced:
    """An operation that no sync has covered yet, and what takes it back."""

    op: Op
    take_back: TakeBack


@frozen
class SimDirectory:
    """An open directory of a simulated disk."""

    path: str
    directories: set[str]

    def why_displaced(self) -> str | None:
        """It can be deleted, and not replaced."""
        return None if self.path in self.directories else DELETED

    def close(self) -> None:
        """Nothing to give back."""


@define(eq=False)
class SimFiles:
    """Files by path, with the part of the Disk protocol that only reads or is about directories.

    ``replaced`` keeps what renames took the place of. ``trace`` holds every operation in order,
    unless ``keeps_trace`` is off, as in a long life.
    """

    keeps_trace: bool = field(default=True, kw_only=True)
    names_to_inodes: dict[str, Inode] = field(factory=dict, init=False)
    directories: set[str] = field(factory=lambda: {"/"}, init=False)
    inodes: dict[int, Inode] = field(factory=dict, init=False)
    unsynced: list[Unsynced] = field(factory=list, init=False)
    trace: list[Op] = field(factory=list, init=False)
    replaced: dict[str, bytes] = field(factory=dict, init=False)
    _next_inode: int = field(default=FIRST_INODE, init=False)

    def files(self) -> dict[str, bytes]:
        """All files with their content, as a process sees them."""
        return {path: bytes(one.content) for path, one in sorted(self.names_to_inodes.items())}

    def restore(self, files: dict[str, bytes]) -> None:
        """Hold exactly these files, all durable."""
        self.unsynced = []
        self.names_to_inodes = {}
        for path, content in files.items():
            self.make_directory(dirname(path))
            inode = self.inode(self.new_inode())
            inode.content += content
            inode.read_only = path.endswith(".checkpoint")
            self.names_to_inodes[path] = inode

    def do(self, op: Op) -> None:
        """Let an operation show. A sync covers what was done in its place before."""
        if self.keeps_trace:
            self.trace.append(op)
        if not op.is_sync:
            self.unsynced.append(Unsynced(op, op.apply(self)))
        elif self.unsynced:
            place = op.place
            self.unsynced = [one for one in self.unsynced if one.op.place != place]

    def inode(self, number: int) -> Inode:
        """A file by its number, made if there is none."""
        found = self.inodes.get(number)
        if found is None:
            found = self.inodes[number] = Inode(number)
        return found

    def new_inode(self) -> int:
        self._next_inode += 1
        return self._next_inode - 1

    def open_directory(self, path: str) -> SimDirectory:
        """Open a directory."""
        if path not in self.directories:
            raise FileNotFoundError(path)
        return SimDirectory(path, self.directories)

    def read_bytes(self, path: str) -> bytes:
        """The whole file; FileNotFoundError if none has the name."""
        inode = self.names_to_inodes.get(path)
        if inode is None:
            raise FileNotFoundError(path)
        return bytes(inode.content)

    def exists(self, path: str) -> bool:
        """Whether there is a file or directory."""
        return path in self.names_to_inodes or path in self.directories

    def names(self, directory: str) -> list[str]:
        """Names in a directory, sorted."""
        if directory not in self.directories:
            raise FileNotFoundError(directory)
        found = [*self.names_to_inodes, *(d for d in sorted(self.directories) if d != "/")]
        return sorted(path.rpartition("/")[2] for path in found if dirname(path) == directory)

    def move(self, old: str, new: str) -> None:
        """Let everything under one directory be under another name of it."""

        def moved(path: str) -> str:
            inside = path == old or path.startswith(f"{old}/")
            return new + path[len(old) :] if inside else path

        # In place: what takes operations back holds on to these.
        names = {moved(path): inode for path, inode in self.names_to_inodes.items()}
        directories = {moved(path) for path in self.directories}
        self.names_to_inodes.clear()
        self.names_to_inodes.update(names)
        self.directories.clear()
        self.directories.update(directories)

    def remove_directory(self, path: str) -> None:
        """An empty directory goes at once."""
        if self.names(path):
            raise DiskFailed(path, "cannot remove", "it is not empty")
        self.directories.discard(path)

    def make_directory(self, path: str) -> None:
        """A directory and its parents; they last at once."""
        while path not in self.directories:
            self.directories.add(path)
            path = dirname(path)
