"""Snapshot files: written beside and frozen, listed, sliced, verified, deleted."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.base.limits import SNAPSHOT_SYNC_BYTES
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.records.builder import build_batch
from metaquorum.records.control import ControlType, control_codec, encode_control
from metaquorum.records.reader import walk_batches
from metaquorum.records.snapshot import snapshot_batches
from metaquorum.storage.snapshot_check import BadSnapshot, verify_snapshot
from metaquorum.storage.snapshot_files import (
    SnapshotFiles,
    SnapshotPart,
    list_snapshots,
    write_snapshot,
)
from metaquorum.testing.sim.disk import SimDisk
from metaquorum.testing.sim.files import Write

GOLDEN = Path(__file__).parents[1] / "records" / "golden" / "checkpoint_123_4.hex"
KAFKAS = bytes.fromhex(GOLDEN.read_text())
ID = OffsetAndEpoch(epoch=4, offset=123)
WHERE = "/log"


def empty_disk() -> SimDisk:
    disk = SimDisk()
    disk.make_directory(WHERE)
    return disk


def batches() -> list[bytes]:
    return [bytes(content) for _, content in walk_batches(KAFKAS)]


def test_a_written_snapshot_is_there_under_its_name_and_read_only() -> None:
    disk = empty_disk()
    facts = write_snapshot(disk, WHERE, ID, batches())

    assert disk.names(WHERE) == ["00000000000000000123-0000000004.checkpoint"]
    assert (facts.snapshot, facts.size_bytes, facts.records) == (ID, 374, 7)
    assert verify_snapshot(disk, WHERE, ID) == facts
    with pytest.raises(PermissionError):
        disk.open(f"{WHERE}/00000000000000000123-0000000004.checkpoint")


def test_a_large_snapshot_never_has_much_to_sync() -> None:
    disk = empty_disk()
    part = SnapshotPart.begun(disk, WHERE, ID)
    piece = bytes(SNAPSHOT_SYNC_BYTES // 3)
    unsynced = []
    for _ in range(10):
        part.append(piece)
        part.append_all([piece, piece])
        unsynced.append(sum(len(one.data) for one in disk.unsynced if isinstance(one, Write)))
    assert max(unsynced) < SNAPSHOT_SYNC_BYTES + len(piece)


def test_an_unfinished_snapshot_has_no_name_and_can_be_dropped() -> None:
    disk = empty_disk()
    part = SnapshotPart.begun(disk, WHERE, ID)
    part.append(KAFKAS[:200])
    assert part.position == 200
    assert list_snapshots(disk, WHERE) == ()

    with pytest.raises(BadSnapshot):
        part.freeze()
    part.discard()
    assert disk.names(WHERE) == []


def test_bytes_may_arrive_in_any_pieces() -> None:
    disk = empty_disk()
    part = SnapshotPart.begun(disk, WHERE, ID)
    for at in range(0, len(KAFKAS), 7):
        part.append(KAFKAS[at : at + 7])

    assert part.freeze().size_bytes == 374


def test_a_failed_write_leaves_nothing_behind() -> None:
    disk = empty_disk()
    with pytest.raises(BadSnapshot, match="the last record is no snapshot footer"):
        write_snapshot(disk, WHERE, ID, batches()[:2])

    assert disk.names(WHERE) == []


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "byte 0: the file is empty"),
        (KAFKAS[:-75], "byte 299: the last record is no snapshot footer"),
        (KAFKAS[166:], "byte 0: base offset 3, due is 0"),
        (batches()[0] + batches()[2], "byte 166: base offset 6, due is 3"),
        (KAFKAS[:-1], "byte 299: a batch of 75 bytes, 74 are left"),
        (KAFKAS + b"\x00", "byte 374: 1 bytes are left, a batch header has 61"),
        (KAFKAS[:250] + b"\xff" + KAFKAS[251:], "byte 166: checksum"),
        (build_batch([(None, b"x")], timestamp_ms=1, leader_epoch=4), "no snapshot header"),
        (KAFKAS.replace(b"\x00\x00\x00\x04\x02", b"\x00\x00\x00\x05\x02", 1), "epoch 5 in a"),
    ],
)
def test_snapshots_that_are_none_are_refused_with_the_byte(content: bytes, why: str) -> None:
    name = f"{WHERE}/00000000000000000123-0000000004.checkpoint"
    with pytest.raises(BadSnapshot, match=f"{name}, .*{why}"):
        verify_snapshot(SimDisk.holding({name: content}), WHERE, ID)


@pytest.mark.parametrize("ids", [(), (1, 1)])
def test_a_snapshot_whose_voters_cannot_be_is_refused(ids: tuple[int, ...]) -> None:
    codec = control_codec(ControlType.KRAFT_VOTERS)
    voters = codec.VotersRecord(voters=[codec.Voter(voter_id=one) for one in ids])
    batches = snapshot_batches(
        epoch=ID.epoch,
        timestamp_ms=1,
        last_contained_ms=1,
        controls=[(ControlType.KRAFT_VOTERS, voters)],
        values=(),
    )
    with pytest.raises(BadSnapshot, match="byte 0: no voters, or one twice"):
        write_snapshot(empty_disk(), WHERE, ID, batches)


def test_a_snapshot_with_an_unreadable_control_record_is_refused() -> None:
    header = encode_control(
        ControlType.SNAPSHOT_HEADER,
        control_codec(ControlType.SNAPSHOT_HEADER).SnapshotHeaderRecord(),
    )
    key, value = encode_control(
        ControlType.KRAFT_VOTERS, control_codec(ControlType.KRAFT_VOTERS).VotersRecord()
    )
    batch = build_batch(
        [header, (key, value[:-1])], timestamp_ms=1, leader_epoch=ID.epoch, control=True
    )
    with pytest.raises(BadSnapshot, match="byte 0: VotersRecord"):
        write_snapshot(empty_disk(), WHERE, ID, [batch])


def test_every_flipped_byte_of_a_snapshot_is_found() -> None:
    name = f"{WHERE}/00000000000000000123-0000000004.checkpoint"
    for at in range(len(KAFKAS)):
        broken = KAFKAS[:at] + bytes([KAFKAS[at] ^ 0x21]) + KAFKAS[at + 1 :]
        with pytest.raises(BadSnapshot):
            verify_snapshot(SimDisk.holding({name: broken}), WHERE, ID)


def three(disk: SimDisk) -> SnapshotFiles:
    for offset in (300, 123, 200):
        write_snapshot(disk, WHERE, OffsetAndEpoch(epoch=4, offset=offset), batches())
    return SnapshotFiles(disk, WHERE)


def test_snapshots_are_listed_oldest_first_and_the_last_is_latest() -> None:
    files = three(empty_disk())

    assert [snapshot.offset for snapshot in files.ids] == [123, 200, 300]
    assert files.latest == OffsetAndEpoch(epoch=4, offset=300)


def test_a_later_epoch_is_newer_than_a_higher_offset() -> None:
    disk = empty_disk()
    for snapshot in (OffsetAndEpoch(epoch=5, offset=7), OffsetAndEpoch(epoch=4, offset=300)):
        disk.open(f"{WHERE}/{snapshot.offset:020d}-{snapshot.epoch:010d}.checkpoint", create=True)

    assert SnapshotFiles(disk, WHERE).latest == OffsetAndEpoch(epoch=5, offset=7)


def test_a_snapshot_is_handed_out_in_slices() -> None:
    disk = empty_disk()
    files = three(disk)
    got, position = b"", 0
    while position < files.size_bytes(ID):
        part = files.plan(ID, position, 100)
        got += disk.read_slice(part)
        position += len(part)

    assert got == KAFKAS
    assert [header.record_count for header, _ in files.batches(ID)] == [3, 3, 1]


def test_positions_out_of_range_and_missing_snapshots_are_refused() -> None:
    files = three(empty_disk())
    for position in (-1, 374):
        with pytest.raises(IndexError, match=f"position {position} of a snapshot with 374"):
            files.plan(ID, position, 10)
    with pytest.raises(KeyError):
        files.plan(OffsetAndEpoch(epoch=9, offset=9), 0, 10)


def test_older_snapshots_are_deleted_and_their_slices_live_on() -> None:
    disk = empty_disk()
    files = three(disk)
    part = files.plan(ID, 0, 10)
    gone = files.delete_before(300)

    assert [snapshot.offset for snapshot in gone] == [123, 200]
    assert disk.names(WHERE) == ["00000000000000000300-0000000004.checkpoint"]
    assert disk.read_slice(part) == KAFKAS[:10]
    with pytest.raises(KeyError):
        files.plan(ID, 0, 10)


def test_the_newest_snapshot_always_stays() -> None:
    files = three(empty_disk())
    files.delete_before(10_000)

    assert [snapshot.offset for snapshot in files.ids] == [300]
