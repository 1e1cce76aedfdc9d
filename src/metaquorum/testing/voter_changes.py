"""Voter changes in tests: a quorum whose voters stand in the log, and requests to change it."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from metaquorum.base.ids import NodeId
from metaquorum.quorum.messages import AddVoterRequest, RemoveVoterRequest
from metaquorum.testing.cluster import Cluster
from metaquorum.testing.fakes import voter


def add(node_id: NodeId, **changes: Any) -> AddVoterRequest:
    """A correct request to add this node, but for ``changes``."""
    one = voter(node_id)
    return evolve(AddVoterRequest(one.key, one.endpoints), **changes)


def remove(node_id: NodeId) -> RemoveVoterRequest:
    """A correct request to remove this node."""
    return RemoveVoterRequest(voter(node_id).key)


def quorum(*ids: NodeId, observers: tuple[NodeId, ...] = (), **changes: Any) -> Cluster:
    """A quorum with kraft.version 1, led by node 1, in which everybody fetches."""
    cluster = Cluster.of(ids, observers, kraft_version=1, **changes)
    leader = cluster.elected()
    if leader != 1:
        raise AssertionError(f"node {leader} leads, not node 1")
    return cluster.run_for(600)


def ids_at(cluster: Cluster, node_id: NodeId) -> list[NodeId]:
    """The voters as a node knows them."""
    return [one.id for one in cluster.nodes[node_id].replica.voters.latest]


def without_followers(*ids: NodeId, observers: tuple[NodeId, ...] = ()) -> Cluster:
    """A leader that can commit nothing more, because nobody hears it."""
    cluster = quorum(*ids, observers=observers)
    for other in ids[1:]:
        cluster.isolate(other)
    return cluster
