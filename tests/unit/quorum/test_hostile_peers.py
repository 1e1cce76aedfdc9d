"""What ends one of Kafka's controllers, and worse, leaves ours standing: a code and a line."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from metaquorum.base.limits import LAST_EPOCH, MAX_EPOCH
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.effects import Answer
from metaquorum.quorum.events import (
    LeaderLost,
    RequestArrived,
    ResignAsked,
    ResponseArrived,
    TimePassed,
)
from metaquorum.quorum.messages import (
    FENCED_LEADER_EPOCH,
    INVALID_REQUEST,
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    AddVoterRequest,
    BeginEpochRequest,
    DescribeRequest,
    EndEpochRequest,
    FetchRequest,
    FetchResponse,
    FetchSnapshotRequest,
    Hint,
    VoteRequest,
)
from metaquorum.quorum.types import (
    Endpoint,
    KRaftVersionControl,
    ReplicaKey,
    SnapshotId,
    VotersControl,
)
from metaquorum.testing.cluster import Cluster
from metaquorum.testing.fakes import data_batch, directory, fake_control_batch, voter
from metaquorum.testing.voter_changes import quorum as voter_quorum
from tests.unit.quorum.liar import HIGHEST, Liar, begin, complaints, quorum


@pytest.mark.parametrize("node_id", [1, 2], ids=["at the leader", "at a follower"])
@pytest.mark.parametrize("kind", [BeginEpochRequest, EndEpochRequest])
def test_a_second_leader_of_the_epoch_is_neither_followed_nor_spread(
    node_id: int, kind: type
) -> None:
    cluster = quorum(1, 2, 3)
    epoch = cluster.nodes[1].replica.epoch
    claim = kind(epoch, 3, endpoints=voter(3).endpoints)
    answer = cluster.asked(node_id, claim)
    assert (answer.error, answer.hint.leader_id) == (FENCED_LEADER_EPOCH, 1)
    assert cluster.nodes[node_id].replica.leader_id == 1
    (line,) = complaints(cluster.nodes[node_id])
    assert f"names node 3 leader of epoch {epoch}" in line
    cluster.run_for(5_000)
    assert cluster.elected() == 1


def test_this_node_named_leader_of_an_epoch_that_it_does_not_lead() -> None:
    cluster = quorum(1, 2, 3)
    epoch = cluster.nodes[2].replica.epoch
    same = cluster.asked(2, begin(2, epoch))
    assert (same.error, same.hint.leader_id) == (FENCED_LEADER_EPOCH, 1)
    later = cluster.asked(2, begin(2, epoch + 1))
    assert (later.error, later.hint.epoch) == (INVALID_REQUEST, epoch)
    assert len(complaints(cluster.nodes[2])) == 2


@pytest.mark.parametrize("host", ["", " "])
@pytest.mark.parametrize("kind", [BeginEpochRequest, EndEpochRequest])
def test_an_unknown_leader_without_an_endpoint_is_not_followed(kind: type, host: str) -> None:
    cluster = quorum(1, 2, 3)
    epoch = cluster.nodes[2].replica.epoch
    endpoints = (Endpoint("CONTROLLER", host.strip(), 9093),)
    answer = cluster.asked(2, kind(epoch + 1, 99, endpoints=endpoints))
    assert answer.error == INVALID_REQUEST
    assert cluster.nodes[2].replica.epoch == epoch
    assert len(complaints(cluster.nodes[2])) == 1


def test_a_vote_under_our_own_id_changes_nothing() -> None:
    cluster = quorum(1, 2, 3)
    before = cluster.nodes[2].replica.value()
    request = VoteRequest(99, voter(2).key, OffsetAndEpoch(98, 1_000))
    assert cluster.asked(2, request).error == INVALID_REQUEST
    assert cluster.nodes[2].replica.value() == before
    assert len(complaints(cluster.nodes[2])) == 1


@pytest.mark.parametrize("epoch", [MAX_EPOCH + 1, HIGHEST - 1, HIGHEST])
@pytest.mark.parametrize("pre_vote", [False, True])
def test_an_epoch_that_no_election_brought_about_is_refused(epoch: int, pre_vote: bool) -> None:
    cluster = quorum(1, 2, 3)
    ours = cluster.nodes[2].replica.epoch
    vote = VoteRequest(epoch, voter(3).key, OffsetAndEpoch(ours, 1_000), pre_vote)
    for message in (vote, begin(3, epoch), EndEpochRequest(epoch, 3)):
        answer = cluster.asked(2, message)
        assert (answer.error, answer.hint.epoch) == (INVALID_REQUEST, ours)
    in_flight = cluster.nodes[2].replica.peers.of(1).in_flight
    assert in_flight is not None
    told = FetchResponse(FENCED_LEADER_EPOCH, Hint(3, epoch, voter(3).endpoints))
    cluster.tell(2, ResponseArrived(1, in_flight.correlation, told))
    assert cluster.nodes[2].replica.epoch == ours
    assert len(complaints(cluster.nodes[2])) == 4


def test_after_the_highest_credible_epoch_elections_go_on() -> None:
    cluster = quorum(1, 2, 3)
    for _ in range(3):
        cluster.asked(2, VoteRequest(MAX_EPOCH, ReplicaKey(9, directory(9)), OffsetAndEpoch(0, 0)))
    leader = cluster.elected()
    cluster.run_for(10_000)
    leader = cluster.elected()
    epoch = cluster.nodes[leader].replica.epoch
    assert epoch > MAX_EPOCH
    cluster.append(leader, "still here")
    far = VoteRequest(epoch + 1_001, ReplicaKey(9, directory(9)), OffsetAndEpoch(0, 0))
    assert cluster.asked(leader, far).error == INVALID_REQUEST


def test_at_the_last_epoch_nobody_campaigns_and_nobody_stops() -> None:
    cluster = quorum(1, 2, 3)
    for host in cluster.nodes.values():
        host.replica.election = evolve(host.replica.election, epoch=LAST_EPOCH - 1, leader_id=None)
        host.disk_election = host.replica.election
    for node_id in (1, 2, 3):
        cluster.restart(node_id)
    cluster.run_for(10_000)
    assert {host.replica.epoch for host in cluster.nodes.values()} == {LAST_EPOCH}
    leader = cluster.elected()
    cluster.isolate(leader)
    cluster.run_for(20_000)
    cluster.heal()
    cluster.run_for(20_000)
    assert {host.replica.epoch for host in cluster.nodes.values()} == {LAST_EPOCH}
    assert any(
        "is the last" in line for host in cluster.nodes.values() for line in complaints(host)
    )


def broken(*values: Any) -> Any:
    """A batch of control records as a broken leader would send it, after offset 3 of epoch 1."""
    return fake_control_batch(values, 3, 1)


@pytest.mark.parametrize(
    "batch",
    [
        broken(VotersControl(())),
        broken(VotersControl((voter(1), voter(1)))),
        broken(VotersControl((voter(7), voter(8), voter(9)))),
        broken(KRaftVersionControl(2)),
        broken(KRaftVersionControl(0)),
        evolve(data_batch("far"), base_offset=9, last_offset=9, epoch=1),
        evolve(data_batch("new"), base_offset=3, last_offset=3, epoch=9),
        evolve(data_batch("old"), base_offset=3, last_offset=3, epoch=0),
        evolve(data_batch("backwards"), base_offset=3, last_offset=1, epoch=1),
    ],
    ids=[
        "no voters",
        "a voter twice",
        "other voters altogether",
        "unknown version",
        "lower version",
        "gap",
        "later epoch",
        "earlier epoch",
        "negative length",
    ],
)
def test_a_batch_that_cannot_follow_is_not_taken(batch: Any) -> None:
    cluster = quorum(1, 2)
    follower = cluster.nodes[2].replica
    assert (follower.log.end, follower.epoch) == (3, 1)
    in_flight = follower.peers.of(1).in_flight
    assert in_flight is not None
    hint = Hint(1, 1, voter(1).endpoints)
    told = FetchResponse(NONE, hint, high_watermark=3, records=(batch,))
    cluster.tell(2, ResponseArrived(1, in_flight.correlation, told))
    assert follower.log.end == 3
    assert len(complaints(cluster.nodes[2])) == 1


def test_kraft_version_1_does_not_follow_without_voters() -> None:
    cluster = Cluster.of((1, 2))
    cluster.elected()
    cluster.run_for(600)
    follower = cluster.nodes[2].replica
    in_flight = follower.peers.of(1).in_flight
    assert in_flight is not None
    batch = fake_control_batch((KRaftVersionControl(1),), follower.log.end, 1)
    told = FetchResponse(NONE, Hint(1, 1, voter(1).endpoints), records=(batch,))
    cluster.tell(2, ResponseArrived(1, in_flight.correlation, told))
    assert follower.voters.kraft_version == 0


@pytest.mark.parametrize("kind", [BeginEpochRequest, EndEpochRequest])
@pytest.mark.parametrize("victim", [1, 2], ids=["told to the leader", "told to a follower"])
def test_a_claim_that_another_voter_leads_is_passed_on_to_nobody(kind: type, victim: int) -> None:
    """It would end node 3 if that were one of Kafka's: it leads no such epoch."""
    cluster = quorum(1, 2, 3)
    cluster.isolate(victim)
    replica = cluster.nodes[victim].replica
    epoch = replica.epoch + 1
    cluster.asked(victim, kind(epoch, 3, endpoints=voter(3).endpoints))
    assert (replica.epoch, replica.leader_id) == (epoch, 3)
    for asked in (
        FetchRequest(voter(3).key, epoch - 1, 3, 1, 0, 1_000),
        FetchRequest(voter(3).key, epoch, 3, 1, 0, 1_000),
        FetchSnapshotRequest(voter(3).key, epoch, SnapshotId(1, 3), 0, 1_000),
        VoteRequest(epoch, voter(3).key, OffsetAndEpoch(1, 3), True),
        DescribeRequest(),
        AddVoterRequest(voter(4).key, voter(4).endpoints),
    ):
        assert cluster.asked(victim, asked).hint == Hint(None, epoch)
    cluster.heal()
    cluster.run_for(10_000)
    assert cluster.nodes[cluster.elected()].replica.epoch > epoch


