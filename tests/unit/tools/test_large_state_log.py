"""A large state written as a log is the one that is written as a snapshot."""

from __future__ import annotations

from pathlib import Path

from metaquorum.metadata.reading import read_metadata_batch
from metaquorum.metadata.snapshot_reader import StateLoading
from metaquorum.metadata.state import MetadataState, Provenance
from metaquorum.storage.log import Log
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.snapshot_check import checked_batches
from tools.large_state import LargeState, write_directory, write_log_directory

STATE = LargeState(topics=120, partitions=10, brokers=7)


def replayed(segment: Path) -> MetadataState:
    log, _ = Log.open(PosixDisk(), str(segment.parent))
    state = MetadataState()
    for header, batch in log.batches():
        if header.is_control:
            continue
        for offset, record in enumerate(read_metadata_batch(batch, header), header.base_offset):
            state.replay(record, offset, header.leader_epoch, header.max_timestamp_ms)
        state.close_batch()
    state.commit(log.end_offset)
    log.close()
    return state


def test_the_log_replays_to_the_state_of_the_snapshot(tmp_path: Path) -> None:
    segment = write_log_directory(tmp_path / "log", STATE, port=9093)
    checkpoint = write_directory(tmp_path / "snapshot", STATE, port=9093)
    opened = PosixDisk().open(str(checkpoint), writable=False)
    loaded = StateLoading(checked_batches(opened), Provenance(STATE.records, 1, 0)).whole()
    found = replayed(segment).live()
    wanted = loaded.live()
    assert dict(found.partitions.items()) == dict(wanted.partitions.items())
    assert dict(found.brokers.items()) == dict(wanted.brokers.items())
    assert len(found.partitions) == STATE.topics * STATE.partitions


def test_placed_topics_are_those_that_were_written(tmp_path: Path) -> None:
    segment = write_log_directory(tmp_path, STATE, port=9093)
    view = replayed(segment).live()
    directories = STATE.directories()
    for name, topic_id, placed in STATE.placed_topics():
        assert view.topic_ids.get(name) == topic_id
        for number, replicas in enumerate(placed):
            partition = view.partitions.get((topic_id, number))
            assert partition is not None
            assert list(partition.replicas) == replicas
            assert partition.directories == tuple(directories[one] for one in replicas)
