"""ControllerRegistration (70): a controller tells the active one where it is reached (KIP-919).

Behaviour
- On controller listeners only. The active controller writes the registration and answers when it
  is committed; any other node says NOT_CONTROLLER, and who asks looks for the leader anew.
- A registration that says nothing of use is INVALID_REQUEST; Kafka writes it all the same, and no
  feature can be changed from then on. Before metadata.version 3.7-IV0: UNSUPPORTED_VERSION.
- Written once for each incarnation, that is for each start of a controller.

Version notes
- There is version 0 only.
"""

from __future__ import annotations

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import RegisterController
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.controller_registration_request import (
    ControllerRegistrationRequest,
)
from metaquorum.wire.generated.controller_registration_response import (
    ControllerRegistrationResponse,
)


def handle(
    request: Request[ControllerRegistrationRequest], services: Services
) -> Promise[ControllerRegistrationResponse]:
    """What the active controller answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    return services.ask_controller(RegisterController(request.message), deadline_ms=deadline)


def refusal(
    request: Request[ControllerRegistrationRequest], code: int, reason: str | None
) -> ControllerRegistrationResponse:
    """The code for the whole request."""
    return ControllerRegistrationResponse(error_code=code, error_message=reason)
