"""What the translations of all APIs share: endpoints, directory ids, the context of an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NO_NODE, ZERO_UUID, NodeId, Uuid
from metaquorum.quorum.messages import Hint, LogSlice, SnapshotSlice
from metaquorum.quorum.types import Endpoint, ReplicaKey

INVALID_REQUEST = 42
UNKNOWN_TOPIC_OR_PARTITION = 3
INCONSISTENT_CLUSTER_ID = 104


@frozen
class Settled:
    """A request that needs no core: here is its answer."""

    response: Any


@frozen
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


def directory(raw: Uuid) -> Uuid | None:
    """A directory id from the wire, where zero means that none is known."""
    return None if bytes(raw) == ZERO_UUID else bytes(raw)


def wire_directory(key: ReplicaKey) -> Uuid:
    """A directory id for the wire."""
    return key.directory_id if key.directory_id is not None else ZERO_UUID
