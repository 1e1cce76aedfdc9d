"""What storage needs of a disk: a few verbs, so that a simulated one can stand in its place.

Durability, as POSIX has it: file bytes last after ``File.sync``, names (created, renamed,
unlinked) after ``Disk.sync_directory``. Whatever was not synced may be lost in a crash, later
writes of a file never without the ones after them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from metaquorum.base.errors import InvariantViolated
from metaquorum.wire.slices import FileSlice

Buffer = bytes | bytearray | memoryview

_NEW_SUFFIX = ".tmp"


class DiskFailed(OSError, InvariantViolated):
    """A write or sync failed. It is never tried again: the kernel may have dropped the pages.

    The process stops; after a restart, recovery finds out what is really there.
    """

    def __init__(self, path: str, action: str, why: object) -> None:
        super().__init__(f"{action} {path}: {why}")
        self.path = path
        self.action = action


class File(Protocol):
    """An open file that grows at its end. Reads may come from another thread than writes."""

    @property
    def path(self) -> str:
        """Where it was when it was opened, for messages."""

    def fileno(self) -> int:
        """The descriptor for FileSlices; a number of its own kind on a simulated disk."""

    def size(self) -> int:
        """Bytes in the file, preallocated space left out."""

    def append(self, parts: Sequence[Buffer], mark: bytes = b"") -> None:
        """Write all parts at the end, in order. Raises DiskFailed.

        With a ``mark`` they are whole batches, for preallocated space: the mark stands behind
        them, where the next will overwrite it, before the first shows as finished
        (``storage.preallocation``).
        """

    def read(self, position: int, length_bytes: int) -> bytes:
        """Up to ``length_bytes`` from ``position``; fewer only at the end of the file."""

    def truncate(self, size_bytes: int) -> None:
        """Cut the file to ``size_bytes``; also gives preallocated space back.

        Raises DiskFailed.
        """

    def preallocate(self, more_bytes: int) -> None:
        """Ask for space beyond the end without changing the size; no effect where unsupported."""

    def make_room(self, more_bytes: int, mark: bytes) -> bool:
        """Let so many bytes follow the end, a mark and then zeros, which others see and ``size``
        does not count: appends into them leave the size alone, which makes a sync cheaper.

        False where that is not supported; the mark may be there then. Raises DiskFailed.
        """

    def sync(self) -> None:
        """Return when all bytes and the size are durable. Raises DiskFailed."""

    def make_read_only(self) -> None:
        """Take the right to write from the file on disk (mode 0400), as Kafka does."""

    def why_displaced(self) -> str | None:
        """Why ``path`` does not name this file any more; None if it does. May raise OSError."""

    def close(self) -> None:
        """Give the descriptor back; slices that pin the file keep it open until they are gone."""


class OpenDirectory(Protocol):
    """A directory that is kept open, to notice that another one took its place."""

    @property
    def path(self) -> str:
        """Where it was when it was opened."""

    def why_displaced(self) -> str | None:
        """Why ``path`` does not name this directory any more; None if it does. May raise
        OSError.
        """

    def close(self) -> None:
        """Give the descriptor back."""


class Disk(Protocol):
    """Files by path; parents are never made silently, ``make_directory`` makes them all."""

    def open(self, path: str, *, create: bool = False, writable: bool = True) -> File:
        """Open a file; FileNotFoundError unless it exists or ``create`` is given."""

    def open_directory(self, path: str) -> OpenDirectory:
        """Open a directory; FileNotFoundError without one."""

    def read_bytes(self, path: str) -> bytes:
        """The whole of a small file; FileNotFoundError without one."""

    def exists(self, path: str) -> bool:
        """Whether there is a file or directory."""

    def names(self, directory: str) -> list[str]:
        """Names in a directory, sorted; FileNotFoundError without one."""

    def make_directory(self, path: str) -> None:
        """Make a directory and its parents; nothing happens if it is there."""

    def rename(self, old: str, new: str) -> None:
        """Give a file another name, atomically taking the place of one that has it."""

    def unlink(self, path: str) -> None:
        """Remove a name; an open file lives on until it is closed."""

    def sync_directory(self, path: str) -> None:
        """Return when the names in a directory are durable. Raises DiskFailed."""

    def read_slice(self, part: FileSlice) -> bytes:
        """The bytes that a slice stands for."""


class LocalDisk(Disk, Protocol):
    """A disk on which directories, too, are renamed, to names that are free, and removed."""

    def remove_directory(self, path: str) -> None:
        """Remove an empty directory. Raises DiskFailed."""


def replace_durably(disk: Disk, directory: str, name: str, content: bytes) -> None:
    """Put ``content`` under ``name`` so that a crash leaves the old file or the new one, whole.

    Written beside, synced, renamed, directory synced (KAFKA-15312 is the story of the sync that
    was missing). Raises DiskFailed.
    """
    write_beside(disk, directory, name, content)
    disk.rename(beside_of(directory, name), f"{directory}/{name}")
    disk.sync_directory(directory)


def beside_of(directory: str, name: str) -> str:
    """Where the next content of a file is written before it takes the file's place."""
    return f"{directory}/{name}{_NEW_SUFFIX}"


def write_beside(disk: Disk, directory: str, name: str, content: bytes) -> None:
    """Write and sync what is to become the file ``name``; the name beside it is not synced."""
    file = disk.open(beside_of(directory, name), create=True)
    try:
        file.truncate(0)
        file.append([content])
        file.sync()
    finally:
        file.close()
