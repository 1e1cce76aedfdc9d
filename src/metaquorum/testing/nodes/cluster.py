"""All nodes of a simulated cluster in one nursery, and the questions one asks of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from random import Random

import trio
from attrs import define, field

from metaquorum.storage.names import METADATA_DIRECTORY
from metaquorum.testing.linearizability.log_files import Batch, batches_of
from metaquorum.testing.nodes.network import SimNetwork
from metaquorum.testing.nodes.node import SimNode
from metaquorum.testing.nodes.trace import Trace
from metaquorum.testing.sim.links import Links

POLL_S = 0.01
PATIENCE_S = 60.0


class Stuck(Exception):
    """What had to come within the patience of virtual time did not."""


@define(eq=False)
class SimCluster:
    """Nodes 1 to ``count``. Call ``begin`` within the nursery that lives longest."""

    root: Path
    count: int
    random: Random
    trace: Trace
    changes: dict[str, str] = field(factory=dict)
    network: SimNetwork = field(init=False)
    nodes: dict[int, SimNode] = field(factory=dict)
    calm: bool = False
    counts: Counter[str] = field(factory=Counter)
    _leaving: dict[SimNode, trio.Event] = field(factory=dict)
    _nursery: trio.Nursery | None = None

    def __attrs_post_init__(self) -> None:
        self.network = SimNetwork(Random(self.random.random()), self.trace)
        ids = range(1, self.count + 1)
        for one in ids:
            node = SimNode(
                one,
                self.root / f"node-{one}",
                self.network,
                self.trace,
                Random(self.random.random()),
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
        node.begin()
        self._running.start_soon(node.life)

    async def end(self) -> None:
        """Stop every node in order, all at once as an operator of a whole cluster would."""
        async with trio.open_nursery() as nursery:
            for node in self.nodes.values():
                if node.is_alive:
                    nursery.start_soon(node.stop)

    async def crashed(self, node: SimNode, *, machine: bool) -> None:
        """Kill a process and wait; with ``machine`` what it had not synced is lost as well."""
        node.kill()
        story = await node.left(machine=machine)
        self.trace.note(node.name, f"crashed: {story}")

    async def revive(self) -> None:
        """Start the nodes that are dead, once each has ended."""
        for node in self.nodes.values():
            await self._left(node)
            if not node.is_alive:
                self.start(node)

    async def _left(self, node: SimNode) -> None:
        """Wait until a node that is ending has ended."""
        if node in self._leaving:
            await self._leaving[node].wait()
        if node.faulty_disk.is_without_power:
            await node.ended()

    # What the weather does.

    @property
    def links(self) -> Links:
        """What is between the hosts."""
        return self.network.links

    def crash(self, node: SimNode, why: str, *, machine: bool = True) -> None:
        """Kill a process without waiting for its end, unless it is ending already."""
        if node.is_alive and node not in self._leaving:
            self.trace.note(node.name, why)
            self._leave(node, partial(self.crashed, node, machine=machine))

    def stop(self, node: SimNode) -> None:
        """SIGTERM, unless it is ending already."""
        if node.is_alive and node not in self._leaving:
            self._leave(node, node.stop)

    def _leave(self, node: SimNode, end: Callable[[], Awaitable[None]]) -> None:
        gone = self._leaving[node] = trio.Event()

        async def leave() -> None:
            await end()
            del self._leaving[node]
            gone.set()

        self._running.start_soon(leave)

    def restart(self, node: SimNode) -> None:
        """Start a node that is down, once it has ended; in calm weather ``revive`` has done so."""

        async def start() -> None:
            await self._left(node)
            if not node.is_alive and not self.calm:
                self.start(node)

        self._running.start_soon(start)

    def later(self, delay_us: int, act: Callable[[], None]) -> None:
        """Do something after a while."""

        async def wait() -> None:
            await trio.sleep(delay_us / 1_000_000)
            act()

        self._running.start_soon(wait)

    @property
    def _running(self) -> trio.Nursery:
        assert self._nursery is not None
        return self._nursery

    def clock_changed(self, node: SimNode) -> None:
        """Tasks sleep by virtual time, which no node's clock changes."""

    def fired(self, name: str) -> None:
        """``counts`` has each kind of happening already, when it begins."""

    def note(self, node_id: int, what: str, detail: str) -> None:
        """A line of the trace."""
        self.trace.note(self.nodes[node_id].name, f"{what} {detail}")

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
                    node.running is None or node.running.driver.leader.leader_id == leader.id
                    for node in self.nodes.values()
                ):
                    return leader
                await trio.sleep(POLL_S)
        raise Stuck(f"nobody leads all after {PATIENCE_S} s of virtual time")

    def errors(self) -> list[str]:
        """What ended nodes, or was logged by them, that is an error of ours."""
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
