"""DescribeGroups (15): classic groups, their members, and what those were assigned.

Behaviour
- The coordinator tells; groups of KIP-848 are not found here.
- Without groups, as Kafka tells of a group that it does not have: a dead group without an error,
  and from version 6 on GROUP_ID_NOT_FOUND.
- Without DESCRIBE on the group: GROUP_AUTHORIZATION_FAILED.

Version notes
- 6 has a message, and the error.
"""

from __future__ import annotations

from typing import Final

from metaquorum.groups.commands import DescribeGroups
from metaquorum.metadata.acl_codes import Operation
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract import groups
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.describe_groups_request import DescribeGroupsRequest
from metaquorum.wire.generated.describe_groups_response import (
    DescribedGroup,
    DescribeGroupsResponse,
)

DEAD: Final = "Dead"
_NOT_FOUND_FROM: Final = 6


def handle(
    request: Request[DescribeGroupsRequest], services: Services
) -> DescribeGroupsResponse | Promise[DescribeGroupsResponse]:
    """A row for each name."""
    if services.groups is not None:
        names = list(dict.fromkeys(request.message.groups))
        may = {name: groups.may(request, Operation.DESCRIBE, name) for name in names}
        allowed = [name for name in names if may[name]]
        refused = [_described(name, groups.REFUSED, None) for name in names if not may[name]]
        command = DescribeGroups(allowed, request.version)
        rows_promised = services.groups.ask(command, deadline_ms=groups.deadline_of(request))
        return rows_promised.map(lambda rows: _shown(request, [*refused, *rows]))
    return DescribeGroupsResponse(groups=[_refused(request, one) for one in request.message.groups])


def _shown(
    request: Request[DescribeGroupsRequest], rows: list[DescribedGroup]
) -> DescribeGroupsResponse:
    if request.message.include_authorized_operations:
        for row in rows:
            if row.error_code == error_codes.NONE:
                row.authorized_operations = groups.operations(request, row.group_id)
    return DescribeGroupsResponse(groups=rows)


def refusal(
    request: Request[DescribeGroupsRequest], code: int, reason: str | None
) -> DescribeGroupsResponse:
    """The code for each group."""
    message = reason if request.version >= _NOT_FOUND_FROM else None
    return DescribeGroupsResponse(
        groups=[_described(name, code, message) for name in request.message.groups]
    )


def _refused(request: Request[DescribeGroupsRequest], name: str) -> DescribedGroup:
    if not groups.may(request, Operation.DESCRIBE, name):
        return _described(name, groups.REFUSED, None)
    if request.version >= _NOT_FOUND_FROM:
        return _described(name, groups.NO_SUCH_GROUP, f"group {name} does not exist")
    return _described(name, error_codes.NONE, None)


def _described(name: str, code: int, message: str | None) -> DescribedGroup:
    state = DEAD if code in (error_codes.NONE, groups.NO_SUCH_GROUP) else ""
    return DescribedGroup(error_code=code, error_message=message, group_id=name, group_state=state)
