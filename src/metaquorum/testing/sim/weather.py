"""The weather of simulated machines: what may befall links, disks, clocks and processes.

A kind of happening is one small function. Those here need of a cluster what ``Cluster`` says; the
simulator and the whole nodes add some that only they can do.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import partial
from random import Random
from typing import Protocol, TypeVar

from metaquorum.testing.sim.clock import PARTS, NodeClock
from metaquorum.testing.sim.disk import SimDisk
from metaquorum.testing.sim.happening import Happening
from metaquorum.testing.sim.links import HELD, LOST, Link, Links


class Host(Protocol):
    """A simulated machine. ``slow_disk`` is how many times longer its syncs take."""

    clock: NodeClock
    slow_disk: int

    @property
    def id(self) -> int:
        """Its node's number."""

    @property
    def link_end(self) -> Hashable:
        """What stands for it in ``Links``."""

    @property
    def faulty_disk(self) -> SimDisk:
        """Its disk, with the switches of what goes wrong."""


H = TypeVar("H", bound=Host)


class Cluster(Protocol[H]):
    """What the weather needs of simulated machines."""

    @property
    def nodes(self) -> Mapping[int, H]:
        """All machines by number."""

    @property
    def links(self) -> Links:
        """What is between them."""

    @property
    def random(self) -> Random:
        """Chance for what a happening leaves open."""

    @property
    def calm(self) -> bool:
        """Whether the weather is over: nothing happens any more."""

    def leader(self) -> H | None:
        """The machine that leads, if one does."""

    def later(self, delay_us: int, act: Callable[[], None]) -> None:
        """Do something after a while."""

    def crash(self, node: H, why: str) -> None:
        """Stop a machine and lose what its disk had not synced; nothing if it is down."""

    def restart(self, node: H) -> None:
        """Start a machine that is down, if it may."""

    def clock_changed(self, node: H) -> None:
        """Whatever waits for a time of this machine's clock has to look again."""

    def fired(self, name: str) -> None:
        """Something really happened that is counted."""

    def note(self, node_id: int, what: str, detail: str) -> None:
        """A line of the trace."""


Happen = Callable[[Cluster[H], Happening], None]


def mend(cluster: Cluster[H]) -> None:
    """Every link, disk and clock is as it should be."""
    cluster.links.clear()
    for node in cluster.nodes.values():
        node.slow_disk = 1
        node.faulty_disk.mend()
        node.clock.set_rate(PARTS)


def leading(cluster: Cluster[H]) -> H:
    """The machine that leads, or the first where none does."""
    return cluster.leader() or cluster.nodes[1]


def meant(cluster: Cluster[H], one: Happening) -> H:
    """The machine that is meant: by number, or 0 for the one that leads."""
    return cluster.nodes.get(one.get("node")) or leading(cluster)


def ends(cluster: Cluster[H], one: Happening, act: Callable[[], None]) -> None:
    """Do something when a happening is over."""
    cluster.later(one.get("for", 1_000) * 1_000, act)


# Links.


def odds(name: str) -> Happen[H]:
    """Some messages meet this fate for a while."""

    def happen(cluster: Cluster[H], one: Happening) -> None:
        cluster.links.odds[name] = one.get("odds", 50)

        def end() -> None:
            cluster.links.odds.pop(name, None)

        ends(cluster, one, end)

    return happen


def delay(cluster: Cluster[H], one: Happening) -> None:
    """Messages take up to ``most_ms`` longer."""
    cluster.links.extra_us = one.get("most_ms", 200) * 1_000

    def end() -> None:
        cluster.links.extra_us = 0

    ends(cluster, one, end)


def reorder(cluster: Cluster[H], one: Happening) -> None:
    """Messages overtake each other."""
    links = cluster.links
    links.reorders = True
    links.extra_us = max(links.extra_us, one.get("most_ms", 100) * 1_000)

    def end() -> None:
        links.reorders, links.extra_us = False, 0

    ends(cluster, one, end)


