"""LeaveGroup (13): out of a group, at once.

Behaviour
- The coordinator answers; see ``groups.classic``.
- Without groups: UNKNOWN_MEMBER_ID, which clients on their way out take for a success.

Version notes
- 3+: several members at once; the error stands at each of them, as in Kafka.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from metaquorum.groups.commands import LeaveGroup
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract import groups
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.leave_group_request import LeaveGroupRequest, MemberIdentity
from metaquorum.wire.generated.leave_group_response import LeaveGroupResponse, MemberResponse

_MANY_MEMBERS_FROM: Final = 3


def handle(
    request: Request[LeaveGroupRequest], services: Services
) -> LeaveGroupResponse | Promise[LeaveGroupResponse]:
    """What the coordinator says."""
    if services.groups is not None:
        asked = request.message
        members: Sequence[MemberIdentity] = asked.members
        if request.version < _MANY_MEMBERS_FROM:
            members = [MemberIdentity(asked.member_id)]
        command = LeaveGroup(asked.group_id, members, request.version)
        return services.groups.ask(command, deadline_ms=groups.deadline_of(request))
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
