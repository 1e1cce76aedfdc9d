"""PLAIN and SCRAM from the server's side, beside the example of RFC 7677 and bad clients."""

from __future__ import annotations

import hmac
from base64 import b64decode, b64encode
from hashlib import new as new_hash

import pytest

from metaquorum.metadata.scram_keys import SCRAM_MECHANISMS, ScramMechanism
from metaquorum.metadata.tables.security import ScramCredential
from metaquorum.server.access.authentication import (
    AuthenticationFailed,
    PlainExchange,
    ScramExchange,
)

USERS = {"alice": "sesame", "bob": "x"}
SALT = b"\x01\x02\x03salt"
each_mechanism = pytest.mark.parametrize("mechanism", SCRAM_MECHANISMS, ids=lambda one: one.name)


def credential(mechanism: ScramMechanism, password: bytes = b"sesame") -> ScramCredential:
    salted = mechanism.salted_password(password, SALT, 4096)
    return ScramCredential(SALT, mechanism.stored_key(salted), mechanism.server_key(salted), 4096)


def exchange(mechanism: ScramMechanism = SCRAM_MECHANISMS[0]) -> ScramExchange:
    kept = {"alice": credential(mechanism), "a,b=c": credential(mechanism)}
    return ScramExchange(mechanism, kept.get, "server+nonce", b"secret")


class Client:
    """A client of SCRAM that does as it is told."""

    def __init__(self, mechanism: ScramMechanism, user: str = "alice", gs2: str = "n,,") -> None:
        self.mechanism, self.gs2 = mechanism, gs2
        self.bare = f"n={user},r=client=nonce"

    def first(self) -> bytes:
        return (self.gs2 + self.bare).encode()

    def final(self, told: bytes, password: bytes = b"sesame", **forged: str) -> bytes:
        fields = dict(part.split("=", 1) for part in told.decode().split(","))
        channel = forged.get("channel", b64encode(self.gs2.encode()).decode())
        said = f"c={channel},r={forged.get('nonce', fields['r'])}"
        name = self.mechanism.hash_name
        salt = b64decode(fields["s"])
        salted = self.mechanism.salted_password(password, salt, int(fields["i"]))
        client_key = hmac.digest(salted, b"Client Key", name)
        spoken = f"{self.bare},{told.decode()},{said}".encode()
        signature = hmac.digest(new_hash(name, client_key).digest(), spoken, name)
        proof = bytes(one ^ other for one, other in zip(client_key, signature, strict=True))
        self.expected = b"v=" + b64encode(
            hmac.digest(self.mechanism.server_key(salted), spoken, name)
        )
        return f"{said},p={b64encode(proof).decode()}".encode()


