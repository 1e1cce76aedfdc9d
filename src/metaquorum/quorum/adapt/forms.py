"""What the translations of all APIs share: endpoints, directory ids, the context of an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from metaquorum.base.clock import Millis
from metaquorum.base.ids import (
    METADATA_PARTITION,
    METADATA_TOPIC,
    NO_NODE,
    ZERO_UUID,
    NodeId,
    Uuid,
)
from metaquorum.base.offsets import Epoch
from metaquorum.base.value import value
from metaquorum.config.listeners import bracketed
from metaquorum.quorum.messages import (
    NOT_LEADER_OR_FOLLOWER,
    Hint,
    LogSlice,
    SnapshotSlice,
    VoterChangeResponse,
)
from metaquorum.quorum.types import Endpoint, ReplicaKey

INVALID_REQUEST = 42
UNKNOWN_TOPIC_OR_PARTITION = 3
INCONSISTENT_CLUSTER_ID = 104


@value
class Settled:
    """A request that needs no core: here is its answer."""

    response: Any


@value
class AnswerContext:
    """What an answer needs beyond the core's message.

    ``listener``: on which the request came, because the leader is named as it is reached there.
    ``resolve`` turns a slice into a value for a records field. ``wall_minus_now_ms`` is added to
    the core's times.
    """

    listener: str
    resolve: Callable[[LogSlice | SnapshotSlice], Any]
    wall_minus_now_ms: Millis = 0


def cluster_differs(asked: str | None, cluster_id: str) -> bool:
    """Whether a request is meant for another cluster; an empty id is one that differs."""
    return asked is not None and asked != cluster_id


def leader_number(hint: Hint) -> NodeId:
    """The leader's id on the wire, -1 for none."""
    return NO_NODE if hint.leader_id is None else hint.leader_id


def leader_endpoint(hint: Hint, listener: str) -> Endpoint | None:
    """Where the leader is reached on this listener; None while that is not known."""
    if hint.leader_id is None:
        return None
    for endpoint in hint.endpoints:
        if endpoint.listener.upper() == listener.upper():
            return endpoint
    return None


def leader_text(hint: Hint, listener: str) -> str:
    """Who leads and where, for answers that have no field for it but a text."""
    if hint.leader_id is None:
        return f"no leader of epoch {hint.epoch} is known here"
    endpoint = leader_endpoint(hint, listener)
    place = "" if endpoint is None else f", at {bracketed(endpoint.host)}:{endpoint.port}"
    return f"node {hint.leader_id} leads epoch {hint.epoch}{place}"


def refusal_text(response: VoterChangeResponse, listener: str) -> str:
    """What was wrong, in words; of a node that does not lead, who does."""
    if response.error == NOT_LEADER_OR_FOLLOWER:
        return f"this node does not lead the quorum; {leader_text(response.hint, listener)}"
    return response.text


def is_metadata_log(topics: Any) -> bool:
    """Whether a request names exactly one partition, the metadata log's."""
    return (
        len(topics) == 1
        and len(topics[0].partitions) == 1
        and topics[0].topic_name == METADATA_TOPIC
        and topics[0].partitions[0].partition_index == METADATA_PARTITION
    )


def hint_of(leader_id: NodeId, epoch: Epoch, node_endpoints: Any, listener: str) -> Hint:
    """The leader that an answer names, with its endpoint on the listener we ask on."""
    if leader_id < 0:
        return Hint(None, epoch)
    endpoints = tuple(
        Endpoint(listener, one.host, one.port) for one in node_endpoints if one.node_id == leader_id
    )
    return Hint(leader_id, epoch, endpoints)


def endpoint_rows(module: Any, hint: Hint, listener: str) -> list[Any]:
    """NodeEndpoints of an answer: the leader's, where it is known on this listener."""
    endpoint = leader_endpoint(hint, listener)
    if endpoint is None:
        return []
    return [module.NodeEndpoint(node_id=hint.leader_id, host=endpoint.host, port=endpoint.port)]


def receiver_key(node_id: NodeId, raw: Uuid) -> ReplicaKey | None:
    """Whom a request is meant for; None when it does not say."""
    return None if node_id < 0 else ReplicaKey(node_id, directory(raw))


def directory(raw: Uuid) -> Uuid | None:
    """A directory id from the wire, where zero means that none is known."""
    return None if bytes(raw) == ZERO_UUID else bytes(raw)


def wire_directory(key: ReplicaKey) -> Uuid:
    """A directory id for the wire."""
    return key.directory_id if key.directory_id is not None else ZERO_UUID
