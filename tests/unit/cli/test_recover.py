"""``recover`` and ``check directory`` as an operator uses them, on files of this machine."""

from __future__ import annotations

import json
import os
import signal
import socket
from pathlib import Path

import pytest

from metaquorum.base.limits import MAX_SURVEY_BYTES
from metaquorum.cli.main import run
from metaquorum.storage.directory_lock import DirectoryLock
from metaquorum.storage.names import METADATA_DIRECTORY
from metaquorum.storage.posix import PosixDisk
from tests.unit.recover.lost_disks import epoch_start, topics, write_node

V = (1, 2, 3)
LOG = (epoch_start(0, 1, 1, V, (1, 2), named=True), topics(3, 1, "a"), topics(4, 1, "b"))
SEGMENT = f"{METADATA_DIRECTORY}/00000000000000000000.log"


@pytest.fixture
def dead_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture
def nobody(dead_port: int) -> tuple[str, ...]:
    return ("--bootstrap-controller", f"127.0.0.1:{dead_port}", "--ask-timeout", "0.05")


def nodes(tmp_path: Path, *ids: int) -> list[str]:
    return [
        write_node(PosixDisk(), one, LOG, epoch=3, root=str(tmp_path / f"n{one}")) for one in ids
    ]


def content(root: str) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in Path(root).rglob("*") if path.is_file()}


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(words) == 1
    return capsys.readouterr().err


def test_a_lost_majority_is_recovered_and_undone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], nobody: tuple[str, ...]
) -> None:
    (root,) = nodes(tmp_path, 1)
    before = content(root)
    survey, plan = str(tmp_path / "s.json"), str(tmp_path / "p.json")
    assert run(["recover", "survey", root, "-o", survey]) == 0
    assert "offsets 0 to 5" in capsys.readouterr().out
    assert run(["recover", "plan", survey, "--voters", "1@new:9093", *nobody, "-o", plan]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Acknowledged records may be missing from offset 3 on")
    assert "3: topic a created" in said
    assert "Of each broker that was not surveyed, move __cluster_metadata-0 out" in said
    assert run(["recover", "apply", plan, "--dir", root, "--dry-run"]) == 0
    assert "nothing was changed" in capsys.readouterr().out
    assert content(root) == before
    assert run(["recover", "apply", plan, "--dir", root]) == 0
    said = capsys.readouterr().out
    assert "old-stray" in said
    assert run(["check", "directory", root]) == 0
    assert "all is well" in capsys.readouterr().out
    assert run(["recover", "undo", "--dir", root]) == 0
    assert content(root) == before


def test_surveys_and_plans_are_json_where_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], nobody: tuple[str, ...]
) -> None:
    (root,) = nodes(tmp_path, 1)
    assert run(["recover", "survey", root, "-o", "json"]) == 0
    survey = json.loads(capsys.readouterr().out)
    assert (survey["kind"], survey["logEnd"], survey["nodeId"]) == ("metaquorum survey", 5, 1)
    assert run(["recover", "plan", root, *nobody, "-o", "json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["loss"]["fromOffset"] == 3
    assert [one["id"] for one in plan["voters"]] == [1]


def test_new_names_lose_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], nobody: tuple[str, ...]
) -> None:
    roots = nodes(tmp_path, 1, 2)
    plan = str(tmp_path / "p.json")
    voters = "1@x:1,2@y:2,3@z:3"
    assert run(["recover", "endpoints", *roots, "--voters", voters, *nobody, "-o", plan]) == 0
    assert capsys.readouterr().out.startswith("Nothing that was acknowledged is lost")
    for root in roots:
        assert run(["recover", "apply", plan, "--dir", root]) == 0
    capsys.readouterr()
    assert run(["recover", "survey", roots[0], "-o", "json"]) == 0
    survey = json.loads(capsys.readouterr().out)
    last = survey["voters"][-1]["voters"]
    assert [(one["id"], one["endpoints"][0]["host"]) for one in last] == [
        (1, "x"),
        (2, "y"),
        (3, "z"),
    ]


def test_a_majority_that_could_start_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], nobody: tuple[str, ...]
) -> None:
    roots = nodes(tmp_path, 1, 2)
    said = refused(capsys, "recover", "plan", *roots, *nobody)
    assert "start these nodes, and the quorum lives" in said
    words = ("--although", "a majority is there")
    assert run(["recover", "plan", *roots, *nobody, *words]) == 0


def test_a_directory_in_use_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], nobody: tuple[str, ...]
) -> None:
    (root,) = nodes(tmp_path, 1)
    plan = str(tmp_path / "p.json")
    assert run(["recover", "plan", root, *nobody, "-o", plan]) == 0
    capsys.readouterr()
    ready, told = os.pipe()
    child = os.fork()
    if child == 0:  # a lock is held against other processes only
        DirectoryLock(root)
        os.write(told, b"x")
        signal.pause()
    try:
        assert os.read(ready, 1) == b"x"
        before = content(root)
        assert "is in use" in refused(capsys, "recover", "apply", plan, "--dir", root)
        assert content(root) == before
        assert run(["recover", "survey", root]) == 0
        assert "running" in capsys.readouterr().out
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("recover", "plan", "{gone}"), "No such file"),
        (("recover", "plan", "{root}", "--although", "please"), "no other words"),
        (("recover", "plan", "{root}", "--voters", "x"), "--voters"),
        (("recover", "plan", "{root}", "--stale", "other"), "it is none of the surveys"),
        (("recover", "plan", "{large}"), "no survey or plan is"),
        (("recover", "plan", "{other}"), "it is no metaquorum survey"),
        (("recover", "endpoints", "{root}"), "say where the voters listen now"),
        (("recover", "apply", "{other}", "--dir", "{root}"), "it is no metaquorum recovery plan"),
        (("recover", "undo", "--dir", "{root}"), "no recovery was applied there"),
        (("recover", "undo", "--dir", "{gone}"), "is no directory"),
        (("recover", "survey", "{gone}"), "there is no such directory"),
        (("recover", "survey", "{root}", "{root}", "--node", "1"), "for one directory"),
        (("check", "directory", "{gone}"), "there is no such directory"),
    ],
)
def test_what_cannot_be_done_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], why: str
) -> None:
    (root,) = nodes(tmp_path, 1)
    (tmp_path / "large").write_bytes(b" " * (MAX_SURVEY_BYTES + 1))
    (tmp_path / "other").write_text('{"kind": "recipe"}')
    places = {name: str(tmp_path / name) for name in ("gone", "large", "other")}
    assert why in refused(capsys, *(one.format(root=root, **places) for one in words))


def test_a_check_names_the_first_difference_of_two_logs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (one,) = nodes(tmp_path, 1)
    other_log = (*LOG[:2], topics(4, 1, "Z"))
    other = write_node(PosixDisk(), 2, other_log, epoch=3, root=str(tmp_path / "n2"))
    assert run(["check", "directory", one, other]) == 2
    said = capsys.readouterr().out
    assert "the batch at offset 4 is of epoch 1" in said
    assert run(["check", "directory", one, other, "-o", "json"]) == 2
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert found["offset"] == 4


def test_a_check_names_the_place_of_damage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (root,) = nodes(tmp_path, 1)
    path = Path(root) / SEGMENT
    broken = bytearray(path.read_bytes())
    broken[len(LOG[0]) + 70] ^= 1
    path.write_bytes(broken)
    assert run(["check", "directory", root]) == 2
    said = capsys.readouterr().out
    assert f"{SEGMENT}: byte {len(LOG[0])}: checksum" in said
