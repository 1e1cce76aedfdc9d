"""RemoveRaftVoter (81): a replica votes no more (KIP-853).

Behaviour
- The leader appends the smaller set of voters and answers when that is committed; a leader that
  removed itself resigns then. Id and directory must be a voter's, and not the last one's:
  VOTER_NOT_FOUND.
- On a client listener any node takes the request to the leader; on a controller listener any
  other node says NOT_LEADER_OR_FOLLOWER.

Version notes
- There is version 0 only.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.remove_raft_voter_request import RemoveRaftVoterRequest
from metaquorum.wire.generated.remove_raft_voter_response import RemoveRaftVoterResponse

KEY: Final = 81


def handle(
    request: Request[RemoveRaftVoterRequest], services: Services
) -> Promise[RemoveRaftVoterResponse]:
    """What the quorum answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    source = request.origin.peer
    return services.ask_quorum(
        KEY, request.version, request.message, deadline_ms=deadline, source=source
    )


def refusal(
    request: Request[RemoveRaftVoterRequest], code: int, reason: str | None
) -> RemoveRaftVoterResponse:
    """The code for the whole request."""
    return RemoveRaftVoterResponse(error_code=code, error_message=reason)
