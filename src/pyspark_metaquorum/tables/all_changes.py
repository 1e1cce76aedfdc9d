"""Every change of every table, in one pass over the log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa

from metaquorum.base.offsets import Offset
from pyspark_metaquorum.tables.replayed import PLACE, known_as, replayed
from pyspark_metaquorum.tables.replaying import Change, LogRow, Replaying
from pyspark_metaquorum.tables.shape import TABLES, Row, TableShape

_TEXT: Final = pa.string()


def all_changes(log: Any, until: Offset | None = None) -> Any:
    """One row a change, up to an offset: its place, ``table``, ``key`` as JSON, and the row.

    The row is in the column that is named as the table, with ``before`` and ``after``; the columns
    of other tables are null. ``history``, ``changes`` and all that is made of them take this in
    the place of the log, and do not replay it again.
    """
    shapes = tuple(TABLES.values())

    def told(rows: Iterator[LogRow]) -> Iterator[Row]:
        for change in Replaying(shapes, until).changes(rows):
            sides = {side: named(change, side) for side in ("before", "after")}
            yield (
                change.offset,
                change.epoch,
                change.timestamp_ms,
                change.from_snapshot,
                change.table,
                key_text(change),
                *[sides if shape.name == change.table else None for shape in shapes],
            )

    return replayed(log, shapes, told, _columns())


def as_told(rows: Any) -> Any:
    """What ``all_changes`` gave and was stored: its columns are known without a look."""
    return known_as(rows, pa.schema(_columns()))


def _columns() -> list[tuple[str, Any]]:
    rows = [(shape.name, _sides(shape)) for shape in TABLES.values()]
    return [*PLACE, ("table", _TEXT), ("key", _TEXT), *rows]


def is_told(log: Any) -> bool:
    """Whether this is what ``all_changes`` gives, and no log."""
    columns = log.columns
    return "table" in columns and "key" in columns


def key_text(change: Change) -> str:
    """What tells a row from others of its table, as JSON."""
    shape = TABLES[change.table]
    row = change.before if change.after is None else change.after
    assert row is not None
    return row_text(shape, row[: shape.keys])


def row_text(shape: TableShape, row: Row) -> str:
    """A row, or the first columns of one, as JSON; what is null is left out, as Spark does."""
    named = {name: value for (name, _), value in zip(shape.columns, row)}
    return json.dumps(_without_nulls(named), ensure_ascii=False, separators=(",", ":"))


def named(change: Change, side: str) -> dict[str, Any] | None:
    """One side of a change by the names of the columns."""
    row = getattr(change, side)
    if row is None:
        return None
    return {name: value for (name, _), value in zip(TABLES[change.table].columns, row)}


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nulls(one) for name, one in value.items() if one is not None}
    if isinstance(value, list | tuple):
        return [_without_nulls(one) for one in value]
    return value


def _sides(shape: TableShape) -> Any:
    row = pa.struct(list(shape.columns))
    return pa.struct([("before", row), ("after", row)])
