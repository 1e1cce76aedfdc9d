"""``python -m tools.large_state DIRECTORY``: a formatted directory that holds a large cluster.

One checkpoint and no log, or with ``--log`` the log alone: 100,000 topics of ten partitions, three
replicas each, 100 brokers, as in KIP-630. Replicas are placed as Kafka's controllers place them,
topic by topic: from a random broker on, the next partition begins at the next one; with ``--racks``
the replicas of a partition are in as many racks as there are. The bytes are the same for the same
arguments.

The directory is that of one voter, and starts under Kafka 4.3.1 and under metaquorum.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

if __package__ in (None, ""):  # `python tools/large_state.py` puts this directory on the path
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from attrs import frozen

from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.metadata.versions import DEFAULT, partition_version, register_broker_version
from metaquorum.quorum.adapt.batches import make_control_batch
from metaquorum.quorum.adapt.snapshot_controls import snapshot_controls
from metaquorum.quorum.types import (
    Control,
    Endpoint,
    KRaftVersionControl,
    LeaderChangeControl,
    ReplicaKey,
    Voter,
    VotersControl,
)
from metaquorum.quorum.voters import VoterHistory
from metaquorum.records.builder import BatchBuilder
from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.records.snapshot import snapshot_batches
from metaquorum.storage import meta_properties, quorum_state
from metaquorum.storage.log import Log
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.names import METADATA_DIRECTORY, segment_file, snapshot_file
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.quorum_state import ElectionStateData
from metaquorum.storage.snapshot_files import write_snapshot
from metaquorum.wire.generated.records import (
    feature_level_record,
    partition_record,
    register_broker_record,
    topic_record,
)

CLUSTER_ID = "4L6g3nShT-eMCtK--X86sw"
EPOCH = 1
WRITTEN_MS = 1_700_000_000_000
RECORDS_PER_LOG_BATCH = 1_000
FIRST_BROKER_EPOCH = 1


@frozen
class LargeState:
    """How large, and the seed of what is drawn."""

    topics: int = 100_000
    partitions: int = 10
    replication: int = 3
    brokers: int = 100
    racks: int = 0
    level: int = DEFAULT
    seed: int = 630

    @property
    def records(self) -> int:
        """How many records of state a checkpoint of it holds."""
        return 1 + self.brokers + self.topics * (1 + self.partitions)

    def directories(self) -> dict[NodeId, Uuid]:
        """The one log directory of each broker."""
        return self._directories(Random(self.seed))

    def placed_topics(self) -> Iterator[tuple[str, Uuid, list[list[NodeId]]]]:
        """Name and id of each topic, and the replicas of its partitions, the leader first."""
        random = Random(self.seed)
        for _ in range(2 * self.brokers):  # a directory and an incarnation of each broker
            _uuid(random)
        for number in range(self.topics):
            topic_id = _uuid(random)
            yield f"topic-{number:06d}", topic_id, list(self._placed(random))

    def _directories(self, random: Random) -> dict[NodeId, Uuid]:
        return {broker: _uuid(random) for broker in range(self.brokers)}

    def values(self) -> Iterator[bytes]:
        """The framed records, in a snapshot's order."""
        random = Random(self.seed)
        feature = feature_level_record.FeatureLevelRecord("metadata.version", self.level)
        yield encode_metadata_record(feature_level_record.API_KEY, feature, 0)
        directories = self._directories(random)
        for broker, directory in directories.items():
            yield self._broker(random, broker, directory)
        version = partition_version(self.level)
        for name, topic_id, placed in self.placed_topics():
            topic = topic_record.TopicRecord(name, topic_id)
            yield encode_metadata_record(topic_record.API_KEY, topic, 0)
            for partition, replicas in enumerate(placed):
                record = partition_record.PartitionRecord(
                    partition,
                    topic_id,
                    replicas,
                    replicas,
                    leader=replicas[0],
                    leader_epoch=0,
                    partition_epoch=0,
                    directories=[directories[one] for one in replicas] if version else (),
                )
                yield encode_metadata_record(partition_record.API_KEY, record, version)

    def _placed(self, random: Random) -> Iterator[list[int]]:
        """The replicas of one topic's partitions, the leader first."""
        if not self.racks:
            start = random.randrange(self.brokers)
            for partition in range(self.partitions):
                yield [(start + partition + n) % self.brokers for n in range(self.replication)]
            return
        racks = [list(range(rack, self.brokers, self.racks)) for rack in range(self.racks)]
        starts = [random.randrange(len(rack)) for rack in racks]
        first = random.randrange(self.racks)
        for partition in range(self.partitions):
            chosen = [(first + partition + n) % self.racks for n in range(self.replication)]
            yield [
                racks[rack][(starts[rack] + partition + n // self.racks) % len(racks[rack])]
                for n, rack in enumerate(chosen)
            ]

    def _broker(self, random: Random, broker: int, directory: Uuid) -> bytes:
        codec = register_broker_record
        record = codec.RegisterBrokerRecord(
            broker_id=broker,
            incarnation_id=_uuid(random),
            broker_epoch=broker + FIRST_BROKER_EPOCH,
            end_points=[codec.BrokerEndpoint("PLAINTEXT", f"broker{broker}.example", 9092, 0)],
            features=[codec.BrokerFeature("metadata.version", 7, self.level)],
            rack=f"rack{broker % self.racks}" if self.racks else None,
            fenced=False,
            log_dirs=[directory],
        )
        version = register_broker_version(self.level)
        return encode_metadata_record(codec.API_KEY, record, version)


def write_directory(
    directory: Path, state: LargeState, *, node_id: int = 1, host: str = "localhost", port: int
) -> Path:
    """Format ``directory`` as node ``node_id``'s, the only voter; the checkpoint's path."""
    logs, voter = _formatted(directory, node_id, host, port)
    history = VoterHistory.build(
        None,
        None,
        (),
        (Control(0, KRaftVersionControl(1)), Control(0, VotersControl((voter,)))),
    )
    snapshot = OffsetAndEpoch(EPOCH, state.records)
    batches = snapshot_batches(
        epoch=EPOCH,
        timestamp_ms=WRITTEN_MS,
        last_contained_ms=WRITTEN_MS,
        controls=snapshot_controls(history, snapshot.offset),
        values=state.values(),
    )
    write_snapshot(PosixDisk(), str(logs), snapshot, batches)
    return logs / snapshot_file(snapshot)


def write_log_directory(
    directory: Path, state: LargeState, *, node_id: int = 1, host: str = "localhost", port: int
) -> Path:
    """The same state as a log of one epoch, without a checkpoint; the first segment's path."""
    logs, voter = _formatted(directory, node_id, host, port)
    log, _ = Log.open(PosixDisk(), str(logs))
    keys = (voter.key,)
    first = make_control_batch(
        (
            LeaderChangeControl(node_id, keys, keys),
            KRaftVersionControl(1),
            VotersControl((voter,)),
        ),
        *(0, EPOCH),
        timestamp_ms=WRITTEN_MS,
    )
    assert isinstance(first.payload, bytes)
    log.append([first.payload])
    for batch in _log_batches(state, first.record_count):
        log.append([batch])
    log.sync()
    log.close()
    return logs / segment_file(0, ".log")


def _log_batches(state: LargeState, offset: int) -> Iterator[bytes]:
    builder = BatchBuilder(limit_records=RECORDS_PER_LOG_BATCH)
    for value in state.values():
        if not builder.add(None, value):
            yield builder.build(timestamp_ms=WRITTEN_MS, base_offset=offset, leader_epoch=EPOCH)
            offset += len(builder)
            builder = BatchBuilder(limit_records=RECORDS_PER_LOG_BATCH)
            builder.add(None, value)
    yield builder.build(timestamp_ms=WRITTEN_MS, base_offset=offset, leader_epoch=EPOCH)


def _formatted(directory: Path, node_id: int, host: str, port: int) -> tuple[Path, Voter]:
    """A directory of the only voter, with an empty log directory in it."""
    random = Random(node_id)
    voter = Voter(ReplicaKey(node_id, _uuid(random)), (Endpoint("CONTROLLER", host, port),), 0, 1)
    logs = directory / METADATA_DIRECTORY
    logs.mkdir(parents=True)
    disk = PosixDisk()
    identity = MetaProperties(CLUSTER_ID, node_id, voter.key.directory_id)
    meta_properties.write(disk, str(directory), identity)
    quorum_state.write(disk, str(logs), ElectionStateData(EPOCH))
    return logs, voter


def _uuid(random: Random) -> Uuid:
    return random.randbytes(16)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The size of the cluster, as options."""
    whole = LargeState()
    for name in ("topics", "partitions", "replication", "brokers", "racks", "level", "seed"):
        parser.add_argument(f"--{name}", type=int, default=getattr(whole, name))


def chosen_state(chosen: argparse.Namespace) -> LargeState:
    """The state that those options ask for."""
    return LargeState(
        chosen.topics,
        chosen.partitions,
        chosen.replication,
        chosen.brokers,
        chosen.racks,
        chosen.level,
        chosen.seed,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("directory", type=Path)
    parser.add_argument("--port", type=int, default=9093, help="of the voter's controller listener")
    parser.add_argument("--log", action="store_true", help="the log alone, and no checkpoint")
    arguments(parser)
    chosen = parser.parse_args()
    state = chosen_state(chosen)
    write = write_log_directory if chosen.log else write_directory
    written = write(chosen.directory, state, port=chosen.port)
    print(f"{written}: {state.records} records, {written.stat().st_size} bytes")


if __name__ == "__main__":
    main()
