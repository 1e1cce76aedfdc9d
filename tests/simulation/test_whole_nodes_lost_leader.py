"""Writes in flight when whole nodes lose their leader, in virtual time (issue 27, item 6)."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from metaquorum.base.limits import REPLACED_LEADER_ANSWER_MS
from metaquorum.testing.nodes.node import SimNode
from metaquorum.testing.nodes.run import Outcome, Stage, play
from metaquorum.testing.sim.links import HELD, LOST

PATIENCE_S = 40.0  # more than the 30 s that a request has by itself
SLACK_S = 0.05
LAST_ANSWER_S = REPLACED_LEADER_ANSWER_MS / 1_000


def cut_off(stage: Stage, leader: SimNode, fate: str, *, clients: bool = False) -> None:
    """Nothing passes between the leader and the others, nor its clients if they are meant too."""
    others = [one.name for one in stage.cluster.nodes.values() if one is not leader]
    if clients:
        others += [f"client-{number}" for number in range(1, 10)]
    for other in others:
        both = [(leader.name, other), (other, leader.name)]
        stage.cluster.links.cut(both, fate=fate)


async def newer_epoch(node: SimNode, epoch: int) -> float:
    """When a node knows of an epoch above ``epoch``."""
    while node.running is None or node.running.driver.leader.epoch <= epoch:
        await trio.sleep(0.001)
    return trio.current_time()


class LostLeader:
    """A script: the leader is cut off, a write goes through a follower, the leader comes back."""

    def __init__(self, fate: str, *, is_in_flight: bool) -> None:
        self.fate = fate
        self.is_in_flight = is_in_flight
        self.waited_s = -1.0

    async def __call__(self, stage: Stage) -> None:
        leader = await stage.cluster.led()
        follower = next(one for one in stage.cluster.nodes.values() if one is not leader)
        client = stage.client(1)
        client.answer_s = PATIENCE_S
        assert await client.write("ada", follower) is not None
        epoch = follower.running.driver.leader.epoch  # type: ignore[union-attr]
        answered: list[float] = []

        async def write() -> None:
            await client.write("ada", follower)
            answered.append(trio.current_time())

        async with trio.open_nursery() as nursery:
            if self.is_in_flight:
                nursery.start_soon(write)
                await trio.sleep(0.0005)
            cut_off(stage, leader, self.fate, clients=True)
            if not self.is_in_flight:
                nursery.start_soon(write)
            known = await newer_epoch(follower, epoch)
        self.waited_s = answered[0] - known
        await client.hang_up()
        stage.cluster.links.clear()


def assert_well(outcome: Outcome) -> None:
    assert not outcome.faults, "\n".join(outcome.faults)


@pytest.mark.slow
@pytest.mark.parametrize("fate", [HELD, LOST], ids=["held", "lost"])
@pytest.mark.parametrize("is_in_flight", [True, False], ids=["before", "after"])
@pytest.mark.parametrize("seed", range(3))
def test_a_write_via_a_follower_is_answered_once_newer_epoch_is_known(
    seed: int, fate: str, is_in_flight: bool, tmp_path: Path
) -> None:
    """Not after the 30 s that it has; and nothing of it is made twice or lost."""
    script = LostLeader(fate, is_in_flight=is_in_flight)
    assert_well(play(seed, tmp_path, script))
    assert script.waited_s <= LAST_ANSWER_S + SLACK_S


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_cut_off_leader_answers_its_own_clients_once_it_resigns(
    seed: int, tmp_path: Path
) -> None:
    """It has not heard of the newer epoch, but of no majority for one and a half fetch times."""
    waited_s = []

    async def script(stage: Stage) -> None:
        leader = await stage.cluster.led()
        fetch_timeout_s = leader.config.quorum_fetch_timeout_ms / 1_000
        client = stage.client(1)
        client.answer_s = PATIENCE_S
        assert await client.write("ada", leader) is not None
        cut_off(stage, leader, HELD)
        began = trio.current_time()
        await client.write("ada", leader)
        waited_s.append((trio.current_time() - began) / fetch_timeout_s)
        await client.hang_up()
        stage.cluster.links.clear()

    assert_well(play(seed, tmp_path, script))
    print(waited_s)
    assert waited_s[0] <= 2.0
