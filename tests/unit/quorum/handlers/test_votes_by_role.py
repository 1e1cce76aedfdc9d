"""Each role asked for its vote: what it answers, what it becomes, what its disk remembers."""

from __future__ import annotations

import pytest
from attrs import evolve

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.events import ResponseArrived, TimePassed
from metaquorum.quorum.messages import (
    FENCED_LEADER_EPOCH,
    NONE,
    BeginEpochRequest,
    FetchResponse,
    Hint,
    VoteRequest,
    VoteResponse,
)
from metaquorum.quorum.types import ElectionState, LeaderChangeControl
from metaquorum.testing.fakes import FakeHost, voter
from tests.unit.quorum.rpc_age import (
    OWN,
    Make,
    RpcAge,
    answered,
    candidate,
    correlation,
    granted,
    in_both_ages,
    leader,
    resigned,
    said,
    sent,
)


def defeated(age: RpcAge) -> FakeHost:
    """It stood in epoch 5, was refused, and its time-out passed."""
    node = candidate(age)
    granted(node, 2, grant=False)
    granted(node, 3, grant=False)
    assert (node.replica.role.name, node.replica.epoch) == ("Candidate", 5), "until its time-out"
    node.now = node.replica.deadline
    node.tell(TimePassed())
    assert (node.replica.role.name, node.replica.epoch) == ("Prospective", 5)
    return node


@in_both_ages
@pytest.mark.parametrize("make", [resigned, defeated], ids=["leadership", "candidacy"])
def test_an_epoch_that_was_led_or_stood_in_has_no_vote_for_another(age: RpcAge, make: Make) -> None:
    node = make(age)
    before = node.disk_election
    answer = said(node, age.vote(5, 2, OffsetAndEpoch(4, 99)))
    assert (answer.error, answer.granted) == (NONE, False)
    assert node.disk_election == before


@in_both_ages
@pytest.mark.parametrize("make", [resigned, defeated], ids=["leadership", "candidacy"])
def test_a_higher_epoch_has_one_and_it_is_saved(age: RpcAge, make: Make) -> None:
    node = make(age)
    answer = said(node, age.vote(6, 2, OffsetAndEpoch(5, 99)))
    assert (answer.error, answer.granted, answer.hint.epoch) == (NONE, True, 6)
    assert node.disk_election == ElectionState(6, None, age.key(2))


@in_both_ages
def test_a_follower_keeps_its_leader_and_votes_in_a_later_epoch_only(age: RpcAge) -> None:
    node = age.host(ElectionState(5, 3))
    answered(node, 3, FetchResponse(NONE, Hint(3, 5, voter(3).endpoints), high_watermark=5))
    answer = said(node, age.vote(5, 2))
    assert (answer.error, answer.granted, answer.hint.leader_id) == (NONE, False, 3)
    assert node.disk_election == ElectionState(5, 3)
    behind = said(node, age.vote(6, 2, OffsetAndEpoch(3, 4)))
    assert (behind.error, behind.granted, behind.hint) == (NONE, False, Hint(None, 6))
    assert said(node, age.vote(7, 2)).granted
    assert node.disk_election == ElectionState(7, None, age.key(2))


@in_both_ages
def test_who_asks_for_pre_votes_still_has_its_vote(age: RpcAge) -> None:
    node = age.host(ElectionState(5))
    node.tell(TimePassed(only="election"))
    assert node.replica.role.name == "Prospective"
    assert said(node, age.vote(5, 2)).granted


@in_both_ages
def test_anyone_who_voted_votes_for_another_in_a_later_epoch_only(age: RpcAge) -> None:
    node = age.host(ElectionState(5, None, age.key(2)))
    assert said(node, age.vote(5, 2)).granted
    assert not said(node, age.vote(5, 3)).granted
    assert said(node, age.vote(6, 3)).granted
    assert node.disk_election == ElectionState(6, None, age.key(3))


