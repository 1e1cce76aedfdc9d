"""The scripts with Kafka's names: each hands all its arguments to one of our commands."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[3] / "tools" / "bin"
COMMANDS = {
    "kafka-metadata-quorum.sh": "metadata-quorum",
    "kafka-storage.sh": "storage",
    "kafka-dump-log.sh": "dump-log",
    "kafka-metadata-shell.sh": "metadata",
}


def program(directory: Path, name: str) -> None:
    """A ``metaquorum`` that says where it is and shows its arguments."""
    directory.mkdir(parents=True)
    path = directory / "metaquorum"
    path.write_text(f'#!/bin/sh\nprintf "%s\\n" {name} "$@"\nexit 3\n')
    path.chmod(0o755)


def said(script: Path, path: Path) -> tuple[int, list[str]]:
    environment = {"PATH": f"{path}:{os.environ['PATH']}"}
    done = subprocess.run(
        [script, "--x", "a b", "", "*"],
        capture_output=True,
        text=True,
        env=environment,
        cwd="/",
        check=False,
    )
    return done.returncode, done.stdout.split("\n")[:-1]


def test_there_is_one_for_each_script_that_runbooks_use() -> None:
    assert {path.name for path in SCRIPTS.iterdir()} == set(COMMANDS)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_arguments_and_exit_code_pass_through(name: str, tmp_path: Path) -> None:
    (tmp_path / "tools/bin").mkdir(parents=True)
    script = tmp_path / "tools/bin" / name
    shutil.copy(SCRIPTS / name, script)
    program(tmp_path / "path", "on-the-path")
    assert said(script, tmp_path / "path") == (
        3,
        ["on-the-path", COMMANDS[name], "--x", "a b", "", "*"],
    )


def test_the_environment_beside_the_script_goes_first_even_via_a_link(tmp_path: Path) -> None:
    (tmp_path / "tools/bin").mkdir(parents=True)
    script = tmp_path / "tools/bin/kafka-storage.sh"
    shutil.copy(SCRIPTS / script.name, script)
    program(tmp_path / ".venv/bin", "beside")
    program(tmp_path / "path", "on-the-path")
    link = tmp_path / "linked.sh"
    link.symlink_to(script)
    for one in (script, link):
        assert said(one, tmp_path / "path")[1][:2] == ["beside", "storage"]
