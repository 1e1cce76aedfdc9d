"""How a client proves who it is: PLAIN (RFC 4616) and SCRAM (RFC 5802, 7677), its own side.

A server that does not know the password either cannot end a SCRAM exchange well: its last message
is checked before anything is asked.
"""

from __future__ import annotations

import binascii
import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Callable, Generator
from hashlib import new as new_hash
from hashlib import pbkdf2_hmac
from typing import Final

from attrs import field, frozen

from metaquorum.base.errors import PeerError

PLAIN: Final = "PLAIN"
_HASHES: Final = {"SCRAM-SHA-256": "sha256", "SCRAM-SHA-512": "sha512"}
MECHANISMS: Final = (PLAIN, *_HASHES)
_NONCE_BYTES: Final = 24
_ITERATIONS_LEAST: Final = 4_096  # fewer would make a recorded exchange cheap to try passwords on
_ITERATIONS_MOST: Final = 1_000_000  # a second of work; more is a server that means ill
_NO_BINDING: Final = "n,,"

Exchange = Callable[[bytes], bytes]
"""Sends a token and brings the server's next one."""


@frozen
class Login:
    """A user, a password and the mechanism to prove it by; never shown."""

    mechanism: str
    user: str
    password: str = field(repr=False)

    def prove(self, exchange: Exchange) -> None:
        """Go through the mechanism; PeerError when the server's part of it is not right."""
        conversation = self.conversation()
        token = next(conversation)
        while True:
            try:
                token = conversation.send(exchange(token))
            except StopIteration:
                return

    def conversation(self) -> Generator[bytes, bytes, None]:
        """The same in steps: yields each token and is sent the server's answer to it."""
        if self.mechanism == PLAIN:
            yield f"\0{self.user}\0{self.password}".encode()
        else:
            yield from self._scram(_HASHES[self.mechanism], secrets.token_hex(_NONCE_BYTES))

    def _scram(self, hash_name: str, nonce: str) -> Generator[bytes, bytes, None]:
        name = self.user.replace("=", "=3D").replace(",", "=2C")
        bare = f"n={name},r={nonce}"
        first = _text((yield (_NO_BINDING + bare).encode()))
        fields = _fields(first)
        iterations = int(fields["i"]) if fields.get("i", "").isdecimal() else 0
        if not fields.get("r", "").startswith(nonce) or fields["r"] == nonce:
            raise PeerError("the server's nonce does not go on from ours")
        if not _ITERATIONS_LEAST <= iterations <= _ITERATIONS_MOST:
            raise PeerError(f"the server asks for {iterations} iterations of the password")
        salt = _decoded(fields.get("s", ""))
        salted = pbkdf2_hmac(hash_name, self.password.encode(), salt, iterations)
        client_key = hmac.digest(salted, b"Client Key", hash_name)
        without_proof = f"c={b64encode(_NO_BINDING.encode()).decode()},r={fields['r']}"
        spoken = f"{bare},{first},{without_proof}".encode()
        signature = hmac.digest(new_hash(hash_name, client_key).digest(), spoken, hash_name)
        proof = bytes(one ^ other for one, other in zip(client_key, signature, strict=True))
        last = _text((yield f"{without_proof},p={b64encode(proof).decode()}".encode()))
        server_key = hmac.digest(salted, b"Server Key", hash_name)
        expected = hmac.digest(server_key, spoken, hash_name)
        if not hmac.compare_digest(_decoded(_fields(last).get("v", "")), expected):
            raise PeerError("the server did not prove that it knows the password too")


def _fields(text: str) -> dict[str, str]:
    parts = (part.partition("=") for part in text.split(","))
    return {letter: value for letter, equals, value in parts if equals}


def _text(token: bytes) -> str:
    try:
        return token.decode()
    except UnicodeDecodeError:
        raise PeerError("the server sent a SCRAM message that is not UTF-8") from None


def _decoded(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise PeerError("the server sent base64 that is none") from None
