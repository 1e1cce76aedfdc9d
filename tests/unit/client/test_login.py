"""A client's side of PLAIN and SCRAM, against our server's side and against bad servers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from metaquorum.base.errors import PeerError
from metaquorum.client.login import Login
from metaquorum.metadata.scram_keys import SCRAM_MECHANISMS, ScramMechanism
from metaquorum.server.access.authentication import (
    AuthenticationFailed,
    Exchange,
    PlainExchange,
    ScramExchange,
)
from tests.unit.server.test_authentication import credential

USER = "a,b=c"
each_mechanism = pytest.mark.parametrize("mechanism", SCRAM_MECHANISMS, ids=lambda one: one.name)


def server(mechanism: ScramMechanism) -> ScramExchange:
    return ScramExchange(mechanism, {USER: credential(mechanism)}.get, "theirs", b"secret")


def proven(login: Login, exchange: Exchange, spoil: Callable[[bytes], bytes] = bytes) -> str:
    """Who the server took the client for in the end."""
    users: list[str | None] = []

    def ask(token: bytes) -> bytes:
        step = exchange.step(token)
        users.append(step.user)
        return spoil(step.token)

    login.prove(ask)
    assert users[-1] is not None
    return users[-1]


@each_mechanism
def test_a_server_that_knows_the_password_is_content_and_so_are_we(
    mechanism: ScramMechanism,
) -> None:
    assert proven(Login(mechanism.name, USER, "sesame"), server(mechanism)) == USER
    with pytest.raises(AuthenticationFailed):
        proven(Login(mechanism.name, USER, "wrong"), server(mechanism))


def test_a_plain_password_is_sent_as_it_is() -> None:
    assert proven(Login("PLAIN", "é", "pässword"), PlainExchange({"é": "pässword"})) == "é"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda token: token.replace(b"r=", b"r=x"),
        lambda token: token.replace(b"theirs", b""),
        lambda token: token.replace(b"i=4096", b"i=1"),
        lambda token: token.replace(b"i=4096", b"i=99999999"),
        lambda token: token.replace(b"i=4096", b"i=x"),
        lambda token: token.replace(b",s=", b",s=!"),
        lambda token: b"\xff",
        lambda token: b"",
        lambda token: b"v=AAAA" if token.startswith(b"v=") else token,
        lambda token: b"e=other-error" if token.startswith(b"v=") else token,
    ],
)
def test_a_server_that_does_not_know_the_password_is_not_believed(
    spoil: Callable[[bytes], bytes],
) -> None:
    mechanism = SCRAM_MECHANISMS[0]
    with pytest.raises(PeerError):
        proven(Login(mechanism.name, USER, "sesame"), server(mechanism), spoil)


def test_a_login_shows_no_password() -> None:
    assert "sesame" not in repr(Login("PLAIN", USER, "sesame"))
