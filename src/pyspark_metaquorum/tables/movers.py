"""The partitions that the log speaks of most."""

from __future__ import annotations

from typing import Any

from pyspark.sql import functions as F

from pyspark_metaquorum.tables.state import changes


def top_movers(log: Any) -> Any:
    """How often each partition changed, and in what: the most restless come first.

    A partition's creation and deletion are counted in ``changes`` alone.
    """
    both = F.col("before").isNotNull() & F.col("after").isNotNull()

    def differs(column: str) -> Any:
        moved = both & ~F.col(f"before.{column}").eqNullSafe(F.col(f"after.{column}"))
        return F.sum(moved.cast("int"))

    left = F.size(F.array_except("before.isr", "after.isr"))
    joined = F.size(F.array_except("after.isr", "before.isr"))
    which = F.struct(
        *[
            F.coalesce(f"after.{name}", f"before.{name}").alias(name)
            for name in ("topic", "topic_id", "partition")
        ]
    )
    found = changes(log, "partitions").select("*", which.alias("which"))
    return (
        found.groupBy("which")
        .agg(
            F.count("*").alias("changes"),
            differs("leader").alias("leader_changes"),
            F.sum((both & (left > 0)).cast("int")).alias("isr_shrinks"),
            F.sum((both & (joined > 0)).cast("int")).alias("isr_expands"),
            differs("replicas").alias("moves"),
            F.max("timestamp").alias("last_change"),
        )
        .select(
            "which.*",
            "changes",
            "leader_changes",
            "isr_shrinks",
            "isr_expands",
            "moves",
            "last_change",
        )
        .orderBy(F.desc("changes"), "topic", "partition")
    )
