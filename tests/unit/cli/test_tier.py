"""``metaquorum tier``: what it says of each segment, and what its exit code means."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from metaquorum.cli import tier as module
from metaquorum.cli.main import run
from tests.unit.storage.broker_batches import NOW_MS, data, write_segments
from tests.unit.storage.tiered_partition import contents, orders


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "wall_ms", lambda: NOW_MS)


def upload(log_dir: Path, store: Path, *options: str) -> int:
    return run(["tier", "upload", "--log-dir", str(log_dir), "--to", str(store), *options])


def test_upload_leaves_out_kafkas_own_topics_and_uncommitted_segments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log_dir = orders(tmp_path).parent
    write_segments(log_dir / "__consumer_offsets-3", {0: [data(0)], 1: [data(1)]})
    (log_dir / "replication-offset-checkpoint").write_text("0\n1\norders 0 6\n")
    assert upload(log_dir, tmp_path / "store") == 0
    out, err = capsys.readouterr()
    first, second, third = out.splitlines()
    assert first.startswith("orders-0 0-3 uploaded: 5 parts, ")
    assert first.endswith("00000000000000000003.snapshot made again")
    assert second.startswith("orders-0 3-5 uploaded: ")
    assert third == "orders-0 5-7 not yet: the high watermark is 6"
    assert err == "__consumer_offsets-3: Kafka does not tier its own topics, left out\n"
    assert run(["tier", "check", "--store", str(tmp_path / "store")]) == 0
    assert capsys.readouterr().out == "2 of 2 segments are whole\n"


def test_json_has_an_object_for_every_segment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = orders(tmp_path)
    (directory / "00000000000000000003.index").unlink()
    assert upload(directory, tmp_path / "store", "-o", "json") == 1
    out, err = capsys.readouterr()
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["done"] for row in rows] == ["uploaded", "not uploaded", "uploaded"]
    assert [row["base_offset"] for row in rows] == [0, 3, 5]
    assert "00000000000000000003.index is missing" in rows[1]["why"]
    manifest = tmp_path / "store" / rows[0]["key"] / "manifest.json"
    assert json.loads(manifest.read_bytes()) == {"version": 1, **rows[0]["manifest"]}
    assert "does not tell its high watermark" in err


def test_a_check_names_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "store"
    upload(orders(tmp_path), store)
    capsys.readouterr()
    next(store.rglob("*3.snapshot")).unlink()
    (store / "notes.txt").write_text("nobody's part")
    assert run(["tier", "check", "--store", str(store)]) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert first.endswith("00000000000000000003.snapshot is missing: the producer-snapshot")
    assert last == "2 of 3 segments are whole"
    assert run(["tier", "check", "--store", str(store), "-o", "json"]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert sum(bool(row["problems"]) for row in rows) == 1 and len(rows) == 3


def test_a_store_that_is_not_there_is_refused_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["tier", "check", "--store", str(tmp_path / "nowhere")]) == 1
    assert f"{tmp_path / 'nowhere'}: there is no such directory" in capsys.readouterr().err


def test_one_bad_partition_is_told_and_the_others_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log_dir = orders(tmp_path).parent
    bad = log_dir / "bad-0"
    write_segments(bad, {0: [data(0)], 1: []})
    (bad / "partition.metadata").write_text("nonsense")
    assert upload(log_dir, tmp_path / "store") == 1
    out, err = capsys.readouterr()
    assert out.count("uploaded: ") == 3 and str(bad / "partition.metadata") in err


@pytest.mark.parametrize("what", ["nowhere", "a-file", "empty"])
def test_a_place_without_partitions_is_refused_by_name(
    tmp_path: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a-file").write_text("x")
    (tmp_path / "empty").mkdir()
    assert upload(tmp_path / what, tmp_path / "store") == 1
    assert str(tmp_path / what) in capsys.readouterr().err
    assert not (tmp_path / "store").exists()


def test_an_unwritable_store_is_named_and_nothing_is_left_half_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    store.write_text("a file, no directory")
    directory = orders(tmp_path)
    before = contents(directory)
    assert upload(directory, store) == 1
    assert str(store) in capsys.readouterr().err
    assert contents(directory) == before


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tier", "upload", "--help"]) == 0
    assert "metaquorum tier upload --log-dir /var/lib/kafka --to /mnt/archive" in (
        capsys.readouterr().out
    )
