"""The pipeline in a session at hand: what lands, what a restart does, what cannot be read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from pyspark.sql import SparkSession

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import OffsetAndEpoch
from pyspark_metaquorum.pipeline.landing import Bronze
from pyspark_metaquorum.pipeline.origin import SparkFilesOrigin, origin_of
from pyspark_metaquorum.pipeline.parquet_tables import Parquet
from pyspark_metaquorum.pipeline.publishing import Publisher
from pyspark_metaquorum.pipeline.running import Pipeline
from pyspark_metaquorum.pipeline.target import Target
from pyspark_metaquorum.report.landed_tables import LandedTables
from pyspark_metaquorum.report.page import make_page
from tests.spark.made_history import STEP_MS, TIME_MS
from tests.spark.made_log import batch, write_checkpoint, write_segment
from tests.spark.test_tables import a_cluster, written


@pytest.fixture
def opened(spark: SparkSession, tmp_path: Path) -> Callable[..., Pipeline]:
    """A pipeline from a source into the test's own directory; ``said`` collects its words."""

    def make(source: Path | str, said: list[str] | None = None, **own: Any) -> Pipeline:
        origin = own.get("origin") or origin_of(str(source), most=1_000, timeout_ms=5_000)
        say = (lambda text: None) if said is None else said.append
        target = Target(spark, (tmp_path / "lake").as_uri())
        return Pipeline(target, origin, str(source), Parquet(), say, lambda value: None)

    return make


def offsets(spark: SparkSession, lake: Path) -> list[int]:
    """The offsets of all rows of the log that have landed, as any reader of Parquet sees them."""
    rows = spark.read.parquet(str(lake / "bronze")).where("snapshot_offset is null")
    return sorted(row["offset"] for row in rows.select("offset").collect())


def landed(pipeline: Pipeline) -> int | None:
    """Land what is new; up to where the log has landed then."""
    found = pipeline.land()
    return None if found is None else found.end


def look_at_the_page(lake: Path) -> None:
    """The report of the cluster that ``a_cluster`` makes."""
    page = make_page(LandedTables.open(str(lake)))
    assert page.startswith("<!doctype html>") and page.rstrip().endswith("</html>")
    # Nothing is fetched: what looks like an address names the language of the pictures.
    addresses = set(re.findall(r"https?://[^\s\"'<]+", page))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert "<script" not in page and "src=" not in page
    pictures = re.findall(r"<svg .*?</svg>", page, flags=re.DOTALL)
    texts = ["".join(ElementTree.fromstring(one).itertext()) for one in pictures]
    named = ["left the ISR", "partitions: 1", "orders-0", "retention.ms", "broker 1", "TopicRecord"]
    assert [name in text for name, text in zip(named, texts, strict=True)] == [True] * len(named)
    assert "Nothing of this is in the log." in page  # no epoch of the quorum has a first record
    assert "<dt>topics</dt><dd>1</dd>" in page and "<dt>brokers</dt><dd>0</dd>" in page


def test_a_directory_lands_with_its_history_and_reports(
    spark: SparkSession, opened: Callable[..., Pipeline], tmp_path: Path
) -> None:
    made = a_cluster()
    written(tmp_path / "log", made)
    told = opened(tmp_path / "log").once()
    assert (told.end, told.records, told.problems) == (len(made.values), len(made.values), 0)
    assert (told.first_ms, told.last_ms) == (TIME_MS, TIME_MS + STEP_MS * (len(made.values) - 1))
    said: list[str] = []
    assert opened(tmp_path / "log", said).once() == told
    assert said[-1] == f"tables are of offset {told.end} already"
    lake = tmp_path / "lake"
    assert offsets(spark, lake) == list(range(len(made.values)))
    configs = spark.read.parquet(str(lake / "history" / "configs")).orderBy("valid_from_offset")
    assert [(row["value"], row["valid_to_offset"]) for row in configs.collect()] == [
        ("1", 7),
        ("2", None),
    ]
    (mover,) = spark.read.parquet(str(lake / "report" / "top_movers")).collect()
    assert (mover["topic"], mover["changes"], mover["leader_changes"]) == ("orders", 3, 1)
    assert (mover["isr_shrinks"], mover["isr_expands"], mover["moves"]) == (1, 1, 0)
    assert spark.read.parquet(str(lake / "errors")).count() == 0
    look_at_the_page(lake)
    assert sorted(told.tables) == sorted(
        str(path.parent.relative_to(lake))
        for path in lake.rglob("_SUCCESS")
        if "bronze" not in path.parts and "_staging" not in path.parts
    )


def test_a_second_run_lands_what_is_new_and_refuses_another_log(
    spark: SparkSession, opened: Callable[..., Pipeline], tmp_path: Path
) -> None:
    log, lake = tmp_path / "log", tmp_path / "lake"
    write_segment(log, 0, [batch(0, ["a", "b"])])
    assert landed(opened(log)) == 2
    assert opened(log).land() is None
    write_segment(log, 2, [batch(2, ["c"]), batch(3, ["d"], epoch=2)])
    assert landed(opened(log)) == 4
    assert offsets(spark, lake) == [0, 1, 2, 3]
    write_segment(log, 2, [batch(2, ["c"]), batch(3, ["x"], epoch=3), batch(4, ["y"], epoch=3)])
    with pytest.raises(OperatorError, match="at offset 3 is of epoch 3, and the one that has land"):
        opened(log).land()
    write_segment(log, 2, [batch(2, ["c"])])
    with pytest.raises(OperatorError, match="the log has no record at offset 3"):
        opened(log).land()
    assert offsets(spark, lake) == [0, 1, 2, 3]


