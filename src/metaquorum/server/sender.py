"""Parts into a socket that does not block: small parts gathered, file slices by ``sendfile``.

``flush`` sends as much as the socket takes and says how it ended; it never waits and never
starts a task. What has left is forgotten at once, and with it the pin of a file slice.
"""

from __future__ import annotations

import errno
import os
import socket
from collections import deque
from enum import Enum
from itertools import islice
from typing import Final

from metaquorum.base.errors import PeerError
from metaquorum.wire.primitives import Parts
from metaquorum.wire.slices import FileSlice

_GATHER_PARTS: Final = 512  # below IOV_MAX (1024) on every system we know
_SENDFILE_BYTES: Final = 1_048_576  # one call; larger ones only hold the loop longer
_READ_BYTES: Final = 262_144  # the same without sendfile, which copies through our memory
_BLOCKED: Final = (BlockingIOError, InterruptedError)
_NO_SENDFILE: Final = frozenset({errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP})
_MORE: Final = getattr(socket, "MSG_MORE", 0)


class Flushed(Enum):
    """How far ``flush`` came."""

    ALL = "everything has left"
    SOME = "some bytes left, then the socket was full"
    NOTHING = "the socket was full at once"


class Sender:
    """What waits to leave through one socket, in order."""

    __slots__ = ("_file_offset", "_parts", "_sendfile", "_socket")

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self._parts: deque[bytes | memoryview | FileSlice] = deque()
        self._file_offset = 0
        self._sendfile = hasattr(os, "sendfile")

    def push(self, parts: Parts) -> None:
        """Queue parts behind those that wait already."""
        self._parts.extend(part for part in parts if len(part))

    @property
    def is_empty(self) -> bool:
        """Whether everything has left."""
        return not self._parts

    def flush(self) -> Flushed:
        """Send until the socket is full or nothing is left; OSError when the peer has gone."""
        progress = False
        try:
            while self._parts:
                if isinstance(self._parts[0], FileSlice):
                    self._send_from_file(self._parts[0])
                else:
                    self._send_gathered()
                progress = True
        except _BLOCKED:
            return Flushed.SOME if progress else Flushed.NOTHING
        return Flushed.ALL

    def clear(self) -> None:
        """Forget what has not left, and let its pins go."""
        self._parts.clear()

    def _send_gathered(self) -> None:
        gathered: list[bytes | memoryview] = []
        flags = 0
        for part in islice(self._parts, _GATHER_PARTS):
            if isinstance(part, FileSlice):
                flags = _MORE  # the header leaves with the first pages behind it
                break
            gathered.append(part)
        if len(gathered) == 1 and not flags:
            sent = self._socket.send(gathered[0])
        else:
            sent = self._socket.sendmsg(gathered, (), flags)
        for part in gathered:
            if sent < len(part):
                if sent:
                    self._parts[0] = memoryview(part)[sent:]
                return
            sent -= len(part)
            self._parts.popleft()

    def _send_from_file(self, part: FileSlice) -> None:
        position = part.position + self._file_offset
        left = part.length_bytes - self._file_offset
        sent = self._send_pages(part.fd, position, left) if self._sendfile else None
        if sent is None:
            sent = self._send_copied(part.fd, position, left)
        if sent == 0:
            raise PeerError(
                f"the log was cut at position {position} while {left} bytes of it were on their way"
            )
        self._file_offset += sent
        if self._file_offset == part.length_bytes:
            self._file_offset = 0
            self._parts.popleft()

    def _send_pages(self, fd: int, position: int, left: int) -> int | None:
        """Bytes sent without a copy; None where the system cannot do that with this file."""
        try:
            return os.sendfile(self._socket.fileno(), fd, position, min(left, _SENDFILE_BYTES))
        except OSError as error:
            if error.errno not in _NO_SENDFILE:
                raise
            self._sendfile = False
            return None

    def _send_copied(self, fd: int, position: int, left: int) -> int:
        data = os.pread(fd, min(left, _READ_BYTES), position)
        return self._socket.send(data) if data else 0
