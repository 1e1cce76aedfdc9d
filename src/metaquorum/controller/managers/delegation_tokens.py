"""Delegation tokens are made, renewed and ended (KIP-48, KIP-373).

Codes and records are those of Kafka 4.3.1's controller, in its order of checks. A token is found by
its HMAC, which the state does not hold: a controller computes those of all tokens once, some in
each turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import RECORDS_PER_TURN
from metaquorum.base.principals import type_and_name
from metaquorum.controller.commands import (
    CreateDelegationToken,
    ExpireDelegationToken,
    RenewDelegationToken,
)
from metaquorum.controller.context import PlanContext
from metaquorum.controller.outcome import InTurns, Outcome, Turns
from metaquorum.metadata import versions
from metaquorum.metadata.tables.security import DelegationToken
from metaquorum.metadata.token_keys import TokenHmacs
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.create_delegation_token_response import (
    CreateDelegationTokenResponse,
)
from metaquorum.wire.generated.expire_delegation_token_response import (
    ExpireDelegationTokenResponse,
)
from metaquorum.wire.generated.records.delegation_token_record import DelegationTokenRecord
from metaquorum.wire.generated.records.remove_delegation_token_record import (
    RemoveDelegationTokenRecord,
)
from metaquorum.wire.generated.renew_delegation_token_response import RenewDelegationTokenResponse
from metaquorum.wire.primitives import MAX_TEXT_BYTES

USER: Final = "User"
_LATEST_MS: Final = (1 << 63) - 1
_TOKEN: Final = 10
_REMOVE_TOKEN: Final = 26

Change = Callable[[DelegationToken | None], tuple[MetadataRecord, int]]
"""Of the token that was named: the record, and when it expires in ms since 1970.

