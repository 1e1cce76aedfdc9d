"""``backup``, ``backup verify`` and ``restore`` as an operator uses them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from metaquorum.backup import source as module
from metaquorum.cli.main import run
from metaquorum.storage import meta_properties
from metaquorum.storage.posix import PosixDisk
from tests.unit.backup.backed_up import Cluster

IDS = "JEXY6aqzQY-32P5TStzaFg", "MvDxzVmcRsaTz33bUuRU6A", "07R5amHmR32VDA6jHkGbTA"
VOTERS = ",".join(f"{at}@c{at}:9093:{one}" for at, one in enumerate(IDS, start=1))
WHOM = ("--bootstrap-controller", "c1:9001")


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Cluster:
    made = Cluster()
    made.write("a", "b")
    source = made.source()
    monkeypatch.setattr(module, "QuorumSource", lambda *given: source)
    return made


@pytest.fixture
def store(tmp_path: Path, cluster: Cluster) -> str:
    uri = str(tmp_path / "store")
    assert run(["backup", *WHOM, "--to", uri]) == 0
    return uri


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(words) == 1
    return capsys.readouterr().err


def test_each_run_says_what_it_added(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "store")
    assert run(["backup", *WHOM, "--to", store]) == 0
    assert capsys.readouterr().out == "offsets 0 to 5 of cluster CLUSTER, 285 bytes\n"
    assert run(["backup", *WHOM, "--to", store]) == 0
    assert capsys.readouterr().out == f"nothing is new behind offset 5: {store} is up to date\n"
    cluster.snapshot(drops=True)
    cluster.write("c")
    assert run(["backup", *WHOM, "--to", store, "--full", "-o", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["new"], told["snapshotEnd"], told["end"]) == (True, 5, 6)


def test_a_backup_is_verified_as_a_table_and_as_json(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert run(["backup", "verify", store]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["STEP", "SNAPSHOT", "OFFSETS", "BYTES", "TAKEN", "WHOLE"]
    assert lines[2:] == [
        "cluster CLUSTER: the states at offsets 0 to 5 can be restored",
        "the backup is whole",
    ]
    (path,) = Path(store).rglob("*.log")
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    assert run(["backup", "verify", store, "--quick"]) == 0
    capsys.readouterr()
    assert run(["backup", "verify", store, "-o", "json"]) == 2
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert row["end"] == 5 and "another checksum" in row["problems"][0]
    assert run(["backup", "verify", store]) == 2
    assert "2 problems" in capsys.readouterr().out


def test_a_run_that_lacks_its_options_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "a backup needs --bootstrap-controller and --to" in refused(capsys, "backup")
    words = ("backup", "--to", "x", "verify", "y")
    assert "are for a run, without a command" in refused(capsys, *words)
    assert "there is no backup in it" in refused(capsys, "backup", "verify", "nowhere")
    assert "a store is a directory or s3://BUCKET/PREFIX" in refused(
        capsys, "backup", "verify", "gs://bucket"
    )


def test_a_restore_makes_a_directory_with_an_identity(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    directory = tmp_path / "n7"
    directory.mkdir()
    words = ["restore", store, "--dir", str(directory), "--node", "7", "--standalone", "d:9093"]
    assert run([*words, "--cluster-id", "NEW"]) == 0
    said = capsys.readouterr().out
    assert f"{directory} has the state at offset 5 of cluster NEW" in said
    found = meta_properties.read(PosixDisk(), str(directory))
    assert found is not None and (found.cluster_id, found.node_id) == ("NEW", 7)
    assert run(["check", "directory", str(directory)]) == 0
    assert "is not empty" in refused(capsys, *words, "--keep-cluster-id")
    (tmp_path / "kept").mkdir()
    words[3] = str(tmp_path / "kept")
    assert run([*words, "--keep-cluster-id"]) == 0
    said = capsys.readouterr().out
    assert (
        "of cluster CLUSTER" in said and "remove the __cluster_metadata-0 of every broker" in said
    )


def test_several_voters_are_restored_to_one_state(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["restore", store, "--keep-cluster-id", "--initial-controllers", VOTERS]
    logs = []
    for node in (1, 2, 3):
        directory = tmp_path / f"n{node}"
        directory.mkdir()
        to = ["--dir", str(directory), "--node", str(node)]
        assert "say --at OFFSET" in refused(capsys, *words, *to)
        assert run([*words, *to, "--at", "5", "-o", "json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert (told["directoryId"], told["stateAt"]) == (IDS[node - 1], 5)
        (log,) = directory.rglob("*.log")
        logs.append(log.read_bytes())
    assert logs[0] == logs[1] == logs[2]


def test_orders_that_cannot_be_are_refused(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "n7").mkdir()
    words = ("restore", store, "--dir", str(tmp_path / "n7"), "--node", "7")
    for more, why in (
        (("--standalone", "d:9093"), "say which cluster it will be"),
        (("--standalone", "d:9093", "--keep-cluster-id", "--cluster-id", "X"), "say which cluster"),
        (("--keep-cluster-id",), "give one of --standalone and --initial-controllers"),
        (("--standalone", "d", "--keep-cluster-id"), "--standalone: "),
        (("--standalone", "d:1", "--cluster-id", "a b"), "it must be one word"),
        (("--initial-controllers", VOTERS, "--keep-cluster-id", "--at", "5"), "none of the new"),
        (("--standalone", "d:1", "--keep-cluster-id", "--at", "6"), "those that are: 0 to 5"),
    ):
        assert why in refused(capsys, *words, *more)
    assert list((tmp_path / "n7").iterdir()) == []
    words = ("restore", store, "--dir", str(tmp_path / "no"), "--node", "7")
    assert "is no directory: make it first" in refused(
        capsys, *words, "--standalone", "d:1", "--keep-cluster-id"
    )


@pytest.mark.parametrize("words", [["backup"], ["backup", "verify"], ["restore"]])
def test_help_has_examples(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*words, "--help"]) == 0
    assert "Examples:" in capsys.readouterr().out
