"""ExpireDelegationToken (40): a token ends, now or at a time (KIP-48).

Behaviour
- The active controller writes when it ends: so many ms from now, and never beyond its maximal
  lifetime. A negative period ends it now: it is gone for good. With another period one that has
  expired is DELEGATION_TOKEN_EXPIRED.
- Who did not prove who it is, or did by a token, is DELEGATION_TOKEN_REQUEST_NOT_ALLOWED. An HMAC
  of no token is DELEGATION_TOKEN_NOT_FOUND. Owner and renewers may do it; anybody else, who asked
  for the token among them, is DELEGATION_TOKEN_OWNER_MISMATCH.
- Without ``delegation.token.secret.key`` it is DELEGATION_TOKEN_AUTH_DISABLED, before
  metadata.version 3.6-IV2 UNSUPPORTED_VERSION.

Version notes
- 1 is the lowest that Kafka 4.x serves; 2 is flexible and says the same.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import ExpireDelegationToken
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.expire_delegation_token_request import ExpireDelegationTokenRequest
from metaquorum.wire.generated.expire_delegation_token_response import ExpireDelegationTokenResponse

_NO_TIME: Final = -1


def handle(
    request: Request[ExpireDelegationTokenRequest], services: Services
) -> Promise[ExpireDelegationTokenResponse]:
    """What the active controller answers."""
    command = ExpireDelegationToken(request.message, request.origin.principal)
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    return services.ask_controller(command, deadline_ms=deadline)


def refusal(
    request: Request[ExpireDelegationTokenRequest], code: int, reason: str | None
) -> ExpireDelegationTokenResponse:
    """The code, and no time: -1 before the controller is asked, 0 from there, as with Kafka."""
    is_asked = code != error_codes.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED
    return ExpireDelegationTokenResponse(
        error_code=code, expiry_timestamp_ms=0 if is_asked else _NO_TIME
    )
