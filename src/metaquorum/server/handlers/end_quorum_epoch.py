"""EndQuorumEpoch (54): a leader gives up its epoch.

Behaviour
- Offered on controller listeners only, and only if this node's quorum serves it; the quorum
  answers, this module hands the question on.
- A refusal is the code for the whole request, which is where replicas look first.

Version notes
- 1 names successors with their directory ids (KIP-853).
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.end_quorum_epoch_request import EndQuorumEpochRequest
from metaquorum.wire.generated.end_quorum_epoch_response import EndQuorumEpochResponse

KEY: Final = 54


def handle(
    request: Request[EndQuorumEpochRequest], services: Services
) -> Promise[EndQuorumEpochResponse]:
    """What the quorum answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    source = request.origin.peer
    return services.ask_quorum(
        KEY, request.version, request.message, deadline_ms=deadline, source=source
    )


def refusal(
    request: Request[EndQuorumEpochRequest], code: int, reason: str | None
) -> EndQuorumEpochResponse:
    """The code for the whole request."""
    return EndQuorumEpochResponse(error_code=code)
