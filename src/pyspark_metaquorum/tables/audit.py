"""Who may do what, and how things are set: every change with what it was before."""

from __future__ import annotations

from typing import Any

from pyspark.sql import functions as F

from pyspark_metaquorum.tables.state import changes


def config_audit(log: Any) -> Any:
    """Each change of a dynamic config: the value before and after; null is not set."""
    return changes(log, "configs").select(
        "offset",
        "timestamp",
        _what(),
        *[
            F.coalesce(f"after.{name}", f"before.{name}").alias(name)
            for name in ("resource_type", "resource", "name")
        ],
        F.col("before.value").alias("value_before"),
        F.col("after.value").alias("value_after"),
    )


def acl_audit(log: Any) -> Any:
    """Each access rule that was added or removed."""
    columns = (
        "id",
        "principal",
        "host",
        "permission",
        "operation",
        "resource_type",
        "resource",
        "pattern",
    )
    return changes(log, "acls").select(
        "offset",
        "timestamp",
        _what(),
        *[F.coalesce(f"after.{name}", f"before.{name}").alias(name) for name in columns],
    )


def _what() -> Any:
    return (
        F.when(F.col("before").isNull(), "added")
        .when(F.col("after").isNull(), "removed")
        .otherwise("changed")
        .alias("what")
    )
