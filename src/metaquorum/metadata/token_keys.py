"""What proves a delegation token: an HMAC of its id under the cluster's secret (KIP-48).

The log keeps tokens without it. Every node computes it from ``delegation.token.secret.key``, which
has to be the same on all of them. Who holds a token names it by its HMAC, and logs in with the
HMAC's base64 text as the password and the token's id as the user.
"""

from __future__ import annotations

import hmac
from base64 import b64encode
from collections.abc import Iterator
from typing import Final

from attrs import define, field

from metaquorum.base.limits import TOKENS_PER_STEP
from metaquorum.metadata.tables.security import DelegationToken
from metaquorum.metadata.timeline import Reader

_FORGOTTEN_BEYOND: Final = 1_000


def token_hmac(secret: bytes, token_id: str) -> bytes:
    """The 64 bytes that prove the token of that id: HMAC-SHA-512, as Kafka's nodes compute it."""
    return hmac.digest(secret, token_id.encode(), "sha512")


def token_password(code: bytes) -> bytes:
    """The password of who logs in with the token whose HMAC this is."""
    return b64encode(code)


@define(eq=False)
class TokenHmacs:
    """Finds tokens by their HMACs; what was computed once is kept.

    An HMAC follows from secret and id alone, so what is kept is never stale: whether a token is
    there is asked of the state each time.
    """

    secret: bytes = field(repr=False)
    _ids: dict[bytes, str] = field(factory=dict, repr=False)

    def of(self, token_id: str) -> bytes:
        """The HMAC of the token with that id."""
        return token_hmac(self.secret, token_id)

    def known(self, code: bytes, tokens: Reader[str, DelegationToken]) -> DelegationToken | None:
        """The token with that HMAC, among those that were learned."""
        token_id = self._ids.get(code)
        return None if token_id is None else tokens.get(token_id)

    def learn(self, tokens: Reader[str, DelegationToken]) -> Iterator[None]:
        """Compute the HMACs of all tokens that are not known yet, TOKENS_PER_STEP of them a step.

        Yields between two steps: not at all where one is enough.
        """
        if len(self._ids) > 2 * len(tokens) + _FORGOTTEN_BEYOND:
            self._ids = {code: one for code, one in self._ids.items() if one in tokens}
        learned = set(self._ids.values())
        new = [token_id for token_id, _ in tokens.items() if token_id not in learned]
        for at in range(0, len(new), TOKENS_PER_STEP):
            if at > 0:
                yield None
            for token_id in new[at : at + TOKENS_PER_STEP]:
                self._ids[self.of(token_id)] = token_id
