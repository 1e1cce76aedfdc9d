"""RenewDelegationToken (39): a token lives longer (KIP-48).

Behaviour
- The active controller writes when it expires now: the period that was asked for, or without one
  ``delegation.token.expiry.time.ms``, from now on, and never beyond its maximal lifetime. One that
  has expired is DELEGATION_TOKEN_EXPIRED.
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
from metaquorum.controller.commands import RenewDelegationToken
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.renew_delegation_token_request import RenewDelegationTokenRequest
from metaquorum.wire.generated.renew_delegation_token_response import RenewDelegationTokenResponse

_NO_TIME: Final = -1


def handle(
    request: Request[RenewDelegationTokenRequest], services: Services
) -> Promise[RenewDelegationTokenResponse]:
    """What the active controller answers."""
    command = RenewDelegationToken(request.message, request.origin.principal)
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    return services.ask_controller(command, deadline_ms=deadline)


def refusal(
    request: Request[RenewDelegationTokenRequest], code: int, reason: str | None
) -> RenewDelegationTokenResponse:
    """The code, and no time: -1 before the controller is asked, 0 from there, as with Kafka."""
    is_asked = code != error_codes.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED
    return RenewDelegationTokenResponse(
        error_code=code, expiry_timestamp_ms=0 if is_asked else _NO_TIME
    )
