"""Where connections to listeners with TLS get it, and what came of all their handshakes."""

from __future__ import annotations

import socket
from collections.abc import Callable

from attrs import define, field

from metaquorum.base.clock import Clock, Millis
from metaquorum.base.errors import OperatorError
from metaquorum.base.limits import MAX_TLS_HANDSHAKES, MAX_TLS_HANDSHAKES_BYTES
from metaquorum.config.key import BadValue
from metaquorum.config.node_config import NodeConfig
from metaquorum.server.access.sasl_session import SaslSession
from metaquorum.server.access.tls_session import TlsSession
from metaquorum.server.contract.services import Services
from metaquorum.server.sockets.tls_socket import TlsSocket
from metaquorum.tls.context import server_context
from metaquorum.tls.reloading import ReloadedContext


@define(eq=False)
class TlsListeners:
    """The listeners with TLS, by name.

    Of those that have begun a handshake on a listener and not finished it only so many are kept:
    one more ends the oldest, so that many who say nothing keep nobody out.
    """

    contexts: dict[str, ReloadedContext]
    succeeded: int = 0
    failed: int = 0
    most_unfinished: int = MAX_TLS_HANDSHAKES
    handshake_bytes: int = 0
    _unfinished: dict[str, dict[TlsSession, None]] = field(factory=dict)

    @classmethod
    def of(cls, services: Services, note: Callable[[str], None]) -> TlsListeners:
        """As the node is configured; OperatorError where a key or certificate cannot be had."""
        return cls(server_contexts(services.config, services.clock, note))

    def session(self, listener: str, sasl: SaslSession | None, now: Millis) -> TlsSession | None:
        """That of a new connection; None on a listener without TLS."""
        context = self.contexts.get(listener)
        if context is None:
            return None
        unfinished = self._unfinished.setdefault(listener, {})

        def ended(session: TlsSession, why: str) -> None:
            unfinished.pop(session, None)
            self.handshake_bytes -= session.received_bytes
            if why:
                self.failed += 1
            else:
                self.succeeded += 1

        session = TlsSession(context.settings.rules, now, sasl, ended, grew=self._grew)
        unfinished[session] = None
        if len(unfinished) > self.most_unfinished:
            oldest = next(iter(unfinished))
            oldest.close(
                f"{self.most_unfinished} TLS handshakes are unfinished, and this is the oldest"
            )
        return session

    def _grew(self, session: TlsSession, count: int) -> None:
        """Bytes of a handshake came: of all unfinished ones there may be only so many."""
        self.handshake_bytes += count
        while self.handshake_bytes > MAX_TLS_HANDSHAKES_BYTES:
            every = [one for of_listener in self._unfinished.values() for one in of_listener]
            oldest = min((one for one in every if one.received_bytes), key=lambda one: one.begun_ms)
            why = (
                f"TLS handshakes hold all {MAX_TLS_HANDSHAKES_BYTES} bytes that they may, and this "
                "is the oldest"
            )
            if oldest is session:
                raise session.failed(why)
            oldest.close(why)

    def wrapped(self, listener: str, sock: socket.socket, session: TlsSession) -> TlsSocket:
        """A socket with TLS on it."""
        return TlsSocket(sock, self.contexts[listener].current(), session)


def server_contexts(
    config: NodeConfig, clock: Clock, note: Callable[[str], None]
) -> dict[str, ReloadedContext]:
    """The context of every listener that has one; OperatorError says why one cannot be had."""
    made = {}
    problems = []
    for listener in config.listeners:

        def tell(line: str, name: str = listener.name) -> None:
            note(f"listener {name}: {line}")

        try:
            settings = config.tls_of(listener)
            if settings is not None:
                made[listener.name] = ReloadedContext(settings, server_context, clock, tell)
        except BadValue as why:
            problems.append(f"listener {listener.name}: {why}")
    if problems:
        raise OperatorError(config.resolved.hide("\n".join(problems)))
    return made
