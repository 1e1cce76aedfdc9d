"""A simulated replica's directory as a node leaves it, and what a disaster does to it."""

from __future__ import annotations

from random import Random

from metaquorum.quorum.adapt.batches import wire_voter
from metaquorum.quorum.voters import VoterSet
from metaquorum.records.control import ControlType
from metaquorum.records.reader import walk_batches
from metaquorum.records.snapshot import snapshot_batches
from metaquorum.storage import meta_properties, quorum_state
from metaquorum.storage.log import Log
from metaquorum.storage.log_config import LogConfig
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.names import METADATA_DIRECTORY
from metaquorum.storage.quorum_state import ElectionStateData
from metaquorum.storage.snapshot_files import write_snapshot
from metaquorum.testing.disasters.quorum import START_MS, SimQuorum, SimReplica, topic_value
from metaquorum.testing.sim.disk import SimDisk
from metaquorum.testing.sim.rot import turn_a_bit
from metaquorum.wire.generated import kraft_version_record, voters_record

CLUSTER = "4L6g3nShT-eMCtK--X86sw"
SEGMENT_BYTES = 700


def files_of(replica: SimReplica, quorum: SimQuorum, root: str) -> dict[str, bytes]:
    """Every file of the replica's log directory ``root``."""
    disk = SimDisk(keeps_trace=False)
    partition = f"{root}/{METADATA_DIRECTORY}"
    disk.make_directory(partition)
    meta_properties.write(disk, root, MetaProperties(CLUSTER, replica.id, replica.directory_id))
    log, _ = Log.open(disk, partition, LogConfig(segment_bytes=SEGMENT_BYTES))
    log.append([entry.payload for entry in replica.log])
    if replica.log_start:
        log.drop_prefix(replica.log_start)
    log.close()
    for at, (voters, topics) in replica.snapshots.items():
        batches = snapshot_batches(
            epoch=at.epoch,
            timestamp_ms=START_MS,
            last_contained_ms=START_MS + at.offset,
            controls=_controls(voters),
            values=[topic_value(name) for name in topics],
        )
        write_snapshot(disk, partition, at, batches)
    quorum_state.write(disk, partition, _election(replica, quorum))
    return disk.files()


def _controls(voters: VoterSet | None) -> list[tuple[ControlType, object]]:
    if voters is None:
        return []
    rows = [wire_voter(one, voters_record) for one in voters]
    return [
        (ControlType.KRAFT_VERSION, kraft_version_record.KRaftVersionRecord(0, 1)),
        (ControlType.KRAFT_VOTERS, voters_record.VotersRecord(0, rows)),
    ]


def _election(replica: SimReplica, quorum: SimQuorum) -> ElectionStateData:
    if quorum.is_dynamic:
        return ElectionStateData(replica.epoch, replica.leader_id, replica.voted_id)
    return ElectionStateData(
        replica.epoch,
        replica.leader_id,
        replica.voted_id,
        voters=tuple(one.id for one in quorum.static),
        data_version=0,
    )


def rot(files: dict[str, bytes], random: Random) -> None:
    """Turn some bits in logs and snapshots; what no checksum covers is left alone."""
    names = sorted(name for name in files if name.endswith((".log", ".checkpoint")))
    names = [name for name in names if files[name]]
    for _ in range(random.randrange(1, 4)):
        if names:
            name = random.choice(names)
            content = bytearray(files[name])
            turn_a_bit(content, random)
            files[name] = bytes(content)


def cut(files: dict[str, bytes], random: Random) -> None:
    """Lose the end of the log: some bytes, some batches, or a whole segment with its indexes."""
    logs = sorted(name for name in files if name.endswith(".log"))
    if not logs:
        return
    last = logs[-1]
    if len(logs) > 1 and random.random() < 0.3:
        stem = last.removesuffix(".log")
        for name in [name for name in files if name.startswith(stem)]:
            del files[name]
        return
    content = files[last]
    at = random.randrange(len(content) + 1)
    if random.random() < 0.5:
        ends = [0]
        for header, _ in walk_batches(content):
            ends.append(ends[-1] + header.size_bytes)
        at = random.choice(ends)
    files[last] = content[:at]


def forget(files: dict[str, bytes], random: Random) -> str:
    """Lose a small file; its name."""
    name = random.choice(("quorum-state", "meta.properties", "leader-epoch-checkpoint"))
    for path in [path for path in files if path.endswith(f"/{name}")]:
        del files[path]
    return name
