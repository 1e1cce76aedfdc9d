"""AlterClientQuotas (49): set and remove quotas; answered when the change is committed.

Behaviour
- The active controller validates, writes and answers; on any other node every entry gets
  NOT_CONTROLLER, and clients look for the controller anew.
- A refusal is the code for each entry, with its entity, which is where clients look.

Version notes
- 0 and 1 mean the same; 1 is flexible.
"""

from __future__ import annotations

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import AlterClientQuotas
from metaquorum.runtime.later import Later
from metaquorum.server.house import House
from metaquorum.server.request import Request
from metaquorum.wire.generated.alter_client_quotas_request import AlterClientQuotasRequest
from metaquorum.wire.generated.alter_client_quotas_response import (
    AlterClientQuotasResponse,
    EntityData,
    EntryData,
)


def handle(
    request: Request[AlterClientQuotasRequest], house: House
) -> Later[AlterClientQuotasResponse]:
    """What the active controller answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    return house.ask_controller(AlterClientQuotas(request.message), deadline_ms=deadline)


def refusal(
    request: Request[AlterClientQuotasRequest], code: int, reason: str | None
) -> AlterClientQuotasResponse:
    """The code for each entry."""
    return AlterClientQuotasResponse(
        entries=[
            EntryData(
                code,
                reason,
                [EntityData(one.entity_type, one.entity_name) for one in entry.entity],
            )
            for entry in request.message.entries
        ]
    )
