"""How a leader stops: asked to, without a majority, or shut down; and who is told."""

from __future__ import annotations

import pytest
from attrs import evolve

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.events import ResignAsked, ShutdownAsked, SnapshotWritten
from metaquorum.quorum.messages import (
    NONE,
    EndEpochRequest,
    FetchRequest,
    FetchSnapshotRequest,
    VoteRequest,
)
from metaquorum.quorum.types import ReplicaKey, SnapshotId
from metaquorum.testing.cluster import Cluster
from metaquorum.testing.fakes import directory, voter


def quorum(*ids: int, observers: tuple[int, ...] = ()) -> Cluster:
    """A quorum led by node 1, in which everybody fetches."""
    cluster = Cluster.of(ids, observers)
    assert cluster.elected() == 1
    return cluster.run_for(600)


def test_the_end_of_an_epoch_is_told_until_each_voter_has_heard_it() -> None:
    cluster = quorum(1, 2, 3)
    cluster.cut.add(frozenset((1, 3)))
    cluster.tell(1, ResignAsked(1))
    cluster.run_for(900)
    told = [one.receiver for one in cluster.sent(EndEpochRequest, 1)]
    assert told.count(2) == 1


def test_an_unreachable_voter_is_told_again_after_its_rest() -> None:
    cluster = quorum(1, 2, 3)
    cluster.crash(2)
    cluster.crash(3)
    cluster.tell(1, ResignAsked(1))
    cluster.run_for(300)
    told = [one.receiver for one in cluster.sent(EndEpochRequest, 1)]
    assert told.count(3) > 3, "every retry back-off"


def test_successors_are_named_by_the_length_of_their_logs() -> None:
    cluster = quorum(1, 2, 3)
    cluster.isolate(2)
    cluster.append(1, "only at the third")
    cluster.run_for(50)
    cluster.heal()
    cluster.tell(1, ResignAsked(1))
    message = cluster.sent(EndEpochRequest, 1)[0].message
    assert isinstance(message, EndEpochRequest)
    assert [key.id for key in message.candidates] == [3, 2]


@pytest.mark.parametrize("node_id", [2, 4], ids=["follower", "observer"])
def test_who_does_not_lead_has_nothing_to_resign(node_id: int) -> None:
    cluster = quorum(1, 2, 3, observers=(4,))
    before = cluster.nodes[node_id].replica.value()
    cluster.tell(node_id, ResignAsked(1))
    assert cluster.nodes[node_id].replica.value() == before


def keeps(cluster: Cluster, message: object, *, millis: int = 6_000) -> bool:
    """Whether a leader stays that hears nothing but this, twice a second."""
    for other in cluster.nodes:
        if other != 1:
            cluster.isolate(other)
    for _ in range(millis // 500):
        if message is not None:
            cluster.ask(1, message)  # type: ignore[arg-type]
        cluster.run_for(500)
    return cluster.nodes[1].replica.summary().is_leader


def fetch(key: ReplicaKey, epoch: int) -> FetchRequest:
    return FetchRequest(key, epoch, 1, 1, max_bytes=1_000)


def test_fetches_of_a_majority_keep_a_leader() -> None:
    assert keeps(quorum(1, 2, 3), fetch(voter(2).key, 1))


def test_silence_does_not() -> None:
    assert not keeps(quorum(1, 2, 3), None)


def test_fetches_of_observers_do_not() -> None:
    assert not keeps(quorum(1, 2, 3, observers=(4,)), fetch(voter(4).key, 1))


def test_fetches_under_another_directory_do_not() -> None:
    cluster = Cluster.of((1, 2, 3), kraft_version=1)
    cluster.elected()
    cluster.run_for(600)
    stranger = evolve(fetch(ReplicaKey(2, directory(9)), 1), offset=3)
    assert not keeps(cluster, stranger)


def test_fetches_of_a_snapshot_keep_a_leader_too() -> None:
    cluster = quorum(1, 2, 3)
    cluster.tell(1, SnapshotWritten(SnapshotId(1, 1), 1_000))
    part = FetchSnapshotRequest(voter(2).key, 1, SnapshotId(1, 1), 0, 100)
    assert cluster.asked(1, part).error == NONE
    assert keeps(cluster, part)


def test_votes_are_granted_while_shutting_down() -> None:
    cluster = quorum(1, 2, 3)
    cluster.tell(2, ShutdownAsked(60_000))
    request = VoteRequest(9, voter(3).key, OffsetAndEpoch(1, 100))
    assert cluster.asked(2, request).granted


def test_nobody_campaigns_while_shutting_down() -> None:
    cluster = quorum(1, 2, 3)
    cluster.isolate(2)
    cluster.tell(2, ShutdownAsked(60_000))
    cluster.run_for(30_000)
    assert cluster.sent(VoteRequest, 2) == []
