"""Our tools over a node's directory with one file damaged: never a traceback, always its name."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from metaquorum.cli.main import run
from tests.unit.node.test_damaged_directories import (
    CUT,
    DAMAGES,
    DENIED,
    FILES,
    GARBAGE,
    contents,
    damage,
    used,
)
from tests.unit.node.whole_node import CLUSTER_ID

CASES = [(name, how) for name in FILES["used"] for how in DAMAGES if how != DENIED]


def lines(data: Path, name: str, config: Path, store: Path) -> Iterator[list[str]]:
    """Command lines that read the directory, and the file itself."""
    file, log_dir = str(data / name), str(data)
    yield ["storage", "info", "-c", str(config)]
    yield ["storage", "format", "-s", "-t", "x", "-c", str(config)]
    yield ["storage", "format", "-g", "-s", "-t", CLUSTER_ID, "-c", str(config)]
    yield ["dump-log", "--cluster-metadata-decoder", "--files", file]
    yield ["dump-log", "--files", file, "-o", "json"]
    yield ["dump-log", "--index-sanity-check", "--files", file]
    yield ["metadata", "find", "--log-dir", log_dir]
    yield ["metadata", "diff", "0", "end", "--log-dir", log_dir]
    if name.endswith((".log", ".checkpoint")):
        yield ["metadata", "find", "--snapshot", file]
    yield ["producer-snapshots", "check", "--log-dir", log_dir]
    yield ["producer-snapshots", "regenerate", "--dry-run", "--log-dir", log_dir]
    yield ["tier", "upload", "--log-dir", log_dir, "--to", str(store)]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return used(tmp_path_factory.mktemp("base") / "data")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "server.properties"
    path.write_text(
        "process.roles=controller\nnode.id=1\ncontroller.listener.names=C\nlisteners=C://a:9093\n"
        f"controller.quorum.bootstrap.servers=a:9093\nlog.dirs={tmp_path / 'data'}\n"
    )
    return path


@pytest.mark.parametrize(("name", "how"), CASES, ids=lambda text: text.rpartition("/")[2])
def test_a_tool_over_a_damaged_file_says_which(
    name: str,
    how: str,
    base: Path,
    config: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("METAQUORUM_TRACEBACK", "1")  # an error that nobody foresaw fails the test
    data = tmp_path / "data"
    for words in lines(data, name, config, tmp_path / "store"):
        shutil.rmtree(data, ignore_errors=True)
        shutil.copytree(base, data)
        damage(data / name, how)
        before = contents(data)
        code = run(words)
        out, err = capsys.readouterr()
        assert "Traceback" not in err, words
        if code:
            assert out if not err else str(data) in err, (words, err)
        if words[1] != "format" or code:
            assert contents(data) == before, words


def test_storage_info_names_a_truncated_meta_properties(
    base: Path, config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    shutil.copytree(base, data)
    (data / "meta.properties").write_text("node.id=1\nversion=1\ncluster.id=4L6g3nSh")
    assert run(["storage", "info", "-c", str(config)]) == 1
    told = capsys.readouterr().out
    assert f"{data}/meta.properties is damaged" in told and "after cluster.id=4L6g3nSh" in told


@pytest.mark.parametrize("how", [CUT, GARBAGE])
def test_format_leaves_a_damaged_identity_alone(
    how: str, base: Path, config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    shutil.copytree(base, data)
    damage(data / "meta.properties", how)
    before = contents(data)
    for words in (("-s",), ("-g", "-s"), ("-N",)):
        assert run(["storage", "format", *words, "-t", CLUSTER_ID, "-c", str(config)]) == 1
        out, err = capsys.readouterr()
        assert not out and f"{data}/meta.properties" in err
    assert contents(data) == before


@pytest.mark.parametrize("dirs", ["{0},{0}/", "{0}/,{0}", "{0},{0}/../data"])
def test_one_directory_under_two_names_is_not_formatted(
    dirs: str, config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    text = config.read_text().replace(f"log.dirs={data}", f"log.dirs={dirs.format(data)}")
    config.write_text(text)
    for words in (("format", "-s", "-t", "x"), ("info",)):
        assert run(["storage", *words, "-c", str(config)]) == 1
        out, err = capsys.readouterr()
        assert not out and "are the same directory" in err and err.count("\n") == 1
    assert not data.exists()


@pytest.mark.parametrize("words", [("record", "decode"), ("frame", "decode")])
def test_input_that_cannot_be_read_is_one_line(
    words: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Broken(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: object) -> int:
            raise IsADirectoryError(21, "Is a directory")

    broken = io.TextIOWrapper(io.BufferedReader(Broken()))
    monkeypatch.setattr("sys.stdin", broken)
    assert run(words) == 1
    assert capsys.readouterr().err == "metaquorum: Is a directory\n"