def test_the_example_of_rfc_7677_is_answered_as_it_says() -> None:
    mechanism = SCRAM_MECHANISMS[0]
    salt = b"[m\x99h\x9d\x12\x35\x8e\xec\xa0\x4b\x14\x12\x36\xfa\x81"
    salted = mechanism.salted_password(b"pencil", salt, 4096)
    kept = ScramCredential(salt, mechanism.stored_key(salted), mechanism.server_key(salted), 4096)
    server = ScramExchange(
        mechanism, {"user": kept}.get, "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0", b"secret"
    )
    first = server.step(b"n,,n=user,r=rOprNGfwEbeRWgbNEkqO")
    assert first.token == (
        b"r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
    )
    last = server.step(
        b"c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
        b"p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
    )
    assert (last.user, last.token) == ("user", b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=")


@each_mechanism
@pytest.mark.parametrize("gs2", ["n,,", "y,,", "n,a=alice,"])
def test_who_knows_the_password_is_that_user(mechanism: ScramMechanism, gs2: str) -> None:
    server, client = exchange(mechanism), Client(mechanism, gs2=gs2)
    last = server.step(client.final(server.step(client.first()).token))
    assert last.user == "alice"
    assert last.token == client.expected


def test_names_are_unescaped_and_extensions_passed_over() -> None:
    mechanism = SCRAM_MECHANISMS[1]
    server, client = exchange(mechanism), Client(mechanism, "a=2Cb=3Dc")
    client.bare += ",extension=true"
    assert server.step(client.final(server.step(client.first()).token)).user == "a,b=c"


def test_a_nonce_that_librdkafka_doubles_is_taken() -> None:
    mechanism = SCRAM_MECHANISMS[0]
    server, client = exchange(mechanism), Client(mechanism)
    told = server.step(client.first()).token
    doubled = "client=nonce" + "client=nonceserver+nonce"
    assert server.step(client.final(told, nonce=doubled)).user == "alice"


@pytest.mark.parametrize(
    "first",
    [
        b"",
        b"n",
        b"n,,",
        b"n,,r=x",
        b"n,,n=alice",
        b"n,,n=,r=x",
        b"p=tls-unique,,n=alice,r=x",
        b"x,,n=alice,r=x",
        b"n,a=bob,n=alice,r=x",
        b"n,,m=ext,n=alice,r=x",
        b"\xff\xfe",
        b"c=biws,r=x,p=AAAA",
    ],
)
def test_a_first_message_that_is_none_fails(first: bytes) -> None:
    with pytest.raises(AuthenticationFailed):
        exchange().step(first)


@pytest.mark.parametrize(
    "forged",
    [{"channel": "eSws"}, {"channel": "!"}, {"nonce": "client=nonce"}, {"nonce": ""}],
)
def test_a_last_message_that_does_not_fit_the_first_fails(forged: dict[str, str]) -> None:
    mechanism = SCRAM_MECHANISMS[0]
    server, client = exchange(mechanism), Client(mechanism)
    told = server.step(client.first()).token
    with pytest.raises(AuthenticationFailed):
        server.step(client.final(told, **forged))


def test_a_wrong_password_a_cut_proof_and_a_replayed_one_fail() -> None:
    mechanism = SCRAM_MECHANISMS[0]
    for spoil in (
        lambda client, told: client.final(told, b"wrong"),
        lambda client, told: client.final(told)[:-8],
        lambda client, told: client.final(told) + b"A",
        lambda client, told: client.final(told).rpartition(b",p=")[0],
        lambda client, told: b"c=biws,r=client=nonceserver+nonce,p=",
    ):
        server, client = exchange(mechanism), Client(mechanism)
        with pytest.raises(AuthenticationFailed):
            server.step(spoil(client, server.step(client.first()).token))
    server, client = exchange(mechanism), Client(mechanism)
    recorded = client.final(server.step(client.first()).token)
    again = exchange(mechanism)
    again.server_nonce = "another"
    again.step(client.first())
    with pytest.raises(AuthenticationFailed):
        again.step(recorded)


def test_an_exchange_is_over_after_its_last_message() -> None:
    mechanism = SCRAM_MECHANISMS[0]
    server, client = exchange(mechanism), Client(mechanism)
    last = client.final(server.step(client.first()).token)
    server.step(last)
    with pytest.raises(AuthenticationFailed):
        server.step(last)


def test_an_unknown_user_gets_the_same_response_as_a_wrong_password() -> None:
    mechanism = SCRAM_MECHANISMS[0]
    client = Client(mechanism, "nobody")
    told = [exchange(mechanism).step(client.first()).token for _ in range(2)]
    assert told[0] == told[1]
    assert told[0].endswith(b",i=4096")
    assert exchange(mechanism).step(Client(mechanism, "noone").first()).token != told[0]
    server = exchange(mechanism)
    server.step(client.first())
    with pytest.raises(AuthenticationFailed):
        server.step(client.final(told[0]))


@pytest.mark.parametrize("acts_for", [b"", b"alice"])
def test_a_plain_password_that_is_right_is_that_user(acts_for: bytes) -> None:
    step = PlainExchange(USERS).step(acts_for + b"\0alice\0sesame")
    assert (step.user, step.token) == ("alice", b"")


@pytest.mark.parametrize(
    "token",
    [
        b"",
        b"alice\0sesame",
        b"\0alice\0sesame\0",
        b"\0alice\0wrong",
        b"\0nobody\0",
        b"\0nobody\0sesame",
        b"\0\0sesame",
        b"\0alice\0",
        b"bob\0alice\0sesame",
        b"\0al\xffice\0sesame",
    ],
)
def test_any_other_plain_token_fails_and_its_reason_has_no_password(token: bytes) -> None:
    with pytest.raises(AuthenticationFailed) as failed:
        PlainExchange(USERS).step(token)
    assert "sesame" not in str(failed.value)


LONG_NAME = "u" * 520_000


def reason(exchange: PlainExchange | ScramExchange, *tokens: bytes) -> str:
    """Why the last token fails."""
    for token in tokens[:-1]:
        exchange.step(token)
    with pytest.raises(AuthenticationFailed) as failed:
        exchange.step(tokens[-1])
    return str(failed.value)


def test_the_reason_quotes_only_the_beginning_of_a_long_name() -> None:
    name = LONG_NAME.encode()
    reasons = [
        reason(PlainExchange(USERS), b"\0" + name + b"\0x"),
        reason(PlainExchange({LONG_NAME: "x"}), b"other\0" + name + b"\0x"),
        reason(exchange(), b"n,a=other,n=" + name + b",r=nonce"),
        reason(exchange(), b"n,,n=" + name + b",r=nonce", b"c=biws,r=nonce,p=x"),
    ]
    for told in reasons:
        assert "u" * 250 in told
        assert "519750 more characters" in told
        assert len(told) < 500


def test_a_token_of_very_many_parts_is_not_taken_apart() -> None:
    class Token(bytes):
        def split(self, sep: bytes | None = None, maxsplit: int = -1) -> list[bytes]:  # type: ignore[override]
            assert 0 < maxsplit < 10
            return super().split(sep, maxsplit)

    token = Token(520_000)
    assert reason(PlainExchange(USERS), token) == "a PLAIN token of 520001 parts"
    many = "a SCRAM message of more than 32 attributes"
    assert reason(exchange(), b"n,,n=alice,r=nonce" + b"," * 520_000) == many
    assert reason(exchange(), b"n,,n=alice,r=nonce", b"c=biws" + b"," * 520_000 + b",p=x") == many


def test_no_exchange_shows_what_it_keeps_secret() -> None:
    assert "sesame" not in repr(PlainExchange(USERS))
    server = exchange()
    server.step(b"n,,n=alice,r=x")
    stored = credential(SCRAM_MECHANISMS[0]).stored_key
    assert repr(stored) not in repr(server)
    assert "b'secret'" not in repr(server)