def test_a_leader_is_named_once_it_has_answered_a_fetch_of_its_epoch() -> None:
    cluster = quorum(1, 2, 3)
    follower = cluster.nodes[2].replica
    told = cluster.asked(2, FetchRequest(voter(4).key, follower.epoch, 0, 0, 0, 1_000))
    assert told.hint == Hint(1, follower.epoch, voter(1).endpoints)


@pytest.mark.parametrize("error", [NONE, FENCED_LEADER_EPOCH, NOT_LEADER_OR_FOLLOWER])
@pytest.mark.parametrize("later", [0, 1])
def test_a_follower_named_leader_by_a_response_takes_only_its_epoch(error: int, later: int) -> None:
    cluster = quorum(1, 2, 3)
    follower = cluster.nodes[2].replica
    in_flight = follower.peers.of(1).in_flight
    assert in_flight is not None
    epoch = follower.epoch + later
    told = FetchResponse(error, Hint(2, epoch, voter(2).endpoints))
    cluster.tell(2, ResponseArrived(1, in_flight.correlation, told))
    assert follower.epoch == epoch
    assert follower.leader_id == (None if later else 1)
    assert (
        cluster.asked(2, VoteRequest(epoch, voter(3).key, OffsetAndEpoch(1, 99))).granted is False
    )
    cluster.run_for(10_000)
    cluster.append(cluster.elected(), "goes on")


