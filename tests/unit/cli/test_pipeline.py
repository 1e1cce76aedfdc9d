"""The pipeline's command line, as far as it goes without Spark."""

from __future__ import annotations

import sys

import pytest

from metaquorum.cli.main import run


@pytest.fixture
def without_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without the extra, whether it is here or not."""
    monkeypatch.setitem(sys.modules, "pyspark", None)


@pytest.mark.usefixtures("without_spark")
def test_without_spark_the_extra_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pipeline", "run", "--from", "localhost:9093", "--to", "lake"]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == ("metaquorum: pyspark is not installed: pip install 'metaquorum[spark]'\n")


@pytest.mark.parametrize("command", ["run", "report"])
def test_help_shows_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pipeline", command, "--help"]) == 0
    told = capsys.readouterr().out
    assert "Examples:" in told and f"metaquorum pipeline {command} " in told
