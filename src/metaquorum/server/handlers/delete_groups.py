"""DeleteGroups (42): no group exists.

Behaviour
- GROUP_ID_NOT_FOUND for each name.
- Without DELETE on the group: GROUP_AUTHORIZATION_FAILED.

Version notes
- 3 has a message, which is null here.
"""

from __future__ import annotations

from metaquorum.metadata.acl_codes import Operation
from metaquorum.server import groups
from metaquorum.server.house import House
from metaquorum.server.request import Request
from metaquorum.wire.generated.delete_groups_request import DeleteGroupsRequest
from metaquorum.wire.generated.delete_groups_response import (
    DeletableGroupResult,
    DeleteGroupsResponse,
)


def handle(request: Request[DeleteGroupsRequest], house: House) -> DeleteGroupsResponse:
    """None of them is there."""
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
