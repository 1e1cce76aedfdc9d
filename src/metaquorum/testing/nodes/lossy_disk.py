"""The real disk in a directory of its own, of which a crash loses what was not synced.

Every call goes to the file system, so that descriptors and ``sendfile`` are real, and to a
``SimDisk`` before it, which keeps the account of what a crash would leave. Nothing is really
synced: the process itself never dies.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from random import Random

from metaquorum.storage.disk import Buffer
from metaquorum.storage.posix import PosixDisk, PosixFile
from metaquorum.testing.sim.disk import SimDisk, SimFile


class LossyFile(PosixFile):
    """A file whose changes are put to the account first."""

    def __init__(self, path: str, fd: int, account: SimFile) -> None:
        super().__init__(path, fd)
        self._account = account

    def append(self, parts: Sequence[Buffer], mark: bytes = b"") -> None:
        """Write all parts at the end."""
        self._account.append(parts, mark)
        super().append(parts, mark)

    def make_room(self, more_bytes: int, mark: bytes) -> bool:
        """Preallocated space, where this file system has it."""
        return super().make_room(more_bytes, mark) and self._account.make_room(more_bytes, mark)

    def truncate(self, size_bytes: int) -> None:
        """Cut the file."""
        self._account.truncate(size_bytes)
        super().truncate(size_bytes)

    def sync(self) -> None:
        """The bytes survive from here on."""
        self._account.sync()

    def make_read_only(self) -> None:
        """The account does not keep modes, and a run may belong to root, whom none stops."""


class LossyDisk(PosixDisk):
    """All files below ``root``. ``account`` has the switches: its ``power_left``, its lies.

    A disk whose machine has lost its power does nothing more until ``crash`` has put into the
    directory what is left.
    """

    def __init__(self, root: str, random: Random) -> None:
        self.root = root
        self.account = SimDisk(random, keeps_trace=False)
        self.reopen()

    def open(self, path: str, *, create: bool = False, writable: bool = True) -> LossyFile:
        """Open or create."""
        account = self.account.open(path, create=create, writable=writable)
        opened = super().open(path, create=create, writable=writable)
        return LossyFile(path, os.dup(opened.fileno()), account)

    def make_directory(self, path: str) -> None:
        """A directory with its parents; it lasts at once."""
        self.account.make_directory(path)
        super().make_directory(path)

    def rename(self, old: str, new: str) -> None:
        """Atomic replacement."""
        self.account.rename(old, new)
        super().rename(old, new)

    def unlink(self, path: str) -> None:
        """Remove a name."""
        self.account.unlink(path)
        super().unlink(path)

    def sync_directory(self, path: str) -> None:
        """The names survive from here on."""
        self.account.sync_directory(path)

    def crash(self) -> str:
        """Leave in the directory what a crash at this moment leaves; in words what survived."""
        before = list(self.account.names_to_inodes)
        story = self.account.crash()
        left = self.account.files()
        for path in before:
            if path not in left and os.path.exists(path):
                os.unlink(path)
        for path, content in left.items():
            scratch = f"{path}.left"
            with open(scratch, "wb") as file:
                file.write(content)
            os.replace(scratch, path)  # a new inode: a dead node's descriptor keeps the old one
        self.reopen()
        return story

    def reopen(self) -> None:
        """The process died and the machine did not: everything written is there."""
        self.account.mend()
        self.account.restore(_read(self.root))
        for where, _, _ in os.walk(self.root):
            self.account.make_directory(where)


def _read(root: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for where, _, names in sorted(os.walk(root)):
        for name in sorted(names):
            path = os.path.join(where, name)
            with open(path, "rb") as file:
                found[path] = file.read()
    return found
