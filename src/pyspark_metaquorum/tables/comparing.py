"""Two states side by side: of two replicas at one place, or of one log at two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import functions as F

from metaquorum.base.offsets import Offset
from pyspark_metaquorum.tables.all_changes import key_text, row_text
from pyspark_metaquorum.tables.replayed import replayed
from pyspark_metaquorum.tables.replaying import Change, LogRow, Replaying
from pyspark_metaquorum.tables.shape import TABLES, Row
from pyspark_metaquorum.tables.state import shape_of

_TEXT: Final = pa.string()
_SHAPES: Final = tuple(TABLES.values())


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
    return joined.where(~F.col("left").eqNullSafe(F.col("right"))).select(
        F.lit(table).alias("table"), _what().alias("what"), "key", "left", "right"
    )


def replicas_differ(left: Any, right: Any, offset: Offset) -> Any:
    """Where two replicas' logs make different states at an offset: nothing, if all is well.

    KIP-630 asks that ``Snapshot(A, N) == Snapshot(B, N)``: all tables are compared, and the rows
    come in the order of table and key, so that the first is the first difference. Each log is
    replayed once; rows are compared as JSON, for tables have different columns.
    """
    sides = [
        _rows_at(log, offset).withColumnRenamed("row", side)
        for side, log in (("left", left), ("right", right))
    ]
    joined = sides[0].join(sides[1], ["table", "key"], "full_outer")
    return _compared(joined.where(~F.col("left").eqNullSafe(F.col("right"))))


def points_differ(log: Any, earlier: Offset, later: Offset) -> Any:
    """What changed between two offsets of one log, all tables together, in one replay.

    An ``earlier`` that is the later one tells how to get back.
    """
    low, high = min(earlier, later), max(earlier, later)

    def net(rows: Iterator[LogRow]) -> Iterator[Row]:
        first: dict[tuple[str, str], Change] = {}
        last: dict[tuple[str, str], Change] = {}
        for change in Replaying(_SHAPES, high).changes(rows):
            if change.settled >= low:
                place = change.table, key_text(change)
                first.setdefault(place, change)
                last[place] = change
        for (table, key), change in first.items():
            before, after = change.before, last[table, key].after
            if before != after:
                texts = [_text(table, side) for side in (before, after)]
                yield (table, key, *(texts if earlier <= later else reversed(texts)))

    columns = (("table", _TEXT), ("key", _TEXT), ("left", _TEXT), ("right", _TEXT))
    return _compared(replayed(log, _SHAPES, net, columns))


def _rows_at(log: Any, offset: Offset) -> Any:
    """Every row of every table at an offset, as JSON."""

    def present(rows: Iterator[LogRow]) -> Iterator[Row]:
        state = Replaying(_SHAPES, offset)
        state.run(rows)
        view = state.view()
        for shape in _SHAPES:
            for row, _ in shape.rows(view):
                yield shape.name, row_text(shape, row[: shape.keys]), row_text(shape, row)

    return replayed(log, _SHAPES, present, (("table", _TEXT), ("key", _TEXT), ("row", _TEXT)))


def _text(table: str, row: Row | None) -> str | None:
    return None if row is None else row_text(TABLES[table], row)


def _compared(found: Any) -> Any:
    return found.select("table", _what().alias("what"), "key", "left", "right").orderBy(
        "table", "key"
    )


def _what() -> Any:
    return (
        F.when(F.col("left").isNull(), "added")
        .when(F.col("right").isNull(), "removed")
        .otherwise("changed")
    )
