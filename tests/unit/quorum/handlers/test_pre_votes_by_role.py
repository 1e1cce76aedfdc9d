"""Each role asked what it would vote: the table of KIP-996, row by row, and what it does not do."""

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
from metaquorum.quorum.types import ElectionState
from metaquorum.testing.fakes import FakeHost, voter
from tests.unit.quorum.rpc_age import (
    LOG_END,
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


def unattached(age: RpcAge) -> FakeHost:
    return age.host(ElectionState(5))


def unattached_voted(age: RpcAge) -> FakeHost:
    return age.host(ElectionState(5, None, age.key(3)))


def unattached_with_leader(age: RpcAge) -> FakeHost:
    node = age.host(ElectionState(5, 9))
    assert node.replica.role.name == "Unattached"
    return node


def unattached_observer(age: RpcAge) -> FakeHost:
    return age.host(ElectionState(5), node_id=9)


def follower(age: RpcAge) -> FakeHost:
    return age.host(ElectionState(5, 3))


def follower_observer(age: RpcAge) -> FakeHost:
    return age.host(ElectionState(5, 3), node_id=9)


def fetching(node: FakeHost) -> FakeHost:
    """After the leader has answered its first fetch."""
    answered(node, 3, FetchResponse(NONE, Hint(3, 5, voter(3).endpoints), high_watermark=5))
    return node


def prospective(age: RpcAge) -> FakeHost:
    node = unattached(age)
    node.tell(TimePassed(only="election"))
    return node


def prospective_with_leader(age: RpcAge) -> FakeHost:
    node = fetching(follower(age))
    node.tell(TimePassed(only="fetch"))
    assert (node.replica.role.name, node.replica.election.leader_id) == ("Prospective", 3)
    return node


ROLES: list[tuple[str, Make, bool]] = [
    ("unattached", unattached, True),
    ("unattached that voted", unattached_voted, True),
    ("unattached with a leader", unattached_with_leader, True),
    ("unattached observer", unattached_observer, True),
    ("prospective", prospective, True),
    ("prospective with a leader", prospective_with_leader, True),
    ("candidate", candidate, True),
    ("resigned", resigned, True),
    ("follower", follower, True),
    ("fetching follower", lambda age: fetching(follower(age)), False),
    ("follower that observes", follower_observer, True),
    ("fetching follower that observes", lambda age: fetching(follower_observer(age)), False),
    ("leader", leader, False),
]
each_role = pytest.mark.parametrize(
    ("make", "grants"), [row[1:] for row in ROLES], ids=[row[0] for row in ROLES]
)


def ask(age: RpcAge, epoch: int, candidate_id: int, log_end: OffsetAndEpoch) -> VoteRequest:
    return evolve(age.vote(epoch, candidate_id, log_end), pre_vote=True, receiver=None)


@in_both_ages
@each_role
@pytest.mark.parametrize("asker", [2, 7], ids=["a voter", "an observer"])
def test_a_role_says_what_it_would_vote_and_changes_nothing(
    age: RpcAge, make: Make, grants: bool, asker: int
) -> None:
    node = make(age)
    role, election = node.replica.role.name, node.disk_election
    up_to_date = ask(age, 5, asker, node.replica.log.end_id)
    answer = said(node, up_to_date)
    assert (answer.error, answer.granted, answer.hint.epoch) == (NONE, grants, 5)
    assert said(node, evolve(up_to_date, candidate=age.key(3))).granted == grants, "as often"
    assert (node.replica.role.name, node.disk_election) == (role, election)


@in_both_ages
@each_role
def test_no_role_would_vote_for_a_shorter_log(age: RpcAge, make: Make, grants: bool) -> None:
    node = make(age)
    epoch, end = node.replica.log.end_id.epoch, node.replica.log.end
    for behind in (OffsetAndEpoch(epoch, end - 1), OffsetAndEpoch(epoch - 1, end + 9)):
        answer = said(node, ask(age, 5, 2, behind))
        assert (answer.error, answer.granted) == (NONE, False)


@in_both_ages
@each_role
def test_an_older_epoch_is_fenced_by_every_role(age: RpcAge, make: Make, grants: bool) -> None:
    node = make(age)
    election = node.disk_election
    answer = said(node, ask(age, 4, 2, LOG_END))
    assert (answer.error, answer.granted, answer.hint.epoch) == (FENCED_LEADER_EPOCH, False, 5)
    assert node.disk_election == election


@in_both_ages
@each_role
def test_every_role_enters_a_later_epoch_before_judging_the_pre_vote(
    age: RpcAge, make: Make, grants: bool
) -> None:
    """It carries the epoch that the asker is in: a voter behind it is behind."""
    node = make(age)
    answer = said(node, ask(age, 6, 2, OffsetAndEpoch(6, 99)))
    assert (answer.error, answer.granted, answer.hint) == (NONE, True, Hint(None, 6))
    assert (node.replica.role.name, node.disk_election) == ("Unattached", ElectionState(6))


@in_both_ages
def test_a_follower_names_no_leader_before_its_first_successful_fetch(age: RpcAge) -> None:
    before = said(follower(age), ask(age, 5, 2, LOG_END))
    assert (before.granted, before.hint) == (True, Hint(None, 5))
    after = said(fetching(follower(age)), ask(age, 5, 2, LOG_END))
    assert (after.granted, after.hint.leader_id) == (False, 3)


@in_both_ages
def test_pre_votes_that_come_after_a_leader_are_nothing(age: RpcAge) -> None:
    node = prospective(age)
    late = [(peer_id, correlation(node, peer_id)) for peer_id in (2, 3)]
    said(node, BeginEpochRequest(5, 3, voter(3).endpoints))
    before = node.replica.value()
    for peer_id, number in late:
        node.tell(ResponseArrived(peer_id, number, VoteResponse(NONE, Hint(None, 5), True)))
    assert node.replica.value() == before
    assert (node.replica.role.name, node.replica.leader_id) == ("Follower", 3)


@in_both_ages
def test_a_prospective_follows_a_leader_that_begins_its_epoch(age: RpcAge) -> None:
    for epoch in (5, 6):
        node = prospective(age)
        assert said(node, BeginEpochRequest(epoch, 3, voter(3).endpoints)).error == NONE
        assert (node.replica.role.name, node.disk_election) == ("Follower", ElectionState(epoch, 3))


@in_both_ages
@pytest.mark.parametrize("by_time", [False, True], ids=["refused", "time-out"])
def test_without_a_leader_a_failed_campaign_ends_unattached(age: RpcAge, by_time: bool) -> None:
    node = prospective(age)
    fail(node, by_time)
    assert (node.replica.role.name, node.disk_election) == ("Unattached", ElectionState(5))


@in_both_ages
@pytest.mark.parametrize("by_time", [False, True], ids=["refused", "time-out"])
def test_with_a_leader_a_campaign_that_fails_ends_in_following_it(
    age: RpcAge, by_time: bool
) -> None:
    node = prospective_with_leader(age)
    fail(node, by_time)
    assert (node.replica.role.name, node.replica.leader_id) == ("Follower", 3)
    assert node.disk_election == ElectionState(5, 3)
    assert sent(node)[-1].peer.id == 3, "and asks it again"


def fail(node: FakeHost, by_time: bool) -> None:
    if by_time:
        node.now = node.replica.role.election_deadline  # type: ignore[union-attr]
        node.tell(TimePassed(only="election"))
    else:
        granted(node, 2, grant=False)
        granted(node, 3, grant=False)
