"""JoinGroup (11): into a group, when the round of joining is complete.

Behaviour
- The coordinator answers, at the end of the round; see ``groups.joins``.
- Without groups: GROUP_AUTHORIZATION_FAILED, whatever the member id, so that a subscriber gets it
  and does not wait for ever; see ``server.groups``. There is no round of MEMBER_ID_REQUIRED before.

Version notes
- 7+: the protocol name is null in an error, before that empty.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.clock import NEVER
from metaquorum.groups.commands import JoinGroup
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract import groups
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.join_group_request import JoinGroupRequest
from metaquorum.wire.generated.join_group_response import JoinGroupResponse

_NULL_NAME_FROM: Final = 7


def handle(
    request: Request[JoinGroupRequest], services: Services
) -> JoinGroupResponse | Promise[JoinGroupResponse]:
    """What the coordinator says."""
    if services.groups is not None:
        client_id, client_host = groups.client_of(request)
        command = JoinGroup(request.message, request.version, client_id, client_host)
        # The round may take minutes, and its members' metadata is the group's: see groups.memory.
        request.message = JoinGroupRequest(member_id=request.message.member_id)
        return services.groups.ask(command, deadline_ms=NEVER)
    return refusal(request, groups.REFUSED, None)


def refusal(request: Request[JoinGroupRequest], code: int, reason: str | None) -> JoinGroupResponse:
    """An error, no generation and no members."""
    return JoinGroupResponse(
        error_code=code,
        protocol_name=None if request.version >= _NULL_NAME_FROM else "",
        member_id=request.message.member_id,
    )
