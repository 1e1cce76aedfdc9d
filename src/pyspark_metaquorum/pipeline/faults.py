"""What could not be read, and how far the tables can be trusted because of it."""

from __future__ import annotations

from typing import Any

from pyspark.sql import functions as F

from metaquorum.base.offsets import Offset
from metaquorum.storage.names import LOG, parse_segment_file


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
    """The offset from which on the log cannot be replayed; None if all of it can.

    A record whose type is unknown changes no table that we know, and is no obstacle.
    """
    in_log = F.col("snapshot_offset").isNull()
    known_end = F.max(F.when(in_log & F.col("problem").isNull(), F.col("offset") + 1))
    ends = log.groupBy("source").agg(known_end.alias("end"))
    bad = log.where(
        F.col("problem").isNotNull() & (F.col("type").isNotNull() | F.col("type_id").isNull())
    ).select("source", "offset", "snapshot_offset")
    found = bad.distinct().join(ends, "source", "left").collect()
    return min((_until(row) for row in found), default=None)


def _until(row: Any) -> Offset:
    if row["snapshot_offset"] is not None:
        return max(0, int(row["snapshot_offset"]) - 1)
    if row["offset"] >= 0:
        return int(row["offset"])
    if row["end"] is not None:
        return int(row["end"])
    return parse_segment_file(str(row["source"]).rpartition("/")[2], LOG) or 0
