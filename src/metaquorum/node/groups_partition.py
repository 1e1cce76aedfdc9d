"""``__consumer_offsets-0`` on a node: the same core and the same driver over a log of its own.

It has its own directory beside ``__cluster_metadata-0``, its own lane to the disk, its own links
to its peers, and nothing in common with the metadata but the node (decision 185).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final

import trio
from attrs import define, field

from metaquorum.base.clock import Clock, Millis
from metaquorum.base.ids import GROUPS_TOPIC_ID, Uuid
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.config.node_config import NodeConfig
from metaquorum.groups.config import GroupConfig
from metaquorum.groups.core import GroupCore
from metaquorum.metadata.state import Provenance
from metaquorum.node.environment import Environment
from metaquorum.node.groups_directory import directory_of
from metaquorum.node.notices import Notices
from metaquorum.node.partition import LogForm, Partition, replica_of
from metaquorum.node.partition_files import PartitionFiles, opened_parts, unusable
from metaquorum.node.services import MakeContext
from metaquorum.observe.events import EventLog
from metaquorum.quorum import adapt, effects, events
from metaquorum.quorum.adapt.log_names import GROUPS_LOG, METADATA_LOG, LogName, renamed
from metaquorum.quorum.adapt.snapshot_controls import snapshot_controls
from metaquorum.quorum.messages import NONE, UpdateVoterRequest, VoterChangeResponse
from metaquorum.quorum.types import (
    HIGHEST_KRAFT_VERSION,
    ZERO_SNAPSHOT,
    Control,
    Endpoint,
    KRaftVersionControl,
    ReplicaKey,
    Voter,
    VotersControl,
)
from metaquorum.quorum.voters import FROM_ZERO_CHECKPOINT, VoterHistory, VoterSet
from metaquorum.records.group_record import GroupRecord
from metaquorum.records.snapshot import snapshot_batches
from metaquorum.runtime.disk.metadata_log import MetadataLog
from metaquorum.runtime.driver.applier import Applier
from metaquorum.runtime.driver.driver import Driver
from metaquorum.runtime.driver.group_batches import (
    GroupStateLoading,
    group_snapshot_of,
    walk_group_batch,
)
from metaquorum.runtime.loop.promise import Promise
from metaquorum.runtime.peers.peer_links import PeerLinks
from metaquorum.runtime.snapshots.snapshot_task import SnapshotTask
from metaquorum.runtime.snapshots.snapshot_writing import SnapshotWriting
from metaquorum.storage.disk import Disk, DiskFailed
from metaquorum.storage.log_config import LogConfig
from metaquorum.storage.snapshot_files import write_snapshot


def begin(disk: Disk, path: str, voters: Iterable[Voter], wall_ms: int) -> None:
    """Write the first voters down, as a format does for the metadata log; durable afterwards."""
    history = VoterHistory()
    for value in (KRaftVersionControl(HIGHEST_KRAFT_VERSION), VotersControl(tuple(voters))):
        history = history.with_control(Control(FROM_ZERO_CHECKPOINT, value))
    disk.make_directory(path)
    batches = snapshot_batches(
        epoch=0,
        timestamp_ms=wall_ms,
        last_contained_ms=wall_ms,
        controls=snapshot_controls(history, 0),
        values=(),
    )
    write_snapshot(disk, path, ZERO_SNAPSHOT, batches)
    disk.sync_directory(os.path.dirname(path))


@define(eq=False)
class GroupsFiles(PartitionFiles):
    """The partition's directory, opened."""

    @classmethod
    def open(cls, disk: Disk, config: NodeConfig) -> GroupsFiles:
        """Recover what is there; an empty log if there is nothing.

        Raises OperatorError, RottenLog, DiskFailed.
        """
        log_config = LogConfig(
            segment_bytes=config.metadata_log_segment_bytes,
            segment_ms=config.metadata_log_segment_ms,
            topic_id=GROUPS_TOPIC_ID,
        )
        try:
            return cls(**opened_parts(disk, directory_of(config), log_config))
        except DiskFailed:
            raise
        except OSError as error:
            raise unusable(error) from error

    def loading_of(self, snapshot: OffsetAndEpoch) -> GroupStateLoading:
        """The state of a snapshot, to be loaded."""
        place = Provenance(
            snapshot.offset, snapshot.epoch, self.snapshots.last_contained_ms(snapshot)
        )
        return GroupStateLoading(self.snapshots.batches(snapshot), place)