def cut(cluster: Cluster[H], one: Happening) -> None:
    """``node`` is cut off from ``other``, or from everybody if that is 0."""
    away = _links(cluster, one)
    _cut(cluster, one, [*away, *((there, here) for here, there in away)], "cut")


def cut_one_way(cluster: Cluster[H], one: Happening) -> None:
    """Nothing arrives of what ``node`` sends; with ``inward``, nothing arrives at it."""
    away = _links(cluster, one)
    if one.get("inward"):
        away = [(there, here) for here, there in away]
    _cut(cluster, one, away, "one-way-cut")


def slow_links(cluster: Cluster[H], one: Happening) -> None:
    """What ``node`` sends and gets takes ``slower_ms`` longer."""
    away = _links(cluster, one)
    both = [*away, *((there, here) for here, there in away)]
    cluster.links.slower_us.update(dict.fromkeys(both, one.get("slower_ms", 100) * 1_000))
    ends(cluster, one, lambda: cluster.links.mend(both))


def _links(cluster: Cluster[H], one: Happening) -> list[Link]:
    node, other = meant(cluster, one), one.get("other")
    others = [cluster.nodes[other]] if other in cluster.nodes else []
    if not others or others[0] is node:
        others = [each for each in cluster.nodes.values() if each is not node]
    return [(node.link_end, each.link_end) for each in others]


def _cut(cluster: Cluster[H], one: Happening, links: list[Link], name: str) -> None:
    if not links:
        return
    cluster.links.cut(links, name, HELD if one.get("held") else LOST)
    node_id = meant(cluster, one).id
    cluster.note(node_id, name, "")

    def heal() -> None:
        cluster.links.mend(links)
        cluster.note(node_id, "healed", "")

    ends(cluster, one, heal)


# Processes and clocks.


def blackout(cluster: Cluster[H], one: Happening) -> None:
    """All machines lose their power and come back one after the other."""
    for node in cluster.nodes.values():
        cluster.crash(node, "blackout")
        back_us = one.get("down", 500) * 1_000 + cluster.random.randrange(300_000)
        cluster.later(back_us, partial(cluster.restart, node))
    cluster.fired("blackout")


def clock(cluster: Cluster[H], one: Happening) -> None:
    """The wall clock jumps, and the clock runs at another rate from now on."""
    node = meant(cluster, one)
    node.clock.wall_jump_ms += one.get("jump_ms")
    node.clock.set_rate(one.get("rate", PARTS))
    cluster.note(node.id, "clock", f"{one.get('jump_ms')} ms")
    cluster.fired("clock-jump")
    cluster.clock_changed(node)


# Disks.


def slow_disk(cluster: Cluster[H], one: Happening) -> None:
    """Syncs take so many times longer."""
    node = meant(cluster, one)
    node.slow_disk = one.get("times", 50)
    cluster.fired("slow-disk")

    def end() -> None:
        node.slow_disk = 1

    ends(cluster, one, end)


def power_loss(cluster: Cluster[H], one: Happening) -> None:
    """The machine goes down in the middle of what its disk does, after so many operations."""
    meant(cluster, one).faulty_disk.power_left = one.get("after")


def fsync_error(cluster: Cluster[H], one: Happening) -> None:
    """A sync fails, after so many that do not."""
    meant(cluster, one).faulty_disk.sync_fails = one.get("after")


def full_disk(cluster: Cluster[H], one: Happening) -> None:
    """There is room for so many bytes more."""
    meant(cluster, one).faulty_disk.free_bytes = one.get("room", 100)


def no_descriptors(cluster: Cluster[H], one: Happening) -> None:
    """Nothing can be opened for a while."""
    disk = meant(cluster, one).faulty_disk
    disk.no_descriptors = True

    def end() -> None:
        disk.no_descriptors = False

    ends(cluster, one, end)


def rot_read(cluster: Cluster[H], one: Happening) -> None:
    """So many reads come back with a bit turned."""
    meant(cluster, one).faulty_disk.rot_reads = one.get("reads", 1)
