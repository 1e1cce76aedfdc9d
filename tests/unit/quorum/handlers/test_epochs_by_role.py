"""The beginning and the end of an epoch, as each role hears and tells them, in both ages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from attrs import evolve

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.effects import AppendDropped, Appended, Committed, ShutdownDone
from metaquorum.quorum.events import (
    AppendAsked,
    RequestFailed,
    ResignAsked,
    ShutdownAsked,
    TimePassed,
)
from metaquorum.quorum.messages import (
    BROKER_NOT_AVAILABLE,
    FENCED_LEADER_EPOCH,
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    BeginEpochRequest,
    EndEpochRequest,
    EpochResponse,
    FetchRequest,
    FetchResponse,
    Hint,
)
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.types import ElectionState, Endpoint, ReplicaKey
from metaquorum.testing.fakes import FakeHost, data_batch, directory, voter
from tests.unit.quorum.rpc_age import (
    Make,
    RpcAge,
    answered,
    append,
    candidate,
    correlation,
    granted,
    in_both_ages,
    leader,
    said,
    sent,
)


def begin(age: RpcAge, epoch: int, leader_id: int) -> BeginEpochRequest:
    if age.kraft_version:
        return BeginEpochRequest(epoch, leader_id, voter(leader_id).endpoints, age.key(1))
    return BeginEpochRequest(epoch, leader_id)


def end(age: RpcAge, epoch: int, leader_id: int, *candidates: int) -> EndEpochRequest:
    return EndEpochRequest(epoch, leader_id, tuple(age.key(one) for one in candidates))


def told(node: FakeHost, kind: type) -> list[int]:
    return [one.peer.id for one in sent(node, kind)]


def fetch(age: RpcAge, node_id: int, node: FakeHost) -> FetchRequest:
    """A voter's fetch at the end of the leader's log."""
    log, key = node.replica.log, ReplicaKey(node_id, directory(node_id))
    return FetchRequest(key, node.replica.epoch, log.end, log.last_epoch, 0, 1_000)


# --- the beginning ---------------------------------------------------------------------------


@in_both_ages
def test_a_leader_announces_at_once_and_to_silent_voters_periodically(
    age: RpcAge,
) -> None:
    node = leader(age)
    assert told(node, BeginEpochRequest) == [2, 3]
    for peer_id in (2, 3):
        answered(node, peer_id, EpochResponse(NONE, Hint(1, 5)))
    node.now = 999
    node.tell(TimePassed())
    said(node, fetch(age, 2, node))
    assert told(node, BeginEpochRequest) == [2, 3]
    node.now = 1_000
    node.tell(TimePassed())
    assert told(node, BeginEpochRequest) == [2, 3, 3], "the second fetches"
    answered(node, 3, EpochResponse(NONE, Hint(1, 5)))
    node.now = 2_000
    node.tell(TimePassed())
    assert told(node, BeginEpochRequest) == [2, 3, 3, 2, 3]


@in_both_ages
def test_a_voter_that_fetches_needs_no_announcement(age: RpcAge) -> None:
    node = leader(age)
    role = node.replica.role
    assert isinstance(role, Leader)
    assert role.to_tell == (2, 3)
    said(node, fetch(age, 3, node))
    assert node.replica.role.to_tell == (2,)  # type: ignore[union-attr]
    for peer_id in (2, 3):
        node.tell(RequestFailed(peer_id, correlation(node, peer_id), "no connection"))
    node.now = 500
    said(node, fetch(age, 2, node))
    node.tell(TimePassed())
    assert told(node, BeginEpochRequest) == [2, 3]


@in_both_ages
def test_a_resigned_leader_follows_the_next_one(age: RpcAge) -> None:
    node = leader(age)
    node.tell(ResignAsked(5))
    assert said(node, begin(age, 6, 3)).error == NONE
    assert node.disk_election == ElectionState(6, 3)
    assert (node.replica.role.name, node.replica.leader_id) == ("Follower", 3)
    assert told(node, FetchRequest) == [3]


def test_no_more_endpoints_than_are_known_are_no_news() -> None:
    age = RpcAge(1)
    node = age.host(ElectionState(5, 3))
    other = (Endpoint("CONTROLLER", "elsewhere", 9093),)
    said(node, BeginEpochRequest(5, 3, other, age.key(1)))
    assert node.replica.leader_hint.endpoints == voter(3).endpoints
    more = (*other, Endpoint("OTHER", "elsewhere", 9092))
    said(node, BeginEpochRequest(5, 3, more, age.key(1)))
    assert node.replica.leader_hint.endpoints == more


# --- the end ---------------------------------------------------------------------------------


@in_both_ages
@pytest.mark.parametrize("make", [candidate, leader])
def test_the_end_of_an_older_epoch_moves_neither_candidate_nor_leader(
    age: RpcAge, make: Make
) -> None:
    node = make(age)
    before = node.replica.value()
    answer = said(node, end(age, 4, 3, 1, 2))
    assert (answer.error, answer.hint.epoch) == (FENCED_LEADER_EPOCH, 5)
    assert node.replica.value() == before


@in_both_ages
def test_the_first_successor_campaigns_on_learning_the_epoch(
    age: RpcAge,
) -> None:
    for epoch in (4, 5):
        node = age.host(ElectionState(epoch))
        assert said(node, end(age, 5, 3, 1, 2)).error == NONE
        assert node.disk_election == ElectionState(5, 3)
        assert node.replica.role.name == "Prospective"


@in_both_ages
def test_the_second_named_fetches_on_until_its_turn(age: RpcAge) -> None:
    node = age.host(ElectionState(5, 3))
    node.now = 100
    said(node, end(age, 5, 3, 2, 1))
    assert node.replica.role.name == "Follower"
    answered(node, 3, FetchResponse(NONE, Hint(3, 5, voter(3).endpoints), high_watermark=5))
    assert told(node, FetchRequest) == [3, 3], "and what still comes is taken"
    node.now = 599
    node.tell(TimePassed())
    assert node.replica.role.name == "Follower"
    node.now = 600
    node.tell(TimePassed())
    assert node.replica.role.name == "Prospective"


@in_both_ages
def test_an_observer_takes_no_turn(age: RpcAge) -> None:
    node = age.host(ElectionState(5, 3), node_id=9)
    assert said(node, end(age, 5, 3, 9)).error == NONE
    assert node.replica.role.fetch_deadline == 2_000  # type: ignore[union-attr]


# --- resigning and shutting down -------------------------------------------------------------


@in_both_ages
def test_quorum_state_names_a_resigned_leader_until_its_timeout(
    age: RpcAge,
) -> None:
    node = leader(age)
    node.tell(ResignAsked(5))
    assert node.settle().disk_election == ElectionState(5, 1)
    node.now = node.replica.role.election_deadline - 1  # type: ignore[union-attr]
    node.tell(TimePassed())
    assert node.settle().disk_election == ElectionState(5, 1)
    node.now += 1
    node.tell(TimePassed())
    assert node.settle().disk_election == ElectionState(6)
    assert node.replica.role.name == "Unattached"


@in_both_ages
@pytest.mark.parametrize("ids", [(1, 2), (1, 2, 3), (1, 2, 3, 4, 5)])
def test_a_leader_resigns_1_5_fetch_timeouts_after_its_last_majority(
    age: RpcAge, ids: tuple[int, ...]
) -> None:
    node = leader(age, *ids)
    needed = len(ids) // 2
    node.now = 1_000
    for peer_id in ids[1 : needed + 1]:
        said(node, fetch(age, peer_id, node))
    node.now = 3_000
    for peer_id in ids[1:needed]:  # one too few
        said(node, fetch(age, peer_id, node))
    said(node, evolve(fetch(age, 9, node), replica=ReplicaKey(9, directory(9))))
    node.now = 3_999
    node.tell(TimePassed())
    assert node.replica.role.name == "Leader"
    node.now = 4_000
    node.tell(TimePassed())
    assert node.replica.role.name == "Resigned"
    assert told(node, EndEpochRequest) == list(ids[1:])


@in_both_ages
@pytest.mark.parametrize("election", [ElectionState(5), ElectionState(5, 3)])
def test_an_observer_that_shuts_down_waits_for_nobody(age: RpcAge, election: ElectionState) -> None:
    node = age.host(election, node_id=9)
    words = node.tell(ShutdownAsked(5_000))
    assert [type(one) for one in words if isinstance(one, ShutdownDone)] == [ShutdownDone]


# --- what becomes of appends -----------------------------------------------------------------


@in_both_ages
@pytest.mark.parametrize(
    ("request_of", "role"),
    [
        (lambda age: begin(age, 6, 3), "Follower"),
        (lambda age: age.vote(6, 2, OffsetAndEpoch(5, 99)), "Unattached"),
        (lambda age: age.vote(6, 2, OffsetAndEpoch(0, 0)), "Unattached"),
    ],
    ids=["Follower", "Voted", "Unattached"],
)
def test_who_leads_no_more_promises_nothing_of_what_it_had_appended(
    age: RpcAge, request_of: Callable[[RpcAge], object], role: str
) -> None:
    """The records stay in the log until the next leader cuts or commits them; no room is kept."""
    node = leader(age, uncommitted_max_bytes=300)
    while isinstance(append(node)[0], Appended):
        assert node.replica.summary().uncommitted_bytes <= 300
    assert node.replica.summary().uncommitted_bytes > 200, "the room is used up"
    end_before, committed = node.replica.log.end, node.replica.log.high_watermark
    said(node, request_of(age))  # type: ignore[arg-type]
    assert (node.replica.role.name, node.replica.epoch) == (role, 6)
    for epoch in (5, 6):
        words = node.tell(AppendAsked(8, (data_batch(),), epoch))
        assert words == [AppendDropped(8, NOT_LEADER_OR_FOLLOWER)]
    assert not any(isinstance(one, Committed) for one in node.settle().words)
    assert (node.replica.log.end, node.replica.log.high_watermark) == (end_before, committed)
    assert node.replica.summary().uncommitted_bytes == 0


@in_both_ages
def test_an_append_at_a_leader_that_shuts_down_is_refused(age: RpcAge) -> None:
    node = leader(age)
    node.replica.shutdown_deadline = 5_000
    assert append(node)[0] == AppendDropped(7, BROKER_NOT_AVAILABLE)


@in_both_ages
def test_who_is_elected_while_it_shuts_down_hands_over_at_once(age: RpcAge) -> None:
    node = candidate(age)
    node.tell(ShutdownAsked(5_000))
    assert not any(isinstance(one, ShutdownDone) for one in node.words)
    granted(node, 2)
    assert node.replica.role.name == "Resigned"
    assert node.replica.leader_id is None
    assert told(node, EndEpochRequest) == [2, 3]
    assert not any(isinstance(one, ShutdownDone) for one in node.words), "nobody else leads yet"
    said(node, begin(age, 6, 3))
    assert sum(isinstance(one, ShutdownDone) for one in node.words) == 1


@in_both_ages
def test_a_leader_named_in_its_own_epoch_is_no_news_to_it(age: RpcAge) -> None:
    for request in (begin(age, 5, 1), end(age, 5, 1, 2)):
        node = leader(age)
        before = node.replica.value()
        answer = said(node, request)
        assert (answer.error, answer.hint.leader_id) == (NONE, 1)
        assert node.replica.value() == before


@in_both_ages
def test_a_resigned_leader_does_not_lead_again_at_a_peers_request(age: RpcAge) -> None:
    for request in (begin(age, 5, 1), end(age, 5, 1, 2)):
        node = leader(age)
        node.tell(ResignAsked(5))
        before = node.replica.value()
        answer = said(node, request)
        assert (answer.error, answer.hint) == (FENCED_LEADER_EPOCH, Hint(None, 5))
        assert node.replica.value() == before
