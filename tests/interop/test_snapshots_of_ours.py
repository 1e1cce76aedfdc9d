"""A snapshot of ours is what Kafka would write of the same state, and its tools read it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.metadata.snapshot_writer import snapshot_of, snapshot_values
from metaquorum.metadata.state import MetadataState
from metaquorum.storage.names import snapshot_file
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.snapshot_files import write_snapshot
from metaquorum.testing.every_record import every_state
from tests.interop.kafka_dump import dumped
from tools.kafka import JavaHelper, jars, jvm
from tools.kafka.helper import compiled

SOURCE = Path(__file__).parents[2] / "tools/java/SnapshotImage.java"
EPOCH = 3


def _written(directory: Path, state: MetadataState) -> Path:
    """A checkpoint of the state, as a node writes it."""
    place = state.provenance
    snapshot = OffsetAndEpoch(EPOCH, place.end_offset)
    batches = snapshot_of(
        state.committed(),
        epoch=EPOCH,
        timestamp_ms=1_700_000_000_000,
        last_contained_ms=place.timestamp_ms,
    )
    directory.mkdir()
    write_snapshot(PosixDisk(), str(directory), snapshot, batches)
    return directory / snapshot_file(snapshot)


def _image_of(file: Path) -> list[bytes]:
    """The records that Kafka's own image is written as, after it was loaded from the file."""
    libs = jars.libs()
    classes = compiled(SOURCE, libs)
    words = jvm.command(libs, "SnapshotImage", flags=jvm.SHORT_LIVED_FLAGS, class_path=(classes,))
    ran = subprocess.run([*words, "write", file], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return [bytes.fromhex(line) for line in ran.stdout.split()]


@pytest.mark.parametrize("level", [7, 17, 30])
def test_kafka_writes_the_same_records_of_the_same_state(tmp_path: Path, level: int) -> None:
    state = every_state(level)
    ours = list(snapshot_values(state.committed()))
    assert sorted(_image_of(_written(tmp_path / "ours", state))) == sorted(ours)


def test_kafkas_dump_log_reads_a_snapshot_with_every_record_type(
    tmp_path: Path, java: JavaHelper
) -> None:
    state = every_state(30)
    rows = dumped(java, _written(tmp_path / "ours", state))
    values = list(snapshot_values(state.committed()))
    assert len(rows) == len(values) + 2
    types = {row["type"] for row in rows.values() if "type" in row}
    assert {"FeatureLevelRecord", "PartitionRecord", "DelegationTokenRecord"} <= types
    assert all(row["epoch"] == EPOCH for row in rows.values())
