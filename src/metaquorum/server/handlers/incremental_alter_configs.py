"""IncrementalAlterConfigs (44): set, delete, append to or subtract from settings (KIP-339).

Behaviour
- The active controller checks and writes; on a client listener the request is handed on to it, on
  a controller listener another node says NOT_CONTROLLER.
- Each resource has its own result, and all that can be changed are changed in one batch. A resource
  named twice is INVALID_REQUEST, an unknown kind UNSUPPORTED_VERSION.
- A topic must exist (UNKNOWN_TOPIC_OR_PARTITION); a node must be a registered broker or a voter
  (BROKER_ID_NOT_REGISTERED), or the empty name for all brokers. Groups and client metrics
  subscriptions need not exist. Values of topics, groups and client metrics are checked
  (INVALID_CONFIG); those of nodes are not, brokers check them before they hand a request on.
- Append and subtract are for lists. An unknown operation, or append without a value, is
  INVALID_REQUEST; Kafka's active controller steps down at both.
- The metadata topic: INVALID_CONFIG. Its cleanup.policy is snapshot and can only be read, as all
  of its settings can (KIP-630). Loggers: INVALID_CONFIG, a node of this server has none to set.
- It takes ALTER_CONFIGS on the topic or the group, or on the cluster for all else; without it the
  row is refused for that.
- With validate_only the answer is the same and nothing is written.

Version notes
- 1 is the first flexible one; both say the same.
"""

from __future__ import annotations

from metaquorum.controller.commands import ConfigChange
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.config_changes import asked, refused_alike
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.incremental_alter_configs_request import (
    IncrementalAlterConfigsRequest,
)
from metaquorum.wire.generated.incremental_alter_configs_response import (
    AlterConfigsResourceResponse,
    IncrementalAlterConfigsResponse,
)


def handle(
    request: Request[IncrementalAlterConfigsRequest], services: Services
) -> Promise[IncrementalAlterConfigsResponse] | IncrementalAlterConfigsResponse:
    """A row for each resource."""
    message = request.message
    changes = [
        ConfigChange(
            *(one.resource_type, one.resource_name),
            tuple((config.name, config.config_operation, config.value) for config in one.configs),
        )
        for one in message.resources
    ]
    rows = asked(request, services, changes, message.validate_only, AlterConfigsResourceResponse)
    return rows.map(_response) if isinstance(rows, Promise) else _response(rows)


def refusal(
    request: Request[IncrementalAlterConfigsRequest], code: int, reason: str | None
) -> IncrementalAlterConfigsResponse:
    """The code for each resource."""
    named = [(one.resource_type, one.resource_name) for one in request.message.resources]
    return _response(refused_alike(named, code, reason, AlterConfigsResourceResponse))


def _response(rows: list[AlterConfigsResourceResponse]) -> IncrementalAlterConfigsResponse:
    return IncrementalAlterConfigsResponse(responses=rows)
