"""AllocateProducerIds (67): a broker gets a block of producer ids to hand out (KIP-730).

Behaviour
- On controller listeners only. The active controller writes and answers; any other node says
  NOT_CONTROLLER.
- A broker that is not registered, or asks with another epoch, is STALE_BROKER_EPOCH.

Version notes
- There is version 0 only.
"""

from __future__ import annotations

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import AllocateProducerIds
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.allocate_producer_ids_request import AllocateProducerIdsRequest
from metaquorum.wire.generated.allocate_producer_ids_response import AllocateProducerIdsResponse


def handle(
    request: Request[AllocateProducerIdsRequest], services: Services
) -> Promise[AllocateProducerIdsResponse]:
    """What the active controller answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    return services.ask_controller(AllocateProducerIds(request.message), deadline_ms=deadline)


def refusal(
    request: Request[AllocateProducerIdsRequest], code: int, reason: str | None
) -> AllocateProducerIdsResponse:
    """The code for the whole request."""
    return AllocateProducerIdsResponse(error_code=code)
