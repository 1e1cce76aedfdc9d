"""AlterConfigs (33): replace the settings of resources (KIP-133).

Behaviour
- What is not named is removed; apart from that it is IncrementalAlterConfigs with nothing but
  values to set, and every rule of that page holds. A null value removes.
- Loggers are INVALID_REQUEST: they are changed by IncrementalAlterConfigs only.

Version notes
- 2 is the first flexible one; all say the same.
"""

from __future__ import annotations

from typing import Final

from metaquorum.controller.commands import ConfigChange
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.config_changes import asked, refused_alike
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.alter_configs_request import AlterConfigsRequest
from metaquorum.wire.generated.alter_configs_response import (
    AlterConfigsResourceResponse,
    AlterConfigsResponse,
)

_SET: Final = 0


def handle(
    request: Request[AlterConfigsRequest], services: Services
) -> Promise[AlterConfigsResponse] | AlterConfigsResponse:
    """A row for each resource."""
    message = request.message
    changes = [
        ConfigChange(
            *(one.resource_type, one.resource_name),
            tuple((config.name, _SET, config.value) for config in one.configs),
            replaces=True,
        )
        for one in message.resources
    ]
    rows = asked(request, services, changes, message.validate_only, AlterConfigsResourceResponse)
    return rows.map(_response) if isinstance(rows, Promise) else _response(rows)


def refusal(
    request: Request[AlterConfigsRequest], code: int, reason: str | None
) -> AlterConfigsResponse:
    """The code for each resource."""
    named = [(one.resource_type, one.resource_name) for one in request.message.resources]
    return _response(refused_alike(named, code, reason, AlterConfigsResourceResponse))


def _response(rows: list[AlterConfigsResourceResponse]) -> AlterConfigsResponse:
    return AlterConfigsResponse(responses=rows)
