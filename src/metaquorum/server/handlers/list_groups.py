"""ListGroups (16): which groups there are, of those that whoever asks may know of.

Behaviour
- DESCRIBE on the cluster shows all of them, else those with DESCRIBE on the group.
- Without groups: an empty list, without an error, which is the truth.

Version notes
- 4 and 5 filter by state and by type; the filters of a version that has none are empty.
"""

from __future__ import annotations

from collections.abc import Sequence

from metaquorum.groups.commands import ListGroups
from metaquorum.metadata.acl_codes import CLUSTER_NAME, Operation, ResourceType
from metaquorum.runtime.later import Later
from metaquorum.server import groups
from metaquorum.server.house import House
from metaquorum.server.request import Request
from metaquorum.wire.generated.list_groups_request import ListGroupsRequest
from metaquorum.wire.generated.list_groups_response import ListedGroup, ListGroupsResponse


def handle(
    request: Request[ListGroupsRequest], house: House
) -> ListGroupsResponse | Later[ListGroupsResponse]:
    """What the coordinator says."""
    if house.groups is None:
        return ListGroupsResponse()
    command = ListGroups(request.message.states_filter, request.message.types_filter)
    told = house.groups.ask(command, deadline_ms=groups.deadline_of(request))
    return told.map(lambda rows: _shown(request, rows))


def _shown(request: Request[ListGroupsRequest], rows: Sequence[ListedGroup]) -> ListGroupsResponse:
    rights = request.rights
    if not rights.may(Operation.DESCRIBE, ResourceType.CLUSTER, CLUSTER_NAME, told=False):
        rows = [
            one
            for one in rows
            if rights.may(Operation.DESCRIBE, ResourceType.GROUP, one.group_id, told=False)
        ]
    return ListGroupsResponse(groups=rows)


def refusal(
    request: Request[ListGroupsRequest], code: int, reason: str | None
) -> ListGroupsResponse:
    """An error and no groups."""
    return ListGroupsResponse(error_code=code)
