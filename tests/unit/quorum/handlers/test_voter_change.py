"""AddRaftVoter: every check in its order, and what an addition does (KIP-853)."""

from __future__ import annotations

import pytest
from attrs import evolve

from metaquorum.quorum.events import (
    ResignAsked,
    ResponseArrived,
    ShutdownAsked,
)
from metaquorum.quorum.messages import (
    BROKER_NOT_AVAILABLE,
    DUPLICATE_VOTER,
    INVALID_REQUEST,
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    REQUEST_TIMED_OUT,
    UNSUPPORTED_VERSION,
    AddVoterRequest,
    ApiVersionsRequest,
    ApiVersionsResponse,
    Request,
)
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.types import Endpoint, ReplicaKey
from metaquorum.testing.cluster import Cluster
from metaquorum.testing.fakes import directory, voter
from metaquorum.testing.voter_changes import add, ids_at, quorum, remove, without_followers


def test_an_observer_becomes_a_voter() -> None:
    cluster = quorum(1, observers=(2,))
    assert cluster.asked(1, add(2)).error == NONE
    cluster.run_for(600)
    assert ids_at(cluster, 1) == ids_at(cluster, 2) == [1, 2]
    assert cluster.nodes[2].replica.is_voter
    stored = cluster.nodes[2].replica.voters.latest.by_id(2)
    assert stored == voter(2)


def test_the_new_voter_is_asked_for_its_versions_where_it_will_listen() -> None:
    cluster = quorum(1, observers=(2,))
    cluster.asked(1, add(2))
    (asked,) = cluster.sent(ApiVersionsRequest)
    assert (asked.sender, asked.receiver) == (1, 2)


def test_the_answer_waits_for_the_commit() -> None:
    cluster = quorum(1, observers=(2,))
    number, leader = cluster.ask(1, add(2)), cluster.nodes[1].replica
    while (leader.voters.latest_offset or 0) < 3:
        cluster.deliver_one()
    assert cluster.answer(number) is None, "appended"
    cluster.run()
    assert cluster.answer(number).error == NONE
    assert leader.shown_high_watermark > (leader.voters.latest_offset or 0)


def test_without_ack_when_committed_the_answer_comes_with_the_append() -> None:
    cluster = quorum(1, observers=(2,))
    number = cluster.ask(1, add(2, ack_when_committed=False))
    leader = cluster.nodes[1].replica
    while cluster.answer(number) is None:
        cluster.deliver_one()
    assert cluster.answer(number).error == NONE
    assert leader.voters.latest_offset == leader.log.end - 1
    assert leader.shown_high_watermark < leader.log.end, "the new one has not fetched it"
    assert isinstance(leader.role, Leader)
    assert leader.role.change is not None, "no other change before the commit"
    cluster.run()
    assert leader.role.change is None


def test_three_are_added_one_after_the_other() -> None:
    cluster = quorum(1, observers=(2, 3))
    assert cluster.asked(1, add(2)).error == NONE
    assert cluster.asked(1, add(3)).error == NONE
    cluster.run_for(600)
    assert [ids_at(cluster, one) for one in (1, 2, 3)] == [[1, 2, 3]] * 3
    cluster.crash(1)
    assert cluster.elected() in (2, 3)


def test_add_is_for_the_leader_alone() -> None:
    cluster = quorum(1, 2, 3, observers=(4,))
    refused = cluster.asked(2, add(4))
    assert (refused.error, refused.text) == (NOT_LEADER_OR_FOLLOWER, "")
    assert refused.hint.leader_id == 1
    assert refused.hint.endpoints == voter(1).endpoints
    cluster.tell(1, ShutdownAsked(5_000))
    assert cluster.asked(1, add(4)).error == NOT_LEADER_OR_FOLLOWER, "a leader of several resigns"


def test_a_leader_that_shuts_down_takes_no_change() -> None:
    cluster = quorum(1, observers=(2,))
    leader = cluster.nodes[1].replica
    leader.shutdown_deadline = cluster.now + 1_000
    assert cluster.asked(1, add(2)).error == BROKER_NOT_AVAILABLE


