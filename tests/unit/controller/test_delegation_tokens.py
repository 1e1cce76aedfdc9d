"""Delegation tokens: what is written, who may change them, and when they go (KIP-48, KIP-373)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import RECORDS_PER_TURN, TOKENS_PER_STEP
from metaquorum.controller.commands import (
    CreateDelegationToken,
    ExpireDelegationToken,
    RenewDelegationToken,
)
from metaquorum.metadata.token_keys import token_hmac
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.create_delegation_token_request import (
    CreatableRenewers,
    CreateDelegationTokenRequest,
)
from metaquorum.wire.generated.expire_delegation_token_request import ExpireDelegationTokenRequest
from metaquorum.wire.generated.records.delegation_token_record import DelegationTokenRecord
from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord
from metaquorum.wire.generated.renew_delegation_token_request import RenewDelegationTokenRequest

SECRET = b"sesame"
BEGIN_MS = 1_000_000  # the wall clock of a host whose clock shows 0
HOUR_MS, DAY_MS = 3_600_000, 86_400_000
ANNA, BERTA, CARL = "User:anna", "User:berta", "User:carl"


def leading(make_host: Callable[..., Any], level: int = 30, **settings: Any) -> Any:
    first = [MetadataRecord(12, 0, FeatureLevelRecord("metadata.version", level))]
    given = {"token_secret": SECRET, "max_idle_interval_ms": 0} | settings
    host = make_host(first, **given)
    host.lead()
    host.commit()
    return host


def asked(host: Any, command: Any) -> Any:
    number = host.ask(command)
    host.wait(0)
    host.commit()
    return host.replies[number]


def create(
    host: Any,
    token_id: str = "t",
    lifetime_ms: int = -1,
    renewers: tuple[tuple[str, str], ...] = (),
    owner: str = ANNA,
    requester: str = ANNA,
) -> Any:
    request = CreateDelegationTokenRequest(
        None, None, [CreatableRenewers(*one) for one in renewers], lifetime_ms
    )
    return asked(host, CreateDelegationToken(request, token_id, requester, owner))


def renew(host: Any, code: bytes, period_ms: int = -1, requester: str = ANNA) -> Any:
    request = RenewDelegationTokenRequest(code, period_ms)
    return asked(host, RenewDelegationToken(request, requester))


def expire(host: Any, code: bytes, period_ms: int = -1, requester: str = ANNA) -> Any:
    request = ExpireDelegationTokenRequest(code, period_ms)
    return asked(host, ExpireDelegationToken(request, requester))


def token(host: Any, token_id: str = "t") -> Any:
    return host.core.committed().tokens.get(token_id)


@pytest.mark.parametrize("whose", ["owner", "renewer"])
def test_who_is_too_long_for_a_record_is_refused(make_host: Callable[..., Any], whose: str) -> None:
    host, name = leading(make_host), "x" * 32_763
    renewers = (("User", name),) if whose == "renewer" else ()
    told = create(host, renewers=renewers, owner=f"User:{name}" if whose == "owner" else ANNA)
    assert isinstance(told, RequestError) and told.code == error_codes.INVALID_REQUEST
    assert token(host) is None
    fits = create(host, renewers=(("User", name[1:]),))
    assert fits.error_code == error_codes.NONE


def test_a_token_is_answered_with_its_hmac_and_written_without(
    make_host: Callable[..., Any],
) -> None:
    host = leading(make_host)
    told = create(host, renewers=(("User", "berta"),), requester=CARL)
    assert (told.principal_type, told.principal_name) == ("User", "anna")
    assert told.token_requester_principal_name == "carl"
    assert told.hmac == token_hmac(SECRET, "t")
    (record,) = host.log[-1][2]
    assert record.message == DelegationTokenRecord(
        *(ANNA, CARL, [BERTA], BEGIN_MS, BEGIN_MS + 7 * DAY_MS, BEGIN_MS + DAY_MS, "t")
    )
    kept = record.message
    assert told.issue_timestamp_ms == kept.issue_timestamp
    assert told.expiry_timestamp_ms == kept.expiration_timestamp
    assert told.max_timestamp_ms == kept.max_timestamp


@pytest.mark.parametrize(
    ("asked_ms", "max_ms", "expiry_ms"),
    [
        (-1, 7 * DAY_MS, DAY_MS),
        (0, 7 * DAY_MS, DAY_MS),
        (HOUR_MS, HOUR_MS, HOUR_MS),
        (2 * DAY_MS, 2 * DAY_MS, DAY_MS),
        (8 * DAY_MS, 7 * DAY_MS, DAY_MS),
    ],
)
def test_a_lifetime_is_as_asked_for_up_to_the_servers(
    make_host: Callable[..., Any], asked_ms: int, max_ms: int, expiry_ms: int
) -> None:
    told = create(leading(make_host), lifetime_ms=asked_ms)
    assert told.max_timestamp_ms == BEGIN_MS + max_ms
    assert told.expiry_timestamp_ms == BEGIN_MS + expiry_ms


def test_a_lifetime_beyond_all_numbers_ends_at_the_last(make_host: Callable[..., Any]) -> None:
    last = (1 << 63) - 1
    host = leading(make_host, token_max_lifetime_ms=last, token_expiry_ms=last)
    told = create(host)
    assert (told.max_timestamp_ms, told.expiry_timestamp_ms) == (last, last)


def test_without_a_secret_there_are_no_tokens(make_host: Callable[..., Any]) -> None:
    host = leading(make_host, token_secret=None)
    for answer in (create(host), renew(host, b"x"), expire(host, b"x")):
        assert isinstance(answer, RequestError)
        assert answer.code == error_codes.DELEGATION_TOKEN_AUTH_DISABLED


def test_before_their_metadata_version_there_are_no_tokens(make_host: Callable[..., Any]) -> None:
    host = leading(make_host, 13)
    for answer in (create(host), renew(host, b"x"), expire(host, b"x")):
        assert answer.code == error_codes.UNSUPPORTED_VERSION
        assert "3.6-IV1 knows no delegation tokens, 3.6-IV2 does" in answer.reason
    assert create(leading(make_host, 14)).error_code == 0


def test_only_users_renew(make_host: Callable[..., Any]) -> None:
    host = leading(make_host)
    answer = create(host, renewers=(("User", "berta"), ("Group", "g")))
    assert answer.code == error_codes.INVALID_PRINCIPAL_TYPE
    assert token(host) is None


@pytest.mark.parametrize("who", [ANNA, BERTA])
def test_owner_and_renewers_may_renew_and_end_it(make_host: Callable[..., Any], who: str) -> None:
    host = leading(make_host)
    code = create(host, renewers=(("User", "berta"),), requester=CARL).hmac
    assert renew(host, code, HOUR_MS, who).expiry_timestamp_ms == BEGIN_MS + HOUR_MS
    assert token(host).expiration_timestamp_ms == BEGIN_MS + HOUR_MS
    assert expire(host, code, 5, who).expiry_timestamp_ms == BEGIN_MS + 5
    assert token(host).expiration_timestamp_ms == BEGIN_MS + 5


@pytest.mark.parametrize("who", [BERTA, CARL])
def test_nobody_else_may_nor_who_asked_for_it(make_host: Callable[..., Any], who: str) -> None:
    host = leading(make_host)
    code = create(host, requester=CARL).hmac
    before = host.written()
    for answer in (renew(host, code, 1, who), expire(host, code, -1, who)):
        assert answer.code == error_codes.DELEGATION_TOKEN_OWNER_MISMATCH
    assert host.written() == before


def test_an_hmac_of_no_token_is_not_found(make_host: Callable[..., Any]) -> None:
    host = leading(make_host)
    create(host)
    for code in (b"", b"x" * 64, token_hmac(b"another", "t")):
        for answer in (renew(host, code), expire(host, code)):
            assert answer.code == error_codes.DELEGATION_TOKEN_NOT_FOUND


def test_renewing_goes_on_from_now_and_not_beyond_the_lifetime(
    make_host: Callable[..., Any],
) -> None:
    host = leading(make_host)
    code = create(host, lifetime_ms=3 * HOUR_MS).hmac
    host.wait(HOUR_MS)
    assert renew(host, code, HOUR_MS).expiry_timestamp_ms == BEGIN_MS + 2 * HOUR_MS
    assert renew(host, code).expiry_timestamp_ms == BEGIN_MS + 3 * HOUR_MS
    assert expire(host, code, DAY_MS).expiry_timestamp_ms == BEGIN_MS + 3 * HOUR_MS
    assert token(host).max_timestamp_ms == BEGIN_MS + 3 * HOUR_MS


def test_a_negative_period_ends_it_at_once(make_host: Callable[..., Any]) -> None:
    host = leading(make_host)
    code = create(host).hmac
    host.wait(7)
    assert expire(host, code).expiry_timestamp_ms == BEGIN_MS + 7
    assert host.written()[-1] == "RemoveDelegationTokenRecord"
    assert renew(host, code).code == error_codes.DELEGATION_TOKEN_NOT_FOUND


def test_one_that_expired_can_only_be_ended(make_host: Callable[..., Any]) -> None:
    host = leading(make_host, token_expiry_check_interval_ms=DAY_MS)
    code = create(host, lifetime_ms=HOUR_MS).hmac
    host.wait(HOUR_MS)
    assert renew(host, code).error_code == 0  # its last millisecond
    host.wait(1)
    for answer in (renew(host, code), expire(host, code, 0)):
        assert answer.code == error_codes.DELEGATION_TOKEN_EXPIRED
    # Whether it has expired is told to anybody who renews it, as Kafka does, and to nobody else.
    assert renew(host, code, -1, BERTA).code == error_codes.DELEGATION_TOKEN_EXPIRED
    assert expire(host, code, 0, BERTA).code == error_codes.DELEGATION_TOKEN_OWNER_MISMATCH
    assert expire(host, code, -1).error_code == 0
    assert token(host) is None


def test_expired_tokens_are_swept_from_time_to_time(make_host: Callable[..., Any]) -> None:
    host = leading(make_host)
    create(host, "short", lifetime_ms=HOUR_MS // 2)
    create(host, "long")
    host.wait(HOUR_MS - 1)
    assert "RemoveDelegationTokenRecord" not in host.written()
    host.wait(1)
    host.commit()
    assert (token(host, "short"), token(host, "long") is not None) == (None, True)
    assert host.written().count("RemoveDelegationTokenRecord") == 1
    host.wait(24 * HOUR_MS)
    host.commit()
    assert token(host, "long") is None


def test_many_expired_tokens_are_swept_in_turns(make_host: Callable[..., Any]) -> None:
    host = leading(make_host)
    count = 2 * RECORDS_PER_TURN + 5
    for number in range(count):
        create(host, str(number), lifetime_ms=1)
    batches = len(host.log)
    for _ in range(5):
        host.wait(HOUR_MS)
        host.commit()
    assert len(host.core.committed().tokens) == 0
    assert [len(records) for _, _, records in host.log[batches:]] == [
        RECORDS_PER_TURN,
        RECORDS_PER_TURN,
        5,
    ]


def test_nothing_is_swept_without_a_secret(make_host: Callable[..., Any]) -> None:
    host = leading(make_host, token_secret=None)
    host.wait(3 * HOUR_MS)
    assert host.written() == leading(make_host).written()


def test_a_new_leader_finds_many_tokens_in_turns(make_host: Callable[..., Any]) -> None:
    host = leading(make_host)
    for number in range(2 * TOKENS_PER_STEP + 1):
        create(host, str(number))
    host.follow()
    host.core._token_hmacs = type(host.core._token_hmacs)(SECRET)  # as a new process
    host.lead()
    code = token_hmac(SECRET, str(2 * TOKENS_PER_STEP))
    number = host.ask(RenewDelegationToken(RenewDelegationTokenRequest(code, HOUR_MS), ANNA))
    assert number not in host.replies
    host.wait(0)
    host.commit()
    assert host.replies[number].expiry_timestamp_ms == BEGIN_MS + HOUR_MS
    number = host.ask(RenewDelegationToken(RenewDelegationTokenRequest(b"?", 1), ANNA))
    assert host.replies[number].code == error_codes.DELEGATION_TOKEN_NOT_FOUND
