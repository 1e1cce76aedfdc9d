"""BeginQuorumEpoch (53): a new leader announces itself.

Behaviour
- Offered on controller listeners only, and only if this node's quorum serves it; the quorum
  answers, this module hands the question on.
- A refusal is the code for the whole request, which is where replicas look first.

Version notes
- 1 brings directory ids and the leader's endpoints (KIP-853).
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.begin_quorum_epoch_request import BeginQuorumEpochRequest
from metaquorum.wire.generated.begin_quorum_epoch_response import BeginQuorumEpochResponse

KEY: Final = 53


def handle(
    request: Request[BeginQuorumEpochRequest], services: Services
) -> Promise[BeginQuorumEpochResponse]:
    """What the quorum answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    source = request.origin.peer
    return services.ask_quorum(
        KEY, request.version, request.message, deadline_ms=deadline, source=source
    )


def refusal(
    request: Request[BeginQuorumEpochRequest], code: int, reason: str | None
) -> BeginQuorumEpochResponse:
    """The code for the whole request."""
    return BeginQuorumEpochResponse(error_code=code)
