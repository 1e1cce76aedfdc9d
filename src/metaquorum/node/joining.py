"""What a node needs to join the voters by itself, where it is configured to (KIP-1186)."""

from __future__ import annotations

from typing import Any

from metaquorum.base.clock import Millis
from metaquorum.base.errors import RequestError
from metaquorum.node.assembly import Node
from metaquorum.quorum.auto_join import AutoJoin
from metaquorum.runtime.loop.promise import Promise
from metaquorum.runtime.peers.auto_join import AutoJoinTask
from metaquorum.wire.generated import error_codes


def auto_join_task(node: Node) -> AutoJoinTask:
    """The task for a node with ``controller.quorum.auto.join.enable``."""
    replica, services = node.driver.replica, node.services

    def send(api_key: int, version: int, request: Any, deadline_ms: Millis) -> Promise[Any]:
        return services.forward(
            api_key,
            version,
            request,
            client_id=f"raft-client-{services.node_id}",
            deadline_ms=deadline_ms,
            here=_this_node_leads,
        )

    return AutoJoinTask(
        auto_join=AutoJoin(
            replica.config.key, replica.config.endpoints, node.config.quorum_fetch_timeout_ms
        ),
        clock=services.clock,
        log=node.log,
        voters=lambda: replica.voters,
        leader=services.leader,
        send=send,
        cluster_id=services.cluster_id,
        request_timeout_ms=node.config.quorum_request_timeout_ms,
    )


def _this_node_leads() -> Any:
    """A leader is a voter: there is nothing to ask for any more."""
    raise RequestError(error_codes.DUPLICATE_VOTER, "this node leads by now")
