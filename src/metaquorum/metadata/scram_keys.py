"""What a server derives from a password to check it later: SCRAM of RFC 5802 and RFC 7677."""

from __future__ import annotations

import hmac
from hashlib import new as new_hash
from hashlib import pbkdf2_hmac
from typing import Final

from attrs import frozen

ITERATIONS_LEAST: Final = 4_096
ITERATIONS_MOST: Final = 16_384


@frozen
class ScramMechanism:
    """A mechanism by the number that records carry, its name, and its hash."""

    number: int
    name: str
    hash_name: str

    def salted_password(self, password: bytes, salt: bytes, iterations: int) -> bytes:
        """The password stretched: what a client proves that it knows."""
        return pbkdf2_hmac(self.hash_name, password, salt, iterations)

    def stored_key(self, salted_password: bytes) -> bytes:
        """The key that a client's proof is checked against."""
        client_key = hmac.digest(salted_password, b"Client Key", self.hash_name)
        return new_hash(self.hash_name, client_key).digest()

    def server_key(self, salted_password: bytes) -> bytes:
        """The key with which a server proves that it knows the password too."""
        return hmac.digest(salted_password, b"Server Key", self.hash_name)


SCRAM_MECHANISMS: Final = (
    ScramMechanism(1, "SCRAM-SHA-256", "sha256"),
    ScramMechanism(2, "SCRAM-SHA-512", "sha512"),
)
