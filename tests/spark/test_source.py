"""The source inside Spark: files, a live quorum, and streams over it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from metaquorum.client.metadata_log import MetadataLogReader
from tests.spark.made_log import batch, write_segment
from tools.kafka.ports import LOOPBACK
from tools.own_node import OwnNode
from tools.quota_writer import QuotaWriter


def test_spark_finds_the_source_by_its_name(spark: SparkSession, tmp_path: Path) -> None:
    write_segment(tmp_path, 0, [batch(0, ["a", "b"]), batch(2, ["c"], epoch=4)])
    table = spark.read.format("kraft_metadata").load(str(tmp_path))
    rows = table.select("offset", "epoch", "topic_record.name").orderBy("offset").collect()
    assert [tuple(row) for row in rows] == [(0, 1, "a"), (1, 1, "b"), (2, 4, "c")]
    narrow = spark.read.format("kraft_metadata").option("types", "TopicRecord")
    assert "partition_record" not in narrow.load(str(tmp_path)).columns


def test_a_bad_path_is_refused_in_words(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(PySparkException, match="neither a segment nor a checkpoint"):
        spark.read.format("kraft_metadata").load(str(tmp_path)).collect()
    with pytest.raises(PySparkException, match="either path"):
        spark.read.format("kraft_metadata").load().collect()
    with pytest.raises(PySparkException, match="a stream needs servers"):
        streaming = spark.readStream.format("kraft_metadata").load(str(tmp_path))
        streaming.writeStream.format("noop").start().awaitTermination(60)


def live(spark: SparkSession, own: OwnNode, **options: Any) -> DataFrame:
    """The whole committed log of a quorum."""
    reader = spark.read.format("kraft_metadata").option("servers", own.bootstrap_controller)
    return reader.options(**options).load()


def expected(own: OwnNode) -> list[tuple[int, int, str]]:
    """What another reader of ours sees of the same log."""
    reader = MetadataLogReader([(LOOPBACK, own.controller_port)])
    return [(one.offset, one.epoch, one.type) for one in reader.records()]


def test_a_live_quorum_is_a_table_up_to_its_high_watermark(
    spark: SparkSession, own: OwnNode
) -> None:
    with QuotaWriter.open(own.port) as writer:
        for number in range(20):
            writer.set(f"user-{number}", "producer_byte_rate", 1.0 + number)
    table = live(spark, own, partitionRows="5", types="").where("problem is null")
    rows = table.select("offset", "epoch", "type").orderBy("offset").collect()
    got = [tuple(row) for row in rows]
    assert got == expected(own)[: len(got)] and len(got) > 20
    quotas = table.where("type = 'ClientQuotaRecord'").selectExpr(
        "client_quota_record.entity[0].entity_name", "client_quota_record.value"
    )
    assert {tuple(row) for row in quotas.collect()} == {
        (f"user-{number}", 1.0 + number) for number in range(20)
    }


def test_a_stream_neither_loses_nor_repeats_a_row_over_restarts(
    spark: SparkSession, own: OwnNode, tmp_path: Path
) -> None:
    def drain(**options: str) -> list[int]:
        source = spark.readStream.format("kraft_metadata")
        query = (
            source.option("servers", own.bootstrap_controller)
            .options(**options)
            .load()
            .select("offset", "type")
            .writeStream.format("parquet")
            .option("checkpointLocation", str(tmp_path / "checkpoint"))
            .trigger(availableNow=True)
            .start(str(tmp_path / "table"))
        )
        query.awaitTermination(90)
        assert query.exception() is None
        return [progress["numInputRows"] for progress in query.recentProgress]

    with QuotaWriter.open(own.port) as writer:
        for number in range(10):
            writer.set("a", "producer_byte_rate", 1.0 + number)
        sizes = drain(maxRowsPerTrigger="4")
        assert max(sizes) == 4 and len(sizes) >= 4
        own.kill()
        own.start()
        own.wait_ready()
    with QuotaWriter.open(own.port) as writer:
        writer.set("b", "producer_byte_rate", 1.0)
    drain()
    rows = spark.read.parquet(str(tmp_path / "table")).orderBy("offset").collect()
    offsets = [row["offset"] for row in rows]
    assert offsets == list(range(len(offsets)))
    wanted = expected(own)
    assert [(row["offset"], row["type"]) for row in rows] == [
        (offset, name) for offset, _, name in wanted[: len(rows)]
    ]
    assert len(rows) > 12
