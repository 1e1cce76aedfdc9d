"""CreateAcls (30): add access rules; answered when they are committed.

Behaviour
- SECURITY_DISABLED for each rule where no authoriser is configured.
- The active controller validates, writes and answers; other nodes hand the request on to it. Each
  rule has its own verdict; a good one has an empty message, not a null one, as in Kafka.
- Many rules are asked of the controller in parts, each answered with what came of its part.
  POLICY_VIOLATION for more than MAX_RECORDS_PER_BATCH, as in Kafka.
- A refusal is the code for each rule.

Version notes
- 1 brings pattern types; in 0 every name is literal.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import ADMIN_REQUEST_MS, MAX_RECORDS_PER_BATCH, ROWS_PER_COMMAND
from metaquorum.controller.commands import CreateAcls
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.acls import check_guarded
from metaquorum.server.contract.parts import Ask, answered_in_parts, in_groups
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.server.contract.steps import Encoded, InSteps, RowsApart, Steps
from metaquorum.wire.generated import create_acls_response, error_codes
from metaquorum.wire.generated.create_acls_request import CreateAclsRequest
from metaquorum.wire.generated.create_acls_response import AclCreationResult, CreateAclsResponse

_FLEXIBLE_FROM: Final = 2


def handle(
    request: Request[CreateAclsRequest], services: Services
) -> Promise[CreateAclsResponse] | InSteps[Encoded]:
    """What the active controller answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS

    def ask(one: CreateAclsRequest) -> Promise[CreateAclsResponse]:
        ids = tuple(services.new_uuid() for _ in one.creations)
        return services.ask_controller(CreateAcls(one, ids), deadline_ms=deadline)

    check_guarded(request)
    return asked(request, ask)


def asked(
    request: Request[CreateAclsRequest], ask: Ask[CreateAclsRequest, CreateAclsResponse]
) -> Promise[CreateAclsResponse] | InSteps[Encoded]:
    """The answer; ``ask`` puts a request, or a part of it, to the active controller."""
    count = len(request.message.creations)
    if count > MAX_RECORDS_PER_BATCH:
        raise RequestError(
            error_codes.POLICY_VIOLATION, f"{count} rules, at most {MAX_RECORDS_PER_BATCH} at once"
        )
    if count <= ROWS_PER_COMMAND:
        return ask(request.message)
    return InSteps(_steps(request, ask))


def _steps(
    request: Request[CreateAclsRequest], ask: Ask[CreateAclsRequest, CreateAclsResponse]
) -> Steps[Encoded]:
    groups = in_groups(request.message.creations, ROWS_PER_COMMAND)
    parts = [CreateAclsRequest(some) for some in groups]
    answer = RowsApart(
        *(create_acls_response, CreateAclsResponse(), "results"),
        *(request.version, _FLEXIBLE_FROM),
    )
    return (yield from answered_in_parts(parts, ask, _refused, answer))


def refusal(
    request: Request[CreateAclsRequest], code: int, reason: str | None
) -> CreateAclsResponse:
    """The code for each rule."""
    return _refused(request.message, code, reason)


def _refused(message: CreateAclsRequest, code: int, reason: str | None) -> CreateAclsResponse:
    rows = [AclCreationResult(code, reason) for _ in message.creations]
    return CreateAclsResponse(results=rows)
