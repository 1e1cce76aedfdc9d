"""AddRaftVoter (80): a replica that has copied the log becomes a voter (KIP-853).

Behaviour
- The leader checks, asks the new voter for its versions, appends the new set of voters and answers
  when that is committed. On a client listener any node takes the request to the leader; on a
  controller listener any other node says NOT_LEADER_OR_FOLLOWER.
- REQUEST_TIMED_OUT means "ask again": another change is under way, or the replica is behind. What
  was appended is not taken back. The time-out in the request is not looked at, as in Kafka.

Version notes
- 1 (KIP-1186): the answer may be wished for before the commit, which a node that joins by itself
  needs: it has to go on copying for the commit to come about.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.add_raft_voter_request import AddRaftVoterRequest
from metaquorum.wire.generated.add_raft_voter_response import AddRaftVoterResponse

KEY: Final = 80


def handle(
    request: Request[AddRaftVoterRequest], services: Services
) -> Promise[AddRaftVoterResponse]:
    """What the quorum answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    source = request.origin.peer
    return services.ask_quorum(
        KEY, request.version, request.message, deadline_ms=deadline, source=source
    )


def refusal(
    request: Request[AddRaftVoterRequest], code: int, reason: str | None
) -> AddRaftVoterResponse:
    """The code for the whole request."""
    return AddRaftVoterResponse(error_code=code, error_message=reason)
