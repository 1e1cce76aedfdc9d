"""Prompt fail-over: followers whose leader's process is gone elect another at once."""

from __future__ import annotations

import pytest

from metaquorum.quorum.effects import RoleChanged
from metaquorum.quorum.events import LeaderLost, RequestFailed, ResignAsked
from metaquorum.quorum.messages import VoteRequest
from metaquorum.quorum.roles.follower import Follower
from metaquorum.testing.cluster import Cluster
from metaquorum.testing.fakes import ScriptedChance

REFUSED = "connection refused"


def led_by_one(*ids: int, **changes: object) -> Cluster:
    """A cluster led by node 1, in which everybody fetches."""
    cluster = Cluster.of(ids, **changes)
    assert cluster.elected() == 1
    return cluster.run_for(600)


def lose(cluster: Cluster, *ids: int, leader: int = 1) -> None:
    """The leader's process dies, and these nodes notice it."""
    cluster.crash(leader)
    for node_id in ids:
        in_flight = cluster.nodes[node_id].replica.peers.of(leader).in_flight
        if in_flight is not None:
            cluster.tell(node_id, RequestFailed(leader, in_flight.correlation, "reset by peer"))
        cluster.tell(node_id, LeaderLost(leader, REFUSED))


def test_two_that_lost_the_leader_have_another_within_a_step() -> None:
    cluster = led_by_one(1, 2, 3)
    epoch, before = cluster.nodes[2].replica.epoch, cluster.now
    lose(cluster, 2, 3)
    assert cluster.elected() == 2
    assert cluster.now - before <= 25
    assert cluster.nodes[2].replica.epoch == epoch + 1


@pytest.mark.parametrize("order", [(2, 3), (3, 2)])
def test_anyone_who_has_the_longer_log_leads_in_the_end(order: tuple[int, int]) -> None:
    cluster = led_by_one(1, 2, 3)
    cluster.isolate(2)
    cluster.append(1, "only at the third")
    cluster.run_for(30)
    cluster.heal()
    before = cluster.now
    lose(cluster, *order)
    assert cluster.elected() == 3
    assert cluster.now - before <= 100
    assert "only at the third" in cluster.payloads(3)


def test_a_follower_that_still_hears_the_leader_keeps_it() -> None:
    cluster = led_by_one(1, 2, 3)
    epoch = cluster.nodes[1].replica.epoch
    cluster.tell(2, LeaderLost(1, REFUSED))
    cluster.run_for(10_000)
    assert cluster.elected() == 1
    assert [host.replica.epoch for host in cluster.nodes.values()] == [epoch] * 3
    assert cluster.nodes[2].replica.lost is None, "it fetches again, so nothing is lost"


def test_the_leader_itself_grants_no_pre_vote() -> None:
    cluster = led_by_one(1, 2)
    cluster.tell(2, LeaderLost(1, REFUSED))
    cluster.run_for(5_000)
    assert cluster.elected() == 1


def test_one_that_notices_late_is_asked_again_soon() -> None:
    cluster = led_by_one(1, 2, 3)
    before = cluster.now
    lose(cluster, 2)
    cluster.run_for(60)
    assert cluster.nodes[2].replica.leader_id == 1, "the third has not noticed yet"
    cluster.tell(3, LeaderLost(1, REFUSED))
    cluster.elected()
    assert cluster.now - before <= 250


def test_failed_campaigns_slow_down_to_the_usual_timeouts() -> None:
    cluster = led_by_one(1, 2, 3)
    cluster.cut.add(frozenset((1, 2)))
    epoch = cluster.nodes[1].replica.epoch
    cluster.tell(2, LeaderLost(1, REFUSED))
    cluster.run_for(1_500)
    asked = [one for one in cluster.sent(VoteRequest, 2) if one.receiver == 3]
    assert 3 <= len(asked) <= 8, "refused by voters that hear from the leader"
    assert cluster.nodes[2].replica.lost is None
    assert cluster.nodes[3].replica.epoch == epoch


def test_news_about_somebody_else_moves_nothing() -> None:
    cluster = led_by_one(1, 2, 3)
    before = cluster.nodes[2].replica.value()
    for event in (LeaderLost(3, REFUSED), LeaderLost(-2, REFUSED)):
        cluster.tell(2, event)
        assert cluster.nodes[2].replica.value() == before
    cluster.tell(1, LeaderLost(1, REFUSED))
    assert cluster.elected() == 1


def test_an_observer_goes_on_asking_the_bootstrap_servers() -> None:
    cluster = Cluster.of((1, 2, 3), (4,))
    cluster.elected()
    cluster.run_for(600)
    lose(cluster, 2, 3, 4)
    leader = cluster.elected()
    cluster.run_until(lambda: cluster.nodes[4].replica.leader_id == leader, 1_000)
    assert cluster.sent(VoteRequest, 4) == []


def test_a_split_vote_is_repeated_soon() -> None:
    cluster = led_by_one(1, 2, 3, prompt_step_ms=1)
    before = cluster.now
    for node_id in (2, 3):
        cluster.nodes[node_id].replica.chance = ScriptedChance([0] * 100)
    lose(cluster, 2)
    lose(cluster, 3)
    cluster.elected()
    assert cluster.now - before <= 50


def test_the_campaign_reason_names_the_leader_and_connection_error() -> None:
    cluster = led_by_one(1, 2, 3)
    lose(cluster, 2)
    told = [one for one in cluster.nodes[2].notices if isinstance(one, RoleChanged)]
    campaign = next(one for one in told if one.after == "Prospective" and one.before == "Follower")
    assert campaign.why == "leader 1 is gone: connection refused"


def test_the_haste_ends_with_the_next_leader() -> None:
    cluster = led_by_one(1, 2, 3)
    lose(cluster, 2, 3)
    cluster.elected()
    assert cluster.nodes[2].replica.lost is None
    assert cluster.nodes[3].replica.lost is None
    role = cluster.nodes[3].replica.role
    assert isinstance(role, Follower)
    cluster.tell(2, ResignAsked(cluster.nodes[2].replica.epoch))
    cluster.restart(1)
    cluster.elected()


def test_a_lost_leader_is_asked_for_a_vote_once_a_campaign_times_out() -> None:
    """It may have come back with a shorter log, and its vote be the one that is needed."""
    cluster = led_by_one(1, 2, 3)
    cluster.crash(3)
    lose(cluster, 2)
    cluster.seen.clear()
    cluster.run_for(100)
    assert not votes_asked(cluster, 2, 1)
    cluster.run_for(8_000)
    assert votes_asked(cluster, 2, 1)


def test_a_lost_leader_is_asked_at_once_where_nobody_leads_without_it() -> None:
    """Of two voters both have to grant: waiting for a ballot that is lost would help nobody."""
    cluster = led_by_one(1, 2)
    lose(cluster, 2)
    cluster.seen.clear()
    cluster.restart(1)
    before = cluster.now
    assert cluster.elected() in (1, 2)
    assert votes_asked(cluster, 2, 1)
    assert cluster.now - before <= 100


def votes_asked(cluster: Cluster, candidate: int, voter: int) -> bool:
    """Whether one node asked another for its vote, or what it would vote."""
    return any(
        one.sender == candidate and one.receiver == voter and isinstance(one.message, VoteRequest)
        for one in cluster.seen
    )
