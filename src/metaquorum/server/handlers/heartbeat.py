"""Heartbeat (12): a member is alive, and learns of a round of joining.

Behaviour
- The coordinator answers; see ``groups.classic``.
- Without groups: UNKNOWN_MEMBER_ID, so the client forgets its member id and gets the refusal of
  JoinGroup.

Version notes
- All versions mean the same here.
"""

from __future__ import annotations

from metaquorum.groups.commands import Heartbeat
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract import groups
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.heartbeat_request import HeartbeatRequest
from metaquorum.wire.generated.heartbeat_response import HeartbeatResponse


def handle(
    request: Request[HeartbeatRequest], services: Services
) -> HeartbeatResponse | Promise[HeartbeatResponse]:
    """What the coordinator says."""
    if services.groups is not None:
        command = Heartbeat(request.message)
        return services.groups.ask(command, deadline_ms=groups.deadline_of(request))
    return refusal(request, groups.NO_SUCH_MEMBER, None)


def refusal(request: Request[HeartbeatRequest], code: int, reason: str | None) -> HeartbeatResponse:
    """An error and nothing else."""
    return HeartbeatResponse(error_code=code)
