"""Composition root: the parts of a node, put together and introduced to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, evolve, field

from metaquorum.base.clock import Clock
from metaquorum.config.node_config import NodeConfig
from metaquorum.controller.config import ControllerConfig
from metaquorum.controller.core import ControllerCore
from metaquorum.fetch.session_cache import SessionCache
from metaquorum.node.data_directory import DataDirectory
from metaquorum.node.directory_ids import DirectoryIdWatch
from metaquorum.node.environment import REAL_ENVIRONMENT, Environment
from metaquorum.node.health_checks import node_health
from metaquorum.node.links import dial_of
from metaquorum.node.notices import Notices
from metaquorum.node.partition import LogForm, Partition, replica_of
from metaquorum.node.services import NodeServices
from metaquorum.node.session_lines import SessionLines
from metaquorum.observe.events import EventLog
from metaquorum.observe.health import Health
from metaquorum.runtime.driver.applier import Applier
from metaquorum.runtime.driver.driver import Driver
from metaquorum.runtime.loop.clock import TrioClock
from metaquorum.runtime.peers.peer_links import PeerLinks
from metaquorum.runtime.peers.registration import RegistrationTask
from metaquorum.runtime.snapshots.snapshot_task import SnapshotTask

if TYPE_CHECKING:
    from metaquorum.node.groups_supervisor import GroupsPartitionSupervisor
    from metaquorum.observe.openmetrics import Exposition
    from metaquorum.server.sockets.listener import Server


@define(eq=False)
class Node:
    """One node: what its tasks run on and its handlers ask."""

    config: NodeConfig
    directory: DataDirectory
    driver: Driver
    peers: PeerLinks
    applier: Applier
    services: NodeServices
    health: Health
    log: EventLog
    notices: Notices
    snapshots: SnapshotTask
    seed: int
    env: Environment
    server: Server | None = field(default=None)
    registration: RegistrationTask | None = field(default=None)
    groups: GroupsPartitionSupervisor | None = field(default=None)
    has_loaded: bool = False
    """Whether all modules are imported that it may come to need."""

    def note(self, line: str) -> None:
        """A connection was closed for a reason."""
        self.log.info("connection-closed", why=line)

    def refused(self, line: str) -> None:
        """A client asked for what it has no right to."""
        self.log.info("request-refused", why=line)

    def failed(self, line: str) -> None:
        """A request failed on a fault of ours, which is to be reported and mended."""
        self.log.error("request-failed", why=line)

    def certificates(self, line: str) -> None:
        """The files of a listener's keys and certificates changed."""
        self.log.info("certificates", what=line)

    def exposition(self) -> Exposition:
        """Everything there is to measure, for the metrics listener."""
        from metaquorum.node.cluster_metrics import register_cluster_metrics
        from metaquorum.node.event_metrics import register_event_metrics
        from metaquorum.node.raft_metrics import (
            register_controller_metrics,
            register_loop_metrics,
            register_raft_metrics,
        )
        from metaquorum.node.session_metrics import register_session_metrics
        from metaquorum.node.snapshot_metrics import register_snapshot_metrics
        from metaquorum.node.state_metrics import register_state_metrics
        from metaquorum.node.voter_metrics import register_voter_metrics
        from metaquorum.observe.metrics import Registry
        from metaquorum.observe.openmetrics import Exposition
        from metaquorum.server.sockets.metrics import register_server_metrics

        registry = Registry()
        register_raft_metrics(registry, self.driver)
        register_controller_metrics(registry, self.driver)
        if isinstance(self.driver.controller, ControllerCore):
            register_event_metrics(registry, self.driver, self.driver.controller)
        register_state_metrics(registry, self.driver)
        register_cluster_metrics(registry, self.driver, self.directory.identity.cluster_id)
        register_snapshot_metrics(registry, self.driver, self.snapshots)
        register_loop_metrics(registry, self.driver)
        register_session_metrics(registry, self.services.sessions)
        register_voter_metrics(registry, self.driver, self.config)
        if self.config.groups_enabled:
            from metaquorum.node.groups_metrics import register_groups_metrics

            register_groups_metrics(registry, lambda: self.groups)
        registry.histogram(
            "metaquorum:type=log-lane,name=SyncTimeMs",
            "Milliseconds of one sync of the log, or of replacing the quorum-state file",
            self.directory.journal.sync_ms,
        )
        registry.counter(
            "metaquorum:type=event-log,name=LinesDropped",
            "Lines of the log that standard error did not take in time",
            self.log.dropped,
        )
        names = [listener.name for listener in self.config.listeners]
        register_server_metrics(registry, names, lambda: self.server)
        return Exposition(registry)


