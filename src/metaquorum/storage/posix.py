"""The real disk: plain system calls, each failure of a write or sync final.

Data goes through the page cache and ``fdatasync``, as Kafka's does.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from stat import S_ISDIR

from metaquorum.storage.disk import Buffer, DiskFailed
from metaquorum.storage.place import why_displaced
from metaquorum.storage.preallocation import UNFINISHED_AT, held_back
from metaquorum.wire.slices import FileSlice

_MOST_PARTS = 1024  # IOV_MAX on Linux and macOS
_KEEP_SIZE = 0x01  # FALLOC_FL_KEEP_SIZE
_FILE_MODE = 0o644
_READ_ONLY_MODE = 0o400


_open_files: set[int] = set()


def open_files() -> int:
    """How many files of logs and snapshots this process has open; one descriptor each."""
    return len(_open_files)


class PosixFile:
    """A file by its descriptor; the size is remembered, so that an append needs one call."""

    def __init__(self, path: str, fd: int) -> None:
        _open_files.add(fd)
        self.path = path
        self._fd = fd
        self._closed = False
        self._size = os.fstat(fd).st_size

    def __del__(self) -> None:
        if not self._closed:
            self._closed = True
            _open_files.discard(self._fd)  # before another file gets the number
            os.close(self._fd)

    def fileno(self) -> int:
        """The descriptor."""
        return self._fd

    def size(self) -> int:
        """Bytes in the file as this process wrote it."""
        return self._size

    def append(self, parts: Sequence[Buffer], mark: bytes = b"") -> None:
        """Write all parts at the end; short writes are continued, errors are DiskFailed."""
        if mark:
            self._fill_preallocation(parts, mark)
            return
        for start in range(0, len(parts), _MOST_PARTS):
            some = parts[start : start + _MOST_PARTS]
            wanted = sum(map(len, some))
            try:
                written = os.pwritev(self._fd, some, self._size)
                if written < wanted:
                    written += self._write_rest(b"".join(some), written)
            except OSError as error:
                raise DiskFailed(self.path, "cannot write to", error) from error
            self._size += wanted

    def _fill_preallocation(self, batches: Sequence[Buffer], mark: bytes) -> None:
        most, last = held_back(batches, mark)
        try:
            written = os.pwrite(self._fd, most, self._size)
            if written < len(most):
                self._write_rest(most, written)
            os.pwrite(self._fd, last, self._size + UNFINISHED_AT)
        except OSError as error:
            raise DiskFailed(self.path, "cannot write to", error) from error
        self._size += len(most) - len(mark)

    def _write_rest(self, whole: bytes, done: int) -> int:
        rest = memoryview(whole)[done:]
        total = 0
        while rest:
            written = os.pwrite(self._fd, rest, self._size + done + total)
            total += written
            rest = rest[written:]
        return total

    def read(self, position: int, length_bytes: int) -> bytes:
        """Bytes from a position; fewer only at the end."""
        return os.pread(self._fd, length_bytes, position)

    def truncate(self, size_bytes: int) -> None:
        """Cut, and give back what was preallocated."""
        try:
            os.ftruncate(self._fd, size_bytes)
        except OSError as error:
            raise DiskFailed(self.path, "cannot truncate", error) from error
        self._size = size_bytes

    def preallocate(self, more_bytes: int) -> None:
        """Reserve blocks beyond the end; the visible size stays exact, so no tool meets zeros."""
        reserve = _fallocate()
        if reserve is not None:
            reserve(self._fd, _KEEP_SIZE, self._size, more_bytes)

    def make_room(self, more_bytes: int, mark: bytes) -> bool:
        """Reserve blocks beyond the end and let the file reach over them, the mark first."""
        reserve = _fallocate()
        if reserve is None:
            return False
        try:
            self._write_rest(mark, 0)
        except OSError as error:
            raise DiskFailed(self.path, "cannot write to", error) from error
        return reserve(self._fd, 0, self._size, more_bytes) == 0

    def sync(self) -> None:
        """fdatasync, or all that the platform has."""
        try:
            _sync_data(self._fd)
        except OSError as error:
            raise DiskFailed(self.path, "cannot sync", error) from error

    def make_read_only(self) -> None:
        """Mode 0400, Kafka's for finished snapshots."""
        os.fchmod(self._fd, _READ_ONLY_MODE)

    def why_displaced(self) -> str | None:
        """By device and inode."""
        return why_displaced(self.path, self._fd)

    def close(self) -> None:
        """Close the descriptor now."""
        if not self._closed:
            self._closed = True
            _open_files.discard(self._fd)  # before another file gets the number
            os.close(self._fd)


def _sync_data(fd: int) -> None:
    if sys.platform == "darwin":
        import fcntl

        fcntl.fcntl(fd, fcntl.F_FULLFSYNC)  # fsync alone leaves the drive's cache behind
    else:
        os.fdatasync(fd)


@cache
def _fallocate() -> Callable[[int, int, int, int], int] | None:
    """Linux's fallocate, the only one that keeps the size; None elsewhere."""
    if sys.platform != "linux":
        return None
    import ctypes

    try:
        call = ctypes.CDLL(None).fallocate
    except (OSError, AttributeError):
        return None
    call.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64]
    call.restype = ctypes.c_int

    def reserve(fd: int, mode: int, position: int, length_bytes: int) -> int:
        return int(call(fd, mode, position, length_bytes))

    return reserve


class PosixDisk:
    """The file system of this machine."""

    def open(self, path: str, *, create: bool = False, writable: bool = True) -> PosixFile:
        """Open or create; the descriptor is not inherited by child processes."""
        flags = os.O_RDWR if writable else os.O_RDONLY
        if create:
            flags |= os.O_CREAT
        file = PosixFile(path, os.open(path, flags | os.O_CLOEXEC, _FILE_MODE))
        if S_ISDIR(os.fstat(file.fileno()).st_mode):  # else only a read tells, without a name
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        return file

    def open_directory(self, path: str) -> PosixFile:
        """Open a directory; NotADirectoryError for a file."""
        return PosixFile(path, os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))

    def read_bytes(self, path: str) -> bytes:
        """The whole file."""
        with open(path, "rb") as file:
            return file.read()

    def exists(self, path: str) -> bool:
        """Whether there is something of that name."""
        return os.path.exists(path)

    def names(self, directory: str) -> list[str]:
        """Names in a directory, sorted."""
        return sorted(os.listdir(directory))

    def make_directory(self, path: str) -> None:
        """A directory with its parents."""
        os.makedirs(path, exist_ok=True)

    def remove_directory(self, path: str) -> None:
        """Remove an empty directory."""
        try:
            os.rmdir(path)
        except OSError as error:
            raise DiskFailed(path, "cannot remove", error) from error

    def rename(self, old: str, new: str) -> None:
        """Atomic replacement."""
        try:
            os.replace(old, new)
        except OSError as error:
            raise DiskFailed(old, "cannot rename", error) from error

    def unlink(self, path: str) -> None:
        """Remove a name; one that is gone already is as good."""
        try:
            os.unlink(path)
        except FileNotFoundError:
            return
        except OSError as error:
            raise DiskFailed(path, "cannot remove", error) from error

    def sync_directory(self, path: str) -> None:
        """fsync of the directory itself."""
        try:
            fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            try:
                os.fsync(fd)
            finally:
                os.close(fd)
        except OSError as error:
            raise DiskFailed(path, "cannot sync directory", error) from error

    def read_slice(self, part: FileSlice) -> bytes:
        """Read what a slice stands for."""
        return os.pread(part.fd, part.length_bytes, part.position)
