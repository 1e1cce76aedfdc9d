"""A leader that listens elsewhere than the voters say, as they know it who cannot fetch."""

from __future__ import annotations

from metaquorum.quorum.effects import Send
from metaquorum.quorum.events import RequestFailed, TimePassed
from metaquorum.quorum.messages import (
    NONE,
    BeginEpochRequest,
    FetchResponse,
    Hint,
    VoteResponse,
)
from metaquorum.quorum.types import ElectionState, Endpoint
from metaquorum.testing.fakes import FakeHost, voter
from tests.unit.quorum.rpc_age import RpcAge, answered, correlation, said


def test_an_unreachable_leader_is_fetched_from_where_it_announces() -> None:
    age = RpcAge(0)
    node = age.host(ElectionState(5, 3))
    there = (Endpoint("CONTROLLER", "elsewhere", 9093),)
    node.tell(RequestFailed(3, correlation(node, 3), "connection refused"))
    said(node, BeginEpochRequest(5, 3, (), age.key(1)))
    assert node.replica.leader_hint.endpoints == voter(3).endpoints, (
        "it says nothing of where it is"
    )
    said(node, BeginEpochRequest(5, 3, there, age.key(1)))
    assert node.replica.leader_hint.endpoints == there
    node.now = 100
    node.tell(TimePassed())
    assert last_asked(node) == there[0]


def test_after_a_failed_campaign_a_moved_leader_keeps_its_new_address() -> None:
    """The voters may not say for a long time that it moved: to us never, as they are in its log."""
    node, there = moved_and_heard()
    in_vain(node)
    assert (node.replica.role.name, node.replica.leader_id) == ("Follower", 3)
    assert node.replica.leader_hint.endpoints == there
    assert last_asked(node) == there[0]


def test_a_leader_that_stops_answering_is_followed_where_it_announces() -> None:
    node, there = moved_and_heard()
    elsewhere = (Endpoint("CONTROLLER", "further", 9093),)
    said(node, BeginEpochRequest(5, 3, elsewhere, RpcAge(0).key(1)))
    assert node.replica.leader_hint.endpoints == there, "it answers"
    in_vain(node)
    node.tell(RequestFailed(3, correlation(node, 3), "connection refused"))
    said(node, BeginEpochRequest(5, 3, elsewhere, RpcAge(0).key(1)))
    assert node.replica.leader_hint.endpoints == elsewhere


def test_a_false_place_of_a_leader_does_not_outlive_a_campaign() -> None:
    node, there = moved_and_heard()
    in_vain(node)
    node.tell(RequestFailed(3, correlation(node, 3), "connection refused"))
    said(node, BeginEpochRequest(5, 3, (Endpoint("CONTROLLER", "nowhere", 1),), RpcAge(0).key(1)))
    assert node.replica.leader_hint.endpoints != there
    node.now += 100
    node.tell(TimePassed())
    in_vain(node)
    assert node.replica.leader_hint.endpoints == there


def moved_and_heard() -> tuple[FakeHost, tuple[Endpoint, ...]]:
    """A follower of node 3, which answers at another place than the voters say."""
    age = RpcAge(0)
    node = age.host(ElectionState(5, None))
    there = (Endpoint("CONTROLLER", "elsewhere", 9093),)
    said(node, BeginEpochRequest(5, 3, there, age.key(1)))
    answered(node, 3, FetchResponse(NONE, Hint(3, 5, there), high_watermark=0))
    return node, there


def in_vain(node: FakeHost) -> None:
    """It looks for another leader, and the others do not."""
    if node.replica.peers.of(3).in_flight is not None:
        node.tell(RequestFailed(3, correlation(node, 3), "no answer"))
    time_passes_as(node, "Follower")
    for peer_id in (2, 3):
        answered(node, peer_id, VoteResponse(NONE, Hint(None, 5), granted=False))
    time_passes_as(node, "Prospective")
    assert node.replica.role.name == "Follower"


def time_passes_as(node: FakeHost, role: str) -> None:
    while node.replica.role.name == role:
        node.now = max(node.now + 1, node.replica.deadline)
        node.tell(TimePassed())


def last_asked(node: FakeHost) -> Endpoint | None:
    return [one.peer.endpoint for one in node.words if isinstance(one, Send)][-1]