@pytest.mark.parametrize(
    "request_",
    [
        add(2, key=ReplicaKey(2)),
        add(2, key=ReplicaKey(-1, directory(2))),
        add(2, endpoints=()),
        add(2, endpoints=(Endpoint("OTHER", "host2", 9093),)),
        add(2, endpoints=(Endpoint("CONTROLLER", "", 9093),)),
        add(2, endpoints=(Endpoint("CONTROLLER", "a", 1), Endpoint("controller", "b", 1))),
        add(2, endpoints=tuple(Endpoint(f"C{at}", "a", 1) for at in range(40))),
        add(2, endpoints=(Endpoint("CONTROLLER", "a" * 256, 1),)),
        add(2, endpoints=(Endpoint("CONTROLLER", "a", 1), Endpoint("b" * 256, "a", 1))),
    ],
    ids=[
        "no directory",
        "negative id",
        "no endpoints",
        "no controller listener",
        "empty host",
        "one listener twice",
        "too many listeners",
        "a host longer than any name",
        "a listener longer than any name",
    ],
)
def test_a_malformed_addition_is_invalid(request_: AddVoterRequest) -> None:
    cluster = quorum(1, observers=(2,))
    assert cluster.asked(1, request_).error == INVALID_REQUEST
    assert ids_at(cluster, 1) == [1]


def test_the_controller_listener_is_found_whatever_its_case() -> None:
    cluster = quorum(1, observers=(2,))
    endpoints = (Endpoint("controller", "host2", 9093),)
    assert cluster.asked(1, add(2, endpoints=endpoints)).error == NONE


def test_a_second_change_while_one_is_under_way_has_to_wait() -> None:
    cluster = quorum(1, 2, observers=(3, 4))
    first = cluster.ask(1, add(3))
    for second in (add(4), remove(2)):
        answer = cluster.answer(cluster.ask(1, second))
        assert answer.error == REQUEST_TIMED_OUT
        assert "another change" in answer.text
    cluster.run()
    assert cluster.answer(first).error == NONE


def test_nothing_changes_before_the_leaders_own_epoch_is_committed() -> None:
    cluster = Cluster.of((1, 2), (3,), kraft_version=1)
    cluster.run_until(lambda: cluster.nodes[1].replica.summary().is_leader)
    cluster.nodes[1].replica.log = evolve(cluster.nodes[1].replica.log, high_watermark=None)
    for request in (add(3), remove(2)):
        answer = cluster.answer(cluster.ask(1, request))
        assert answer.error == REQUEST_TIMED_OUT
        assert "committed" in answer.text


def test_kraft_version_0_knows_no_changes() -> None:
    cluster = Cluster.of((1, 2), (3,))
    cluster.elected()
    for request in (add(3), remove(2)):
        assert cluster.asked(1, request).error == UNSUPPORTED_VERSION


def test_voters_that_are_not_committed_yet_have_to_be_first() -> None:
    cluster = without_followers(1, 2, 3, observers=(4,))
    number = cluster.ask(1, remove(3))
    cluster.run_for(2_100)
    assert cluster.answer(number).error == REQUEST_TIMED_OUT
    assert ids_at(cluster, 1) == [1, 2], "the record is not taken back"
    for request in (add(4), remove(2)):
        answer = cluster.asked(1, request)
        assert answer.error == REQUEST_TIMED_OUT
        assert "not committed yet" in answer.text
    cluster.heal()
    cluster.run_for(5_000)
    assert ids_at(cluster, 1) == ids_at(cluster, 2), "committed or taken back, by all alike"


@pytest.mark.parametrize("key", [voter(2).key, ReplicaKey(2, directory(9))])
def test_an_id_that_is_a_voter_already_is_a_duplicate(key: ReplicaKey) -> None:
    cluster = quorum(1, 2)
    answer = cluster.asked(1, add(2, key=key))
    assert answer.error == DUPLICATE_VOTER
    assert "1, 2" in answer.text


def test_a_new_voter_that_cannot_be_reached_times_out_at_once() -> None:
    cluster = quorum(1, observers=(2,))
    cluster.crash(2)
    answer = cluster.asked(1, add(2))
    assert answer.error == REQUEST_TIMED_OUT
    assert "no connection" in answer.text
    again = cluster.asked(1, add(2))
    assert again.error == REQUEST_TIMED_OUT
    assert "cannot be asked" in again.text, "its connection rests"


def test_a_new_voter_that_does_not_answer_times_out_in_time() -> None:
    cluster = quorum(1, observers=(2,))
    cluster.isolate(2)
    number = cluster.ask(1, add(2))
    cluster.run_for(1_900)
    assert cluster.answer(number) is None
    cluster.run_for(200)
    assert cluster.answer(number).error == REQUEST_TIMED_OUT
    cluster.heal()
    cluster.run_for(1_000)
    assert cluster.asked(1, add(2)).error == NONE


