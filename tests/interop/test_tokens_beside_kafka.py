"""Delegation tokens are made, renewed and ended by ours as by a controller of Kafka.

Random commands as in test_random_commands_beside_kafka.py, most of them about tokens and the rights
to make them.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from metaquorum.wire.generated import error_codes
from tools.differential import settings, tokens
from tools.differential.controllers import two_controllers

STEPS = int(os.environ.get("METAQUORUM_TOKEN_STEPS", "150"))
SEED = int(os.environ.get("METAQUORUM_TOKEN_SEED", "1"))
MANY = 5_000
STEPS_PER_RESTART = 90
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
        error_codes.DELEGATION_TOKEN_EXPIRED,
    },
}
CODES[tokens.EXPIRE] = CODES[tokens.RENEW]


def play(directory: Path, seed: int, steps: int, release: str | None = None) -> dict[int, set[int]]:
    """The codes that were answered, by API."""
    with two_controllers(directory, seed, release=release, verbs=OFTEN) as one:
        for number in range(1, steps + 1):
            one.step()
            if number % STEPS_PER_RESTART == 0:
                one.start_again()
        one.finish()
        found: dict[int, set[int]] = {}
        for api_key, code in one.codes:
            found.setdefault(api_key, set()).add(code)
        return found


def test_random_commands_about_tokens_are_those_of_kafka(tmp_path: Path) -> None:
    found = play(tmp_path, SEED, STEPS)
    assert {key: found[key] for key in CODES} == CODES


def test_before_their_metadata_version_tokens_are_refused_as_by_kafka(tmp_path: Path) -> None:
    found = play(tmp_path, SEED, STEPS_PER_RESTART - 1, release="3.5")
    for api_key in CODES:
        assert error_codes.UNSUPPORTED_VERSION in found[api_key]
        assert error_codes.NONE not in found[api_key]


@pytest.mark.soak
@pytest.mark.timeout(3_600)
def test_thousands_of_commands_about_tokens_do_the_same_to_both(tmp_path: Path) -> None:
    found = play(tmp_path, SEED + 1, MANY)
    assert {key: found[key] for key in CODES} == CODES
