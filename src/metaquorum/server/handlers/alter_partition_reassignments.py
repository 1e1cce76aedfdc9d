"""AlterPartitionReassignments (45): partitions are moved between brokers (KIP-455, KIP-860).

Behaviour
- The active controller writes and answers; other nodes hand the request on to it. The answer says
  that the move began; it ends with an AlterPartition of the leader.
- Each partition has its own result: UNKNOWN_TOPIC_OR_PARTITION; INVALID_REPLICA_ASSIGNMENT for no
  replicas, for one twice, or for a broker that is not registered.
- Null replicas cancel: NO_REASSIGNMENT_IN_PROGRESS if there is nothing to. If none of the replicas
  from before is in sync, INVALID_REPLICA_ASSIGNMENT, unless the topic allows unclean elections.

Version notes
- 1 may forbid that the number of replicas changes: INVALID_REPLICATION_FACTOR.
"""

from __future__ import annotations

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import AlterPartitionReassignments
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
)
from metaquorum.wire.generated.alter_partition_reassignments_response import (
    AlterPartitionReassignmentsResponse,
    ReassignablePartitionResponse,
    ReassignableTopicResponse,
)


def handle(
    request: Request[AlterPartitionReassignmentsRequest], services: Services
) -> Promise[AlterPartitionReassignmentsResponse]:
    """What the active controller answers."""
    deadline = request.received_at_ms + min(max(request.message.timeout_ms, 0), ADMIN_REQUEST_MS)
    return services.ask_controller(
        AlterPartitionReassignments(request.message), deadline_ms=deadline
    )


def refusal(
    request: Request[AlterPartitionReassignmentsRequest], code: int, reason: str | None
) -> AlterPartitionReassignmentsResponse:
    """The code for the whole request and for each partition that it names."""
    rows = [
        ReassignableTopicResponse(
            topic.name,
            [
                ReassignablePartitionResponse(one.partition_index, code, reason)
                for one in topic.partitions
            ],
        )
        for topic in request.message.topics
    ]
    return AlterPartitionReassignmentsResponse(
        error_code=code, error_message=reason, responses=rows
    )
