"""AlterUserScramCredentials (51): set and remove users' SCRAM credentials; answered when committed.

Behaviour
- The active controller validates, writes and answers; other nodes hand the request on to it.
- A refusal is the code for each user, as is a change that cannot be made.

Version notes
- There is only version 0 (KIP-554).
"""

from __future__ import annotations

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import AlterUserScramCredentials
from metaquorum.runtime.later import Later
from metaquorum.server.house import House
from metaquorum.server.request import Request
from metaquorum.wire.generated.alter_user_scram_credentials_request import (
    AlterUserScramCredentialsRequest,
)
from metaquorum.wire.generated.alter_user_scram_credentials_response import (
    AlterUserScramCredentialsResponse,
    AlterUserScramCredentialsResult,
)


def handle(
    request: Request[AlterUserScramCredentialsRequest], house: House
) -> Later[AlterUserScramCredentialsResponse]:
    """What the active controller answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    return house.ask_controller(AlterUserScramCredentials(request.message), deadline_ms=deadline)


def refusal(
    request: Request[AlterUserScramCredentialsRequest], code: int, reason: str | None
) -> AlterUserScramCredentialsResponse:
    """The code for each user, once."""
    message = request.message
    names = [one.name for one in message.deletions] + [one.name for one in message.upsertions]
    users = dict.fromkeys(names)
    return AlterUserScramCredentialsResponse(
        results=[AlterUserScramCredentialsResult(user, code, reason) for user in users]
    )
