"""Parts into a socket that does not block: small parts gathered, file slices by ``sendfile``.

``flush`` sends as much as the socket takes and says how it ended; it never waits and never
starts a task. What has left is forgotten at once, and with it the pin of a file slice.

A socket that does not block still waits for a disk when the pages to be sent are not in memory,
and with it the whole event loop, elections included. So each stretch of a file is probed first
(``preadv`` with RWF_NOWAIT, about 2 us); a cold one is handed back to be read by a thread.
"""

from __future__ import annotations

import errno
import os
import socket
from collections import deque
from collections.abc import Callable, Iterable
from enum import Enum
from itertools import islice
from typing import Final, Protocol

from metaquorum.base.errors import PeerError
from metaquorum.base.limits import SEND_TURN_BYTES
from metaquorum.base.offsets import Offset
from metaquorum.wire.primitives import Parts
from metaquorum.wire.slices import FileSlice

_GATHER_PARTS: Final = 512  # below IOV_MAX (1024) on every system we know
_INLINE_BYTES: Final = 4_096  # a page
_STRETCH_BYTES: Final = 1_048_576  # probed, and read by a thread, at once
_SENDFILE_BYTES: Final = 262_144  # one call; a peer that reads meanwhile costs less than one behind
_READ_BYTES: Final = 262_144  # the same without sendfile, which copies through our memory
_BLOCKED: Final = (BlockingIOError, InterruptedError)
_NETWORK_TROUBLE: Final = frozenset(
    {
        errno.ETIMEDOUT,
        errno.EHOSTUNREACH,
        errno.EHOSTDOWN,
        errno.ENETUNREACH,
        errno.ENETDOWN,
        errno.ENETRESET,
        errno.ENOTCONN,
    }
)
_NO_PROBE: Final = frozenset({errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS})
_NO_SENDFILE: Final = frozenset({errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP})
_MORE: Final = getattr(socket, "MSG_MORE", 0)
_NOWAIT: Final[int | None] = getattr(os, "RWF_NOWAIT", None)


Ancillary = Iterable[tuple[int, int, bytes]]
"""What ``socket.sendmsg`` takes beside the bytes."""


class StreamSocket(Protocol):
    """What is asked of a socket that does not block."""

    def fileno(self) -> int: ...

    def recv(self, most: int, /) -> bytes: ...

    def send(self, data: bytes | memoryview, /) -> int: ...

    def sendmsg(
        self, parts: Iterable[bytes | memoryview], ancillary: Ancillary, flags: int, /
    ) -> int: ...

    def close(self) -> None: ...


def in_memory(part: FileSlice, most_bytes: int = _INLINE_BYTES) -> memoryview | FileSlice:
    """A small piece as bytes, if that needs no wait: it then leaves in one send with the rest.

    Observers at the end of the log are sent little else, and two calls cost more than a copy.
    """
    if _NOWAIT is None or part.length_bytes > most_bytes:
        return part
    data = bytearray(part.length_bytes)
    try:
        found = os.preadv(part.fd, (data,), part.position, _NOWAIT)
    except BlockingIOError:
        return part
    except OSError as error:
        if error.errno not in _NO_PROBE:
            raise
        return part
    return memoryview(data) if found == part.length_bytes else part


class PeerGone(PeerError):
    """The other end of a socket is no longer there, which is nobody's fault."""


def is_gone(error: OSError) -> bool:
    """Whether the system speaks of the peer or the network, and not of a disk or of us."""
    return isinstance(error, ConnectionError) or error.errno in _NETWORK_TROUBLE


class Flushed(Enum):
    """How far ``flush`` came."""

    ALL = "everything has left"
    SOME = "some bytes left, then the socket was full or the turn was over"
    NOTHING = "the socket was full at once"
    COLD = "the next bytes are not in memory: call warm() where it may block"


