"""Files that a command writes, on a disk without room: one line that names the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from metaquorum.cli import pipeline
from metaquorum.cli.main import run
from metaquorum.cli.output import written
from tests.unit.storage.tiered_partition import orders


def no_room(*_: object, **__: object) -> Any:
    raise OSError(28, "No space left on device")


def test_a_page_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.mkdir()
    with pytest.raises(OSError) as failed:
        pipeline._write_page(str(page), b"x")
    assert str(page) in str(failed.value.filename)
    assert list(tmp_path.iterdir()) == [page]


def test_an_error_of_a_write_gets_the_name_of_its_file() -> None:
    with pytest.raises(OSError) as failed, written("/data/page.html"):
        no_room()
    assert failed.value.filename == "/data/page.html"


def test_a_format_without_room_names_the_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "server.properties"
    config.write_text(
        "process.roles=controller\nnode.id=1\ncontroller.listener.names=C\nlisteners=C://a:9093\n"
        f"controller.quorum.bootstrap.servers=a:9093\nlog.dirs={tmp_path / 'data'}\n"
    )
    monkeypatch.setattr("os.pwritev", no_room)
    assert run(["storage", "format", "-s", "-t", "x", "-c", str(config)]) == 1
    error = capsys.readouterr().err
    assert error.startswith("metaquorum: ") and error.count("\n") == 1
    assert str(tmp_path / "data") in error and "No space left on device" in error
    assert not (tmp_path / "data" / "meta.properties").exists()


def test_an_upload_without_room_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log_dir = orders(tmp_path).parent
    monkeypatch.setattr("metaquorum.storage.tier_store.copied", no_room)
    words = ["tier", "upload", "--log-dir", str(log_dir), "--to", str(tmp_path / "store")]
    assert run(words) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"metaquorum: {tmp_path / 'store'}/")
    assert last.endswith(": No space left on device")
    left = [one for one in (tmp_path / "store").rglob("*") if one.is_file()]
    assert not left
