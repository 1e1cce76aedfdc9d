"""The simulated cluster: nodes, network, clients and time, and the verbs that weather uses."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from struct import Struct
from typing import Any, get_args

from attrs import define, field
from xxhash import xxh3_64, xxh3_64_intdigest

from metaquorum.base.errors import InvariantViolated, OperatorError
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.quorum import effects
from metaquorum.quorum.roles import Role
from metaquorum.quorum.types import SnapshotId
from metaquorum.quorum.voters import VoterSet
from metaquorum.runtime.driver.applier import UnreadableLog
from metaquorum.storage.disk import DiskFailed
from metaquorum.testing.sim.clock import NodeClock
from metaquorum.testing.sim.disk import SimDisk
from metaquorum.testing.sim.links import Links
from metaquorum.testing.simulator.admin import Admin
from metaquorum.testing.simulator.asking import Asker
from metaquorum.testing.simulator.book import Book, Memory, Silence
from metaquorum.testing.simulator.brokers import Fleet
from metaquorum.testing.simulator.client import Client
from metaquorum.testing.simulator.cluster_log import ClusterLog
from metaquorum.testing.simulator.electorate import can_spare, electorates, is_being_added
from metaquorum.testing.simulator.heap import Act, Agenda
from metaquorum.testing.simulator.invariants import process, snapshots, states, writes
from metaquorum.testing.simulator.network import Network
from metaquorum.testing.simulator.node import CLUSTER_ID, SimNode
from metaquorum.testing.simulator.quota_writes import quotas_of
from metaquorum.testing.simulator.replay import fingerprint_of
from metaquorum.testing.simulator.scenario import Scenario
from metaquorum.testing.simulator.wire_path import WirePath

_LINE = Struct("<qi11siqqq").pack
"""What the trace holds of a node after each event: time, id, role, epoch, three ends."""

_ROLES = {one.name: one.name.encode() for one in get_args(Role)}

ADMIN_AFTER_US = 1_000_000
ADMIN_PAUSE_MS = 300

LOOK_US = 500_000
"""How often states are compared and leaders looked at."""


def _is_for_its_disk(error: InvariantViolated) -> bool:
    """Whether a node may stop for this: its disk refused something, or gave back other bytes."""
    return isinstance(error, DiskFailed | UnreadableLog) or str(error).startswith("disk effect")


@define(eq=False)
class Trap:
    """Something to do to the node that is first seen in one of these moments, a little later."""

    moment: int
    delay_us: int
    act: Callable[[SimNode, int], None]


@define(eq=False)
class World:
    """Everything at one moment, and the host of its nodes.

    ``counts`` says how often each fault really happened.
    """

    scenario: Scenario
    on_event: Callable[[int, str, str], None] | None = None
    agenda: Agenda = field(factory=Agenda)
    book: Book = field(factory=Book)
    counts: dict[str, int] = field(factory=dict)
    nodes: dict[int, SimNode] = field(factory=dict)
    clients: list[Client] = field(factory=list)
    armed: list[Trap] = field(factory=list)
    forgetful: int = 0
    trace: Any = field(factory=xxh3_64)
    links: Links = field(init=False)
    network: Network = field(init=False)
    send: Callable[[SimNode, effects.Send], None] = field(init=False)
    random: Random = field(init=False)
    calm: bool = False
    fleet: Fleet | None = None
    _numbers: int = 0

    def __attrs_post_init__(self) -> None:
        scenario = self.scenario
        self.random = self._stream("weather")
        self.links = Links(self._stream("network"), self.fired, scenario.latency_us)
        self.network = Network(
            self.nodes,
            self.links,
            self.agenda,
            self.tell,
            self.ask,
            self.fired,
            self.book,
            WirePath(CLUSTER_ID, self.fired),
        )
        self.send = self.network.send
        if scenario.brokers:
            self._add_brokers()
        for node_id in range(1, scenario.voters + scenario.observers + 1):
            self.add_node(node_id)

    def _add_brokers(self) -> None:
        """Brokers that are not started yet, and the reference that they are held against."""
        log = self.book.cluster = ClusterLog(self.scenario.session_ms, counts=self.counts)
        self.fleet = Fleet(
            *(self.scenario, self.nodes, log, self.ask, self.agenda, self.fired, self._stream)
        )

    def _stream(self, name: str) -> Random:
        """Chance of its own for each concern, so that one draw more moves nothing else."""
        return Random(xxh3_64_intdigest(f"{self.scenario.seed}:{name}".encode()))

    # Nodes.

    def leader(self) -> SimNode | None:
        """The first node that takes itself for the leader, if one does."""
        for node in self.nodes.values():
            if node.is_up and node.running.driver.replica.role.name == "Leader":
                return node
        return None

    def add_node(self, node_id: int) -> SimNode:
        """A formatted node, not started."""
        memory = self.book.memories[node_id] = Memory(node_id)
        slack_ms = 1_000
        node = SimNode(
            node_id,
            self.scenario,
            self,
            self.book,
            memory,
            SimDisk(self._stream(f"disk {node_id}"), self.fired, keeps_trace=False),
            NodeClock(self.agenda),
            self._stream(f"node {node_id}"),
            Silence(self.scenario.fetch_ms * 3 // 2 + slack_ms),
        )
        self.nodes[node_id] = node
        self.network.places[(f"n{node_id}", node.port)] = node_id
        memory.now_ms = node.clock.now_ms
        node.format()
        return node

    def start(self, node: SimNode) -> bool:
        """Start a node; False when it refuses, which only damage may make it do."""
        if node.is_up:
            return True
        try:
            node.start()
        except OperatorError as error:
            self.note(node.id, "refuses", str(error)[:120])
            if not node.held:
                process.a_node_starts_after_a_crash(node.id, str(error))
            return False
        except InvariantViolated as error:
            if not _is_for_its_disk(error):
                process.a_node_stops_only_for_its_disk(node.id, str(error))
            node.stop()
            self.agenda.after(300_000, lambda: self.restart(node))
            return False
        except OSError as error:
            self.note(node.id, "disk-failed", str(error))
            node.stop()
            self.agenda.after(300_000, lambda: self.restart(node))
            return False
        node.held = False
        self.note(node.id, "start", node.running.driver.replica.role.name)
        self._after(node)
        return True

    def restart(self, node: SimNode) -> None:
        """Start a node that is down and not held back."""
        if not node.is_up and not node.held:
            self.start(node)

    def may_forget(self, node: SimNode) -> bool:
        """Whether the cluster can be expected to survive that this replica forgets.

        A voter in the log cannot be replaced by a new directory, so whatever set may decide has
        to keep a majority should the replica not come back as what it was.
        """
        scenario = self.scenario
        if not scenario.dynamic:
            return node.id > scenario.voters or scenario.voters >= 3
        if any(is_being_added(node, one) for one in self.nodes.values()):
            return False
        return can_spare(node, self.electorates(), self.nodes, scenario.minority_down)

    def electorates(self) -> list[VoterSet]:
        """Every voter set that some replica may still count with."""
        return electorates(self.nodes.values(), self.book.committed.end)

    def crash(self, node: SimNode, why: str = "crash") -> None:
        """A node goes down and loses what its disk had not synced."""
        if node.is_up:
            self.note(node.id, why, "")
            node.stop()
            self.network.went_down(node)

    def tell(self, node: SimNode, life: int, act: Act, *told: Any) -> None:
        """Do something at a node, if it still lives that life; later, if it is paused."""
        watched, now_us = node.watched, self.agenda.now_us
        if node.memory.life != life or watched is None:
            return
        if node.paused_until_us > now_us:
            self.agenda.at(node.paused_until_us, self.tell, node, life, act, *told)
            return
        try:
            watched.true_us = now_us
            act(*told)
            node.turn()
        except InvariantViolated as error:
            self._halted(node, error)
        else:
            self._after(node)

    def ask(self, node: SimNode, life: int, act: Act, *told: Any) -> None:
        """A question arrives at a node, which may serve it with others that come soon after."""
        batch_us = self.scenario.batch_us
        if not batch_us:
            self.tell(node, life, act, *told)
        elif node.memory.life == life and node.is_up:
            node.asked.append(partial(act, *told))
            if len(node.asked) == 1:
                self.agenda.after(batch_us, self.tell, node, life, self._serve_asked, node)

    def _serve_asked(self, node: SimNode) -> None:
        if len(node.asked) > 1:
            self.fired("served-together")
        node.serve_asked()

    def _halted(self, node: SimNode, error: InvariantViolated) -> None:
        why = str(error)
        if not _is_for_its_disk(error):
            process.a_node_stops_only_for_its_disk(node.id, why)
        self.note(node.id, "disk-failed", why)
        node.stop()
        self.network.went_down(node)
        self.agenda.after(500_000, lambda: self.restart(node))

    def _after(self, node: SimNode) -> None:
        """Whatever was armed for this moment, then sleep until the node's next deadline."""
        replica, running, now_us = node.watched, node.node, self.agenda.now_us
        if replica is None or running is None:
            return
        log, role, epoch = replica.log, _ROLES[replica.role.name], replica.election.epoch
        mark = -1 if log.high_watermark is None else log.high_watermark
        self.trace.update(_LINE(now_us, node.id, role, epoch, log.end, log.durable_end, mark))
        if self.on_event is not None:
            self.on_event(node.id, "", "")
        if self.armed and replica.moments:
            self._spring(node)
        due_us = node.clock.true_us_at(running.driver.deadline)  # of ``pass_time``
        if due_us < node.wake_us or node.wake_us <= now_us:
            node.wake_us = due_us
            if due_us < 1 << 60:
                self.agenda.at(due_us, self._wake, node, node.memory.life, due_us)

    def _spring(self, node: SimNode) -> None:
        """Traps that waited for what this node just did."""
        watched = node.watched
        if watched is None:
            return
        moments, watched.moments = watched.moments, 0
        for trap in [one for one in self.armed if one.moment & moments]:
            self.armed.remove(trap)
            life = node.memory.life
            self.agenda.after(trap.delay_us, trap.act, node, life)

    def _wake(self, node: SimNode, life: int, due_us: int) -> None:
        if node.memory.life == life and node.wake_us == due_us and node.watched is not None:
            if node.paused_until_us <= self.agenda.now_us:
                node.wake_us = -1
            self.tell(node, life, node.pass_time)

    def clock_changed(self, node: SimNode) -> None:
        """A clock that runs at another rate makes the time at which it was to wake wrong."""
        if node.is_up:
            node.wake_us = -1
            node.awake_since_us = self.agenda.now_us
            self.tell(node, node.memory.life, node.pass_time)

    # The host of the nodes.

    def later(self, delay_us: int, act: Act) -> None:
        """Do something after a while, whatever has become of the nodes."""
        self.agenda.after(delay_us, act)

    def after(self, delay_us: int, node: SimNode, act: Act) -> None:
        self.agenda.after(delay_us, self.tell, node, node.memory.life, act)

    def leader_told(self, node: SimNode, leader: LeaderAndEpoch) -> None:
        if leader.leader_id == node.id:
            voters = node.running.driver.replica.voters.latest
            self.book.leads(node.memory, leader.epoch, voters)
            self.count("elections")
            if self.book.cluster is not None:
                self.book.cluster.contacts.leads(node.id, node.clock.now_ms())
        self.note(node.id, "leader", f"{leader.leader_id} of epoch {leader.epoch}")

    def snapshot_written(self, node: SimNode, snapshot: SnapshotId) -> None:
        self.note(node.id, "snapshot", f"{snapshot.offset} of epoch {snapshot.epoch}")

    def snapshot_installed(self, node: SimNode, snapshot: SnapshotId) -> None:
        self.fired("snapshot-install")
        self.note(node.id, "installed", f"{snapshot.offset} of epoch {snapshot.epoch}")
        snapshots.snapshots_cover_only_what_is_committed(
            node.id, snapshot.offset, self.book.committed.end
        )
        self.snapshot_loaded(node)

    def snapshot_loaded(self, node: SimNode) -> None:
        """A node begins with a snapshot's state, one that it fetched or its own."""
        state = node.running.driver.controller.state
        fingerprint = self._print(state.committed())
        prints, offset = self.book.replay.prints, state.provenance.end_offset
        snapshots.a_snapshot_equals_the_replay(prints, node.id, offset, fingerprint)

    def state_moved(self, node: SimNode) -> None:
        self.compare_state(node)

    # Looking.

    def look(self) -> None:
        """Compare what the nodes show, and see whether leaders resign when they must."""
        for node in self.nodes.values():
            if node.is_up and node.paused_until_us <= self.agenda.now_us:
                assert node.watched is not None
                if self.agenda.now_us - node.awake_since_us > 0:
                    node.watched.look(self.agenda.now_us)
                self.compare_state(node)
        self.agenda.after(LOOK_US, self.look)

    def compare_state(self, node: SimNode) -> None:
        """Hold what a node shows against the replay of all that is committed."""
        state = node.running.driver.controller.state
        offset = state.provenance.end_offset
        fingerprint = self._print(state.committed())
        prints = self.book.replay.prints
        if prints.get(offset) != fingerprint:
            for user, value in quotas_of(state.committed()):
                expected = self.book.value_at(user, offset)
                writes.reads_show_what_is_committed(node.id, user, value, expected)
        states.states_are_equal_at_equal_offsets(prints, node.id, offset, fingerprint)

    def _print(self, view: StateView) -> int:
        cluster = self.book.cluster
        return fingerprint_of(view) ^ (0 if cluster is None else cluster.print(view))

    # Telling.

    def fired(self, name: str) -> None:
        """A fault really happened."""
        self.count(name)

    def count(self, name: str) -> None:
        """One more of these."""
        self.counts[name] = self.counts.get(name, 0) + 1

    def note(self, node_id: int, what: str, detail: str) -> None:
        """Something worth a line in the picture; part of the trace."""
        self.trace.update(f"{self.agenda.now_us}!{node_id}!{what}!{detail}".encode())
        if self.on_event is not None:
            self.on_event(node_id, what, detail)

    def number(self) -> int:
        """A number that no write had yet."""
        self._numbers += 1
        return self._numbers

    def lines(self) -> list[str]:
        """Every node in a line, for messages."""
        return [
            f"{node.id} {node.running.driver.replica.summary().line()}"
            if node.is_up
            else f"{node.id} down"
            for node in self.nodes.values()
        ]

    def add_clients(self) -> None:
        """The workload of the scenario begins."""
        for at in range(self.scenario.writes):
            client = Client(
                self.nodes,
                self._stream(f"client {at}"),
                self.book,
                self.ask,
                self.agenda,
                self.number,
                self.scenario.pause_ms * self.scenario.quiet,
                self.scenario.fetch_ms,
            )
            self.clients.append(client)
            self.agenda.after(at * 1_000, client.begin)
        if self.fleet is not None:
            self.fleet.begin()
            random = self._stream("admin")
            timeout_ms = self.scenario.session_ms
            asker = Asker(self.nodes, random, self.ask, self.agenda, timeout_ms, lost=20, late=20)
            admin = Admin(self.fleet, random, asker, ADMIN_PAUSE_MS * self.scenario.quiet)
            self.agenda.after(ADMIN_AFTER_US, admin.begin)
