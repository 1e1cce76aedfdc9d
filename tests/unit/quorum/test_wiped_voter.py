"""A voter whose disk was wiped while it was away: KIP-595 names the hole, KIP-853 closes it.

Node 3 misses a committed record. The leader crashes, node 2 comes back with its id and an empty
disk, and node 3 stands for election.
"""

from __future__ import annotations

import pytest

from metaquorum.quorum.events import Started
from metaquorum.quorum.types import ReplicaKey
from metaquorum.testing.cluster import Cluster
from metaquorum.testing.fakes import FakeHost, directory, voter, voters


def without_the_leader(kraft_version: int) -> Cluster:
    """Node 1 is down with the record "kept", node 2 is wiped, node 3 never had the record."""
    cluster = Cluster.of((1, 2, 3), kraft_version=kraft_version, with_directory=bool(kraft_version))
    assert cluster.elected() == 1
    cluster.run_for(600)
    cluster.isolate(3)
    cluster.append(1, "kept")
    cluster.run_for(600)
    committed = cluster.nodes[1].replica.log.high_watermark
    assert committed == cluster.nodes[1].replica.log.end
    assert cluster.payloads(2) == ["kept"]
    cluster.crash(1)
    cluster.nodes[2] = FakeHost.of(
        2,
        voters() if kraft_version else voters(1, 2, 3, with_directory=False),
        now=cluster.now,
        kraft_version=kraft_version,
        key=ReplicaKey(2, directory(9)),
        bootstrap=tuple(voter(one).endpoints[0] for one in (1, 2, 3)),
    )
    cluster.heal()
    cluster.tell(2, Started())
    return cluster


def test_a_wiped_voter_with_a_new_directory_id_elects_nobody() -> None:
    cluster = without_the_leader(kraft_version=1)
    with pytest.raises(AssertionError, match="not reached"):
        cluster.elected()
    cluster.restart(1)
    assert cluster.elected() == 1
    cluster.run_for(2_000)
    assert cluster.payloads(3) == ["kept"]


def test_under_kraft_version_0_a_wiped_voter_still_votes() -> None:
    """No directory id is stored there, as in Kafka: the hole that KIP-595 leaves open."""
    cluster = without_the_leader(kraft_version=0)
    assert cluster.elected() == 3
    assert cluster.payloads(3) == []
