"""A client without a socket: requests straight into the server's pipeline, answers decoded."""

from __future__ import annotations

import os
import sys
from typing import Any

from attrs import define, field

from metaquorum.base.errors import PeerError
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.api import served_listener
from metaquorum.server.contract.request import Origin
from metaquorum.server.pipeline.pipeline import Pipeline
from metaquorum.testing.fake_services import FakeServices
from metaquorum.wire.generated.index import response_codec
from metaquorum.wire.headers import RequestHeader, put_request_header, read_response_header
from metaquorum.wire.slices import FileSlice, Parts


def request_frame(
    message: Any, version: int, *, correlation: int = 7, client_id: str | None = "test"
) -> bytes:
    """A request's header and body, without a size in front."""
    codec: Any = sys.modules[type(message).__module__]
    parts: Parts = []
    put_request_header(parts, RequestHeader(codec.API_KEY, version, correlation, client_id))
    codec.put(parts, message, version)
    return joined(parts)


def joined(parts: Parts) -> bytes:
    """The parts as they would stand on the wire, file slices read."""
    return b"".join(
        os.pread(part.fd, part.length_bytes, part.position)
        if isinstance(part, FileSlice)
        else bytes(part)
        for part in parts
    )


def decoded_answer(data: bytes, key: int, version: int) -> tuple[int, Any]:
    """Correlation id and message of one framed response."""
    assert int.from_bytes(data[:4], "big") == len(data) - 4
    correlation, at = read_response_header(data[4:], key, version)
    return correlation, response_codec(key).decode(data[4:], version, at)


@define(eq=False)
class Exchange:
    """One request, and its answer once it is there; ``fault`` where the connection ends."""

    key: int
    version: int
    parked: Promise[Any] | None = None
    delivered: Parts | None = None
    pause_ms: int = 0
    fault: PeerError | None = None

    @property
    def raw(self) -> bytes:
        """The framed answer."""
        assert self.delivered is not None, "no answer yet"
        return joined(self.delivered)

    @property
    def response(self) -> Any:
        """The answer, decoded in the version of the request."""
        return decoded_answer(self.raw, self.key, self.version)[1]


@define(eq=False)
class PipelineClient:
    """Sends requests to a pipeline of its own over a fake node."""

    services: FakeServices
    listener: str = "CONTROLLER"
    pipeline: Pipeline = field(init=False)
    origin: Origin = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.pipeline = Pipeline(self.services)
        served = served_listener(
            self.services.listener(self.listener),
            self.services.config,
            self.services.quorum_api_keys,
        )
        self.origin = Origin(served, "127.0.0.1:5000")

    def send(self, message: Any, version: int, *, trailing: bytes = b"") -> Exchange:
        """Send one request; the answer may be there already, or come later."""
        return self.send_raw(request_frame(message, version) + trailing)

    def send_raw(self, frame: bytes) -> Exchange:
        """The same with the bytes of a frame."""
        exchange = Exchange(
            int.from_bytes(frame[:2], "big"), int.from_bytes(frame[2:4], "big", signed=True)
        )

        def deliver(parts: Parts | PeerError, pause_ms: int = 0) -> None:
            assert exchange.delivered is None and exchange.fault is None, "answered twice"
            if isinstance(parts, PeerError):
                exchange.fault = parts
            else:
                exchange.delivered, exchange.pause_ms = parts, pause_ms

        now = self.services.clock.now_ms()
        exchange.parked = self.pipeline.serve(frame, self.origin, now, deliver)
        return exchange

    def ask(self, message: Any, version: int) -> Any:
        """The response to a request that is answered at once."""
        return self.send(message, version).response
