"""Connections to other controllers that speak TLS and have authenticated before they are used.

An ``OpenStream`` around another: what it gives is a stream like any other, so that links, the
forwarder and others that dial know nothing of it. A session that has to be proven again in time
is, before the next request leaves: there is one request at a time on such a stream.
"""

from __future__ import annotations

import ssl
from collections.abc import Generator
from functools import partial
from typing import TYPE_CHECKING, Final

import trio
from attrs import define, field

from metaquorum.base.errors import PeerError
from metaquorum.client.login import Login
from metaquorum.runtime.peers.dial import OpenStream
from metaquorum.runtime.peers.peer_connection import PeerClosed, PeerConnection
from metaquorum.tls.reloading import ReloadedContext
from metaquorum.wire.generated import error_codes

if TYPE_CHECKING:  # imported when a connection logs in
    from metaquorum.wire.generated.sasl_authenticate_response import SaslAuthenticateResponse

_HANDSHAKE, _HANDSHAKE_VERSION = 17, 1
_AUTHENTICATE, _AUTHENTICATE_VERSION = 36, 1  # from 1 on it tells how long the proof is good for
_RENEW_AT: Final = 0.85  # of that time, as Kafka's clients do
_HUNG_UP: Final = (ssl.SSLEOFError, ssl.SSLZeroReturnError)  # Python 3.11.2 says the second


class NotAdmitted(OSError):
    """The other side is there, and no connection came of it: TLS or authentication failed."""


@define(eq=False)
class SecureDial:
    """Dials as ``beneath`` does, then speaks TLS with ``context`` and proves to be ``login``."""

    beneath: OpenStream
    context: ReloadedContext | None
    login: Login | None
    client_id: str

    async def __call__(self, host: str, port: int) -> trio.abc.Stream:
        """As ``OpenStream``; NotAdmitted says why it is not, PeerClosed that they hung up."""
        stream = await self.beneath(host, port)
        try:
            if self.context is not None:
                stream = await _with_tls(stream, self.context.current(), host)
            if self.login is not None:
                stream = AuthenticatedStream(stream, self.login, self.client_id)
                await stream.authenticate()
        except PeerError as error:
            await trio.aclose_forcefully(stream)
            raise NotAdmitted(f"{host}:{port}: {error}") from None
        except BaseException:
            with trio.CancelScope(shield=True):
                await trio.aclose_forcefully(stream)
            raise
        return stream


async def _with_tls(stream: trio.abc.Stream, context: ssl.SSLContext, host: str) -> trio.abc.Stream:
    try:
        secured = trio.SSLStream(stream, context, server_hostname=host)
    except ValueError:  # TLS takes fewer names than resolvers do
        raise PeerError("this is no name of a TLS server") from None
    try:
        await secured.do_handshake()
    except trio.BrokenResourceError as error:
        cause = error.__cause__
        await trio.aclose_forcefully(stream)
        if isinstance(cause, ssl.SSLCertVerificationError):
            raise PeerError(f"its certificate is not good: {cause.verify_message}") from None
        if isinstance(cause, ssl.SSLError) and not isinstance(cause, _HUNG_UP):
            why = (cause.reason or str(cause)).replace("_", " ").lower()
            raise PeerError(f"no TLS came of it: {why}") from None
        raise PeerClosed("the peer hung up amid the TLS handshake") from None
    return secured


@define(eq=False)
class AuthenticatedStream(trio.abc.Stream):
    """A stream whose other end knows who we are."""

    stream: trio.abc.Stream
    login: Login
    client_id: str
    _renew_at: float = field(default=float("inf"), init=False)

    async def authenticate(self) -> None:
        """Prove it; PeerError when the other side is not content, or does not prove its part."""
        from metaquorum.wire.generated.sasl_handshake_request import SaslHandshakeRequest

        began = trio.current_time()
        asking = PeerConnection(self.stream, self.client_id)
        chosen = SaslHandshakeRequest(self.login.mechanism)
        answer = await asking.ask(_HANDSHAKE, _HANDSHAKE_VERSION, chosen)
        if answer.error_code != error_codes.NONE:
            raise PeerError(f"{self.login.mechanism} is refused: {_name(answer.error_code)}")
        conversation = self.login.conversation()
        lifetime_ms = 0
        token: bytes | None = next(conversation)
        while token is not None:
            answer = await self._answered(asking, token)
            lifetime_ms = answer.session_lifetime_ms
            said = bytes(answer.auth_bytes)
            # Making a key of a password takes milliseconds by design.
            token = await trio.to_thread.run_sync(partial(_next_token, conversation, said))
        self._renew_at = began + lifetime_ms * _RENEW_AT / 1_000 if lifetime_ms else float("inf")

    async def _answered(self, asking: PeerConnection, token: bytes) -> SaslAuthenticateResponse:
        from metaquorum.wire.generated.sasl_authenticate_request import SaslAuthenticateRequest

        message = SaslAuthenticateRequest(token)
        answer: SaslAuthenticateResponse = await asking.ask(
            _AUTHENTICATE, _AUTHENTICATE_VERSION, message
        )
        if answer.error_code != error_codes.NONE:
            why = answer.error_message or _name(answer.error_code)
            raise PeerError(f"{self.login.user!r} is refused: {why}")
        return answer

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """As of a stream; proves it anew before, when it is time to."""
        if trio.current_time() >= self._renew_at:
            await self.authenticate()
        await self.stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        """As of a stream."""
        await self.stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        """As of a stream."""
        return await self.stream.receive_some(max_bytes)

    async def aclose(self) -> None:
        """As of a stream."""
        await self.stream.aclose()


def socket_beneath(stream: trio.abc.Stream) -> trio.socket.SocketType | None:
    """The socket of a stream whatever lies around it, None where there is none."""
    while not isinstance(stream, trio.SocketStream):
        if isinstance(stream, AuthenticatedStream):
            stream = stream.stream
        elif isinstance(stream, trio.SSLStream):
            stream = stream.transport_stream
        else:
            return None
    return stream.socket


def _next_token(conversation: Generator[bytes, bytes, None], answer: bytes) -> bytes | None:
    """What to say next, None when all is said."""
    try:
        return conversation.send(answer)
    except StopIteration:
        return None


def _name(code: int) -> str:
    return error_codes.NAMES.get(code, str(code))
