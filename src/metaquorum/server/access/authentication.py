"""One exchange in which a client proves who it is: PLAIN (RFC 4616) and SCRAM (RFC 5802, 7677).

No I/O and no state beyond the exchange: tokens in, tokens out. What goes wrong is one failure for
the client, whether it was the user or the password, and has a reason for the log that names no
secret.
"""

from __future__ import annotations

import binascii
import hmac
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from hashlib import new as new_hash
from typing import Final, Protocol

from attrs import define, field, frozen

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.quoting import quoted
from metaquorum.metadata.scram_keys import ITERATIONS_LEAST, ScramMechanism
from metaquorum.metadata.tables.security import ScramCredential

_PARTS_OF_PLAIN: Final = 3
_SALT_BYTES: Final = 24
_TOKEN_EXTENSION: Final = "tokenauth"
_MOST_ATTRIBUTES: Final = 32  # a message has three at most, and extensions that nobody sends


class AuthenticationFailed(Exception):
    """The client did not prove who it is; the text is for the log."""


@frozen
class Step:
    """What goes back to the client; with ``user`` it has proven to be that one.

    ``by_token``: by a delegation token, which is good until ``expires_ms``.
    """

    token: bytes
    user: str | None = None
    by_token: bool = False
    expires_ms: Millis = NEVER


class Exchange(Protocol):
    """One attempt of a client."""

    def step(self, token: bytes) -> Step:
        """Take the client's next token; AuthenticationFailed ends the attempt."""


@frozen
class PlainExchange:
    """A user and a password in one token; the operator's file knows both."""

    users: Mapping[str, str] = field(repr=False)

    def step(self, token: bytes) -> Step:
        """As ``Exchange.step``."""
        parts = token.split(b"\0", _PARTS_OF_PLAIN)
        if len(parts) != _PARTS_OF_PLAIN:
            found = token.count(b"\0") + 1
            raise AuthenticationFailed(f"a PLAIN token of {found} parts")
        acts_for, user, password = parts
        try:
            name = user.decode()
        except UnicodeDecodeError:
            raise AuthenticationFailed("a user's name that is not UTF-8") from None
        if not user or not password:
            raise AuthenticationFailed("a PLAIN token without a user or a password")
        expected = self.users.get(name)
        matches = hmac.compare_digest((expected or "").encode(), password)
        if expected is None or not matches:
            raise AuthenticationFailed(f"wrong user or password for {quoted(name)}")
        if acts_for not in (b"", user):
            raise AuthenticationFailed(f"{quoted(name)} may not act for somebody else")
        return Step(b"", name)


Credentials = Callable[[str], ScramCredential | None]
"""What the metadata log keeps of a user for the mechanism of the exchange."""


@frozen
class TokenLogin:
    """A delegation token as a credential: who logs in by it is ``owner`` until ``expires_ms``."""

    owner: str
    credential: ScramCredential
    expires_ms: Millis


Tokens = Callable[[str], TokenLogin | None]
"""The delegation token with that id, for the mechanism of the exchange."""


def no_tokens(token_id: str) -> TokenLogin | None:
    """There are none."""
    return None


