"""How leaders and in-sync replicas of partitions came and went."""

from __future__ import annotations

from typing import Any

from pyspark.sql import functions as F

from pyspark_metaquorum.tables.state import changes


def isr_changes(log: Any) -> Any:
    """Each change of a partition's in-sync replicas: who left, who came back.

    A partition's first in-sync set is no change, nor is its end.
    """
    return _partition_changes(log, "isr").select(
        *_place(),
        F.col("before.isr").alias("isr_before"),
        F.col("after.isr").alias("isr_after"),
        F.array_except("before.isr", "after.isr").alias("left"),
        F.array_except("after.isr", "before.isr").alias("joined"),
    )


def leader_changes(log: Any) -> Any:
    """Each change of a partition's leader; -1 is none. ``clean`` is false for one out of sync."""
    return _partition_changes(log, "leader").select(
        *_place(),
        F.col("before.leader").alias("leader_before"),
        F.col("after.leader").alias("leader_after"),
        F.col("after.leader_epoch").alias("leader_epoch"),
        (
            (F.col("after.leader") < 0)
            | F.array_contains("before.isr", F.col("after.leader"))
            | F.array_contains("before.elr", F.col("after.leader"))
        ).alias("clean"),
    )


def _partition_changes(log: Any, column: str) -> Any:
    found = changes(log, "partitions")
    both = found.where("before is not null and after is not null")
    return both.where(F.col(f"before.{column}") != F.col(f"after.{column}"))


def _place() -> tuple[Any, ...]:
    """Columns are made when they are asked for: Spark's need a session."""
    return (
        F.col("offset"),
        F.col("timestamp"),
        F.col("after.topic").alias("topic"),
        F.col("after.topic_id").alias("topic_id"),
        F.col("after.partition").alias("partition"),
    )
