"""The space behind a log that grows fast: nothing to its readers, and gone when it is quiet."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metaquorum.base.offsets import Offset
from metaquorum.records.builder import build_batch
from metaquorum.storage import names, posix
from metaquorum.storage.damage import RottenLog
from metaquorum.storage.disk import DiskFailed
from metaquorum.storage.journal import Journal, QuorumStateStore
from metaquorum.storage.log import Log
from metaquorum.storage.log_config import LogConfig
from metaquorum.storage.partition_log import look_at_headers, segments_of, walk_segment
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.preallocation import (
    MARK,
    UNFINISHED,
    UNFINISHED_AT,
    held_back,
    is_preallocation,
)
from metaquorum.storage.snapshot_files import SnapshotFiles
from metaquorum.testing.sim.disk import SimDisk, SimFile

WHERE = "/data/__cluster_metadata-0"
STEP = 1_000
FIRST = f"{WHERE}/{names.segment_file(0, names.LOG)}"


def batch(base: Offset, epoch: int = 1) -> bytes:
    return build_batch([(None, b"v")], timestamp_ms=1000, base_offset=base, leader_epoch=epoch)


SIZE = len(batch(0))


def opened(disk: SimDisk, *, step: int = STEP) -> Log:
    log, report = Log.open(disk, WHERE, LogConfig(preallocate_bytes=step))
    assert report.torn is None
    return log


def growing(disk: SimDisk, count: int = 3, *, step: int = STEP) -> Log:
    log = opened(disk, step=step)
    log.append([batch(0)])
    log.grows_fast = True
    log.append([batch(offset) for offset in range(1, count)])
    return log


def test_a_log_that_grows_fast_ends_in_the_mark_and_zeros() -> None:
    disk = SimDisk()
    log = growing(disk)
    assert log.is_preallocated
    content = disk.read_bytes(FIRST)
    assert content[: 3 * SIZE] == batch(0) + batch(1) + batch(2)
    assert content[3 * SIZE :] == MARK + bytes(STEP)
    assert log.size_bytes == 3 * SIZE


def test_its_size_stays_while_it_is_written_into() -> None:
    disk = SimDisk()
    log = growing(disk)
    before = len(disk.read_bytes(FIRST))
    for offset in range(3, 3 + STEP // SIZE):
        log.append([batch(offset)])
    assert len(disk.read_bytes(FIRST)) == before
    end = log.end_offset
    log.append([batch(end)])
    more = disk.read_bytes(FIRST)
    assert len(more) > before
    assert more[(end + 1) * SIZE :] == MARK + bytes(STEP)


def test_what_follows_slowly_goes_into_the_room_there_is() -> None:
    disk = SimDisk()
    log = growing(disk)
    log.grows_fast = False
    log.append([batch(3)])
    assert disk.read_bytes(FIRST)[4 * SIZE :].startswith(MARK)


def test_readers_of_the_log_never_see_it() -> None:
    log = growing(SimDisk())
    assert log.read(0, 1 << 20, below=3) == batch(0) + batch(1) + batch(2)
    assert log.read(2, 1 << 20, below=3) == batch(2)
    assert log.read(3, 1 << 20, below=3) == b""
    assert [header.base_offset for header, _ in log.batches()] == [0, 1, 2]


@pytest.mark.parametrize("ends", ["given back", "closed", "cut", "rolled"])
def test_it_goes_when_the_file_is_left_alone(ends: str) -> None:
    disk = SimDisk()
    log = growing(disk)
    left = 3
    match ends:
        case "given back":
            log.release_preallocation()
        case "closed":
            log.close()
        case "cut":
            log.truncate(2)
            left = 2
        case _:
            log.config = log._segments[-1].config = LogConfig(segment_bytes=3 * SIZE)
            log.append([batch(3)])
    assert disk.read_bytes(FIRST) == b"".join(batch(offset) for offset in range(left))
    if ends in ("given back", "cut"):
        assert not log.is_preallocated
        log.grows_fast = False
        log.append([batch(left, 2)])
        assert len(disk.read_bytes(FIRST)) == (left + 1) * SIZE
        log.grows_fast = True
        log.append([batch(left + 1, 2)])
        assert disk.read_bytes(FIRST)[(left + 2) * SIZE :].startswith(MARK + b"\0")


def test_a_file_system_that_has_none_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    make_room = SimFile.make_room

    def refuse(self: SimFile, more_bytes: int, mark: bytes) -> bool:
        make_room(self, len(mark), mark)  # the mark may be there
        asked.append(more_bytes)
        return False

    monkeypatch.setattr(SimFile, "make_room", refuse)
    disk = SimDisk()
    log = growing(disk)
    log.append([batch(3)])
    assert len(asked) == 1
    assert not log.is_preallocated
    assert disk.read_bytes(FIRST) == b"".join(batch(offset) for offset in range(4))


def test_a_file_system_that_has_no_more_has_the_last_of_it_taken_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_room = SimFile.make_room
    for step in range(STEP, STEP + SIZE):  # so that more is left than the last batch fills
        disk = SimDisk()
        monkeypatch.setattr(SimFile, "make_room", make_room)
        log = growing(disk, step=step)
        monkeypatch.setattr(SimFile, "make_room", lambda self, more_bytes, mark: False)
        while log.is_preallocated:
            log.append([batch(log.end_offset)])
        assert log.end_offset > 3
        assert len(disk.read_bytes(FIRST)) == log.size_bytes == log.end_offset * SIZE


def test_a_start_after_a_kill_takes_it_back_without_a_word() -> None:
    disk = SimDisk()
    growing(disk)
    log = opened(disk)  # which checks that nothing torn is reported
    assert log.end_offset == 3
    assert disk.read_bytes(FIRST) == batch(0) + batch(1) + batch(2)


@pytest.mark.parametrize(
    "tail", [MARK + bytes(50) + b"\1" + bytes(50), b"\1" + MARK + bytes(50), MARK[:-1]]
)
def test_what_only_looks_like_it_is_reported(tail: bytes) -> None:
    disk = SimDisk.holding({FIRST: batch(0) + tail})
    log, report = Log.open(disk, WHERE)
    assert log.end_offset == 1
    assert report.torn is not None
    assert report.torn.cut_bytes == len(tail)


def test_preallocation_within_the_log_is_no_room() -> None:
    second = f"{WHERE}/{names.segment_file(1, names.LOG)}"
    disk = SimDisk.holding({FIRST: batch(0) + MARK + bytes(50), second: batch(1)})
    with pytest.raises(RottenLog, match="a valid batch follows"):
        Log.open(disk, WHERE)


def unfinished(*batches: bytes) -> bytes:
    most, last = held_back(batches, MARK)
    assert last == batches[0][UNFINISHED_AT : UNFINISHED_AT + 1] == b"\0"
    assert most == batches[0][:8] + UNFINISHED + batches[0][9:] + b"".join(batches[1:]) + MARK
    return most


def test_what_was_never_finished_is_cut_with_all_behind_it_and_said() -> None:
    written = batch(0) + unfinished(batch(1), batch(2)) + bytes(50)
    disk = SimDisk.holding({FIRST: written})
    log, report = Log.open(disk, WHERE)
    assert (log.end_offset, disk.read_bytes(FIRST)) == (1, batch(0))
    assert report.torn is not None
    assert report.torn.why == "a write that was never finished"
    assert report.torn.cut_bytes == len(written) - SIZE


def test_the_same_amid_the_log_is_rot() -> None:
    second = f"{WHERE}/{names.segment_file(3, names.LOG)}"
    disk = SimDisk.holding({FIRST: batch(0) + unfinished(batch(1), batch(2)), second: batch(3)})
    with pytest.raises(RottenLog, match="a valid batch follows"):
        Log.open(disk, WHERE)


def test_between_two_writes_a_reader_finds_whole_batches_never_zeros(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, _ = Log.open(PosixDisk(), str(tmp_path), LogConfig(preallocate_bytes=STEP))
    log.append([batch(0)])
    log.grows_fast = True
    path = tmp_path / names.segment_file(0, names.LOG)
    content = batch(0)
    seen: list[int] = []

    def look() -> None:
        found = path.read_bytes()
        whole = len(found) if found == content[: len(found)] else found.index(UNFINISHED) - 8
        assert whole == 0 or found[:whole] == content[:whole]
        assert whole % SIZE == 0
        assert found[whole + UNFINISHED_AT :].startswith(UNFINISHED) or whole == len(found)
        seen.append(whole // SIZE)

    def and_look(call: Callable[..., Any]) -> Callable[..., Any]:
        def called(*arguments: Any) -> Any:
            look()
            done = call(*arguments)
            look()
            return done

        return called

    for name in ("pwrite", "pwritev"):
        monkeypatch.setattr(os, name, and_look(getattr(os, name)))
    reserve = posix._fallocate()
    assert reserve is not None
    monkeypatch.setattr(posix, "_fallocate", lambda: and_look(reserve))
    for first in range(1, 40, 2):
        content += batch(first) + batch(first + 1)
        log.append([batch(first), batch(first + 1)])
    assert seen == sorted(seen)
    assert set(seen) == set(range(1, 42, 2))
    assert len(seen) > 2 * 2 * 20


def test_of_a_running_node_tools_read_up_to_it() -> None:
    disk = SimDisk()
    growing(disk)
    (segment,) = segments_of(disk, WHERE)
    assert [placed.header.base_offset for placed in walk_segment(disk, segment)] == [0, 1, 2]
    assert [header.base_offset for _, header in look_at_headers(disk, segment)] == [0, 1, 2]
    disk = SimDisk.holding({FIRST: batch(0) + unfinished(batch(1), batch(2))})
    (segment,) = segments_of(disk, WHERE)
    assert [placed.header.base_offset for placed in walk_segment(disk, segment)] == [0]


def test_tools_stop_at_the_file_end_after_preallocation_is_released(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    disk = SimDisk()
    log = growing(disk)
    (segment,) = segments_of(disk, WHERE)
    monkeypatch.setattr(SimFile, "size", lambda self: 3 * SIZE + STEP)  # before it was
    log.release_preallocation()
    assert len(disk.read_bytes(FIRST)) == 3 * SIZE
    assert [placed.header.base_offset for placed in walk_segment(disk, segment)] == [0, 1, 2]


def test_a_mark_in_the_last_bytes_of_a_file_is_room_as_well() -> None:
    disk = SimDisk.holding({FIRST: batch(0) + MARK})
    file = disk.open(FIRST)
    assert is_preallocation(file.read, SIZE, file.size())
    assert not is_preallocation(file.read, 0, file.size())
    assert opened(disk).end_offset == 1


def test_a_real_disk_keeps_the_preallocated_file_size_during_appends(tmp_path: Path) -> None:
    log, _ = Log.open(PosixDisk(), str(tmp_path), LogConfig(preallocate_bytes=STEP))
    log.grows_fast = True
    log.append([batch(0)])
    path = tmp_path / names.segment_file(0, names.LOG)
    size = path.stat().st_size
    assert size >= SIZE + STEP
    log.append([batch(1)])
    assert path.stat().st_size == size
    assert path.read_bytes() == batch(0) + batch(1) + MARK + bytes(size - 2 * SIZE - len(MARK))
    log.release_preallocation()
    assert path.read_bytes() == batch(0) + batch(1)
    log.append([batch(2)])
    log.close()
    assert path.read_bytes() == batch(0) + batch(1) + batch(2)


def test_a_journal_that_failed_gives_nothing_back(monkeypatch: pytest.MonkeyPatch) -> None:
    disk = SimDisk()
    journal = Journal(growing(disk), QuorumStateStore(disk, WHERE), SnapshotFiles(disk, WHERE))
    assert journal.is_preallocated
    failure = OSError(5, "input/output error")

    def broken() -> None:
        raise failure

    monkeypatch.setattr(journal.log, "release_preallocation", broken)
    with pytest.raises(DiskFailed, match="input/output error"):
        journal.release_preallocation()
    monkeypatch.undo()
    with pytest.raises(DiskFailed):
        journal.release_preallocation()
    assert journal.is_preallocated
