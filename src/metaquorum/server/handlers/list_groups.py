"""ListGroups (16): there are none.

Behaviour
- An empty list, without an error: that is the truth.

Version notes
- 4 and 5 filter by state and by type, which changes nothing about an empty list.
"""

from __future__ import annotations

from metaquorum.server.house import House
from metaquorum.server.request import Request
from metaquorum.wire.generated.list_groups_request import ListGroupsRequest
from metaquorum.wire.generated.list_groups_response import ListGroupsResponse


def handle(request: Request[ListGroupsRequest], house: House) -> ListGroupsResponse:
    """No groups."""
    return ListGroupsResponse()


def refusal(
    request: Request[ListGroupsRequest], code: int, reason: str | None
) -> ListGroupsResponse:
    """An error and no groups."""
    return ListGroupsResponse(error_code=code)
