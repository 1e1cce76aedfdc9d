"""Logging in by a delegation token: SCRAM with the token's id and HMAC (KIP-48)."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from metaquorum.base.errors import PeerError
from metaquorum.base.limits import MAX_TOKEN_CREDENTIALS
from metaquorum.config.sasl_settings import SaslSettings
from metaquorum.metadata.scram_keys import SCRAM_MECHANISMS, ScramMechanism
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.token_keys import token_hmac, token_password
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.server.access.note_gate import NoteGate
from metaquorum.server.sockets.sasl_listeners import SaslListeners
from metaquorum.testing.fake_services import plain_config, services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.create_delegation_token_request import (
    CreateDelegationTokenRequest,
)
from metaquorum.wire.generated.metadata_request import MetadataRequest
from metaquorum.wire.generated.records.delegation_token_record import DelegationTokenRecord
from metaquorum.wire.generated.sasl_authenticate_request import SaslAuthenticateRequest
from metaquorum.wire.generated.sasl_handshake_request import SaslHandshakeRequest
from tests.unit.server.test_authentication import Client

SECRET = "sesame"
HOUR_MS = 3_600_000
each_mechanism = pytest.mark.parametrize("mechanism", SCRAM_MECHANISMS, ids=lambda one: one.name)
SHA_256 = SCRAM_MECHANISMS[0]


class Holder(Client):
    """A client that has a token; SCRAM's salt is the one that it is told."""

    def __init__(
        self, mechanism: ScramMechanism, token_id: str = "t", extension: str = "tokenauth=true"
    ) -> None:
        super().__init__(mechanism, token_id)
        self.bare += f",{extension}"


class Visit:
    """A connection of a holder to a node that knows token t of anna, good for an hour."""

    def __init__(
        self,
        mechanism: ScramMechanism = SHA_256,
        *,
        secret: str = SECRET,
        reauth_ms: int = 0,
        left_ms: int = HOUR_MS,
        caught_up: bool = True,
    ) -> None:
        self.mechanism = mechanism
        given = {"delegation.token.secret.key": secret} if secret else {}
        self.services = services_with_eight_records(
            config=plain_config(**given), caught_up=caught_up
        )
        wall_ms = self.services.clock.wall_ms()
        state = MetadataState()
        for number, token_id in enumerate(("t", *map(str, range(MAX_TOKEN_CREDENTIALS + 9)))):
            record = DelegationTokenRecord(
                *("User:anna", "User:berta", [], wall_ms, wall_ms + 2 * HOUR_MS),
                *(wall_ms + left_ms, token_id),
            )
            state.replay(MetadataRecord(10, 0, record), number, 1, 0)
        self.services.state = state.live()
        self.lines: list[str] = []
        gate = NoteGate(self.lines.append, self.services.clock)
        names = tuple(one.name for one in SCRAM_MECHANISMS)
        settings = SaslSettings(names, {}, reauth_ms)
        self.listeners = SaslListeners(self.services, gate, {"CLIENTS": settings})
        self.connect()

    def connect(self) -> None:
        now = self.services.clock.now_ms()
        session = self.listeners.session("CLIENTS", "10.0.0.1:5", now)
        assert session is not None
        self.session = session
        self.client = PipelineClient(self.services)
        self.client.origin = evolve(self.client.origin, sasl=session)

    def log_in(self, holder: Client | None = None, password: bytes | None = None) -> Any:
        """The answer to the last message of SCRAM, or to the one that failed."""
        asked = Holder(self.mechanism) if holder is None else holder
        handshake = self.client.ask(SaslHandshakeRequest(self.mechanism.name), 1)
        assert handshake.error_code == error_codes.NONE
        first = self.prove(asked.first())
        if first.error_code:
            return first
        right = token_password(token_hmac(SECRET.encode(), "t"))
        told = bytes(first.auth_bytes)
        return self.prove(asked.final(told, right if password is None else password))

    def prove(self, token: bytes) -> Any:
        exchange = self.client.send(SaslAuthenticateRequest(token), 2)
        self.services.watermark.expire(self.services.clock.now_ms() + 1_000)
        return exchange.response

    def wait(self, span_ms: int) -> None:
        self.services.clock.now += span_ms  # type: ignore[attr-defined]
        self.services.clock.wall += span_ms  # type: ignore[attr-defined]


@each_mechanism
def test_who_holds_a_token_is_its_owner_as_long_as_it_is_good(mechanism: ScramMechanism) -> None:
    visit = Visit(mechanism)
    told = visit.log_in()
    assert (told.error_code, told.session_lifetime_ms) == (error_codes.NONE, HOUR_MS)
    assert visit.client.origin.principal == "User:anna"
    assert visit.client.origin.is_by_token
    visit.client.ask(MetadataRequest([]), 12)
    visit.wait(HOUR_MS)
    with pytest.raises(PeerError, match="did not authenticate again"):
        visit.client.ask(MetadataRequest([]), 12)


