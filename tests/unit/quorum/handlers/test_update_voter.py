"""UpdateRaftVoter: a voter that moved, or can do more, tells the leader (KIP-853)."""

from __future__ import annotations

import pytest
from attrs import evolve

from metaquorum.quorum.events import RequestFailed, ResponseArrived
from metaquorum.quorum.messages import (
    FENCED_LEADER_EPOCH,
    INVALID_REQUEST,
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    REQUEST_TIMED_OUT,
    UNKNOWN_LEADER_EPOCH,
    UNSUPPORTED_VERSION,
    VOTER_NOT_FOUND,
    AddVoterRequest,
    FetchRequest,
    Hint,
    RemoveVoterRequest,
    Request,
    UpdateVoterRequest,
    VoterChangeResponse,
)
from metaquorum.quorum.roles.follower import Follower
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.types import Endpoint, LeaderChangeControl, ReplicaKey, VotersControl
from metaquorum.testing.cluster import Cluster
from metaquorum.testing.fakes import directory, replica_config, voter

ELSEWHERE = (Endpoint("CONTROLLER", "elsewhere", 9093),)


def quorum(*ids: int, kraft_version: int = 1, observers: tuple[int, ...] = ()) -> Cluster:
    """A quorum led by node 1, in which everybody fetches."""
    cluster = Cluster.of(ids, observers, kraft_version=kraft_version)
    assert cluster.elected() == 1
    return cluster.run_for(600)


def update(cluster: Cluster, node_id: int, **changes: object) -> UpdateVoterRequest:
    """What a node that moved elsewhere tells the leader."""
    request = UpdateVoterRequest(
        cluster.nodes[1].replica.epoch, voter(node_id).key, ELSEWHERE, 0, 1
    )
    return evolve(request, **changes)


def moves(cluster: Cluster, node_id: int) -> None:
    """Start a node again under other endpoints."""
    config = evolve(cluster.nodes[node_id].replica.config, endpoints=ELSEWHERE)
    cluster.nodes[node_id].replica.config = config
    cluster.restart(node_id)


def test_new_endpoints_are_written_and_seen_by_all() -> None:
    cluster = quorum(1, 2, 3)
    assert cluster.asked(1, update(cluster, 2)).error == NONE
    cluster.run_for(600)
    for node_id in (1, 2, 3):
        stored = cluster.nodes[node_id].replica.voters.latest.by_id(2)
        assert stored is not None
        assert stored.endpoints == ELSEWHERE


def test_the_answer_comes_with_the_append() -> None:
    cluster = quorum(1, 2, 3)
    cluster.isolate(2)
    cluster.isolate(3)
    number = cluster.ask(1, update(cluster, 2))
    assert cluster.answer(number).error == NONE
    again = cluster.asked(1, update(cluster, 3))
    assert again.error == REQUEST_TIMED_OUT, "until it is committed"


def test_what_is_known_already_is_not_written_again() -> None:
    cluster = quorum(1, 2)
    end = cluster.nodes[1].replica.log.end
    told = update(cluster, 2, endpoints=voter(2).endpoints)
    assert cluster.asked(1, told).error == NONE
    assert cluster.nodes[1].replica.log.end == end


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"epoch": 0}, FENCED_LEADER_EPOCH),
        ({"epoch": 99}, UNKNOWN_LEADER_EPOCH),
        ({"key": ReplicaKey(2)}, INVALID_REQUEST),
        ({"key": ReplicaKey(-1, directory(2))}, INVALID_REQUEST),
        ({"endpoints": ()}, INVALID_REQUEST),
        ({"endpoints": (Endpoint("OTHER", "a", 1),)}, INVALID_REQUEST),
        ({"endpoints": (Endpoint("CONTROLLER", "", 1),)}, INVALID_REQUEST),
        ({"lowest_kraft_version": -1}, INVALID_REQUEST),
        ({"lowest_kraft_version": 1, "highest_kraft_version": 0}, INVALID_REQUEST),
        ({"highest_kraft_version": 0}, INVALID_REQUEST),
        ({"key": ReplicaKey(9, directory(9))}, VOTER_NOT_FOUND),
        ({"key": ReplicaKey(2, directory(9))}, VOTER_NOT_FOUND),
    ],
)
def test_a_wrong_update_is_refused(changes: dict[str, object], error: int) -> None:
    cluster = quorum(1, 2)
    refused = cluster.asked(1, update(cluster, 2, **changes))
    assert refused.error == error
    assert refused.hint.leader_id == 1


