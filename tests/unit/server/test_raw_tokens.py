"""Tokens without headers, as clients before 2017 send them after a handshake of version 0."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import PeerError
from metaquorum.base.limits import MAX_UNAUTHENTICATED_FRAME_BYTES, MAX_UNAUTHENTICATED_FRAMES
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.sockets.budget import ByteBudget
from metaquorum.server.sockets.connection import Connection
from metaquorum.server.sockets.connection_limits import ConnectionLimits
from metaquorum.testing.pipeline_client import joined
from metaquorum.wire.generated import error_codes
from metaquorum.wire.primitives import Parts
from tests.unit.server.test_authentication import Client
from tests.unit.server.test_sasl_session import PLAIN_TOKEN, SHA_256, Visitor


def begun(mechanism: str = "PLAIN", **more: int) -> Visitor:
    visitor = Visitor(**more)
    assert visitor.handshake(mechanism, version=0).error_code == 0
    return visitor


def told(visitor: Visitor, token: bytes) -> bytes | None:
    """What comes back for a token, None for nothing at all."""
    answers: list[Parts] = []

    def deliver(parts: Parts, pause_ms: int = 0) -> None:
        answers.append(parts)

    parked = visitor.client.pipeline.serve(token, visitor.client.origin, visitor.now, deliver)
    assert isinstance(parked, Promise) == (not answers)
    if not answers:
        return None
    raw = joined(answers[0])
    assert int.from_bytes(raw[:4], "big") == len(raw) - 4
    return raw[4:]


def test_plain_takes_one_token_and_gives_an_empty_one() -> None:
    visitor = begun()
    assert told(visitor, PLAIN_TOKEN) == b""
    assert visitor.client.origin.principal == "User:alice"
    visitor.use()


def test_scram_takes_two_and_then_requests_have_headers_again() -> None:
    visitor, client = begun("SCRAM-SHA-256"), Client(SHA_256)
    first = told(visitor, client.first())
    assert first is not None
    with pytest.raises(PeerError, match="before it had authenticated"):
        visitor.session.admit(3, visitor.now)
    assert told(visitor, client.final(first)) == client.expected
    assert visitor.client.origin.principal == "User:alice"
    visitor.use()


@pytest.mark.parametrize("token", [b"", b"\0alice\0wrong", b"\0\x12\0\3\0\0\0\1", bytes(100)])
def test_a_token_that_proves_nothing_is_answered_by_nothing(token: bytes) -> None:
    visitor = begun()
    assert told(visitor, token) is None
    assert visitor.client.origin.principal == "User:ANONYMOUS"
    assert visitor.listeners.failed == 1
    assert visitor.now < visitor.session.deadline < visitor.now + 1_000
    with pytest.raises(PeerError, match="did not authenticate"):
        visitor.use()


def test_tokens_are_few() -> None:
    visitor = begun("SCRAM-SHA-256")
    for _ in range(MAX_UNAUTHENTICATED_FRAMES):
        visitor.session._count()
    with pytest.raises(PeerError, match="requests to authenticate with"):
        told(visitor, b"n,,n=alice,r=x")


def test_tokens_may_be_short_and_not_long() -> None:
    visitor = begun()
    connection = Connection(ConnectionLimits(), ByteBudget(), visitor.now, visitor.session)
    connection.bytes_received(b"\0\0\0\3abc\0\0\0\0", visitor.now)
    taken = connection.next_request()
    assert taken is not None
    assert bytes(taken[1]) == b"abc"
    connection.reply(taken[0], [b"x"])
    empty = connection.next_request()
    assert empty is not None
    assert bytes(empty[1]) == b""
    other = Connection(ConnectionLimits(), ByteBudget(), visitor.now, visitor.session)
    too_long = (MAX_UNAUTHENTICATED_FRAME_BYTES + 1).to_bytes(4, "big")
    with pytest.raises(PeerError, match="before it had authenticated"):
        other.bytes_received(too_long + b"abcd", visitor.now)


def test_without_a_handshake_a_frame_is_no_token() -> None:
    visitor = Visitor()
    connection = Connection(ConnectionLimits(), ByteBudget(), visitor.now, visitor.session)
    with pytest.raises(PeerError, match="its header alone has 8"):
        connection.bytes_received(b"\0\0\0\3abc", visitor.now)


def test_nobody_proves_it_again_in_that_way() -> None:
    visitor = Visitor(reauth_ms=60_000)
    visitor.log_in()
    assert visitor.handshake(version=0).error_code == error_codes.ILLEGAL_SASL_STATE
    assert told(begun(reauth_ms=60_000), PLAIN_TOKEN) == b""
