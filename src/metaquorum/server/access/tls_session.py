"""How far a connection to a listener with TLS has come, and whom its certificate names.

One of these belongs to one connection. It stands before the ``SaslSession`` where there is one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import define, field

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.errors import PeerError
from metaquorum.base.limits import (
    MAX_TLS_HANDSHAKE_BYTES,
    MAX_TLS_HANDSHAKE_MS,
    MAX_UNAUTHENTICATED_FRAME_BYTES,
)
from metaquorum.base.quoting import quoted
from metaquorum.config.principal_rules import NoRuleFits, PrincipalRules
from metaquorum.server.access.sasl_session import ANONYMOUS, SaslSession
from metaquorum.tls.subject import subject_text

Tell = Callable[["TlsSession", str], None]
"""Called once when the handshake ended: why it failed, or the empty text."""

HUNG_UP: Final = "hung up amid its TLS handshake"


def _nobody_waits(principal: str) -> None:
    """Nobody wants to know."""


def _nobody_counts(session: TlsSession, count: int) -> None:
    """Nobody wants to know."""


@define(eq=False)
class TlsSession:
    """The state of one connection; ``begun_ms`` is when it was accepted.

    ``close`` ends the connection, with a complaint. Set by the connection's host.
    """

    rules: PrincipalRules
    begun_ms: Millis
    sasl: SaslSession | None
    tell: Tell
    principal: str = ANONYMOUS
    is_established: bool = False
    received_bytes: int = 0
    grew: Callable[[TlsSession, int], None] = field(default=_nobody_counts, repr=False)
    """Called for bytes of the handshake; it may close others, and this one."""
    close: Callable[[str], None] = field(default=lambda complaint: None, repr=False)
    _on_proven: Callable[[str], None] = field(default=_nobody_waits, repr=False)
    _is_over: bool = False

    @property
    def on_proven(self) -> Callable[[str], None]:
        """Called with the principal when it is known: of the certificate, or of SASL after it."""
        return self._on_proven if self.sasl is None else self.sasl.on_proven

    @on_proven.setter
    def on_proven(self, called: Callable[[str], None]) -> None:
        if self.sasl is None:
            self._on_proven = called
        else:
            self.sasl.on_proven = called

    @property
    def is_authenticated(self) -> bool:
        """Whether frames of any size may come."""
        return self.is_established if self.sasl is None else self.sasl.is_authenticated

    @property
    def takes_token(self) -> bool:
        """Whether the next frame is a token and not a request."""
        return self.sasl is not None and self.sasl.takes_token

    @property
    def frame_bytes(self) -> int:
        """How large a frame may be before that."""
        return MAX_UNAUTHENTICATED_FRAME_BYTES if self.sasl is None else self.sasl.frame_bytes

    @property
    def deadline(self) -> Millis:
        """When the connection is to be closed whatever it does."""
        if not self.is_established:
            return self.begun_ms + MAX_TLS_HANDSHAKE_MS
        return NEVER if self.sasl is None else self.sasl.deadline

    @property
    def complaint(self) -> str:
        """Why the deadline closes it."""
        if self.is_established and self.sasl is not None:
            return self.sasl.complaint
        return f"did not finish its TLS handshake within {MAX_TLS_HANDSHAKE_MS} ms"

    def received(self, count: int) -> None:
        """So many bytes came while the handshake went on; PeerError when they are too many."""
        self.received_bytes += count
        self.grew(self, count)
        if self.received_bytes > MAX_TLS_HANDSHAKE_BYTES:
            raise self.failed(f"more than {MAX_TLS_HANDSHAKE_BYTES} bytes in a TLS handshake")

    def established(self, certificate: bytes | None) -> None:
        """The handshake is done; PeerError for a certificate that makes nobody."""
        if certificate is not None:
            name = subject_text(certificate)
            try:
                self.principal = f"User:{self.rules.applied(name)}"
            except NoRuleFits:
                why = f"no rule of ssl.principal.mapping.rules fits {quoted(name)}"
                raise self.failed(why) from None
        self.is_established = True
        self._end("")
        if self.sasl is None:
            self._on_proven(self.principal)

    def failed(self, why: str) -> PeerError:
        """The handshake failed: what to raise."""
        self._end(why)
        return PeerError(why)

    def gone(self) -> None:
        """The connection is closed, in the midst of the handshake or later."""
        self._end(HUNG_UP)

    def _end(self, why: str) -> None:
        if not self._is_over:
            self._is_over = True
            self.tell(self, why)
