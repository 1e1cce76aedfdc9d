"""A quorum in memory that answers a reader as Kafka's controllers do, and can be bent at will.

Nothing is encoded but record batches: requests and answers are wire messages passed by hand.
The clock moves only when the reader sleeps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field

from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.client.connection import ConnectionFailed, VersionsDoNotMeet
from metaquorum.client.leader_link import LeaderLink
from metaquorum.client.metadata_log import MetadataLogReader
from metaquorum.records.batch import BatchHeader, read_header
from metaquorum.records.builder import build_batch
from metaquorum.records.control import ControlType, encode_control
from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.wire.generated import describe_cluster_response as cluster
from metaquorum.wire.generated import describe_quorum_response as quorum_wire
from metaquorum.wire.generated import error_codes as codes
from metaquorum.wire.generated import fetch_response as fetch
from metaquorum.wire.generated import fetch_snapshot_response as snapshots
from metaquorum.wire.generated import leader_change_message
from metaquorum.wire.generated.records import feature_level_record, no_op_record

FETCH, DESCRIBE_QUORUM, FETCH_SNAPSHOT, DESCRIBE_CLUSTER = 1, 55, 59, 60
TIME_MS = 1_795_250_000_000
NOOP = encode_metadata_record(20, no_op_record.NoOpRecord(), 0)
Address = tuple[str, int]


def feature(name: str, level: int) -> bytes:
    """A record value that is told from others by its name."""
    return encode_metadata_record(12, feature_level_record.FeatureLevelRecord(name, level), 0)


def data_batch(base_offset: int, epoch: int, *values: bytes) -> bytes:
    """A batch of metadata records."""
    return build_batch(
        [(None, value) for value in values],
        timestamp_ms=TIME_MS + base_offset,
        base_offset=base_offset,
        leader_epoch=epoch,
    )


def leader_change(base_offset: int, epoch: int, leader_id: int) -> bytes:
    """The first batch of an epoch."""
    message = leader_change_message.LeaderChangeMessage(leader_id=leader_id)
    return build_batch(
        [encode_control(ControlType.LEADER_CHANGE, message)],
        timestamp_ms=TIME_MS + base_offset,
        base_offset=base_offset,
        leader_epoch=epoch,
        control=True,
    )


@define
class FakeController:
    """One node: what it believes, and the log it has (whole encoded batches)."""

    node_id: int
    address: Address
    epoch: int = 1
    leader_id: int = 1
    high_watermark: int = -1
    log: list[bytes] = field(factory=list)
    snapshot: tuple[OffsetAndEpoch, bytes] | None = None
    oldest_snapshot_epoch: int = 1
    older_snapshots: dict[OffsetAndEpoch, bytes] = field(factory=dict)
    up: bool = True
    fetch_versions: tuple[int, int] = (13, 18)
    refusal: int = codes.NONE
    supported: dict[str, tuple[int, int]] = field(factory=dict)
    finalized: dict[str, int] = field(factory=dict)

    def headers(self) -> list[tuple[BatchHeader, bytes]]:
        return [(read_header(batch), batch) for batch in self.log]

    @property
    def log_start(self) -> int:
        return read_header(self.log[0]).base_offset if self.log else self._snapshot_end

    @property
    def log_end(self) -> int:
        return read_header(self.log[-1]).next_offset if self.log else self._snapshot_end

    @property
    def _snapshot_end(self) -> int:
        return 0 if self.snapshot is None else self.snapshot[0].offset


@define
class FakeQuorum:
    """Controllers by address. ``before`` runs ahead of the nth answered request (from 1).

    Without ``tells_places`` DescribeQuorum has no addresses of nodes, as before version 2.
    """

    controllers: dict[int, FakeController]
    before: dict[int, Callable[[], None]] = field(factory=dict)
    requests: list[tuple[int, int, Any]] = field(factory=list)
    opened: list[Address] = field(factory=list)
    now_s: float = 0.0
    chunk_bytes: int = 100
    cluster_id: str = "CLUSTER"
    refused_opens: list[Exception] = field(factory=list)
    at_open: Callable[[int], None] = field(default=lambda count: None)
    tells_places: bool = True

    @classmethod
    def of(cls, count: int = 1, **same: Any) -> FakeQuorum:
        """Controllers 1..count on ports 9001.., all with the same beliefs."""
        return cls(
            {
                node_id: FakeController(node_id, (f"c{node_id}", 9000 + node_id), **same)
                for node_id in range(1, count + 1)
            }
        )

    def __getitem__(self, node_id: int) -> FakeController:
        return self.controllers[node_id]

    @property
    def addresses(self) -> list[Address]:
        return [one.address for one in self.controllers.values()]

    def reader(self, **options: Any) -> MetadataLogReader:
        """A reader of this quorum in virtual time."""
        bootstrap = options.pop("bootstrap", self.addresses)
        timeout_ms = options.pop("timeout_ms", 5_000)
        link = LeaderLink(
            bootstrap, timeout_ms, open=self.open, now=lambda: self.now_s, sleep=self.sleep
        )
        return MetadataLogReader(bootstrap, link=link, timeout_ms=timeout_ms, **options)

    def open(self, host: str, port: int, **_: Any) -> Any:
        self.opened.append((host, port))
        self.at_open(len(self.opened))
        if self.refused_opens:
            raise self.refused_opens.pop(0)
        for one in self.controllers.values():
            if one.address == (host, port) and one.up:
                return FakeConnection(self, one, host, port)
        raise ConnectionFailed(f"{host}:{port}: refused")

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


@define
class FakeConnection:
    """Stands where client.connection.Connection stands."""

    quorum: FakeQuorum
    node: FakeController
    host: str
    port: int
    closed: bool = False

    @property
    def supported(self) -> dict[str, tuple[int, int]]:
        return self.node.supported

    @property
    def finalized(self) -> dict[str, int]:
        return self.node.finalized

    def __enter__(self) -> FakeConnection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.closed = True

    def best_version(self, api_key: int, least: int = 0, most: int | None = None) -> int:
        if api_key == FETCH:
            if self.node.fetch_versions[1] < least:
                raise VersionsDoNotMeet("Fetch is too old here")
            return self.node.fetch_versions[1]
        return 1

    def ask(self, api_key: int, version: int, request: Any, **_: Any) -> Any:
        assert not self.closed
        hook = self.quorum.before.pop(len(self.quorum.requests) + 1, None)
        if hook is not None:
            hook()
        self.quorum.requests.append((self.node.node_id, api_key, request))
        if not self.node.up:
            raise ConnectionFailed(f"{self.host}:{self.port} closed the connection")
        if api_key == FETCH:
            return self._fetch(version, request)
        if api_key == FETCH_SNAPSHOT:
            return self._fetch_snapshot(request)
        if api_key == DESCRIBE_QUORUM:
            return self._describe_quorum()
        return cluster.DescribeClusterResponse(
            cluster_id=self.quorum.cluster_id,
            controller_id=self.node.leader_id,
            brokers=[
                cluster.DescribeClusterBroker(one.node_id, *one.address)
                for one in self.quorum.controllers.values()
            ],
        )

    def _describe_quorum(self) -> Any:
        """As the leader sees it: all voters fetched a moment ago, and are where it is."""
        node = self.node
        part = quorum_wire.PartitionData(
            error_code=codes.NONE
            if node.leader_id == node.node_id
            else codes.NOT_LEADER_OR_FOLLOWER,
            leader_id=node.leader_id,
            leader_epoch=node.epoch,
            high_watermark=node.high_watermark,
            current_voters=[
                quorum_wire.ReplicaState(
                    replica_id=one.node_id,
                    log_end_offset=one.log_end,
                    last_fetch_timestamp=TIME_MS - (0 if one.up else 60_000),
                    last_caught_up_timestamp=TIME_MS - (0 if one.up else 60_000),
                )
                for one in self.quorum.controllers.values()
            ],
        )
        return quorum_wire.DescribeQuorumResponse(
            topics=[quorum_wire.TopicData(METADATA_TOPIC, [part])],
            nodes=[
                quorum_wire.Node(
                    one.node_id,
                    [quorum_wire.Listener("CONTROLLER", one.address[0], one.address[1])],
                )
                for one in self.quorum.controllers.values()
                if self.quorum.tells_places
            ],
        )

    def _fetch(self, version: int, request: Any) -> Any:
        asked = request.topics[0].partitions[0]
        part = fetch.PartitionData(
            high_watermark=-1,
            log_start_offset=self.node.log_start,
            current_leader=fetch.LeaderIdAndEpoch(self.node.leader_id, self.node.epoch),
            records=b"",
        )
        part.error_code = self._refused(asked.current_leader_epoch)
        if asked.last_fetched_epoch < 0 or request.topics[0].topic_id != METADATA_TOPIC_ID:
            part.error_code = codes.INVALID_REQUEST
        if part.error_code == codes.NONE:
            part.high_watermark = self.node.high_watermark
            self._serve(asked, part)
        leader = self.quorum.controllers.get(self.node.leader_id)
        endpoints = []
        if leader is not None and version >= 17:
            endpoints = [fetch.NodeEndpoint(leader.node_id, *leader.address)]
        topic = fetch.FetchableTopicResponse(topic_id=METADATA_TOPIC_ID, partitions=[part])
        return fetch.FetchResponse(responses=[topic], node_endpoints=endpoints)

    def _refused(self, epoch: int) -> int:
        if self.node.refusal != codes.NONE:
            return self.node.refusal
        if epoch < self.node.epoch:
            return codes.FENCED_LEADER_EPOCH
        if epoch > self.node.epoch:
            return codes.UNKNOWN_LEADER_EPOCH
        leads = self.node.leader_id == self.node.node_id
        return codes.NONE if leads else codes.NOT_LEADER_OR_FOLLOWER

    def _serve(self, asked: Any, part: Any) -> None:
        offset, epoch = asked.fetch_offset, asked.last_fetched_epoch
        if self.node.snapshot is not None:
            known = self.node.snapshot[0]
            oldest = self.node.oldest_snapshot_epoch
            behind = offset < self.node.log_start or epoch < oldest
            at_start = offset == self.node.log_start and epoch != oldest
            if offset == 0 or behind or at_start:
                part.snapshot_id = fetch.SnapshotId(known.offset, known.epoch)
                return
        ends = {head.leader_epoch: head.next_offset for head, _ in self.node.headers()}
        before = [one for one in ends if one <= epoch]
        if offset > 0 and before:
            last = max(before)
            if (last != epoch and epoch != self.node.epoch) or ends[last] < offset:
                part.diverging_epoch = fetch.EpochEndOffset(last, ends[last])
                return
        part.records = memoryview(
            b"".join(batch for head, batch in self.node.headers() if head.next_offset > offset)
        )

    def _fetch_snapshot(self, request: Any) -> Any:
        asked = request.topics[0].partitions[0]
        if self._refused(asked.current_leader_epoch) != codes.NONE or self.node.snapshot is None:
            return snapshots.FetchSnapshotResponse(error_code=codes.UNKNOWN_SERVER_ERROR)
        known = OffsetAndEpoch(asked.snapshot_id.epoch, asked.snapshot_id.end_offset)
        kept = {**self.node.older_snapshots, self.node.snapshot[0]: self.node.snapshot[1]}
        raw = kept.get(known)
        if raw is None:
            return snapshots.FetchSnapshotResponse(error_code=codes.UNKNOWN_SERVER_ERROR)
        part = snapshots.PartitionSnapshot(
            snapshot_id=snapshots.SnapshotId(known.offset, known.epoch),
            size=len(raw),
            position=asked.position,
            unaligned_records=raw[asked.position : asked.position + self.quorum.chunk_bytes],
        )
        topic = snapshots.TopicSnapshot(name=METADATA_TOPIC, partitions=[part])
        return snapshots.FetchSnapshotResponse(topics=[topic])
