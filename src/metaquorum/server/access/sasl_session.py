"""Who a connection is, on a listener with SASL: what it may ask before, when, and for how long.

Behaviour (KIP-12, KIP-43, KIP-152, KIP-368)
- Until it has authenticated, a connection may ask for ApiVersions, SaslHandshake and
  SaslAuthenticate, in few and small frames and for a short time; anything else ends it.
- After a handshake of version 0 tokens travel as frames of their own, without headers, until the
  proof. One that fails is answered by nothing: the connection is closed after a while.
- A handshake that names a mechanism that is not offered, or comes out of turn, is answered and
  ends the connection, as does a failed authentication; that answer is held back for a while.
- Where sessions have a lifetime, a connection authenticates again in time, by the same mechanism
  and as the same user, or it is ended by the first request after that. The session of who came with
  a delegation token ends with the token at the latest (KIP-48).

One of these belongs to one connection; the pipeline asks ``admit`` before anything else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import define, field

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.errors import PeerError
from metaquorum.base.limits import (
    MAX_AUTHENTICATION_MS,
    MAX_UNAUTHENTICATED_FRAME_BYTES,
    MAX_UNAUTHENTICATED_FRAMES,
)
from metaquorum.base.quoting import quoted
from metaquorum.config.sasl_settings import SaslSettings
from metaquorum.server.access.authentication import AuthenticationFailed, Exchange, Step
from metaquorum.wire.generated import error_codes

_BEFORE: Final = frozenset({17, 18, 36})  # SaslHandshake, ApiVersions, SaslAuthenticate
ANONYMOUS: Final = "User:ANONYMOUS"
_LAST_WORD_MS: Final[Millis] = 500  # for the answer to leave before the connection is closed
FAILED_TEXT: Final = "authentication failed: the user or the password is wrong"

Begin = Callable[[str], Exchange]
"""A new exchange of the mechanism of that name, which is offered."""


def _nobody_waits(principal: str) -> None:
    """Nobody wants to know."""


@define(eq=False)
class SaslSession:
    """The state of one connection; ``begun_ms`` is when it was accepted.

    ``tell`` gets why authentication failed, and the empty text when it succeeded.
    """

    settings: SaslSettings
    begin: Begin
    tell: Callable[[str], None]
    begun_ms: Millis
    frame_bytes: int = MAX_UNAUTHENTICATED_FRAME_BYTES
    principal: str = ANONYMOUS
    is_authenticated: bool = False
    is_by_token: bool = False
    why_failed: str = ""
    takes_token: bool = False
    on_proven: Callable[[str], None] = field(default=_nobody_waits, repr=False)
    """Called with the principal each time it has proved who it is."""
    _frames: int = 0
    _mechanism: str = ""
    _exchange: Exchange | None = field(default=None, repr=False)
    _expires_ms: Millis = NEVER
    _ends_ms: Millis = NEVER

    @property
    def deadline(self) -> Millis:
        """When the connection is to be closed whatever it does."""
        if self.is_authenticated:
            return self._ends_ms
        return min(self._ends_ms, self.begun_ms + MAX_AUTHENTICATION_MS)

    @property
    def complaint(self) -> str:
        """Why the deadline closes it."""
        if self.why_failed:
            return f"did not authenticate: {self.why_failed}"
        return f"did not authenticate within {MAX_AUTHENTICATION_MS} ms"

    def admit(self, api_key: int, now: Millis) -> None:
        """PeerError for a request that may not be asked now."""
        if self.why_failed:
            raise PeerError(f"did not authenticate: {self.why_failed}")
        if self.is_authenticated and self._exchange is None:
            if now >= self._expires_ms and api_key not in _BEFORE:
                raise PeerError("did not authenticate again before its session expired")
            return
        if api_key not in _BEFORE:
            raise PeerError(f"asked for api key {api_key} before it had authenticated")
        self._count()

    def _count(self) -> None:
        self._frames += 1
        if self._frames > MAX_UNAUTHENTICATED_FRAMES:
            raise PeerError(f"more than {MAX_UNAUTHENTICATED_FRAMES} requests to authenticate with")

    def handshake(self, mechanism: str, version: int, now: Millis) -> int:
        """The error code that answers the choice of a mechanism."""
        if self._exchange is not None:
            return self._refused(error_codes.ILLEGAL_SASL_STATE, "a handshake out of turn", now)
        if self.is_authenticated and self._expires_ms == NEVER:
            return error_codes.ILLEGAL_SASL_STATE
        if version == 0 and self.is_authenticated:  # there is no proving it again in that way
            return self._refused(error_codes.ILLEGAL_SASL_STATE, "a handshake of version 0", now)
        changed = self.is_authenticated and mechanism != self._mechanism
        if mechanism not in self.settings.mechanisms or changed:
            why = f"mechanism {mechanism[:40]!r} is not offered"
            return self._refused(error_codes.UNSUPPORTED_SASL_MECHANISM, why, now)
        self._mechanism = mechanism
        self._exchange = self.begin(mechanism)
        self._frames = 0
        self.takes_token = version == 0
        return error_codes.NONE

    def raw_token(self, token: bytes, now: Millis) -> bytes | None:
        """The token that answers one that came without a header; None when it failed."""
        self._count()
        code, reply, _ = self.authenticate(token, now)
        if code:
            return None
        self.takes_token = not self.is_authenticated
        return reply

    def authenticate(self, token: bytes, now: Millis) -> tuple[int, bytes, Millis]:
        """Error code, token for the client, and for how long the session is good (0: for ever)."""
        exchange = self._exchange
        if exchange is None:
            if self.is_authenticated:
                return error_codes.ILLEGAL_SASL_STATE, b"", 0
            why = "a token before the handshake"
            return self._refused(error_codes.ILLEGAL_SASL_STATE, why, now), b"", 0
        try:
            step = exchange.step(token)
            if step.user is not None:
                self._prove(f"User:{step.user}", step, now)
        except AuthenticationFailed as failed:
            code = self._refused(error_codes.SASL_AUTHENTICATION_FAILED, str(failed), now)
            return code, b"", 0
        has_lifetime = step.user is not None and self._expires_ms != NEVER
        return error_codes.NONE, step.token, self._expires_ms - now if has_lifetime else 0

    def _prove(self, principal: str, step: Step, now: Millis) -> None:
        if step.expires_ms <= now:
            raise AuthenticationFailed(f"the delegation token of {quoted(principal)} has expired")
        if self.is_authenticated and principal != self.principal:
            own, other = quoted(self.principal), quoted(principal)
            raise AuthenticationFailed(f"{own} cannot become {other}")
        self.principal, self.is_authenticated = principal, True
        self.is_by_token = step.by_token
        self._exchange = None
        self.tell("")
        self.on_proven(principal)
        self._expires_ms = step.expires_ms
        if self.settings.max_reauth_ms:
            self._expires_ms = min(self._expires_ms, now + self.settings.max_reauth_ms)

    def _refused(self, code: int, why: str, now: Millis) -> int:
        self.why_failed = why
        self._exchange = None
        self.takes_token = False
        self._ends_ms = now + self.settings.failure_delay_ms + _LAST_WORD_MS
        self.tell(why)
        return code
