"""A broker's log directories on any file system that Arrow reads, as the replay knows a disk.

Only what making producer snapshots again needs: files are read, and small ones are put whole. An
object store has no renaming: there, what was written beside a file's place is kept in memory and
put in its place by one request, so that a reader never sees half of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import define, field
from pyarrow import fs

from metaquorum.base.errors import InvariantViolated
from metaquorum.storage.disk import Buffer, Disk, DiskFailed
from metaquorum.storage.posix import PosixDisk
from metaquorum.wire.slices import FileSlice
from pyspark_metaquorum.file_system import Place

READ_AHEAD_BYTES: Final = 1_048_576  # a request to an object store costs more than its bytes
_OBJECT_STORES: Final = ("s3", "gcs", "abfs")


def disk_of(uri: str) -> tuple[Disk, str]:
    """The disk that a path or URI is on, and the path there. Raises OperatorError."""
    place = Place.of(uri)
    if isinstance(place.system, fs.LocalFileSystem):
        return PosixDisk(), place.path
    return ArrowDisk(place.system), place.path.rstrip("/")


@define
class ReadFile:
    """A file that is there, with the last stretch that was read of it."""

    path: str
    _file: Any
    _size_bytes: int
    _start: int = field(default=0, init=False)
    _window: bytes = field(default=b"", init=False)

    def fileno(self) -> int:
        """There is none."""
        raise InvariantViolated(f"{self.path}: a file of Arrow's has no descriptor")

    def size(self) -> int:
        """How long it was when it was opened."""
        return self._size_bytes

    def read(self, position: int, length_bytes: int) -> bytes:
        """Out of the stretch if it is in there, else the next stretch is fetched."""
        at = position - self._start
        if at < 0 or at + length_bytes > len(self._window):
            self._file.seek(position)
            self._window = self._file.read(max(length_bytes, READ_AHEAD_BYTES))
            self._start, at = position, 0
        return self._window[at : at + length_bytes]

    def append(self, parts: Sequence[Buffer], mark: bytes = b"") -> None:
        """Segments are not written to."""
        raise InvariantViolated(f"{self.path} was opened to be read")

    def truncate(self, size_bytes: int) -> None:
        """Segments are not written to."""
        raise InvariantViolated(f"{self.path} was opened to be read")

    def preallocate(self, more_bytes: int) -> None:
        """There is nothing to set aside."""

    def make_room(self, more_bytes: int, mark: bytes) -> bool:
        """No."""
        return False

    def sync(self) -> None:
        """Nothing was written."""

    def make_read_only(self) -> None:
        """It is."""

    def why_displaced(self) -> str | None:
        """Nothing is written here that could be lost."""
        return None

    def close(self) -> None:
        """Give the connection back."""
        self._file.close()


@define
class NewFile(ReadFile):
    """A small file while it is written: in memory, until it is given its place."""

    content: bytearray = field(factory=bytearray, init=False)

    def size(self) -> int:
        """As written so far."""
        return len(self.content)

    def read(self, position: int, length_bytes: int) -> bytes:
        """What was written."""
        return bytes(self.content[position : position + length_bytes])

    def append(self, parts: Sequence[Buffer], mark: bytes = b"") -> None:
        """At the end."""
        for part in parts:
            self.content += part

    def truncate(self, size_bytes: int) -> None:
        """Cut."""
        del self.content[size_bytes:]

    def close(self) -> None:
        """Kept until it is renamed."""


@define
class ArrowDisk:
    """Files and folders of one of Arrow's file systems."""

    _system: Any
    _new: dict[str, NewFile] = field(factory=dict, init=False)

    def open(self, path: str, *, create: bool = False, writable: bool = True) -> ReadFile:
        """A file to read, or with ``create`` one that is to be renamed into its place."""
        if create:
            return self._new.setdefault(path, NewFile(path, None, 0))
        info = self._info(path)
        if info.type == fs.FileType.NotFound:
            raise FileNotFoundError(2, "there is no such file", path)
        return ReadFile(path, self._system.open_input_file(path), int(info.size or 0))

    def open_directory(self, path: str) -> ReadFile:
        """Folders of an object store are not opened."""
        raise InvariantViolated(f"{path} is no directory of a log that is written")

    def read_bytes(self, path: str) -> bytes:
        """The whole file."""
        if self._info(path).type == fs.FileType.NotFound:
            raise FileNotFoundError(2, "there is no such file", path)
        with self._system.open_input_stream(path) as file:
            content: bytes = file.read()
        return content

    def exists(self, path: str) -> bool:
        """Whether there is something of that name."""
        return bool(self._info(path).type != fs.FileType.NotFound)

    def names(self, directory: str) -> list[str]:
        """Names in a folder, sorted."""
        info = self._info(directory)
        if info.type == fs.FileType.NotFound:
            raise FileNotFoundError(2, "there is no such directory", directory)
        if info.type == fs.FileType.File:
            raise NotADirectoryError(20, "it is no directory", directory)
        found = self._system.get_file_info(fs.FileSelector(directory))
        return sorted(one.base_name for one in found)

    def make_directory(self, path: str) -> None:
        """A folder with those above it."""
        self._system.create_dir(path, recursive=True)

    def rename(self, old: str, new: str) -> None:
        """Put what was written beside a place into it. Raises DiskFailed."""
        content = bytes(self._new.pop(old).content)
        direct = self._system.type_name in _OBJECT_STORES
        try:
            with self._system.open_output_stream(new if direct else old) as file:
                file.write(content)
            if not direct:
                self._system.move(old, new)
        except OSError as error:
            raise DiskFailed(new, "cannot write", error) from error

    def unlink(self, path: str) -> None:
        """Forget what was written beside a place, or remove a file."""
        if self._new.pop(path, None) is None and self.exists(path):
            self._system.delete_file(path)

    def sync_directory(self, path: str) -> None:
        """A file that was closed is there: no more can be asked for."""

    def read_slice(self, part: FileSlice) -> bytes:
        """Slices are of files with descriptors."""
        raise InvariantViolated("a file of Arrow's has no descriptor")

    def _info(self, path: str) -> Any:
        (info,) = self._system.get_file_info([path])
        return info
