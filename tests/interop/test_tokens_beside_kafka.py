"""Delegation tokens are made, renewed and ended by ours as by a controller of Kafka.

Random commands as in test_random_commands_beside_kafka.py, most of them about tokens and the rights
to make them.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from metaquorum.wire.enveloping import Asker
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.create_delegation_token_request import (
    CreateDelegationTokenRequest,
)
from tools.differential import settings, tokens
from tools.differential.commands import Ask
from tools.differential.controllers import two_controllers
from tools.differential.play import Play

STEPS = int(os.environ.get("METAQUORUM_TOKEN_STEPS", "80"))
SEED = int(os.environ.get("METAQUORUM_TOKEN_SEED", "1"))
MANY, MORE = 5_000, 300
STEPS_PER_RESTART = 60
OFTEN = {
    tokens.create_token: 10,
    tokens.renew_token: 10,
    tokens.expire_token: 10,
    settings.create_acls: 4,
    settings.delete_acls: 1,
}
CODES = {
    tokens.CREATE: {
        error_codes.NONE,
        error_codes.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED,
        error_codes.DELEGATION_TOKEN_AUTHORIZATION_FAILED,
        error_codes.INVALID_PRINCIPAL_TYPE,
    },
    tokens.RENEW: {
        error_codes.NONE,
        error_codes.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED,
        error_codes.DELEGATION_TOKEN_NOT_FOUND,
        error_codes.DELEGATION_TOKEN_OWNER_MISMATCH,
    },
}
CODES[tokens.EXPIRE] = CODES[tokens.RENEW]


def codes(one: Play) -> dict[int, set[int]]:
    """What was answered to requests about tokens, by API."""
    return {key: {code for api_key, code in one.codes if api_key == key} for key in CODES}


def has_all(one: Play) -> bool:
    """Whether every API has answered all that it does; EXPIRED is rare, and has a test below."""
    return all(expected <= codes(one)[key] for key, expected in CODES.items())


def play(directory: Path, seed: int, steps: int) -> None:
    """So many commands, and as many more as it takes until every code was answered."""
    with two_controllers(directory, seed, verbs=OFTEN) as one:
        number = 0
        while number < steps or (not has_all(one) and number < steps + MORE):
            number += 1
            one.step()
            if number % STEPS_PER_RESTART == 0:
                one.start_again()
        one.finish()
        assert has_all(one)


@pytest.mark.timeout(600)
def test_random_commands_about_tokens_are_those_of_kafka(tmp_path: Path) -> None:
    play(tmp_path, SEED, STEPS)


def test_an_expired_token_is_refused_and_ended_as_by_kafka(tmp_path: Path) -> None:
    alice, bob = Asker("User:alice", "127.0.0.1"), Asker("User:bob", "127.0.0.1")
    request = CreateDelegationTokenRequest(None, None, [], -1)
    with two_controllers(tmp_path, SEED) as one:
        one.ask(Ask("create a token", tokens.CREATE, 3, lambda side: request, alice))
        one.ask(tokens.expiry("token 1", 0, alice))
        for asker in (bob, alice):
            one.ask(tokens.renewal("token 1", tokens.HOUR_MS, asker))
            one.ask(tokens.expiry("token 1", tokens.HOUR_MS, asker))
        for asker in (bob, alice, alice):
            one.ask(tokens.expiry("token 1", -1, asker))
        one.finish()
        for api_key in (tokens.RENEW, tokens.EXPIRE):
            assert error_codes.DELEGATION_TOKEN_EXPIRED in codes(one)[api_key]


def test_before_their_metadata_version_tokens_are_refused_as_by_kafka(tmp_path: Path) -> None:
    with two_controllers(tmp_path, SEED, release="3.5", verbs=OFTEN) as one:
        for _ in range(STEPS):
            one.step()
        one.finish()
        for found in codes(one).values():
            assert error_codes.UNSUPPORTED_VERSION in found
            assert error_codes.NONE not in found


@pytest.mark.soak
@pytest.mark.timeout(7_200)
def test_thousands_of_commands_about_tokens_do_the_same_to_both(tmp_path: Path) -> None:
    play(tmp_path, SEED + 1, MANY)
