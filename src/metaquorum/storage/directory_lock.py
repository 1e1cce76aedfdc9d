"""One process per log directory: Kafka's ``.lock`` file, held by the same kind of lock.

Two servers on one metadata directory would destroy it (KAFKA-14557); tools take the lock as well.
"""

from __future__ import annotations

import os
from contextlib import suppress

from metaquorum.base.errors import OperatorError
from metaquorum.storage.names import LOCK
from metaquorum.storage.place import displaced, why_displaced


class DirectoryLock:
    """The lock on a directory, held from construction to ``release``.

    Raises OperatorError while another process, ours or Kafka's, holds it.
    """

    def __init__(self, directory: str) -> None:
        self.path = os.path.join(directory, LOCK)
        self._fd: int | None = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            os.lockf(self._fd, os.F_TLOCK, 0)
        except OSError as error:
            os.close(self._fd)
            self._fd = None
            raise OperatorError(
                f"{directory} is in use: another process holds {self.path} ({error.strerror}); "
                "stop it first"
            ) from None

    def check_in_place(self) -> None:
        """DiskFailed if the file is gone or another one: the next process may lock that."""
        if self._fd is not None and (why := why_displaced(self.path, self._fd)) is not None:
            raise displaced(self.path, why)

    def release(self) -> None:
        """Remove the file, unless it is another's by now, and let go, as a clean stop does."""
        if self._fd is not None:
            with suppress(OSError):  # it cannot be looked at where its directory went away
                if why_displaced(self.path, self._fd) is None:
                    os.unlink(self.path)
            os.close(self._fd)
            self._fd = None
