"""LeaveGroup (13): no group has a member that could leave.

Behaviour
- UNKNOWN_MEMBER_ID, which clients on their way out take for a success.

Version notes
- 3+: several members at once; the error stands at each of them, as in Kafka.
"""

from __future__ import annotations

from typing import Final

from metaquorum.server import groups
from metaquorum.server.house import House
from metaquorum.server.request import Request
from metaquorum.wire.generated.leave_group_request import LeaveGroupRequest
from metaquorum.wire.generated.leave_group_response import LeaveGroupResponse, MemberResponse

_MANY_MEMBERS_FROM: Final = 3


def handle(request: Request[LeaveGroupRequest], house: House) -> LeaveGroupResponse:
    """Nobody is a member."""
    if request.version < _MANY_MEMBERS_FROM:
        return LeaveGroupResponse(error_code=groups.NO_SUCH_MEMBER)
    return LeaveGroupResponse(
        members=[
            MemberResponse(one.member_id, one.group_instance_id, groups.NO_SUCH_MEMBER)
            for one in request.message.members
        ]
    )


def refusal(
    request: Request[LeaveGroupRequest], code: int, reason: str | None
) -> LeaveGroupResponse:
    """The code for the whole request."""
    return LeaveGroupResponse(error_code=code)
