"""CreateAcls (30): add access rules; answered when they are committed.

Behaviour
- SECURITY_DISABLED for each rule where no authoriser is configured.
- The active controller validates, writes and answers; other nodes hand the request on to it. Each
  rule has its own verdict; a good one has an empty message, not a null one, as in Kafka.
- A refusal is the code for each rule.

Version notes
- 1 brings pattern types; in 0 every name is literal.
"""

from __future__ import annotations

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import CreateAcls
from metaquorum.runtime.later import Later
from metaquorum.server.acls import check_guarded
from metaquorum.server.house import House
from metaquorum.server.request import Request
from metaquorum.wire.generated.create_acls_request import CreateAclsRequest
from metaquorum.wire.generated.create_acls_response import AclCreationResult, CreateAclsResponse


def handle(request: Request[CreateAclsRequest], house: House) -> Later[CreateAclsResponse]:
    """What the active controller answers."""
    check_guarded(request)
    ids = tuple(house.new_uuid() for _ in request.message.creations)
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    return house.ask_controller(CreateAcls(request.message, ids), deadline_ms=deadline)


def refusal(
    request: Request[CreateAclsRequest], code: int, reason: str | None
) -> CreateAclsResponse:
    """The code for each rule."""
    rows = [AclCreationResult(code, reason) for _ in request.message.creations]
    return CreateAclsResponse(results=rows)
