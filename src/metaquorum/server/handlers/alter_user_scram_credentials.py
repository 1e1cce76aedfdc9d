"""AlterUserScramCredentials (51): set and remove users' SCRAM credentials; answered when committed.

Behaviour
- The active controller validates, writes and answers; other nodes hand the request on to it.
- A refusal is the code for each user, as is a change that cannot be made.
- Changes of many users are asked of the controller in parts, each answered with what came of its
  part.

Version notes
- There is only version 0 (KIP-554).
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.limits import ADMIN_REQUEST_MS, ROWS_PER_COMMAND
from metaquorum.controller.commands import AlterUserScramCredentials
from metaquorum.controller.managers import scram
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.parts import Ask, answered_in_parts
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.server.contract.steps import Encoded, InSteps, RowsApart, Steps
from metaquorum.wire.generated import alter_user_scram_credentials_response
from metaquorum.wire.generated.alter_user_scram_credentials_request import (
    AlterUserScramCredentialsRequest,
)
from metaquorum.wire.generated.alter_user_scram_credentials_response import (
    AlterUserScramCredentialsResponse,
    AlterUserScramCredentialsResult,
)

_FLEXIBLE_FROM: Final = 0


def handle(
    request: Request[AlterUserScramCredentialsRequest], services: Services
) -> Promise[AlterUserScramCredentialsResponse] | InSteps[Encoded]:
    """What the active controller answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS

    def ask(
        one: AlterUserScramCredentialsRequest,
    ) -> Promise[AlterUserScramCredentialsResponse]:
        return services.ask_controller(AlterUserScramCredentials(one), deadline_ms=deadline)

    return asked(request, ask)


def asked(
    request: Request[AlterUserScramCredentialsRequest],
    ask: Ask[AlterUserScramCredentialsRequest, AlterUserScramCredentialsResponse],
) -> Promise[AlterUserScramCredentialsResponse] | InSteps[Encoded]:
    """The answer; ``ask`` puts a request, or a part of it, to the active controller."""
    message = request.message
    if len(message.deletions) + len(message.upsertions) <= ROWS_PER_COMMAND:
        return ask(message)
    return InSteps(_steps(request, ask))


def _steps(
    request: Request[AlterUserScramCredentialsRequest],
    ask: Ask[AlterUserScramCredentialsRequest, AlterUserScramCredentialsResponse],
) -> Steps[Encoded]:
    parts = scram.divided(request.message, ROWS_PER_COMMAND)
    answer = RowsApart(
        *(alter_user_scram_credentials_response, AlterUserScramCredentialsResponse(), "results"),
        *(request.version, _FLEXIBLE_FROM),
    )
    return (yield from answered_in_parts(parts, ask, _refused, answer))


def refusal(
    request: Request[AlterUserScramCredentialsRequest], code: int, reason: str | None
) -> AlterUserScramCredentialsResponse:
    """The code for each user, once."""
    return _refused(request.message, code, reason)


def _refused(
    message: AlterUserScramCredentialsRequest, code: int, reason: str | None
) -> AlterUserScramCredentialsResponse:
    names = [one.name for one in message.deletions] + [one.name for one in message.upsertions]
    users = dict.fromkeys(names)
    return AlterUserScramCredentialsResponse(
        results=[AlterUserScramCredentialsResult(user, code, reason) for user in users]
    )
