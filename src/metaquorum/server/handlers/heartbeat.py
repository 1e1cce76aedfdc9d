"""Heartbeat (12): no group has a member that could be alive.

Behaviour
- UNKNOWN_MEMBER_ID: the client forgets its member id and hears the refusal of JoinGroup.

Version notes
- All versions mean the same here.
"""

from __future__ import annotations

from metaquorum.server import groups
from metaquorum.server.house import House
from metaquorum.server.request import Request
from metaquorum.wire.generated.heartbeat_request import HeartbeatRequest
from metaquorum.wire.generated.heartbeat_response import HeartbeatResponse


def handle(request: Request[HeartbeatRequest], house: House) -> HeartbeatResponse:
    """Nobody is a member."""
    return refusal(request, groups.NO_SUCH_MEMBER, None)


def refusal(request: Request[HeartbeatRequest], code: int, reason: str | None) -> HeartbeatResponse:
    """An error and nothing else."""
    return HeartbeatResponse(error_code=code)
