"""A relay in front of a server that notes what a client asks for: APIs, versions, whole fetches.

The server's advertised address must be the relay's, so that clients come back through it. What
a connection asks counts for the recording in which it was opened, however late it comes.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Iterator

from attrs import define, field

from metaquorum.wire.generated import fetch_request, fetch_response
from metaquorum.wire.generated.fetch_request import FetchRequest
from metaquorum.wire.generated.fetch_response import FetchResponse
from metaquorum.wire.headers import read_request_header, read_response_header
from tools.kafka.ports import LOOPBACK

RECEIVE_BYTES = 65_536
_HEAD = struct.Struct(">hh")  # the API's key and version
_CORRELATION = struct.Struct(">i")
_SIZE_BYTES = 4
_FETCH = 1
_SESSIONS_FROM = 7
Asked = dict[int, set[int]]


@define(eq=False)
class Fetched:
    """A Fetch and its answer as they went by, and their sizes on the wire."""

    version: int
    request: FetchRequest
    request_bytes: int
    response: FetchResponse | None = None
    response_bytes: int = 0

    @property
    def is_incremental(self) -> bool:
        """Whether it went on with a session."""
        return self.request.session_id > 0 and self.request.session_epoch > 0


@define(eq=False)
class Recording:
    """Versions by API key, and every Fetch in the order of the requests."""

    asked: Asked = field(factory=dict)
    fetches: list[Fetched] = field(factory=list)

    @property
    def uses_sessions(self) -> bool | None:
        """Whether a fetch session was asked for and given; None if nothing was fetched."""
        told = [one for one in self.fetches if one.response is not None]
        if not told:
            return None
        return any(one.response is not None and one.response.session_id for one in told)


@define(eq=False)
class AskingProxy:
    """Listens on ``port`` and relays to ``target_port``, both on loopback; a context manager."""

    port: int
    target_port: int
    _recording: Recording = field(factory=Recording, init=False)
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
    def recording(self) -> Iterator[Recording]:
        """What all connections ask that are opened meanwhile."""
        before, self._recording = self._recording, Recording()
        try:
            yield self._recording
        finally:
            self._recording = before

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
                talk = _Conversation(self._recording)
                _start(_relay, client, server, talk.asks)
                _start(_relay, server, client, talk.answers)


@define(eq=False)
class _Conversation:
    """What one connection says, in both directions; answers find their fetch by number."""

    recording: Recording
    _open: dict[int, Fetched] = field(factory=dict)
    _asking: bytearray = field(factory=bytearray)
    _answering: bytearray = field(factory=bytearray)

    def asks(self, piece: bytes) -> None:
        for frame in frames_of(self._asking, piece):
            key, version = _HEAD.unpack_from(frame)
            self.recording.asked.setdefault(key, set()).add(version)
            if key == _FETCH and version >= _SESSIONS_FROM:
                header, at = read_request_header(frame)
                request = fetch_request.decode(frame, version, at)
                fetched = Fetched(version, request, _SIZE_BYTES + len(frame))
                self._open[header.correlation_id] = fetched
                self.recording.fetches.append(fetched)

    def answers(self, piece: bytes) -> None:
        for frame in frames_of(self._answering, piece):
            (correlation_id,) = _CORRELATION.unpack_from(frame)
            fetched = self._open.pop(correlation_id, None)
            if fetched is not None:
                _, at = read_response_header(frame, _FETCH, fetched.version)
                fetched.response_bytes = _SIZE_BYTES + len(frame)
                fetched.response = fetch_response.decode(frame, fetched.version, at)


def frames_of(pending: bytearray, piece: bytes) -> Iterator[bytes]:
    """The frames that are whole now, without their sizes."""
    pending += piece
    while len(pending) >= _SIZE_BYTES:
        ends = _SIZE_BYTES + int.from_bytes(pending[:_SIZE_BYTES], "big")
        if len(pending) < ends:
            return
        frame = bytes(pending[_SIZE_BYTES:ends])
        del pending[:ends]
        yield frame


def _relay(source: socket.socket, target: socket.socket, note: Callable[[bytes], None]) -> None:
    """Pass on until the source ends; what is noted is noted before the other side has it."""
    with contextlib.suppress(OSError):
        while piece := source.recv(RECEIVE_BYTES):
            note(piece)
            target.sendall(piece)
    for one in (source, target):
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


def _start(work: object, *arguments: object) -> None:
    threading.Thread(target=work, args=arguments, daemon=True).start()  # type: ignore[arg-type]
