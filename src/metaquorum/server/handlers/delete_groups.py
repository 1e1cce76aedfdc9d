"""DeleteGroups (42): groups without members are forgotten with all their offsets.

Behaviour
- NON_EMPTY_GROUP for one with members; GROUP_ID_NOT_FOUND for one that does not exist, which is
  every one without groups.
- Without DELETE on the group: GROUP_AUTHORIZATION_FAILED.

Version notes
- 3 has a message, which is null here.
"""

from __future__ import annotations

from metaquorum.groups.commands import DeleteGroups
from metaquorum.metadata.acl_codes import Operation
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract import groups
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.delete_groups_request import DeleteGroupsRequest
from metaquorum.wire.generated.delete_groups_response import (
    DeletableGroupResult,
    DeleteGroupsResponse,
)


def handle(
    request: Request[DeleteGroupsRequest], services: Services
) -> DeleteGroupsResponse | Promise[DeleteGroupsResponse]:
    """A row for each name."""
    if services.groups is not None:
        names = list(dict.fromkeys(request.message.groups_names))
        may = {name: groups.may(request, Operation.DELETE, name) for name in names}
        allowed = [name for name in names if may[name]]
        refused = [DeletableGroupResult(name, groups.REFUSED) for name in names if not may[name]]
        command = DeleteGroups(tuple(allowed))
        rows_promised = services.groups.ask(command, deadline_ms=groups.deadline_of(request))
        return rows_promised.map(lambda rows: DeleteGroupsResponse(results=[*refused, *rows]))
    return DeleteGroupsResponse(
        results=[
            DeletableGroupResult(
                group_id=name,
                error_code=groups.NO_SUCH_GROUP
                if groups.may(request, Operation.DELETE, name)
                else groups.REFUSED,
            )
            for name in request.message.groups_names
        ]
    )


def refusal(
    request: Request[DeleteGroupsRequest], code: int, reason: str | None
) -> DeleteGroupsResponse:
    """The code for each group."""
    return DeleteGroupsResponse(
        results=[
            DeletableGroupResult(group_id=name, error_code=code)
            for name in request.message.groups_names
        ]
    )
