"""Directories that a real Kafka 4.3.1 controller wrote, opened by ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from metaquorum.base.ids import parse_uuid
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.records.control import ControlType
from metaquorum.records.metadata_record import decode_metadata_record
from metaquorum.records.reader import walk_records
from metaquorum.storage import meta_properties, quorum_state
from metaquorum.storage.log import Log
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.quorum_state import ElectionStateData
from metaquorum.storage.snapshot_files import SnapshotFiles
from metaquorum.testing.sim.disk import SimDisk

GOLDEN = Path(__file__).parent / "golden"
ROOT = "/kafka"
WHERE = f"{ROOT}/__cluster_metadata-0"


def kafka(name: str) -> SimDisk:
    """A directory as Kafka left it: stopped, killed, or with its first segments dropped."""
    packed = json.loads((GOLDEN / f"kafka_4_3_1_{name}.json").read_text())
    return SimDisk.holding(
        {
            f"{ROOT}/{path}": bytes.fromhex(content)
            if isinstance(content, str)
            else bytes(content["zeros"])
            for path, content in packed.items()
        }
    )


def types(log: Log) -> list[str]:
    """The name of every record of the log in order."""
    found = []
    for header, batch in log.batches():
        for record in walk_records(batch, header):
            if header.is_control:
                found.append(ControlType(record.key[3] if record.key else -1).name)
            else:
                message = decode_metadata_record(record.value or b"").message
                found.append(type(message).__name__)
    return found


def test_a_cleanly_stopped_directory_needs_no_repair() -> None:
    disk = kafka("stopped")
    log, report = Log.open(disk, WHERE)

    assert (report.torn, report.rewritten, report.removed) == (None, [], [])
    assert (report.unusable_snapshots, report.restarted_at) == ([], None)
    assert report.snapshot == OffsetAndEpoch(epoch=0, offset=0)
    assert (log.start_offset, log.end_offset) == (0, 20)
    assert list(log.epochs) == [(1, 0)]


def test_every_record_of_kafkas_first_epoch_is_read() -> None:
    log, _ = Log.open(kafka("stopped"), WHERE)

    assert types(log)[:13] == [
        "LEADER_CHANGE",
        "KRAFT_VERSION",
        "KRAFT_VOTERS",
        "BeginTransactionRecord",
        *["FeatureLevelRecord"] * 6,
        "ConfigRecord",
        "EndTransactionRecord",
        "RegisterControllerRecord",
    ]
    assert set(types(log)[13:]) == {"NoOpRecord"}
    voters = log.control_records()[2][2].message.voters
    assert [voter.voter_id for voter in voters] == [1]


def test_a_killed_directory_opens_with_preallocated_indexes_trimmed() -> None:
    disk = kafka("killed")
    stopped, _ = Log.open(kafka("stopped"), WHERE)
    log, report = Log.open(disk, WHERE)

    assert report.rewritten == [
        "00000000000000000000.index",
        "00000000000000000000.timeindex",
    ]
    assert report.torn is None
    assert types(log) == types(stopped)[: log.end_offset]
    assert len(disk.read_bytes(f"{WHERE}/00000000000000000000.index")) == 0
    assert len(disk.read_bytes(f"{WHERE}/00000000000000000000.timeindex")) == 12


def test_a_directory_without_its_first_segments_begins_at_the_next() -> None:
    disk = kafka("prefix_dropped")
    log, report = Log.open(disk, WHERE)

    assert report.removed == [
        "00000000000000000102.index.deleted",
        "00000000000000000102.log.deleted",
        "00000000000000000117-0000000001.checkpoint.deleted",
    ]
    assert report.snapshot == OffsetAndEpoch(epoch=1, offset=153)
    assert (log.start_offset, log.end_offset) == (122, 157)
    assert set(types(log)) == {"NoOpRecord"}


def test_kafkas_snapshots_are_read_and_end_where_their_names_say() -> None:
    disk = kafka("prefix_dropped")
    files = SnapshotFiles(disk, WHERE)
    values = [
        decode_metadata_record(record.value or b"").message
        for header, batch in files.batches(OffsetAndEpoch(epoch=1, offset=153))
        if not header.is_control
        for record in walk_records(batch, header)
    ]

    assert [snapshot.offset for snapshot in files.ids] == [126, 135, 144, 153]
    assert values[0].name == "metadata.version"
    assert values[0].feature_level == 30


def test_closing_kafkas_log_changes_nothing_but_the_producer_snapshot() -> None:
    disk = kafka("stopped")
    before = disk.files()
    log, _ = Log.open(disk, WHERE)
    log.close()

    assert disk.files() == before


@pytest.mark.parametrize("name", ["stopped", "killed"])
def test_the_identity_and_the_election_state_are_read(name: str) -> None:
    disk = kafka(name)

    assert meta_properties.read(disk, ROOT) == MetaProperties(
        "Xl8Zt4IpR7iUJ1Jxq8v3pA", 1, parse_uuid("2n0x4j6QQ16l3uq3QTL7bA")
    )
    assert quorum_state.read(disk, WHERE) == ElectionStateData(epoch=1, leader_id=1)


def test_kafkas_own_index_entries_are_where_ours_would_be() -> None:
    disk = kafka("prefix_dropped")
    name = f"{WHERE}/00000000000000000122"
    before = [disk.read_bytes(name + suffix) for suffix in (".index", ".timeindex")]
    Log.open(disk, WHERE)

    assert [disk.read_bytes(name + suffix) for suffix in (".index", ".timeindex")] == before
