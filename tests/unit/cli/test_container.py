"""``container start``: a configuration out of variables, and a format at the first start."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from metaquorum.cli.main import run
from metaquorum.config.node_config import NodeConfig
from metaquorum.storage import meta_properties
from metaquorum.storage.posix import PosixDisk

CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qk"


@pytest.fixture(autouse=True)
def sigterm_as_before() -> Iterator[None]:
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[NodeConfig]:
    """The configurations that a node was run with; the variables of one are set."""
    seen: list[NodeConfig] = []
    lifecycle = ModuleType("metaquorum.node.lifecycle")

    def run_node(config: NodeConfig) -> int:
        seen.append(config)
        return 7

    lifecycle.run = run_node  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "metaquorum.node.lifecycle", lifecycle)
    for name, value in {
        "KAFKA_NODE_ID": "1",
        "KAFKA_PROCESS_ROLES": "controller",
        "KAFKA_LISTENERS": "CONTROLLER://a:9093",
        "KAFKA_CONTROLLER_LISTENER_NAMES": "CONTROLLER",
        "KAFKA_CONTROLLER_QUORUM_BOOTSTRAP_SERVERS": "a:9093",
        "KAFKA_LOG_DIRS": str(tmp_path / "data"),
    }.items():
        monkeypatch.setenv(name, value)
    return seen


def test_without_a_cluster_id_nothing_is_formatted(started: list[NodeConfig], tmp_path: Path):
    assert run(["container", "start"]) == 7
    assert [config.node_id for config in started] == [1]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("variable", ["CLUSTER_ID", "KAFKA_CLUSTER_ID"])
def test_the_first_start_formats_and_the_next_does_not(
    started: list[NodeConfig], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
):
    monkeypatch.setenv(variable, CLUSTER_ID)
    monkeypatch.setenv("METAQUORUM_STANDALONE", "true")
    assert run(["container", "start"]) == 7
    first = meta_properties.read(PosixDisk(), str(tmp_path / "data"))
    assert first is not None and (first.cluster_id, first.node_id) == (CLUSTER_ID, 1)
    assert run(["container", "start"]) == 7
    assert meta_properties.read(PosixDisk(), str(tmp_path / "data")) == first


def test_each_first_voter_gets_its_own_directory_id(
    started: list[NodeConfig], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    voters = "1@a:9093:JEXY6aqzQY-32P5TStzaFg,2@b:9093:MvDxzVmcRsaTz33bUuRU6A"
    monkeypatch.setenv("CLUSTER_ID", CLUSTER_ID)
    monkeypatch.setenv("METAQUORUM_INITIAL_CONTROLLERS", voters)
    assert run(["container", "start"]) == 7
    text = (tmp_path / "data" / "meta.properties").read_text()
    assert "directory.id=JEXY6aqzQY-32P5TStzaFg" in text


@pytest.mark.parametrize(
    ("variables", "told"),
    [
        ({"KAFKA_NODE_ID": "x"}, "KAFKA_NODE_ID (node.id): 'x' is not a number"),
        ({"CLUSTER_ID": CLUSTER_ID}, "give one of METAQUORUM_STANDALONE"),
        ({"CLUSTER_ID": "a b"}, "CLUSTER_ID: it must be one word"),
        (
            {"CLUSTER_ID": CLUSTER_ID, "METAQUORUM_INITIAL_CONTROLLERS": "1@a"},
            "METAQUORUM_INITIAL_CONTROLLERS: '1@a' is not id@host:port:directory",
        ),
        (
            {"CLUSTER_ID": CLUSTER_ID, "METAQUORUM_RELEASE_VERSION": "9.9"},
            "METAQUORUM_RELEASE_VERSION",
        ),
        ({"KAFKA_PROCESS_ROLES": "broker,controller"}, "KAFKA_PROCESS_ROLES (process.roles)"),
    ],
)
def test_what_is_wrong_is_told_by_its_variable(
    started: list[NodeConfig],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    variables: dict[str, str],
    told: str,
):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert run(["container", "start"]) == 1
    assert told in capsys.readouterr().err
    assert started == []


def test_a_volume_of_another_cluster_is_refused(
    started: list[NodeConfig],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setenv("CLUSTER_ID", CLUSTER_ID)
    monkeypatch.setenv("METAQUORUM_STANDALONE", "true")
    run(["container", "start"])
    monkeypatch.setenv("CLUSTER_ID", "another")
    assert run(["container", "start"]) == 1
    error = capsys.readouterr().err
    assert (
        f"CLUSTER_ID is another, and {tmp_path / 'data'} belongs to cluster {CLUSTER_ID}" in error
    )
    assert len(started) == 1


def test_a_mounted_file_has_what_no_variable_says(
    started: list[NodeConfig], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = tmp_path / "server.properties"
    file.write_text("node.id=9\nmetadata.max.idle.interval.ms=1234\n")
    assert run(["container", "start", "-c", str(file)]) == 7
    assert (started[0].node_id, started[0].metadata_max_idle_interval_ms) == (1, 1234)


def test_health_needs_a_metrics_listener(
    started: list[NodeConfig], capsys: pytest.CaptureFixture[str]
):
    assert run(["container", "health"]) == 1
    assert "KAFKA_METRICS_LISTENER is not set" in capsys.readouterr().err


def test_the_variable_of_a_key_is_printed(capsys: pytest.CaptureFixture[str]):
    assert run(["container", "variable", "log.dirs", "a-b_c"]) == 0
    assert capsys.readouterr().out == "KAFKA_LOG_DIRS\nKAFKA_A___B__C\n"


def test_who_joins_later_changes_nothing_that_is_formatted(
    started: list[NodeConfig], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """So the variables may say so for all pods once the first start is over."""
    voters = "1@a:9093:JEXY6aqzQY-32P5TStzaFg,2@b:9093:MvDxzVmcRsaTz33bUuRU6A"
    monkeypatch.setenv("CLUSTER_ID", CLUSTER_ID)
    monkeypatch.setenv("METAQUORUM_INITIAL_CONTROLLERS", voters)
    assert run(["container", "start"]) == 7
    monkeypatch.delenv("METAQUORUM_INITIAL_CONTROLLERS")
    monkeypatch.setenv("METAQUORUM_NO_INITIAL_CONTROLLERS", "true")
    assert run(["container", "start"]) == 7
    text = (tmp_path / "data" / "meta.properties").read_text()
    assert "directory.id=JEXY6aqzQY-32P5TStzaFg" in text
    monkeypatch.setenv("KAFKA_LOG_DIRS", str(tmp_path / "emptied"))
    assert run(["container", "start"]) == 7
    assert "JEXY6aqzQY-32P5TStzaFg" not in (tmp_path / "emptied" / "meta.properties").read_text()
