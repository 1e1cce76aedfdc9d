"""One open connection to a peer: its versions learnt first, then one request at a time.

A commit waits for three requests and answers, so a plain socket has a short way: ``write``
sends without a task, and ``heard`` takes what there is. trio's own way costs a turn of the
scheduler for each send, and a wake-up for the task that sends.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import trio
from attrs import define, field

from metaquorum.base.errors import PeerError
from metaquorum.base.limits import MAX_FRAME_BYTES
from metaquorum.base.version import SOFTWARE
from metaquorum.quorum.messages import Request
from metaquorum.runtime.peers.fetch_template import FetchTemplate
from metaquorum.wire.frames import FrameReader, frame
from metaquorum.wire.generated import error_codes, index
from metaquorum.wire.headers import RequestHeader, put_request_header, read_response_header
from metaquorum.wire.message import AnyMessage, Message
from metaquorum.wire.slices import FileSlice, Parts

if TYPE_CHECKING:  # a lone node never asks
    from metaquorum.wire.generated.api_versions_response import ApiVersionsResponse

API_VERSIONS = 18
API_VERSIONS_VERSION = 3  # what every controller since 3.3 serves
RECEIVE_BYTES = 262_144
HEARD_BYTES = 65_536


class PeerClosed(OSError):
    """The peer closed or reset the connection."""


@define(eq=False)
class PeerConnection:
    """Asks over a stream; ``handshake`` comes first."""

    stream: trio.abc.Stream
    client_id: str
    versions: dict[int, tuple[int, int]] = field(factory=dict)
    _frames: FrameReader = field(factory=lambda: FrameReader(MAX_FRAME_BYTES))
    descriptor: int | None = None
    _correlation: int = 0
    _last: FetchTemplate = field(factory=FetchTemplate)

    def __attrs_post_init__(self) -> None:
        if isinstance(self.stream, trio.SocketStream):
            self.descriptor = self.stream.socket.fileno()

    async def handshake(self) -> None:
        """Learn which versions the peer serves.

        One that is older than our question says so in version 0 and is asked again in a version
        that it knows (KIP-511). Raises PeerError where that leads nowhere.
        """
        answer = await self._api_versions(API_VERSIONS_VERSION)
        if answer.error_code == error_codes.UNSUPPORTED_VERSION:
            highest = max(
                (row.max_version for row in answer.api_keys if row.api_key == API_VERSIONS),
                default=0,
            )
            if 0 <= highest < API_VERSIONS_VERSION:
                answer = await self._api_versions(highest)
        if answer.error_code != error_codes.NONE:
            raise PeerError(f"ApiVersions is refused with error {answer.error_code}")
        self.versions = {row.api_key: (row.min_version, row.max_version) for row in answer.api_keys}

    def version(self, api_key: int) -> int:
        """The highest version of an API that both of us know; PeerError without one."""
        api = index.APIS[api_key]
        served = self.versions.get(api_key)
        if served is None:
            raise PeerError(f"the peer does not serve {api.name}")
        version = min(api.highest, served[1])
        if version < max(api.lowest, served[0]):
            raise PeerError(f"the peer serves {api.name} in versions {served[0]} to {served[1]}")
        return version

    async def ask(self, api_key: int, version: int, message: Message) -> AnyMessage:
        """One request and its decoded answer; PeerClosed, PeerError or DecodeError without one."""
        return self._decoded(api_key, version, *await self._ask(api_key, version, message))

    async def close(self) -> None:
        """Hang up at once."""
        self.descriptor = None  # soon the number of another connection
        await trio.aclose_forcefully(self.stream)

    async def _api_versions(self, version: int) -> ApiVersionsResponse:
        from metaquorum.wire.generated import api_versions_request  # a lone node never asks

        request = api_versions_request.ApiVersionsRequest()
        if version >= API_VERSIONS_VERSION:
            request.client_software_name, request.client_software_version = SOFTWARE
        body, position = await self._ask(API_VERSIONS, version, request)
        refused = int.from_bytes(body[position : position + 2], "big", signed=True)
        answered = 0 if refused == error_codes.UNSUPPORTED_VERSION else version
        response: ApiVersionsResponse = index.response_codec(API_VERSIONS).decode(
            body, answered, position
        )
        return response

    def encoded(
        self, api_key: int, version: int, message: Request, to_wire: Callable[[Request], Message]
    ) -> bytes:
        """The next request of this connection, for ``write``; ``heard`` is for its answer.

        ``to_wire`` gives the wire's form of such a message.
        """
        self._correlation = (self._correlation + 1) & 0x7FFFFFFF
        data = self._last.frame(message, self._correlation)
        if data is None:

            def encode(one: Request, correlation: int) -> bytes:
                return self._encode(api_key, version, to_wire(one), correlation)

            data = encode(message, self._correlation)
            self._last.keep(message, encode)
        return data

    def write(self, data: bytes) -> int:
        """Send an encoded request at once over a plain socket; how many bytes the system took.

        None where the connection failed: the next to ask over it meets with the same, and tells.
        A connection of which a request was taken in part is of no use any more.
        """
        if self.descriptor is None:
            return 0
        try:
            return os.write(self.descriptor, data)
        except OSError:
            return 0

    def heard(self, api_key: int, version: int) -> Message | None:
        """The decoded answer to what was written, None while more of it has to come; as ``ask``."""
        assert self.descriptor is not None
        try:
            data = os.read(self.descriptor, HEARD_BYTES)
        except BlockingIOError:
            return None
        except OSError as error:
            raise PeerClosed(f"the peer reset the connection: {error}") from error
        answer = self._answer_in(data, api_key, version)
        return None if answer is None else self._decoded(api_key, version, *answer)

    def _decoded(self, api_key: int, version: int, body: memoryview, position: int) -> AnyMessage:
        return index.response_codec(api_key).decode(body, version, position)

    def _encode(self, api_key: int, version: int, message: Message, correlation: int) -> bytes:
        parts: Parts = []
        put_request_header(parts, RequestHeader(api_key, version, correlation, self.client_id))
        index.request_codec(api_key).put(parts, message, version)
        return b"".join(_plain(part) for part in frame(parts))

    async def _ask(self, api_key: int, version: int, message: Message) -> tuple[memoryview, int]:
        self._correlation = (self._correlation + 1) & 0x7FFFFFFF
        data, answer = self._encode(api_key, version, message, self._correlation), None
        try:
            await self.stream.send_all(data)
            while answer is None:
                received = await self.stream.receive_some(RECEIVE_BYTES)
                answer = self._answer_in(received, api_key, version)
        except trio.BrokenResourceError as error:
            raise PeerClosed(f"the peer reset the connection: {error.__cause__}") from error
        return answer

    def _answer_in(
        self, data: bytes | bytearray, api_key: int, version: int
    ) -> tuple[memoryview, int] | None:
        """The answer, once it is whole, and where its body begins."""
        if not data:
            raise PeerClosed("the peer closed the connection")
        frames = self._frames.feed(bytes(data))
        if len(frames) > 1:
            raise PeerError(f"{len(frames)} answers to one request")
        if not frames:
            return None
        correlation, position = read_response_header(frames[0], api_key, version)
        if correlation != self._correlation:
            raise PeerError(f"an answer to request {correlation}, {self._correlation} was asked")
        return frames[0], position


def _plain(part: bytes | memoryview | FileSlice) -> bytes | memoryview:
    assert not isinstance(part, FileSlice)
    return part