@define(eq=False)
class GroupsPartition:
    """The partition of one node, opened. ``run`` is the parent of its tasks."""

    files: GroupsFiles
    driver: Driver
    peers: PeerLinks
    applier: Applier
    snapshots: SnapshotTask
    notices: Notices
    log: MetadataLog
    cluster_id: str
    directory_check_ms: Millis | None
    is_running: bool = field(default=False)

    async def run(self) -> None:
        """Keep it until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.driver.lane.run)
            if self.directory_check_ms is not None:
                nursery.start_soon(self.driver.lane.keep_checking, self.directory_check_ms)
            nursery.start_soon(self.driver.keep_time)
            nursery.start_soon(self.applier.run)
            nursery.start_soon(self.snapshots.run)
            nursery.start_soon(self.peers.run)
            nursery.start_soon(self.notices.run)
            self.is_running = True
            self.driver.post(events.Started())

    @property
    def name(self) -> LogName:
        """Which log it is."""
        return GROUPS_LOG

    def ask(
        self,
        api_key: int,
        version: int,
        request: Any,
        context: MakeContext,
        source: str,
    ) -> Promise[Any]:
        """The core's answer to a request of a replica of this partition, in the wire's form."""
        request = renamed(api_key, request, GROUPS_LOG, METADATA_LOG)
        message = adapt.read_request(api_key, version, request, self.cluster_id)
        if isinstance(message, adapt.Settled):
            settled: Promise[Any] = Promise()
            hint = self.driver.replica.hint
            made = context(self.log.resolve)
            settled.complete(adapt.settled_response(api_key, message, hint, made))
            return settled

        def write(response: Any) -> Any:
            made = context(self.log.resolve)
            written = adapt.write_response(api_key, version, request, response, made)
            return renamed(api_key, written, METADATA_LOG, GROUPS_LOG)

        return self.driver.ask_quorum(message, source).map(write)


def groups_partition(
    config: NodeConfig,
    key: ReplicaKey,
    cluster_id: str,
    files: GroupsFiles,
    static: VoterSet | None,
    bootstrap: Sequence[Endpoint],
    *,
    groups: GroupConfig,
    draw: Callable[[], Uuid],
    may_ask: Callable[[int], bool],
    log: EventLog,
    clock: Clock,
    env: Environment,
    seed: int,
) -> GroupsPartition:
    """The partition over its opened directory; nothing runs yet.

    ``may_ask`` says of a node whether it keeps the partition too: nothing is ever sent to one that
    does not, a Kafka controller for instance.
    """
    replica = replica_of(config, files, key, files.history_over(static), clock, seed, bootstrap)
    machine: Any = GroupCore(groups, draw)

    def send_over(driver: Driver, peers: PeerLinks) -> Callable[[effects.Send], None]:
        return partial(_send, driver, peers, may_ask)

    made = Partition(
        config,
        files,
        replica,
        machine,
        _FORM,
        cluster_id=cluster_id,
        loading_of=files.loading_of,
        on_loaded=lambda records: None,
        clock=clock,
        log=log,
        env=env,
        send_over=send_over,
    )
    return GroupsPartition(
        files=files,
        driver=made.driver,
        peers=made.peers,
        applier=made.applier,
        snapshots=made.snapshots,
        notices=made.notices,
        log=made.log,
        cluster_id=cluster_id,
        directory_check_ms=env.directory_check_ms,
    )


def _send(
    driver: Driver, peers: PeerLinks, may_ask: Callable[[int], bool], request: effects.Send
) -> None:
    """To the peer's link, where that is a node that keeps the partition.

    What a voter would tell of itself names no partition and would be taken for the metadata's; the
    leader knows it from there (``groups_voters``).
    """
    peer, correlation = request.peer.id, request.correlation
    if isinstance(request.message, UpdateVoterRequest):
        said = VoterChangeResponse(NONE, driver.replica.leader_hint)
        driver.post(events.ResponseArrived(peer, correlation, said))
    elif may_ask(peer):
        peers.send(request)
    else:
        why = f"node {peer} is not known to keep {GROUPS_LOG.topic}"
        driver.post(events.RequestFailed(peer, correlation, why))


def _begin_snapshot(state: Any, replica: Any, wall_ms: int) -> SnapshotWriting | None:
    return SnapshotWriting.begin(state, replica, wall_ms, group_snapshot_of)


def _load_nothing() -> None:
    """The coordinator has met the codecs of all that it keeps."""


_FORM: Final = LogForm(
    name=GROUPS_LOG,
    entry_of=GroupRecord.encode,
    read_batch=walk_group_batch,
    begin_snapshot=_begin_snapshot,
    load_codecs=_load_nothing,
)
