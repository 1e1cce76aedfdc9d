"""The journal: tickets in order, few syncs, no second try after a failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.records.builder import build_batch
from metaquorum.records.disk_effects import (
    DropPrefix,
    InstallSnapshot,
    TruncateLog,
    WriteSnapshotPart,
)
from metaquorum.storage import quorum_state
from metaquorum.storage.disk import DiskFailed
from metaquorum.storage.journal import Journal, QuorumStateStore, SaveElection
from metaquorum.storage.log import Log
from metaquorum.storage.log_config import LogConfig
from metaquorum.storage.names import snapshot_file
from metaquorum.storage.quorum_state import ElectionStateData
from metaquorum.storage.snapshot_files import SnapshotFiles
from metaquorum.testing.sim.disk import SimDisk
from metaquorum.testing.sim.files import SyncFile, Write
from tests.unit.storage.appends import append

WHERE = "/data/__cluster_metadata-0"
GOLDEN = Path(__file__).parents[1] / "records" / "golden" / "checkpoint_123_4.hex"
SNAPSHOT = bytes.fromhex(GOLDEN.read_text())
ID = OffsetAndEpoch(epoch=4, offset=123)


def batch(base: Offset, epoch: int = 1) -> bytes:
    return build_batch([(None, b"v")], timestamp_ms=1000, base_offset=base, leader_epoch=epoch)


def opened(disk: SimDisk | None = None) -> Journal:
    disk = disk or SimDisk()
    log, _ = Log.open(disk, WHERE)
    return Journal(log, QuorumStateStore(disk, WHERE), SnapshotFiles(disk, WHERE))


def test_neighbouring_appends_share_one_write_and_one_sync() -> None:
    disk = SimDisk()
    journal = opened(disk)
    before = len(disk.trace)

    assert journal.execute([append(n + 1, (batch(n),)) for n in range(20)]) == 20
    assert (journal.log_syncs, journal.log.end_offset) == (1, 20)
    of_log = [op for op in disk.trace[before:] if isinstance(op, Write) and len(op.data) > 1_000]
    assert [op.data for op in of_log] == [b"".join(batch(n) for n in range(20))]


def test_an_election_save_keeps_its_order_between_two_appends() -> None:
    journal = opened()
    state = ElectionStateData(epoch=2, leader_id=1)
    effects = [append(1, (batch(0),)), SaveElection(2, state), append(3, (batch(1, 2),))]

    assert journal.execute(effects) == 3
    assert (journal.log_syncs, journal.election_saves) == (2, 1)
    assert quorum_state.read(journal.log.disk, WHERE) == state


def test_of_neighbouring_elections_only_the_last_is_written() -> None:
    journal = opened()
    effects = [SaveElection(n, ElectionStateData(epoch=n)) for n in range(1, 6)]

    assert journal.execute(effects) == 5
    assert (journal.log_syncs, journal.election_saves) == (0, 1)
    assert quorum_state.read(journal.log.disk, WHERE) == ElectionStateData(epoch=5)


def test_nothing_to_do_costs_nothing() -> None:
    journal = opened()
    trace = len(journal.log.disk.trace)

    assert journal.execute([]) == 0
    assert len(journal.log.disk.trace) == trace


def test_tickets_out_of_order_are_a_violated_invariant() -> None:
    journal = opened()
    journal.execute([append(5, (batch(0),))])
    for ticket in (5, 4):
        with pytest.raises(InvariantViolated, match=f"ticket {ticket} after 5"):
            journal.execute([append(ticket, (batch(1),))])


def test_a_truncation_cuts_and_the_next_append_takes_its_place() -> None:
    journal = opened()
    journal.execute([append(1, tuple(batch(n) for n in range(5)))])
    journal.execute([TruncateLog(2, 3), append(3, (batch(3, 2),))])

    assert journal.log.end_offset == 4
    assert list(journal.log.epochs) == [(1, 0), (2, 3)]


@pytest.mark.parametrize("fail_at", range(4))
def test_a_failed_sync_is_never_tried_again(fail_at: int) -> None:
    journal = opened()
    journal.log.disk.sync_fails = fail_at
    effects = [
        append(1, (batch(0),)),
        SaveElection(2, ElectionStateData(epoch=2)),
        append(3, (batch(1, 2),)),
    ]
    with pytest.raises(DiskFailed, match="input/output error") as first:
        journal.execute(effects)
    journal.log.disk.sync_fails = None
    with pytest.raises(DiskFailed) as second:
        journal.execute([append(9, (batch(7),))])

    assert second.value is first.value
    trace = len(journal.log.disk.trace)
    journal.close()
    assert len(journal.log.disk.trace) == trace


def test_a_downloaded_snapshot_installs_and_the_log_starts_at_its_end() -> None:
    journal = opened()
    journal.execute([append(1, (batch(0), batch(1)))])
    journal.execute(
        [
            WriteSnapshotPart(2, ID, 0, SNAPSHOT[:100]),
            WriteSnapshotPart(3, ID, 100, SNAPSHOT[100:]),
            InstallSnapshot(4, ID),
            append(5, (batch(123, 5),)),
        ]
    )

    assert journal.take_rejected() == []
    assert journal.snapshots.latest == ID
    assert (journal.log.start_offset, journal.log.end_offset) == (123, 124)
    assert list(journal.log.epochs) == [(5, 123)]
    again, report = Log.open(journal.log.disk, WHERE)
    assert (again.start_offset, again.end_offset, report.snapshot) == (123, 124, ID)


def test_an_installed_snapshot_replaces_a_damaged_one_for_all_reads() -> None:
    journal = opened()
    disk, files = journal.log.disk, journal.snapshots
    torn = disk.open(f"{WHERE}/{snapshot_file(ID)}", create=True)
    torn.append([SNAPSHOT[:200]])
    files.refresh()
    assert files.size_bytes(ID) == 200  # retention looks into every file that is there
    journal.execute([WriteSnapshotPart(1, ID, 0, SNAPSHOT), InstallSnapshot(2, ID)])

    assert files.size_bytes(ID) == len(SNAPSHOT)
    assert b"".join(bytes(batch) for _, batch in files.batches(ID)) == SNAPSHOT
    assert disk.read_slice(files.plan(ID, 0, 10_000)) == SNAPSHOT


def test_a_bad_download_is_rejected_once_and_the_log_stays_as_it_was() -> None:
    journal = opened()
    journal.execute([append(1, (batch(0), batch(1)))])
    broken = SNAPSHOT[:200] + b"\xff" + SNAPSHOT[201:]
    ticket = journal.execute([WriteSnapshotPart(2, ID, 0, broken), InstallSnapshot(3, ID)])

    assert ticket == 3
    [(snapshot, why)] = journal.take_rejected()
    assert snapshot == ID
    assert "byte 166: checksum" in why
    assert journal.take_rejected() == []
    assert journal.log.end_offset == 2
    assert [name for name in journal.log.disk.names(WHERE) if "checkpoint" in name] == [
        "leader-epoch-checkpoint"
    ]


def test_a_download_that_begins_anew_drops_what_was_there() -> None:
    journal = opened()
    journal.execute([WriteSnapshotPart(1, ID, 0, b"old leader's bytes")])
    journal.execute([WriteSnapshotPart(2, ID, 0, SNAPSHOT), InstallSnapshot(3, ID)])

    assert journal.snapshots.latest == ID


def test_snapshot_bytes_out_of_place_are_a_violated_invariant() -> None:
    journal = opened()
    with pytest.raises(InvariantViolated, match="was not downloaded"):
        journal.execute([InstallSnapshot(1, ID)])
    journal.execute([WriteSnapshotPart(2, ID, 0, SNAPSHOT[:10])])
    with pytest.raises(InvariantViolated, match=r"bytes for position 11 .* has 10"):
        journal.execute([WriteSnapshotPart(3, ID, 11, b"x")])


def test_a_dropped_prefix_takes_older_snapshots_with_it() -> None:
    journal = opened()
    for epoch, offset in ((1, 2), (1, 4)):
        name = f"{WHERE}/{offset:020d}-{epoch:010d}.checkpoint"
        journal.log.disk.open(name, create=True)
    journal.snapshots.refresh()
    journal.execute([append(1, tuple(batch(n) for n in range(5))), DropPrefix(2, 4)])

    assert journal.log.start_offset == 4
    assert [snapshot.offset for snapshot in journal.snapshots.ids] == [4]


def test_closing_drops_an_unfinished_download() -> None:
    journal = opened()
    journal.execute([WriteSnapshotPart(1, ID, 0, SNAPSHOT[:10])])
    journal.close()

    assert [name for name in journal.log.disk.names(WHERE) if name.endswith(".part")] == []


def test_a_write_synced_by_the_caller_counts_like_a_full_execution() -> None:
    whole, parted = opened(SimDisk()), opened(SimDisk())
    assert whole.execute([append(1, (batch(0), batch(1)))]) == 1  # an epoch begins
    assert parted.execute([append(1, (batch(0), batch(1)))]) == 1
    effects = [append(2, (batch(2),)), append(3, (batch(3), batch(4)))]
    assert whole.execute(effects) == 3
    before = len(parted.log.disk.trace)
    parted.write(effects)
    assert not any(isinstance(op, SyncFile) for op in parted.log.disk.trace[before:])
    assert parted.synced(0.25, None) == 3
    assert (parted.log_syncs, parted.last_ticket) == (whole.log_syncs, whole.last_ticket)
    assert parted.log.disk.files() == whole.log.disk.files()
    assert parted.execute([append(4, (batch(5),))]) == 4


def test_appends_to_the_last_segment_leave_its_sync_to_the_caller() -> None:
    journal = opened()
    journal.execute([append(1, (batch(0),))])
    (segment,) = [name for name in journal.log.disk.names_to_inodes if name.endswith(".log")]
    appends = [append(2, (batch(1),)), append(3, (batch(2), batch(3)))]
    assert journal.write(appends) == journal.log.disk.names_to_inodes[segment].number


def test_more_than_appends_to_the_last_segment_is_not_begun() -> None:
    journal = opened()
    journal.execute([append(1, (batch(0),))])
    trace = len(journal.log.disk.trace)
    appends = [append(2, (batch(1),)), append(3, (batch(2), batch(3)))]
    assert journal.write([]) is None
    assert journal.write([*appends, SaveElection(4, ElectionStateData(epoch=2))]) is None
    assert journal.write([*appends, TruncateLog(4, 0)]) is None
    assert journal.write([append(2, (batch(1), batch(2, epoch=2)))]) is None
    assert (len(journal.log.disk.trace), journal.last_ticket) == (trace, 1)


def test_appends_that_begin_a_segment_are_not_begun() -> None:
    disk = SimDisk()
    log, _ = Log.open(disk, WHERE, LogConfig(segment_bytes=3 * len(batch(0))))
    journal = Journal(log, QuorumStateStore(disk, WHERE), SnapshotFiles(disk, WHERE))
    journal.execute([append(1, (batch(0),))])
    assert journal.write([append(2, (batch(1), batch(2), batch(3)))]) is None
    assert journal.write([append(2, (batch(1), batch(2)))]) is not None


@pytest.mark.parametrize("while_writing", [True, False])
def test_after_a_failure_of_either_part_nothing_is_tried_again(
    while_writing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = opened()
    journal.execute([append(1, (batch(0),))])
    failure = OSError(5, "input/output error")

    def broken(batches: object) -> None:
        raise failure

    with pytest.raises(DiskFailed, match="input/output error") as first:
        if while_writing:
            monkeypatch.setattr(journal.log, "append_to_last", broken)
        journal.write([append(2, (batch(1),))])
        journal.synced(0.001, failure)
    for again in (
        lambda: journal.write([append(3, (batch(2),))]),
        lambda: journal.synced(0.001, None),
        lambda: journal.execute([append(3, (batch(2),))]),
    ):
        with pytest.raises(DiskFailed) as later:
            again()  # type: ignore[no-untyped-call]
        assert later.value is first.value
