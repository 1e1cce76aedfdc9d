"""What every partition of a node is built from: the metadata's and ``__consumer_offsets``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from metaquorum.base.clock import Clock
from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.base.value import value
from metaquorum.config.node_config import NodeConfig
from metaquorum.metadata.reading import walk_metadata_batch
from metaquorum.metadata.snapshot_triggers import SnapshotPolicy, SnapshotTriggers
from metaquorum.metadata.snapshot_writer import load_codecs
from metaquorum.node.disk_effects import StorageJournal
from metaquorum.node.environment import Environment
from metaquorum.node.notices import Notices
from metaquorum.node.partition_files import PartitionFiles
from metaquorum.node.snapshot_install import SnapshotInstall
from metaquorum.observe.events import EventLog
from metaquorum.quorum.adapt import make_control_batch, stamp
from metaquorum.quorum.adapt.log_names import METADATA_LOG, LogName
from metaquorum.quorum.config import ReplicaConfig
from metaquorum.quorum.effects import Send
from metaquorum.quorum.replica import Replica
from metaquorum.quorum.retention import Retention
from metaquorum.quorum.types import Batch, ControlValue, Endpoint, ReplicaKey
from metaquorum.quorum.voters import VoterHistory
from metaquorum.records.builder import KeyValue
from metaquorum.runtime.disk.log_lane import LogLane
from metaquorum.runtime.disk.metadata_log import MetadataLog
from metaquorum.runtime.disk.tail import Tail
from metaquorum.runtime.driver.applier import Applier
from metaquorum.runtime.driver.batches import metadata_entry
from metaquorum.runtime.driver.driver import Driver
from metaquorum.runtime.driver.machine import BeginWriting, Loading, ReadBatch, StateMachine
from metaquorum.runtime.driver.ports import Listeners, Ports
from metaquorum.runtime.loop.chance import SeededChance
from metaquorum.runtime.peers.peer_links import PeerLinks
from metaquorum.runtime.snapshots.snapshot_loading import SnapshotLoading
from metaquorum.runtime.snapshots.snapshot_measures import SnapshotMeasures
from metaquorum.runtime.snapshots.snapshot_task import SnapshotTask, metadata_snapshot


@value
class LogForm:
    """How the records of a log are written, read, and kept in snapshots; the metadata's if unsaid.

    ``load_codecs`` imports what a snapshot is written with. ``min_changed_ratio`` is the share of
    changed records that makes a snapshot due, None where size and time alone do (KIP-630).
    """

    name: LogName = METADATA_LOG
    entry_of: Callable[[Any], KeyValue] = metadata_entry
    read_batch: ReadBatch = walk_metadata_batch
    begin_snapshot: BeginWriting = metadata_snapshot
    load_codecs: Callable[[], None] = load_codecs
    min_changed_ratio: float | None = None


SendOver = Callable[[Driver, PeerLinks], Callable[[Send], None]]
"""What the requests of a partition's replica are sent with."""


def _by_links(driver: Driver, peers: PeerLinks) -> Callable[[Send], None]:
    return peers.send


class Partition:
    """One log of a node and the state machine over it, put together; nothing runs yet."""

    def __init__(
        self,
        config: NodeConfig,
        files: PartitionFiles,
        replica: Replica,
        machine: StateMachine,
        form: LogForm,
        *,
        cluster_id: str,
        loading_of: Callable[[OffsetAndEpoch], Loading],
        on_loaded: Callable[[int], None],
        clock: Clock,
        log: EventLog,
        env: Environment,
        send_over: SendOver = _by_links,
    ) -> None:
        """``machine`` over an opened directory; its state begins with the newest snapshot, if any.

        ``loading_of`` reads a snapshot, ``on_loaded`` gets the number of its records.
        """
        tail = Tail()
        self.notices = Notices(config.node_id, log, clock)
        self.log = MetadataLog(files.log, tail, replica, files.snapshots)

        def ports_of(driver: Driver) -> Ports:
            self.peers = _peer_links_of(config, cluster_id, driver, env, form.name)
            self.snapshots = _snapshot_task(config, files, driver, form, log, env)
            self._loading = SnapshotLoading(driver)
            self.applier = Applier(driver, self.log, self._loading, form.read_batch)
            install = SnapshotInstall(
                files, driver, self._loading, self.snapshots, log, loading_of, on_loaded
            )
            own = Ports(
                lane=_lane_of(files, driver, env),
                send=send_over(driver, self.peers),
                settle_install=install.settle,
                measure_log=lambda: files.measured(clock.wall_ms()),
                apply_inline=self.applier.apply_inline,
            )
            return env.ports(own)

        self.driver = Driver(
            replica=replica,
            controller=machine,
            clock=clock,
            tail=tail,
            entry_of=form.entry_of,
            make_ports=ports_of,
            listeners=Listeners(notice=[self.notices], failed=[self.notices.failed]),
            poller=env.poller,
        )
        newest = files.newest_snapshot
        if newest is not None:
            loaded = loading_of(newest)
            took_ms = self._loading.at_start(loaded)
            self.snapshots.measures.loaded(files.snapshots.size_bytes(newest), took_ms)
            on_loaded(loaded.records)


