"""AlterClientQuotas (49): set and remove quotas; answered when the change is committed.

Behaviour
- The active controller validates, writes and answers; on any other node every entry gets
  NOT_CONTROLLER, and clients look for the controller anew.
- The changes of one entity are made together. A request of many entities is asked of the
  controller in parts, and each entity is answered with what came of its part.
- A refusal is the code for each entry, with its entity, which is where clients look.

Version notes
- 0 and 1 mean the same; 1 is flexible.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.limits import ADMIN_REQUEST_MS, ROWS_PER_COMMAND
from metaquorum.controller.commands import AlterClientQuotas
from metaquorum.controller.managers import quotas
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.parts import Ask, answered_in_parts
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.server.contract.steps import Encoded, InSteps, RowsApart, Steps
from metaquorum.wire.generated import alter_client_quotas_response
from metaquorum.wire.generated.alter_client_quotas_request import AlterClientQuotasRequest
from metaquorum.wire.generated.alter_client_quotas_response import (
    AlterClientQuotasResponse,
    EntityData,
    EntryData,
)

_FLEXIBLE_FROM: Final = 1


def handle(
    request: Request[AlterClientQuotasRequest], services: Services
) -> Promise[AlterClientQuotasResponse] | InSteps[Encoded]:
    """What the active controller answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    return asked(
        request, lambda one: services.ask_controller(AlterClientQuotas(one), deadline_ms=deadline)
    )


def asked(
    request: Request[AlterClientQuotasRequest],
    ask: Ask[AlterClientQuotasRequest, AlterClientQuotasResponse],
) -> Promise[AlterClientQuotasResponse] | InSteps[Encoded]:
    """The answer; ``ask`` puts a request, or a part of it, to the active controller."""
    if len(request.message.entries) <= ROWS_PER_COMMAND:
        return ask(request.message)
    return InSteps(_steps(request, ask))


def _steps(
    request: Request[AlterClientQuotasRequest],
    ask: Ask[AlterClientQuotasRequest, AlterClientQuotasResponse],
) -> Steps[Encoded]:
    message = request.message
    entries = yield from quotas.divided(message.entries, ROWS_PER_COMMAND)
    parts = [AlterClientQuotasRequest(some, message.validate_only) for some in entries]
    answer = RowsApart(
        *(alter_client_quotas_response, AlterClientQuotasResponse(), "entries"),
        *(request.version, _FLEXIBLE_FROM),
    )
    return (yield from answered_in_parts(parts, ask, _refused, answer))


def refusal(
    request: Request[AlterClientQuotasRequest], code: int, reason: str | None
) -> AlterClientQuotasResponse:
    """The code for each entry."""
    return _refused(request.message, code, reason)


def _refused(
    message: AlterClientQuotasRequest, code: int, reason: str | None
) -> AlterClientQuotasResponse:
    return AlterClientQuotasResponse(
        entries=[
            EntryData(
                code,
                reason,
                [EntityData(one.entity_type, one.entity_name) for one in entry.entity],
            )
            for entry in message.entries
        ]
    )
