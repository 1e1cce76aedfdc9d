"""ElectLeaders (43): an administrator asks for preferred or unclean leaders (KIP-460).

Behaviour
- The active controller writes and answers; other nodes hand the request on to it.
- Each partition has its own result: UNKNOWN_TOPIC_OR_PARTITION, ELECTION_NOT_NEEDED,
  PREFERRED_LEADER_NOT_AVAILABLE, or ELIGIBLE_LEADERS_NOT_AVAILABLE for an unclean election.
- Null asks for all partitions; those that need no election are left out, their topics stay.
- An unknown type is INVALID_REQUEST, for the request and for each partition.

Version notes
- 0 has preferred elections only, and no error of the whole request: a refusal is the code for each
  partition, which is where clients look in all versions.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import ElectLeaders
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.elect_leaders_request import ElectLeadersRequest
from metaquorum.wire.generated.elect_leaders_response import (
    ElectLeadersResponse,
    PartitionResult,
    ReplicaElectionResult,
)

_TOP_LEVEL_FROM: Final = 1


def handle(
    request: Request[ElectLeadersRequest], services: Services
) -> Promise[ElectLeadersResponse]:
    """What the active controller answers."""
    deadline = request.received_at_ms + min(max(request.message.timeout_ms, 0), ADMIN_REQUEST_MS)
    return services.ask_controller(
        ElectLeaders(request.message, request.version), deadline_ms=deadline
    )


def refusal(
    request: Request[ElectLeadersRequest], code: int, reason: str | None
) -> ElectLeadersResponse:
    """The code for the whole request and for each partition that it names."""
    return ElectLeadersResponse(
        error_code=code if request.version >= _TOP_LEVEL_FROM else 0,
        replica_election_results=[
            ReplicaElectionResult(
                one.topic, [PartitionResult(number, code, reason) for number in one.partitions]
            )
            for one in request.message.topic_partitions or ()
        ],
    )
