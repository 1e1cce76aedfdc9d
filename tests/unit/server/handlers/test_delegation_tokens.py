"""Delegation tokens over the wire: who may ask, what the controller is asked, what is shown."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import uuid_text
from metaquorum.controller.commands import (
    CreateDelegationToken,
    ExpireDelegationToken,
    RenewDelegationToken,
)
from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.token_keys import token_hmac
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.server.access.tls_session import TlsSession
from metaquorum.testing.fake_services import plain_config, services_with_eight_records
from metaquorum.testing.guarded_client import Allowed, Only
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.create_delegation_token_request import (
    CreateDelegationTokenRequest,
)
from metaquorum.wire.generated.create_delegation_token_response import (
    CreateDelegationTokenResponse,
)
from metaquorum.wire.generated.describe_delegation_token_request import (
    DescribeDelegationTokenOwner,
    DescribeDelegationTokenRequest,
)
from metaquorum.wire.generated.expire_delegation_token_request import ExpireDelegationTokenRequest
from metaquorum.wire.generated.expire_delegation_token_response import (
    ExpireDelegationTokenResponse,
)
from metaquorum.wire.generated.records.delegation_token_record import DelegationTokenRecord
from metaquorum.wire.generated.renew_delegation_token_request import RenewDelegationTokenRequest
from metaquorum.wire.generated.renew_delegation_token_response import RenewDelegationTokenResponse

ANNA, BERTA, CARL, DORA = "User:anna", "User:berta", "User:carl", "User:dora"
CREATE, RENEW, EXPIRE = (
    CreateDelegationTokenRequest(None, None, [], -1),
    RenewDelegationTokenRequest(b"h", 5),
    ExpireDelegationTokenRequest(b"h", -1),
)
DESCRIBE = DescribeDelegationTokenRequest(None)
ALL = [(CREATE, 3), (RENEW, 2), (EXPIRE, 2), (DESCRIBE, 3)]
NOT_ALLOWED = error_codes.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED
each_request = pytest.mark.parametrize(("message", "version"), ALL)


def state(*tokens: tuple[str, str, str, list[str]]) -> Any:
    made = MetadataState()
    for token_id, owner, requester, renewers in tokens:
        record = DelegationTokenRecord(owner, requester, renewers, 1, 3, 2, token_id)
        made.replay(MetadataRecord(10, 0, record), made.end_offset, 1, 0)
    return made.live()


def client(
    who: str | None = ANNA, *allowed: Allowed, tokens: Any = None, secret: str = "sesame"
) -> PipelineClient:
    """One that is ``who`` by its proof, and nobody without; with these rights alone."""
    given = {"delegation.token.secret.key": secret} if secret else {}
    services = services_with_eight_records(
        state=state() if tokens is None else tokens, config=plain_config(**given)
    )
    made = PipelineClient(services)
    made.pipeline.authoriser = Only(allowed)
    if who is not None:
        made.origin = evolve(made.origin, forwarded_for=who)
    return made


def create(version: int) -> CreateDelegationTokenRequest:
    """The request of version 3, or of one that knows no owner."""
    return CREATE if version == 3 else CreateDelegationTokenRequest(max_lifetime_ms=-1)


@each_request
def test_who_proved_nothing_asks_for_no_tokens(message: Any, version: int) -> None:
    asker = client(None)
    answer = asker.ask(message, version)
    assert answer.error_code == NOT_ALLOWED
    assert getattr(answer, "expiry_timestamp_ms", -1) == -1
    assert asker.services.asked == []


@each_request
def test_who_came_by_a_token_asks_for_no_tokens(message: Any, version: int) -> None:
    asker = client()
    asker.origin = evolve(asker.origin, forwarded_by_token=True)
    assert asker.ask(message, version).error_code == NOT_ALLOWED
    assert asker.services.asked == []


@each_request
@pytest.mark.parametrize(("principal", "may"), [("User:ANONYMOUS", False), (ANNA, True)])
def test_by_tls_it_takes_a_certificate(
    message: Any, version: int, principal: str, may: bool
) -> None:
    asker = client(None)
    session = TlsSession(None, 0, None, lambda *_: None)  # type: ignore[arg-type]
    session.principal = principal
    asker.origin = evolve(asker.origin, tls=session)
    exchange = asker.send(message, version)
    refused = exchange.delivered is not None and exchange.response.error_code == NOT_ALLOWED
    assert refused == (not may)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_the_controller_is_asked_for_a_token_of_the_asker(version: int) -> None:
    asker = client()
    exchange = asker.send(create(version), version)
    ((command, deadline),) = asker.services.asked
    drawn = uuid_text((1_001).to_bytes(16, "big"))
    assert command == CreateDelegationToken(create(version), drawn, ANNA, ANNA)
    assert deadline == 31_000
    told = CreateDelegationTokenResponse(0, "User", "anna", "User", "anna", 1, 2, 3, "t", b"h")
    asker.services.answers[0].complete(told)
    answer = exchange.response
    assert (answer.principal_name, answer.token_id, bytes(answer.hmac)) == ("anna", "t", b"h")
    assert answer.token_requester_principal_name == ("anna" if version == 3 else "")


def test_a_token_of_another_takes_the_right_to_create_it() -> None:
    message = CreateDelegationTokenRequest("User", "berta", [], -1)
    asker = client()
    refused = asker.ask(message, 3)
    assert refused.error_code == error_codes.DELEGATION_TOKEN_AUTHORIZATION_FAILED
    assert (refused.principal_name, refused.token_requester_principal_name) == ("berta", "anna")
    assert (refused.issue_timestamp_ms, refused.token_id, bytes(refused.hmac)) == (-1, "", b"")
    assert asker.services.asked == []
    asker = client(ANNA, (Operation.CREATE_TOKENS, ResourceType.USER, BERTA))
    asker.send(message, 3)
    command, _ = asker.services.asked[0]
    assert (command.requester, command.owner) == (ANNA, BERTA)
    named_oneself = client()
    named_oneself.send(CreateDelegationTokenRequest("User", "anna", [], -1), 3)
    assert named_oneself.services.asked[0][0].owner == ANNA


def test_an_owner_whose_type_has_a_colon_is_refused_as_it_was_named() -> None:
    kind, name = "U:" + "x" * 32_000, "y" * 32_767
    asker = client(ANNA, (Operation.CREATE_TOKENS, ResourceType.USER, f"{kind}:{name}"))
    answer = asker.ask(CreateDelegationTokenRequest(kind, name, [], -1), 3)
    assert answer.error_code == error_codes.INVALID_REQUEST
    assert (answer.principal_type, answer.principal_name) == (kind, name)
    assert asker.services.asked == []


@pytest.mark.parametrize("kind", [None, ""])
def test_an_owner_without_a_type_is_refused(kind: str | None) -> None:
    asker = client(ANNA, (Operation.CREATE_TOKENS, ResourceType.USER, ":berta"))
    answer = asker.ask(CreateDelegationTokenRequest(kind, "berta", [], -1), 3)
    assert answer.error_code == error_codes.INVALID_REQUEST


@pytest.mark.parametrize("version", [1, 2])
def test_renewing_and_ending_are_asked_in_the_askers_name(version: int) -> None:
    for message, command, told in (
        (RENEW, RenewDelegationToken(RENEW, ANNA), RenewDelegationTokenResponse(0, 77)),
        (EXPIRE, ExpireDelegationToken(EXPIRE, ANNA), ExpireDelegationTokenResponse(0, 77)),
    ):
        asker = client()
        exchange = asker.send(message, version)
        assert asker.services.asked == [(command, 31_000)]
        asker.services.answers[0].complete(told)
        assert exchange.response.expiry_timestamp_ms == 77


@pytest.mark.parametrize("message", [None, RENEW, EXPIRE])
@pytest.mark.parametrize("version", [1, 2])
def test_a_refusal_of_the_controller_is_the_code_and_times_of_0(message: Any, version: int) -> None:
    asker = client()
    exchange = asker.send(message or create(version), version)
    code = error_codes.DELEGATION_TOKEN_AUTH_DISABLED
    asker.services.answers[0].fail(RequestError(code, "no secret"))
    answer = exchange.response
    assert (answer.error_code, answer.expiry_timestamp_ms) == (code, 0)


TOKENS = state(
    ("of-anna", ANNA, ANNA, []),
    ("for-anna", BERTA, ANNA, []),
    ("renewed-by-anna", BERTA, BERTA, [CARL, ANNA]),
    ("of-berta", BERTA, BERTA, []),
    ("of-carl", CARL, CARL, []),
)
OWN = ["of-anna", "for-anna", "renewed-by-anna"]


def described(asker: PipelineClient, *owners: str, version: int = 3) -> list[str]:
    named = [DescribeDelegationTokenOwner(*one.split(":")) for one in owners] or None
    answer = asker.ask(DescribeDelegationTokenRequest(named), version)
    assert answer.error_code == error_codes.NONE
    return [one.token_id for one in answer.tokens]


def test_an_asker_sees_what_it_owns_asked_for_or_renews() -> None:
    assert described(client(tokens=TOKENS)) == OWN
    assert described(client(DORA, tokens=TOKENS)) == []


def test_a_token_that_may_be_described_is_seen_too() -> None:
    right = (Operation.DESCRIBE, ResourceType.DELEGATION_TOKEN, "of-carl")
    assert described(client(ANNA, right, tokens=TOKENS)) == [*OWN, "of-carl"]


def test_all_tokens_of_a_user_whose_tokens_may_be_described_are_seen() -> None:
    right = (Operation.DESCRIBE_TOKENS, ResourceType.USER, BERTA)
    found = described(client(DORA, right, tokens=TOKENS))
    assert found == ["for-anna", "renewed-by-anna", "of-berta"]


def test_named_owners_stand_for_all_that_is_theirs_in_any_way() -> None:
    assert described(client(tokens=TOKENS), BERTA) == ["for-anna", "renewed-by-anna"]
    assert described(client(tokens=TOKENS), CARL, DORA) == ["renewed-by-anna"]


def test_no_owners_at_all_are_no_tokens() -> None:
    answer = client(tokens=TOKENS).ask(DescribeDelegationTokenRequest([]), 3)
    assert (answer.error_code, answer.tokens) == (0, [])


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_token_is_shown_with_its_hmac_and_times(version: int) -> None:
    answer = client(tokens=TOKENS).ask(DESCRIBE, version)
    assert answer.throttle_time_ms == 0
    row = answer.tokens[2]
    assert (row.principal_type, row.principal_name) == ("User", "berta")
    assert row.token_requester_principal_name == ("berta" if version == 3 else "")
    assert (row.issue_timestamp, row.expiry_timestamp, row.max_timestamp) == (1, 2, 3)
    assert bytes(row.hmac) == token_hmac(b"sesame", "renewed-by-anna")
    assert [(one.principal_type, one.principal_name) for one in row.renewers] == [
        ("User", "carl"),
        ("User", "anna"),
    ]


@pytest.mark.parametrize("version", [1, 2, 3])
def test_hundreds_of_tokens_are_all_told(version: int) -> None:
    many = state(*((str(number), ANNA, ANNA, []) for number in range(300)))
    assert described(client(tokens=many), version=version) == list(map(str, range(300)))


def test_without_a_secret_nothing_is_described() -> None:
    answer = client(tokens=TOKENS, secret="").ask(DESCRIBE, 3)
    assert answer.error_code == error_codes.DELEGATION_TOKEN_AUTH_DISABLED
