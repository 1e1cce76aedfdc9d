"""ListPartitionReassignments (46): the moves of partitions that are under way (KIP-455).

Behaviour
- The active controller answers; other nodes hand the request on to it.
- Null asks for all. Only partitions that are being moved are listed, and topics that have some;
  replicas include those that are added and removed.

Version notes
- There is version 0 only.
"""

from __future__ import annotations

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import ListPartitionReassignments
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.list_partition_reassignments_request import (
    ListPartitionReassignmentsRequest,
)
from metaquorum.wire.generated.list_partition_reassignments_response import (
    ListPartitionReassignmentsResponse,
    OngoingPartitionReassignment,
    OngoingTopicReassignment,
)


def handle(
    request: Request[ListPartitionReassignmentsRequest], services: Services
) -> Promise[ListPartitionReassignmentsResponse]:
    """What the active controller answers."""
    deadline = request.received_at_ms + min(max(request.message.timeout_ms, 0), ADMIN_REQUEST_MS)
    return services.ask_controller(
        ListPartitionReassignments(request.message), deadline_ms=deadline
    )


def refusal(
    request: Request[ListPartitionReassignmentsRequest], code: int, reason: str | None
) -> ListPartitionReassignmentsResponse:
    """The code, and each partition that the request names, without a move."""
    rows = [
        OngoingTopicReassignment(
            one.name, [OngoingPartitionReassignment(number) for number in one.partition_indexes]
        )
        for one in request.message.topics or ()
    ]
    return ListPartitionReassignmentsResponse(error_code=code, error_message=reason, topics=rows)
