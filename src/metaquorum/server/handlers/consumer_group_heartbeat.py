"""ConsumerGroupHeartbeat (68): members of KIP-848 are alive, and get what is theirs.

Behaviour
- The coordinator answers; see ``groups.consumer``. It takes READ on the group, and DESCRIBE on
  every topic that is named: TOPIC_AUTHORIZATION_FAILED. A pattern matches what may be described.
- Without groups they are refused as JoinGroup refuses others: GROUP_AUTHORIZATION_FAILED with a
  sentence; Java and librdkafka take it for fatal and say so.

Version notes
- librdkafka speaks 1 only, previews of Java 4.0 only 0: both are served.
"""

from __future__ import annotations

from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.groups.commands import ConsumerHeartbeat
from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract import groups
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)
from metaquorum.wire.generated.consumer_group_heartbeat_response import (
    ConsumerGroupHeartbeatResponse,
)


def handle(
    request: Request[ConsumerGroupHeartbeatRequest], services: Services
) -> ConsumerGroupHeartbeatResponse | Promise[ConsumerGroupHeartbeatResponse]:
    """What the coordinator says."""
    if services.groups is not None:
        named = request.message.subscribed_topic_names or ()
        if not all(groups.may_topic(request, Operation.DESCRIBE, name) for name in named):
            return refusal(request, error_codes.TOPIC_AUTHORIZATION_FAILED, None)
        may_see = request.rights.may(
            Operation.DESCRIBE, ResourceType.TOPIC, METADATA_TOPIC, noted=False
        )
        visible = (METADATA_TOPIC,) if may_see else ()
        client_id, client_host = groups.client_of(request)
        command = ConsumerHeartbeat(
            request.message, request.version, client_id, client_host, visible
        )
        return services.groups.ask(command, deadline_ms=groups.deadline_of(request))
    return refusal(request, groups.REFUSED, groups.REFUSED_WHY)


def refusal(
    request: Request[ConsumerGroupHeartbeatRequest], code: int, reason: str | None
) -> ConsumerGroupHeartbeatResponse:
    """An error, no epoch and no assignment."""
    return ConsumerGroupHeartbeatResponse(error_code=code, error_message=reason)
