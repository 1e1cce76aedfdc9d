"""``server start``: what reaches the node, and what never does."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from metaquorum.cli.main import run
from metaquorum.config.node_config import NodeConfig

CONFIG = """\
process.roles=controller
node.id=1
listeners=CONTROLLER://localhost:9093
controller.listener.names=CONTROLLER
controller.quorum.bootstrap.servers=localhost:9093
"""


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[NodeConfig]:
    """The configurations that a node was run with; running one ends with exit code 7."""
    seen: list[NodeConfig] = []
    lifecycle = ModuleType("metaquorum.node.lifecycle")

    def run_node(config: NodeConfig) -> int:
        seen.append(config)
        return 7

    lifecycle.run = run_node  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "metaquorum.node.lifecycle", lifecycle)
    return seen


def config_file(tmp_path: Path, text: str = CONFIG) -> str:
    path = tmp_path / "server.properties"
    path.write_text(text)
    return str(path)


def test_the_node_gets_the_file_with_its_overrides(
    tmp_path: Path, started: list[NodeConfig]
) -> None:
    path = config_file(tmp_path)
    assert run(["server", "start", path, "--override", "node.id=4", "--override", "a=b"]) == 7
    assert [config.node_id for config in started] == [4]


def test_warnings_are_printed_and_the_node_runs(
    tmp_path: Path, started: list[NodeConfig], capsys: pytest.CaptureFixture[str]
) -> None:
    run(["server", "start", config_file(tmp_path, CONFIG + "nod.id=3\n")])
    assert capsys.readouterr().err == (
        "metaquorum: warning: nod.id is not a known key and has no effect; did you mean node.id?\n"
    )
    assert len(started) == 1


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("node.id=x", "node.id: 'x' is not a number"),
        ("node.id", "write KEY=VALUE"),
        ("process.roles=broker,controller", "this server has none"),
        ("listener.security.protocol.map=CONTROLLER:SSL", "CONTROLLER speaks SSL"),
    ],
)
def test_a_node_that_cannot_run_is_never_started(
    override: str,
    told: str,
    tmp_path: Path,
    started: list[NodeConfig],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["server", "start", config_file(tmp_path), "--override", override]) == 1
    assert told in capsys.readouterr().err
    assert started == []


def test_warnings_among_json_lines_are_json_too(
    tmp_path: Path, started: list[NodeConfig], capsys: pytest.CaptureFixture[str]
) -> None:
    run(["server", "start", config_file(tmp_path, CONFIG + "nod.id=3\nmetaquorum.log.format=json")])
    told = json.loads(capsys.readouterr().err)
    assert told["event"] == "configuration-warning" and told["level"] == "warn"
    assert told["fields"]["why"].startswith("nod.id is not a known key")
    assert len(started) == 1


def test_a_later_development_start_takes_what_the_first_made(
    tmp_path: Path, started: list[NodeConfig]
) -> None:
    directory = tmp_path / "with space é"
    ports = ["--port", "19092", "--controller-port", "19093"]
    assert run(["server", "dev", str(directory), *ports]) == 7
    written = (directory / "server.properties").read_bytes()
    identity = (directory / "data/meta.properties").read_bytes()
    assert run(["server", "dev", str(directory)]) == 7
    assert (directory / "server.properties").read_bytes() == written
    assert (directory / "data/meta.properties").read_bytes() == identity
    assert [config.log_dirs for config in started] == [(str(directory / "data"),)] * 2


def test_a_development_node_without_directory_leaves_nothing(
    tmp_path: Path, started: list[NodeConfig], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert run(["server", "dev"]) == 7
    assert started[0].log_dirs[0].startswith(str(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a", "--port", "9", "--controller-port", "9"], "are both 9: each listener needs its own"),
        (["one,two"], "a log directory's path cannot have a comma"),
        (["file/below"], "cannot write file/below: Not a directory"),
    ],
)
def test_a_development_directory_that_cannot_be_is_refused(
    words: list[str],
    message: str,
    tmp_path: Path,
    started: list[NodeConfig],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    assert run(["server", "dev", *words]) == 1
    assert message in capsys.readouterr().err
    assert started == []