def test_what_was_deleted_meanwhile_is_bridged_by_a_checkpoint(
    spark: SparkSession, opened: Callable[..., Pipeline], tmp_path: Path
) -> None:
    log, lake = tmp_path / "log", tmp_path / "lake"
    first = write_segment(log, 0, [batch(0, ["a", "b"])])
    assert landed(opened(log)) == 2
    first.unlink()
    write_checkpoint(log, OffsetAndEpoch(1, 4), ["a", "b", "c"])
    write_segment(log, 3, [batch(3, ["d"]), batch(4, ["e"])])
    assert opened(log).once().landed_end == 5
    assert offsets(spark, lake) == [0, 1, 4]
    topics = spark.read.parquet(str(lake / "history" / "topics"))
    assert sorted(row["name"] for row in topics.collect()) == ["a", "b", "c", "e"]
    assert opened(log).land() is None


def test_a_crash_between_any_two_steps_loses_and_repeats_no_row(
    spark: SparkSession, opened: Callable[..., Pipeline], tmp_path: Path
) -> None:
    log, lake, said = tmp_path / "log", tmp_path / "lake", list[str]()
    write_segment(log, 0, [batch(0, ["a", "b"])])
    before = opened(log).once()
    write_segment(log, 2, [batch(2, ["c"])])

    # Renamed into place, but not written down.
    assert landed(opened(log)) == 3
    (lake / "_landings" / f"{2:020d}.json").unlink()
    # The tables whole, one of them not in place yet.
    left = lake / "_staging" / "tables"
    left.mkdir(parents=True)
    (lake / "_tables.json").rename(left / "_whole.json")
    (lake / "errors").rename(left / "errors")
    # Half of a landing, beside the place where it belongs.
    half = lake / "_staging" / "bronze" / f"landing={3:020d}"
    half.mkdir(parents=True)
    (half / "part-0.parquet").write_bytes(b"PAR1")

    again = opened(log, said)
    assert again.publisher.published() == before
    assert (lake / "errors" / "_SUCCESS").exists() and not left.exists()
    assert landed(again) == 3
    write_segment(log, 3, [batch(3, ["d"])])
    assert landed(opened(log)) == 4
    assert offsets(spark, lake) == [0, 1, 2, 3]


def test_unreadable_records_are_in_errors_and_tables_end_before_them(
    spark: SparkSession, opened: Callable[..., Pipeline], tmp_path: Path
) -> None:
    log, lake = tmp_path / "log", tmp_path / "lake"
    rotten = bytearray(batch(1, ["b"]))
    rotten[-1] ^= 1
    write_segment(log, 0, [batch(0, ["a"]), bytes(rotten), batch(2, ["c"]), batch(3, ["d"])[:-5]])
    told = opened(log).once()
    assert (told.end, told.landed_end, told.problems) == (1, 3, 2)
    errors = spark.read.parquet(str(lake / "errors")).orderBy("offset").collect()
    assert [(row["offset"], row["problem"].partition(":")[0]) for row in errors] == [
        (None, f"byte {len(rotten) * 3}"),
        (1, f"byte {len(rotten)}"),
    ]
    assert all(row["source"].endswith(f"{0:020d}.log") for row in errors)
    topics = spark.read.parquet(str(lake / "history" / "topics"))
    assert [row["name"] for row in topics.collect()] == ["a"]
    assert opened(log).land() is None  # the same faults are not landed again


def test_a_hole_in_the_log_is_refused(opened: Callable[..., Pipeline], tmp_path: Path) -> None:
    log = tmp_path / "log"
    write_segment(log, 0, [batch(0, ["a"]), batch(2, ["c"])])
    with pytest.raises(OperatorError, match="from offset 0 to 3 has a hole"):
        opened(log).once()
    assert list((tmp_path / "lake" / "bronze").iterdir()) == []


def test_files_that_only_spark_reads_land_as_well(
    spark: SparkSession, opened: Callable[..., Pipeline], tmp_path: Path
) -> None:
    log, lake = tmp_path / "log" / "__cluster_metadata-0", tmp_path / "lake"
    write_checkpoint(log, OffsetAndEpoch(1, 3), ["a", "b"])
    write_segment(log, 2, [batch(2, ["b"]), batch(3, ["c"])])
    origin = SparkFilesOrigin((tmp_path / "log").as_uri())
    assert landed(opened("spark", origin=origin)) == 4
    write_segment(log, 4, [batch(4, ["d"])])
    assert landed(opened("spark", origin=origin)) == 5
    assert offsets(spark, lake) == [3, 4]
    with pytest.raises(OperatorError, match="does not exist"):
        opened("spark", origin=SparkFilesOrigin((tmp_path / "none").as_uri())).land()


def test_an_empty_source_lands_nothing(opened: Callable[..., Pipeline], tmp_path: Path) -> None:
    log = tmp_path / "log"
    write_segment(log, 0, [])
    with pytest.raises(OperatorError, match="there is no record in it"):
        opened(log).once()
    with pytest.raises(OperatorError, match="no such file"):
        origin_of(str(tmp_path / "nothing"), most=1, timeout_ms=1)
    assert not (tmp_path / "lake" / "_tables.json").exists()


def test_parts_of_a_target_are_told_by_their_names(spark: SparkSession, tmp_path: Path) -> None:
    target = Target(spark, tmp_path.as_uri())
    assert Bronze(target, Parquet()).landings() == []
    assert Publisher(target, Parquet()).published() is None
