"""DescribeUserScramCredentials (50): which SCRAM credentials users have, never the secrets.

Behaviour
- Answered from the committed state by any node. ``kafka-configs.sh --describe --entity-type
  users`` asks it after the quotas and fails without it.
- No list, or an empty one, means every user that has a credential. A user that was named and has
  none is RESOURCE_NOT_FOUND, one that was named twice DUPLICATE_RESOURCE, each in its own row.
- Answered in steps, as of the moment in which the request was served.

Version notes
- There is only version 0 (KIP-554).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from metaquorum.base.errors import short_reason
from metaquorum.base.limits import ROWS_ENCODED_PER_STEP, ROWS_PER_STEP
from metaquorum.metadata.tables.security import ScramCredential, ScramKey
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.server.contract.steps import Encoded, InSteps, RowsApart, Steps
from metaquorum.wire.generated import describe_user_scram_credentials_response, error_codes
from metaquorum.wire.generated.describe_user_scram_credentials_request import (
    DescribeUserScramCredentialsRequest,
)
from metaquorum.wire.generated.describe_user_scram_credentials_response import (
    CredentialInfo,
    DescribeUserScramCredentialsResponse,
    DescribeUserScramCredentialsResult,
)

_FLEXIBLE_FROM: Final = 0


def handle(
    request: Request[DescribeUserScramCredentialsRequest], services: Services
) -> InSteps[Encoded]:
    """Mechanisms and iterations of the users that were asked for, sorted by name."""
    return InSteps(_steps(request, list(services.committed().scram.items())))


def _steps(
    request: Request[DescribeUserScramCredentialsRequest],
    credentials: Sequence[tuple[ScramKey, ScramCredential]],
) -> Steps[Encoded]:
    asked = Counter(user.name for user in request.message.users or ())
    empty = DescribeUserScramCredentialsResponse()
    answer = RowsApart(
        *(describe_user_scram_credentials_response, empty, "results"),
        *(request.version, _FLEXIBLE_FROM),
    )
    known: dict[str, list[CredentialInfo]] = {}
    for number, ((user, mechanism), credential) in enumerate(credentials):
        if number % ROWS_ENCODED_PER_STEP == ROWS_ENCODED_PER_STEP - 1:
            yield None
        if not asked or user in asked:
            known.setdefault(user, []).append(CredentialInfo(mechanism, credential.iterations))
    for infos in known.values():
        infos.sort(key=attrgetter("mechanism"))
    users = sorted(asked or known)
    for at in range(0, len(users), ROWS_PER_STEP):
        answer.add(
            [_result(user, asked[user], known.get(user)) for user in users[at : at + ROWS_PER_STEP]]
        )
        yield None
    return answer.done()


def refusal(
    request: Request[DescribeUserScramCredentialsRequest], code: int, reason: str | None
) -> DescribeUserScramCredentialsResponse:
    """An error and no users."""
    return DescribeUserScramCredentialsResponse(error_code=code, error_message=reason)


def _result(
    user: str, times: int, found: list[CredentialInfo] | None
) -> DescribeUserScramCredentialsResult:
    if times > 1:
        reason = f"user {user!r} is named {times} times in one request"
        code = error_codes.DUPLICATE_RESOURCE
        return DescribeUserScramCredentialsResult(user, code, short_reason(reason))
    if found is None:
        reason = f"user {user!r} has no SCRAM credential"
        code = error_codes.RESOURCE_NOT_FOUND
        return DescribeUserScramCredentialsResult(user, code, short_reason(reason))
    return DescribeUserScramCredentialsResult(user, credential_infos=found)
