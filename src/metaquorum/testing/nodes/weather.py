"""What may go wrong around whole nodes: each seed draws which of it does, and when."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import trio
from attrs import define, field

from metaquorum.testing.nodes.cluster import SimCluster
from metaquorum.testing.nodes.network import Passage, Way
from metaquorum.testing.nodes.node import SimNode

LENGTHS_S = (0.02, 3.0)
PAUSES_S = (0.0, 0.5)
SLOWER_MS = (5.0, 400.0)
SLOW_DISK_MS = (20.0, 800.0)
MOST_WRITES = 12
BREAKS = ("reset", "mid-frame", "half-open")


KINDS = (
    "kill",
    "machine-crash",
    "crash-amid-writing",
    "crash-all",
    "orderly-stop",
    "cut-off",
    "cut-one-way",
    "lose-one-way",
    "slow-network",
    "slow-disk",
    "break-connections",
)


@define(eq=False)
class Weather:
    """``kinds`` are the faults of this run; ``fired`` counts them by name."""

    cluster: SimCluster
    chance: Random
    kinds: Sequence[str] = ()
    fired: dict[str, int] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        if not self.kinds:
            count = self.chance.randint(2, len(KINDS))
            self.kinds = sorted(self.chance.sample(KINDS, count))

    async def blow(self, seconds: float) -> None:
        """One fault after another, often at the leader, for so long; then everything is mended."""
        ends = trio.current_time() + seconds
        while trio.current_time() < ends:
            await trio.sleep(self.chance.uniform(*PAUSES_S))
            name = self.chance.choice(self.kinds)
            node = self._victim()
            self.cluster.trace.note("weather", f"{name} {node.name}")
            self.fired[name] = self.fired.get(name, 0) + 1
            await getattr(self, "_" + name.replace("-", "_"))(node)
            if self.chance.random() < 0.6:
                await self.calm()
        await self.calm()

    async def calm(self) -> None:
        """Everything works again."""
        self.cluster.network.clear()
        for node in self.cluster.nodes.values():
            node.slower_disk_ms = 0.0
            if node.is_alive:
                node.disk.account.power_left = None
        await self.cluster.revive()

    def _victim(self) -> SimNode:
        leader = self.cluster.leader()
        if leader is not None and self.chance.random() < 0.5:
            return leader
        return self.cluster.nodes[self.chance.choice(sorted(self.cluster.nodes))]

    def _others(self, node: SimNode) -> list[SimNode]:
        return [one for one in self.cluster.nodes.values() if one is not node]

    async def _a_while(self) -> None:
        await trio.sleep(self.chance.uniform(*LENGTHS_S))

    async def _kill(self, node: SimNode) -> None:
        if node.is_alive:
            await self.cluster.crash(node, machine=False)
            await self._a_while()

    async def _machine_crash(self, node: SimNode) -> None:
        if node.is_alive:
            await self.cluster.crash(node, machine=True)
            await self._a_while()

    async def _crash_amid_writing(self, node: SimNode) -> None:
        """Its machine dies within one of its next writes, maybe while it recovers from that."""
        node.disk.account.power_left = self.chance.randint(0, MOST_WRITES)
        await self._a_while()

    async def _crash_all(self, node: SimNode) -> None:
        machine = self.chance.random() < 0.5
        for one in self.cluster.nodes.values():
            if one.is_alive:
                await self.cluster.crash(one, machine=machine)
        await self._a_while()

    async def _orderly_stop(self, node: SimNode) -> None:
        if node.is_alive:
            await node.stop()

    async def _cut_off(self, node: SimNode) -> None:
        self._set(node, self._others(node), Way(Passage.HELD), both=True)
        await self._a_while()

    async def _cut_one_way(self, node: SimNode) -> None:
        self._set(node, self._others(node), Way(Passage.HELD), both=False)
        await self._a_while()

    async def _lose_one_way(self, node: SimNode) -> None:
        other = self.chance.choice(self._others(node))
        self._set(node, [other], Way(Passage.LOST), both=False)
        await self._a_while()

    async def _slow_network(self, node: SimNode) -> None:
        way = Way(slower_ms=self.chance.uniform(*SLOWER_MS))
        self._set(node, self._others(node), way, both=True)
        await self._a_while()

    def _set(self, node: SimNode, others: list[SimNode], way: Way, *, both: bool) -> None:
        outward = self.chance.random() < 0.5
        for other in others:
            if both or outward:
                self.cluster.network.set_way(node.name, other.name, way)
            if both or not outward:
                self.cluster.network.set_way(other.name, node.name, way)

    async def _slow_disk(self, node: SimNode) -> None:
        node.slower_disk_ms = self.chance.uniform(*SLOW_DISK_MS)
        await self._a_while()

    async def _break_connections(self, node: SimNode) -> None:
        how = self.chance.choice(BREAKS)
        for other in self._others(node):
            self.cluster.network.break_wires(node.name, other.name, how=how)
        await self._a_while()
