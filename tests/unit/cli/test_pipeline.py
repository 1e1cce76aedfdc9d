"""The pipeline's command line, as far as it goes without Spark."""

from __future__ import annotations

import sys
from pathlib import Path

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


@pytest.mark.parametrize("command", ["run", "report", "init"])
def test_help_shows_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pipeline", command, "--help"]) == 0
    told = capsys.readouterr().out
    assert "Examples:" in told and f"metaquorum pipeline {command} " in told


@pytest.mark.usefixtures("without_spark")
def test_a_project_is_written_once_and_never_over_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["pipeline", "init", "kraft", "--from", "logs/node-1"]) == 0
    told = capsys.readouterr()
    spec, definitions = (Path(line) for line in told.out.splitlines())
    assert "spark-pipelines --conf spark.sql.catalogImplementation=hive run" in told.err
    assert spec == tmp_path / "kraft" / "spark-pipeline.yml"
    lines = spec.read_text().splitlines()
    assert 'name: "kraft"' in lines and f'storage: "{tmp_path.as_uri()}/kraft/storage"' in lines
    # A pipeline's definitions are loaded in its own directory: a path must not depend on ours.
    assert f'define_tables(SparkSession.active(), "{tmp_path}/logs/node-1",' in (
        definitions.read_text()
    )
    spec.unlink()
    assert run(["pipeline", "init", "kraft", "--from", "c1:9093"]) == 1
    assert capsys.readouterr().err == f"metaquorum: {definitions} is there already\n"
    assert not spec.exists()


def test_controllers_are_the_source_of_a_project_as_they_are(tmp_path: Path) -> None:
    line = ["pipeline", "init", str(tmp_path), "--from", "c1:9093,c2:9093", "--name", "of-c"]
    assert run(line) == 0
    text = (tmp_path / "transformations" / "metadata_log.py").read_text()
    assert '"c1:9093,c2:9093", growth_every="1 hour"' in text
    assert 'name: "of-c"' in (tmp_path / "spark-pipeline.yml").read_text()
