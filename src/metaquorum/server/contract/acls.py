"""What the three APIs of access rules share."""

from __future__ import annotations

from typing import Any

from metaquorum.base.errors import RequestError
from metaquorum.server.contract.request import Request
from metaquorum.wire.generated import error_codes


def check_guarded(request: Request[Any]) -> None:
    """RequestError SECURITY_DISABLED where no authoriser looks at rules."""
    if not request.rights.are_guarded:
        raise RequestError(
            error_codes.SECURITY_DISABLED, "no authorizer.class.name is set on this node"
        )