@in_both_ages
@pytest.mark.parametrize("make", [leader, candidate])
def test_who_leads_or_stands_refuses_in_its_epoch_and_stays(age: RpcAge, make: Make) -> None:
    node = make(age)
    before = node.replica.value()
    answer = said(node, age.vote(5, 2, OffsetAndEpoch(4, 99)))
    assert (answer.error, answer.granted) == (NONE, False)
    assert node.replica.value() == before


@in_both_ages
@pytest.mark.parametrize("pre_vote", [False, True])
def test_a_leader_answers_an_observer_like_any_other(age: RpcAge, pre_vote: bool) -> None:
    node = leader(age)
    asked = evolve(age.vote(4, 9), pre_vote=pre_vote)
    old = said(node, asked)
    assert (old.error, old.granted, old.hint.leader_id) == (FENCED_LEADER_EPOCH, False, 1)
    same = said(node, evolve(asked, epoch=5, log_end=OffsetAndEpoch(4, 99)))
    assert (same.error, same.granted, same.hint.leader_id) == (NONE, False, 1)
    assert node.replica.role.name == "Leader"
    later = said(node, evolve(asked, epoch=6, log_end=OffsetAndEpoch(5, 99)))
    assert (later.error, later.granted) == (NONE, True)
    assert node.replica.epoch == 6


@in_both_ages
@pytest.mark.parametrize("ids", [(1, 2), (1, 2, 3), (1, 2, 3, 4, 5)])
def test_a_candidate_leads_with_the_first_vote_that_suffices(
    age: RpcAge, ids: tuple[int, ...]
) -> None:
    node = age.host(ElectionState(5, None, OWN), *ids)
    needed = len(ids) // 2
    for peer_id in ids[1:needed]:
        granted(node, peer_id)
        assert node.replica.role.name == "Candidate"
    granted(node, ids[needed])
    assert node.replica.role.name == "Leader"
    (opening,) = node.disk_log[1:]
    opened = opening.controls[0].value
    assert isinstance(opened, LeaderChangeControl)
    assert opened.leader_id == 1
    assert [key.id for key in opened.voters] == list(ids)
    assert [key.id for key in opened.granting] == [1, *ids[1 : needed + 1]]
    assert len(opening.controls) == (3 if age.kraft_version else 1), "voters of the zero checkpoint"
    told = sent(node, BeginEpochRequest)
    assert [one.peer.id for one in told] == list(ids[1:])
    assert {one.message.epoch for one in told} == {5}  # type: ignore[union-attr]


@in_both_ages
def test_timed_out_vote_requests_are_resent_and_late_answers_ignored(
    age: RpcAge,
) -> None:
    node = age.host(ElectionState(5, None, OWN), request_timeout_ms=300)
    first = correlation(node, 2)
    node.now = 300
    node.tell(TimePassed())
    second = correlation(node, 2)
    assert second != first
    yes = VoteResponse(NONE, Hint(None, 5), True)
    node.tell(ResponseArrived(2, first, yes))
    assert node.replica.role.name == "Candidate"
    node.tell(ResponseArrived(2, second, yes))
    assert node.replica.role.name == "Leader"


@in_both_ages
def test_a_losing_candidate_seeks_pre_votes_then_stands_in_next_epoch(age: RpcAge) -> None:
    node = defeated(age)
    asked = sent(node, VoteRequest)[-2:]
    assert [(one.peer.id, one.message.epoch, one.message.pre_vote) for one in asked] == [  # type: ignore[union-attr]
        (2, 5, True),
        (3, 5, True),
    ]
    granted(node, 3)
    assert (node.replica.role.name, node.replica.epoch) == ("Candidate", 6)
    assert node.disk_election == ElectionState(6, None, OWN)


@in_both_ages
def test_votes_that_come_after_another_leader_are_nothing(age: RpcAge) -> None:
    node = candidate(age)
    late = [(peer_id, correlation(node, peer_id)) for peer_id in (2, 3)]
    said(node, BeginEpochRequest(5, 2, voter(2).endpoints))
    before = node.replica.value()
    for peer_id, number in late:
        node.tell(ResponseArrived(peer_id, number, VoteResponse(NONE, Hint(None, 5), True)))
    assert node.replica.value() == before
    assert (node.replica.role.name, node.replica.leader_id) == ("Follower", 2)
