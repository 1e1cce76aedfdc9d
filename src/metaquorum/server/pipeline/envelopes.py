"""The request inside an Envelope is served by the same pipeline, for the client that sent it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from attrs import evolve

from metaquorum.base.clock import Millis
from metaquorum.base.errors import PeerError, RequestError
from metaquorum.runtime.loop.promise import AnyPromise, Promise
from metaquorum.server.contract.envelopes import Enveloped, Outcome
from metaquorum.server.contract.last_request import LastFetch, LastHeader
from metaquorum.server.contract.request import Origin, Request
from metaquorum.wire.frames import SIZE_BYTES
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.envelope_response import EnvelopeResponse
from metaquorum.wire.primitives import Parts

if TYPE_CHECKING:
    from metaquorum.wire.enveloping import Asker


class Deliver(Protocol):
    """Gets the parts of an answer."""

    def __call__(self, parts: Parts | PeerError, pause_ms: Millis = 0) -> None:
        """They may leave; then the connection is served nothing for ``pause_ms``.

        A PeerError where there is no answer to be had, or a fault was found in the request after
        ``serve`` had returned: the connection is to be closed.
        """


class Serves(Protocol):
    """The pipeline, as far as an Envelope is concerned."""

    def serve(
        self, frame: bytes, origin: Origin, now: Millis, deliver: Deliver
    ) -> AnyPromise | None:
        """As ``Pipeline.serve``."""


def asker_at(origin: Origin) -> Asker:
    """Whose the requests of a connection are, for the node that they are taken to."""
    from metaquorum.wire.enveloping import Asker

    return Asker(origin.principal, origin.host, origin.is_by_token)


def served_inside(
    pipeline: Serves, inner: Enveloped, request: Request[object]
) -> Promise[EnvelopeResponse]:
    """The Envelope's answer: the inner response, or that another controller is to be asked.

    RequestError UNSUPPORTED_VERSION for a request that cannot be read.
    """
    origin: Origin = evolve(
        request.origin,
        peer=f"{request.origin.peer} for {inner.host}",
        host=inner.host,
        forwarded_for=inner.principal,
        forwarded_by_token=inner.by_token,
        outcome=Outcome(),
        last_fetch=LastFetch(),
        last_header=LastHeader(),
    )
    answer: Promise[EnvelopeResponse] = Promise()

    def deliver(parts: Parts | PeerError, pause_ms: Millis = 0) -> None:
        if isinstance(parts, PeerError):
            answer.fail(RequestError(error_codes.UNSUPPORTED_VERSION, str(parts)))
        elif origin.outcome.must_ask_elsewhere:
            answer.fail(RequestError(error_codes.NOT_CONTROLLER))
        else:
            whole = b"".join(bytes(part) for part in parts)  # type: ignore[arg-type]
            answer.complete(EnvelopeResponse(whole[SIZE_BYTES:], error_codes.NONE))

    try:
        waiting = pipeline.serve(inner.frame, origin, request.received_at_ms, deliver)
    except PeerError as error:
        raise RequestError(error_codes.UNSUPPORTED_VERSION, str(error)) from error
    if waiting is not None:
        answer.on_cancel(waiting.cancel)
    return answer