RequestError says why it is not changed.
"""


def plan_create(context: PlanContext, command: CreateDelegationToken) -> Outcome:
    """The record of a new token, and its HMAC.

    RequestError: DELEGATION_TOKEN_AUTH_DISABLED without a secret, UNSUPPORTED_VERSION before
    metadata.version 3.6-IV2, INVALID_PRINCIPAL_TYPE for a renewer that is no user, INVALID_REQUEST
    for a principal that no record can name.
    """
    hmacs = _hmacs(context)
    request, config, now_ms = command.request, context.config, context.wall_ms
    for one in request.renewers:
        if one.principal_type != USER:
            raise RequestError(
                error_codes.INVALID_PRINCIPAL_TYPE,
                f"{one.principal_type} {one.principal_name} cannot renew tokens, a {USER} can",
            )
    lifetime_ms = config.token_max_lifetime_ms
    if request.max_lifetime_ms > 0:
        lifetime_ms = min(lifetime_ms, request.max_lifetime_ms)
    lifetime_ms = min(lifetime_ms, _LATEST_MS - now_ms)
    token = DelegationToken(
        token_id=command.token_id,
        owner=_named(command.owner),
        requester=command.requester,
        renewers=tuple(
            _named(f"{one.principal_type}:{one.principal_name}") for one in request.renewers
        ),
        issue_timestamp_ms=now_ms,
        max_timestamp_ms=now_ms + lifetime_ms,
        expiration_timestamp_ms=now_ms + min(lifetime_ms, config.token_expiry_ms),
    )
    owner_type, owner_name = type_and_name(command.owner)
    requester_type, requester_name = type_and_name(command.requester)
    reply = CreateDelegationTokenResponse(
        principal_type=owner_type,
        principal_name=owner_name,
        token_requester_principal_type=requester_type,
        token_requester_principal_name=requester_name,
        issue_timestamp_ms=token.issue_timestamp_ms,
        expiry_timestamp_ms=token.expiration_timestamp_ms,
        max_timestamp_ms=token.max_timestamp_ms,
        token_id=token.token_id,
        hmac=hmacs.of(token.token_id),
    )
    return Outcome((_record(token, token.expiration_timestamp_ms),), reply)


def _named(principal: str) -> str:
    size_bytes = len(principal.encode())
    if size_bytes > MAX_TEXT_BYTES:
        raise RequestError(
            error_codes.INVALID_REQUEST,
            f"a principal of {size_bytes} bytes with its type, at most {MAX_TEXT_BYTES}",
        )
    return principal


def plan_renew(context: PlanContext, command: RenewDelegationToken) -> Outcome | InTurns:
    """The record that lets a token live longer.

    RequestError as of ``plan_create``; DELEGATION_TOKEN_NOT_FOUND, DELEGATION_TOKEN_EXPIRED, or
    DELEGATION_TOKEN_OWNER_MISMATCH, in this order.
    """
    request, now_ms = command.request, context.wall_ms

    def change(found: DelegationToken | None) -> tuple[MetadataRecord, int]:
        token = _found(found)
        _check_alive(token, now_ms)
        _check_changed_by(token, command.requester)
        period_ms = context.config.token_expiry_ms
        if request.renew_period_ms > 0:
            period_ms = min(period_ms, request.renew_period_ms)
        expires_ms = min(token.max_timestamp_ms, now_ms + period_ms)
        return _record(token, expires_ms), expires_ms

    def reply(expires_ms: int) -> object:
        return RenewDelegationTokenResponse(expiry_timestamp_ms=expires_ms)

    return _changed(context, bytes(request.hmac), change, reply)


def plan_expire(context: PlanContext, command: ExpireDelegationToken) -> Outcome | InTurns:
    """The record that ends a token, or says when it will end; a negative period ends it now.

    RequestError as of ``plan_renew``, but whose it is counts before whether it has expired. One
    that has can only be ended now.
    """
    request, now_ms = command.request, context.wall_ms

    def change(found: DelegationToken | None) -> tuple[MetadataRecord, int]:
        token = _found(found)
        _check_changed_by(token, command.requester)
        if request.expiry_time_period_ms < 0:
            return _removal(token), now_ms
        _check_alive(token, now_ms)
        expires_ms = min(token.max_timestamp_ms, now_ms + request.expiry_time_period_ms)
        return _record(token, expires_ms), expires_ms

    def reply(expires_ms: int) -> object:
        return ExpireDelegationTokenResponse(expiry_timestamp_ms=expires_ms)

    return _changed(context, bytes(request.hmac), change, reply)


def removals_of_expired(context: PlanContext, most: int) -> Iterator[Sequence[MetadataRecord]]:
    """In turns: every token that has expired goes, however many there are.

    Kafka's delegation.token.expiry.check.interval.ms. ``most`` counts partitions, for elections.
    """
    records: list[MetadataRecord] = []
    for number, token_id in enumerate(context.view.tokens.keys(), start=1):
        token = context.view.tokens.get(token_id)
        if token is not None and token.has_expired(context.wall_ms):
            records.append(_removal(token))
        if number % RECORDS_PER_TURN == 0:
            yield records
            records = []
    yield records


def _hmacs(context: PlanContext) -> TokenHmacs:
    """Where tokens are found; RequestError where there can be none."""
    if context.token_hmacs is None:
        raise RequestError(
            error_codes.DELEGATION_TOKEN_AUTH_DISABLED,
            "delegation.token.secret.key is not set on this controller",
        )
    present = context.view.features.metadata_version
    if present < versions.DELEGATION_TOKENS_FROM:
        raise RequestError(
            error_codes.UNSUPPORTED_VERSION,
            f"metadata.version {versions.level_name(present)} knows no delegation tokens, "
            f"{versions.level_name(versions.DELEGATION_TOKENS_FROM)} does",
        )
    return context.token_hmacs


def _changed(
    context: PlanContext, code: bytes, change: Change, reply: Callable[[int], object]
) -> Outcome | InTurns:
    """What ``change`` makes of the token with that HMAC, in turns if HMACs are to be learned."""
    hmacs, tokens = _hmacs(context), context.view.tokens
    learning = iter(()) if hmacs.known(code, tokens) is not None else hmacs.learn(tokens)
    for _ in learning:
        break
    else:
        record, expires_ms = change(hmacs.known(code, tokens))
        return Outcome((record,), reply(expires_ms))

    def turns() -> Turns:
        for _ in learning:
            yield ()
        record, expires_ms = change(hmacs.known(code, context.view.tokens))
        yield (record,)
        return reply(expires_ms)

    return InTurns(turns())


def _found(token: DelegationToken | None) -> DelegationToken:
    if token is None:
        raise RequestError(error_codes.DELEGATION_TOKEN_NOT_FOUND, "no token has this HMAC")
    return token


def _check_changed_by(token: DelegationToken, requester: str) -> None:
    if not token.is_changed_by(requester):
        raise RequestError(
            error_codes.DELEGATION_TOKEN_OWNER_MISMATCH, "only who owns or renews it may do that"
        )


def _check_alive(token: DelegationToken, now_ms: int) -> None:
    if token.has_expired(now_ms):
        raise RequestError(error_codes.DELEGATION_TOKEN_EXPIRED, "the token has expired")


def _record(token: DelegationToken, expires_ms: int) -> MetadataRecord:
    record = DelegationTokenRecord(
        owner=token.owner,
        requester=token.requester,
        renewers=list(token.renewers),
        issue_timestamp=token.issue_timestamp_ms,
        max_timestamp=token.max_timestamp_ms,
        expiration_timestamp=expires_ms,
        token_id=token.token_id,
    )
    return MetadataRecord(_TOKEN, 0, record)


def _removal(token: DelegationToken) -> MetadataRecord:
    return MetadataRecord(_REMOVE_TOKEN, 0, RemoveDelegationTokenRecord(token.token_id))
