"""DescribeDelegationToken (41): the tokens that the asker may see, with their HMACs (KIP-48).

Behaviour
- Answered from the committed state by any node. Kafka's brokers answer it so; its controllers list
  the API and answer UNKNOWN_SERVER_ERROR.
- Null means the tokens of all owners, an empty list none. A named owner stands for all tokens that
  it owns, asked for or renews.
- Of those the asker sees its own in this sense, those on which it may DESCRIBE, and those of users
  whose tokens it may DESCRIBE_TOKENS. What it may not see is left out.
- Who did not prove who it is, or did by a token, is DELEGATION_TOKEN_REQUEST_NOT_ALLOWED. Without
  ``delegation.token.secret.key`` on this node it is DELEGATION_TOKEN_AUTH_DISABLED.
- Answered in steps, as of the moment in which the request was served.

Version notes
- 1 is the lowest that Kafka 4.x serves. 3 adds who asked for the token.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import ROWS_PER_STEP
from metaquorum.base.principals import type_and_name
from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.metadata.tables.security import DelegationToken
from metaquorum.metadata.token_keys import token_hmac
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.server.contract.steps import Encoded, InSteps, RowsApart, Steps
from metaquorum.wire.generated import describe_delegation_token_response, error_codes
from metaquorum.wire.generated.describe_delegation_token_request import (
    DescribeDelegationTokenRequest,
)
from metaquorum.wire.generated.describe_delegation_token_response import (
    DescribedDelegationToken,
    DescribedDelegationTokenRenewer,
    DescribeDelegationTokenResponse,
)

_FLEXIBLE_FROM: Final = 2
_REQUESTER_FROM: Final = 3
_THROTTLE_TIME_BYTES: Final = 4  # the field behind the tokens


def handle(
    request: Request[DescribeDelegationTokenRequest], services: Services
) -> InSteps[Encoded]:
    """The tokens, in the order in which they were made."""
    secret = services.config.delegation_token_secret
    if not secret:
        raise RequestError(
            error_codes.DELEGATION_TOKEN_AUTH_DISABLED, "delegation.token.secret.key is not set"
        )
    tokens = [one for _, one in services.committed().tokens.items()]
    return InSteps(_steps(request, tokens, secret.encode()))


def refusal(
    request: Request[DescribeDelegationTokenRequest], code: int, reason: str | None
) -> DescribeDelegationTokenResponse:
    """The code, and no token."""
    return DescribeDelegationTokenResponse(error_code=code)


def _steps(
    request: Request[DescribeDelegationTokenRequest],
    tokens: Sequence[DelegationToken],
    secret: bytes,
) -> Steps[Encoded]:
    answer = RowsApart(
        *(describe_delegation_token_response, DescribeDelegationTokenResponse(), "tokens"),
        *(request.version, _FLEXIBLE_FROM, _THROTTLE_TIME_BYTES),
    )
    owners: set[str] | None = None
    if (named := request.message.owners) is not None:
        owners = {f"{one.principal_type}:{one.principal_name}" for one in named}
    for at in range(0, len(tokens), ROWS_PER_STEP):
        rows = [
            _row(one, secret, request.version)
            for one in tokens[at : at + ROWS_PER_STEP]
            if (owners is None or any(map(one.is_seen_by, owners))) and _may_see(request, one)
        ]
        if rows:
            answer.add(rows)
        yield None
    return answer.done()


def _may_see(request: Request[DescribeDelegationTokenRequest], token: DelegationToken) -> bool:
    may = request.rights.may
    return (
        token.is_seen_by(request.origin.principal)
        or may(Operation.DESCRIBE, ResourceType.DELEGATION_TOKEN, token.token_id, noted=False)
        or may(Operation.DESCRIBE_TOKENS, ResourceType.USER, token.owner, noted=False)
    )


def _row(token: DelegationToken, secret: bytes, version: int) -> DescribedDelegationToken:
    owner_type, owner_name = type_and_name(token.owner)
    requester = token.requester if version >= _REQUESTER_FROM else ""
    requester_type, requester_name = type_and_name(requester)
    renewers = map(type_and_name, token.renewers)
    return DescribedDelegationToken(
        principal_type=owner_type,
        principal_name=owner_name,
        token_requester_principal_type=requester_type,
        token_requester_principal_name=requester_name,
        issue_timestamp=token.issue_timestamp_ms,
        expiry_timestamp=token.expiration_timestamp_ms,
        max_timestamp=token.max_timestamp_ms,
        token_id=token.token_id,
        hmac=token_hmac(secret, token.token_id),
        renewers=[DescribedDelegationTokenRenewer(kind, name) for kind, name in renewers],
    )
