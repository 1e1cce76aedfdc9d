"""What ends one of Kafka's controllers, and worse, leaves ours standing: a code and a line."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from attrs import evolve

from metaquorum.base.limits import LAST_EPOCH, MAX_EPOCH
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.effects import Answer, Complaint
from metaquorum.quorum.events import LeaderLost, RequestArrived, ResponseArrived, TimePassed
from metaquorum.quorum.messages import (
    FENCED_LEADER_EPOCH,
    INVALID_REQUEST,
    NONE,
    AddVoterRequest,
    ApiVersionsResponse,
    BeginEpochRequest,
    EndEpochRequest,
    EpochResponse,
    FetchRequest,
    FetchResponse,
    FetchSnapshotRequest,
    FetchSnapshotResponse,
    Hint,
    Refused,
    RemoveVoterRequest,
    UpdateVoterRequest,
    UpgradeRequest,
    VoterChangeResponse,
    VoteRequest,
    VoteResponse,
)
from metaquorum.quorum.types import (
    Endpoint,
    KRaftVersionControl,
    ReplicaKey,
    SnapshotId,
    VotersControl,
)
from metaquorum.testing.cluster import Cluster
from metaquorum.testing.fakes import FakeHost, data_batch, directory, fake_control_batch, voter

HIGHEST = 2**31 - 1


def quorum(*ids: int) -> Cluster:
    cluster = Cluster.of(ids, kraft_version=1)
    assert cluster.elected() == 1
    return cluster.run_for(600)


def begin(leader_id: int, epoch: int, host: str = "host") -> BeginEpochRequest:
    endpoints = (Endpoint("CONTROLLER", host, 9093),) if host else ()
    return BeginEpochRequest(epoch, leader_id, endpoints)


def complaints(host: FakeHost) -> list[str]:
    return [one.text for one in host.notices if isinstance(one, Complaint)]


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


# --- a seeded peer that says anything ----------------------------------------------------------

NUMBERS = (-(2**63), -(2**31), -2, -1, 0, 1, 2, 3, 4, 5, 9, MAX_EPOCH, HIGHEST, 2**63 - 1)


class Liar:
    """Builds requests and answers out of whatever numbers come to its mind."""

    def __init__(self, seed: int, epoch: int) -> None:
        self.random, self.epoch = Random(seed), epoch

    def number(self) -> int:
        near = (self.epoch - 1, self.epoch, self.epoch + 1)
        return self.random.choice(NUMBERS + near * 4)

    def key(self) -> ReplicaKey:
        node_id = self.random.choice((-1, 1, 2, 3, 4, HIGHEST))
        return ReplicaKey(node_id, self.random.choice((None, directory(1), directory(2))))

    def endpoints(self) -> tuple[Endpoint, ...]:
        one = Endpoint(
            self.random.choice(("CONTROLLER", "", "X")),
            self.random.choice(("", "host2", "x" * 300)),
            self.random.choice((-1, 0, 9093, 70_000)),
        )
        return self.random.choice(((), (one,), (one, one)))

    def hint(self) -> Hint:
        leader_id = self.random.choice((None, 1, 2, 3, 99))
        return Hint(leader_id, self.number(), self.endpoints())

    def request(self) -> Any:
        number, key, ends = self.number, self.key, self.endpoints
        flag, end = self.random.random() < 0.5, OffsetAndEpoch(number(), number())
        return self.random.choice(
            (
                VoteRequest(number(), key(), end, flag, key()),
                BeginEpochRequest(number(), key().id, ends(), key()),
                EndEpochRequest(number(), key().id, (key(), key()), ends()),
                FetchRequest(key(), number(), number(), number(), number(), number(), number()),
                FetchSnapshotRequest(
                    key(), number(), SnapshotId(number(), number()), number(), number()
                ),
                AddVoterRequest(key(), ends(), flag),
                RemoveVoterRequest(key()),
                UpdateVoterRequest(number(), key(), ends(), number(), number()),
                UpgradeRequest(number(), None if flag else number(), flag),
            )
        )

    def answer(self) -> Any:
        number, hint = self.number, self.hint
        error = self.random.choice((NONE, NONE, NONE, 6, 7, 35, 42, 74, 75, 98, 125, -1))
        end = OffsetAndEpoch(number(), number())
        batch = evolve(data_batch("lie"), base_offset=number(), last_offset=number(), epoch=1)
        return self.random.choice(
            (
                VoteResponse(error, hint(), self.random.random() < 0.5),
                EpochResponse(error, hint()),
                FetchResponse(error, hint(), number(), number(), records=(batch,)),
                FetchResponse(error, hint(), number(), number(), diverging=end),
                FetchResponse(error, hint(), number(), number(), snapshot=SnapshotId(*end_of(end))),
                FetchSnapshotResponse(error, hint(), SnapshotId(*end_of(end)), number(), 0, b"x"),
                VoterChangeResponse(error, hint()),
                ApiVersionsResponse(error, (number(), number())),
                Refused(error),
            )
        )


def end_of(end: OffsetAndEpoch) -> tuple[int, int]:
    return end.epoch, end.offset


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
