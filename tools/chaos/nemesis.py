"""Who does what to the cluster, when: a schedule drawn from a seed, and each fault in it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from random import Random

from attrs import define, field

from tools.chaos.clients import SharedNotes
from tools.chaos.cluster import PATIENCE_S, POLL_S, ChaosCluster, ClusterStuck
from tools.chaos.network import NodeId

LENGTHS_S = (0.3, 2.2)  # the fetch time-out is 0.8 s, check-quorum's 1.2 s
FREEZE_LEADER_S = 2.0
BETWEEN_S = (0.1, 0.6)
WRITES_AFTER = 3
FLAPS = 3


@define(eq=False)
class Nemesis:
    """Does one fault at a time, mends, and waits until writes are acknowledged again."""

    cluster: ChaosCluster
    notes: SharedNotes
    chance: Random
    say: Callable[[str], None]
    done: list[str] = field(factory=list)

    @property
    def faults(self) -> dict[str, Callable[[], str]]:
        """Every kind of fault by its name."""
        own: dict[str, Callable[[], str]] = {
            "kill-leader": self._kill_leader,
            "kill-follower": self._kill_follower,
            "kill-all": self._kill_all,
            "stop-leader": self._stop_leader,
            "freeze-leader": self._freeze_leader,
            "freeze-others": self._freeze_others,
            "cut-pair": self._cut_pair,
            "cut-one-way": self._cut_one_way,
            "split": self._split,
            "flapping": self._flapping,
        }
        ways = self.cluster.network.ways_to_disturb()
        network = {way: partial(self._disturb, way) for way in ways}
        return {**own, **network}

    def schedule(self) -> Iterator[str]:
        """Every fault once in an order of chance, and again in another, without end."""
        while True:
            names = sorted(self.faults)
            self.chance.shuffle(names)
            yield from names

    def run(self, count: int | None = None, seconds: float | None = None) -> None:
        """``count`` faults, or as many as begin within ``seconds``; ClusterStuck ends it."""
        until = time.monotonic() + seconds if seconds is not None else None
        self.await_progress()
        for name in islice(self.schedule(), count):
            if until is not None and time.monotonic() > until:
                return
            self._moment(*BETWEEN_S)
            fault = self.faults[name]()
            self.done.append(name)
            self.cluster.mend()
            waited = self.await_progress()
            self.say(f"{name:<15} {fault}; writes again after {waited:.1f} s")

    def await_progress(self) -> float:
        """Wait until new writes are acknowledged; how long it took, in seconds."""
        began = time.monotonic()
        enough = self.notes.acknowledged + WRITES_AFTER
        while self.notes.acknowledged < enough:
            if time.monotonic() > began + PATIENCE_S:
                logs = self.cluster.log_tails()
                raise ClusterStuck(f"no write is acknowledged for {PATIENCE_S} s\n{logs}")
            self.cluster.all_alive()
            time.sleep(POLL_S)
        return time.monotonic() - began

    def _moment(self, least_s: float, most_s: float) -> float:
        length_s = self.chance.uniform(least_s, most_s)
        threading.Event().wait(length_s)
        return length_s

    def _leader_and_others(self) -> tuple[NodeId, list[NodeId]]:
        leader = self.cluster.leader()
        return leader, [node for node in sorted(self.cluster.nodes) if node != leader]

    def _kill_leader(self) -> str:
        leader, _ = self._leader_and_others()
        self.cluster.kill(leader)
        return f"node {leader} for {self._moment(*LENGTHS_S):.1f} s"

    def _kill_follower(self) -> str:
        victim = self.chance.choice(self._leader_and_others()[1])
        self.cluster.kill(victim)
        return f"node {victim} for {self._moment(*LENGTHS_S):.1f} s"

    def _kill_all(self) -> str:
        victims = sorted(self.cluster.nodes)
        self.chance.shuffle(victims)
        for victim in victims:
            self.cluster.kill(victim)
        return f"nodes {victims}"

    def _stop_leader(self) -> str:
        leader, _ = self._leader_and_others()
        self.cluster.stop(leader)
        return f"node {leader}"

    def _freeze_leader(self) -> str:
        leader, _ = self._leader_and_others()
        self.cluster.freeze(leader)
        self._moment(FREEZE_LEADER_S, FREEZE_LEADER_S)
        return f"node {leader} for {FREEZE_LEADER_S} s"

    def _freeze_others(self) -> str:
        leader, others = self._leader_and_others()
        for node in others:
            self.cluster.freeze(node)
        return f"all but node {leader} for {self._moment(*LENGTHS_S):.1f} s"

    def _cut_off(self, victim: NodeId, others: list[NodeId]) -> None:
        for other in others:
            self.cluster.network.cut(victim, other)
            self.cluster.network.cut(other, victim)

    def _cut_pair(self) -> str:
        leader, others = self._leader_and_others()
        other = self.chance.choice(others)
        self._cut_off(leader, [other])
        return f"nodes {leader} and {other} for {self._moment(*LENGTHS_S):.1f} s"

    def _cut_one_way(self) -> str:
        leader, others = self._leader_and_others()
        heard = self.chance.random() < 0.5
        for other in others:
            self.cluster.network.cut(*((other, leader) if heard else (leader, other)))
        way = "hears nobody" if heard else "reaches nobody"
        return f"node {leader} {way} for {self._moment(*LENGTHS_S):.1f} s"

    def _split(self) -> str:
        """The leader and whom it still may have without a majority, and the others."""
        leader, others = self._leader_and_others()
        self.chance.shuffle(others)
        minority = [leader, *others[: (self.cluster.count - 1) // 2 - 1]]
        majority = [node for node in others if node not in minority]
        for node in minority:
            self._cut_off(node, majority)
        length_s = self._moment(FREEZE_LEADER_S, FREEZE_LEADER_S)
        return f"{minority} from {majority} for {length_s:.1f} s"

    def _flapping(self) -> str:
        victim = self.chance.choice(sorted(self.cluster.nodes))
        others = [node for node in sorted(self.cluster.nodes) if node != victim]
        for _ in range(FLAPS):
            self._cut_off(victim, others)
            self._moment(*BETWEEN_S)
            self.cluster.network.heal()
            self._moment(*BETWEEN_S)
        return f"node {victim}, {FLAPS} times"

    def _disturb(self, way: str) -> str:
        leader, others = self._leader_and_others()
        if self.chance.random() < 0.5:
            victim, rest = leader, others
        else:
            victim, rest = self.chance.choice(others), [leader]
        self.cluster.network.disturb(way, victim, rest, self.chance)
        length_s = self._moment(*LENGTHS_S)
        return f"between node {victim} and {rest} for {length_s:.1f} s"
