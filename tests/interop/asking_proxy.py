"""A relay in front of a server that notes what a client asks for: APIs, versions, whole fetches.

The server's advertised address must be the relay's, so that clients come back through it. What
a connection asks counts for the recording in which it was opened, however late it comes.
"""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Iterator

from attrs import define, field

from metaquorum.testing.proxy import ProxyThread, Tap, whole_frames
from metaquorum.wire.generated import fetch_request, fetch_response
from metaquorum.wire.generated.fetch_request import FetchRequest
from metaquorum.wire.generated.fetch_response import FetchResponse
from metaquorum.wire.headers import read_request_header, read_response_header
from tools.kafka.ports import LOOPBACK

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
    _running: contextlib.ExitStack = field(factory=contextlib.ExitStack, init=False)

    @property
    def bootstrap_server(self) -> str:
        """What ``--bootstrap-server`` takes."""
        return f"{LOOPBACK}:{self.port}"

    def __enter__(self) -> AskingProxy:
        proxy = ProxyThread(open_tap=lambda *_: _Conversation(self._recording))
        self._running.enter_context(proxy.running()).open_listener("", self.port, self.target_port)
        return self

    def __exit__(self, *_: object) -> None:
        self._running.close()

    @contextlib.contextmanager
    def recording(self) -> Iterator[Recording]:
        """What all connections ask that are opened meanwhile."""
        before, self._recording = self._recording, Recording()
        try:
            yield self._recording
        finally:
            self._recording = before


@define(eq=False)
class _Conversation(Tap):
    """What one connection says, in both directions; answers find their fetch by number."""

    recording: Recording
    _open: dict[int, Fetched] = field(factory=dict)
    _asking: bytearray = field(factory=bytearray)
    _answering: bytearray = field(factory=bytearray)

    def there(self, piece: bytes) -> bytes:
        for frame in whole_frames(self._asking, piece):
            key, version = _HEAD.unpack_from(frame)
            self.recording.asked.setdefault(key, set()).add(version)
            if key == _FETCH and version >= _SESSIONS_FROM:
                header, at = read_request_header(frame)
                request = fetch_request.decode(frame, version, at)
                fetched = Fetched(version, request, _SIZE_BYTES + len(frame))
                self._open[header.correlation_id] = fetched
                self.recording.fetches.append(fetched)
        return piece

    def back(self, piece: bytes) -> bytes:
        for frame in whole_frames(self._answering, piece):
            (correlation_id,) = _CORRELATION.unpack_from(frame)
            fetched = self._open.pop(correlation_id, None)
            if fetched is not None:
                _, at = read_response_header(frame, _FETCH, fetched.version)
                fetched.response_bytes = _SIZE_BYTES + len(frame)
                fetched.response = fetch_response.decode(frame, fetched.version, at)
        return piece
