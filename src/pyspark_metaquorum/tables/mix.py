"""What the log is made of, and how the cluster that it describes has grown."""

from __future__ import annotations

from functools import reduce
from typing import Any

from pyspark.sql import Window
from pyspark.sql import functions as F

from pyspark_metaquorum.tables.state import changes

_GROWING = ("topics", "partitions", "brokers", "configs", "acls")


def record_mix(log: Any) -> Any:
    """Records and bytes by type, and the share of each in all bytes; snapshots are left out.

    Bytes are those of the values, with ``raw`` kept for all records.
    """
    everything = Window.partitionBy()
    return (
        log.where(F.col("snapshot_offset").isNull())
        .groupBy(F.coalesce("type", F.lit("unknown")).alias("type"))
        .agg(
            F.count("*").alias("records"),
            F.coalesce(F.sum(F.length("raw")), F.lit(0)).alias("bytes"),
            F.min("timestamp").alias("first"),
            F.max("timestamp").alias("last"),
        )
        .select("*", (F.col("bytes") / F.sum("bytes").over(everything)).alias("share"))
    )


def growth(log: Any, every: str = "1 hour") -> Any:
    """How many topics, partitions, brokers, configs and ACLs there were, a row a stretch of time.

    ``every`` is an interval in Spark's words. A stretch in which nothing of a kind changed has no
    row of that kind.
    """
    parts = []
    for table in _GROWING:
        step = F.when(F.col("before").isNull(), 1).when(F.col("after").isNull(), -1).otherwise(0)
        parts.append(
            changes(log, table).select(F.lit(table).alias("table"), "timestamp", step.alias("step"))
        )
    until = F.col("stretch.end").alias("until")
    in_order = (
        Window.partitionBy("table")
        .orderBy("until")
        .rowsBetween(Window.unboundedPreceding, Window.currentRow)
    )
    return (
        reduce(lambda left, right: left.unionByName(right), parts)
        .where("step != 0")
        .groupBy("table", F.window("timestamp", every).alias("stretch"))
        .agg(
            F.sum((F.col("step") > 0).cast("int")).alias("added"),
            F.sum((F.col("step") < 0).cast("int")).alias("removed"),
        )
        .select("table", F.col("stretch.start").alias("from"), until, "added", "removed")
        .select("*", F.sum(F.col("added") - F.col("removed")).over(in_order).alias("count"))
    )
