"""The deadline that a host waits for is the earliest of all timers, whatever goes on."""

from __future__ import annotations

from attrs import evolve

from metaquorum.base.clock import NEVER
from metaquorum.quorum.events import ShutdownAsked
from metaquorum.quorum.handlers.time import UPDATE_VOTER, VOTER_CHANGE, timers
from metaquorum.quorum.messages import AddVoterRequest
from metaquorum.quorum.types import Endpoint
from metaquorum.testing.cluster import Cluster
from metaquorum.testing.fakes import voter


def seen(cluster: Cluster, millis: int, step: int = 50) -> set[str]:
    """Run, look at every step, and tell which timers were the earliest ones."""
    first: set[str] = set()
    for _ in range(0, millis, step):
        for node in cluster.nodes.values():
            due = timers(node.replica)
            earliest = min((deadline for _, deadline in due), default=NEVER)
            assert node.replica.deadline == earliest, due
            first |= {name for name, deadline in due if deadline == earliest}
        cluster.run_for(step)
    return first


def test_through_elections_and_a_shutdown() -> None:
    cluster = Cluster.of((1, 2, 3), (4,), kraft_version=1)
    seen(cluster, 3_000)
    leader = cluster.elected()
    cluster.isolate(leader)
    seen(cluster, 6_000)
    cluster.heal()
    seen(cluster, 3_000)
    cluster.tell(cluster.elected(), ShutdownAsked(2_000))
    seen(cluster, 3_000)


def test_a_fetching_follower_wakes_to_send_its_changed_endpoints() -> None:
    cluster = Cluster.of((1, 2, 3), kraft_version=1)
    assert cluster.elected() == 1
    elsewhere = (Endpoint("CONTROLLER", "elsewhere", 9093),)
    replica = cluster.nodes[2].replica
    replica.config = evolve(replica.config, endpoints=elsewhere)
    cluster.restart(2)
    assert UPDATE_VOTER in seen(cluster, 3_000, step=5)


def test_a_leader_wakes_when_a_change_takes_too_long() -> None:
    cluster = Cluster.of((1, 2, 3), (4,), kraft_version=1)
    assert cluster.elected() == 1
    cluster.run_for(1_000)
    cluster.crash(2)
    cluster.crash(3)
    cluster.ask(1, AddVoterRequest(voter(4).key, voter(4).endpoints))
    assert VOTER_CHANGE in seen(cluster, 2_500, step=5)
