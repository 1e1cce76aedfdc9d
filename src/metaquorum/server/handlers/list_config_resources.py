"""ListConfigResources (74): what can have settings, by kind (KIP-1142, KIP-714).

Behaviour
- Answered from the committed state by any node, as Kafka's brokers do; its controllers have no
  such API.
- No kinds mean all: client metrics subscriptions and groups that have settings, every topic, and
  as nodes and loggers the brokers that are not fenced and the nodes of this server on the listener
  that the request came in by.
- A kind that has no settings is UNSUPPORTED_VERSION.
- It takes DESCRIBE_CONFIGS on the cluster, whatever is listed.
- Answered in steps, as of the moment in which the request was served.

Version notes
- 0 lists client metrics subscriptions and nothing else. 1 adds the kinds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.base.limits import ROWS_PER_STEP
from metaquorum.metadata.tables.configs import (
    BROKER,
    BROKER_LOGGER,
    CLIENT_METRICS,
    GROUP,
    TOPIC,
)
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.server.contract.steps import Encoded, InSteps, RowsApart, Steps
from metaquorum.wire.generated import error_codes, list_config_resources_response
from metaquorum.wire.generated.list_config_resources_request import ListConfigResourcesRequest
from metaquorum.wire.generated.list_config_resources_response import (
    ConfigResource,
    ListConfigResourcesResponse,
)

KINDS: Final = (TOPIC, BROKER, BROKER_LOGGER, CLIENT_METRICS, GROUP)
_KINDS_FROM: Final = 1
_FLEXIBLE_FROM: Final = 0


def handle(request: Request[ListConfigResourcesRequest], services: Services) -> InSteps[Encoded]:
    """The resources of each kind that was asked for."""
    kinds = set(request.message.resource_types)
    if not kinds:
        kinds = {CLIENT_METRICS} if request.version < _KINDS_FROM else set(KINDS)
    if unknown := kinds - set(KINDS):
        raise RequestError(
            error_codes.UNSUPPORTED_VERSION, f"resource type {min(unknown)} has no settings"
        )
    found = [one for kind in KINDS if kind in kinds for one in _of(kind, request, services)]
    return InSteps(_steps(request, found))


def refusal(
    request: Request[ListConfigResourcesRequest], code: int, reason: str | None
) -> ListConfigResourcesResponse:
    """The code, and no resource."""
    return ListConfigResourcesResponse(error_code=code)


def _steps(
    request: Request[ListConfigResourcesRequest], found: list[tuple[str, int]]
) -> Steps[Encoded]:
    answer = RowsApart(
        *(list_config_resources_response, ListConfigResourcesResponse(), "config_resources"),
        *(request.version, _FLEXIBLE_FROM),
    )
    for at in range(0, len(found), ROWS_PER_STEP):
        answer.add([ConfigResource(*one) for one in found[at : at + ROWS_PER_STEP]])
        yield None
    return answer.done()


def _of(
    kind: int, request: Request[ListConfigResourcesRequest], services: Services
) -> Iterator[tuple[str, int]]:
    view = services.committed()
    names: list[str] = []
    if kind == TOPIC:
        names = [METADATA_TOPIC, *view.topic_ids.keys()]
    elif kind in (BROKER, BROKER_LOGGER):
        nodes = set(services.endpoints(request.origin.listener.name))
        brokers = {broker_id for broker_id, one in view.brokers.items() if not one.fenced}
        names = [str(node_id) for node_id in sorted(nodes | brokers)]
    else:
        names = [name for (known, name), _ in view.configs.items() if known == kind]
    for name in names:
        yield name, kind
