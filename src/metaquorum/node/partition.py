"""What every partition of a node is built from: the metadata's and ``__consumer_offsets``."""

from __future__ import annotations

from collections.abc import Sequence

from metaquorum.base.clock import Clock
from metaquorum.base.offsets import Offset
from metaquorum.config.node_config import NodeConfig
from metaquorum.node.disk_effects import StorageJournal
from metaquorum.node.outside import Outside
from metaquorum.node.partition_files import PartitionFiles
from metaquorum.quorum.adapt import make_control_batch, stamp
from metaquorum.quorum.adapt.log_names import METADATA_LOG, LogName
from metaquorum.quorum.config import ReplicaConfig
from metaquorum.quorum.replica import Replica
from metaquorum.quorum.retention import Retention
from metaquorum.quorum.types import Batch, ControlValue, Endpoint, ReplicaKey
from metaquorum.quorum.voters import VoterHistory
from metaquorum.runtime.disk.log_lane import LogLane
from metaquorum.runtime.driver.driver import Driver
from metaquorum.runtime.loop.chance import SeededChance
from metaquorum.runtime.peers.peer_links import PeerLinks


def lane_of(directory: PartitionFiles, driver: Driver, outside: Outside) -> LogLane:
    """The way to the disk of one partition: a lane, a thread and an order of tickets its own."""
    replica = driver.replica
    journal = StorageJournal(
        directory.journal, lambda: tuple(voter.id for voter in replica.voters.latest)
    )
    return LogLane(
        journal,
        driver.became_durable,
        driver.disk_failed,
        run_aside=outside.run_aside,
        fast_syncs=outside.fast_syncs,
        lookout=outside.lookout,
    )


def peer_links_of(
    config: NodeConfig,
    cluster_id: str,
    driver: Driver,
    outside: Outside,
    about: LogName = METADATA_LOG,
) -> PeerLinks:
    """The connections to the peers of one partition, apart from those of any other."""
    return PeerLinks(
        config.node_id,
        cluster_id,
        driver.replica.config.controller_listener,
        driver.tell,
        outside.open_stream,
        prompt=config.prompt_failover,
        about=about,
        lookout=outside.lookout,
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
