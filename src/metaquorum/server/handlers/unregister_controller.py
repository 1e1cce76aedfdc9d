"""UnregisterController (94): the cluster forgets a controller that is gone (KIP-1312).

Behaviour
- The active controller writes it, from metadata.version 4.4-IV2 on; UNSUPPORTED_VERSION before.
- Its own id is INVALID_REQUEST, one that is not registered CONTROLLER_ID_NOT_REGISTERED. Whether
  the controller is alive, or votes, is not asked, as in Kafka; a live one registers again.

Version notes
- There is version 0 only.
"""

from __future__ import annotations

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import UnregisterController
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.unregister_controller_request import UnregisterControllerRequest
from metaquorum.wire.generated.unregister_controller_response import UnregisterControllerResponse


def handle(
    request: Request[UnregisterControllerRequest], services: Services
) -> Promise[UnregisterControllerResponse]:
    """What the active controller answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    command = UnregisterController(request.message, services.node_id)
    return services.ask_controller(command, deadline_ms=deadline)


def refusal(
    request: Request[UnregisterControllerRequest], code: int, reason: str | None
) -> UnregisterControllerResponse:
    """The code for the whole request."""
    return UnregisterControllerResponse(error_code=code, error_message=reason)
