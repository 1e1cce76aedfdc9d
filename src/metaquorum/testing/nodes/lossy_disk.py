"""The real disk in a directory of its own, of which a crash loses what was not synced.

Every call goes to the file system, so that descriptors and ``sendfile`` are real, and to a
``SimDisk``, which keeps the account of what a crash would leave. Nothing is really synced: the
process itself never dies.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from random import Random

from metaquorum.storage.disk import Buffer
from metaquorum.storage.posix import PosixDisk, PosixFile
from metaquorum.testing.sim_disk import SimDisk, SimFile, after_crash


class MachineDied(BaseException):
    """The fuse of a disk has burnt down: whatever was being done ends here."""


class LossyFile(PosixFile):
    """A file whose changes are put to the account as well."""

    def __init__(self, path: str, fd: int, shadow: SimFile, disk: LossyDisk) -> None:
        super().__init__(path, fd)
        self._shadow = shadow
        self._disk = disk

    def append(self, parts: Sequence[Buffer], mark: bytes = b"") -> None:
        """Write all parts at the end."""
        self._disk.burn()
        self._shadow.append(parts, mark)
        super().append(parts, mark)

    def make_room(self, more_bytes: int, mark: bytes) -> bool:
        """Room behind the end, where this file system has it."""
        self._disk.burn()
        return super().make_room(more_bytes, mark) and self._shadow.make_room(more_bytes, mark)

    def truncate(self, size_bytes: int) -> None:
        """Cut the file."""
        self._disk.burn()
        self._shadow.truncate(size_bytes)
        super().truncate(size_bytes)

    def sync(self) -> None:
        """The bytes survive from here on."""
        self._disk.burn()
        if not self._disk.lies:
            self._shadow.sync()

    def make_read_only(self) -> None:
        """The account does not keep modes, and a run may belong to root, whom none stops."""


class LossyDisk(PosixDisk):
    """All files below ``root``. ``fuse`` counts calls that change something; at 0 the machine dies.

    A disk whose machine has died does nothing more until ``crash`` has put into the directory what
    is left. One that ``lies`` reports syncs that it does not do; no quorum survives that.
    """

    def __init__(self, root: str) -> None:
        self.root = root
        self.fuse: int | None = None
        self.lies = False
        self._begin()

    def _begin(self) -> None:
        self._files = _read(self.root)
        self._shadow = SimDisk.holding(self._files)
        for where, _, _ in os.walk(self.root):
            self._shadow.make_directory(where)

    def burn(self) -> None:
        """One more change; MachineDied at the end of the fuse."""
        if self.fuse is not None:
            if self.fuse <= 0:
                raise MachineDied
            self.fuse -= 1

    def open(self, path: str, *, create: bool = False, writable: bool = True) -> LossyFile:
        """Open or create."""
        if create and not os.path.exists(path):
            self.burn()
        opened = super().open(path, create=create, writable=writable)
        shadow = self._shadow.open(path, create=create, writable=writable)
        return LossyFile(path, os.dup(opened.fileno()), shadow, self)

    def make_directory(self, path: str) -> None:
        """A directory with its parents; it lasts at once."""
        self._shadow.make_directory(path)
        super().make_directory(path)

    def rename(self, old: str, new: str) -> None:
        """Atomic replacement."""
        self.burn()
        self._shadow.rename(old, new)
        super().rename(old, new)

    def unlink(self, path: str) -> None:
        """Remove a name."""
        self.burn()
        self._shadow.unlink(path)
        super().unlink(path)

    def sync_directory(self, path: str) -> None:
        """The names survive from here on."""
        self.burn()
        self._shadow.sync_directory(path)

    def crash(self, chance: Random) -> str:
        """Leave in the directory what a crash at this moment leaves; in words what survived."""
        story, files = after_crash(self._files, self._shadow.trace, chance)
        for path in sorted(self._shadow.names_to_inodes):
            if path not in files and os.path.exists(path):
                os.unlink(path)
        for path, content in files.items():
            scratch = f"{path}.left"
            with open(scratch, "wb") as file:
                file.write(content)
            os.replace(scratch, path)  # a new inode: a dead node's descriptor keeps the old one
        self.fuse = None
        self._begin()
        return story

    def reopen(self) -> None:
        """The process died and the machine did not: everything written is there."""
        self.fuse = None
        self._begin()


def _read(root: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for where, _, names in sorted(os.walk(root)):
        for name in sorted(names):
            path = os.path.join(where, name)
            with open(path, "rb") as file:
                found[path] = file.read()
    return found
