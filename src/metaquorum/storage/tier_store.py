"""Where tiered segments lie: a few verbs that a directory and an object store both have."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from typing import BinaryIO, Final, Protocol

from metaquorum.base.errors import OperatorError

COPY_BYTES: Final = 1_048_576  # read at a time
_BESIDE: Final = ".tmp"


class StoreFailed(OperatorError):
    """The store could not be read or written; the message names it and says why."""


class ByteSink(Protocol):
    """What takes bytes: a file, for one."""

    def write(self, data: bytes, /) -> object:
        """Take all of ``data``."""


class TierStore(Protocol):
    """Objects by key; a key has slashes between its parts. An object is there whole or not."""

    @property
    def uri(self) -> str:
        """What the user called it, for messages."""

    def read(self, key: str) -> bytes | None:
        """The whole of a small object, None without one. Raises StoreFailed."""

    def sizes(self, prefix: str) -> dict[str, int]:
        """The objects whose keys begin so, with their sizes in bytes. Raises StoreFailed."""

    def put(self, key: str, content: BinaryIO, size_bytes: int, sha256: str) -> None:
        """Put an object in its place, whole or not at all; one that is there is replaced.

        Raises StoreFailed, also when the bytes are not those of ``sha256`` (hexadecimal).
        """

    def digest(self, key: str) -> str:
        """The SHA-256 of an object, hexadecimal; reads all of it. Raises StoreFailed."""

    def copy_to(self, key: str, target: ByteSink) -> str:
        """Write all of an object to ``target``; its SHA-256. Raises StoreFailed, for what was
        written too.
        """


class LocalStore:
    """A directory. Files are written beside their place, synced and renamed."""

    def __init__(self, directory: str) -> None:
        self.uri = directory
        self._root = os.path.abspath(directory)

    def read(self, key: str) -> bytes | None:
        """The content of a file."""
        try:
            with open(self._path(key), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _failed(error, self._path(key)) from None

    def sizes(self, prefix: str) -> dict[str, int]:
        """The files below, but for what is being written. StoreFailed without a directory."""
        if not prefix and not os.path.isdir(self._root):
            raise StoreFailed(f"{self.uri}: there is no such directory")
        try:
            return dict(sorted(self._walk(prefix)))
        except OSError as error:
            raise _failed(error) from None

    def _walk(self, prefix: str) -> Iterator[tuple[str, int]]:
        above = prefix.rpartition("/")[0]
        for directory, _, names in os.walk(self._path(above)):
            for name in names:
                path = os.path.join(directory, name)
                key = os.path.relpath(path, self._root)
                if key.startswith(prefix) and not name.endswith(_BESIDE):
                    yield key, os.path.getsize(path)

    def put(self, key: str, content: BinaryIO, size_bytes: int, sha256: str) -> None:
        """Copy into a file."""
        path = self._path(key)
        beside = f"{path}.{os.getpid()}{_BESIDE}"  # two uploads at once do not meet there
        directory = os.path.dirname(path)
        try:
            _make_durably(directory)
            try:
                with open(beside, "wb") as file:
                    found = copied(content, file)
                    file.flush()
                    os.fsync(file.fileno())
                if found != sha256:
                    raise StoreFailed(f"{path}: its source changed while it was copied")
                os.replace(beside, path)
            except (OSError, StoreFailed):
                if os.path.exists(beside):
                    os.unlink(beside)
                raise
            _sync(directory)
        except OSError as error:
            raise _failed(error, beside) from None

    def digest(self, key: str) -> str:
        """Of a file."""
        return self._copied(key, None)

    def copy_to(self, key: str, target: ByteSink) -> str:
        """Of a file."""
        return self._copied(key, target)

    def _copied(self, key: str, target: ByteSink | None) -> str:
        try:
            with open(self._path(key), "rb") as file:
                return copied(file, target)
        except OSError as error:
            raise _failed(error, self._path(key)) from None

    def _path(self, key: str) -> str:
        return os.path.join(self._root, key)


def copied(source: BinaryIO, target: ByteSink | None) -> str:
    """Copy what is left of a file, to nowhere with None; the SHA-256 of it."""
    digest = hashlib.sha256()
    while part := source.read(COPY_BYTES):
        digest.update(part)
        if target is not None:
            target.write(part)
    return digest.hexdigest()


def _make_durably(directory: str) -> None:
    """A directory with its parents, each name synced in the one above it."""
    if os.path.isdir(directory):
        return
    above = os.path.dirname(directory)
    _make_durably(above)
    os.makedirs(directory, exist_ok=True)
    _sync(above)


def _sync(directory: str) -> None:
    fd = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _failed(error: OSError, path: str = "") -> StoreFailed:
    """The system tells no name when a write fails: then it is that of ``path``."""
    return StoreFailed(f"{error.filename or path}: {error.strerror or error}")
