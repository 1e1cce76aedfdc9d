"""Delegation tokens: made, renewed and ended by clients, and asked for by who may not."""

from __future__ import annotations

from typing import Any

from metaquorum.wire.enveloping import Asker
from metaquorum.wire.generated import (
    create_delegation_token_request,
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
    name, period_ms = _token(draw), draw.random.choice(PERIODS_MS)

    def make(side: Side) -> Any:
        wire = renew_delegation_token_request
        return wire.RenewDelegationTokenRequest(side.token_hmac(name), period_ms)

    what = f"renew {name} for {period_ms} ms"
    return Ask(what, RENEW, draw.version(RENEW), make, draw.random.choice(CLIENTS))


def expire_token(draw: Draw) -> Ask:
    """A token is to end, mostly at once."""
    name, period_ms = _token(draw), draw.random.choice((-1, -1, *PERIODS_MS))

    def make(side: Side) -> Any:
        wire = expire_delegation_token_request
        return wire.ExpireDelegationTokenRequest(side.token_hmac(name), period_ms)

    what = f"expire {name} in {period_ms} ms"
    return Ask(what, EXPIRE, draw.version(EXPIRE), make, draw.random.choice(CLIENTS))


def probe(name: str) -> Ask:
    """Asks whether a token is there, and changes nothing: nobody may renew it."""

    def make(side: Side) -> Any:
        wire = renew_delegation_token_request
        return wire.RenewDelegationTokenRequest(side.token_hmac(name), HOUR_MS)

    return Ask(f"is {name} there?", RENEW, 2, make, Asker("User:nobody", "127.0.0.1"))


def _token(draw: Draw) -> str:
    """A token that is there in most cases, by the name that both sides have for it."""
    there = [draw.side.token_name(token_id) for token_id, _ in draw.view.tokens.items()]
    return "no token" if not there or draw.seldom(0.1) else draw.random.choice(sorted(there))
