"""UnregisterBroker (64): the cluster forgets a broker that is gone (KIP-631).

Behaviour
- The active controller takes the broker out of the ISRs of its partitions and forgets it. It stays
  among their replicas, until they are reassigned.
- One that is not registered is BROKER_ID_NOT_REGISTERED. Whether the broker is alive is not asked,
  as in Kafka: the heartbeats of a live one are STALE_BROKER_EPOCH until it is restarted.

Version notes
- There is version 0 only.
"""

from __future__ import annotations

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import UnregisterBroker
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.unregister_broker_request import UnregisterBrokerRequest
from metaquorum.wire.generated.unregister_broker_response import UnregisterBrokerResponse


def handle(
    request: Request[UnregisterBrokerRequest], services: Services
) -> Promise[UnregisterBrokerResponse]:
    """What the active controller answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    return services.ask_controller(UnregisterBroker(request.message), deadline_ms=deadline)


def refusal(
    request: Request[UnregisterBrokerRequest], code: int, reason: str | None
) -> UnregisterBrokerResponse:
    """The code for the whole request."""
    return UnregisterBrokerResponse(error_code=code, error_message=reason)