def test_an_update_is_for_the_leader_alone() -> None:
    cluster = quorum(1, 2)
    refused = cluster.asked(2, update(cluster, 2))
    assert (refused.error, refused.hint.leader_id) == (NOT_LEADER_OR_FOLLOWER, 1)


@pytest.mark.parametrize(
    "change",
    [RemoveVoterRequest(voter(3).key), AddVoterRequest(voter(4).key, voter(4).endpoints)],
    ids=["a removal", "an addition"],
)
def test_an_update_waits_for_the_change_under_way(change: Request) -> None:
    cluster = quorum(1, 2, 3, observers=(4,))
    first = cluster.ask(1, change)
    assert cluster.answer(cluster.ask(1, update(cluster, 2))).error == REQUEST_TIMED_OUT
    cluster.run()
    assert cluster.answer(first).error == NONE
    assert cluster.asked(1, update(cluster, 2)).error == NONE


def test_nothing_is_updated_before_the_leaders_own_epoch_is_committed() -> None:
    cluster = quorum(1, 2)
    cluster.nodes[1].replica.log = evolve(cluster.nodes[1].replica.log, high_watermark=None)
    assert cluster.answer(cluster.ask(1, update(cluster, 2))).error == REQUEST_TIMED_OUT


def test_under_kraft_version_0_it_is_kept_in_memory_only() -> None:
    cluster = quorum(1, 2, kraft_version=0)
    end = cluster.nodes[1].replica.log.end
    assert cluster.asked(1, update(cluster, 2)).error == NONE
    assert cluster.nodes[1].replica.log.end == end
    role = cluster.nodes[1].replica.role
    assert isinstance(role, Leader)
    (reported,) = role.reported
    assert (reported.id, reported.endpoints) == (2, ELSEWHERE)
    stranger = update(cluster, 2, key=ReplicaKey(9, directory(9)))
    assert cluster.asked(1, stranger).error == VOTER_NOT_FOUND


# --- the voter's side ------------------------------------------------------------------------


def test_a_voter_that_moved_tells_the_leader_within_a_period() -> None:
    cluster = quorum(1, 2, 3)
    moves(cluster, 2)
    cluster.run_for(3_000)
    stored = cluster.nodes[1].replica.voters.latest.by_id(2)
    assert stored is not None
    assert stored.endpoints == ELSEWHERE
    told = len(cluster.sent(UpdateVoterRequest, 2))
    cluster.run_for(10_000)
    assert len(cluster.sent(UpdateVoterRequest, 2)) == told == 1, "it is known now"


def test_a_voter_that_is_known_as_it_is_tells_nothing() -> None:
    cluster = quorum(1, 2, 3)
    cluster.run_for(10_000)
    assert cluster.sent(UpdateVoterRequest) == []


def test_a_fetch_that_waits_at_the_leader_does_not_put_the_update_off() -> None:
    """A parked fetch is in flight when the period ends: the update is what follows it."""
    cluster = quorum(1, 2, 3)
    moves(cluster, 2)
    replica = cluster.nodes[2].replica
    while not (isinstance(replica.role, Follower) and replica.role.update_due):
        cluster.run_for(5)
        replica = cluster.nodes[2].replica
        assert cluster.sent(UpdateVoterRequest, 2) == []
    in_flight = replica.peers.of(1).in_flight
    assert in_flight is not None
    assert isinstance(in_flight.request, FetchRequest)
    cluster.run_for(500)
    assert len(cluster.sent(UpdateVoterRequest, 2)) == 1
    stored = cluster.nodes[1].replica.voters.latest.by_id(2)
    assert stored is not None
    assert stored.endpoints == ELSEWHERE


def test_the_order_of_endpoints_is_no_news() -> None:
    two = (*voter(2).endpoints, Endpoint("CLIENTS", "host2", 9092))
    cluster = quorum(1, 2)
    cluster.nodes[2].replica.config = evolve(cluster.nodes[2].replica.config, endpoints=two)
    cluster.run_for(3_000)
    assert len(cluster.sent(UpdateVoterRequest, 2)) == 1
    config = evolve(cluster.nodes[2].replica.config, endpoints=tuple(reversed(two)))
    cluster.nodes[2].replica.config = config
    cluster.run_for(10_000)
    assert len(cluster.sent(UpdateVoterRequest, 2)) == 1


