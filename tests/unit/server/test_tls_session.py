"""What one connection's TLS may take, and when frames of any size may come."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from metaquorum.base.clock import NEVER
from metaquorum.base.errors import PeerError
from metaquorum.base.limits import (
    MAX_TLS_HANDSHAKE_BYTES,
    MAX_TLS_HANDSHAKE_MS,
    MAX_TLS_HANDSHAKES_BYTES,
    MAX_UNAUTHENTICATED_FRAME_BYTES,
)
from metaquorum.config.principal_rules import PrincipalRules
from metaquorum.config.sasl_settings import SaslSettings
from metaquorum.server.access.sasl_session import SaslSession
from metaquorum.server.access.tls_session import TlsSession
from metaquorum.server.sockets.tls_listeners import TlsListeners


class Reports(list[str]):
    def __call__(self, session: TlsSession, why: str) -> None:
        self.append(why)


def test_a_handshake_of_too_many_bytes_fails_once() -> None:
    told = Reports()
    session = TlsSession(PrincipalRules(), 5, None, told)
    session.received(MAX_TLS_HANDSHAKE_BYTES)
    with pytest.raises(PeerError, match="more than 131072 bytes"):
        session.received(1)
    session.gone()
    assert told == ["more than 131072 bytes in a TLS handshake"]


def test_the_tls_handshake_and_then_sasl_have_their_own_deadlines() -> None:
    told = Reports()
    alone = TlsSession(PrincipalRules(), 5, None, told)
    assert alone.deadline == 5 + MAX_TLS_HANDSHAKE_MS
    assert (alone.is_authenticated, alone.frame_bytes) == (False, MAX_UNAUTHENTICATED_FRAME_BYTES)
    alone.established(None)
    assert (alone.deadline, alone.is_authenticated, told) == (NEVER, True, [""])

    sasl = SaslSession(SaslSettings(("PLAIN",)), lambda name: NotImplemented, lambda why: None, 5)
    both = TlsSession(PrincipalRules(), 5, sasl, told)
    assert both.deadline == 5 + MAX_TLS_HANDSHAKE_MS
    both.established(None)
    assert (both.deadline, both.complaint) == (sasl.deadline, sasl.complaint)
    assert not both.is_authenticated


def test_handshake_bytes_of_all_listeners_are_bounded_oldest_closed() -> None:
    context: Any = SimpleNamespace(settings=SimpleNamespace(rules=PrincipalRules()))
    listeners = TlsListeners({"ONE": context, "TWO": context})
    closed: list[str] = []
    sessions: list[TlsSession] = []
    most = MAX_TLS_HANDSHAKES_BYTES // 100_000

    def end(session: TlsSession, why: str) -> None:
        closed.append(f"{session.begun_ms}: {why}")
        session.gone()

    for now in range(most):
        session = listeners.session("ONE" if now % 2 else "TWO", None, now)
        assert session is not None
        session.close = partial(end, session)
        sessions.append(session)
        session.received(100_000)
    assert closed == []
    last = listeners.session("ONE", None, most)
    assert last is not None
    last.received(100_000)
    assert len(closed) == 1
    assert closed[0].startswith("0: TLS handshakes hold all 4194304 bytes that they may")
    for one in (*sessions, last):
        one.gone()
    assert listeners.handshake_bytes == 0
