"""Whether a log directory is still what its path names.

A directory that is deleted, replaced or hidden by a mount takes writes as before: they go to files
that nobody finds at the next start. So device and inode of what is open are compared with those of
what the path names (decision 198).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from attrs import define, field

from metaquorum.base.limits import SEGMENTS_PER_CHECK
from metaquorum.storage.disk import Disk, DiskFailed, File, OpenDirectory

_DELETED: Final = "was deleted or moved while this node ran"
DELETED: Final = f"it {_DELETED}"
REPLACED: Final = "another one has its name now: it was replaced, or hidden by a mount"


def why_displaced(path: str, descriptor: int) -> str | None:
    """Why ``path`` no longer names what ``descriptor`` has open; None if it does.

    OSError where the path cannot be looked at for another reason than that it is not there.
    """
    own = os.fstat(descriptor)
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        missing = _missing_directory(path)
        return DELETED if missing is None else f"its directory {missing} {_DELETED}"
    if (found.st_dev, found.st_ino) != (own.st_dev, own.st_ino):
        return REPLACED
    return None


def _missing_directory(path: str) -> str | None:
    """The highest directory above ``path`` that is not there; None if only the last name is not."""
    missing = None
    parent = os.path.dirname(path)
    while parent and not os.path.isdir(parent):
        missing, parent = parent, os.path.dirname(parent)
    return missing


def displaced(path: str, why: str) -> DiskFailed:
    """The error that ends a node whose file or directory ``path`` is not there any more."""
    return DiskFailed(path, "cannot go on with", why)


def check_in_place(opened: File | OpenDirectory) -> None:
    """DiskFailed if its path no longer names it."""
    why = opened.why_displaced()
    if why is not None:
        raise displaced(opened.path, why)


@define(eq=False)
class LogPlace:
    """The directory of a log, kept open: so long no other one can have its inode."""

    directory: OpenDirectory
    _next: int = field(default=0, init=False)

    @classmethod
    def of(cls, disk: Disk, directory: str) -> LogPlace:
        """That of a directory that exists."""
        return cls(disk.open_directory(directory))

    def check_directory(self) -> None:
        """DiskFailed if the path names another directory, or none. For any thread."""
        check_in_place(self.directory)

    def check(self, files: Sequence[File]) -> None:
        """The same of the directory, the last of ``files``, and some of the others in turns."""
        self.check_directory()
        check_in_place(files[-1])
        others = len(files) - 1
        for _ in range(min(others, SEGMENTS_PER_CHECK)):
            self._next = (self._next + 1) % others
            check_in_place(files[self._next])

    def close(self) -> None:
        """Give the descriptor back."""
        self.directory.close()