@pytest.mark.parametrize(
    ("supported", "error"),
    [((0, 0), INVALID_REQUEST), ((2, 3), INVALID_REQUEST), (None, INVALID_REQUEST), ((1, 1), NONE)],
)
def test_the_new_voter_has_to_support_the_finalized_version(
    supported: tuple[int, int] | None, error: int
) -> None:
    cluster = quorum(1, observers=(2,))
    cluster.kraft_versions[2] = supported
    assert cluster.asked(1, add(2)).error == error
    stored = cluster.nodes[1].replica.voters.latest.by_id(2)
    assert (stored is not None) == (error == NONE)
    if stored is not None:
        assert (stored.lowest_kraft_version, stored.highest_kraft_version) == supported


def test_an_answer_with_an_error_is_a_time_out() -> None:
    cluster = quorum(1, observers=(2,))
    number = cluster.ask(1, add(2))
    in_flight = cluster.nodes[1].replica.peers.of(2).in_flight
    assert in_flight is not None
    cluster.tell(1, ResponseArrived(2, in_flight.correlation, ApiVersionsResponse(35, (0, 1))))
    assert cluster.answer(number).error == REQUEST_TIMED_OUT


def test_the_versions_of_another_node_do_not_count() -> None:
    cluster = quorum(1, 3, observers=(2,))
    number = cluster.ask(1, add(2))
    in_flight = cluster.nodes[1].replica.peers.of(2).in_flight
    assert in_flight is not None
    cluster.tell(1, ResponseArrived(3, in_flight.correlation, ApiVersionsResponse(0, (0, 1))))
    assert cluster.answer(number) is None
    assert ids_at(cluster, 1) == [1, 3]


def test_a_replica_that_never_fetched_is_behind() -> None:
    cluster = quorum(1, observers=(2,))
    answer = cluster.asked(1, add(2, key=ReplicaKey(2, directory(9))))  # it fetches under its own
    assert answer.error == REQUEST_TIMED_OUT
    assert "behind" in answer.text


def test_one_that_was_caught_up_an_hour_ago_is_not_any_more() -> None:
    cluster = quorum(1, observers=(2,))
    cluster.isolate(2)
    cluster.run_for(3_600_000 + 1_000)
    cluster.heal()
    number = cluster.ask(1, add(2))
    in_flight = cluster.nodes[1].replica.peers.of(2).in_flight
    assert in_flight is not None
    versions = ApiVersionsResponse(NONE, (0, 1))
    cluster.tell(1, ResponseArrived(2, in_flight.correlation, versions))  # before it fetches again
    assert cluster.answer(number).error == REQUEST_TIMED_OUT
    assert "behind" in cluster.answer(number).text


@pytest.mark.parametrize(
    ("request_", "error"),
    [(add(4), NOT_LEADER_OR_FOLLOWER), (remove(3), REQUEST_TIMED_OUT)],
    ids=["added, and not in the log yet", "removed, which is in the log"],
)
def test_a_change_is_lost_with_the_leadership(request_: Request, error: int) -> None:
    """Only for what was never written does the answer say to ask another node."""
    cluster = quorum(1, 2, 3, observers=(4,))
    number = cluster.ask(1, request_)
    cluster.tell(1, ResignAsked(cluster.nodes[1].replica.epoch))
    assert cluster.answer(number).error == error
    cluster.run_for(5_000)
    leader = cluster.elected()
    assert cluster.asked(leader, add(4)).error == NONE, "the next leader knows of no change"


def test_a_new_voter_counts_for_the_watermark_at_once() -> None:
    cluster = quorum(1, observers=(2,))
    assert cluster.asked(1, add(2)).error == NONE
    cluster.isolate(2)
    leader = cluster.nodes[1].replica
    before = leader.shown_high_watermark
    cluster.append(1, "needs both")
    cluster.run_for(1_000)
    assert leader.shown_high_watermark == before
    cluster.heal()
    cluster.run_for(2_500)
    assert leader.shown_high_watermark > before


def test_a_sole_voter_leader_has_time_to_hear_from_its_second_voter() -> None:
    cluster = quorum(1, observers=(2,))
    cluster.run_for(60_000)
    assert cluster.asked(1, add(2)).error == NONE
    cluster.run_for(1_000)
    assert cluster.elected() == 1
    assert cluster.nodes[1].replica.epoch == 1
    cluster.isolate(2)
    cluster.run_for(3_100)
    assert not cluster.nodes[1].replica.summary().is_leader, "check quorum holds from then on"


def test_the_number_of_voters_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metaquorum.quorum.handlers.voters.voter_change.MAX_VOTERS", 1)
    cluster = quorum(1, observers=(2,))
    assert cluster.asked(1, add(2)).error == INVALID_REQUEST