class Sender:
    """What waits to leave through one socket, in order."""

    __slots__ = ("_file_offset", "_parts", "_probes", "_sendfile", "_socket", "_warm_to")

    def __init__(self, sock: StreamSocket) -> None:
        self._socket = sock
        self._parts: deque[bytes | memoryview | FileSlice] = deque()
        self._file_offset = 0
        self._sendfile = hasattr(os, "sendfile")
        self._probes = _NOWAIT is not None
        self._warm_to = 0  # how far into the first part its pages are known to be in memory

    def push(self, parts: Parts) -> None:
        """Queue parts behind those that wait already."""
        for part in parts:
            if part:
                self._parts.append(in_memory(part) if isinstance(part, FileSlice) else part)

    def send_at_once(self, parts: Parts) -> bool:
        """Send a small answer behind which nothing waits; True when all of it has left.

        What has not is queued. PeerGone as for ``flush``.
        """
        try:
            data = b"".join(parts)  # type: ignore[arg-type]
        except TypeError:  # a piece of a file
            self.push(parts)
            if self.has_file:
                return False
            data = b"".join(self._parts)  # type: ignore[arg-type]
            self._parts.clear()
        return self.send_bytes(data)

    def send_bytes(self, data: bytes) -> bool:
        """The same of an answer that is one piece of memory."""
        try:
            sent = self._socket.send(data)
        except _BLOCKED:
            sent = 0
        except OSError as error:
            if is_gone(error):
                raise PeerGone(str(error)) from None
            raise
        if sent == len(data):
            return True
        self._parts.append(memoryview(data)[sent:])
        return False

    @property
    def is_empty(self) -> bool:
        """Whether everything has left."""
        return not self._parts

    @property
    def has_file(self) -> bool:
        """Whether a piece of a file waits that did not fit into a small answer."""
        return any(isinstance(part, FileSlice) for part in self._parts)

    def sends_beyond(self, offset: Offset) -> bool:
        """Whether a piece of the log at or above ``offset`` is on its way."""
        return any(isinstance(part, FileSlice) and part.end_offset > offset for part in self._parts)

    @property
    def memory_bytes(self) -> int:
        """Bytes that wait in memory; what leaves from files is not among them."""
        return sum(len(part) for part in self._parts if not isinstance(part, FileSlice))

    def flush(self) -> Flushed:
        """Send until the socket is full, nothing is left, or it has been enough for one turn.

        PeerGone when the other end is no longer there; any other OSError is our disk's.
        """
        sent = 0
        try:
            while self._parts:
                if sent >= SEND_TURN_BYTES:
                    return Flushed.SOME
                part = self._parts[0]
                if isinstance(part, FileSlice):
                    if self._is_cold(part):
                        return Flushed.COLD
                    sent += self._send_from_file(part)
                else:
                    sent += self._send_gathered()
        except _BLOCKED:
            return Flushed.SOME if sent else Flushed.NOTHING
        except OSError as error:
            if is_gone(error):
                raise PeerGone(str(error)) from None
            raise
        return Flushed.ALL

    def clear(self) -> None:
        """Forget what has not left, and let its pins go."""
        self._parts.clear()
        self._file_offset = self._warm_to = 0

    def warm(self) -> Callable[[], None]:
        """What a thread has to do after ``COLD``: read the next stretch, so that it is in memory.

        It keeps the slice pinned. Whether or not the pages stay, the stretch is sent next.
        """
        part = self._parts[0]
        assert isinstance(part, FileSlice)
        start, length = self._file_offset, self._stretch(part)
        self._warm_to = start + length

        def read() -> None:
            os.pread(part.fd, length, part.position + start)

        return read

    def _stretch(self, part: FileSlice) -> int:
        return min(part.length_bytes - self._file_offset, _STRETCH_BYTES)

    def _is_cold(self, part: FileSlice) -> bool:
        """Whether sending the next stretch would wait for the disk."""
        if not self._probes or self._file_offset < self._warm_to:
            return False
        first = part.position + self._file_offset
        stretch = self._stretch(part)
        try:
            for position in (first, first + stretch - 1):
                os.preadv(part.fd, (bytearray(1),), position, _NOWAIT or 0)
        except BlockingIOError:
            return True
        except OSError as error:
            if error.errno not in _NO_PROBE:
                raise
            self._probes = False
        self._warm_to = self._file_offset + stretch
        return False

    def _send_gathered(self) -> int:
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
        left = sent
        for part in gathered:
            if left < len(part):
                if left:
                    self._parts[0] = memoryview(part)[left:]
                break
            left -= len(part)
            self._parts.popleft()
        return sent

    def _send_from_file(self, part: FileSlice) -> int:
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
            self._file_offset = self._warm_to = 0
            self._parts.popleft()
        return sent

    def _send_pages(self, fd: int, position: int, left: int) -> int | None:
        """Bytes sent without a copy; None where the system cannot do that with this file."""
        count = min(left, _SENDFILE_BYTES)
        if self._probes:
            count = min(count, self._warm_to - self._file_offset)
        try:
            return os.sendfile(self._socket.fileno(), fd, position, count)
        except OSError as error:
            if error.errno not in _NO_SENDFILE:
                raise
            self._sendfile = False
            return None

    def _send_copied(self, fd: int, position: int, left: int) -> int:
        data = os.pread(fd, min(left, _READ_BYTES), position)
        return self._socket.send(data) if data else 0