@pytest.mark.parametrize(("reauth_ms", "lifetime_ms"), [(60_000, 60_000), (2 * HOUR_MS, HOUR_MS)])
def test_a_session_ends_with_the_token_or_before(reauth_ms: int, lifetime_ms: int) -> None:
    assert Visit(reauth_ms=reauth_ms).log_in().session_lifetime_ms == lifetime_ms


def test_who_came_by_a_token_may_authenticate_again_in_time() -> None:
    visit = Visit()
    visit.log_in()
    visit.wait(HOUR_MS // 2)
    again = visit.log_in()
    assert (again.error_code, again.session_lifetime_ms) == (error_codes.NONE, HOUR_MS // 2)


def test_a_token_gives_no_right_to_make_tokens() -> None:
    visit = Visit()
    visit.log_in()
    answer = visit.client.ask(CreateDelegationTokenRequest(None, None, [], -1), 3)
    assert answer.error_code == error_codes.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED


@pytest.mark.parametrize("extension", ["tokenauth=TRUE", "x=y,tokenauth=true"])
def test_the_extension_is_read_as_kafka_reads_it(extension: str) -> None:
    assert Visit().log_in(Holder(SHA_256, extension=extension)).error_code == 0


@pytest.mark.parametrize("extension", ["tokenauth=false", "tokenauth=1", "tokenauth", "x=true"])
def test_without_the_extension_the_id_is_a_user_like_any_other(extension: str) -> None:
    visit = Visit()
    told = visit.log_in(Holder(SHA_256, extension=extension))
    assert told.error_code == error_codes.SASL_AUTHENTICATION_FAILED
    assert "no user 't' for SCRAM-SHA-256" in visit.lines[0]


def test_a_wrong_hmac_fails() -> None:
    visit = Visit()
    told = visit.log_in(password=token_password(token_hmac(b"another", "t")))
    assert told.error_code == error_codes.SASL_AUTHENTICATION_FAILED
    assert "wrong password for 't'" in visit.lines[0]


def test_an_unknown_token_fails_as_late_as_a_known_one_and_alike() -> None:
    salts = []
    for token_id in ("t", "none"):
        visit = Visit()
        holder = Holder(SHA_256, token_id)
        visit.client.ask(SaslHandshakeRequest(SHA_256.name), 1)
        told = visit.prove(holder.first())
        fields = dict(one.split("=", 1) for one in bytes(told.auth_bytes).decode().split(","))
        salts.append((len(fields["s"]), fields["i"]))
        last = visit.prove(holder.final(bytes(told.auth_bytes)))
        assert last.error_code == error_codes.SASL_AUTHENTICATION_FAILED
    assert salts[0] == salts[1]
    assert "no delegation token 'none'" in visit.lines[0]


@pytest.mark.parametrize("left_ms", [-1, 0])
def test_an_expired_token_fails_though_it_is_still_in_the_log(left_ms: int) -> None:
    visit = Visit(left_ms=left_ms)
    assert visit.log_in().error_code == error_codes.SASL_AUTHENTICATION_FAILED
    assert "has expired" in visit.lines[0]


def test_without_a_secret_no_token_is_known() -> None:
    visit = Visit(secret="")
    assert visit.log_in().error_code == error_codes.SASL_AUTHENTICATION_FAILED


def test_until_tokens_are_known_an_unknown_one_has_to_come_again() -> None:
    visit = Visit(caught_up=False)
    with pytest.raises(PeerError, match="before this node knew its users"):
        visit.log_in(Holder(SHA_256, "none"))


def test_what_is_kept_of_tokens_that_logged_in_is_bounded(monkeypatch: Any) -> None:
    monkeypatch.setattr(type(SHA_256), "salted_password", lambda *_: bytes(32))
    visit = Visit(caught_up=True)
    for number in range(MAX_TOKEN_CREDENTIALS + 9):
        visit.connect()
        visit.client.ask(SaslHandshakeRequest(SHA_256.name), 1)
        visit.prove(Holder(SHA_256, str(number)).first())
    assert len(visit.listeners._token_credentials) == MAX_TOKEN_CREDENTIALS


def test_what_is_kept_of_tokens_is_not_shown() -> None:
    visit = Visit()
    visit.log_in()
    assert SECRET not in repr(visit.listeners)
    assert SECRET not in repr(visit.services.config)
