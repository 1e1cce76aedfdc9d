"""Landings that become one: what is there afterwards, and after a crash at any step."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from pyspark.sql import SparkSession

from pyspark_metaquorum.pipeline.landing import Landing
from pyspark_metaquorum.pipeline.merging import MERGED_ROWS, due, merged
from pyspark_metaquorum.pipeline.origin import origin_of
from pyspark_metaquorum.pipeline.parquet_tables import Parquet
from pyspark_metaquorum.pipeline.running import Pipeline
from pyspark_metaquorum.pipeline.target import Target
from tests.spark.made_log import batch, write_segment

SMALL = Landing(0, 10, 1, 10, 0, None, 5, 6)


class Crashed(Exception):
    """The process is gone."""


def pipeline(spark: SparkSession, directory: Path) -> Pipeline:
    """Merges two landings into one."""
    origin = origin_of(str(directory / "log"), most=1_000, timeout_ms=5_000)
    target = Target(spark, (directory / "lake").as_uri())
    words: list[Any] = []
    return Pipeline(target, origin, "log", Parquet(), words.append, words.append, neighbours=2)


def offsets(spark: SparkSession, directory: Path) -> list[int]:
    rows = spark.read.parquet(str(directory / "lake" / "bronze")).select("offset").collect()
    return sorted(row["offset"] for row in rows)


def two_landings(spark: SparkSession, directory: Path) -> None:
    write_segment(directory / "log", 0, [batch(0, ["a", "b"])])
    assert pipeline(spark, directory).land() is not None
    write_segment(directory / "log", 2, [batch(2, ["c"])])
    assert pipeline(spark, directory).land() is not None


def test_a_merge_that_crashes_at_any_step_loses_and_repeats_no_row(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tmp_path / "whole"
    two_landings(spark, whole)
    steps = 0
    while True:
        directory = tmp_path / f"crash-{steps}"
        shutil.copytree(whole, directory)
        one = pipeline(spark, directory)
        with monkeypatch.context() as patch:
            left = crash_after(patch, steps)
            try:
                one.merge()
            except Crashed:
                pass
            else:
                assert left() > 0
                break
        again = pipeline(spark, directory)
        assert (again.end, sum(part.rows for part in again.landings)) == (3, 3)
        assert offsets(spark, directory) == [0, 1, 2]
        assert not (directory / "lake" / "_merging.json").exists()
        steps += 1
    assert steps >= 7  # the plan, two parts, their place, what is said of both, the plan again
    assert one.landings == pipeline(spark, directory).landings
    assert [(part.first, part.end, part.level) for part in one.landings] == [(0, 3, 1)]
    assert [path.name for path in (directory / "lake" / "bronze").iterdir()] == [
        f"landing={0:020d}"
    ]


def crash_after(patch: pytest.MonkeyPatch, steps: int) -> Any:
    """Every change of the directory's files after so many raises; tells how many are left."""
    left = [steps]

    def counted(name: str) -> Any:
        done = getattr(Target, name)

        def step(*arguments: Any) -> Any:
            if left[0] == 0:
                raise Crashed
            left[0] -= 1
            return done(*arguments)

        return step

    for name in ("delete", "put", "write_json"):
        patch.setattr(Target, name, counted(name))
    return lambda: left[0] + 1


def test_the_tables_are_the_same_and_the_next_run_goes_on(
    spark: SparkSession, tmp_path: Path
) -> None:
    two_landings(spark, tmp_path)
    made = pipeline(spark, tmp_path).once()
    assert (made.end, made.records) == (3, 3)
    write_segment(tmp_path / "log", 3, [batch(3, ["d"])])
    again = pipeline(spark, tmp_path)
    assert [part.level for part in again.landings] == [1]
    assert again.land() is not None
    again.merge()  # a landing that was merged and one that was not are no neighbours
    assert [part.level for part in again.landings] == [1, 0]
    assert offsets(spark, tmp_path) == [0, 1, 2, 3]


def test_neighbours_of_one_level_are_due_and_no_others() -> None:
    row = [evolve(SMALL, first=10 * number, end=10 * number + 10) for number in range(4)]
    assert due(row, 2) == row[:2] and due(row[:1], 2) is None
    higher = evolve(row[0], level=1)
    assert due([higher, *row[1:]], 2) == row[1:3]
    bridged = evolve(row[1], snapshot_end=12)
    assert due([row[0], bridged, row[2]], 2) == [bridged, row[2]]
    large = evolve(row[0], rows=MERGED_ROWS)
    assert due([large, row[1]], 2) is None
    assert merged([bridged, evolve(row[2], first_ms=None, last_ms=9, problems=1)]) == (
        Landing(10, 30, 1, 20, 1, 12, 5, 9, 1)
    )
