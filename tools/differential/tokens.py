"""Delegation tokens: made, renewed and ended by clients, and asked for by who may not."""

from __future__ import annotations

import time
from typing import Any

from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.enveloping import Asker
from metaquorum.wire.generated import (
    create_delegation_token_request,
    error_codes,
    expire_delegation_token_request,
    renew_delegation_token_request,
)
from tools.differential.commands import Ask, Draw
from tools.differential.side import Side
from tools.differential.topics import ASKERS

HOUR_MS = 3_600_000
MOST_TOKENS = 8
CREATE, RENEW, EXPIRE = 38, 39, 40
RECORDS = TOKEN, _ = 10, 26
USERS = ("alice", "bob", "carl", "ANONYMOUS")
CLIENTS: tuple[Asker | None, ...] = (
    *ASKERS,
    Asker("User:carl", "127.0.0.1"),
    Asker("User:alice", "127.0.0.1", by_token=True),
    None,
)
# Whole hours, so that what both say of them is the same though they are asked one after the other.
PERIODS_MS = (-1, 0, HOUR_MS, 2 * HOUR_MS, 30 * HOUR_MS, 400 * HOUR_MS)


def create_token(draw: Draw) -> Ask | None:
    """A token of one's own, or of another."""
    if len(draw.view.tokens) >= MOST_TOKENS:
        return expire_token(draw)
    wire = create_delegation_token_request
    version = draw.version(CREATE)
    renewers = [
        wire.CreatableRenewers("Group" if draw.seldom(0.1) else "User", draw.random.choice(USERS))
        for _ in range(draw.random.choice((0, 0, 1, 2)))
    ]
    request = wire.CreateDelegationTokenRequest(
        renewers=renewers, max_lifetime_ms=draw.random.choice(PERIODS_MS)
    )
    if version >= 3:
        request.owner_principal_type = request.owner_principal_name = None
        if draw.seldom(0.4):
            request.owner_principal_type = "Group" if draw.seldom(0.1) else "User"
            request.owner_principal_name = draw.random.choice((*USERS, ""))
    what = f"create a token of {request.owner_principal_name}"
    return Ask(what, CREATE, version, lambda side: request, draw.random.choice(CLIENTS))


def renew_token(draw: Draw) -> Ask:
    """A token is to live longer."""
    period_ms = draw.random.choice(PERIODS_MS)
    return renewal(_token(draw), period_ms, draw.random.choice(CLIENTS), draw.version(RENEW))


def renewal(name: str, period_ms: int, asker: Asker | None, version: int = 2) -> Ask:
    """That token, for so long, asked for by that one."""

    def make(side: Side) -> Any:
        wire = renew_delegation_token_request
        return wire.RenewDelegationTokenRequest(side.token_hmac(name), period_ms)

    return Ask(f"renew {name} for {period_ms} ms", RENEW, version, make, asker)


def expire_token(draw: Draw) -> Ask:
    """A token is to end, mostly at once."""
    period_ms = draw.random.choice((-1, -1, *PERIODS_MS))
    return expiry(_token(draw), period_ms, draw.random.choice(CLIENTS), draw.version(EXPIRE))


def expiry(name: str, period_ms: int, asker: Asker | None, version: int = 2) -> Ask:
    """Likewise the end of a token."""

    def make(side: Side) -> Any:
        wire = expire_delegation_token_request
        return wire.ExpireDelegationTokenRequest(side.token_hmac(name), period_ms)

    return Ask(f"expire {name} in {period_ms} ms", EXPIRE, version, make, asker)


THERE = error_codes.DELEGATION_TOKEN_OWNER_MISMATCH, error_codes.DELEGATION_TOKEN_EXPIRED
"""What is answered to a probe of a token that is known."""


def probe(name: str) -> Ask:
    """Asks whether a token is there, and changes nothing: nobody may renew it."""
    return renewal(name, HOUR_MS, Asker("User:nobody", "127.0.0.1"))


def answers_to_probe(record: MetadataRecord) -> tuple[int, ...]:
    """What a controller answers to a probe that has replayed the record of a token."""
    if record.type != TOKEN:
        return (error_codes.DELEGATION_TOKEN_NOT_FOUND,)
    if record.message.expiration_timestamp < time.time() * 1_000:
        return (error_codes.DELEGATION_TOKEN_EXPIRED,)
    return THERE


def _token(draw: Draw) -> str:
    """A token that is there in most cases, by the name that both sides have for it."""
    there = [draw.side.token_name(token_id) for token_id, _ in draw.view.tokens.items()]
    return "no token" if not there or draw.seldom(0.1) else draw.random.choice(sorted(there))
