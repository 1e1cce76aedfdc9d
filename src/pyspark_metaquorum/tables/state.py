"""Tables as of an offset or a time, their history, and every change with before and after.

``log`` is what the source gives with the option ``raw`` set to ``always``, of one replica or one
quorum. The whole of it is replayed in order in one task, by the code that the server replays its
log with, so that a table here is what a node at that place would say. A reader of several tables
of one log replays it once with ``all_changes``, and asks for tables of what that gives.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import Window
from pyspark.sql import functions as F

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset
from metaquorum.metadata.origin import Origin
from pyspark_metaquorum.tables.all_changes import is_told
from pyspark_metaquorum.tables.replayed import PLACE, TIME, replayed
from pyspark_metaquorum.tables.replaying import Change, LogRow, Replaying
from pyspark_metaquorum.tables.shape import TABLES, Row, TableShape

_SINCE: Final = (
    ("since_offset", pa.int64()),
    ("since_epoch", pa.int32()),
    ("since", TIME),
    ("from_snapshot", pa.bool_()),
)
_VALID: Final = (
    ("valid_from_offset", pa.int64()),
    ("valid_from", TIME),
    ("valid_to_offset", pa.int64()),
    ("valid_to", TIME),
    ("from_snapshot", pa.bool_()),
)
Time = datetime.datetime


def shape_of(table: str) -> TableShape:
    """The table of this name; OperatorError names those that there are."""
    if table not in TABLES:
        raise OperatorError(f"there is no table {table!r}; there are {', '.join(TABLES)}")
    return TABLES[table]


def state_at(
    log: Any, table: str, *, offset: Offset | None = None, time: Time | None = None
) -> Any:
    """A table as it was before ``offset``, or at ``time``; at the end of the log without both.

    ``since_offset``, ``since_epoch`` and ``since`` are of the record that made a row what it is;
    rows with ``from_snapshot`` are at least that old. Raises OperatorError for an unknown table.
    """
    shape = shape_of(table)
    until_ms = _milliseconds(time)

    def present(rows: Iterator[LogRow]) -> Iterator[Row]:
        state = Replaying((shape,), offset, until_ms)
        state.run(rows)
        for row, origin in shape.rows(state.view()):
            yield (*row, *_since(origin))

    return replayed(log, (shape,), present, (*shape.columns, *_SINCE))


def history(log: Any, table: str) -> Any:
    """Every version of every row: valid from the record that made it, to the one that ended it.

    ``valid_to`` is null for what is so to this day. ``log`` may be what ``all_changes`` made of it.
    """
    shape = shape_of(table)
    if is_told(log):
        return _history_told(log, shape)

    def versions(rows: Iterator[LogRow]) -> Iterator[Row]:
        present: dict[Any, tuple[Row, Change]] = {}
        for change in Replaying((shape,)).changes(rows):
            key = _key(shape, change)
            found = present.pop(key, None)
            if found is not None:
                row, since = found
                yield (
                    *row,
                    since.offset,
                    since.timestamp_ms,
                    change.offset,
                    change.timestamp_ms,
                    since.from_snapshot,
                )
            if change.after is not None:
                present[key] = change.after, change
        for row, since in present.values():
            yield (*row, since.offset, since.timestamp_ms, None, None, since.from_snapshot)

    return replayed(log, (shape,), versions, (*shape.columns, *_VALID))


def changes(log: Any, table: str) -> Any:
    """Every change in the order of the log: the row ``before``, and ``after``; null is absent.

    ``log`` may be what ``all_changes`` made of it.
    """
    shape = shape_of(table)
    if is_told(log):
        sides = [F.col(f"{table}.{side}").alias(side) for side in ("before", "after")]
        return log.where(F.col("table") == table).select(*[name for name, _ in PLACE], *sides)
    one = pa.struct(list(shape.columns))
    names = [name for name, _ in shape.columns]

    def told(rows: Iterator[LogRow]) -> Iterator[Row]:
        for change in Replaying((shape,)).changes(rows):
            yield (
                change.offset,
                change.epoch,
                change.timestamp_ms,
                change.from_snapshot,
                None if change.before is None else dict(zip(names, change.before)),
                None if change.after is None else dict(zip(names, change.after)),
            )

    return replayed(log, (shape,), told, (*PLACE, ("before", one), ("after", one)))


def _history_told(log: Any, shape: TableShape) -> Any:
    """The history out of changes: a version ends where the next change of its key is."""
    one_key = Window.partitionBy("key").orderBy("offset")
    return (
        log.where(F.col("table") == shape.name)
        .select(
            "*",
            F.lead("offset").over(one_key).alias("valid_to_offset"),
            F.lead("timestamp").over(one_key).alias("valid_to"),
        )
        .where(F.col(f"{shape.name}.after").isNotNull())
        .select(
            *[F.col(f"{shape.name}.after.{name}").alias(name) for name, _ in shape.columns],
            F.col("offset").alias("valid_from_offset"),
            F.col("timestamp").alias("valid_from"),
            "valid_to_offset",
            "valid_to",
            "from_snapshot",
        )
    )


def _key(shape: TableShape, change: Change) -> Any:
    row = change.before if change.after is None else change.after
    assert row is not None
    return repr(row[: shape.keys])


def _since(origin: Origin) -> Row:
    return (origin.offset, origin.epoch, origin.timestamp_ms, origin.from_snapshot)


def _milliseconds(time: Time | None) -> int | None:
    if time is None:
        return None
    aware = time if time.tzinfo is not None else time.replace(tzinfo=datetime.UTC)
    return round(aware.timestamp() * 1_000)
