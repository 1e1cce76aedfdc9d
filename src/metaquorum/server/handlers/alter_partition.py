"""AlterPartition (56): the leader of a partition tells of a changed ISR (KIP-497).

Behaviour
- On controller listeners only; the active controller answers when the change is committed. A broker
  that registered anew, or not at all, is STALE_BROKER_EPOCH and gets no rows.
- Each partition has its own result, with the state that it has now. A row with an error has zeros
  and no ISR, as in Kafka. What is there already is answered without a record.
- Errors come in Kafka's order: UNKNOWN_TOPIC_ID, UNKNOWN_TOPIC_OR_PARTITION; NOT_CONTROLLER where
  the broker knows of a later epoch than we do; FENCED_LEADER_EPOCH; INVALID_REQUEST from who does
  not lead; INVALID_UPDATE_VERSION; INVALID_REQUEST for an ISR that cannot be; INELIGIBLE_REPLICA
  for a member that is fenced, shuts down, or registered anew (KIP-841, KIP-903).
- An ISR that ends a reassignment may take the leadership from the broker that asks: it is written,
  and answered NEW_LEADER_ELECTED.
- More than ISRS_PER_TURN partitions are written in turns (docs/decisions/233).

Version notes
- 2 has topic ids. 3 has the epochs of replicas; before it they are not compared.
"""

from __future__ import annotations

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import AlterPartition
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.alter_partition_request import AlterPartitionRequest
from metaquorum.wire.generated.alter_partition_response import AlterPartitionResponse


def handle(
    request: Request[AlterPartitionRequest], services: Services
) -> Promise[AlterPartitionResponse]:
    """What the active controller answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    return services.ask_controller(
        AlterPartition(request.message, request.version), deadline_ms=deadline
    )


def refusal(
    request: Request[AlterPartitionRequest], code: int, reason: str | None
) -> AlterPartitionResponse:
    """The code for the whole request."""
    return AlterPartitionResponse(error_code=code)