def test_an_observer_tells_nothing() -> None:
    cluster = quorum(1, 2, observers=(3,))
    cluster.run_for(10_000)
    assert cluster.sent(UpdateVoterRequest, 3) == []


def test_under_kraft_version_0_each_leader_is_told_once() -> None:
    cluster = quorum(1, 2, 3, kraft_version=0)
    cluster.run_for(10_000)
    told = cluster.sent(UpdateVoterRequest)
    assert sorted((one.sender, one.receiver) for one in told) == [(2, 1), (3, 1)]
    cluster.crash(1)
    leader = cluster.elected()
    cluster.run_for(10_000)
    other = 5 - leader
    assert [one.receiver for one in cluster.sent(UpdateVoterRequest, other)][1:] == [leader]


@pytest.mark.parametrize(
    ("error", "again"),
    [(REQUEST_TIMED_OUT, True), (UNSUPPORTED_VERSION, False)],
    ids=["a change is under way", "an older leader"],
)
def test_a_refused_update_is_retried_unless_the_leader_cannot_take_it(
    error: int, again: bool
) -> None:
    cluster = quorum(1, 2, kraft_version=0)
    follower = cluster.nodes[2]
    cluster.isolate(1)
    in_flight = _asked_alone(cluster)
    hint = Hint(1, follower.replica.epoch, voter(1).endpoints)
    cluster.tell(2, ResponseArrived(1, in_flight, VoterChangeResponse(error, hint)))
    role = follower.replica.role
    assert isinstance(role, Follower)
    assert (role.update_due, role.reported) == (False, not again)


def test_a_leader_that_does_not_know_the_request_is_told_no_more() -> None:
    cluster = quorum(1, 2, kraft_version=0)
    in_flight = _asked_alone(cluster)
    cluster.tell(2, RequestFailed(1, in_flight, "no such api", unsupported=True))
    role = cluster.nodes[2].replica.role
    assert isinstance(role, Follower)
    assert role.reported


def test_an_answer_of_a_later_epoch_is_followed() -> None:
    cluster = quorum(1, 2, 3, kraft_version=0)
    in_flight = _asked_alone(cluster)
    hint = Hint(3, cluster.nodes[2].replica.epoch + 1, voter(3).endpoints)
    refused = VoterChangeResponse(NOT_LEADER_OR_FOLLOWER, hint)
    cluster.tell(2, ResponseArrived(1, in_flight, refused))
    assert cluster.nodes[2].replica.leader_id == 3
    assert cluster.nodes[2].replica.epoch == hint.epoch


def _asked_alone(cluster: Cluster) -> int:
    """Let node 2 send its update into the void; the number of the request."""
    node = cluster.nodes[2]
    cluster.isolate(2)
    role = node.replica.role
    assert isinstance(role, Follower)
    in_flight = node.replica.peers.of(1).in_flight
    assert in_flight is not None
    node.replica.role = evolve(role, update_due=True)
    node.replica.peers = node.replica.peers.answered(1)
    cluster.tell(2, RequestFailed(99, 0, "nothing; it looks at what is due"))
    sent = node.replica.peers.of(1).in_flight
    assert sent is not None
    assert isinstance(sent.request, UpdateVoterRequest)
    return sent.correlation


def test_a_leader_that_moved_writes_itself_anew_when_its_epoch_opens() -> None:
    cluster = quorum(1, 2, 3)
    moves(cluster, 1)
    cluster.run_for(600)
    leader = cluster.elected()
    for node_id in (2, 3):
        moves(cluster, node_id)
    leader = cluster.elected()
    opening = next(
        batch
        for batch in cluster.nodes[leader].disk_log
        if batch.epoch == cluster.nodes[leader].replica.epoch
    )
    kinds = [type(one.value) for one in opening.controls]
    assert kinds[0] is LeaderChangeControl
    assert VotersControl in kinds
    stored = cluster.nodes[leader].replica.voters.latest.by_id(leader)
    assert stored is not None
    assert stored.endpoints == replica_config(leader, endpoints=ELSEWHERE).endpoints
