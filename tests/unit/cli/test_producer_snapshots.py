"""``metaquorum producer-snapshots``: what is missing, what is written, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.cli import producer_snapshots as module
from metaquorum.cli.main import run
from metaquorum.storage.directory_lock import DirectoryLock
from metaquorum.storage.producer_snapshot import EMPTY, decode_producers
from tests.unit.storage.broker_batches import NOW_MS, data, write_segments


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "wall_ms", lambda: NOW_MS)


@pytest.fixture
def log_dir(tmp_path: Path) -> Path:
    """A stopped broker's directory: two partitions, and what else lies there."""
    write_segments(tmp_path / "orders-0", {0: [data(0, 1)], 1: [data(1, 2)], 2: [data(2, 1)]})
    write_segments(tmp_path / "plain-1", {0: [data(0)], 1: []})
    (tmp_path / "empty-0").mkdir()
    (tmp_path / "meta.properties").write_text("version=1\n")
    return tmp_path


def told(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def files(directory: Path) -> list[str]:
    return sorted(one.name for one in directory.iterdir() if one.suffix != ".log")


def test_a_check_names_what_is_missing_and_writes_nothing(
    log_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (log_dir / "orders-0" / "00000000000000000002.snapshot").write_bytes(b"\0\2 and so on")
    before = {one: one.read_bytes() for one in log_dir.rglob("*") if one.is_file()}
    assert run(["producer-snapshots", "check", "--log-dir", str(log_dir)]) == 1
    assert told(capsys) == [
        "orders-0/00000000000000000001.snapshot is missing",
        "orders-0/00000000000000000002.snapshot is damaged: version 2, only version 1 is known",
        "plain-1/00000000000000000001.snapshot is missing",
        "0 of 3 producer snapshots are there and valid",
    ]
    assert {one: one.read_bytes() for one in log_dir.rglob("*") if one.is_file()} == before


def test_what_is_missing_is_written_and_then_all_is_well(
    log_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["producer-snapshots", "regenerate", "--log-dir", str(log_dir)]) == 0
    assert told(capsys) == [
        "orders-0/00000000000000000001.snapshot written: 1 producer, replayed 1 segment from "
        "offset 0",
        "orders-0/00000000000000000002.snapshot written: 2 producers, replayed 1 segment from "
        "offset 0",
        "plain-1/00000000000000000001.snapshot written: 0 producers, replayed 1 segment from "
        "offset 0",
    ]
    two = (log_dir / "orders-0" / "00000000000000000002.snapshot").read_bytes()
    assert [one.producer_id for one in decode_producers(two)] == [1, 2]
    assert (log_dir / "plain-1" / "00000000000000000001.snapshot").read_bytes() == EMPTY
    assert run(["producer-snapshots", "check", "--log-dir", str(log_dir)]) == 0
    assert told(capsys) == ["3 of 3 producer snapshots are there and valid"]


def test_a_dry_run_replays_and_writes_nothing(
    log_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--log-dir", str(log_dir / "orders-0"), "--dry-run"]
    assert run(["producer-snapshots", "regenerate", *flags]) == 0
    assert [line.split(": ")[0] for line in told(capsys)] == [
        "orders-0/00000000000000000001.snapshot would be written",
        "orders-0/00000000000000000002.snapshot would be written",
    ]
    assert files(log_dir / "orders-0") == []


def test_a_valid_file_is_left_as_it_is(log_dir: Path) -> None:
    kept = log_dir / "orders-0" / "00000000000000000001.snapshot"
    kept.write_bytes(EMPTY)
    stamp = kept.stat().st_mtime_ns
    assert run(["producer-snapshots", "regenerate", "--log-dir", str(log_dir)]) == 0
    assert (kept.read_bytes(), kept.stat().st_mtime_ns) == (EMPTY, stamp)


def test_where_the_partition_begins_is_read_from_the_brokers_file(
    log_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (log_dir / "log-start-offset-checkpoint").write_text("0\n1\norders 0 1\n")
    assert run(["producer-snapshots", "regenerate", "--log-dir", str(log_dir / "orders-0")]) == 0
    (line,) = told(capsys)
    assert line.endswith("written: 1 producer, replayed 1 segment from offset 1")


def test_a_rotten_segment_costs_its_snapshot_and_is_named(
    log_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = log_dir / "orders-0" / "00000000000000000001.log"
    log.write_bytes(log.read_bytes()[:-1])
    assert run(["producer-snapshots", "regenerate", "--log-dir", str(log_dir)]) == 1
    out, err = capsys.readouterr()
    assert [line.split(" ")[0] for line in out.splitlines()] == [
        "orders-0/00000000000000000001.snapshot",
        "plain-1/00000000000000000001.snapshot",
    ]
    assert "orders-0/00000000000000000002.snapshot cannot be made" in err
    assert f"{log} is damaged at byte 0, after offset 0: it is cut off" in err
    assert files(log_dir / "orders-0") == ["00000000000000000001.snapshot"]


@pytest.mark.parametrize("name", ["empty-0", "nowhere", "meta.properties"])
def test_a_directory_without_partitions_is_refused(
    log_dir: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("check", "regenerate"):
        assert run(["producer-snapshots", command, "--log-dir", str(log_dir / name)]) == 1
        assert name in capsys.readouterr().err


def test_a_directory_that_a_broker_holds_is_left_alone(
    log_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def held(directory: str) -> DirectoryLock:
        raise OperatorError(f"{directory} is in use")

    monkeypatch.setattr(module, "DirectoryLock", held)
    assert run(["producer-snapshots", "regenerate", "--log-dir", str(log_dir)]) == 1
    assert f"{log_dir} is in use" in capsys.readouterr().err
    assert run(["producer-snapshots", "regenerate", "--dry-run", "--log-dir", str(log_dir)]) == 0


def test_the_expiration_is_the_brokers(log_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--log-dir", str(log_dir / "orders-0"), "--producer-id-expiration-ms", "999"]
    assert run(["producer-snapshots", "regenerate", *flags]) == 0
    assert [line.split(": ")[1].split(",")[0] for line in told(capsys)] == ["0 producers"] * 2


def test_json_has_an_object_for_every_file(
    log_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--log-dir", str(log_dir / "orders-0"), "-o", "json"]
    log = log_dir / "orders-0" / "00000000000000000001.log"
    log.write_bytes(log.read_bytes()[:-1])
    assert run(["producer-snapshots", "regenerate", *flags]) == 1
    first, second = (json.loads(line) for line in told(capsys))
    assert (first["file"], first["found"], first["producers"], first["why"]) == (
        "orders-0/00000000000000000001.snapshot",
        "missing",
        1,
        "",
    )
    assert second["producers"] is None and f"{log} is damaged at byte 0" in second["why"]
    assert run(["producer-snapshots", "check", *flags]) == 1
    assert [json.loads(line)["found"] for line in told(capsys)] == ["valid", "missing"]


def test_one_partition_that_cannot_be_read_does_not_stop_the_others(
    log_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (log_dir / "orders-0" / "00000000000000000001.snapshot").mkdir()
    for command, lines in (("check", 2), ("regenerate", 1)):
        assert run(["producer-snapshots", command, "--log-dir", str(log_dir)]) == 1
        out, err = capsys.readouterr()
        assert len(out.splitlines()) == lines and "plain-1/" in out
        assert "orders-0/00000000000000000001.snapshot: Is a directory" in err
