"""CreateDelegationToken (38): a token by which others can log in as its owner (KIP-48, KIP-373).

Behaviour
- The active controller draws and writes it; on a client listener any node takes the request there,
  in the client's name. The HMAC in the answer is the secret: the log does not have it.
- Without an owner the token is the asker's own. For another's it takes CREATE_TOKENS on the user,
  or it is DELEGATION_TOKEN_AUTHORIZATION_FAILED.
- Who did not prove who it is, or did by a token, is DELEGATION_TOKEN_REQUEST_NOT_ALLOWED.
- Without ``delegation.token.secret.key`` it is DELEGATION_TOKEN_AUTH_DISABLED, before
  metadata.version 3.6-IV2 UNSUPPORTED_VERSION, with a renewer that is no user
  INVALID_PRINCIPAL_TYPE. An owner's name without a type is INVALID_REQUEST.

Version notes
- 1 is the lowest that Kafka 4.x serves. 3 adds the owner, and who asked.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import uuid_text
from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.base.principals import type_and_name
from metaquorum.controller.commands import CreateDelegationToken
from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.create_delegation_token_request import (
    CreateDelegationTokenRequest,
)
from metaquorum.wire.generated.create_delegation_token_response import (
    CreateDelegationTokenResponse,
)

_OWNER_FROM: Final = 3
_NO_TIME: Final = -1
_BEFORE_IT_IS_ASKED: Final = (
    error_codes.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED,
    error_codes.DELEGATION_TOKEN_AUTHORIZATION_FAILED,
)


def handle(
    request: Request[CreateDelegationTokenRequest], services: Services
) -> Promise[CreateDelegationTokenResponse]:
    """What the active controller answers."""
    requester, owner = request.origin.principal, _owner(request)
    if owner != requester and not request.rights.may(
        Operation.CREATE_TOKENS, ResourceType.USER, owner
    ):
        raise RequestError(error_codes.DELEGATION_TOKEN_AUTHORIZATION_FAILED)
    if request.message.owner_principal_name and not request.message.owner_principal_type:
        raise RequestError(error_codes.INVALID_REQUEST, "an owner has a type, such as User")
    if ":" in (request.message.owner_principal_type or ""):
        raise RequestError(error_codes.INVALID_REQUEST, "the type of a principal has no colon")
    command = CreateDelegationToken(
        request.message, uuid_text(services.new_uuid()), requester, owner
    )

    def shown(answer: CreateDelegationTokenResponse) -> CreateDelegationTokenResponse:
        return answer if request.version >= _OWNER_FROM else _without_requester(answer)

    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    return services.ask_controller(command, deadline_ms=deadline).map(shown)


def refusal(
    request: Request[CreateDelegationTokenRequest], code: int, reason: str | None
) -> CreateDelegationTokenResponse:
    """The code, and no token; times are -1 before the controller is asked, 0 from there."""
    no_time = _NO_TIME if code in _BEFORE_IT_IS_ASKED else 0
    message = request.message
    owner_type, owner_name = message.owner_principal_type or "", message.owner_principal_name
    if not owner_name:
        owner_type, owner_name = type_and_name(request.origin.principal)
    requester_type, requester_name = type_and_name(request.origin.principal)
    answer = CreateDelegationTokenResponse(
        error_code=code,
        principal_type=owner_type,
        principal_name=owner_name,
        token_requester_principal_type=requester_type,
        token_requester_principal_name=requester_name,
        issue_timestamp_ms=no_time,
        expiry_timestamp_ms=no_time,
        max_timestamp_ms=no_time,
    )
    return answer if request.version >= _OWNER_FROM else _without_requester(answer)


def _owner(request: Request[CreateDelegationTokenRequest]) -> str:
    """Whose the token is to be, as access rules name it."""
    message = request.message
    if not message.owner_principal_name:
        return request.origin.principal
    return f"{message.owner_principal_type or ''}:{message.owner_principal_name}"


def _without_requester(answer: CreateDelegationTokenResponse) -> CreateDelegationTokenResponse:
    answer.token_requester_principal_type = answer.token_requester_principal_name = ""
    return answer
