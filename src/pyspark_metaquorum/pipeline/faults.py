"""What could not be read, and how far the tables can be trusted because of it."""

from __future__ import annotations

from typing import Any

from pyspark.sql import functions as F

from metaquorum.base.offsets import Offset

_SEGMENT = r"(?:^|/)([0-9]{20,})\.log$"


def errors(log: Any) -> Any:
    """The records and places that could not be read: file or quorum, offset, and why."""
    return log.where(F.col("problem").isNotNull()).select(
        "source",
        F.when(F.col("offset") >= 0, F.col("offset")).alias("offset"),
        "snapshot_offset",
        "snapshot_epoch",
        "type",
        "type_id",
        "version",
        "problem",
        "raw",
    )


def without_known(rows: Any, landed: Any) -> Any:
    """Rows without the faults that have landed before.

    What is wrong with a file is seen anew whenever it is read.
    """
    known = landed.where(F.col("problem").isNotNull()).select("source", "problem").distinct()
    bad = rows.where(F.col("problem").isNotNull())
    good = rows.where(F.col("problem").isNull())
    return good.unionByName(
        bad.join(known, ["source", "problem"], "left_anti").select(rows.columns)
    )


def readable_until(log: Any) -> Offset | None:
    """The offset from which on the log cannot be replayed; None if all of it can."""
    found = _unreadable_from(log).first()["until"]
    return None if found is None else int(found)


def readable(log: Any) -> Any:
    """The log up to where it can be replayed, for plans that may not look at it on the way.

    It has the column ``until`` more: to drop one, Spark Connect must know the others.
    """
    limit = F.broadcast(_unreadable_from(log))
    before = F.coalesce(F.col("snapshot_offset") - 1, F.col("offset")) < F.col("until")
    return log.crossJoin(limit).where(F.col("until").isNull() | before)


def _unreadable_from(log: Any) -> Any:
    """One row with ``until``: where the first fault is; null where there is none.

    A record whose type is unknown changes no table that we know, and is no obstacle.
    """
    in_log = F.col("snapshot_offset").isNull()
    known_end = F.max(F.when(in_log & F.col("problem").isNull(), F.col("offset") + 1))
    ends = log.groupBy("source").agg(known_end.alias("end"))
    bad = log.where(
        F.col("problem").isNotNull() & (F.col("type").isNotNull() | F.col("type_id").isNull())
    ).select("source", "offset", "snapshot_offset")
    named = F.regexp_extract("source", _SEGMENT, 1)
    until = (
        F.when(~in_log, F.greatest(F.lit(0), F.col("snapshot_offset") - 1))
        .when(F.col("offset") >= 0, F.col("offset"))
        .when(F.col("end").isNotNull(), F.col("end"))
        .otherwise(F.when(named != "", named.cast("long")).otherwise(0))
    )
    found = bad.distinct().join(ends, "source", "left")
    return found.agg(F.min(until).alias("until"))
