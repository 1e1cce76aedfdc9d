"""AssignReplicasToDirs (73): a broker tells which log directory holds which replica (KIP-858).

Behaviour
- On controller listeners only; the active controller answers when it is committed.
  UNSUPPORTED_VERSION before metadata.version 3.7-IV2, STALE_BROKER_EPOCH for a broker that
  registered anew.
- Each replica has its own result: UNKNOWN_TOPIC_ID, UNKNOWN_TOPIC_OR_PARTITION, or
  NOT_LEADER_OR_FOLLOWER where the broker has no replica.
- A directory that the broker has not registered counts as offline: it is written, and the replica
  leaves the ISR. Kafka writes two records for that, here it is one.

Version notes
- There is version 0 only.
"""

from __future__ import annotations

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import AssignReplicasToDirs
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.assign_replicas_to_dirs_request import AssignReplicasToDirsRequest
from metaquorum.wire.generated.assign_replicas_to_dirs_response import AssignReplicasToDirsResponse


def handle(
    request: Request[AssignReplicasToDirsRequest], services: Services
) -> Promise[AssignReplicasToDirsResponse]:
    """What the active controller answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    return services.ask_controller(AssignReplicasToDirs(request.message), deadline_ms=deadline)


def refusal(
    request: Request[AssignReplicasToDirsRequest], code: int, reason: str | None
) -> AssignReplicasToDirsResponse:
    """The code for the whole request."""
    return AssignReplicasToDirsResponse(error_code=code)
