"""A file of lines that is set aside when it is full, and the older ones beside it (decision 227).

``server.log`` is followed by ``server.log.1``, which is younger than ``server.log.2``. A process
that also moves or removes the file, logrotate say, need not tell: it is begun anew with the next
lines.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from attrs import define, field

from metaquorum.base.errors import OperatorError

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
_MODE = 0o640


@define(eq=False)
class LineFile:
    """The file at ``path``, never above ``max_bytes`` but by one write, and ``files_max`` in all.

    ``write`` gets whole lines. One thread writes at a time.
    """

    path: str
    max_bytes: int
    files_max: int
    _descriptor: int = field(default=-1, init=False)
    _size_bytes: int = field(default=0, init=False)

    @classmethod
    def opened(cls, path: str, max_bytes: int, files_max: int) -> LineFile:
        """The file, made if it is not there; OperatorError says why it cannot be written."""
        made = cls(os.path.abspath(path), max_bytes, files_max)
        try:
            made._open()
        except OSError as error:
            raise OperatorError(
                f"metaquorum.log.file: cannot write {path}: {error.strerror or error}"
            ) from None
        return made

    def write(self, content: bytes | memoryview) -> int:
        """Append some of the bytes and return their number; OSError as of ``os.write``."""
        if self._descriptor < 0:
            self._open()
        elif self._is_elsewhere():
            self._begin_anew()
        if self._size_bytes and self._size_bytes + len(content) > self.max_bytes:
            self._set_aside()
        written = os.write(self._descriptor, content)
        self._size_bytes += written
        return written

    def close(self) -> None:
        """Give the descriptor back."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _open(self) -> None:
        """Begin or go on with the file at ``path``; the one before stays if that fails."""
        descriptor = os.open(self.path, _FLAGS, _MODE)
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            os.close(descriptor)
            raise OSError(f"{self.path} is not a regular file")
        self._take(descriptor, status.st_size)

    def _take(self, descriptor: int, size_bytes: int) -> None:
        self.close()
        self._descriptor, self._size_bytes = descriptor, size_bytes

    def _begin_anew(self) -> None:
        """Leave a file that was moved; one that has no name any more can take no lines."""
        try:
            self._open()
        except OSError:
            if os.fstat(self._descriptor).st_nlink == 0:
                raise

    def _is_elsewhere(self) -> bool:
        """Whether what stands at ``path`` is not the file that is written."""
        try:
            there, open_file = os.stat(self.path), os.fstat(self._descriptor)
        except OSError:
            return True
        self._size_bytes = open_file.st_size  # it may have been truncated
        return (there.st_dev, there.st_ino) != (open_file.st_dev, open_file.st_ino)

    def _set_aside(self) -> None:
        """Make room for a new file; where that cannot be, the old one grows beyond its size.

        A line more in a file that is too long is better than a line less. The new file is there
        before the old one is moved, so a disk without room for it changes nothing.
        """
        following = f"{self.path}.next"
        try:
            descriptor = os.open(following, _FLAGS | os.O_TRUNC, _MODE)
        except OSError:
            return
        try:
            for number in range(self.files_max - 1, 1, -1):
                with suppress(FileNotFoundError):
                    os.replace(self._name(number - 1), self._name(number))
            os.replace(self.path, self._name(1))
            os.replace(following, self.path)
        except OSError:
            os.close(descriptor)
            with suppress(OSError):
                os.unlink(following)
            return
        self._take(descriptor, 0)

    def _name(self, number: int) -> str:
        return f"{self.path}.{number}"
