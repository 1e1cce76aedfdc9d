"""Who leads? Bootstrap servers and the leader in turn, one question at a time, in both ages."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.quorum.effects import Send
from metaquorum.quorum.events import RequestFailed, ResponseArrived, TimePassed
from metaquorum.quorum.messages import (
    BROKER_NOT_AVAILABLE,
    FENCED_LEADER_EPOCH,
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    BeginEpochRequest,
    FetchRequest,
    FetchResponse,
    Hint,
    Refused,
    VoteRequest,
)
from metaquorum.quorum.types import ElectionState, Endpoint
from metaquorum.testing.cluster import Cluster
from metaquorum.testing.fakes import FakeHost, voter, voters
from tests.unit.quorum.rpc_age import RpcAge, answered, correlation, in_both_ages, said, sent

SERVERS = tuple(Endpoint("CONTROLLER", f"bootstrap{at}", 9093) for at in (1, 2))
FIRST, SECOND, LEADER = -2, -3, 3
NOBODY = FetchResponse(NOT_LEADER_OR_FOLLOWER, Hint(None, 5))
LED = Hint(LEADER, 5, voter(LEADER).endpoints)
FINE = FetchResponse(NONE, LED, high_watermark=5)


def observer(age: RpcAge, election: ElectionState | None = None, **more: Any) -> FakeHost:
    election = election or ElectionState(5)
    return age.host(election, node_id=9, bootstrap=SERVERS, request_timeout_ms=400, **more)


def following(age: RpcAge) -> FakeHost:
    node = observer(age, ElectionState(5, LEADER))
    answered(node, LEADER, FINE)
    return node


def asked(node: FakeHost) -> list[int]:
    """Whom it asked so far; never two at a time."""
    in_flight = [peer_id for peer_id, one in node.replica.peers if one.in_flight is not None]
    assert len(in_flight) <= 1
    return [one.peer.id for one in sent(node, FetchRequest)]


def later(node: FakeHost, ms: int) -> None:
    node.now += ms
    node.tell(TimePassed())


@in_both_ages
def test_a_new_observer_follows_the_leader_a_bootstrap_server_names(age: RpcAge) -> None:
    node = observer(age, ElectionState(), log=())
    (first,) = [one for one in node.words if isinstance(one, Send)]
    assert (first.peer.id, first.peer.endpoint) == (FIRST, SERVERS[0])
    request = first.message
    assert isinstance(request, FetchRequest)
    assert (request.epoch, request.offset, request.last_epoch) == (0, 0, 0)
    answered(node, FIRST, FetchResponse(FENCED_LEADER_EPOCH, LED))
    node.settle()
    assert node.disk_election == ElectionState(5, LEADER)
    assert asked(node) == [FIRST, LEADER]


def test_an_observer_that_knows_no_voter_finds_leader_and_voters() -> None:
    node = FakeHost.of(9, voters(), kraft_version=1, bootstrap=SERVERS).started()
    assert len(node.replica.voters.latest) == 0
    answered(node, FIRST, FetchResponse(FENCED_LEADER_EPOCH, LED))
    node.settle()
    assert (node.replica.role.name, asked(node)) == ("Follower", [FIRST, LEADER])
    cluster = Cluster.of((1, 2, 3), (9,), kraft_version=1)
    assert len(cluster.nodes[9].replica.voters.latest) == 0
    cluster.elected()
    cluster.run_for(600)
    assert cluster.nodes[9].replica.voters.latest == voters(1, 2, 3)
    assert cluster.nodes[9].replica.voters.kraft_version == 1


@in_both_ages
def test_a_server_that_does_not_answer_rests_and_another_is_asked(age: RpcAge) -> None:
    node = observer(age)
    node.tell(RequestFailed(FIRST, correlation(node, FIRST), "no connection"))
    assert asked(node) == [FIRST, SECOND], "at once"
    node.tell(RequestFailed(SECOND, correlation(node, SECOND), "no connection"))
    assert asked(node) == [FIRST, SECOND], "both rest"
    later(node, 19)
    assert asked(node) == [FIRST, SECOND]
    later(node, 1)
    assert asked(node) == [FIRST, SECOND, FIRST]
    later(node, 400)
    assert asked(node) == [FIRST, SECOND, FIRST, SECOND], "a silent one is passed over too"
    answered(node, SECOND, NOBODY)
    assert asked(node)[4:] == [FIRST]
    assert node.replica.role.name == "Unattached"


@in_both_ages
def test_an_observers_fetch_timeout_returns_it_to_bootstrap_servers(age: RpcAge) -> None:
    node = following(age)
    number = correlation(node, LEADER)
    node.now = 2_000
    node.tell(TimePassed(only="fetch"))
    assert (node.replica.role.name, node.replica.epoch) == ("Unattached", 5)
    assert asked(node) == [LEADER, LEADER, FIRST]
    node.tell(ResponseArrived(LEADER, number, FINE))
    assert node.replica.role.name == "Unattached", "too late"
    answered(node, FIRST, FetchResponse(NOT_LEADER_OR_FOLLOWER, LED))
    assert asked(node)[3:] == [LEADER]
    assert not sent(node, VoteRequest)


@in_both_ages
@pytest.mark.parametrize("failure", ["no connection", "BROKER_NOT_AVAILABLE", "time-out"])
def test_while_the_leader_does_not_answer_a_bootstrap_server_is_asked(
    age: RpcAge, failure: str
) -> None:
    node = following(age)
    if failure == "time-out":
        later(node, 400)
    elif failure == "no connection":
        node.tell(RequestFailed(LEADER, correlation(node, LEADER), failure))
    else:
        answered(node, LEADER, FetchResponse(BROKER_NOT_AVAILABLE, LED))
    assert asked(node) == [LEADER, LEADER, FIRST]
    assert node.replica.role.name == "Follower", "until the fetch time-out it may come back"
    answered(node, FIRST, FetchResponse(FENCED_LEADER_EPOCH, Hint(2, 6, voter(2).endpoints)))
    node.settle()
    assert node.disk_election == ElectionState(6, 2)
    assert asked(node)[3:] == [2]


@in_both_ages
def test_a_bootstrap_server_that_fails_gives_the_leader_its_next_turn(age: RpcAge) -> None:
    node = following(age)
    later(node, 400)
    assert asked(node) == [LEADER, LEADER, FIRST]
    node.tell(RequestFailed(FIRST, correlation(node, FIRST), "no connection"))
    assert asked(node) == [LEADER, LEADER, FIRST, LEADER]


@in_both_ages
def test_a_bootstrap_server_that_is_silent_gives_way_to_the_leader(age: RpcAge) -> None:
    node = following(age)
    node.tell(RequestFailed(LEADER, correlation(node, LEADER), "no connection"))
    assert asked(node) == [LEADER, LEADER, FIRST]
    later(node, 400)
    assert asked(node) == [LEADER, LEADER, FIRST, LEADER]


@in_both_ages
@pytest.mark.parametrize("refusal", [Refused(104), Refused(31)])
def test_a_server_of_another_cluster_is_rested_from_and_asked_again(
    age: RpcAge, refusal: Refused
) -> None:
    node = observer(age)
    answered(node, FIRST, refusal)
    assert asked(node) == [FIRST, SECOND]
    assert node.replica.role.name == "Unattached"


@in_both_ages
def test_an_observer_never_stands_whatever_time_passes(age: RpcAge) -> None:
    for node in (observer(age), following(age)):
        for _ in range(20):
            later(node, 2_000)
        assert (node.replica.role.name, node.replica.epoch) == ("Unattached", 5)
        assert not sent(node, VoteRequest)
        assert node.disk_election.voted is None


@in_both_ages
def test_a_voter_stands_when_its_fetch_time_out_ends_and_not_before(age: RpcAge) -> None:
    node = age.host(ElectionState(5, LEADER))
    later(node, 1_999)
    assert node.replica.role.name == "Follower"
    later(node, 1)
    assert (node.replica.role.name, node.replica.epoch) == ("Prospective", 5)
    pre_votes = [one.message for one in sent(node, VoteRequest)]
    assert [one.pre_vote for one in pre_votes] == [True, True]  # type: ignore[union-attr]


@in_both_ages
def test_a_fetch_response_is_ignored_once_another_leads_or_it_stands(
    age: RpcAge,
) -> None:
    for role in ("Prospective", "Follower"):
        node = age.host(ElectionState(5, LEADER))
        number = correlation(node, LEADER)
        if role == "Prospective":
            node.tell(TimePassed(only="fetch"))
        else:
            said(node, BeginEpochRequest(6, 2, voter(2).endpoints))
        assert node.replica.role.name == role
        before = node.replica.value()
        node.tell(ResponseArrived(LEADER, number, FINE))
        assert node.replica.value() == before
