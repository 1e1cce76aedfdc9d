"""ConsumerGroupHeartbeat (68): the subscribers of KIP-848 are refused as JoinGroup refuses others.

Behaviour
- GROUP_AUTHORIZATION_FAILED with a sentence; Java and librdkafka take it for fatal and say so.

Version notes
- librdkafka speaks 1 only, previews of Java 4.0 only 0: both are served.
"""

from __future__ import annotations

from metaquorum.server import groups
from metaquorum.server.house import House
from metaquorum.server.request import Request
from metaquorum.wire.generated.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)
from metaquorum.wire.generated.consumer_group_heartbeat_response import (
    ConsumerGroupHeartbeatResponse,
)


def handle(
    request: Request[ConsumerGroupHeartbeatRequest], house: House
) -> ConsumerGroupHeartbeatResponse:
    """No."""
    return refusal(request, groups.REFUSED, groups.REFUSED_WHY)


def refusal(
    request: Request[ConsumerGroupHeartbeatRequest], code: int, reason: str | None
) -> ConsumerGroupHeartbeatResponse:
    """An error, no epoch and no assignment."""
    return ConsumerGroupHeartbeatResponse(error_code=code, error_message=reason)
