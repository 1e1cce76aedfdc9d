"""One connection to one peer of the quorum: connect, learn versions, one request at a time.

The core decides what is sent, when, how long an answer is waited for and when to try again; a
link only carries it. A request that takes the place of one without an answer ends the old
connection: its answer could only come late (KAFKA-14208).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import trio
from attrs import define, field

from metaquorum.base.errors import PeerError
from metaquorum.base.limits import MAX_FRAME_BYTES
from metaquorum.quorum import adapt
from metaquorum.quorum.effects import Send
from metaquorum.quorum.events import Event, RequestFailed, ResponseArrived
from metaquorum.wire.errors import UnsupportedField
from metaquorum.wire.frames import FrameReader, frame
from metaquorum.wire.generated import error_codes, index
from metaquorum.wire.headers import RequestHeader, put_request_header, read_response_header
from metaquorum.wire.slices import FileSlice, Parts

API_VERSIONS = 18
API_VERSIONS_VERSION = 3  # what every controller since 3.3 serves
SOFTWARE = ("metaquorum", "0.1.0")
CONNECT_TIMEOUT_S = 2.0
RECEIVE_BYTES = 262_144

OpenStream = Callable[[str, int], Awaitable[trio.abc.Stream]]


@define(eq=False)
class PeerLink:
    """Carries requests to one peer; ``tell`` gets what came of each."""

    peer_id: int
    client_id: str
    cluster_id: str
    listener: str
    tell: Callable[[Event], None]
    open_stream: OpenStream = trio.open_tcp_stream
    connects: int = 0
    _next: Send | None = None
    _news: trio.Event = field(factory=trio.Event)
    _scope: trio.CancelScope | None = None
    _stream: trio.abc.Stream | None = None
    _place: tuple[str, int] | None = None
    _frames: FrameReader = field(factory=lambda: FrameReader(MAX_FRAME_BYTES))
    _versions: dict[int, tuple[int, int]] = field(factory=dict)
    _correlation: int = 0

    def send(self, request: Send) -> None:
        """Send this next; whatever is still unanswered is given up."""
        self._next = request
        self._news.set()
        if self._scope is not None:
            self._scope.cancel()

    async def run(self) -> None:
        """Carry requests for ever; ends by cancellation."""
        try:
            while True:
                if self._next is None:
                    self._news = trio.Event()
                    await self._news.wait()
                    continue
                request, self._next = self._next, None
                with trio.CancelScope() as self._scope:
                    await self._carry(request)
                cancelled, self._scope = self._scope.cancelled_caught, None
                if cancelled:
                    await self._hang_up()
        finally:
            with trio.CancelScope(shield=True):
                await self._hang_up()

    async def _carry(self, request: Send) -> None:
        """One request and its answer, or why there is none."""
        try:
            answer = await self._exchange(request)
        except UnsupportedField as error:
            self._fail(request, str(error), unsupported=True)
        except (OSError, trio.BrokenResourceError, trio.ClosedResourceError, PeerError) as error:
            await self._hang_up()
            self._fail(request, f"{type(error).__name__}: {error}")
        else:
            self.tell(ResponseArrived(self.peer_id, request.correlation, answer))

    def _fail(self, request: Send, why: str, *, unsupported: bool = False) -> None:
        self.tell(RequestFailed(self.peer_id, request.correlation, why, unsupported))

    async def _exchange(self, request: Send) -> Any:
        await self._connect(request)
        api_key = adapt.api_key_of(request.message)
        version = self._version(api_key)
        wire = adapt.write_request(version, request.message, self.cluster_id)
        body, position = await self._ask(api_key, version, wire)
        response = index.response_codec(api_key).decode(body, version, position)
        return adapt.read_response(api_key, version, response, self.listener)

    def _version(self, api_key: int) -> int:
        """The highest version of an API that both of us know; PeerError without one."""
        api = index.APIS[api_key]
        lowest, highest = self._versions.get(api_key, (0, -1))
        version = min(api.highest, highest)
        if version < max(api.lowest, lowest):
            raise PeerError(f"the peer serves {api.name} in versions {lowest} to {highest}")
        return version

    async def _connect(self, request: Send) -> None:
        endpoint = request.peer.endpoint
        if endpoint is None:
            raise PeerError(f"nobody has said where node {self.peer_id} listens")
        place = (endpoint.host, endpoint.port)
        if self._stream is not None and self._place == place:
            return
        await self._hang_up()
        with trio.move_on_after(CONNECT_TIMEOUT_S) as limit:
            self._stream = await self.open_stream(*place)
        if limit.cancelled_caught:
            raise OSError(f"{place[0]}:{place[1]} does not answer")
        self._place = place
        self._frames = FrameReader(MAX_FRAME_BYTES)
        self.connects += 1
        await self._learn_versions()

    async def _learn_versions(self) -> None:
        from metaquorum.wire.generated import api_versions_request  # a lone node never asks

        ask = api_versions_request.ApiVersionsRequest(
            client_software_name=SOFTWARE[0], client_software_version=SOFTWARE[1]
        )
        body, position = await self._ask(API_VERSIONS, API_VERSIONS_VERSION, ask)
        answer = index.response_codec(API_VERSIONS).decode(body, API_VERSIONS_VERSION, position)
        if answer.error_code != error_codes.NONE:
            raise PeerError(f"ApiVersions is refused with error {answer.error_code}")
        self._versions = {
            row.api_key: (row.min_version, row.max_version) for row in answer.api_keys
        }

    async def _ask(self, api_key: int, version: int, message: Any) -> tuple[memoryview, int]:
        stream = self._stream
        assert stream is not None
        self._correlation = (self._correlation + 1) & 0x7FFFFFFF
        parts: Parts = []
        put_request_header(
            parts, RequestHeader(api_key, version, self._correlation, self.client_id)
        )
        index.request_codec(api_key).put(parts, message, version)
        await stream.send_all(b"".join(_plain(part) for part in frame(parts)))
        while True:
            data = await stream.receive_some(RECEIVE_BYTES)
            if not data:
                raise OSError("the peer closed the connection")
            frames = self._frames.feed(bytes(data))
            if frames:
                break
        correlation, position = read_response_header(frames[0], api_key, version)
        if correlation != self._correlation or len(frames) > 1:
            raise PeerError(f"an answer to request {correlation}, {self._correlation} was asked")
        return frames[0], position

    async def _hang_up(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            await trio.aclose_forcefully(stream)


def _plain(part: bytes | memoryview | FileSlice) -> bytes | memoryview:
    assert not isinstance(part, FileSlice)
    return part