@pytest.mark.parametrize("endpoints", [(), (Endpoint("CONTROLLER", "", 9093),)])
@pytest.mark.parametrize("error", [NONE, FENCED_LEADER_EPOCH, NOT_LEADER_OR_FOLLOWER])
def test_an_answer_that_names_a_leader_nobody_can_reach(
    error: int, endpoints: tuple[Endpoint, ...]
) -> None:
    """Its epoch is entered, for elections may well have brought it; who leads is asked further."""
    cluster = quorum(1, 2, 3)
    follower = cluster.nodes[2].replica
    in_flight = follower.peers.of(1).in_flight
    assert in_flight is not None
    epoch = follower.epoch + 1
    told = FetchResponse(error, Hint(99, epoch, endpoints))
    cluster.tell(2, ResponseArrived(1, in_flight.correlation, told))
    assert (follower.role.name, follower.epoch) == ("Unattached", epoch)
    cluster.run_for(10_000)
    cluster.append(cluster.elected(), "goes on")
    cluster.run_for(1_000)
    assert "goes on" in cluster.payloads(2)


def test_a_watermark_below_the_one_we_know_moves_nothing() -> None:
    cluster = quorum(1, 2, 3)
    follower = cluster.nodes[2].replica
    before = follower.log.high_watermark
    in_flight = follower.peers.of(1).in_flight
    assert in_flight is not None and before == 3
    told = FetchResponse(NONE, Hint(1, 1, voter(1).endpoints), high_watermark=1)
    cluster.tell(2, ResponseArrived(1, in_flight.correlation, told))
    assert follower.log.high_watermark == before


