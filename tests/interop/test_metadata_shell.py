"""``metaquorum metadata`` beside Kafka's own shell: the same files, the same lines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.every_record import CHECKPOINT_NAME, COMMANDS, LOG_NAME, TOLD, checkpoint, log
from tools.kafka.shell import KafkaShell
from tools.own_node import metaquorum

REWRITE = os.environ.get("METAQUORUM_REWRITE_SHELL_GOLDENS") == "1"


@pytest.fixture(scope="module")
def shell() -> Iterator[KafkaShell]:
    """Kafka's shell, warm."""
    with KafkaShell() as running:
        yield running


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A checkpoint and a log that hold every record type."""
    (tmp_path / CHECKPOINT_NAME).write_bytes(checkpoint())
    (tmp_path / LOG_NAME).write_bytes(log())
    return tmp_path


def _told(name: str, printed: str) -> str:
    """What is kept of Kafka's words; written anew when that is asked for."""
    if REWRITE:
        TOLD.mkdir(parents=True, exist_ok=True)
        (TOLD / name).write_text(printed, encoding="utf-8")
    return (TOLD / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "told"), [(CHECKPOINT_NAME, "checkpoint"), (LOG_NAME, "log")])
def test_every_leaf_is_the_same_line_by_line(
    shell: KafkaShell, files: Path, name: str, told: str
) -> None:
    (theirs,) = shell.run(files / name, ["tree", "/image"])
    assert theirs == _told(f"{told}.tree", theirs)
    ours = metaquorum("metadata", "-q", "tree", "/image", "--snapshot", str(files / name))
    assert ours.exit_code == 0, ours.stderr
    assert ours.stdout == theirs
    assert len(theirs.splitlines()) > 100


def test_every_command_prints_the_same(shell: KafkaShell, files: Path) -> None:
    outputs = shell.run(files / CHECKPOINT_NAME, *COMMANDS)
    theirs = {" ".join(command): output for command, output in zip(COMMANDS, outputs)}
    shown = json.dumps(theirs, indent=1, ensure_ascii=False) + "\n"
    assert theirs == json.loads(_told("commands.json", shown))
