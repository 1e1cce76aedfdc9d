"""A relay in front of a server that notes which APIs a client asks for, and in which versions.

The server's advertised address must be the relay's, so that clients come back through it. What
a connection asks counts for the recording in which it was opened, however late it comes.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Iterator

from attrs import define, field

from tools.kafka.ports import LOOPBACK

RECEIVE_BYTES = 65_536
_HEAD = struct.Struct(">ihh")  # the frame's size, the API's key and version
_SIZE_BYTES = 4
Asked = dict[int, set[int]]


@define(eq=False)
class AskingProxy:
    """Listens on ``port`` and relays to ``target_port``, both on loopback; a context manager."""

    port: int
    target_port: int
    _asked: Asked = field(factory=dict, init=False)
    _listener: socket.socket | None = field(default=None, init=False)
    _open: list[socket.socket] = field(factory=list, init=False)

    @property
    def bootstrap_server(self) -> str:
        """What ``--bootstrap-server`` takes."""
        return f"{LOOPBACK}:{self.port}"

    def __enter__(self) -> AskingProxy:
        self._listener = socket.create_server((LOOPBACK, self.port), backlog=64)
        _start(self._accept, self._listener)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._listener is not None
        for one in [self._listener, *self._open]:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    @contextlib.contextmanager
    def recording(self) -> Iterator[Asked]:
        """Versions by API key, of all connections that are opened meanwhile."""
        before, self._asked = self._asked, {}
        try:
            yield self._asked
        finally:
            self._asked = before

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):  # the listener was closed
            while True:
                client, _ = listener.accept()
                try:
                    server = socket.create_connection((LOOPBACK, self.target_port))
                except OSError:
                    client.close()
                    continue
                for one in (client, server):
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._open += [client, server]
                _start(_relay, client, server, _Frames(self._asked))
                _start(_relay, server, client, None)


@define
class _Frames:
    """The heads of the frames in a stream of bytes."""

    asked: Asked
    _pending: bytearray = field(factory=bytearray, init=False)
    _skip_bytes: int = field(default=0, init=False)

    def note(self, piece: bytes) -> None:
        self._pending += piece
        while True:
            skipped = min(self._skip_bytes, len(self._pending))
            del self._pending[:skipped]
            self._skip_bytes -= skipped
            if self._skip_bytes or len(self._pending) < _HEAD.size:
                return
            size_bytes, key, version = _HEAD.unpack_from(self._pending)
            self.asked.setdefault(key, set()).add(version)
            self._skip_bytes = _SIZE_BYTES + size_bytes


def _relay(source: socket.socket, target: socket.socket, frames: _Frames | None) -> None:
    """Pass on until the source ends; a request is noted before the server can answer it."""
    with contextlib.suppress(OSError):
        while piece := source.recv(RECEIVE_BYTES):
            if frames is not None:
                frames.note(piece)
            target.sendall(piece)
    for one in (source, target):
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


def _start(work: object, *arguments: object) -> None:
    threading.Thread(target=work, args=arguments, daemon=True).start()  # type: ignore[arg-type]
