"""Vote requests: checks in Kafka's order, and the grant table of KIP-595 and KIP-996."""

from __future__ import annotations

import pytest
from attrs import evolve

from metaquorum.base.limits import MAX_EPOCH
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.effects import Answer, SaveElection, Send
from metaquorum.quorum.events import RequestArrived, RequestFailed, ResponseArrived, TimePassed
from metaquorum.quorum.messages import (
    FENCED_LEADER_EPOCH,
    INVALID_REQUEST,
    INVALID_VOTER_KEY,
    NONE,
    UNSUPPORTED_VERSION,
    Hint,
    Refused,
    VoteRequest,
    VoteResponse,
)
from metaquorum.quorum.types import Batch, ElectionState, ReplicaKey
from metaquorum.testing.fakes import FakeHost, ScriptedChance, directory, voter, voters

TWO = voter(2).key
LOG = (Batch(0, 4, 3, 360, 5),)  # five records of epoch 3
GOOD_LOG = OffsetAndEpoch(3, 5)
VOTE = VoteRequest(6, TWO, GOOD_LOG, receiver=voter(1).key)


def host(election: ElectionState | None = None) -> FakeHost:
    return FakeHost.of(1, voters(1, 2, 3), election=election or ElectionState(5), log=LOG).started()


def prospective() -> FakeHost:
    node = host()
    node.tell(TimePassed(only="election"))
    assert node.replica.role.name == "Prospective"
    return node


def candidate() -> FakeHost:
    node = host(ElectionState(5, None, voter(1).key))
    assert node.replica.role.name == "Candidate"
    return node


def correlation_to(node: FakeHost, peer_id: int) -> int:
    in_flight = node.replica.peers.of(peer_id).in_flight
    assert in_flight is not None
    return in_flight.correlation


def ask(node: FakeHost, request: VoteRequest) -> VoteResponse:
    node.tell(RequestArrived(9, request))
    node.settle()
    answers = [word for word in node.words if isinstance(word, Answer) and word.id == 9]
    message = answers[-1].message
    assert isinstance(message, VoteResponse)
    return message


@pytest.mark.parametrize(
    ("changes", "error", "epoch"),
    [
        ({"log_end": OffsetAndEpoch(3, -1)}, INVALID_REQUEST, 5),
        ({"log_end": OffsetAndEpoch(-1, 3)}, INVALID_REQUEST, 5),
        ({"log_end": OffsetAndEpoch(6, 5)}, INVALID_REQUEST, 5),
        ({"log_end": OffsetAndEpoch(7, 5), "pre_vote": True}, INVALID_REQUEST, 5),
        ({"epoch": 4, "candidate": ReplicaKey(-1)}, FENCED_LEADER_EPOCH, 5),
        ({"candidate": ReplicaKey(-1)}, INVALID_REQUEST, 5),
        ({"candidate": voter(1).key}, INVALID_REQUEST, 5),
        ({"epoch": MAX_EPOCH + 1}, INVALID_REQUEST, 5),
        ({"receiver": voter(3).key}, INVALID_VOTER_KEY, 6),
        ({"receiver": ReplicaKey(1, directory(9))}, INVALID_VOTER_KEY, 6),
        ({"receiver": ReplicaKey(1)}, NONE, 6),
        ({"receiver": None}, NONE, 6),
    ],
)
def test_a_wrong_question_is_refused_and_only_a_good_epoch_is_taken(
    changes: dict[str, object], error: int, epoch: int
) -> None:
    node = host()
    answer = ask(node, evolve(VOTE, **changes))  # type: ignore[arg-type]
    assert (answer.error, answer.granted) == (error, error == NONE)
    assert (answer.hint.epoch, node.disk_election.epoch) == (epoch, epoch)


def test_a_vote_is_on_the_disk_before_it_is_told() -> None:
    node = host()
    assert node.tell(RequestArrived(9, VOTE)) == []
    assert node.unsynced == [
        SaveElection(1, ElectionState(6)),
        SaveElection(2, ElectionState(6, None, TWO)),
    ]
    node.sync(1)
    assert not any(isinstance(word, Answer) for word in node.words)
    node.sync(1)
    assert isinstance(node.words[-1], Answer)


