"""What a replica is when it comes back: decided from its disk alone, before anybody is heard."""

from __future__ import annotations

import pytest
from attrs import evolve

from metaquorum.base.errors import InvariantViolated
from metaquorum.quorum.effects import AppendDropped, Send
from metaquorum.quorum.events import AppendAsked, Started, TimePassed
from metaquorum.quorum.messages import (
    NOT_LEADER_OR_FOLLOWER,
    EndEpochRequest,
    FetchRequest,
    VoteRequest,
)
from metaquorum.quorum.types import (
    ElectionState,
    KRaftVersionControl,
    LeaderChangeControl,
    ReplicaKey,
    VotersControl,
)
from metaquorum.testing.fakes import (
    FakeHost,
    data_batch,
    directory,
    replica_config,
    voter,
    voters,
)

THREE = voters(1, 2, 3)


def started(election: ElectionState, *ids: int, node_id: int = 1, log_end: int = 0) -> FakeHost:
    """A node that was just started over this disk."""
    log = tuple(data_batch(at).moved(at, 3, at) for at in range(log_end))
    host = FakeHost.of(node_id, voters(*ids) if ids else THREE, election=election, log=log)
    host.tell(Started())
    return host


@pytest.mark.parametrize(
    ("election", "role", "epoch"),
    [
        (ElectionState(), "Unattached", 0),
        (ElectionState(5), "Unattached", 5),
        (ElectionState(5, None, voter(2).key), "Unattached", 5),
        (ElectionState(5, None, voter(1).key), "Candidate", 5),
        (ElectionState(5, None, ReplicaKey(1, directory(9))), "Unattached", 5),
        (ElectionState(5, 1), "Resigned", 5),
        (ElectionState(5, 2), "Follower", 5),
        (ElectionState(5, 2, voter(3).key), "Follower", 5),
        (ElectionState(5, 9), "Unattached", 5),
    ],
    ids=[
        "nothing known",
        "an epoch",
        "a vote for another",
        "its own vote",
        "a vote for its id under another directory",
        "it led",
        "a leader",
        "a leader and a vote for another",
        "a leader that no voter set knows",
    ],
)
def test_the_role_to_start_in(election: ElectionState, role: str, epoch: int) -> None:
    host = started(election)
    assert (host.replica.role.name, host.replica.epoch) == (role, epoch)
    assert host.replica.election == election, "what the disk says is kept"


def test_a_leader_that_came_back_tells_the_others_and_takes_no_append() -> None:
    host = started(ElectionState(5, 1))
    told = [one for one in host.words if isinstance(one, Send)]
    assert [one.peer.id for one in told] == [2, 3]
    assert all(isinstance(one.message, EndEpochRequest) for one in told)
    assert host.replica.leader_id is None
    for epoch in (4, 5):
        words = host.tell(AppendAsked(7, (data_batch(),), epoch))
        assert words == [AppendDropped(7, NOT_LEADER_OR_FOLLOWER)]
    assert host.unsynced == []


def test_a_leader_that_came_back_campaigns_in_a_later_epoch_only() -> None:
    host = started(ElectionState(5, 1))
    host.now = 1_000
    host.tell(TimePassed(only="election"))
    assert (host.replica.role.name, host.replica.epoch) == ("Unattached", 6)
    host.settle()
    host.tell(TimePassed(only="election"))
    assert (host.replica.role.name, host.replica.epoch) == ("Prospective", 6)


def test_a_candidate_that_came_back_asks_for_votes_in_the_same_epoch() -> None:
    host = started(ElectionState(5, None, voter(1).key))
    asked = [one.message for one in host.words if isinstance(one, Send)]
    assert [type(one) for one in asked] == [VoteRequest, VoteRequest]
    assert {(one.epoch, one.pre_vote) for one in asked if isinstance(one, VoteRequest)} == {
        (5, False)
    }


@pytest.mark.parametrize("log_end", [0, 4])
def test_a_follower_that_came_back_fetches_from_its_end(log_end: int) -> None:
    host = started(ElectionState(5, 2), log_end=log_end)
    (sent,) = [one for one in host.words if isinstance(one, Send)]
    assert sent.peer.id == 2
    request = sent.message
    assert isinstance(request, FetchRequest)
    last_epoch = 3 if log_end else 0
    assert (request.epoch, request.offset, request.last_epoch) == (5, log_end, last_epoch)


def test_an_observer_that_came_back_has_no_election_to_wait_for() -> None:
    host = started(ElectionState(5, None, voter(2).key), node_id=9)
    assert host.replica.role.name == "Unattached"
    host.now = 1_000_000
    host.tell(TimePassed())
    assert host.replica.role.name == "Unattached"


def test_a_directory_of_zeros_is_no_directory() -> None:
    with pytest.raises(InvariantViolated, match="directory"):
        replica_config(1, key=ReplicaKey(1, bytes(16)))


def test_a_zero_checkpoint_with_voters_overrides_static_voters() -> None:
    host = FakeHost.of(1, voters(1), kraft_version=1)
    host.replica.voters = evolve(host.replica.voters, static=THREE)
    host.started()
    assert host.replica.role.name == "Leader", "the only voter needs nobody"
    assert [type(one.value) for one in host.disk_log[0].controls] == [
        LeaderChangeControl,
        KRaftVersionControl,
        VotersControl,
    ]
    assert (host.replica.log.end, host.replica.log.high_watermark) == (3, 3)
    assert host.replica.voters.latest == voters(1)
