"""Every legal crash while snapshots are written, fetched, installed and deleted, and prefixes go.

What was done is recorded on a disk that knows what is synced. Each moment of that trace is taken
for a crash, each remainder that the crash may leave is recovered, and what is found has to be of
the history, hold all that was promised, and obey KIP-630's two invariants.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from attrs import define, field, frozen

from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.records.batch import read_header
from metaquorum.records.builder import build_batch
from metaquorum.records.disk_effects import DropPrefix, InstallSnapshot, WriteSnapshotPart
from metaquorum.records.snapshot import snapshot_batches
from metaquorum.storage.journal import Journal, QuorumStateStore
from metaquorum.storage.log import Log
from metaquorum.storage.log_config import LogConfig
from metaquorum.storage.snapshot_check import BadSnapshot, verify_snapshot
from metaquorum.storage.snapshot_files import SnapshotFiles, list_snapshots, write_snapshot
from metaquorum.testing.sim.crashes import crashes
from metaquorum.testing.sim.disk import SimDisk
from tests.unit.storage.appends import append

WHERE = "/data/__cluster_metadata-0"
CONFIG = LogConfig(segment_bytes=300, index_interval_bytes=120)
ZERO = OffsetAndEpoch(epoch=0, offset=0)


def batch(base: Offset, epoch: int) -> bytes:
    return build_batch(
        [(None, b"%06d" % base)], timestamp_ms=1_000 + base, base_offset=base, leader_epoch=epoch
    )


def content(snapshot: OffsetAndEpoch) -> bytes:
    return b"".join(
        snapshot_batches(
            epoch=snapshot.epoch,
            timestamp_ms=9,
            last_contained_ms=9,
            controls=[],
            values=[b"state up to %d" % snapshot.offset],
        )
    )


@frozen
class Promise:
    """What a host has been told is durable: the log end, and the newest snapshot."""

    trace: int
    end: Offset = 0
    newest: OffsetAndEpoch = ZERO


@define
class Work:
    """A journal at work, its history, and what it promised on the way."""

    journal: Journal
    written: set[bytes] = field(factory=set)
    whole: list[OffsetAndEpoch] = field(factory=lambda: [ZERO])
    promises: list[Promise] = field(factory=list)
    ticket: int = 0

    @property
    def disk(self) -> SimDisk:
        disk = self.journal.log.disk
        assert isinstance(disk, SimDisk)
        return disk

    def do(self, kind: Callable[..., object], *arguments: object) -> None:
        self.ticket += 1
        self.journal.execute([kind(self.ticket, *arguments)])  # type: ignore[list-item]
        self.promise()

    def promise(self) -> None:
        newest = self.journal.snapshots.latest or ZERO
        end = self.journal.log.end_offset
        self.promises.append(Promise(len(self.disk.trace), end, newest))

    def append(self, count: int, epoch: int) -> None:
        base = self.journal.log.end_offset
        batches = tuple(batch(base + n, epoch) for n in range(count))
        self.written |= set(batches)
        self.do(append, batches)

    def snapshot(self, offset: Offset, epoch: int) -> None:
        made = OffsetAndEpoch(epoch=epoch, offset=offset)
        self.whole.append(made)
        data = content(made)
        write_snapshot(self.disk, WHERE, made, [data[:100], data[100:]])
        self.journal.snapshots.refresh()
        self.promise()

    def fetch(
        self, snapshot: OffsetAndEpoch, *, upto: int | None = None, bad: bool = False
    ) -> None:
        data = content(snapshot)
        if bad:
            data = data[:-9] + bytes(9)
        position = 0
        while position < (len(data) if upto is None else upto):
            self.do(WriteSnapshotPart, snapshot, position, data[position : position + 60])
            position = min(position + 60, len(data))
        if upto is None:
            if not bad:
                self.whole.append(snapshot)
            self.do(InstallSnapshot, snapshot)


def begun() -> Work:
    disk = SimDisk()
    disk.make_directory(WHERE)
    write_snapshot(disk, WHERE, ZERO, [content(ZERO)])
    log, _ = Log.open(disk, WHERE, CONFIG)
    work = Work(Journal(log, QuorumStateStore(disk, WHERE), SnapshotFiles(disk, WHERE)))
    work.promise()
    return work


Step = tuple[str, int, int]

WORKS: dict[str, tuple[Step, ...]] = {
    # Snapshots written beside a log that goes on.
    "writing": (
        ("append", 6, 1),
        ("snapshot", 4, 1),
        ("append", 3, 2),
        ("snapshot", 9, 2),
        ("append", 2, 2),
    ),
    # A download over a shorter log, over a longer one of an older epoch, and one given up.
    "installing": (
        ("append", 7, 1),
        ("fetch", 40, 3),
        ("append", 9, 4),
        ("fetch a part", 90, 6),
        ("fetch", 45, 7),
        ("append", 2, 8),
    ),
    # A download that does not hold what it should, then the same one whole.
    "rejecting": (("append", 5, 1), ("fetch in vain", 30, 2), ("fetch", 30, 2), ("append", 4, 3)),
    # A log whose last epoch is later than the snapshot's, but which ends before it.
    "lagging_epoch": (("append", 5, 5), ("fetch", 50, 4), ("append", 3, 7)),
    # Prefixes that go with the segments and the snapshots before them.
    "dropping": (
        ("append", 9, 1),
        ("snapshot", 5, 1),
        ("snapshot", 8, 1),
        ("append", 4, 2),
        ("drop", 5, 1),
        ("snapshot", 12, 2),
        ("append", 2, 3),
        ("drop", 12, 2),
        ("append", 1, 3),
    ),
}


def worked(name: str) -> Work:
    """All steps done, one after the other: what it is, records or an end offset, and the epoch."""
    work = begun()
    for verb, number, epoch in WORKS[name]:
        match verb:
            case "append":
                work.append(number, epoch)
            case "snapshot":
                work.snapshot(number, epoch)
            case "drop":
                work.do(DropPrefix, number)
            case "fetch a part":
                work.fetch(OffsetAndEpoch(epoch, number), upto=120)
            case "fetch in vain":
                work.fetch(OffsetAndEpoch(epoch, number), bad=True)
                assert work.journal.take_rejected()
            case _:
                work.fetch(OffsetAndEpoch(epoch, number))
    return work


@pytest.mark.parametrize("name", WORKS)
def test_snapshot_and_log_agree_and_lose_nothing_promised_in_a_crash(
    name: str,
) -> None:
    work = worked(name)
    first = work.promises[0].trace
    tried = 0
    for crash in crashes({}, work.disk.trace, first=first, most_cuts=6):
        promised = [one for one in work.promises if one.trace <= crash.done][-1]
        disk = SimDisk.holding(crash.files)
        check(work, disk, promised, (crash.done, crash.story))
        tried += 1
    assert tried > 60


def check(work: Work, disk: SimDisk, promised: Promise, where: object) -> None:
    log, report = Log.open(disk, WHERE, CONFIG)
    found = list_snapshots(disk, WHERE)
    newest = report.snapshot or ZERO
    assert not report.unusable_snapshots, where
    assert set(found) <= set(work.whole), where
    for one in found:
        verify_snapshot(disk, WHERE, one)
        assert one.offset >= log.start_offset or one == newest, where
    assert newest >= promised.newest, where
    assert log.start_offset == 0 or newest.offset >= log.start_offset, where
    assert log.end_offset >= min(promised.end, newest.offset), where
    if newest == promised.newest:
        assert log.end_offset >= promised.end, where
    held = [bytes(data) for _, data in log.batches(log.start_offset)]
    assert set(held) <= work.written, where
    bases = [read_header(data).base_offset for data in held]
    assert bases == list(range(log.start_offset, log.end_offset)), where
    assert not [one for one in disk.names(WHERE) if one.endswith((".part", ".deleted"))], where


@pytest.mark.parametrize("name", ["installing", "dropping"])
def test_recovery_itself_may_crash_and_ends_the_same(name: str) -> None:
    work = worked(name)
    tried = 0
    for number, crash in enumerate(crashes({}, work.disk.trace, first=20, most_cuts=4)):
        if number % 53:
            continue
        disk = SimDisk.holding(crash.files)
        log, report = Log.open(disk, WHERE, CONFIG)
        expected = (log.start_offset, log.end_offset, report.snapshot)
        for second in crashes(crash.files, disk.trace, most_cuts=3):
            again, later = Log.open(SimDisk.holding(second.files), WHERE, CONFIG)
            found = (again.start_offset, again.end_offset, later.snapshot)
            assert found == expected, (crash.story, second.story)
            tried += 1
    assert tried > 10


def test_the_check_notices_a_snapshot_named_before_it_is_synced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from metaquorum.testing.sim.disk import SimFile

    monkeypatch.setattr(SimFile, "sync", lambda self: None)
    work = worked("writing")
    first = work.promises[0].trace
    lost = 0
    for crash in crashes({}, work.disk.trace, first=first, most_cuts=4):
        disk = SimDisk.holding(crash.files)
        for one in list_snapshots(disk, WHERE):
            try:
                verify_snapshot(disk, WHERE, one)
            except BadSnapshot:
                lost += 1
    assert lost