@pytest.mark.parametrize(
    ("log_end", "granted"),
    [
        (OffsetAndEpoch(3, 5), True),
        (OffsetAndEpoch(4, 0), True),
        (OffsetAndEpoch(3, 6), True),
        (OffsetAndEpoch(3, 4), False),
        (OffsetAndEpoch(2, 99), False),
    ],
)
def test_the_later_epoch_wins_then_the_longer_log(log_end: OffsetAndEpoch, granted: bool) -> None:
    for pre_vote in (False, True):
        request = evolve(VOTE, log_end=log_end, pre_vote=pre_vote)
        assert ask(host(), request).granted == granted


def test_one_vote_in_an_epoch_and_the_same_again() -> None:
    node = host()
    assert ask(node, VOTE).granted
    assert not ask(node, evolve(VOTE, candidate=voter(3).key)).granted
    assert ask(node, evolve(VOTE, log_end=OffsetAndEpoch(1, 1))).granted, "whatever its log"
    assert not ask(node, evolve(VOTE, candidate=ReplicaKey(2, directory(9)))).granted
    assert not ask(node, evolve(VOTE, candidate=ReplicaKey(2))).granted
    assert ask(node, evolve(VOTE, candidate=voter(3).key, pre_vote=True)).granted


def test_a_vote_survives_a_crash() -> None:
    node = host()
    assert ask(node, VOTE).granted
    again = node.restarted().started()
    assert not ask(again, evolve(VOTE, candidate=voter(3).key)).granted
    assert ask(again, VOTE).granted


def test_a_voter_that_voted_puts_its_own_campaign_off() -> None:
    node = host()
    node.now = 900
    ask(node, VOTE)
    assert node.replica.deadline == 1_900


def test_anyone_who_is_no_voter_may_still_vote_and_be_voted_for() -> None:
    observer = FakeHost.of(9, voters(1, 2, 3), election=ElectionState(5), log=LOG).started()
    stranger = evolve(VOTE, candidate=ReplicaKey(77, directory(7)), receiver=None)
    assert ask(observer, stranger).granted


def test_a_majority_of_pre_votes_makes_candidate_and_of_votes_leader() -> None:
    node = prospective()
    asked = [word for word in node.words if isinstance(word, Send)]
    assert [(word.peer.id, word.message.pre_vote) for word in asked] == [(2, True), (3, True)]  # type: ignore[union-attr]
    node.tell(ResponseArrived(2, correlation_to(node, 2), VoteResponse(NONE, Hint(None, 5), True)))
    assert node.replica.role.name == "Candidate"
    assert node.replica.epoch == 6
    sent = [word for word in node.words if isinstance(word, Send)]
    assert sent == asked, "no vote is asked for before the own is saved"
    node.settle()
    node.tell(ResponseArrived(3, correlation_to(node, 3), VoteResponse(NONE, Hint(None, 6), True)))
    assert node.replica.role.name == "Leader"


def test_an_answer_from_a_higher_epoch_ends_the_campaign() -> None:
    node = candidate()
    told = VoteResponse(FENCED_LEADER_EPOCH, Hint(3, 8, voter(3).endpoints), False)
    node.tell(ResponseArrived(2, correlation_to(node, 2), told))
    node.settle()
    assert (node.replica.role.name, node.disk_election) == ("Follower", ElectionState(8, 3))


def test_a_late_answer_is_ignored() -> None:
    node = prospective()
    late = correlation_to(node, 2)
    node.tell(TimePassed(only="election"))
    node.tell(ResponseArrived(2, late, VoteResponse(NONE, Hint(None, 5), True)))
    assert node.replica.role.name == "Unattached"


def test_a_voter_without_pre_votes_makes_the_election_real_at_once() -> None:
    for failure in ("answer", "failure"):
        node = prospective()
        correlation = correlation_to(node, 2)
        if failure == "answer":
            node.tell(ResponseArrived(2, correlation, Refused(UNSUPPORTED_VERSION)))
        else:
            node.tell(RequestFailed(2, correlation, "Vote 1", unsupported=True))
        assert (node.replica.role.name, node.replica.epoch) == ("Candidate", 6)


def test_a_refusal_for_another_cluster_is_no_vote() -> None:
    node = candidate()
    node.tell(ResponseArrived(2, correlation_to(node, 2), Refused(104)))
    assert node.replica.role.name == "Candidate"


def test_election_time_outs_are_drawn_between_one_and_two_of_them() -> None:
    draws = ScriptedChance([0, 999])
    for deadline in (1_000, 1_999):
        node = FakeHost.of(1, voters(1, 2, 3), chance=draws).started()
        assert node.replica.deadline == deadline
    assert draws.draws == []
