"""A file of lines that is set aside when it is full loses none, whatever happens to it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.runtime.loop.line_file import LineFile
from metaquorum.runtime.loop.line_writer import LineWriter


def file_in(directory: Path, max_bytes: int = 100, files_max: int = 3) -> LineFile:
    return LineFile.opened(str(directory / "server.log"), max_bytes, files_max)


def line(number: int) -> bytes:
    return f"line {number:04d}\n".encode()  # ten bytes


def texts(directory: Path) -> dict[str, str]:
    return {one.name: one.read_text() for one in sorted(directory.iterdir())}


def test_a_full_file_is_set_aside_and_the_oldest_goes(tmp_path: Path):
    file = file_in(tmp_path, max_bytes=20)
    for number in range(9):
        assert file.write(line(number)) == 10
    assert texts(tmp_path) == {
        "server.log": "line 0008\n",
        "server.log.1": "line 0006\nline 0007\n",
        "server.log.2": "line 0004\nline 0005\n",
    }


def test_lines_of_an_earlier_start_count_for_the_size(tmp_path: Path):
    (tmp_path / "server.log").write_bytes(line(0) * 2)
    file = file_in(tmp_path, max_bytes=25)
    file.write(line(1))
    assert texts(tmp_path) == {"server.log": "line 0001\n", "server.log.1": "line 0000\n" * 2}


def test_one_write_above_the_size_is_written_whole(tmp_path: Path):
    file = file_in(tmp_path, max_bytes=5)
    file.write(line(0))
    file.write(line(1))
    assert texts(tmp_path) == {"server.log": "line 0001\n", "server.log.1": "line 0000\n"}


@pytest.mark.parametrize("moved", [True, False], ids=["moved", "removed"])
def test_a_file_that_others_took_away_is_begun_anew(tmp_path: Path, moved: bool):
    file = file_in(tmp_path)
    file.write(line(0))
    path = tmp_path / "server.log"
    if moved:
        path.rename(tmp_path / "server.log-20261125")
    else:
        path.unlink()
    file.write(line(1))
    assert path.read_bytes() == line(1)


def test_a_file_that_others_emptied_is_appended_to(tmp_path: Path):
    file = file_in(tmp_path, max_bytes=20)
    file.write(line(0))
    file.write(line(1))
    os.truncate(tmp_path / "server.log", 0)  # logrotate's copytruncate
    file.write(line(2))
    assert texts(tmp_path) == {"server.log": "line 0002\n"}


def test_a_file_that_cannot_be_set_aside_grows_on(tmp_path: Path):
    file = file_in(tmp_path, max_bytes=20)
    (tmp_path / "server.log.1").write_bytes(b"older\n")
    obstacle = tmp_path / "server.log.2"
    obstacle.mkdir()
    for number in range(5):
        file.write(line(number))
    assert (tmp_path / "server.log").read_bytes() == b"".join(map(line, range(5)))
    assert (tmp_path / "server.log.1").read_bytes() == b"older\n"
    obstacle.rmdir()
    file.write(line(5))
    assert (tmp_path / "server.log").read_bytes() == line(5)
    assert (tmp_path / "server.log.2").read_bytes() == b"older\n"


@pytest.mark.parametrize("moved", [False, True], ids=["full", "moved"])
def test_where_no_new_file_can_be_made_the_old_one_takes_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moved: bool
):
    file = file_in(tmp_path, max_bytes=20)
    file.write(line(0))
    if moved:
        (tmp_path / "server.log").rename(tmp_path / "old")

    def refuses(*_: object) -> int:
        raise OSError(28, "No space left on device")

    place = tmp_path / ("old" if moved else "server.log")
    with monkeypatch.context() as patch:
        patch.setattr("metaquorum.runtime.loop.line_file.os.open", refuses)
        for number in range(1, 5):
            file.write(line(number))
        assert texts(tmp_path) == {place.name: "".join(f"line {n:04d}\n" for n in range(5))}
    file.write(line(5))
    assert (tmp_path / "server.log").read_bytes() == line(5)


def test_a_removed_file_without_a_successor_takes_no_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = file_in(tmp_path)
    (tmp_path / "server.log").unlink()

    def refuses(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("metaquorum.runtime.loop.line_file.os.open", refuses)
    with pytest.raises(OSError, match="No space"):  # so that the writer counts the line
        file.write(line(0))


def test_no_line_is_lost_or_torn_over_many_files(tmp_path: Path):
    file = LineFile.opened(str(tmp_path / "server.log"), 131_072, 1_000)
    lines = LineWriter(file.write, str, most=100_000)
    expected = [f"line {number} {'x' * (number % 300)}" for number in range(5_000)]
    for text in expected:
        lines.put(text)
    assert lines.close(flush_ms=60_000)
    names = sorted(tmp_path.iterdir(), key=lambda one: -int(one.suffix[1:].replace("log", "0")))
    assert len(names) > 4
    assert [text for name in names for text in name.read_text().splitlines()] == expected
    assert lines.dropped == 0
    assert max(name.stat().st_size for name in names) <= 131_072


@pytest.mark.parametrize("name", ["missing/server.log", ".", "a device"])
def test_a_file_that_cannot_be_is_told_by_its_key(tmp_path: Path, name: str):
    path = "/dev/null" if name == "a device" else str(tmp_path / name)
    with pytest.raises(OperatorError, match=r"metaquorum\.log\.file"):
        LineFile.opened(path, 100, 3)
