"""A simulated cluster that a test leads through a story: kill, cut off, heal, wait for progress."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import define, field

from metaquorum.quorum import events
from metaquorum.testing.simulator.node import SimNode
from metaquorum.testing.simulator.scenario import Scenario
from metaquorum.testing.simulator.world import World

STEP_US = 20_000
LIMIT_US = 120_000_000
GRACE_MS = 2_000


@define(eq=False)
class Cluster:
    """Voters with small ids, observers after them; clients write all the time."""

    world: World = field()

    @classmethod
    def running(cls, seed: int, voters: int, observers: int = 0) -> Cluster:
        """A started cluster at the time-outs of Kafka's own event simulation."""
        scenario = Scenario(
            seed=seed,
            voters=voters,
            observers=observers,
            election_ms=1_000,
            fetch_ms=3_000,
            retry_ms=50,
            pause_ms=50,
        )
        world = World(scenario)
        for node in world.nodes.values():
            world.start(node)
        world.add_clients()
        world.look()
        return cls(world)

    @property
    def voters(self) -> range:
        """The ids of the voters."""
        return range(1, self.world.scenario.voters + 1)

    @property
    def up(self) -> list[int]:
        """The ids of the nodes that run."""
        return [node.id for node in self.world.nodes.values() if node.is_up]

    def node(self, node_id: int) -> SimNode:
        """One node."""
        return self.world.nodes[node_id]

    def watermark(self, node_id: int) -> int:
        """The high watermark that a node shows; -1 if none, or if it is down."""
        node = self.node(node_id)
        return node.running.driver.replica.shown_high_watermark if node.is_up else -1

    def log_end(self, node_id: int) -> int:
        """Where the log of a running node ends."""
        return self.node(node_id).running.driver.replica.log.end

    def epoch(self, node_id: int) -> int:
        """The epoch of a running node."""
        return self.node(node_id).running.driver.replica.election.epoch

    def leader(self, other_than: int = 0) -> int | None:
        """Who leads the latest epoch and has shown a watermark in it, if anybody does."""
        leading = [
            (self.epoch(one), one)
            for one in self.up
            if one != other_than
            and self.node(one).running.driver.replica.role.name == "Leader"
            and self.watermark(one) >= 0
        ]
        return max(leading)[1] if leading else None

    def until(self, holds: Callable[[], bool], what: str) -> None:
        """Let time pass until something holds; the story fails if it does not in two minutes."""
        agenda = self.world.agenda
        end_us = agenda.now_us + LIMIT_US
        while not holds():
            assert agenda.now_us < end_us, (what, self.world.lines())
            agenda.run_until(agenda.now_us + STEP_US)

    def until_all_reach(self, offset: int, nodes: Iterable[int] | None = None) -> None:
        """Until these nodes (all that run, if none are named) show a watermark of ``offset``."""
        ids = list(self.up if nodes is None else nodes)
        self.until(lambda: all(self.watermark(one) >= offset for one in ids), f"reach {offset}")

    def until_led(self, other_than: int = 0) -> int:
        """Until a node leads; which."""
        self.until(lambda: self.leader(other_than) is not None, "a leader")
        found = self.leader(other_than)
        assert found is not None
        return found

    def most(self) -> int:
        """The highest watermark that any node shows."""
        return max(self.watermark(one) for one in self.up)

    def kill(self, node_id: int) -> None:
        """A process ends at once, and its disk loses what was not synced."""
        self.world.crash(self.node(node_id))

    def stop(self, node_id: int) -> None:
        """A process is asked to end, hands over, and ends."""
        node = self.node(node_id)
        driver, life = node.running.driver, node.memory.life
        asked = events.ShutdownAsked(GRACE_MS)
        self.world.tell(node, life, lambda: driver.post(asked))
        self.until(driver.shutdown_done.is_set, "an orderly stop")
        self.kill(node_id)

    def start(self, node_id: int) -> None:
        """A node that is down comes back."""
        assert self.world.start(self.node(node_id))

    def cut(self, ones: Iterable[int], others: Iterable[int]) -> None:
        """Nothing passes any more between these and those, either way."""
        for one in ones:
            for other in others:
                if one != other:
                    self.world.links.cut([(one, other), (other, one)])

    def isolate(self, node_id: int) -> None:
        """Nothing reaches a node, and nothing leaves it."""
        self.cut([node_id], self.world.nodes)

    def heal(self) -> None:
        """Everything passes again."""
        self.world.links.clear()
