"""One simulated node: the production assembly over a simulated disk, clock and network."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from random import Random
from typing import Any, Protocol

import trio
from attrs import define, evolve, field

from metaquorum.base.ids import Uuid
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.cli.zero_checkpoint import zero_checkpoint
from metaquorum.config.listeners import StaticVoter
from metaquorum.config.node_config import NodeConfig
from metaquorum.controller import events as controller_events
from metaquorum.node.assembly import Node, assemble
from metaquorum.node.data_directory import DataDirectory
from metaquorum.node.disk_effects import StorageJournal
from metaquorum.node.environment import Environment
from metaquorum.observe.events import EventLog, Level
from metaquorum.quorum import effects, events
from metaquorum.quorum.config import ReplicaConfig
from metaquorum.quorum.types import ZERO_SNAPSHOT, Endpoint, ReplicaKey, SnapshotId, Voter
from metaquorum.runtime.driver.ports import Ports
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.names import METADATA_DIRECTORY
from metaquorum.testing.sim.clock import WALL_START_MS, NodeClock
from metaquorum.testing.sim.disk import SimDisk
from metaquorum.testing.simulator.book import Book, Memory, Silence
from metaquorum.testing.simulator.broker_settings import broker_properties, idle_properties, levels
from metaquorum.testing.simulator.invariants import elections, logs, snapshots
from metaquorum.testing.simulator.lane import SimLane
from metaquorum.testing.simulator.log_mirror import Entry, LogMirror
from metaquorum.testing.simulator.replay import Served
from metaquorum.testing.simulator.scenario import Scenario
from metaquorum.testing.simulator.snapshots import SnapshotWriter, snapshot_properties
from metaquorum.testing.simulator.watched import WRITING, WatchedReplica

CLUSTER_ID = "AAAAAAAAAAAAAAAAAAAAGg"
DIRECTORY = "/data"
PATH = f"{DIRECTORY}/{METADATA_DIRECTORY}"
ZERO_CHECKPOINT = f"{0:020d}-{0:010d}.checkpoint"
FIRST_PORT = 9_000


class Silent:
    """An event log that nobody reads."""

    @staticmethod
    def log() -> EventLog:
        """A log that writes nothing."""
        return EventLog(lambda line: None, lambda: 0, Level.ERROR)


@lru_cache(maxsize=512)
def node_config(scenario: Scenario, node_id: int, port: int) -> NodeConfig:
    """The configuration of one node; static voters unless the scenario keeps them in the log."""
    properties = {
        "process.roles": "controller",
        "node.id": str(node_id),
        "listeners": f"CONTROLLER://n{node_id}:{port}",
        "controller.listener.names": "CONTROLLER",
        "log.dirs": DIRECTORY,
        "controller.quorum.election.timeout.ms": str(scenario.election_ms),
        "controller.quorum.fetch.timeout.ms": str(scenario.fetch_ms),
        "controller.quorum.request.timeout.ms": str(scenario.fetch_ms),
        "controller.quorum.retry.backoff.ms": str(scenario.retry_ms),
        **snapshot_properties(scenario),
        **broker_properties(scenario),
        **idle_properties(scenario),
    }
    ids = range(1, scenario.voters + 1)
    everybody = range(1, scenario.voters + scenario.observers + 1)
    places = ",".join(f"n{one}:{FIRST_PORT}" for one in everybody)
    properties["controller.quorum.bootstrap.servers"] = places
    config, _ = NodeConfig.of(properties, "simulated", host_name=lambda: f"n{node_id}")
    # As keys these voters would forbid a controller beside them, which an observer here is.
    static = (
        () if scenario.dynamic else tuple(StaticVoter(one, f"n{one}", FIRST_PORT) for one in ids)
    )
    return evolve(config, metadata_log_segment_bytes=scenario.segment_bytes, static_voters=static)


def directory_id(node_id: int, body: int) -> Uuid:
    """A directory id that shows whose it is and which of its directories."""
    return bytes([node_id]) * 15 + bytes([body + 1])


@lru_cache(maxsize=64)
def first_checkpoint(scenario: Scenario) -> bytes:
    """What format wrote on every node."""
    voters = [
        Voter(
            ReplicaKey(one, directory_id(one, 0)),
            (Endpoint("CONTROLLER", f"n{one}", FIRST_PORT),),
            0,
            1,
        )
        for one in range(1, scenario.voters + 1)
    ]
    if not scenario.dynamic:
        return zero_checkpoint(levels(scenario), 0, (), WALL_START_MS)
    return zero_checkpoint(levels(scenario), 1, voters, WALL_START_MS)


class Host(Protocol):
    """What a node needs of the simulation; the world implements it."""

    def after(self, delay_us: int, node: SimNode, act: Callable[[], None]) -> None:
        """Do something later, if the node still lives the same life then."""

    def send(self, node: SimNode, request: effects.Send) -> None:
        """Put a request on the network."""

    def leader_told(self, node: SimNode, leader: LeaderAndEpoch) -> None:
        """A node has shown whom it takes for the leader."""

    def snapshot_written(self, node: SimNode, snapshot: SnapshotId) -> None:
        """A node has written a snapshot."""

    def snapshot_installed(self, node: SimNode, snapshot: SnapshotId) -> None:
        """A node has loaded a snapshot that it fetched."""

    def snapshot_loaded(self, node: SimNode) -> None:
        """A node begins with the state of a snapshot."""

    def state_moved(self, node: SimNode) -> None:
        """The committed state of a node is further than before."""

    def fired(self, name: str) -> None:
        """Something really happened that is counted."""


@define(eq=False)
class SimNode:
    """A node that may be down (``node`` is None) and its disk, which stays."""

    id: int
    scenario: Scenario
    host: Host
    book: Book
    memory: Memory
    disk: SimDisk
    clock: NodeClock
    random: Random
    silence: Silence
    node: Node | None = None
    watched: WatchedReplica | None = None
    port: int = FIRST_PORT
    paused_until_us: int = 0
    slow_disk: int = 1
    budget_bytes: int | None = None
    held: bool = False
    wake_us: int = -1
    awake_since_us: int = 0
    asked: list[Callable[[], None]] = field(factory=list)
    _lane: SimLane | None = None
    _writer: SnapshotWriter | None = None
    _state_moved: bool = False
    _plenty: ReplicaConfig | None = None

    @property
    def link_end(self) -> int:
        """What stands for it in ``Links``."""
        return self.id

    @property
    def faulty_disk(self) -> SimDisk:
        """Its disk, with the switches of what goes wrong."""
        return self.disk

    @property
    def is_up(self) -> bool:
        """Whether its process runs, paused or not."""
        return self.node is not None

    @property
    def running(self) -> Node:
        """The parts of the running node."""
        assert self.node is not None
        return self.node

    def replace(self, held: LogMirror) -> None:
        """A new disk and another directory; what the old one ``held`` was acknowledged rightly."""
        self.memory.buried[directory_id(self.id, self.memory.body)] = held
        self.memory.forget(True)
        self.format()

    def format(self) -> None:
        """An empty, formatted directory."""
        files = {f"{PATH}/{ZERO_CHECKPOINT}": self.checkpoint()}
        self.disk.restore(files)

    def checkpoint(self) -> bytes:
        """The zero checkpoint; a replica that joins later knows no voters."""
        scenario = evolve(self.scenario, happenings=(), seed=0)
        if scenario.dynamic and (self.id > scenario.voters or self.memory.body):
            return zero_checkpoint(levels(scenario), 1, (), WALL_START_MS)
        return first_checkpoint(scenario)

    def start(self) -> None:
        """Recover what is on the disk and take part; OperatorError when it must not."""
        scenario = evolve(self.scenario, happenings=(), seed=0)
        config = node_config(scenario, self.id, self.port)
        identity = MetaProperties(CLUSTER_ID, self.id, directory_id(self.id, self.memory.body))
        directory = DataDirectory.over(self.disk, config, identity)
        self._check_recovery(directory)
        self.memory.life += 1
        self.memory.watermark = None
        self.memory.answered = (0, -1)
        node = assemble(
            config,
            directory,
            Silent.log(),
            seed=self.random.getrandbits(32),
            clock=self.clock,
            env=Environment(ports=partial(self._ports, directory)),
        )
        driver = node.driver
        replica = driver.replica
        watched = WatchedReplica.watching(replica, self.book, self.memory, self.silence)
        self.watched = driver.replica = node.services.log.replica = watched
        self.memory.voters = watched.voters
        self._plenty = watched.config
        self.take_budget()
        self._watch_state(node)
        driver.listeners.leader.append(lambda leader: self.host.leader_told(self, leader))
        self.node = node
        self.wake_us = -1
        driver.post(events.Started())
        if directory.newest_snapshot is not None:
            self.book.check_voters(self.memory, directory.newest_snapshot.offset)
            self.host.snapshot_loaded(self)

    def _ports(self, directory: DataDirectory, own: Ports) -> Ports:
        """A lane over the simulated disk, and requests by the simulated network."""
        self._lane = SimLane(
            StorageJournal(
                directory.journal,
                lambda: tuple(voter.id for voter in self.running.driver.replica.voters.latest),
            ),
            self.disk,
            self.random,
            own.lane.on_durable,
            own.lane.on_failed,
            self._on_disk,
            self._interrupted,
            lambda delay_us, act: self.host.after(delay_us, self, act),
            self._sync_us,
        )
        lane: Any = self._lane
        return evolve(
            own,
            lane=lane,
            send=partial(self.host.send, self),
            settle_install=partial(self._settle, own.settle_install),
        )

    @property
    def served(self) -> Served:
        """Its directory, with the snapshots that its core goes by."""
        ids = [one for one, _ in self.running.driver.replica.log.snapshots]
        return Served(self.running.directory, tuple(one for one in ids if one != ZERO_SNAPSHOT))

    def take_budget(self) -> None:
        """What memory there is for what is uncommitted, and for fetches that wait."""
        budget, watched = self.budget_bytes, self.watched
        if watched is None:
            return
        plenty = watched.config if self._plenty is None else self._plenty
        watched.config = (
            plenty if budget is None else evolve(plenty, uncommitted_max_bytes=budget, parked_max=1)
        )

    def stop(self) -> None:
        """Go down at once, as by kill -9 and a loss of power together."""
        if self._lane is not None:
            self._lane.lose_power()
        if self._writer is not None:
            self._writer.lose_power()
        self.node = self.watched = self._lane = self._writer = None
        self.asked.clear()
        self.paused_until_us = 0
        self.disk.crash()

    def serve_asked(self) -> None:
        """Serve whatever arrived together, as the host of its sockets would."""
        driver = self.running.driver
        asked, self.asked = self.asked, []
        driver.begin_batch()
        for question in asked:
            question()
        driver.flush_batch()

    def turn(self) -> None:
        """After something happened: apply what is committed, as the applier's task would."""
        node = self.node
        assert node is not None
        driver = node.driver
        if driver.work_to_apply.is_set():
            while node.applier.turn():
                pass
            driver.work_to_apply = trio.Event()
        if self._state_moved:
            self._state_moved = False
            self.host.state_moved(self)
            if self.writes_snapshots and self._writer is not None:
                self._writer.look()

    @property
    def writes_snapshots(self) -> bool:
        """Whether it writes snapshots of its own accord."""
        return self.scenario.snapshot_bytes > 0 or self.scenario.snapshot_ms > 0

    def write_snapshot(self) -> None:
        """Write one at once, if there is anything new to be in it."""
        if self._writer is not None:
            self._writer.write_at_once()

    def pass_time(self) -> None:
        """Tell those whose deadline has come, as the driver's task would."""
        node = self.node
        assert node is not None
        driver, now = node.driver, self.clock.now_ms()
        if driver.replica.deadline <= now:
            driver.post(events.TimePassed())
        if driver.controller.deadline <= now:
            driver.post_to_controller(controller_events.TimePassed())
        if driver.watermark.deadline <= now:
            driver.watermark.expire(now)

    def _watch_state(self, node: Node) -> None:
        """Compare the state each time it has moved, and write snapshots of it."""

        def state_moved() -> None:
            self._state_moved = True

        node.driver.listeners.state_moved.append(state_moved)
        self._writer = SnapshotWriter(
            node,
            self.disk,
            self.random,
            lambda delay_us, act: self.host.after(delay_us, self, act),
            self._sync_us,
            self._wrote,
            self.host.fired,
            self._begun,
        )

    def _sync_us(self) -> int:
        mean = self.scenario.fsync_us * self.slow_disk
        return mean // 2 + int(self.random.random() * (mean + 1))

    def _on_disk(self, done: list[Any]) -> None:
        """These effects are durable now, whether the node knows it yet or not."""
        memory, disk = self.memory, self.memory.disk
        for effect in done:
            if isinstance(effect, effects.AppendBatches):
                for batch in effect.batches:
                    self.book.synced(memory, Entry.of(batch))
            elif isinstance(effect, effects.TruncateLog):
                disk.cut(effect.to)
            elif isinstance(effect, effects.SaveElection):
                memory.saved_epoch = effect.election.epoch
                memory.saved_leader = effect.election.leader_id
                voted = effect.election.voted
                if voted is not None and voted.id == self.id:
                    self.book.votes_for(memory, effect.election.epoch, self.id)
            elif isinstance(effect, effects.InstallSnapshot):
                self._installed(effect.snapshot)
            elif isinstance(effect, effects.DropPrefix):
                disk.drop(effect.before)
                self.host.fired("prefix-drop")
                self._check_disk()

    def _interrupted(self, begun: list[Any]) -> None:
        """A crash comes while these are under way: what they take away may be gone already."""
        for effect in begun:
            if isinstance(effect, effects.TruncateLog):
                self.memory.disk.cut(effect.to)
            elif isinstance(effect, effects.InstallSnapshot):
                self.memory.installing = effect.snapshot.offset
                self.host.fired("install-cut-short")

    def _installed(self, snapshot: SnapshotId) -> None:
        directory = self.running.directory
        if snapshot not in directory.snapshots.ids:
            self.host.fired("snapshot-rejected")
            return
        log = directory.log
        snapshots.a_newer_snapshot_begins_the_log_anew(
            self.id, snapshot, log.start_offset, log.end_offset, log.last_epoch
        )
        self._check_disk()
        self.memory.disk.restart(log.start_offset)
        self.memory.accepted.restart(log.start_offset)

    def _begun(self) -> None:
        if self.watched is not None:
            self.watched.moments |= WRITING

    def _wrote(self, snapshot: SnapshotId) -> None:
        self.host.snapshot_written(self, snapshot)
        self._check_disk()

    def _check_disk(self) -> None:
        """KIP-630's invariants, as the directory has them."""
        directory, committed = self.running.directory, self.book.committed
        ids = [one for one in directory.snapshots.ids if one != ZERO_SNAPSHOT]
        start = directory.log.start_offset
        snapshots.a_log_that_begins_late_has_a_snapshot(self.id, start, ids)
        for one in ids:
            snapshots.snapshots_cover_only_what_is_committed(self.id, one.offset, committed.end)
            last = committed.before(one.offset)
            snapshots.a_snapshot_is_named_by_its_last_record(self.id, one, last)

    def _settle(self, settle: Callable[[SnapshotId], None], snapshot: SnapshotId) -> None:
        settle(snapshot)
        if self.running.directory.log.start_offset == snapshot.offset:
            self.host.after(0, self, lambda: self.host.snapshot_installed(self, snapshot))

    def _check_recovery(self, directory: DataDirectory) -> None:
        """What came back is what was synced, perhaps with what was under way, and no more."""
        log, memory = directory.log, self.memory
        found = LogMirror(log.start_offset)
        starts: list[tuple[int, int]] = []
        for header, view in log.batches():
            entry = Entry.read(header, view)
            found.entries.append(entry)
            if not starts or starts[-1][0] != entry.epoch:
                starts.append((entry.epoch, entry.base))
        self.book.recovered(memory, found)
        self._check_snapshots(directory)
        file = list(zip(log.epochs.epochs, log.epochs.offsets))
        logs.the_epoch_file_equals_the_log(self.id, file, starts)
        saved = directory.election.epoch
        elections.quorum_state_is_not_behind_what_was_said(self.id, saved, memory.said_epoch)
        memory.saved_epoch, memory.saved_leader = saved, directory.election.leader_id
        voted = directory.election.voted
        if voted is not None and voted.id == self.id:
            self.book.votes_for(memory, saved, self.id)

    def _check_snapshots(self, directory: DataDirectory) -> None:
        """KIP-630's invariants after a start: recovery has seen to all of them."""
        log, newest = directory.log, directory.report.snapshot
        whole = [one for one in directory.snapshots.ids if newest is not None and one <= newest]
        snapshots.a_log_that_begins_late_has_a_snapshot(self.id, log.start_offset, whole)
        snapshots.snapshots_end_between_log_start_and_watermark(
            self.id, log.start_offset, whole, self.book.committed.end
        )
        if newest is not None:
            snapshots.a_newer_snapshot_begins_the_log_anew(
                self.id, newest, log.start_offset, log.end_offset, log.last_epoch
            )
