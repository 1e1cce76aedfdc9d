"""The tree of the metadata state, line by line what Kafka's shell printed of the same files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from metaquorum.cli.main import run
from metaquorum.cli.metadata_files import from_file
from metaquorum.cli.metadata_shell import Shell, columns
from metaquorum.cli.metadata_text import number_text, zoned_time
from metaquorum.cli.metadata_tree import root
from metaquorum.wire.generated.index import RECORDS
from tests.every_record import (
    CHECKPOINT_NAME,
    COMMANDS,
    LOG_NAME,
    TOLD,
    checkpoint,
    log,
    types_held,
)

UNREGISTER_CONTROLLER = 29  # 4.4 only; the shell is 4.3's


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A directory with the checkpoint, and one with the log."""
    (tmp_path / CHECKPOINT_NAME).write_bytes(checkpoint())
    (tmp_path / LOG_NAME).write_bytes(log())
    return tmp_path


def _printed(path: Path, *command: str) -> str:
    lines: list[str] = []
    state = from_file(str(path), lines.append)
    shell = Shell(root(state.view, state.provenance, "V", "C"), lines.append, lines.append)
    verbs: dict[str, Callable[[list[str]], bool]] = {
        "ls": shell.list_,
        "cat": shell.cat,
        "find": shell.find,
        "tree": shell.tree,
    }
    verbs[command[0]](list(command[1:]))
    return "".join(f"{line}\n" for line in lines)


def test_the_files_hold_every_record_type_that_kafka_4_3_knows() -> None:
    assert types_held() == [kind for kind in sorted(RECORDS) if kind != UNREGISTER_CONTROLLER]


@pytest.mark.parametrize(("name", "told"), [(CHECKPOINT_NAME, "checkpoint"), (LOG_NAME, "log")])
def test_the_whole_tree_is_kafkas(files: Path, name: str, told: str) -> None:
    expected = (TOLD / f"{told}.tree").read_text(encoding="utf-8")
    assert _printed(files / name, "tree", "/image") == expected


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_prints_what_kafkas_does(files: Path, command: list[str]) -> None:
    told = json.loads((TOLD / "commands.json").read_text(encoding="utf-8"))
    assert _printed(files / CHECKPOINT_NAME, *command) == told[" ".join(command)]


def test_a_default_entity_can_be_entered_though_kafka_hides_its_name(files: Path) -> None:
    path = "/image/clientQuotas/user(<default>)/consumer_byte_rate"
    assert _printed(files / CHECKPOINT_NAME, "cat", path) == "1.2345678E7\n"
    both = "/image/clientQuotas/clientId(<default>)_user(z)"
    assert _printed(files / CHECKPOINT_NAME, "ls", both) == "producer_byte_rate\n"


def test_a_slash_in_a_name_is_written_with_a_backslash(files: Path) -> None:
    command = ("cat", r"/image/configs/CLIENT_METRICS:m\/1/interval.ms")
    assert _printed(files / CHECKPOINT_NAME, *command) == "100\n"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (100.0, "100.0"),
        (9999999.0, "9999999.0"),
        (1e7, "1.0E7"),
        (1e-3, "0.001"),
        (0.00099, "9.9E-4"),
        (-123456.789, "-123456.789"),
        (1.5e300, "1.5E300"),
        (5e-324, "4.9E-324"),
        (float("-inf"), "-Infinity"),
        (float("nan"), "NaN"),
    ],
)
def test_numbers_look_as_in_java(value: float, shown: str) -> None:
    assert number_text(value) == shown


@pytest.mark.parametrize(
    ("timestamp_ms", "shown"),
    [
        (-1, "1969-12-31T23:59:59.999Z[UTC]"),
        (1_700_000_000_000, "2023-11-14T22:13:20Z[UTC]"),
        (1_700_000_000_120, "2023-11-14T22:13:20.12Z[UTC]"),
        (2**62, str(2**62)),
    ],
)
def test_times_look_as_in_java(timestamp_ms: int, shown: str) -> None:
    assert zoned_time(timestamp_ms) == shown


def test_names_are_set_in_columns_on_a_terminal() -> None:
    names = [f"name-{number}" for number in range(7)]
    assert list(columns(names, None)) == names
    assert list(columns(names, 24)) == [
        "name-0  name-3  name-6",
        "name-1  name-4",
        "name-2  name-5",
    ]
    assert list(columns(["a-very-long-name", "b"], 4)) == ["a-very-long-name", "b"]
    assert list(columns([], 80)) == []


def test_settings_that_kafka_passes_over_are_named_beside_the_tree(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(files / CHECKPOINT_NAME)
    assert run(["metadata", "ls", "/image/configs", "--snapshot", path]) == 0
    shown = capsys.readouterr()
    assert "TOPIC:empty" not in shown.out
    assert shown.err == (
        "# settings that Kafka's nodes pass over are not shown: TOPIC:alpha/no.such.key, "
        "TOPIC:empty/no.such.key, BROKER_LOGGER:10/kafka, UNKNOWN:odd/k\n"
    )
    assert run(["metadata", "-q", "ls", "/image/configs", "--snapshot", path]) == 0
    assert capsys.readouterr().err == ""
