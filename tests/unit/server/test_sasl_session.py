"""What a connection may ask before it has authenticated, and after its session has expired."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from metaquorum.base.errors import PeerError
from metaquorum.base.limits import MAX_AUTHENTICATION_MS, MAX_UNAUTHENTICATED_FRAMES
from metaquorum.config.sasl_settings import SaslSettings
from metaquorum.metadata.scram_keys import SCRAM_MECHANISMS
from metaquorum.metadata.state import MetadataState
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.server.access.note_gate import NoteGate
from metaquorum.server.access.sasl_session import SaslSession
from metaquorum.server.sockets.budget import ByteBudget
from metaquorum.server.sockets.connection import Connection
from metaquorum.server.sockets.connection_limits import ConnectionLimits
from metaquorum.server.sockets.sasl_listeners import SaslListeners
from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.api_versions_request import ApiVersionsRequest
from metaquorum.wire.generated.metadata_request import MetadataRequest
from metaquorum.wire.generated.records.user_scram_credential_record import (
    UserScramCredentialRecord,
)
from metaquorum.wire.generated.sasl_authenticate_request import SaslAuthenticateRequest
from metaquorum.wire.generated.sasl_handshake_request import SaslHandshakeRequest
from tests.unit.server.test_authentication import SALT, Client, credential

PLAIN_TOKEN = b"\0alice\0sesame"
SHA_256 = SCRAM_MECHANISMS[0]


class Visitor:
    """A client of one connection to a listener with SASL."""

    def __init__(
        self,
        *mechanisms: str,
        reauth_ms: int = 0,
        caught_up: bool = True,
        listener: str = "CLIENTS",
    ) -> None:
        state = MetadataState()
        kept = credential(SHA_256)
        record = UserScramCredentialRecord(
            "alice", 1, SALT, kept.stored_key, kept.server_key, kept.iterations
        )
        state.replay(MetadataRecord(11, 0, record), 0, 1, 0)
        state.close_batch()
        state.commit(1)
        self.services = services_with_eight_records(state=state.committed(), caught_up=caught_up)
        settings = SaslSettings(
            mechanisms or ("PLAIN", "SCRAM-SHA-256"), {"alice": "sesame", "bob": "b"}, reauth_ms
        )
        self.lines: list[str] = []
        gate = NoteGate(self.lines.append, self.services.clock)
        self.listeners = SaslListeners(self.services, gate, {listener: settings})
        session = self.listeners.session(listener, "10.0.0.1:5", self.now)
        assert session is not None
        self.session: SaslSession = session
        self.client = PipelineClient(self.services)
        self.client.origin = evolve(self.client.origin, sasl=session)

    @property
    def now(self) -> int:
        return self.services.clock.now_ms()

    def handshake(self, mechanism: str = "PLAIN", version: int = 1) -> Any:
        return self.client.ask(SaslHandshakeRequest(mechanism), version)

    def prove(self, token: bytes = PLAIN_TOKEN, version: int = 2) -> Any:
        exchange = self.client.send(SaslAuthenticateRequest(token), version)
        self.services.watermark.expire(self.now + 1_000)
        return exchange.response

    def use(self) -> Any:
        return self.client.ask(MetadataRequest([]), 12)

    def log_in(self) -> None:
        assert self.handshake().error_code == 0
        assert self.prove().error_code == 0


def test_by_plain_a_client_becomes_its_user() -> None:
    visitor = Visitor()
    assert visitor.client.ask(ApiVersionsRequest("a", "1"), 3).error_code == 0
    told = visitor.handshake()
    assert (told.error_code, told.mechanisms) == (0, ["PLAIN", "SCRAM-SHA-256"])
    proven = visitor.prove()
    assert (proven.error_code, proven.auth_bytes, proven.session_lifetime_ms) == (0, b"", 0)
    assert visitor.client.origin.principal == "User:alice"
    assert visitor.client.ask(ApiVersionsRequest("a", "1"), 3).error_code == 0
    visitor.use()
    assert (visitor.listeners.succeeded, visitor.listeners.failed, visitor.lines) == (1, 0, [])


@pytest.mark.parametrize("version", [0, 1, 2])
def test_by_scram_a_client_becomes_a_user_of_the_log(version: int) -> None:
    visitor, client = Visitor(), Client(SHA_256)
    assert visitor.handshake("SCRAM-SHA-256").error_code == 0
    first = visitor.prove(client.first(), version)
    assert (first.error_code, visitor.session.is_authenticated) == (0, False)
    last = visitor.prove(client.final(bytes(first.auth_bytes)), version)
    assert bytes(last.auth_bytes) == client.expected
    assert visitor.client.origin.principal == "User:alice"
    visitor.use()


def test_two_exchanges_have_two_nonces() -> None:
    visitors = [Visitor(), Visitor()]
    visitors[1].services.new_uuid()
    told = []
    for visitor in visitors:
        visitor.handshake("SCRAM-SHA-256")
        told.append(bytes(visitor.prove(Client(SHA_256).first()).auth_bytes))
    assert told[0] != told[1]


def test_nothing_else_is_served_before() -> None:
    for prepare in (lambda v: None, lambda v: v.handshake()):
        visitor = Visitor()
        prepare(visitor)
        with pytest.raises(PeerError, match="before it had authenticated"):
            visitor.use()


def test_requests_before_are_few() -> None:
    visitor = Visitor()
    for _ in range(MAX_UNAUTHENTICATED_FRAMES):
        visitor.client.ask(ApiVersionsRequest("a", "1"), 3)
    with pytest.raises(PeerError, match="requests to authenticate with"):
        visitor.client.ask(ApiVersionsRequest("a", "1"), 3)


def test_frames_before_are_small_and_the_time_is_short() -> None:
    visitor = Visitor()
    limits = ConnectionLimits(frame_bytes=1_000_000, idle_ms=10**9)
    connection = Connection(limits, ByteBudget(), visitor.now, visitor.session)
    with pytest.raises(PeerError, match="before it had authenticated"):
        connection.bytes_received((600_000).to_bytes(4, "big") + b"\0\x03", visitor.now)
    assert connection.deadline <= visitor.now + MAX_AUTHENTICATION_MS
    assert "did not authenticate within" in connection.complaint
    visitor.log_in()
    connection = Connection(limits, ByteBudget(), visitor.now, visitor.session)
    connection.bytes_received((600_000).to_bytes(4, "big") + b"\0\x03", visitor.now)
    assert "did not authenticate" not in connection.complaint


def test_failed_authentication_gets_a_late_uniform_error_and_a_close() -> None:
    words = set()
    for token in (b"\0alice\0wrong", b"\0nobody\0sesame", b"junk", b"bob\0alice\0sesame"):
        visitor = Visitor()
        visitor.handshake()
        exchange = visitor.client.send(SaslAuthenticateRequest(token), 2)
        assert exchange.delivered is None
        visitor.services.watermark.expire(visitor.now + 100)
        answer = exchange.response
        assert answer.error_code == error_codes.SASL_AUTHENTICATION_FAILED
        words.add(answer.error_message)
        assert visitor.client.origin.principal == "User:ANONYMOUS"
        assert visitor.now < visitor.session.deadline < visitor.now + 1_000
        for again in (visitor.use, visitor.prove, visitor.handshake):
            with pytest.raises(PeerError, match="did not authenticate"):
                again()
        (line,) = visitor.lines
        assert "10.0.0.1:5 on CLIENTS" in line
        assert "sesame" not in line
        assert visitor.listeners.failed == 1
    assert len(words) == 1


@pytest.mark.parametrize("mechanism", ["GSSAPI", "", "plain", "SCRAM-SHA-512", "x" * 9_000])
def test_an_unsupported_mechanism_is_refused_with_the_offered_ones(mechanism: str) -> None:
    visitor = Visitor()
    told = visitor.handshake(mechanism)
    assert told.error_code == error_codes.UNSUPPORTED_SASL_MECHANISM
    assert told.mechanisms == ["PLAIN", "SCRAM-SHA-256"]
    with pytest.raises(PeerError):
        visitor.handshake()


def test_steps_out_of_turn_are_illegal_and_end_the_connection() -> None:
    for steps in (
        lambda v: v.prove(),
        lambda v: (v.handshake(), v.handshake())[-1],
    ):
        visitor = Visitor()
        assert steps(visitor).error_code == error_codes.ILLEGAL_SASL_STATE
        with pytest.raises(PeerError):
            visitor.use()


def test_without_a_lifetime_nobody_authenticates_twice() -> None:
    visitor = Visitor()
    visitor.log_in()
    assert visitor.handshake().error_code == error_codes.ILLEGAL_SASL_STATE
    assert visitor.prove().error_code == error_codes.ILLEGAL_SASL_STATE
    visitor.use()


def test_a_session_ends_unless_its_user_authenticates_again() -> None:
    visitor = Visitor(reauth_ms=10_000)
    visitor.handshake()
    assert visitor.prove().session_lifetime_ms == 10_000
    visitor.services.clock.now += 9_999
    visitor.use()
    visitor.handshake()
    with pytest.raises(PeerError):
        visitor.use()
    visitor.prove()
    visitor.services.clock.now += 9_999
    visitor.use()
    visitor.services.clock.now += 1
    with pytest.raises(PeerError, match="session expired"):
        visitor.use()
    visitor.log_in()
    visitor.use()


def test_nobody_becomes_somebody_else_by_authenticating_again() -> None:
    visitor = Visitor(reauth_ms=10_000)
    visitor.log_in()
    visitor.handshake()
    answer = visitor.prove(b"\0bob\0b")
    assert answer.error_code == error_codes.SASL_AUTHENTICATION_FAILED
    with pytest.raises(PeerError):
        visitor.use()
    visitor = Visitor(reauth_ms=10_000)
    visitor.log_in()
    told = visitor.handshake("SCRAM-SHA-256")
    assert told.error_code == error_codes.UNSUPPORTED_SASL_MECHANISM


def test_until_users_are_loaded_a_connection_is_closed_not_refused() -> None:
    visitor = Visitor(caught_up=False)
    with pytest.raises(PeerError, match="knew its users"):
        visitor.handshake("SCRAM-SHA-256")
    other = Visitor(caught_up=False)
    other.log_in()


def test_nodes_authenticate_as_users_of_the_format_until_caught_up() -> None:
    new = credential(SHA_256)
    for caught_up in (False, True):
        visitor = Visitor(caught_up=caught_up, listener="CONTROLLER")
        visitor.services.users_of_format = {("node", 1): new}
        client = Client(SHA_256, user="node")
        assert visitor.handshake("SCRAM-SHA-256").error_code == 0
        first = visitor.prove(client.first())
        last = visitor.prove(client.final(bytes(first.auth_bytes)))
        if caught_up:
            assert last.error_code == error_codes.SASL_AUTHENTICATION_FAILED
        else:
            assert visitor.client.origin.principal == "User:node"
    stranger = Visitor(caught_up=False, listener="CONTROLLER")
    assert stranger.handshake("SCRAM-SHA-256").error_code == 0
    with pytest.raises(PeerError, match="knew its users"):
        stranger.prove(Client(SHA_256, user="stranger").first())
