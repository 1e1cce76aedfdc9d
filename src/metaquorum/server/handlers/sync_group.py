"""SyncGroup (14): no group has a member that could get an assignment.

Behaviour
- UNKNOWN_MEMBER_ID: the client forgets its member id and hears the refusal of JoinGroup.

Version notes
- 5 adds the protocol to the answer; it is null in an error.
"""

from __future__ import annotations

from metaquorum.server import groups
from metaquorum.server.house import House
from metaquorum.server.request import Request
from metaquorum.wire.generated.sync_group_request import SyncGroupRequest
from metaquorum.wire.generated.sync_group_response import SyncGroupResponse


def handle(request: Request[SyncGroupRequest], house: House) -> SyncGroupResponse:
    """Nobody is a member."""
    return refusal(request, groups.NO_SUCH_MEMBER, None)


def refusal(request: Request[SyncGroupRequest], code: int, reason: str | None) -> SyncGroupResponse:
    """An error and nothing else."""
    return SyncGroupResponse(error_code=code)
