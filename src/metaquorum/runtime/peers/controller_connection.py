"""A connection to another controller, for requests that are not the core's: one at a time."""

from __future__ import annotations

import select
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import trio
from attrs import define, field

from metaquorum.base.errors import PeerError, RequestError
from metaquorum.base.limits import MAX_FRAME_BYTES
from metaquorum.base.version import SOFTWARE
from metaquorum.runtime.peers.dial import OpenStream
from metaquorum.runtime.peers.secure_dial import socket_beneath
from metaquorum.wire.frames import FrameReader, frame
from metaquorum.wire.generated import api_versions_request, error_codes, index
from metaquorum.wire.headers import RequestHeader, put_request_header, read_response_header
from metaquorum.wire.message import AnyMessage, Message
from metaquorum.wire.slices import FileSlice, Parts

if TYPE_CHECKING:
    from metaquorum.wire.enveloping import Asker

API_VERSIONS: Final = 18
API_VERSIONS_VERSION: Final = 3  # what every controller since 3.3 serves
ENVELOPE: Final = 58
ENVELOPE_VERSION: Final = 0
CONNECT_TIMEOUT_S: Final = 2.0
RECEIVE_BYTES: Final = 65_536

Place = tuple[str, int]


class NotSent(Exception):
    """The other side could not be reached, or does not serve this: it has seen nothing."""


@define(eq=False)
class ControllerConnection:
    """Made by ``open``. After any exception but NotSent it is of no use and must be closed."""

    place: Place
    versions: Mapping[int, tuple[int, int]] = field(factory=dict, init=False)
    _stream: trio.abc.Stream
    _frames: FrameReader = field(factory=lambda: FrameReader(MAX_FRAME_BYTES), init=False)
    _correlation: int = field(default=0, init=False)

    @classmethod
    async def open(
        cls, place: Place, client_id: str, open_stream: OpenStream = trio.open_tcp_stream
    ) -> ControllerConnection:
        """Connect and learn what is served there; NotSent when that cannot be done."""
        stream: trio.abc.Stream | None = None
        try:
            with trio.fail_after(CONNECT_TIMEOUT_S):
                stream = await open_stream(*place)
                connection = cls(place, stream)
                await connection._learn_versions(client_id)
        except (OSError, trio.TooSlowError, trio.BrokenResourceError, PeerError) as error:
            if stream is not None:
                await trio.aclose_forcefully(stream)
            why = "no answer in time" if isinstance(error, trio.TooSlowError) else str(error)
            raise NotSent(f"{place[0]}:{place[1]}: {why}") from None
        except trio.Cancelled:
            if stream is not None:
                await trio.aclose_forcefully(stream)
            raise
        return connection

    @property
    def is_idle(self) -> bool:
        """Whether the other side has neither hung up nor said anything unasked."""
        beneath = socket_beneath(self._stream)
        if beneath is None:
            return True
        news = select.poll()
        news.register(beneath.fileno(), select.POLLIN)
        return not news.poll(0)

    async def ask(
        self, api_key: int, version: int, message: Message, client_id: str | None
    ) -> AnyMessage:
        """Send a request, return the decoded answer.

        NotSent when the version is not served there. OSError, trio's resource errors and
        PeerError: whether the request was acted upon is not known.
        """
        self._check_served(api_key, version)
        return await self._exchange(api_key, version, message, client_id)

    async def ask_for(
        self, client: Asker, api_key: int, version: int, message: Message, client_id: str | None
    ) -> AnyMessage:
        """As ``ask``, in an Envelope for ``client``; None if the node is not the active controller.

        RequestError with the code of an Envelope that is refused for another reason.
        """
        from metaquorum.wire.enveloping import enveloped, opened

        self._check_served(ENVELOPE, ENVELOPE_VERSION)
        self._check_served(api_key, version)
        correlation = self._next_correlation()
        header = RequestHeader(api_key, version, correlation, client_id)
        sealed = enveloped(header, message, client)
        outer = await self._exchange(ENVELOPE, ENVELOPE_VERSION, sealed, client_id)
        if outer.error_code == error_codes.NOT_CONTROLLER:
            return None
        if outer.error_code != error_codes.NONE:
            name = error_codes.NAMES.get(outer.error_code, str(outer.error_code))
            raise RequestError(outer.error_code, f"the active controller refused it: {name}")
        return opened(header, outer)

    def _check_served(self, api_key: int, version: int) -> None:
        lowest, highest = self.versions.get(api_key, (0, -1))
        if not lowest <= version <= highest:
            name = index.APIS[api_key].name
            raise NotSent(f"{name} version {version} is not served, only {lowest} to {highest}")

    def _next_correlation(self) -> int:
        self._correlation = (self._correlation + 1) & 0x7FFFFFFF
        return self._correlation

    async def close(self) -> None:
        """Hang up."""
        await trio.aclose_forcefully(self._stream)

    async def _learn_versions(self, client_id: str) -> None:
        ask = api_versions_request.ApiVersionsRequest(
            client_software_name=SOFTWARE[0], client_software_version=SOFTWARE[1]
        )
        answer = await self._exchange(API_VERSIONS, API_VERSIONS_VERSION, ask, client_id)
        if answer.error_code != error_codes.NONE:
            raise PeerError(f"ApiVersions is refused with error {answer.error_code}")
        self.versions = {row.api_key: (row.min_version, row.max_version) for row in answer.api_keys}

    async def _exchange(
        self, api_key: int, version: int, message: Message, client_id: str | None
    ) -> AnyMessage:
        asked = self._next_correlation()
        parts: Parts = []
        put_request_header(parts, RequestHeader(api_key, version, asked, client_id))
        index.request_codec(api_key).put(parts, message, version)
        await self._stream.send_all(b"".join(_plain(part) for part in frame(parts)))
        while True:
            data = await self._stream.receive_some(RECEIVE_BYTES)
            if not data:
                raise OSError("the controller closed the connection")
            frames = self._frames.feed(bytes(data))
            if frames:
                break
        correlation, position = read_response_header(frames[0], api_key, version)
        if correlation != asked or len(frames) > 1:
            raise PeerError(f"an answer to request {correlation}, {asked} was asked")
        return index.response_codec(api_key).decode(frames[0], version, position)


def _plain(part: bytes | memoryview | FileSlice) -> bytes | memoryview:
    assert not isinstance(part, FileSlice)
    return part
