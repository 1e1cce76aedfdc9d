"""Small logs for tests of a recovery: written as a node writes them, on a disk in memory."""

from __future__ import annotations

from collections.abc import Sequence

from metaquorum.base.ids import Uuid
from metaquorum.quorum.adapt.batches import make_control_batch
from metaquorum.quorum.types import (
    ControlValue,
    Endpoint,
    KRaftVersionControl,
    LeaderChangeControl,
    ReplicaKey,
    Voter,
    VotersControl,
)
from metaquorum.records.builder import build_batch
from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.recover.reading import survey_directory
from metaquorum.recover.survey import Survey
from metaquorum.storage import meta_properties, quorum_state
from metaquorum.storage.disk import LocalDisk
from metaquorum.storage.log import Log
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.names import METADATA_DIRECTORY
from metaquorum.storage.quorum_state import ElectionStateData
from metaquorum.testing.disasters.quorum import START_MS, directory_of, topic_value
from metaquorum.wire.generated.records.partition_record import API_KEY as PARTITION_RECORD
from metaquorum.wire.generated.records.partition_record import PartitionRecord

CLUSTER = "4L6g3nShT-eMCtK--X86sw"
NOW_MS = 1_800_000_000_000


def voter(node_id: int, host: str = "") -> Voter:
    end = Endpoint("CONTROLLER", host or f"c{node_id}", 9093)
    return Voter(ReplicaKey(node_id, directory_of(node_id)), (end,), 0, 1)


def epoch_start(
    base: int,
    epoch: int,
    leader: int,
    voters: Sequence[int],
    granting: Sequence[int] = (),
    *,
    named: bool = False,
) -> bytes:
    """The batch that begins an epoch; with ``named`` it names the voters too (KIP-853)."""
    keys = tuple(ReplicaKey(one) for one in voters)
    votes = tuple(ReplicaKey(one) for one in granting or voters)
    values: list[ControlValue] = [LeaderChangeControl(leader, keys, votes)]
    if named:
        values.append(KRaftVersionControl(1))
        values.append(VotersControl(tuple(voter(one) for one in voters)))
    batch = make_control_batch(tuple(values), base, epoch, timestamp_ms=START_MS + base)
    assert isinstance(batch.payload, bytes)
    return batch.payload


def topics(base: int, epoch: int, *names: str) -> bytes:
    """A batch that creates topics."""
    return build_batch(
        [(None, topic_value(name)) for name in names],
        timestamp_ms=START_MS + base,
        base_offset=base,
        leader_epoch=epoch,
    )


def topic_id_of(name: str) -> Uuid:
    """The id that ``topics`` gives to a topic."""
    return name.encode().ljust(16, b"-")


def partition(base: int, epoch: int, topic: str) -> bytes:
    """A batch that creates the first partition of a topic of ``topics``."""
    record = PartitionRecord(0, topic_id_of(topic), (101,), (101,), leader=101)
    return build_batch(
        [(None, encode_metadata_record(PARTITION_RECORD, record, 0))],
        timestamp_ms=START_MS + base,
        base_offset=base,
        leader_epoch=epoch,
    )


def write_node(
    disk: LocalDisk,
    node_id: int,
    batches: Sequence[bytes],
    *,
    epoch: int,
    directory_id: Uuid | None = None,
    root: str | None = None,
    data_version: int = 1,
    voters: tuple[int, ...] = (),
) -> str:
    """The directory of a node that stopped with this log; its path."""
    root = root or f"/n{node_id}"
    partition = f"{root}/{METADATA_DIRECTORY}"
    disk.make_directory(partition)
    identity = MetaProperties(CLUSTER, node_id, directory_id or directory_of(node_id))
    meta_properties.write(disk, root, identity)
    log, _ = Log.open(disk, partition)
    log.append(batches)
    log.close()
    state = ElectionStateData(epoch, data_version=data_version, voters=voters)
    quorum_state.write(disk, partition, state)
    return root


def surveys_of(disk: LocalDisk, *roots: str) -> list[Survey]:
    return [survey_directory(disk, root, NOW_MS) for root in roots]
