"""ConsumerGroupDescribe (69): groups of KIP-848, what their members have and are to have.

Behaviour
- A group with a member of which the client may not know a topic: TOPIC_AUTHORIZATION_FAILED.
- GROUP_ID_NOT_FOUND for classic groups, and without groups for each name, on which Kafka's tools
  go on to DescribeGroups.
- Without DESCRIBE on the group: GROUP_AUTHORIZATION_FAILED.

Version notes
- 0 and 1 mean the same here.
"""

from __future__ import annotations

from metaquorum.groups.commands import DescribeConsumerGroups
from metaquorum.metadata.acl_codes import Operation
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract import groups
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.consumer_group_describe_request import ConsumerGroupDescribeRequest
from metaquorum.wire.generated.consumer_group_describe_response import (
    ConsumerGroupDescribeResponse,
    DescribedGroup,
)


def handle(
    request: Request[ConsumerGroupDescribeRequest], services: Services
) -> ConsumerGroupDescribeResponse | Promise[ConsumerGroupDescribeResponse]:
    """A row for each name."""
    if services.groups is not None:
        names = list(dict.fromkeys(request.message.group_ids))
        may = {name: groups.may(request, Operation.DESCRIBE, name) for name in names}
        allowed = [name for name in names if may[name]]
        refused = [DescribedGroup(groups.REFUSED, None, name) for name in names if not may[name]]
        command = DescribeConsumerGroups(allowed)
        rows_promised = services.groups.ask(command, deadline_ms=groups.deadline_of(request))
        return rows_promised.map(lambda rows: _shown(request, [*refused, *rows]))
    return ConsumerGroupDescribeResponse(
        groups=[
            DescribedGroup(groups.NO_SUCH_GROUP, f"group {name} does not exist", name)
            if groups.may(request, Operation.DESCRIBE, name)
            else DescribedGroup(groups.REFUSED, None, name)
            for name in request.message.group_ids
        ]
    )


def _shown(
    request: Request[ConsumerGroupDescribeRequest], rows: list[DescribedGroup]
) -> ConsumerGroupDescribeResponse:
    shown = []
    for row in rows:
        topics = dict.fromkeys(
            name for member in row.members for name in member.subscribed_topic_names
        )
        if not all(groups.may_topic(request, Operation.DESCRIBE, name) for name in topics):
            code = error_codes.TOPIC_AUTHORIZATION_FAILED
            shown.append(DescribedGroup(code, None, row.group_id))
            continue
        if request.message.include_authorized_operations and not row.error_code:
            row.authorized_operations = groups.operations(request, row.group_id)
        shown.append(row)
    return ConsumerGroupDescribeResponse(groups=shown)


def refusal(
    request: Request[ConsumerGroupDescribeRequest], code: int, reason: str | None
) -> ConsumerGroupDescribeResponse:
    """The code for each group."""
    return ConsumerGroupDescribeResponse(
        groups=[
            DescribedGroup(error_code=code, error_message=reason, group_id=name)
            for name in request.message.group_ids
        ]
    )
