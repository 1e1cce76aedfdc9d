"""ListGroups (16): which groups there are, of those that the client may know of.

Behaviour
- DESCRIBE on the cluster shows all of them, else those with DESCRIBE on the group.
- Asked of the coordinator in steps: a group that comes or goes meanwhile may be listed or not.
- Without groups: an empty list, without an error, which is the truth.

Version notes
- 4 and 5 filter by state and by type; the filters of a version that has none are empty.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.limits import ROWS_PER_COMMAND
from metaquorum.groups.commands import ListGroupNames, ListGroups
from metaquorum.metadata.acl_codes import CLUSTER_NAME, Operation, ResourceType
from metaquorum.server.contract import groups
from metaquorum.server.contract.parts import in_groups
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import GroupPort, Services
from metaquorum.server.contract.steps import Encoded, InSteps, RowsApart, Steps
from metaquorum.wire.generated import list_groups_response
from metaquorum.wire.generated.list_groups_request import ListGroupsRequest
from metaquorum.wire.generated.list_groups_response import ListedGroup, ListGroupsResponse

_FLEXIBLE_FROM: Final = 3


def handle(
    request: Request[ListGroupsRequest], services: Services
) -> ListGroupsResponse | InSteps[Encoded]:
    """What the coordinator says."""
    if services.groups is None:
        return ListGroupsResponse()
    return InSteps(_steps(request, services.groups))


def _steps(request: Request[ListGroupsRequest], port: GroupPort) -> Steps[Encoded]:
    deadline, asked = groups.deadline_of(request), request.message
    names = port.ask(ListGroupNames(), deadline_ms=deadline)
    yield names
    answer = RowsApart(
        *(list_groups_response, ListGroupsResponse(), "groups"),
        *(request.version, _FLEXIBLE_FROM),
    )
    shows_all = request.rights.may(
        Operation.DESCRIBE, ResourceType.CLUSTER, CLUSTER_NAME, noted=False
    )
    for some in in_groups(names.result(), ROWS_PER_COMMAND):
        command = ListGroups(some, asked.states_filter, asked.types_filter)
        groups_promised = port.ask(command, deadline_ms=deadline)
        yield groups_promised
        rows = [one for one in groups_promised.result() if shows_all or _may_show(request, one)]
        yield from answer.add_some(rows)
        yield None
    return answer.done()


def _may_show(request: Request[ListGroupsRequest], one: ListedGroup) -> bool:
    return request.rights.may(Operation.DESCRIBE, ResourceType.GROUP, one.group_id, noted=False)


def refusal(
    request: Request[ListGroupsRequest], code: int, reason: str | None
) -> ListGroupsResponse:
    """An error and no groups."""
    return ListGroupsResponse(error_code=code)
