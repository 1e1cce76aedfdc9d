"""What may go wrong around whole nodes: each seed draws which of it does, and when.

Most kinds are those of ``testing/sim/weather.py``. What only processes and connections can do is
here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

import trio
from attrs import define

from metaquorum.testing.nodes.cluster import SimCluster
from metaquorum.testing.nodes.node import SimNode
from metaquorum.testing.sim import weather
from metaquorum.testing.sim.happening import Happening
from metaquorum.testing.sim.weather import meant

BETWEEN_MS = (0, 1_500)
BREAKS = ("reset", "mid-frame", "half-open")

Range = tuple[int, int]
LASTS: dict[str, Range] = {"for": (20, 3_000)}
DOWN: dict[str, Range] = {"down": (20, 3_000)}


def _kill(cluster: SimCluster, one: Happening) -> None:
    """A process ends and its machine does not."""
    node = meant(cluster, one)
    cluster.crash(node, "killed", machine=False)
    _back(cluster, one, node)


def _machine_crash(cluster: SimCluster, one: Happening) -> None:
    node = meant(cluster, one)
    cluster.crash(node, "machine crash")
    _back(cluster, one, node)


def _kill_all(cluster: SimCluster, one: Happening) -> None:
    for node in cluster.nodes.values():
        cluster.crash(node, "killed", machine=False)
        cluster.later(one.get("down") * 1_000, partial(cluster.restart, node))


def _power_loss(cluster: SimCluster, one: Happening) -> None:
    """Its machine dies within one of its next writes, maybe while it recovers from that."""
    node = meant(cluster, one)
    weather.power_loss(cluster, one)
    _back(cluster, one, node)


def _orderly_stop(cluster: SimCluster, one: Happening) -> None:
    node = meant(cluster, one)
    cluster.stop(node)
    _back(cluster, one, node)


def _back(cluster: SimCluster, one: Happening, node: SimNode) -> None:
    cluster.later(one.get("down") * 1_000, partial(cluster.restart, node))


def _break_connections(cluster: SimCluster, one: Happening) -> None:
    """All connections between one node and the others end in one of the ways there are."""
    node = meant(cluster, one)
    for other in cluster.nodes.values():
        if other is not node:
            how = BREAKS[one.get("how")]
            cluster.network.break_wires(node.name, other.name, how=how)


HAPPENINGS: dict[str, tuple[Callable[[SimCluster, Happening], None], dict[str, Range]]] = {
    "kill": (_kill, DOWN),
    "kill-all": (_kill_all, DOWN),
    "machine-crash": (_machine_crash, DOWN),
    "power-loss": (_power_loss, {**DOWN, "after": (0, 12)}),
    "blackout": (weather.blackout, DOWN),
    "orderly-stop": (_orderly_stop, DOWN),
    "cut": (weather.cut, {**LASTS, "held": (1, 1)}),
    "one-way-cut": (
        weather.cut_one_way,
        {**LASTS, "held": (0, 1), "inward": (0, 1), "other": (0, 3)},
    ),
    "slow-links": (weather.slow_links, {**LASTS, "slower_ms": (5, 400)}),
    "slow-disk": (weather.slow_disk, {**LASTS, "times": (10, 250)}),
    "clock": (weather.clock, {"jump_ms": (-60_000, 60_000)}),
    "break-connections": (_break_connections, {"how": (0, len(BREAKS) - 1)}),
}
"""Each kind, with what is drawn of its arguments: least and most."""

KINDS = tuple(HAPPENINGS)


@define(eq=False)
class Weather:
    """``kinds`` are the faults of this run, the cluster counts those that happen by name."""

    cluster: SimCluster
    chance: Random
    kinds: Sequence[str] = ()

    def __attrs_post_init__(self) -> None:
        if not self.kinds:
            count = self.chance.randint(2, len(KINDS))
            self.kinds = sorted(self.chance.sample(KINDS, count))

    def drawn(self, seconds: float) -> list[Happening]:
        """What will happen in so much time, often to the node that leads then."""
        found = []
        at_ms = self.chance.randint(*BETWEEN_MS)
        while at_ms < seconds * 1_000:
            kind = self.chance.choice(self.kinds)
            ids = [0] * len(self.cluster.nodes) + sorted(self.cluster.nodes)
            ranges = HAPPENINGS[kind][1]
            args = {name: self.chance.randint(*each) for name, each in ranges.items()}
            found.append(Happening.of(at_ms, kind, node=self.chance.choice(ids), **args))
            at_ms += self.chance.randint(*BETWEEN_MS)
        return found

    async def blow(self, seconds: float) -> None:
        """One fault after another for so long; then everything is mended."""
        for one in self.drawn(seconds):
            self.cluster.later(one.at_ms * 1_000, partial(self._happen, one))
        await trio.sleep(seconds)
        self.cluster.calm = True
        weather.mend(self.cluster)
        await self.cluster.revive()

    def _happen(self, one: Happening) -> None:
        if not self.cluster.calm:
            self.cluster.trace.note("weather", one.line)
            self.cluster.counts[one.kind] += 1
            HAPPENINGS[one.kind][0](self.cluster, one)
