"""DescribeConfigs (32): the settings of topics, nodes, groups and client metrics subscriptions.

Behaviour
- A topic of the brokers' cluster: every setting with its value and where it comes from: the topic's
  records, those of this node and of all brokers, the operator's file, the default. A group
  likewise; whether there is such a group is not asked. A client metrics subscription: its settings
  and the defaults of others (KIP-714).
- The metadata topic: the settings of its log that have a topic-level name in Kafka, all read-only;
  cleanup.policy is snapshot (KIP-630), a value that Kafka itself does not have.
- A node: every configuration key with its value and where it comes from: the log's records for it,
  those for all brokers, the operator's file, the default. The node must be this one
  (INVALID_REQUEST otherwise); an empty name means the records for all brokers. Secrets, and keys
  that nobody knows, have no value. Records with a key that cannot change at run time or with an
  impossible value are passed over, as Kafka does. Settings in the log are shown, not applied: a
  controller of ours runs on its file.
- Loggers of this node: no settings. An unknown kind of resource, or a group or subscription
  without a name: INVALID_REQUEST. An unknown topic: UNKNOWN_TOPIC_OR_PARTITION, an impossible
  name: INVALID_TOPIC_EXCEPTION.
- A resource that stands there twice is described once: its row is hundreds of times as long as its
  name. The last one's names count.
- It takes DESCRIBE_CONFIGS on the topic or the group, or on the cluster for all else.
- Names may be asked for; null or an empty list means all. No error has an empty message, as in
  Kafka, not a null one.

Version notes
- 0 tells only whether a value is the default. 1: sources, and synonyms for those who ask. 3: types,
  and documentation, of which we have none (null, as for those who do not ask).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from functools import partial
from itertools import islice
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.base.limits import ROWS_PER_STEP
from metaquorum.config.key import Type
from metaquorum.config.node_config import NodeConfig
from metaquorum.metadata.acl_codes import Operation
from metaquorum.metadata.tables.configs import node_id_of
from metaquorum.server.contract import node_settings, resource_settings, topics
from metaquorum.server.contract.config_rights import check_config_right
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.server.contract.steps import InSteps, taken
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from metaquorum.wire.generated.describe_configs_response import (
    DescribeConfigsResourceResult,
    DescribeConfigsResponse,
    DescribeConfigsResult,
)

TOPIC: Final = 2
BROKER: Final = 4
BROKER_LOGGER: Final = 8
CLIENT_METRICS: Final = 16
GROUP: Final = 32


def handle(
    request: Request[DescribeConfigsRequest], services: Services
) -> DescribeConfigsResponse | InSteps[DescribeConfigsResponse]:
    """The settings of each resource."""
    resources = request.message.resources
    if len(resources) > 1 or any(one.resource_type == BROKER for one in resources):
        return InSteps(_steps(request, services))
    return taken(_steps(request, services))


def _steps(
    request: Request[DescribeConfigsRequest], services: Services
) -> Generator[None, None, DescribeConfigsResponse]:
    asked = request.message
    named = {(one.resource_type, one.resource_name): one for one in asked.resources}
    layers: node_settings.Layers = {}
    if any(kind in (TOPIC, GROUP) for kind, _ in named):
        configs = services.committed().configs
        layers = node_settings.layers_of(services.node_id, services.config, configs)
    results = []
    for one in named.values():
        rows = partial(_configs, one, services, layers)
        results.append((yield from _result(one, request, rows, asked.include_synonyms)))
        yield
    if request.version == 0:
        for result in results:
            for config in result.configs:
                config.is_default = config.config_source == node_settings.FROM_DEFAULT
    return DescribeConfigsResponse(results=results)


def refusal(
    request: Request[DescribeConfigsRequest], code: int, reason: str | None
) -> DescribeConfigsResponse:
    """The code for each resource."""
    return DescribeConfigsResponse(
        results=[_error(one, code, reason) for one in request.message.resources]
    )


def _result(
    resource: DescribeConfigsResource,
    request: Request[DescribeConfigsRequest],
    make_rows: Callable[[], Iterable[DescribeConfigsResourceResult]],
    synonyms: bool,
) -> Generator[None, None, DescribeConfigsResult]:
    configs: list[DescribeConfigsResourceResult] = []
    kind, name = resource.resource_type, resource.resource_name
    try:
        check_config_right(request, Operation.DESCRIBE_CONFIGS, kind, name)
        rows = iter(make_rows())
        while some := list(islice(rows, ROWS_PER_STEP)):
            configs += some
            yield
    except RequestError as error:
        return _error(resource, error.code, error.reason)
    if not synonyms:
        for config in configs:
            config.synonyms = []
    wanted = resource.configuration_keys
    return DescribeConfigsResult(
        resource_type=resource.resource_type,
        resource_name=resource.resource_name,
        error_message="",
        configs=[one for one in configs if not wanted or one.name in wanted],
    )


def _configs(
    resource: DescribeConfigsResource, services: Services, layers: node_settings.Layers
) -> Iterable[DescribeConfigsResourceResult]:
    name, kind = resource.resource_name, resource.resource_type
    if kind == TOPIC and name == METADATA_TOPIC:
        return _of_metadata_topic(services.config)
    if kind == TOPIC:
        _check_topic(name, services)
        return resource_settings.of_topic(_own(resource, services), layers)
    if kind == BROKER and not name:
        return node_settings.of_all(services.committed().configs)
    if kind in (BROKER, BROKER_LOGGER):
        _check_node(name, services.node_id)
        if kind == BROKER_LOGGER:
            return ()
        return node_settings.of_node(
            services.node_id, services.config, services.committed().configs
        )
    if kind in (CLIENT_METRICS, GROUP):
        if not name:
            raise RequestError(error_codes.INVALID_REQUEST, "the resource has no name")
        if kind == GROUP:
            return resource_settings.of_group(_own(resource, services), layers)
        return resource_settings.of_client_metrics(_own(resource, services))
    raise RequestError(error_codes.INVALID_REQUEST, f"resource type {kind} is unknown")


def _own(resource: DescribeConfigsResource, services: Services) -> Mapping[str, str]:
    """What the log sets for this resource itself."""
    configs = services.committed().configs
    return dict(configs.get((resource.resource_type, resource.resource_name)) or {})


def _check_topic(name: str, services: Services) -> None:
    code = topics.unknown_topic(name)
    if code == error_codes.INVALID_TOPIC_EXCEPTION:
        raise RequestError(code, f"{name!r} cannot be a topic's name")
    if name not in services.committed().topic_ids:
        raise RequestError(code)


def _check_node(name: str, node_id: int) -> None:
    if node_id_of(name) != node_id:
        raise RequestError(
            error_codes.INVALID_REQUEST, f"this is node {node_id}, and it cannot speak for {name!r}"
        )


def _of_metadata_topic(config: NodeConfig) -> Iterable[DescribeConfigsResourceResult]:
    settings = (
        ("cleanup.policy", "snapshot", Type.LIST),
        ("compression.type", "uncompressed", Type.STRING),
        ("max.message.bytes", str(config.metadata_max_batch_bytes), Type.INT),
        ("message.timestamp.type", "CreateTime", Type.STRING),
        ("retention.bytes", str(config.metadata_max_retention_bytes), Type.LONG),
        ("retention.ms", str(config.metadata_max_retention_ms), Type.LONG),
        ("segment.bytes", str(config.metadata_log_segment_bytes), Type.INT),
        ("segment.ms", str(config.metadata_log_segment_ms), Type.LONG),
    )
    for name, value, kind in settings:
        yield DescribeConfigsResourceResult(
            name=name,
            value=value,
            read_only=True,
            config_source=resource_settings.FROM_TOPIC,
            config_type=kind.value,
            documentation=None,
        )


def _error(
    resource: DescribeConfigsResource, code: int, reason: str | None
) -> DescribeConfigsResult:
    return DescribeConfigsResult(
        error_code=code,
        error_message=reason or "",
        resource_type=resource.resource_type,
        resource_name=resource.resource_name,
    )
