"""A log directory that is deleted, replaced or moved while it is open: noticed by each writer."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from metaquorum.base.limits import SEGMENTS_PER_CHECK
from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.records.builder import build_batch
from metaquorum.records.disk_effects import DropPrefix, InstallSnapshot, TruncateLog
from metaquorum.storage.directory_lock import DirectoryLock
from metaquorum.storage.disk import DiskFailed
from metaquorum.storage.journal import DiskEffect, Journal, QuorumStateStore, SaveElection
from metaquorum.storage.log import Log
from metaquorum.storage.log_config import LogConfig
from metaquorum.storage.names import snapshot_file
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.quorum_state import ElectionStateData
from metaquorum.storage.snapshot_files import SnapshotFiles
from metaquorum.testing.sim.disk import SimDisk
from tests.unit.storage.appends import append

GOLDEN = Path(__file__).parents[1] / "records" / "golden" / "checkpoint_123_4.hex"
SNAPSHOT = bytes.fromhex(GOLDEN.read_text())
ID = OffsetAndEpoch(epoch=4, offset=123)
SEGMENT = f"{0:020d}.log"


def batch(base: Offset) -> bytes:
    return build_batch([(None, b"v")], timestamp_ms=1000, base_offset=base, leader_epoch=1)


def opened(where: Path, segment_bytes: int = 1 << 20) -> Journal:
    """With two batches and a vote."""
    disk = PosixDisk()
    where.mkdir(parents=True, exist_ok=True)
    log, _ = Log.open(disk, str(where), LogConfig(segment_bytes=segment_bytes))
    files = SnapshotFiles(disk, str(where), check_directory=log.check_directory)
    journal = Journal(log, QuorumStateStore(disk, str(where)), files)
    journal.execute([append(1, (batch(0),)), SaveElection(2, ElectionStateData(epoch=1))])
    journal.execute([append(3, (batch(1),))])
    journal.check_place()
    return journal


def replaced(path: Path) -> None:
    """Another file or directory with the same content, as a restored backup is."""
    old = path.rename(f"{path}.old")
    if old.is_dir():
        shutil.copytree(old, path)
    else:
        shutil.copy(old, path)


def recreated(path: Path) -> None:
    """Deleted and made again: it may well have the same inode."""
    shutil.rmtree(path)
    path.mkdir()


def hard_linked(path: Path) -> None:
    """Another directory with the very same files in it."""
    old = path.rename(f"{path}.old")
    path.mkdir()
    for file in old.iterdir():
        os.link(file, path / file.name)


VANISHING: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "deleted": (".", shutil.rmtree, r"log: it was deleted or moved"),
    "moved": (".", lambda path: path.rename(f"{path}.old"), r"log: it was deleted or moved"),
    "replaced": (".", replaced, r"log: another one has its name"),
    "made again": (".", recreated, r"log: another one has its name"),
    "hard links": (".", hard_linked, r"log: another one has its name"),
    "parent deleted": ("..", shutil.rmtree, r"log: its directory .*/data was deleted or moved"),
    "segment deleted": (SEGMENT, os.unlink, rf"{SEGMENT}: it was deleted or moved"),
    "segment replaced": (SEGMENT, replaced, rf"{SEGMENT}: another one has its name"),
    "vote deleted": ("quorum-state", os.unlink, r"quorum-state: it was deleted or moved"),
    "a file in its place": (
        ".",
        lambda path: (shutil.rmtree(path), path.write_bytes(b"")),
        r"log: another one has its name",
    ),
}


@pytest.mark.parametrize("case", VANISHING)
def test_a_check_tells_what_vanished_and_nothing_is_written_any_more(tmp_path: Path, case: str):
    what, vanish, told = VANISHING[case]
    where = tmp_path / "data" / "log"
    journal = opened(where)
    vanish((where / what).resolve())
    with pytest.raises(DiskFailed, match=f"cannot go on with .*{told}"):
        journal.check_place()
    with pytest.raises(DiskFailed, match=told):
        journal.execute([append(4, (batch(2),))])
    assert journal.log.end_offset == 2


def test_a_symbolic_link_that_leads_elsewhere_is_noticed(tmp_path: Path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    journal = opened(link)
    shutil.copytree(real, tmp_path / "other")
    link.unlink()
    link.symlink_to(tmp_path / "other")
    with pytest.raises(DiskFailed, match="link: another one has its name"):
        journal.check_place()


def test_a_directory_that_was_moved_and_linked_to_is_the_same(tmp_path: Path):
    journal = opened(tmp_path / "log")
    (tmp_path / "log").rename(tmp_path / "moved")
    (tmp_path / "log").symlink_to(tmp_path / "moved")
    assert journal.check_place() == 3


@pytest.mark.parametrize(
    "effect",
    [
        SaveElection(4, ElectionStateData(epoch=2)),
        TruncateLog(4, 1),
        InstallSnapshot(4, ID),
        DropPrefix(4, 1),
    ],
    ids=lambda effect: type(effect).__name__,
)
def test_all_effects_but_appends_leave_a_replaced_directory_unchanged(
    tmp_path: Path, effect: DiskEffect
):
    where = tmp_path / "log"
    journal = opened(where)
    replaced(where)
    before = {path.name: path.read_bytes() for path in where.iterdir()}
    with pytest.raises(DiskFailed, match="another one has its name"):
        journal.execute([effect])
    assert {path.name: path.read_bytes() for path in where.iterdir()} == before


def test_a_log_does_not_roll_into_a_strange_directory(tmp_path: Path):
    where = tmp_path / "log"
    journal = opened(where, segment_bytes=2 * len(batch(0)))
    replaced(where)
    names = sorted(os.listdir(where))
    with pytest.raises(DiskFailed, match="another one has its name"):
        journal.execute([append(4, (batch(2),))])
    assert sorted(os.listdir(where)) == names


def test_old_segments_are_looked_for_in_turns(tmp_path: Path):
    where = tmp_path / "log"
    journal = opened(where, segment_bytes=len(batch(0)))
    count = 2 * SEGMENTS_PER_CHECK + 3
    journal.execute([append(n + 2, (batch(n),)) for n in range(2, count)])
    assert len(journal.log.segment_sizes) == count
    journal.check_place()
    for gone in (0, SEGMENTS_PER_CHECK, count - 2):
        path = where / f"{gone:020d}.log"
        path.rename(where / "aside")
        with pytest.raises(DiskFailed, match=path.name):
            for _ in range(3):
                journal.log.check_place()
        (where / "aside").rename(path)


def test_the_newest_snapshot_is_missed(tmp_path: Path):
    journal = opened(tmp_path)
    part = journal.snapshots.begin(ID)
    part.append(SNAPSHOT)
    journal.snapshots.freeze(part)
    journal.snapshots.frozen(ID)
    journal.check_place()
    (tmp_path / snapshot_file(ID)).unlink()
    with pytest.raises(DiskFailed, match=f"{snapshot_file(ID)}: it was deleted"):
        journal.check_place()


@pytest.mark.parametrize("when", ["before it begins", "before it is frozen"])
def test_a_snapshot_in_a_directory_that_was_replaced_is_an_error(tmp_path: Path, when: str):
    where = tmp_path / "log"
    journal = opened(where)
    if when == "before it begins":
        replaced(where)
        with pytest.raises(DiskFailed, match="another one has its name"):
            journal.snapshots.begin(ID)
        return
    part = journal.snapshots.begin(ID)
    part.append(SNAPSHOT)
    replaced(where)
    with pytest.raises(DiskFailed, match="another one has its name"):
        journal.snapshots.freeze(part)


def test_a_directory_that_nobody_touches_passes_however_often(tmp_path: Path):
    journal = opened(tmp_path, segment_bytes=len(batch(0)))
    for number in range(2, 20):
        journal.execute([append(number + 2, (batch(number),))])
        assert journal.check_place() == number + 2
    journal.execute([TruncateLog(30, 5)])
    journal.execute([SaveElection(31, ElectionStateData(epoch=9))])
    assert journal.check_place() == 31
    journal.close()


def test_an_open_directory_gives_its_descriptor_back(tmp_path: Path):
    before = len(os.listdir("/proc/self/fd"))
    journal = opened(tmp_path)
    journal.close()
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_simulated_disk_knows_it_as_well():
    disk = SimDisk()
    disk.make_directory("/log")
    directory = disk.open_directory("/log")
    file = disk.open("/log/a", create=True)
    assert (file.why_displaced(), directory.why_displaced()) == (None, None)
    disk.open("/log/b", create=True)
    disk.rename("/log/b", "/log/a")
    assert "another one has its name" in (file.why_displaced() or "")
    disk.unlink("/log/a")
    assert "it was deleted" in (file.why_displaced() or "")
    disk.directories.clear()
    assert "it was deleted" in (directory.why_displaced() or "")
    with pytest.raises(FileNotFoundError):
        disk.open_directory("/log")


def test_a_lock_that_was_deleted_is_missed_and_anothers_is_left(tmp_path: Path):
    lock = DirectoryLock(str(tmp_path))
    lock.check_in_place()
    os.unlink(lock.path)
    with pytest.raises(DiskFailed, match=r"\.lock: it was deleted"):
        lock.check_in_place()
    other = DirectoryLock(str(tmp_path))
    with pytest.raises(DiskFailed, match=r"\.lock: another one has its name"):
        lock.check_in_place()
    lock.release()
    other.check_in_place()
    other.release()
    assert os.listdir(tmp_path) == []


def test_a_lock_is_released_though_its_directory_is_gone(tmp_path: Path):
    lock = DirectoryLock(str(tmp_path))
    shutil.rmtree(tmp_path)
    lock.release()
