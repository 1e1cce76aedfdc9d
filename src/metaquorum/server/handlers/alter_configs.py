"""AlterConfigs (33): no setting here can be changed by a request.

Behaviour
- The metadata topic: INVALID_CONFIG. Its cleanup.policy is snapshot and can only be read, as all
  of its settings can (KIP-630).
- A topic that is none: UNKNOWN_TOPIC_OR_PARTITION, or INVALID_TOPIC_EXCEPTION. Nodes and all
  other resources: INVALID_REQUEST, as their settings are those of their files.
- It takes ALTER_CONFIGS on the topic or the group, or on the cluster for all else; without it the
  row is refused for that.
- Nothing is written, whatever else the request names; with validate_only the answer is the same.

Version notes
- 2 is the first flexible one; all say the same.
"""

from __future__ import annotations

from metaquorum.server.contract.fixed_settings import refused_alike, refused_each
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.alter_configs_request import AlterConfigsRequest
from metaquorum.wire.generated.alter_configs_response import (
    AlterConfigsResourceResponse,
    AlterConfigsResponse,
)


def handle(request: Request[AlterConfigsRequest], services: Services) -> AlterConfigsResponse:
    """A refusal for each resource."""
    rows = refused_each(request, request.message.resources, AlterConfigsResourceResponse)
    return AlterConfigsResponse(responses=rows)


def refusal(
    request: Request[AlterConfigsRequest], code: int, reason: str | None
) -> AlterConfigsResponse:
    """The code for each resource."""
    rows = refused_alike(request.message.resources, code, reason, AlterConfigsResourceResponse)
    return AlterConfigsResponse(responses=rows)
