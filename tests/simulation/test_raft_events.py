"""The stories of Kafka's own event simulation of KRaft, by their names, over sizes and seeds.

Every event is held against the rules of ``metaquorum.testing.simulator.invariants`` meanwhile:
monotonic watermarks and epochs, one leader in an epoch, committed data that never differs.
"""

from __future__ import annotations

import pytest

from metaquorum.testing.sim.happening import Happening
from metaquorum.testing.simulator.weather import HAPPENINGS
from tests.simulation.cluster import Cluster

SHAPES = [(3, 0), (3, 2), (4, 1), (5, 3)]
SMALL = [(1, 0), (1, 3), (2, 1), *SHAPES]
MORE = 10


def parts(shapes: list[tuple[int, int]]) -> pytest.MarkDecorator:
    cases = [(seed, voters, observers) for seed, (voters, observers) in enumerate(shapes)]
    return pytest.mark.parametrize(("seed", "voters", "observers"), cases)


@parts(SMALL)
def test_can_elect_initial_leader(seed: int, voters: int, observers: int) -> None:
    cluster = Cluster.running(seed, voters, observers)
    leader = cluster.until_led()
    assert leader in cluster.voters
    cluster.until_all_reach(MORE)


@pytest.mark.parametrize("orderly", [False, True])
@parts(SHAPES)
def test_can_elect_new_leader_after_old_leader_failure(
    seed: int, voters: int, observers: int, orderly: bool
) -> None:
    cluster = Cluster.running(seed, voters, observers)
    old = cluster.until_led()
    cluster.until_all_reach(MORE)
    (cluster.stop if orderly else cluster.kill)(old)
    cluster.until_all_reach(2 * MORE)
    assert cluster.leader() != old
    cluster.start(old)
    cluster.until_all_reach(cluster.most() + MORE)


@parts(SMALL)
def test_can_recover_after_all_nodes_killed(seed: int, voters: int, observers: int) -> None:
    cluster = Cluster.running(seed, voters, observers)
    cluster.until_led()
    cluster.until_all_reach(MORE)
    reached = cluster.most()
    for one in cluster.up:
        cluster.kill(one)
    majority = list(cluster.voters)[: voters // 2 + 1]
    for one in majority:
        cluster.start(one)
    cluster.until_all_reach(reached + MORE, majority)


@parts(SHAPES)
def test_can_elect_new_leader_after_old_leader_partitioned_away(
    seed: int, voters: int, observers: int
) -> None:
    cluster = Cluster.running(seed, voters, observers)
    old = cluster.until_led()
    cluster.until_all_reach(MORE)
    cluster.isolate(old)
    others = [one for one in cluster.up if one != old]
    cluster.until_all_reach(cluster.most() + 2 * MORE, others)
    assert cluster.leader(old) in others


@pytest.mark.parametrize("observers", [0, 3])
def test_can_make_progress_if_majority_is_reachable(observers: int) -> None:
    cluster = Cluster.running(1, 5, observers)
    cluster.until_led()
    cluster.until_all_reach(MORE)
    minority, majority = (1, 2), (3, 4, 5)
    cluster.cut(minority, majority)
    before = max(cluster.log_end(one) for one in majority)
    cluster.until(
        lambda: any(cluster.watermark(one) >= 2 * before for one in majority), "twice the log"
    )
    assert max(cluster.watermark(one) for one in majority) > max(
        cluster.watermark(one) for one in minority
    )
    cluster.heal()
    cluster.until_all_reach(cluster.most())


@parts(SHAPES)
def test_can_make_progress_after_back_to_back_leader_failures(
    seed: int, voters: int, observers: int
) -> None:
    cluster = Cluster.running(seed, voters, observers)
    first = cluster.until_led()
    cluster.until_all_reach(MORE)
    cluster.isolate(first)
    second = cluster.until_led(other_than=first)
    reached = cluster.most()
    cluster.heal()
    cluster.isolate(second)
    others = [one for one in cluster.up if one != second]
    cluster.until_all_reach(reached + MORE, others)


@parts(SHAPES)
def test_can_recover_from_single_node_committed_data_loss(
    seed: int, voters: int, observers: int
) -> None:
    cluster = Cluster.running(seed, voters, observers)
    old = cluster.until_led()
    cluster.until_all_reach(MORE)
    lost = list(cluster.voters)[seed % voters]
    reached = cluster.most()
    # It comes back with an empty disk once nothing depends any more on what it forgot: should it
    # have led, another leads by then.
    HAPPENINGS["wiped"](cluster.world, Happening.of(0, "wiped", node=lost))
    assert cluster.world.counts["wiped"] == 1
    cluster.until(lambda: cluster.node(lost).is_up, "the node that lost its disk")
    assert lost != old or cluster.leader(other_than=lost) is not None
    cluster.until_all_reach(reached + MORE)


def test_an_isolated_node_that_comes_back_raises_no_epoch() -> None:
    """KIP-996: with pre-votes a voter that was cut off disturbs nobody when it returns."""
    cluster = Cluster.running(2, 3)
    leader = cluster.until_led()
    cluster.until_all_reach(MORE)
    away = next(one for one in cluster.voters if one != leader)
    epoch = cluster.epoch(leader)
    cluster.isolate(away)
    cluster.until_all_reach(cluster.most() + 40 * MORE, [leader])
    cluster.heal()
    cluster.until_all_reach(cluster.most())
    assert {cluster.epoch(one) for one in cluster.up} == {epoch}
    assert cluster.leader() == leader
