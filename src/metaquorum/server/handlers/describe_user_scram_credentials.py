"""DescribeUserScramCredentials (50): which SCRAM credentials users have, never the secrets.

Behaviour
- Answered from the committed state by any node. ``kafka-configs.sh --describe --entity-type
  users`` asks it after the quotas and fails without it.
- No list, or an empty one, means every user that has a credential. A user that was named and has
  none is RESOURCE_NOT_FOUND, one that was named twice DUPLICATE_RESOURCE, each in its own row.

Version notes
- There is only version 0 (KIP-554).
"""

from __future__ import annotations

from collections import Counter

from metaquorum.base.errors import short_reason
from metaquorum.server.house import House
from metaquorum.server.request import Request
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.describe_user_scram_credentials_request import (
    DescribeUserScramCredentialsRequest,
)
from metaquorum.wire.generated.describe_user_scram_credentials_response import (
    CredentialInfo,
    DescribeUserScramCredentialsResponse,
    DescribeUserScramCredentialsResult,
)


def handle(
    request: Request[DescribeUserScramCredentialsRequest], house: House
) -> DescribeUserScramCredentialsResponse:
    """Mechanisms and iterations of the users that were asked for, sorted by name."""
    known: dict[str, list[CredentialInfo]] = {}
    scram = house.committed().scram
    for user, mechanism in sorted(scram.keys()):
        credential = scram.get((user, mechanism))
        if credential is not None:
            known.setdefault(user, []).append(CredentialInfo(mechanism, credential.iterations))
    asked = Counter(user.name for user in request.message.users or ())
    if not asked:
        return DescribeUserScramCredentialsResponse(
            results=[
                DescribeUserScramCredentialsResult(user, credential_infos=found)
                for user, found in known.items()
            ]
        )
    return DescribeUserScramCredentialsResponse(
        results=[_result(user, times, known.get(user)) for user, times in sorted(asked.items())]
    )


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
