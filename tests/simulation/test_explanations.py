"""Explanations of histories whose causes are known: whole nodes in virtual time, seed by seed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import pytest
import trio
from attrs import define, field

from metaquorum.flight.directory import log_evidence
from metaquorum.flight.evidence import CONTROLLER, Outcome, Probed
from metaquorum.flight.explaining import explain
from metaquorum.flight.explanation import Cause, Certainty, Event, EventKind, Timeouts
from metaquorum.flight.history import History
from metaquorum.storage.posix import PosixDisk
from metaquorum.testing.nodes.cluster import SimCluster
from metaquorum.testing.nodes.node import SimNode
from metaquorum.testing.nodes.run import Stage, play
from metaquorum.testing.sim.links import HELD, LOST

LONG_SEEDS = range(2, 8)
ASK_S = 0.25
SETTLE_S = 13.0
TIMEOUT_MS = 250
AT_ONCE = (Outcome.ANSWERED, Outcome.CLOSED, Outcome.REFUSED)


@define
class Asker:
    """Stands for the recorder: asks every node, and sees what a process beside them would see.

    What the nodes' machines answer follows from whether a process runs and a link is cut.
    """

    cluster: SimCluster
    seen: list[Probed] = field(factory=list)
    cut: set[int] = field(factory=set)
    down: set[int] = field(factory=set)
    silent: set[int] = field(factory=set)

    async def run(self) -> None:
        while True:
            for node in self.cluster.nodes.values():
                self._ask(node)
            await trio.sleep(ASK_S)

    def ended(self, node: SimNode) -> None:
        """Its process ends now: the connection to it does in the same moment."""
        self.down.add(node.id)
        self._note(node, Outcome.CLOSED)

    def started(self, node: SimNode) -> None:
        """Another process of it begins."""
        self.cluster.start(node)
        self.down.discard(node.id)

    def _ask(self, node: SimNode) -> None:
        if node.id in self.cut:
            self._note(node, Outcome.UNREACHABLE)
        elif node.id in self.silent:
            self._note(node, Outcome.SILENT)
        elif node.id in self.down:
            self._note(node, Outcome.REFUSED)
        else:
            self._note(node, Outcome.ANSWERED)

    def _note(self, node: SimNode, outcome: Outcome) -> None:
        took_ms = 0 if outcome in AT_ONCE else TIMEOUT_MS
        now_ms = node.clock.wall_ms()
        self.seen.append(Probed(now_ms, took_ms, node.id, CONTROLLER, outcome, True))


@define
class Truth:
    """What was done to a leader, and when."""

    node_id: int
    time_ms: int
    cause: Cause


@define
class Played:
    """A history, what is seen of it, and what was done."""

    asker: Asker
    truths: list[Truth] = field(factory=list)

    def note(self, node: SimNode, cause: Cause) -> None:
        self.truths.append(Truth(node.id, node.clock.wall_ms(), cause))


Trouble = Callable[[SimCluster, SimNode, Played, Random], Awaitable[None]]


async def killed(cluster: SimCluster, node: SimNode, told: Played, chance: Random) -> None:
    told.note(node, Cause.ENDED)
    told.asker.ended(node)
    await cluster.crashed(node, machine=False)
    await trio.sleep(chance.choice([0.02, 0.5, 2.0, 6.0]))
    told.asker.started(node)


async def stopped(cluster: SimCluster, node: SimNode, told: Played, chance: Random) -> None:
    told.note(node, Cause.RESIGNED)
    await node.stop()
    told.asker.ended(node)
    await trio.sleep(chance.choice([0.02, 0.5, 2.0, 6.0]))
    told.asker.started(node)


async def cut_off(cluster: SimCluster, node: SimNode, told: Played, chance: Random) -> None:
    """From the other nodes; from the recorder as well, in half of the cases."""
    told.note(node, Cause.CUT_OFF)
    others = [one for one in cluster.nodes.values() if one is not node]
    links = [(node.link_end, one.link_end) for one in others]
    links += [(there, here) for here, there in links]
    cluster.links.cut(links, "cut", LOST)
    if chance.random() < 0.5:
        told.asker.cut.add(node.id)
    await trio.sleep(chance.choice([3.0, 5.0, 8.0]))
    cluster.links.mend(links)
    told.asker.cut.discard(node.id)


async def frozen(cluster: SimCluster, node: SimNode, told: Played, chance: Random) -> None:
    """As others see a process that stands still: what it is sent waits, and is answered later."""
    told.note(node, Cause.PAUSED)
    others = [one for one in cluster.nodes.values() if one is not node]
    links = [(node.link_end, one.link_end) for one in others]
    links += [(there, here) for here, there in links]
    cluster.links.cut(links, "cut", HELD)
    told.asker.silent.add(node.id)
    await trio.sleep(chance.choice([3.0, 5.0, 8.0]))
    cluster.links.mend(links)
    told.asker.silent.discard(node.id)


async def alone(cluster: SimCluster, node: SimNode, told: Played, chance: Random) -> None:
    """Its followers are killed, and come back when it has given up its epoch."""
    told.note(node, Cause.LOST_MAJORITY)
    others = [one for one in cluster.nodes.values() if one is not node]
    for one in others:
        told.asker.ended(one)
        await cluster.crashed(one, machine=False)
    await trio.sleep(chance.choice([4.0, 8.0]))
    for one in others:
        told.asker.started(one)


TROUBLES: dict[str, Trouble] = {
    "killed": killed,
    "stopped": stopped,
    "cut-off": cut_off,
    "frozen": frozen,
    "alone": alone,
}


def played(seed: int, root: Path, trouble: Trouble, times: int) -> Played:
    """A history in which this befalls the leader so many times, with calm around."""
    found: list[Played] = []

    async def script(stage: Stage) -> None:
        cluster, told = stage.cluster, Played(Asker(stage.cluster))
        found.append(told)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(told.asker.run)
            for _ in range(times):
                await trio.sleep(SETTLE_S)
                await trouble(cluster, await cluster.led(), told, stage.chance)
            await trio.sleep(SETTLE_S)
            nursery.cancel_scope.cancel()

    outcome = play(seed, root, script)
    assert not outcome.faults, outcome.faults
    return found[0]


def explained(root: Path, told: Played, *, with_recorder: bool) -> list[Event]:
    """The changes of leader, from all directories, and what the recorder saw."""
    complaints: list[str] = []
    logs = [
        (str(path), log_evidence(PosixDisk(), str(path), complaints.append))
        for path in sorted(root.glob("node-*"))
    ]
    history = History.of(told.asker.seen if with_recorder else [], logs)
    assert complaints == []
    events = explain(history, Timeouts())
    return [one for one in events if one.kind is EventKind.LEADER_CHANGED]


def truth_of(event: Event, truths: list[Truth]) -> Truth | None:
    """What was done to the leader before, shortly before it was replaced.

    One without a majority writes for three seconds more, and keeps that if it is elected again.
    """
    began_ms = event.time_ms - (event.without_leader_ms or 0) - 4_500
    meant = [
        one
        for one in truths
        if one.node_id == event.before and began_ms <= one.time_ms <= event.time_ms
    ]
    return meant[-1] if meant else None


def judge(name: str, seed: int, root: Path, times: int) -> None:
    """No wrong cause is certain, and the true one is always among those that are not excluded."""
    told = played(seed, root, TROUBLES[name], times)
    judged = 0
    for with_recorder in (False, True):
        for event in explained(root, told, with_recorder=with_recorder):
            truth, verdict = truth_of(event, told.truths), event.verdict
            if truth is None:
                continue
            judged += 1
            left = (verdict.cause, *verdict.others)
            assert any(one.covers(truth.cause) for one in left), (truth, verdict)
            if verdict.certainty is Certainty.CERTAIN:
                assert verdict.cause.covers(truth.cause), (truth, verdict)
    assert judged, "nothing was replaced"


@pytest.mark.slow
@pytest.mark.parametrize("name", TROUBLES)
def test_no_wrong_cause_of_a_leader_change_is_certain(name: str, tmp_path: Path):
    judge(name, 1, tmp_path, times=1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", LONG_SEEDS)
@pytest.mark.parametrize("name", TROUBLES)
def test_no_seed_makes_a_wrong_cause_certain(name: str, seed: int, tmp_path: Path):
    judge(name, seed, tmp_path, times=3)
