"""DescribeQuorum: how far every replica is, as its leader knows it."""

from __future__ import annotations

from attrs import evolve

from metaquorum.quorum.messages import (
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    DescribeRequest,
    DescribeResponse,
    FetchRequest,
    FetchResponse,
    Hint,
)
from metaquorum.quorum.types import ElectionState, ReplicaKey
from metaquorum.testing.fakes import FakeHost, directory, voter, voters
from tests.unit.quorum.rpc_age import RpcAge, answered, append, in_both_ages, leader, said

Row = tuple[int, int, int, int]


def described(node: FakeHost) -> DescribeResponse:
    answer = said(node, DescribeRequest(), 77)
    assert isinstance(answer, DescribeResponse)
    return answer


def voter_rows(node: FakeHost) -> list[Row]:
    return [
        (row.key.id, row.log_end, row.last_fetch_ms, row.last_caught_up_ms)
        for row in described(node).voters
    ]


def fetch(node: FakeHost, node_id: int, offset: int) -> None:
    replica = node.replica
    epoch = replica.log.last_epoch if offset > 5 else 3
    key = ReplicaKey(node_id, directory(node_id))
    said(node, FetchRequest(key, replica.epoch, offset, epoch, 0, 1_000), 55)


@in_both_ages
def test_who_does_not_lead_says_who_does_and_nothing_else(age: RpcAge) -> None:
    node = age.host(ElectionState(5, 3))
    answered(node, 3, FetchResponse(NONE, Hint(3, 5, voter(3).endpoints), high_watermark=5))
    answer = described(node)
    assert (answer.error, answer.hint.leader_id) == (NOT_LEADER_OR_FOLLOWER, 3)
    assert (answer.voters, answer.observers, answer.high_watermark) == ((), (), -1)


@in_both_ages
def test_a_voter_that_was_not_heard_yet_is_told_as_unknown(age: RpcAge) -> None:
    node = leader(age)
    end = node.replica.log.end
    node.now = 40
    assert voter_rows(node) == [(1, end, 40, 40), (2, -1, -1, -1), (3, -1, -1, -1)]
    assert described(node).high_watermark == -1


@in_both_ages
def test_followers_show_with_their_ends_and_when_they_had_everything(age: RpcAge) -> None:
    node = leader(age)
    end = node.replica.log.end
    node.now = 100
    fetch(node, 2, end)
    fetch(node, 3, 5)
    assert voter_rows(node)[1:] == [(2, end, 100, 100), (3, 5, 100, -1)]
    append(node)
    node.settle()
    node.now = 200
    fetch(node, 2, end)
    fetch(node, 3, end)
    assert voter_rows(node)[1:] == [(2, end, 200, 100), (3, end, 200, 100)]
    answer = described(node)
    assert (answer.error, answer.hint.leader_id, answer.high_watermark) == (NONE, 1, end)
    assert answer.observers == ()


@in_both_ages
def test_a_voter_that_fetches_backwards_does_not_lower_the_watermark(age: RpcAge) -> None:
    node = leader(age)
    end = node.replica.log.end
    fetch(node, 2, end)
    assert described(node).high_watermark == end
    fetch(node, 2, 5)
    assert voter_rows(node)[1][1] == 5
    assert described(node).high_watermark == end


def test_static_voters_are_told_without_directories() -> None:
    """The directories that they fetch under are known and not the voter set's."""
    node = leader(RpcAge(0))
    fetch(node, 2, node.replica.log.end)
    answer = described(node)
    assert [row.key for row in answer.voters] == [ReplicaKey(1), ReplicaKey(2), ReplicaKey(3)]
    assert [one.id for one in answer.nodes] == [1, 2, 3]
    assert answer.observers == ()


def test_in_kraft_version_1_a_fetch_without_directory_is_an_observers() -> None:
    node = leader(RpcAge(1))
    end = node.replica.log.end
    said(node, FetchRequest(ReplicaKey(2), 5, end, 5, 0, 1_000), 55)
    answer = described(node)
    assert [(row.key, row.log_end) for row in answer.observers] == [(ReplicaKey(2), end)]
    assert answer.voters[1] == evolve(answer.voters[1], key=voters(2).keys[0], log_end=-1)
    assert answer.high_watermark == -1, "it counts for nothing"
