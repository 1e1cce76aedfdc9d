"""Rows from bytes that Spark's own sources have read."""

from __future__ import annotations

import datetime
from pathlib import Path

from pyspark.sql import SparkSession

from metaquorum.base.offsets import OffsetAndEpoch
from pyspark_metaquorum.elsewhere import decode_files, decode_topic
from tests.spark.made_log import batch, topic, write_checkpoint, write_segment


def test_the_values_of_the_topic_become_rows(spark: SparkSession) -> None:
    at = datetime.datetime(2026, 1, 2, 3, 4, 5, 678_000)
    values = [(bytearray(topic("a")), 7, at), (bytearray(b"\x01\x7e\x00"), 8, at)]
    consumed = spark.createDataFrame(values, "value binary, offset long, timestamp timestamp")
    known, unknown = decode_topic(consumed).orderBy("offset").collect()
    assert (known["offset"], known["timestamp"], known["epoch"]) == (7, at, None)
    assert known["topic_record"]["name"] == "a"
    assert (unknown["type_id"], bytes(unknown["raw"])) == (126, b"\x01\x7e\x00")
    (only,) = decode_topic(consumed.where("offset = 7"), ["TopicRecord"]).collect()
    assert "partition_record" not in only.asDict()


def test_files_that_spark_has_read_become_rows(spark: SparkSession, tmp_path: Path) -> None:
    write_segment(tmp_path, 3, [batch(3, ["c", "d"]), batch(5, ["e"])[:-9]])
    write_checkpoint(tmp_path, OffsetAndEpoch(2, 3), ["a", "b"])
    files = spark.read.format("binaryFile").option("pathGlobFilter", "*.{log,checkpoint}")
    rows = decode_files(files.load(str(tmp_path))).orderBy("snapshot_offset", "offset").collect()
    told = [
        (row["snapshot_offset"], row["offset"], row["topic_record"]["name"])
        for row in rows
        if row["topic_record"] is not None
    ]
    assert told == [(None, 3, "c"), (None, 4, "d"), (3, 1, "a"), (3, 2, "b")]
    (problem,) = [row["problem"] for row in rows if row["problem"] is not None]
    assert "cut off" in problem
