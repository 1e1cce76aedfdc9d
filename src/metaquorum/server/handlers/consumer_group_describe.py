"""ConsumerGroupDescribe (69): no group exists.

Behaviour
- GROUP_ID_NOT_FOUND for each name, on which Kafka's tools go on to DescribeGroups.
- Without DESCRIBE on the group: GROUP_AUTHORIZATION_FAILED.

Version notes
- 0 and 1 mean the same here.
"""

from __future__ import annotations

from metaquorum.metadata.acl_codes import Operation
from metaquorum.server import groups
from metaquorum.server.house import House
from metaquorum.server.request import Request
from metaquorum.wire.generated.consumer_group_describe_request import ConsumerGroupDescribeRequest
from metaquorum.wire.generated.consumer_group_describe_response import (
    ConsumerGroupDescribeResponse,
    DescribedGroup,
)


def handle(
    request: Request[ConsumerGroupDescribeRequest], house: House
) -> ConsumerGroupDescribeResponse:
    """None of them is there."""
    return ConsumerGroupDescribeResponse(
        groups=[
            DescribedGroup(groups.NO_SUCH_GROUP, f"group {name} does not exist", name)
            if groups.may(request, Operation.DESCRIBE, name)
            else DescribedGroup(groups.REFUSED, None, name)
            for name in request.message.group_ids
        ]
    )


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
