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
