"""Changes of settings, which AlterConfigs and IncrementalAlterConfigs ask for alike.

What is refused before the controller is asked: a resource that is named twice, an unknown kind,
the metadata topic, loggers, and what the asker has no right to. All others are asked of the active
controller in one command.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.base.quoting import quoted
from metaquorum.controller.commands import AlterConfigs, ConfigChange
from metaquorum.metadata.acl_codes import Operation
from metaquorum.metadata.tables.configs import (
    BROKER,
    BROKER_LOGGER,
    CLIENT_METRICS,
    GROUP,
    TOPIC,
)
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.config_rights import check_config_right
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.message import Message

KINDS: Final = frozenset((TOPIC, BROKER, BROKER_LOGGER, CLIENT_METRICS, GROUP))

Row = TypeVar("Row")
Resource = tuple[int, str]
"""Its type and its name."""
MakeRow = Callable[[int, str | None, int, str], Row]
"""Makes a row of the answer: code, reason, and the resource's type and name."""


def asked(
    request: Request[Message],
    services: Services,
    changes: Sequence[ConfigChange],
    validate_only: bool,
    make: MakeRow[Row],
) -> Promise[list[Row]] | list[Row]:
    """A row for each resource, in the order in which they are first named."""
    counts = Counter((one.kind, one.name) for one in changes)
    refused: dict[Resource, Row] = {}
    allowed: list[ConfigChange] = []
    for one in changes:
        try:
            _check(request, services, one, counts[one.kind, one.name])
        except RequestError as error:
            refused[one.kind, one.name] = make(error.code, error.reason, one.kind, one.name)
        else:
            allowed.append(one)
    if not allowed:
        return list(refused.values())

    def answered(rows: Sequence[tuple[int, str | None]]) -> list[Row]:
        found = dict(refused)
        for change, (code, reason) in zip(allowed, rows, strict=True):
            found[change.kind, change.name] = make(code, reason, change.kind, change.name)
        return [found[resource] for resource in counts]

    command = AlterConfigs(
        tuple(allowed),
        services.voter_ids(),
        validate_only,
        is_forwarded=request.origin.forwarded_for is not None,
    )
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    return services.ask_controller(command, deadline_ms=deadline).map(answered)


def refused_alike(
    resources: Sequence[Resource], code: int, reason: str | None, make: MakeRow[Row]
) -> list[Row]:
    """A row for each resource with the same code."""
    return [make(code, reason, kind, name) for kind, name in dict.fromkeys(resources)]


def _check(request: Request[Message], services: Services, one: ConfigChange, count: int) -> None:
    """RequestError unless the controller can be asked for this change."""
    kind, name = one.kind, one.name
    if count > 1:
        raise RequestError(error_codes.INVALID_REQUEST, "the request names the resource twice")
    if kind not in KINDS:
        raise RequestError(error_codes.UNSUPPORTED_VERSION, f"resource type {kind} is unknown")
    check_config_right(request, Operation.ALTER_CONFIGS, kind, name)
    if kind == TOPIC and name == METADATA_TOPIC:
        raise RequestError(
            error_codes.INVALID_CONFIG,
            f"the settings of {METADATA_TOPIC}, cleanup.policy among them, can only be read",
        )
    if kind == BROKER_LOGGER:
        _refuse_logger(services.node_id, one)


def _refuse_logger(node_id: int, one: ConfigChange) -> None:
    """Loggers are of the node that is asked, and nodes of this server have none to set."""
    if one.replaces:
        raise RequestError(
            error_codes.INVALID_REQUEST, "loggers are changed by IncrementalAlterConfigs only"
        )
    if one.name != str(node_id):
        raise RequestError(
            error_codes.INVALID_REQUEST, f"this is node {node_id}, not {quoted(one.name)}"
        )
    raise RequestError(error_codes.INVALID_CONFIG, "this node has no loggers that can be set")
