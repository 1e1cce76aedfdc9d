"""The names on a simulated disk: directories, and files by path. What a file holds is the disk's.

A disk says what an inode is to it, and what becomes of names and bytes in a crash.
"""

from __future__ import annotations

from functools import lru_cache
from posixpath import dirname as parent_of
from typing import Generic, TypeVar

from attrs import define, field, frozen

from metaquorum.storage.place import DELETED, REPLACED

dirname = lru_cache(maxsize=4_096)(parent_of)
"""Few paths, each asked for with every sync."""

Inode = TypeVar("Inode")

FIRST_INODE = 1_000_000
"""Unlike any descriptor, so that mixing them up shows."""


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
class SimNames(Generic[Inode]):
    """Files by path, with the part of the Disk protocol that is about names alone."""

    names_to_inodes: dict[str, Inode] = field(factory=dict, init=False)
    directories: set[str] = field(factory=lambda: {"/"}, init=False)

    def inode_at(self, path: str) -> Inode:
        """The file that has a name; FileNotFoundError if none has it."""
        inode = self.names_to_inodes.get(path)
        if inode is None:
            raise FileNotFoundError(path)
        return inode

    def why_displaced(self, path: str, inode: Inode) -> str | None:
        """Why a name is no longer that of this file, or None if it still is."""
        found = self.names_to_inodes.get(path)
        if found is None:
            return DELETED
        return None if found == inode else REPLACED

    def open_directory(self, path: str) -> SimDirectory:
        """Open a directory."""
        if path not in self.directories:
            raise FileNotFoundError(path)
        return SimDirectory(path, self.directories)

    def exists(self, path: str) -> bool:
        """Whether there is a file or directory."""
        return path in self.names_to_inodes or path in self.directories

    def names(self, directory: str) -> list[str]:
        """Names in a directory, sorted."""
        if directory not in self.directories:
            raise FileNotFoundError(directory)
        found = [*self.names_to_inodes, *(d for d in sorted(self.directories) if d != "/")]
        return sorted(path.rpartition("/")[2] for path in found if dirname(path) == directory)

    def make_directory(self, path: str) -> None:
        """A directory and its parents; they last at once."""
        while path not in self.directories:
            self.directories.add(path)
            path = dirname(path)
