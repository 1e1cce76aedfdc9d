"""BeginQuorumEpoch and EndQuorumEpoch: who is believed, and when the next one campaigns."""

from __future__ import annotations

import pytest
from attrs import evolve

from metaquorum.quorum.effects import Answer, Send
from metaquorum.quorum.events import RequestArrived, RequestFailed, TimePassed
from metaquorum.quorum.handlers.election.end_epoch import turn_ms
from metaquorum.quorum.messages import (
    FENCED_LEADER_EPOCH,
    INVALID_REQUEST,
    INVALID_VOTER_KEY,
    NONE,
    BeginEpochRequest,
    EndEpochRequest,
    EpochResponse,
)
from metaquorum.quorum.types import ElectionState, Endpoint, ReplicaKey
from metaquorum.testing.cluster import Cluster
from metaquorum.testing.fakes import FakeHost, voter, voters

ONE, TWO, THREE = (voter(one).key for one in (1, 2, 3))
BEGIN = BeginEpochRequest(6, 3, voter(3).endpoints, ONE)
END = EndEpochRequest(5, 3, (TWO, ONE))


def host(election: ElectionState) -> FakeHost:
    return FakeHost.of(1, voters(1, 2, 3), election=election).started()


def ask(node: FakeHost, request: BeginEpochRequest | EndEpochRequest) -> EpochResponse:
    node.tell(RequestArrived(9, request))
    node.settle()
    message = [word for word in node.words if isinstance(word, Answer)][-1].message
    assert isinstance(message, EpochResponse)
    return message


def test_a_new_leader_is_saved_followed_and_fetched_from() -> None:
    node = host(ElectionState(5))
    answer = ask(node, BEGIN)
    assert (answer.error, answer.hint.leader_id, answer.hint.epoch) == (NONE, 3, 6)
    assert node.disk_election == ElectionState(6, 3)
    fetches = [word for word in node.words if isinstance(word, Send)]
    assert [word.peer.id for word in fetches] == [3]


def test_a_vote_of_the_same_epoch_is_kept_beside_the_leader() -> None:
    node = host(ElectionState(6, None, TWO))
    ask(node, BEGIN)
    assert node.disk_election == ElectionState(6, 3, TWO)


@pytest.mark.parametrize(
    ("changes", "error", "election"),
    [
        ({"epoch": 4}, FENCED_LEADER_EPOCH, ElectionState(5)),
        ({"epoch": 4, "leader_id": -1}, FENCED_LEADER_EPOCH, ElectionState(5)),
        ({"leader_id": -1}, INVALID_REQUEST, ElectionState(5)),
        ({"leader_id": 1}, INVALID_REQUEST, ElectionState(5)),
        ({"leader_id": 77, "endpoints": ()}, INVALID_REQUEST, ElectionState(5)),
        ({"endpoints": ()}, NONE, ElectionState(6, 3)),
        ({"receiver": TWO}, INVALID_VOTER_KEY, ElectionState(6, 3)),
        (
            {"leader_id": 77, "endpoints": (Endpoint("CONTROLLER", "h", 1),)},
            NONE,
            ElectionState(6, 77),
        ),
    ],
)
def test_who_is_believed(changes: dict[str, object], error: int, election: ElectionState) -> None:
    node = host(ElectionState(5))
    assert ask(node, evolve(BEGIN, **changes)).error == error  # type: ignore[arg-type]
    assert node.disk_election == election


def test_a_second_leader_of_the_same_epoch_is_fenced_and_ignored() -> None:
    node = host(ElectionState(5, 2))
    assert ask(node, evolve(BEGIN, epoch=5)).error == FENCED_LEADER_EPOCH
    assert (node.replica.role.name, node.disk_election) == ("Follower", ElectionState(5, 2))


def test_a_leader_is_not_told_by_another_that_it_leads_no_more() -> None:
    cluster = Cluster.of((1, 2, 3))
    leader = cluster.elected()
    said = cluster.tell(leader, RequestArrived(50, evolve(BEGIN, epoch=1, receiver=None)))
    assert said[0].message.error == FENCED_LEADER_EPOCH  # type: ignore[union-attr]
    assert cluster.nodes[leader].replica.summary().is_leader


def test_more_endpoints_of_the_same_leader_are_taken() -> None:
    node = host(ElectionState(5, 3))
    more = (*voter(3).endpoints, Endpoint("OTHER", "h", 2))
    ask(node, evolve(BEGIN, epoch=5, endpoints=more))
    assert node.replica.leader_hint.endpoints == more


def test_an_announcement_does_not_put_off_the_fetch_time_out() -> None:
    node = host(ElectionState(5, 3))
    node.now = 1_500
    ask(node, evolve(BEGIN, epoch=5))
    deadlines = {node.replica.role.fetch_deadline}  # type: ignore[union-attr]
    assert deadlines == {2_000}


@pytest.mark.parametrize(
    ("candidates", "wait"),
    [
        ((ONE, TWO), 0),
        ((TWO, ONE), 500),
        ((TWO, THREE, ONE), 500),
        ((TWO, THREE, ReplicaKey(4), ONE), 500),
        ((TWO, THREE), 1_000),
        ((), 1_000),
        ((ReplicaKey(1), TWO), 0),
        ((ReplicaKey(1, b"x" * 16), TWO), 1_000),
    ],
)
def test_turns_double_down_the_list(candidates: tuple[ReplicaKey, ...], wait: int) -> None:
    assert turn_ms(ONE, candidates, 1_000) == wait


def test_the_first_in_the_list_campaigns_at_once() -> None:
    node = host(ElectionState(5, 3))
    assert ask(node, evolve(END, candidates=(ONE, TWO))).error == NONE
    node.tell(TimePassed())
    assert node.replica.role.name == "Prospective"


def test_end_quorum_epoch_names_the_leader_and_sets_a_campaign_turn() -> None:
    node = host(ElectionState(4))
    ask(node, END)
    assert node.disk_election == ElectionState(5, 3)
    assert node.replica.role.fetch_deadline == 500  # type: ignore[union-attr]


def test_the_end_of_an_older_epoch_is_no_news() -> None:
    node = host(ElectionState(6, 2))
    assert ask(node, END).error == FENCED_LEADER_EPOCH
    assert node.replica.role.fetch_deadline == 2_000  # type: ignore[union-attr]


def test_a_restarted_leader_ends_its_epoch_without_successors() -> None:
    node = host(ElectionState(5, 1))
    sent = [word for word in node.words if isinstance(word, Send)]
    assert [(word.peer.id, word.message) for word in sent] == [
        (other, EndEpochRequest(5, 1, (), voter(1).endpoints)) for other in (2, 3)
    ]
    assert node.replica.hint.leader_id is None


def test_a_leader_repeats_its_announcement_to_an_unreachable_voter() -> None:
    cluster = Cluster.of((1, 2, 3), with_bootstrap=False)
    cluster.crash(3)
    leader = cluster.elected()
    told = len(cluster.sent(BeginEpochRequest, leader))
    cluster.run_for(900)
    assert len(cluster.sent(BeginEpochRequest, leader)) == told
    cluster.run_for(1_200)
    assert len(cluster.sent(BeginEpochRequest, leader)) > told


def test_a_failure_nobody_waits_for_is_ignored() -> None:
    node = host(ElectionState(5))
    before = node.replica.value()
    node.tell(RequestFailed(3, 99, "late"))
    assert node.replica.value() == before