def assemble(
    config: NodeConfig,
    directory: DataDirectory,
    log: EventLog,
    *,
    seed: int,
    clock: Clock | None = None,
    env: Environment = REAL_ENVIRONMENT,
) -> Node:
    """A node over an opened directory; nothing runs yet."""
    clock = clock if clock is not None else TrioClock()
    env = evolve(env, open_stream=dial_of(config, env.open_stream, clock, log))
    history = directory.voter_history(config)
    changed_ratio = config.metadata_min_changed_ratio
    counts = changed_ratio is not None
    made = Partition(
        config,
        directory,
        replica_of(config, directory, directory.key, history, clock, seed),
        _controller(config, directory),
        LogForm(min_changed_ratio=changed_ratio),
        cluster_id=directory.identity.cluster_id,
        loading_of=lambda snapshot: directory.loading_of(snapshot, count_changes=counts),
        on_loaded=lambda records: _drop_legacy_bootstrap(directory, records, log),
        clock=clock,
        log=log,
        env=env,
    )
    driver = made.driver
    _watch_directory_id(directory, made, log)
    if directory.newest_snapshot is None and (file := directory.overruled_bootstrap) is not None:
        log.warn("bootstrap-file-ignored", file=file, why="the zero checkpoint counts")
    return Node(
        config=config,
        directory=directory,
        driver=driver,
        peers=made.peers,
        applier=made.applier,
        services=NodeServices(
            config,
            directory.identity.cluster_id,
            clock,
            driver,
            made.log,
            _sessions(config, env, log, clock),
            open_stream=env.open_stream,
            bootstrap_records=directory.bootstrap_records,
        ),
        health=node_health(driver),
        log=log,
        notices=made.notices,
        snapshots=made.snapshots,
        seed=seed,
        env=env,
    )


def _watch_directory_id(directory: DataDirectory, made: Partition, log: EventLog) -> None:
    """Look at the voters now, at each change of role, and whenever something was committed."""
    driver = made.driver
    watch = DirectoryIdWatch(
        directory.key, directory.identity_file, lambda: driver.replica.voters, log
    )

    driver.listeners.notice.append(lambda notice: watch.look())
    driver.listeners.state_moved.append(watch.look)
    watch.look()


def _sessions(config: NodeConfig, env: Environment, log: EventLog, clock: Clock) -> SessionCache:
    tell = SessionLines(log, clock)
    return SessionCache(config.fetch_session_slots, env.unguessable, tell=tell)


def _controller(config: NodeConfig, directory: DataDirectory) -> ControllerCore:
    return ControllerCore(
        ControllerConfig(
            node_id=config.node_id,
            max_idle_interval_ms=config.metadata_max_idle_interval_ms,
            min_insync_replicas=config.min_insync_replicas,
            broker_session_timeout_ms=config.broker_session_timeout_ms,
            broker_heartbeat_interval_ms=config.broker_heartbeat_interval_ms,
            broker_quick_restart=config.broker_quick_restart,
            replication_factor=config.default_replication_factor,
            partitions=config.default_partitions,
            delete_topic_enable=config.delete_topic_enable,
            has_remote_storage=_has_remote_storage(config),
            file=config.given,
            unclean_leader_election_enable=config.unclean_leader_election_enable,
            unclean_leader_election_interval_ms=config.unclean_leader_election_interval_ms,
            leader_rebalance_enable=config.leader_rebalance_enable,
            leader_imbalance_check_interval_ms=config.leader_imbalance_check_interval_s * 1_000,
            token_secret=(config.delegation_token_secret or "").encode() or None,
            token_max_lifetime_ms=config.delegation_token_max_lifetime_ms,
            token_expiry_ms=config.delegation_token_expiry_ms,
            token_expiry_check_interval_ms=config.delegation_token_expiry_check_interval_ms,
            count_changes=config.metadata_min_changed_ratio is not None,
        ),
        directory.bootstrap_records(),
    )


def _has_remote_storage(config: NodeConfig) -> bool:
    """Whether the cluster's file enables tiered storage (KIP-405)."""
    return config.given.get("remote.log.storage.system.enable", "").strip().lower() == "true"


def _drop_legacy_bootstrap(directory: DataDirectory, records: int, log: EventLog) -> None:
    if records and directory.drop_legacy_bootstrap():
        log.info("bootstrap-file-deleted", why="a snapshot with records was loaded")