@define
class ScramExchange:
    """Two tokens each way; a user that does not exist gets as far as one with a wrong password.

    ``secret`` makes up the salt of users that there are not: always the same for a name. With the
    extension ``tokenauth=true`` the user is the id of a delegation token (KIP-48).
    """

    mechanism: ScramMechanism
    credentials: Credentials
    server_nonce: str
    secret: bytes = field(repr=False)
    tokens: Tokens = no_tokens
    _user: str = ""
    _login: TokenLogin | None = None
    _by_token: bool = False
    _credential: ScramCredential | None = field(default=None, repr=False)
    _gs2_header: str = ""
    _nonce: str = ""
    _first_messages: str = field(default="", repr=False)
    _is_begun: bool = False
    _is_over: bool = False

    def step(self, token: bytes) -> Step:
        """As ``Exchange.step``."""
        if self._is_over:
            raise AuthenticationFailed("a token after the exchange was over")
        try:
            text = token.decode()
        except UnicodeDecodeError:
            raise AuthenticationFailed("a SCRAM message that is not UTF-8") from None
        if self._is_begun:
            self._is_over = True
            return self._final(text)
        self._is_begun = True
        return self._first(text)

    def _first(self, text: str) -> Step:
        flag, acts_for, bare = (*text.split(",", 2), "", "")[:3]
        if flag not in ("n", "y"):
            raise AuthenticationFailed("channel binding is asked for, or no SCRAM message came")
        fields = _attributes(bare)
        user, client_nonce = _unescaped(fields.get("n", "")), fields.get("r", "")
        if not user or not client_nonce or "m" in fields:
            raise AuthenticationFailed("a first SCRAM message without a user or a nonce")
        if acts_for and _unescaped(acts_for.removeprefix("a=")) != user:
            raise AuthenticationFailed(f"{quoted(user)} may not act for somebody else")
        self._user, self._gs2_header = user, f"{flag},{acts_for},"
        self._by_token = fields.get(_TOKEN_EXTENSION, "").lower() == "true"
        if self._by_token:
            self._login = self.tokens(user)
            self._credential = None if self._login is None else self._login.credential
        else:
            self._credential = self.credentials(user)
        self._nonce = client_nonce + self.server_nonce
        if self._credential is None:
            salt = made_up_salt(self.secret, user)
            iterations = ITERATIONS_LEAST
        else:
            salt, iterations = self._credential.salt, self._credential.iterations
        first_message = f"r={self._nonce},s={b64encode(salt).decode()},i={iterations}"
        self._first_messages = f"{bare},{first_message}"
        return Step(first_message.encode())

    def _final(self, text: str) -> Step:
        user = quoted(self._user)
        without_proof, comma, proof_text = text.rpartition(",p=")
        fields = _attributes(without_proof)
        if not comma or _decoded(fields.get("c", "")) != self._gs2_header.encode():
            raise AuthenticationFailed(f"a last SCRAM message of {user} that fits no first")
        # librdkafka 1.6 puts its own nonce in front twice; the proof covers what was sent.
        if not fields.get("r", "").endswith(self._nonce):
            raise AuthenticationFailed(f"a nonce of {user} that is not this exchange's")
        credential = self._credential
        if credential is None:
            kind = "delegation token" if self._by_token else "user"
            raise AuthenticationFailed(f"there is no {kind} {user} for {self.mechanism.name}")
        spoken = f"{self._first_messages},{without_proof}".encode()
        name = self.mechanism.hash_name
        signature = hmac.digest(credential.stored_key, spoken, name)
        proof = _decoded(proof_text)
        if len(proof) != len(signature):
            raise AuthenticationFailed(f"a proof of {user} that is none")
        client_key = bytes(one ^ other for one, other in zip(proof, signature, strict=True))
        if not hmac.compare_digest(new_hash(name, client_key).digest(), credential.stored_key):
            raise AuthenticationFailed(f"wrong password for {user}")
        signed = hmac.digest(credential.server_key, spoken, name)
        token = b"v=" + b64encode(signed)
        if self._login is not None:
            return Step(token, self._login.owner, by_token=True, expires_ms=self._login.expires_ms)
        return Step(token, self._user)


def made_up_salt(secret: bytes, user: str) -> bytes:
    """A salt for who has none in the log: always the same for a name."""
    return hmac.digest(secret, user.encode(), "sha256")[:_SALT_BYTES]


def _attributes(text: str) -> dict[str, str]:
    """Letter and value of each part; a value may have further signs of equality in it."""
    if text.count(",") >= _MOST_ATTRIBUTES:
        raise AuthenticationFailed(f"a SCRAM message of more than {_MOST_ATTRIBUTES} attributes")
    parts = (part.partition("=") for part in text.split(","))
    return {letter: value for letter, equals, value in parts if equals}


def _unescaped(name: str) -> str:
    return name.replace("=2C", ",").replace("=3D", "=")


def _decoded(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
