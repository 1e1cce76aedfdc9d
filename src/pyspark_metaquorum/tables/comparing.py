"""Two states side by side: of two replicas at one place, or of one log at two."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any

from pyspark.sql import functions as F

from metaquorum.base.offsets import Offset
from pyspark_metaquorum.tables.shape import TABLES
from pyspark_metaquorum.tables.state import shape_of, state_at


def difference(left: Any, right: Any, table: str) -> Any:
    """The rows of a table that two states do not share: ``left`` and ``right`` are of ``state_at``.

    ``what`` is ``added`` for a row that only the right one has, ``removed``, or ``changed``; the
    row is in ``left`` and ``right`` as it is on either side. Where a row comes from is not
    compared.
    """
    shape = shape_of(table)
    names = [name for name, _ in shape.columns]
    sides = [
        state.select(
            F.to_json(F.struct(*names[: shape.keys])).alias("key")
            if shape.keys
            else F.lit("{}").alias("key"),
            F.struct(*names).alias(side),
        )
        for state, side in ((left, "left"), (right, "right"))
    ]
    joined = sides[0].join(sides[1], "key", "full_outer")
    what = (
        F.when(F.col("left").isNull(), "added")
        .when(F.col("right").isNull(), "removed")
        .otherwise("changed")
    )
    return joined.where(~F.col("left").eqNullSafe(F.col("right"))).select(
        F.lit(table).alias("table"), what.alias("what"), "key", "left", "right"
    )


def replicas_differ(left: Any, right: Any, offset: Offset) -> Any:
    """Where two replicas' logs make different states at an offset: nothing, if all is well.

    KIP-630 asks that ``Snapshot(A, N) == Snapshot(B, N)``: all tables are compared, and the rows
    come in the order of table and key, so that the first is the first difference.
    """
    return _all_tables(
        {
            table: (state_at(left, table, offset=offset), state_at(right, table, offset=offset))
            for table in TABLES
        }
    )


def points_differ(log: Any, earlier: Offset, later: Offset) -> Any:
    """What changed between two offsets of one log, all tables together."""
    return _all_tables(
        {
            table: (state_at(log, table, offset=earlier), state_at(log, table, offset=later))
            for table in TABLES
        }
    )


def _all_tables(states: Mapping[str, tuple[Any, Any]]) -> Any:
    """The differences of all tables; rows as JSON, for tables have different columns."""
    parts = []
    for table, (left, right) in states.items():
        sides = [F.to_json(side).alias(side) for side in ("left", "right")]
        found = difference(left, right, table)
        parts.append(found.select("table", "what", "key", *sides))
    return reduce(lambda one, other: one.unionByName(other), parts).orderBy("table", "key")
