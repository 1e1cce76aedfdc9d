"""DeleteAcls (31): take away the access rules that match; answered when that is committed.

Behaviour
- SECURITY_DISABLED for each filter where no authoriser is configured.
- The active controller finds, writes and answers; other nodes hand the request on to it. Each
  filter is answered with the rules that it matched, also with those that another one matched too.
- A refusal is the code for each filter.

Version notes
- 1 brings pattern types; in 0 a filter means literal names.
"""

from __future__ import annotations

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import DeleteAcls
from metaquorum.runtime.later import Later
from metaquorum.server.acls import check_guarded
from metaquorum.server.house import House
from metaquorum.server.request import Request
from metaquorum.wire.generated.delete_acls_request import DeleteAclsRequest
from metaquorum.wire.generated.delete_acls_response import (
    DeleteAclsFilterResult,
    DeleteAclsResponse,
)


def handle(request: Request[DeleteAclsRequest], house: House) -> Later[DeleteAclsResponse]:
    """What the active controller answers."""
    check_guarded(request)
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    return house.ask_controller(DeleteAcls(request.message), deadline_ms=deadline)


def refusal(
    request: Request[DeleteAclsRequest], code: int, reason: str | None
) -> DeleteAclsResponse:
    """The code for each filter."""
    rows = [DeleteAclsFilterResult(code, reason) for _ in request.message.filters]
    return DeleteAclsResponse(filter_results=rows)
