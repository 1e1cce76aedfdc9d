"""A leader that falls silent or resigns: followers stand one after the other, split no votes."""

from __future__ import annotations

import pytest

from metaquorum.quorum.events import RequestArrived, ResponseArrived, TimePassed
from metaquorum.quorum.messages import NONE, EndEpochRequest, FetchResponse, Hint
from metaquorum.testing.cluster import Cluster

STEP_MS = 25
FETCH_MS = 2_000


def led_by_one() -> Cluster:
    cluster = Cluster.of((1, 2, 3))
    assert cluster.elected() == 1
    return cluster.run_for(600)


def silenced(cluster: Cluster) -> tuple[int, int]:
    """Cut the leader off; who leads the two others then, and after how many milliseconds."""
    began = cluster.now
    cluster.isolate(1)
    leads = [host for node_id, host in cluster.nodes.items() if node_id != 1]
    cluster.run_until(lambda: any(host.replica.role.name == "Leader" for host in leads), 10_000)
    (winner,) = [host for host in leads if host.replica.role.name == "Leader"]
    return winner.replica.config.node_id, cluster.now - began


def test_the_time_outs_of_two_followers_end_one_after_the_other() -> None:
    cluster = led_by_one()
    first, second = (cluster.nodes[node_id].replica.role.fetch_deadline for node_id in (2, 3))
    assert second - first == STEP_MS


def test_with_equal_logs_the_vote_is_not_split() -> None:
    cluster = led_by_one()
    epoch = cluster.nodes[2].replica.epoch
    _, took_ms = silenced(cluster)
    assert took_ms <= FETCH_MS + 2 * STEP_MS
    assert cluster.nodes[2].replica.epoch == cluster.nodes[3].replica.epoch == epoch + 1


@pytest.mark.parametrize("longer", [2, 3])
def test_the_longer_log_wins_without_a_second_timeout(longer: int) -> None:
    cluster = led_by_one()
    cluster.isolate(5 - longer)
    cluster.append(1, "only at one of them")
    cluster.run_for(30)
    cluster.heal()
    winner, took_ms = silenced(cluster)
    assert winner == longer
    assert took_ms <= FETCH_MS + 4 * STEP_MS
    assert "only at one of them" in cluster.payloads(winner)


def test_a_voter_that_refused_pre_vote_is_asked_again_when_it_stands() -> None:
    cluster = led_by_one()
    cluster.isolate(3)
    cluster.append(1, "only at the second")
    cluster.run_for(30)
    cluster.heal()
    cluster.isolate(1)
    cluster.tell(2, TimePassed(only="fetch"))
    cluster.run()
    assert cluster.nodes[2].replica.role.name == "Prospective", "the third still hears the leader"
    cluster.tell(3, TimePassed(only="fetch"))
    cluster.run()
    assert cluster.nodes[2].replica.role.name == "Leader"


def resigning(cluster: Cluster, *order: int) -> RequestArrived:
    """Leader 1's EndQuorumEpoch, with these successors."""
    keys = tuple(cluster.nodes[node_id].replica.config.key for node_id in order)
    return RequestArrived(77, EndEpochRequest(cluster.nodes[1].replica.epoch, 1, keys))


def answered_late(cluster: Cluster, node_id: int) -> None:
    """What leader 1 had answered to a fetch before it resigned comes in now."""
    replica = cluster.nodes[node_id].replica
    in_flight = replica.peers.of(1).in_flight
    assert in_flight is not None
    hint = Hint(1, replica.epoch)
    answer = FetchResponse(NONE, hint, replica.log.high_watermark or 0, 0)
    cluster.tell(node_id, ResponseArrived(1, in_flight.correlation, answer))


def test_the_first_successor_stands_in_the_step_in_which_it_is_named() -> None:
    cluster = led_by_one()
    cluster.tell(2, resigning(cluster, 2, 3))
    role = cluster.nodes[2].replica.role
    assert role.name == "Prospective"
    assert cluster.nodes[2].replica.why == "leader 1 resigned, and it is this node's turn to stand"


def test_a_response_after_the_resignation_keeps_the_successors_turn() -> None:
    cluster = led_by_one()
    cluster.tell(3, resigning(cluster, 2, 3))
    turn = cluster.nodes[3].replica.role.fetch_deadline
    answered_late(cluster, 3)
    role = cluster.nodes[3].replica.role
    assert (role.fetch_deadline, role.has_fetched) == (turn, False)
