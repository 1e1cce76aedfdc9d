"""SyncGroup (14): the leader brings the assignment, everybody gets its own.

Behaviour
- The coordinator answers, once the leader's assignment is replicated; see ``groups.classic``.
- From version 5 on the protocol has to be named: INCONSISTENT_GROUP_PROTOCOL.
- Without groups: UNKNOWN_MEMBER_ID, so the client forgets its member id and gets the refusal of
  JoinGroup.

Version notes
- 5 adds the protocol to the answer; it is null in an error.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.clock import NEVER
from metaquorum.groups.commands import SyncGroup
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract import groups
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.sync_group_request import SyncGroupRequest
from metaquorum.wire.generated.sync_group_response import SyncGroupResponse

_PROTOCOL_FROM: Final = 5


def handle(
    request: Request[SyncGroupRequest], services: Services
) -> SyncGroupResponse | Promise[SyncGroupResponse]:
    """What the coordinator says."""
    if services.groups is not None:
        asked = request.message
        is_named = asked.protocol_type is not None and asked.protocol_name is not None
        if request.version >= _PROTOCOL_FROM and not is_named:
            return refusal(request, error_codes.INCONSISTENT_GROUP_PROTOCOL, None)
        request.message = SyncGroupRequest()  # the assignments are the group's from now on
        return services.groups.ask(SyncGroup(asked), deadline_ms=NEVER)
    return refusal(request, groups.NO_SUCH_MEMBER, None)


def refusal(request: Request[SyncGroupRequest], code: int, reason: str | None) -> SyncGroupResponse:
    """An error and nothing else."""
    return SyncGroupResponse(error_code=code)
