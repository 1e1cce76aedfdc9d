"""UpdateRaftVoter (82): a voter listens elsewhere, or can do more (KIP-853).

Behaviour
- On controller listeners only. The leader writes down what the voter sent and answers at once;
  every answer names the leader.
- Under kraft.version 0 it is kept in memory, for the upgrade to 1.

Version notes
- There is version 0 only.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.update_raft_voter_request import UpdateRaftVoterRequest
from metaquorum.wire.generated.update_raft_voter_response import UpdateRaftVoterResponse

KEY: Final = 82


def handle(
    request: Request[UpdateRaftVoterRequest], services: Services
) -> Promise[UpdateRaftVoterResponse]:
    """What the quorum answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    source = request.origin.peer
    return services.ask_quorum(
        KEY, request.version, request.message, deadline_ms=deadline, source=source
    )


def refusal(
    request: Request[UpdateRaftVoterRequest], code: int, reason: str | None
) -> UpdateRaftVoterResponse:
    """The code for the whole request."""
    return UpdateRaftVoterResponse(error_code=code)
