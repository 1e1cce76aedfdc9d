"""The command line as a whole: help, version, exit codes, and nothing imported in vain."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from metaquorum.cli.main import metaquorum, run


def test_help_shows_every_command_and_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    out = capsys.readouterr().out
    for word in ("server", "storage", "metadata-quorum", "tail", "dump-log", "metrics", "Examples"):
        assert word in out


def test_help_imports_no_command() -> None:
    program = (
        "import sys; from metaquorum.cli.main import run; run(['--help']); "
        "print(sorted(name for name in sys.modules if name.startswith('metaquorum.')))"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert said.splitlines()[-1] == (
        "['metaquorum.base', 'metaquorum.base.errors', 'metaquorum.cli', "
        "'metaquorum.cli.command', 'metaquorum.cli.main', 'metaquorum.cli.output']"
    )


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("metaquorum ")


@pytest.mark.parametrize(
    "command",
    [
        ["storage"],
        ["storage", "format"],
        ["storage", "info"],
        ["server", "start"],
        ["metadata-quorum"],
        ["metadata-quorum", "describe"],
        ["dump-log"],
        ["metrics"],
    ],
)
def test_every_command_explains_itself(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, "--help"]) == 0
    assert capsys.readouterr().out.startswith("Usage: metaquorum " + " ".join(command))


def every_command(group: click.Group, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*above, name)
        if isinstance(command, click.Group):
            yield from every_command(command, (*above, name))


@pytest.mark.parametrize("command", list(every_command(metaquorum)), ids=" ".join)
def test_the_help_of_every_command_shows_examples(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, "--help"]) == 0
    _, _, examples = capsys.readouterr().out.partition("Examples:\n")
    assert f"metaquorum {command[0]} " in examples


@pytest.mark.parametrize("arguments", [["nope"], ["dump-log"], ["storage", "format", "--what"]])
def test_a_wrong_command_line_exits_1_and_prints_nothing_on_stdout(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "Usage:" in said.err


def test_a_failure_is_one_message_on_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "absent.properties"
    assert run(["storage", "info", "-c", str(path)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"metaquorum: cannot read {path}: No such file or directory\n"
