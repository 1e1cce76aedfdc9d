"""OffsetDelete (47): no group exists whose offsets could be deleted.

Behaviour
- GROUP_ID_NOT_FOUND for the whole request.

Version notes
- 0 is the only version.
"""

from __future__ import annotations

from metaquorum.server import groups
from metaquorum.server.house import House
from metaquorum.server.request import Request
from metaquorum.wire.generated.offset_delete_request import OffsetDeleteRequest
from metaquorum.wire.generated.offset_delete_response import OffsetDeleteResponse


def handle(request: Request[OffsetDeleteRequest], house: House) -> OffsetDeleteResponse:
    """The group is not there."""
    return refusal(request, groups.NO_SUCH_GROUP, None)


def refusal(
    request: Request[OffsetDeleteRequest], code: int, reason: str | None
) -> OffsetDeleteResponse:
    """An error and nothing else."""
    return OffsetDeleteResponse(error_code=code)
