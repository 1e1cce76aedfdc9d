"""``metadata --snapshot`` of a segment that its node writes meanwhile, and of what a kill left."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.cli.main import run
from metaquorum.storage.posix import PosixFile
from metaquorum.storage.preallocation import LOOKS, MARK, held_back
from tests.every_record import CHECKPOINT_NAME, LOG_NAME, checkpoint, log, log_batches


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(["metadata", *arguments])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_preallocation_behind_one_segment_is_not_spoken_of_either(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / LOG_NAME
    path.write_bytes(log())
    before = _run(capsys, "tree", "/image", "--snapshot", str(path))
    path.write_bytes(log() + MARK + bytes(5_000))
    assert _run(capsys, "tree", "/image", "--snapshot", str(path)) == before
    assert before[0] == 0
    checkpoint_path = tmp_path / CHECKPOINT_NAME
    checkpoint_path.write_bytes(checkpoint() + MARK + bytes(5_000))
    assert _run(capsys, "tree", "/image", "--snapshot", str(checkpoint_path))[0] == 1


@pytest.mark.parametrize(
    ("preallocated_bytes", "then"),
    [(5_000, "a batch has come"), (70, "a batch has come"), (5_000, "it was given back")],
)
def test_room_that_changes_between_two_looks_is_no_fault(
    preallocated_bytes: int,
    then: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / LOG_NAME
    path.write_bytes(log())
    whole = _run(capsys, "tree", "/image", "--snapshot", str(path))
    *before, last = log_batches()
    end = sum(map(len, before))
    path.write_bytes(b"".join(before))
    without_last = _run(capsys, "tree", "/image", "--snapshot", str(path))
    assert without_last != whole
    path.write_bytes(b"".join(before) + MARK + bytes(preallocated_bytes))
    read, looks = PosixFile.read, list[int]()

    def changing(file: PosixFile, position: int, length_bytes: int) -> bytes:
        found = read(file, position, length_bytes)
        if position == end and not looks:
            left = last + MARK + bytes(5_000) if then == "a batch has come" else b""
            path.write_bytes(b"".join(before) + left)
        looks.extend([position] if position == end else [])
        return found

    monkeypatch.setattr(PosixFile, "read", changing)
    wanted = whole if then == "a batch has come" else without_last
    assert _run(capsys, "tree", "/image", "--snapshot", str(path)) == wanted
    assert len(looks) > 1


def test_a_reader_may_meet_room_as_often_as_there_are_batches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / LOG_NAME
    path.write_bytes(log())
    wanted = _run(capsys, "tree", "/image", "--snapshot", str(path))
    read, looked_at = PosixFile.read, set[int]()

    def late(file: PosixFile, position: int, length_bytes: int) -> bytes:
        if position in looked_at:
            return read(file, position, length_bytes)
        looked_at.add(position)
        return MARK.ljust(length_bytes, b"\0")

    monkeypatch.setattr(PosixFile, "read", late)
    assert _run(capsys, "tree", "/image", "--snapshot", str(path)) == wanted
    assert len(looked_at) == len(log_batches()) > LOOKS


def test_a_write_that_is_not_finished_is_the_end_of_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / LOG_NAME
    *before, last = log_batches()
    path.write_bytes(b"".join(before))
    wanted = _run(capsys, "tree", "/image", "--snapshot", str(path))
    begun, _ = held_back([last], MARK)
    path.write_bytes(b"".join(before) + begun + bytes(5_000))
    assert _run(capsys, "tree", "/image", "--snapshot", str(path)) == wanted
    assert wanted[0] == 0
    directory = tmp_path / "__cluster_metadata-0"
    directory.mkdir()
    (directory / LOG_NAME).write_bytes(b"".join(before) + begun + bytes(5_000))
    code, _, err = _run(capsys, "ls", "--log-dir", str(tmp_path))
    assert code == 0
    assert "is read up to byte" not in err
