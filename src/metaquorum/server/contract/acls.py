"""What the three APIs of access rules share."""

from __future__ import annotations

from metaquorum.base.errors import RequestError
from metaquorum.server.contract.request import Request
from metaquorum.wire.generated import error_codes
from metaquorum.wire.message import Message


def check_guarded(request: Request[Message]) -> None:
    """RequestError SECURITY_DISABLED where no authoriser looks at rules."""
    if not request.rights.are_guarded:
        raise RequestError(
            error_codes.SECURITY_DISABLED, "no authorizer.class.name is set on this node"
        )
