"""Cancelled at every await: of a node under a write, of an exchange between peers, of a forwarded
request, of an orderly stop. Nothing leaks, nothing that was promised is lost.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
import trio

from metaquorum.testing.nodes.interruption import Interrupter, Task
from metaquorum.testing.nodes.node import NODE, SimNode
from metaquorum.testing.nodes.run import Outcome, Script, Stage, play

EVERY, OFTEN = 1, 7
DEPTHS = [OFTEN, pytest.param(EVERY, marks=[pytest.mark.soak, pytest.mark.timeout(3_600)])]
MOST_STEPS = 2_000
LINK_STEPS = 24
STOP_S = 5.0


def in_node(node: SimNode) -> Callable[[Task], bool]:
    """Whether a task lives in this node."""
    return lambda task: task.context.get(NODE) == node.id


def named(node: SimNode, name: str) -> Callable[[Task], bool]:
    """Whether it does, and runs the function of that name."""
    return lambda task: task.context.get(NODE) == node.id and task.name.endswith(name)


def its(task: Task, name: str) -> object:
    """A local variable of the function that a task runs."""
    frame = task.coro.cr_frame
    assert frame is not None
    return frame.f_locals[name]


def moments(every: int) -> Iterable[int]:
    """Which steps to try; each begins elsewhere, so that few tests together meet many."""
    return range(1, MOST_STEPS, every)


def played(tmp_path: Path, script: Script, interrupter: Interrupter) -> Outcome:
    """The outcome, of which nothing is broken and no descriptor is left open."""
    gc.collect()
    before = len(os.listdir("/dev/fd"))
    outcome = play(1, tmp_path, script, instruments=[interrupter])
    gc.collect()
    assert not outcome.faults, "\n".join(outcome.faults)
    assert len(os.listdir("/dev/fd")) == before
    return outcome


@pytest.mark.slow
@pytest.mark.parametrize("every", [3, *DEPTHS[1:]])
@pytest.mark.parametrize("victim", ["leader", "forwarding-follower", "other-follower"])
def test_a_node_killed_at_any_await_of_a_write_has_lost_nothing(
    victim: str, every: int, tmp_path: Path
):
    interrupter = Interrupter()
    killed: list[int] = []

    async def script(stage: Stage) -> None:
        client = stage.client(1)
        for at in moments(every):
            leader = await stage.cluster.led()
            followers = [one for one in stage.cluster.nodes.values() if one is not leader]
            asked = followers[0] if victim == "forwarding-follower" else leader
            dies = {"leader": leader, "other-follower": followers[1]}.get(victim, followers[0])
            await client.look(asked)  # so that it is connected when the count begins
            interrupter.arm(in_node(dies), at, lambda _, dies=dies: dies.kill())
            await client.write("ada", asked)
            if not interrupter.disarm():
                break
            killed.append(at)
            await dies.left(machine=True)
            await stage.cluster.revive()
            await client.hang_up()
        await client.hang_up()

    outcome = played(tmp_path, script, interrupter)
    assert len(killed) >= (6 if every == EVERY else 2) and outcome.acknowledged > 0


def cancel_exchange(task: Task) -> None:
    """What a newer request to the same peer does to one that is under way."""
    its(task, "self").interrupt()  # type: ignore[attr-defined]


@pytest.mark.slow
@pytest.mark.parametrize("every", DEPTHS)
def test_a_followers_exchange_cancelled_at_any_await_is_made_good(every: int, tmp_path: Path):
    interrupter = Interrupter()

    async def script(stage: Stage) -> None:
        client = stage.client(1)
        for at in range(1, LINK_STEPS, every):
            leader = await stage.cluster.led()
            node = next(one for one in stage.cluster.nodes.values() if one is not leader)
            interrupter.arm(named(node, "PeerLink.run"), at, cancel_exchange)
            while not interrupter.fired:
                await client.write("ada", leader)
        await client.hang_up()

    assert played(tmp_path, script, interrupter).acknowledged >= LINK_STEPS // every


@pytest.mark.slow
@pytest.mark.parametrize("every", DEPTHS)
def test_an_election_with_an_exchange_cancelled_at_any_await_ends(every: int, tmp_path: Path):
    interrupter = Interrupter()

    async def script(stage: Stage) -> None:
        for at in range(1, LINK_STEPS, every):
            leader = await stage.cluster.led()
            await stage.cluster.crashed(leader, machine=True)
            interrupter.arm(lambda task: task.name.endswith("PeerLink.run"), at, cancel_exchange)
            await stage.cluster.led()
            await stage.cluster.revive()
            assert interrupter.disarm()

    played(tmp_path, script, interrupter)


@pytest.mark.slow
@pytest.mark.parametrize("every", [2, pytest.param(EVERY, marks=pytest.mark.soak)])
def test_a_forwarded_request_given_up_at_any_await_disturbs_no_other(every: int, tmp_path: Path):
    interrupter = Interrupter()
    given_up: list[int] = []

    async def script(stage: Stage) -> None:
        client, other = stage.client(1), stage.client(2)
        leader = await stage.cluster.led()
        node = next(one for one in stage.cluster.nodes.values() if one is not leader)
        for at in moments(every):
            interrupter.arm(
                named(node, "Forwarder._carry"),
                at,
                lambda task: its(task, "one").scope.cancel(),  # type: ignore[attr-defined]
            )
            await client.write("ada", node)
            if not interrupter.disarm():
                break
            given_up.append(at)
            for _ in range(2):
                written = await other.write("ben", node)
                assert written is not None and written.returned_at is not None
            assert node.running is not None
            assert node.running.services.forwarder.statistics()["open"] == 0
        await client.hang_up()
        await other.hang_up()

    played(tmp_path, script, interrupter)
    assert len(given_up) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("every", DEPTHS)
def test_a_stop_hurried_at_any_await_ends_in_order(every: int, tmp_path: Path):
    interrupter = Interrupter()
    hurried: list[int] = []

    async def script(stage: Stage) -> None:
        client = stage.client(1)
        for at in moments(every):
            leader = await stage.cluster.led()
            await client.write("ada", leader)
            interrupter.arm(in_node(leader), at, lambda _, leader=leader: leader.hurry())
            with trio.fail_after(STOP_S):
                await leader.stop()
            was_hurried = interrupter.disarm()
            await stage.cluster.revive()
            if not was_hurried:
                break
            hurried.append(at)
        await client.hang_up()

    played(tmp_path, script, interrupter)
    assert len(hurried) >= 20 // every