def _snapshot_task(
    config: NodeConfig,
    files: PartitionFiles,
    driver: Driver,
    form: LogForm,
    log: EventLog,
    env: Environment,
) -> SnapshotTask:
    policy = SnapshotPolicy(
        config.metadata_max_record_bytes_between_snapshots,
        config.metadata_max_snapshot_interval_ms,
        form.min_changed_ratio,
    )
    now = driver.clock.now_ms()
    task = SnapshotTask(
        driver,
        files.snapshots,
        SnapshotTriggers(policy, now),
        log,
        SnapshotMeasures(now),
        env.run_in_thread,
        begin=form.begin_snapshot,
        load_codecs=form.load_codecs,
    )
    driver.listeners.replayed.append(task.replayed)
    driver.listeners.state_moved.append(task.state_moved)
    return task


def _lane_of(directory: PartitionFiles, driver: Driver, env: Environment) -> LogLane:
    """The way to the disk of one partition: a lane, a thread and an order of tickets its own."""
    replica = driver.replica
    journal = StorageJournal(
        directory.journal, lambda: tuple(voter.id for voter in replica.voters.latest)
    )
    return LogLane(
        journal,
        driver.became_durable,
        driver.disk_failed,
        run_in_thread=env.run_in_thread,
        fast_syncs=env.fast_syncs,
        poller=env.poller,
        sends_at=driver.gate.sends_at,
    )


def _peer_links_of(
    config: NodeConfig, cluster_id: str, driver: Driver, env: Environment, about: LogName
) -> PeerLinks:
    """The connections to the peers of one partition, apart from those of any other."""
    return PeerLinks(
        config.node_id,
        cluster_id,
        driver.replica.config.controller_listener,
        driver.post,
        env.open_stream,
        prompt=config.prompt_failover,
        about=about,
        poller=env.poller,
    )


def replica_of(
    config: NodeConfig,
    files: PartitionFiles,
    key: ReplicaKey,
    voters: VoterHistory,
    clock: Clock,
    seed: int,
    bootstrap: Sequence[Endpoint] | None = None,
) -> Replica:
    """The consensus core of one partition; ``bootstrap`` in the place of the configured servers."""

    def control_batch(values: tuple[ControlValue, ...], base_offset: Offset, epoch: int) -> Batch:
        return make_control_batch(values, base_offset, epoch, timestamp_ms=clock.wall_ms())

    names = config.controller_listener_names
    return Replica(
        config=ReplicaConfig(
            key=key,
            make_control_batch=control_batch,
            stamp=stamp,
            endpoints=tuple(
                Endpoint(one.name, one.host, one.port)
                for one in config.advertised_controller_listeners
            ),
            controller_listener=names[0] if names else "",
            bootstrap=_bootstrap(config) if bootstrap is None else tuple(bootstrap),
            election_timeout_ms=config.quorum_election_timeout_ms,
            fetch_timeout_ms=config.quorum_fetch_timeout_ms,
            election_backoff_max_ms=config.quorum_election_backoff_max_ms,
            request_timeout_ms=config.quorum_request_timeout_ms,
            retry_backoff_ms=config.quorum_retry_backoff_ms,
            fetch_max_bytes=config.quorum_fetch_max_bytes,
            snapshot_max_bytes=config.quorum_fetch_snapshot_max_bytes,
            snapshot_response_max_bytes=config.replica_fetch_response_max_bytes,
            retention=Retention(
                config.metadata_max_retention_bytes,
                config.metadata_max_retention_ms,
                config.metadata_start_lag_max_ms,
            ),
        ),
        election=files.election,
        log=files.log_view(),
        voters=voters,
        chance=SeededChance(seed),
        since_ms=clock.now_ms(),
    )


def _bootstrap(config: NodeConfig) -> tuple[Endpoint, ...]:
    names = config.controller_listener_names
    return tuple(
        Endpoint(names[0] if names else "", one.host, one.port)
        for one in config.bootstrap_servers or config.static_voters
    )
