"""Vote (52): a candidate asks for a vote.

Behaviour
- Offered on controller listeners only, and only if this node's quorum serves it; the quorum
  answers, this module hands the question on.
- A refusal is the code for the whole request, which is where replicas look first.

Version notes
- 0 knows no directory ids, 2 brings pre-votes (KIP-996).
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.vote_request import VoteRequest
from metaquorum.wire.generated.vote_response import VoteResponse

KEY: Final = 52


def handle(request: Request[VoteRequest], services: Services) -> Promise[VoteResponse]:
    """What the quorum answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    source = request.origin.peer
    return services.ask_quorum(
        KEY, request.version, request.message, deadline_ms=deadline, source=source
    )


def refusal(request: Request[VoteRequest], code: int, reason: str | None) -> VoteResponse:
    """The code for the whole request."""
    return VoteResponse(error_code=code)
