"""Bad input of all sorts: a row that says why, or a message that names the file and the place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from metaquorum.base.offsets import OffsetAndEpoch
from tests.spark.made_log import batch, write_checkpoint, write_segment

GOLDEN = Path(__file__).parents[1] / "storage/golden"


def errors(spark: SparkSession, path: Path) -> list[Any]:
    """The rows of the table of errors."""
    table = spark.read.format("kraft_metadata").load(str(path))
    return table.where("problem is not null").select("source", "offset", "problem", "raw").collect()


def test_each_kind_of_damage_is_a_row_that_names_file_and_byte(
    spark: SparkSession, tmp_path: Path
) -> None:
    rotten = bytearray(batch(1, ["b"]))
    rotten[-2] ^= 1
    first = batch(0, ["a"])
    write_segment(tmp_path, 0, [first, bytes(rotten), batch(2, ["c"])])
    write_segment(tmp_path, 3, [batch(3, ["d"]), batch(4, ["e"])[:-4]])
    write_segment(tmp_path, 5, [batch(5, ["f"]), b"something else entirely" * 9])
    places = {}
    for row in errors(spark, tmp_path):
        places[Path(row["source"]).name] = (row["offset"], row["problem"])
    length = len(first)
    assert places[f"{0:020d}.log"] == (1, places[f"{0:020d}.log"][1])
    assert places[f"{0:020d}.log"][1].startswith(f"byte {length}: ")
    assert places[f"{3:020d}.log"][1].startswith(f"byte {length}: cut off")
    assert places[f"{5:020d}.log"][1].startswith(f"byte {length}: ")
    assert len(places) == 3


def test_a_checkpoint_without_its_footer_is_a_row(spark: SparkSession, tmp_path: Path) -> None:
    path = write_checkpoint(tmp_path, OffsetAndEpoch(1, 5), ["a"], footer=False)
    (row,) = errors(spark, tmp_path)
    assert row["source"] == str(path)
    assert row["problem"].startswith(f"byte {path.stat().st_size}: no snapshot footer")


@pytest.mark.parametrize("what", ["empty", "foreign", "nowhere", "of-2-8", "a-file"])
def test_a_directory_without_a_log_is_refused_by_name(
    spark: SparkSession, tmp_path: Path, what: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "foreign" / "orders-0").mkdir(parents=True)
    (tmp_path / "foreign" / "notes.txt").write_text("x")
    (tmp_path / "of-2-8" / "@metadata-0").mkdir(parents=True)
    (tmp_path / "a-file").write_text("x")
    with pytest.raises(PySparkException) as refused:
        errors(spark, tmp_path / what)
    assert str(tmp_path / what) in str(refused.value)
    if what == "of-2-8":
        assert "@metadata-0" in str(refused.value)


def golden(release: str, into: Path) -> Path:
    """The metadata log that a real node of this release wrote."""
    packed = json.loads((GOLDEN / f"kafka_{release}.json").read_text())
    for name, content in packed.items():
        path = into / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes.fromhex(content) if isinstance(content, str) else b"")
    return into


def test_every_record_of_kafka_2_8_is_a_row_saying_why_it_is_not_read(
    spark: SparkSession, tmp_path: Path
) -> None:
    rows = errors(spark, golden("2_8_2_broker", tmp_path) / "@metadata-0")
    assert [row["offset"] for row in rows] == list(range(len(rows))) and len(rows) == 15
    of_data = [row for row in rows if "frame version 0, only version 1" in row["problem"]]
    assert len(of_data) == 14, "and the leader's, which was of another type then"
    assert all(row["raw"] for row in of_data)


@pytest.mark.parametrize(
    ("release", "records"),
    [
        ("3_3_2_broker", 28),
        ("3_9_1_broker", 25),
        ("4_3_1_stopped", 20),
        ("4_3_1_killed", None),
        ("4_4_0_broker", 32),
    ],
)
def test_logs_of_later_releases_are_read_without_a_fault(
    spark: SparkSession, tmp_path: Path, release: str, records: int | None
) -> None:
    where = golden(release, tmp_path)
    assert errors(spark, where) == []
    count = spark.read.format("kraft_metadata").load(str(where)).count()
    assert count == records if records is not None else count > 10