@pytest.mark.parametrize("kind", [BeginEpochRequest, EndEpochRequest, VoteRequest])
def test_an_observer_pushed_to_later_epoch_fetches_once_quorum_has_it(kind: type) -> None:
    """It may be a voter that does not know it yet, so it may not go back to a lower epoch."""
    cluster = voter_quorum(1, 2, observers=(3,))
    observer = cluster.nodes[3].replica
    ahead = observer.epoch + 3
    if kind is VoteRequest:
        cluster.asked(3, VoteRequest(ahead, ReplicaKey(9, directory(9)), OffsetAndEpoch(1, 0)))
    else:
        cluster.asked(3, kind(ahead, 9, endpoints=(Endpoint("CONTROLLER", "host9", 9093),)))
    cluster.append(cluster.elected(), "while it waits")
    cluster.run_for(10_000)
    assert (observer.epoch, "while it waits" in cluster.payloads(3)) == (ahead, False)
    while cluster.nodes[leader := cluster.elected()].replica.epoch < ahead:
        cluster.tell(leader, ResignAsked(cluster.nodes[leader].replica.epoch))
    cluster.append(cluster.elected(), "when they are there")
    cluster.run_for(3_000)
    assert observer.epoch == cluster.nodes[cluster.elected()].replica.epoch
    assert {"while it waits", "when they are there"} <= set(cluster.payloads(3))


@pytest.mark.parametrize("seed", range(12))
def test_a_peer_that_says_anything_stops_nobody_and_lowers_nothing(seed: int) -> None:
    cluster = quorum(1, 2, 3)
    liar = Liar(seed, 1)
    victim = 1 + seed % 3
    host = cluster.nodes[victim]
    cluster.append(1, "promised")
    cluster.run_for(50)
    for turn in range(250):
        liar.epoch, epoch = host.replica.epoch, host.replica.epoch
        said = cluster.tell(victim, RequestArrived(1_000_000 + turn, liar.request()))
        assert sum(isinstance(one, Answer) for one in said) <= 1 + 250
        for peer_id, state in list(host.replica.peers):
            if state.in_flight is not None and liar.random.random() < 0.5:
                lie = ResponseArrived(peer_id, state.in_flight.correlation, liar.answer())
                cluster.tell(victim, lie)
                break
        if turn % 25 == 0:
            cluster.tell(victim, LeaderLost(liar.random.choice((1, 2, 3)), "a lie"))
        if turn % 10 == 0:
            cluster.now += 700
            cluster.tell(victim, TimePassed())
        assert host.replica.epoch >= epoch
        assert "promised" in cluster.payloads(victim)
