"""Every frame of a peer that is refused is one line of the log, with the code that it was told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.effects import Answer, Complaint
from metaquorum.quorum.events import (
    RequestArrived,
    RequestFailed,
    ResponseArrived,
    TimePassed,
)
from metaquorum.quorum.messages import (
    INVALID_REQUEST,
    INVALID_VOTER_KEY,
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    UNKNOWN_SERVER_ERROR,
    BeginEpochRequest,
    EndEpochRequest,
    FetchRequest,
    FetchSnapshotRequest,
    Refused,
    UpdateVoterRequest,
    VoteRequest,
)
from metaquorum.quorum.types import (
    ElectionState,
    ReplicaKey,
    SnapshotId,
)
from metaquorum.testing.fakes import FakeHost, directory, voter
from tests.unit.quorum.liar import Liar, begin, complaints, quorum
from tests.unit.quorum.rpc_age import RpcAge, answered, in_both_ages, leader

OF_REPLICAS = (
    VoteRequest,
    BeginEpochRequest,
    EndEpochRequest,
    FetchRequest,
    FetchSnapshotRequest,
    UpdateVoterRequest,
)


def all_lines(host: FakeHost) -> int:
    return sum(isinstance(one, Complaint) for one in host.notices)


def is_discovery(message: Any, answer: Any, own_id: int) -> bool:
    """A fetch with nothing wrong in it but that another node leads."""
    fetches = isinstance(message, FetchRequest) and answer.error == NOT_LEADER_OR_FOLLOWER
    return fetches and message.max_bytes >= 0 and message.replica.id != own_id


@pytest.mark.parametrize("seed", range(12))
def test_only_refused_requests_of_a_random_peer_log_one_line_each(seed: int) -> None:
    cluster = quorum(1, 2, 3)
    victim = 1 + seed % 3
    host, liar = cluster.nodes[victim], Liar(1_000 + seed, 1)
    told = refused = 0
    for turn in range(400):
        liar.epoch = host.replica.epoch
        message = liar.request()
        before, number = all_lines(host), 1_000_000 + turn
        effects = host.replica.fork().step(RequestArrived(number, message), host.now)
        cluster.tell(victim, RequestArrived(number, message))
        (*early,) = (one for one in effects if isinstance(one, Answer) and one.id == number)
        answer = early[0].message if early else None
        lines = all_lines(host) - before
        if answer is None or answer.error == NONE or is_discovery(message, answer, victim):
            assert lines == 0, message
        elif isinstance(message, OF_REPLICAS):
            assert lines == 1, message
            refused += 1
        else:
            assert lines == (answer.error == INVALID_REQUEST), message
        told += lines
    assert refused > 100
    assert told >= refused


@pytest.mark.parametrize("seed", range(6))
def test_a_false_response_logs_0_or_1_lines_and_unexpected_errors_1(
    seed: int,
) -> None:
    cluster = quorum(1, 2, 3)
    host, liar = cluster.nodes[2], Liar(2_000 + seed, 1)
    seen = 0
    for _ in range(300):
        liar.epoch = host.replica.epoch
        asked = [(peer, one.in_flight) for peer, one in host.replica.peers if one.in_flight]
        if asked:
            peer_id, in_flight = asked[0]
            lie, before = liar.answer(), all_lines(host)
            cluster.tell(2, ResponseArrived(peer_id, in_flight.correlation, lie))
            lines = all_lines(host) - before
            assert lines <= 1, lie
            if lie.error in (INVALID_REQUEST, INVALID_VOTER_KEY, UNKNOWN_SERVER_ERROR):
                assert lines == 1, lie
                seen += 1
        cluster.now += 700
        cluster.tell(2, TimePassed())
    assert seen > 10


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (
            VoteRequest(9, ReplicaKey(3, None), OffsetAndEpoch(7, -4), False),
            "node 3 asked for a vote in epoch 9, with a log that ends at -4 of epoch 7",
        ),
        (EndEpochRequest(0, 3), "the end of an epoch names node 3 leader of epoch 0"),
        (
            FetchRequest(ReplicaKey(3, None), 0, 5, 0, 0, 10),
            "node 3 fetched from offset 5 after epoch 0, at most 10 bytes, in epoch 0",
        ),
        (
            FetchSnapshotRequest(ReplicaKey(3, None), 9, SnapshotId(2, 4), -1, 10),
            "node 3 fetched from -1 of snapshot 4-2, at most 10 bytes, in epoch 9",
        ),
        (
            UpdateVoterRequest(0, voter(3).key, voter(3).endpoints, 0, 1),
            "node 3 told where it listens, in epoch 0",
        ),
    ],
)
def test_a_refusal_is_logged_with_requester_request_address_and_error(
    message: Any, words: str
) -> None:
    cluster = quorum(1, 2, 3)
    host = cluster.nodes[1]
    answer = cluster.asked(1, message)
    cluster.tell(1, RequestArrived(999, message, "10.0.0.3:4711"))
    first, second = [one.text for one in host.notices if isinstance(one, Complaint)][-2:]
    name = {42: "INVALID_REQUEST", 74: "FENCED_LEADER_EPOCH", 75: "UNKNOWN_LEADER_EPOCH"}
    assert first == f"{words}: {name[answer.error]}; here it is epoch 1, led by 1"
    assert second == first.replace(words, f"{words}, from 10.0.0.3:4711")


def test_a_late_message_is_no_mistake_and_a_second_leader_is_one() -> None:
    cluster = quorum(1, 2, 3)
    host = cluster.nodes[2]
    cluster.asked(2, begin(3, 0))
    assert (all_lines(host), complaints(host)) == (1, [])
    cluster.asked(2, begin(3, 1))
    assert (all_lines(host), len(complaints(host))) == (2, 1)


def test_what_is_no_answer_at_all_is_a_line() -> None:
    cluster = quorum(1, 2, 3)
    host = cluster.nodes[2]
    in_flight = host.replica.peers.of(1).in_flight
    assert in_flight is not None
    failed = RequestFailed(1, in_flight.correlation, "too short", mistake=True)
    cluster.tell(2, failed)
    assert complaints(host) == ["peer 1 answered FetchRequest wrongly: too short"]


@pytest.mark.parametrize("error", [42, 31, 104, 3])
def test_a_refusal_of_the_whole_request_stops_nobody_and_is_a_line(error: int) -> None:
    cluster = quorum(1, 2, 3)
    host = cluster.nodes[2]
    in_flight = host.replica.peers.of(1).in_flight
    assert in_flight is not None
    cluster.tell(2, ResponseArrived(1, in_flight.correlation, Refused(error)))
    assert complaints(host) == [f"peer 1 answered FetchRequest with error {error}"]
    cluster.append(1, "goes on")
    cluster.run_for(1_000)
    assert "goes on" in cluster.payloads(2)


def follower(age: RpcAge) -> FakeHost:
    return age.host(ElectionState(5, 3))


def candidate(age: RpcAge) -> FakeHost:
    return age.host(ElectionState(5, None, ReplicaKey(1, directory(1))))


def resigned(age: RpcAge) -> FakeHost:
    return age.host(ElectionState(5, 1))


@in_both_ages
@pytest.mark.parametrize("error", [31, 42, 104])
@pytest.mark.parametrize(
    ("make", "asked"),
    [
        (follower, FetchRequest),
        (candidate, VoteRequest),
        (leader, BeginEpochRequest),
        (resigned, EndEpochRequest),
    ],
)
def test_a_refusal_of_each_kind_of_request_leaves_role_and_epoch(
    age: RpcAge, make: Callable[[RpcAge], FakeHost], asked: type, error: int
) -> None:
    """Not authorized, malformed, another cluster: the first two end Kafka's controller."""
    node = make(age)
    role, election = node.replica.role.name, node.disk_election
    in_flight = node.replica.peers.of(3).in_flight
    assert in_flight is not None
    assert isinstance(in_flight.request, asked)
    before = len(complaints(node))
    answered(node, 3, Refused(error))
    assert (node.replica.role.name, node.disk_election) == (role, election)
    assert complaints(node)[before:] == [f"peer 3 answered {asked.__name__} with error {error}"]
    node.now = 20
    node.tell(TimePassed())
    assert node.replica.peers.of(3).in_flight is not None or asked is BeginEpochRequest
