"""FindCoordinator (10): the node that coordinates all groups.

Behaviour
- Groups: the leader of their partition with its endpoint on the listener that was asked; the same
  one stands in Metadata. COORDINATOR_NOT_AVAILABLE while there is none, or where it cannot be
  reached.
- Without groups: this node. Why a coordinator is found at all: see ``server.groups``.
- Transactions and share groups have none: TRANSACTIONAL_ID_AUTHORIZATION_FAILED and
  GROUP_AUTHORIZATION_FAILED, which end their client's search with an error. An unknown kind of
  key is INVALID_REQUEST.
- Without DESCRIBE on the group: GROUP_AUTHORIZATION_FAILED.

Version notes
- 0 knows groups only. 4+: several keys at once, and an answer for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.metadata.acl_codes import Operation
from metaquorum.server.contract import groups
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.find_coordinator_request import FindCoordinatorRequest
from metaquorum.wire.generated.find_coordinator_response import (
    Coordinator,
    FindCoordinatorResponse,
)

GROUP: Final = 0
TRANSACTION: Final = 1
SHARE: Final = 2
_MANY_KEYS_FROM: Final = 4


def handle(request: Request[FindCoordinatorRequest], services: Services) -> FindCoordinatorResponse:
    """This node, for groups."""
    kind = request.message.key_type
    if kind == TRANSACTION:
        raise RequestError(
            error_codes.TRANSACTIONAL_ID_AUTHORIZATION_FAILED, "this server keeps no transactions"
        )
    if kind == SHARE:
        raise RequestError(groups.REFUSED, "this server keeps no share groups")
    if kind != GROUP:
        raise RequestError(error_codes.INVALID_REQUEST, f"key type {kind} is unknown")
    if request.version < _MANY_KEYS_FROM and not _may_describe(request, request.message.key):
        raise RequestError(groups.REFUSED)
    node_id = services.node_id if services.groups is None else services.groups.coordinator_id()
    known = services.endpoints(request.origin.listener.name)
    endpoint = None if node_id is None else known.get(node_id)
    if node_id is None or endpoint is None:
        raise RequestError(error_codes.COORDINATOR_NOT_AVAILABLE)
    if request.version < _MANY_KEYS_FROM:
        return FindCoordinatorResponse(node_id=node_id, host=endpoint.host, port=endpoint.port)
    return FindCoordinatorResponse(
        coordinators=[
            Coordinator(key, node_id, endpoint.host, endpoint.port)
            if _may_describe(request, key)
            else Coordinator(key, -1, "", -1, error_code=groups.REFUSED)
            for key in request.message.coordinator_keys
        ]
    )


def _may_describe(request: Request[FindCoordinatorRequest], group: str) -> bool:
    return groups.may(request, Operation.DESCRIBE, group)


def refusal(
    request: Request[FindCoordinatorRequest], code: int, reason: str | None
) -> FindCoordinatorResponse:
    """The code and no node, for each key."""
    if request.version < _MANY_KEYS_FROM:
        return FindCoordinatorResponse(error_code=code, error_message=reason, node_id=-1, port=-1)
    keys: Sequence[str] = request.message.coordinator_keys
    return FindCoordinatorResponse(
        coordinators=[
            Coordinator(key, -1, "", -1, error_code=code, error_message=reason) for key in keys
        ]
    )
