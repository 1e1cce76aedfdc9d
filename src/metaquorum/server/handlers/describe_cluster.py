"""DescribeCluster (60): the nodes that can be reached on this listener, and who is the controller.

Behaviour
- A client says whether it means to talk to brokers (1) or to controllers (2, KIP-919), and a
  listener of the other kind answers MISMATCHED_ENDPOINT_TYPE, an unknown type
  UNSUPPORTED_ENDPOINT_TYPE. The only kind of listener that a node has stands for both kinds:
  with nothing but a controller listener, ``--bootstrap-server`` works there too.
- The controller is the quorum's leader; -1 for controllers if it cannot be reached here, as in
  Kafka. Clients of brokers get this node then, since they need one that answers.
- Of controllers it takes ALTER on the cluster, as in Kafka; of brokers no right at all.
- Below metadata.version 3.7-IV0 controllers do not register, and as in Kafka none of them is told:
  UNSUPPORTED_VERSION.

Version notes
- 0 has no endpoint type and means brokers; the wrong kind gives INVALID_REQUEST, which it knows.
- 2 tells whether a node is fenced; ours never are.
"""

from __future__ import annotations

from typing import Final

from metaquorum.metadata.tables.features import METADATA_VERSION
from metaquorum.metadata.versions import CONTROLLER_REGISTRATION_FROM
from metaquorum.server.access.authorise import Right
from metaquorum.server.contract import topics
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.rights import check_right
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.describe_cluster_request import DescribeClusterRequest
from metaquorum.wire.generated.describe_cluster_response import (
    DescribeClusterBroker,
    DescribeClusterResponse,
)

BROKERS: Final = 1
CONTROLLERS: Final = 2
_TOO_OLD: Final = (
    "Direct-to-controller communication is not supported with the current MetadataVersion."
)


def handle(request: Request[DescribeClusterRequest], services: Services) -> DescribeClusterResponse:
    """Nodes, controller and cluster id."""
    asked = request.message
    listener = request.origin.listener
    if asked.endpoint_type not in (BROKERS, CONTROLLERS):
        reason = f"endpoint type {asked.endpoint_type} is neither brokers (1) nor controllers (2)"
        return refusal(request, error_codes.UNSUPPORTED_ENDPOINT_TYPE, reason)
    meant = listener.is_broker if asked.endpoint_type == BROKERS else listener.is_controller
    if not meant:
        return refusal(request, *_wrong_kind(asked.endpoint_type, request.version, listener.name))
    if asked.endpoint_type == CONTROLLERS:
        check_right(request, Right.ALTER)
        level = services.features.finalized.get(METADATA_VERSION)
        if level is not None and level < CONTROLLER_REGISTRATION_FROM:
            return refusal(request, error_codes.UNSUPPORTED_VERSION, _TOO_OLD)
    known = services.endpoints(listener.name)
    response = DescribeClusterResponse(
        endpoint_type=asked.endpoint_type,
        cluster_id=services.cluster_id,
        controller_id=_controller(asked.endpoint_type, services, listener.name),
        brokers=[
            DescribeClusterBroker(node_id, endpoint.host, endpoint.port)
            for node_id, endpoint in sorted(known.items())
        ],
    )
    if asked.include_cluster_authorized_operations:
        response.cluster_authorized_operations = topics.cluster_operations(request)
    return response


def refusal(
    request: Request[DescribeClusterRequest], code: int, reason: str | None
) -> DescribeClusterResponse:
    """An error and no nodes."""
    return DescribeClusterResponse(error_code=code, error_message=reason)


def _controller(endpoint_type: int, services: Services, listener: str) -> int:
    if endpoint_type == BROKERS:
        return topics.controller_id(services, listener)
    leader_id = services.leader().leader_id
    return leader_id if leader_id is not None and leader_id in services.endpoints(listener) else -1


def _wrong_kind(endpoint_type: int, version: int, listener: str) -> tuple[int, str]:
    asked, is_for = (
        ("brokers", "controllers")
        if endpoint_type == BROKERS
        else (
            "controllers",
            "brokers",
        )
    )
    reason = f"asked for {asked}, but listener {listener} is one for {is_for}"
    if version == 0:
        return error_codes.INVALID_REQUEST, reason
    return error_codes.MISMATCHED_ENDPOINT_TYPE, reason
