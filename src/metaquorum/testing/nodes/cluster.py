"""All nodes of a simulated cluster in one nursery, and the questions one asks of them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import trio
from attrs import define, field

from metaquorum.storage.names import METADATA_DIRECTORY
from metaquorum.testing.linearizability.log_files import Batch, batches_of
from metaquorum.testing.nodes.network import SimNetwork
from metaquorum.testing.nodes.node import SimNode
from metaquorum.testing.nodes.trace import Trace

POLL_S = 0.01
PATIENCE_S = 60.0


class Stuck(Exception):
    """What had to come within the patience of virtual time did not."""


@define(eq=False)
class SimCluster:
    """Nodes 1 to ``count``. Call ``begin`` within the nursery that lives longest."""

    root: Path
    count: int
    chance: Random
    trace: Trace
    changes: dict[str, str] = field(factory=dict)
    network: SimNetwork = field(init=False)
    nodes: dict[int, SimNode] = field(factory=dict)
    _nursery: trio.Nursery | None = None

    def __attrs_post_init__(self) -> None:
        self.network = SimNetwork(Random(self.chance.random()), self.trace)
        ids = range(1, self.count + 1)
        for one in ids:
            node = SimNode(
                one,
                self.root / f"node-{one}",
                self.network,
                self.trace,
                Random(self.chance.random()),
            )
            node.format(list(ids), self.changes)
            self.nodes[one] = node

    async def begin(self, nursery: trio.Nursery) -> None:
        """Start the network and every node."""
        self._nursery = nursery
        await nursery.start(self.network.run)
        for node in self.nodes.values():
            self.start(node)

    def start(self, node: SimNode) -> None:
        """Another life of a node that has none."""
        assert self._nursery is not None
        node.begin()
        self._nursery.start_soon(node.life)

    async def end(self) -> None:
        """Stop every node in order, all at once as an operator of a whole cluster would."""
        async with trio.open_nursery() as nursery:
            for node in self.nodes.values():
                if node.is_alive:
                    nursery.start_soon(node.stop)

    async def crash(self, node: SimNode, *, machine: bool) -> None:
        """Kill a process; with ``machine`` what it had not synced is lost as well."""
        node.kill()
        story = await node.left(machine=machine)
        self.trace.note(node.name, f"crashed: {story}")

    async def revive(self) -> None:
        """Start whoever is dead, after what its disk left if its machine lost its power."""
        for node in self.nodes.values():
            if not node.is_alive:
                if node.disk.account.power_left is not None:
                    self.trace.note(node.name, f"machine died: {node.disk.crash()}")
                self.start(node)

    def leader(self) -> SimNode | None:
        """The active controller of the newest epoch, if there is one."""
        active = [
            (node.running.driver.leader.epoch, number)
            for number, node in self.nodes.items()
            if node.running is not None and node.running.driver.controller.is_active
        ]
        return self.nodes[max(active)[1]] if active else None

    async def led(self) -> SimNode:
        """Wait for a leader that everybody alive follows."""
        with trio.move_on_after(PATIENCE_S):
            while True:
                leader = self.leader()
                if leader is not None and all(
                    node.running is None or node.running.driver.leader.leader_id == leader.node_id
                    for node in self.nodes.values()
                ):
                    return leader
                await trio.sleep(POLL_S)
        raise Stuck(f"nobody leads all after {PATIENCE_S} s of virtual time")

    def errors(self) -> list[str]:
        """What ended nodes, or was told by them, that is an error of ours."""
        found = []
        for node in self.nodes.values():
            found += [f"{node.name} broke: {error!r}" for error in node.errors]
            found += [f"{node.name} left something behind: {leak}" for leak in node.leaks]
            found += [f"{node.name} logged: {line}" for line in node.lines if "Z error " in line]
        return found

    def logs(self) -> dict[int, dict[int, Batch]]:
        """Every node's log as it lies on the disk."""
        return {
            number: batches_of(node.root / METADATA_DIRECTORY)
            for number, node in self.nodes.items()
        }
