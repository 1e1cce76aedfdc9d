"""Tables as of an offset or a time, their history, and every change with before and after.

``log`` is what the source gives with the option ``raw`` set to ``always``, of one replica or one
quorum. The whole of it is replayed in order in one task, by the code that the server replays its
log with, so that a table here is what a node at that place would say.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import functions as F

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset
from metaquorum.metadata.origin import Origin
from pyspark_metaquorum.spark_schema import spark_struct
from pyspark_metaquorum.tables.replaying import Change, LogRow, Replaying
from pyspark_metaquorum.tables.shape import TABLES, TRANSACTIONS, Row, TableShape

_ROWS: Final = 10_000
_TIME = pa.timestamp("us", "UTC")
_SINCE: Final = (
    ("since_offset", pa.int64()),
    ("since_epoch", pa.int32()),
    ("since", _TIME),
    ("from_snapshot", pa.bool_()),
)
_VALID: Final = (
    ("valid_from_offset", pa.int64()),
    ("valid_from", _TIME),
    ("valid_to_offset", pa.int64()),
    ("valid_to", _TIME),
    ("from_snapshot", pa.bool_()),
)
_PLACE: Final = (
    ("offset", pa.int64()),
    ("epoch", pa.int32()),
    ("timestamp", _TIME),
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

    def replayed(rows: Iterator[LogRow]) -> Iterator[Row]:
        state = Replaying(shape, offset, until_ms)
        state.run(rows)
        for row, origin in shape.rows(state.view()):
            yield (*row, *_since(origin))

    return _mapped(log, shape, replayed, (*shape.columns, *_SINCE))


def history(log: Any, table: str) -> Any:
    """Every version of every row: valid from the record that made it, to the one that ended it.

    ``valid_to`` is null for what is so to this day.
    """
    shape = shape_of(table)

    def versions(rows: Iterator[LogRow]) -> Iterator[Row]:
        present: dict[Any, tuple[Row, Change]] = {}
        for change in Replaying(shape).changes(rows):
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

    return _mapped(log, shape, versions, (*shape.columns, *_VALID))


def changes(log: Any, table: str) -> Any:
    """Every change in the order of the log: the row ``before``, and ``after``; null is absent."""
    shape = shape_of(table)
    one = pa.struct(list(shape.columns))
    names = [name for name, _ in shape.columns]

    def told(rows: Iterator[LogRow]) -> Iterator[Row]:
        for change in Replaying(shape).changes(rows):
            yield (
                change.offset,
                change.epoch,
                change.timestamp_ms,
                change.from_snapshot,
                None if change.before is None else dict(zip(names, change.before)),
                None if change.after is None else dict(zip(names, change.after)),
            )

    return _mapped(log, shape, told, (*_PLACE, ("before", one), ("after", one)))


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


def _mapped(
    log: Any,
    shape: TableShape,
    replay: Callable[[Iterator[LogRow]], Iterator[Row]],
    columns: Iterable[tuple[str, Any]],
) -> Any:
    """The rows that ``replay`` makes of the log in order, in one task."""
    schema = pa.schema(list(columns))

    def job(parts: Iterator[Any]) -> Iterator[Any]:
        waiting: list[Row] = []
        for row in replay(_log_rows(parts)):
            waiting.append(row)
            if len(waiting) == _ROWS:
                yield _batch(waiting, schema)
                waiting = []
        if waiting:
            yield _batch(waiting, schema)

    return _ordered(log, shape).mapInArrow(job, spark_struct(schema))


def _batch(rows: list[Row], schema: Any) -> Any:
    arrays = []
    for values, one in zip(zip(*rows), schema):
        if one.type == _TIME:
            milliseconds = [None if value is None or value < 0 else value for value in values]
            arrays.append(pa.array(milliseconds, pa.timestamp("ms", "UTC")).cast(_TIME))
        else:
            arrays.append(pa.array(values, one.type))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _ordered(log: Any, shape: TableShape) -> Any:
    """The records that matter, snapshots at their ends, in the order of the log."""
    wanted = [*shape.records, *TRANSACTIONS]
    header = F.col("type") == "SnapshotHeaderRecord"
    return (
        log.where((~F.col("control") & F.col("type_id").isin(wanted)) | header)
        .select(
            F.coalesce("snapshot_offset", "offset").alias("place"),
            F.col("snapshot_offset").isNull().alias("in_log"),
            "offset",
            "epoch",
            F.unix_millis("timestamp").alias("timestamp_ms"),
            "snapshot_offset",
            "snapshot_epoch",
            F.col("snapshot_header_record.last_contained_log_timestamp").alias("contained_ms"),
            "raw",
        )
        .repartition(1)
        .sortWithinPartitions("place", "in_log", "offset")
    )


def _log_rows(parts: Iterator[Any]) -> Iterator[LogRow]:
    for part in parts:
        columns = [part.column(name).to_pylist() for name in _FIELDS]
        for offset, epoch, stamp, end, end_epoch, contained, raw in zip(*columns):
            snapshot = None if end is None else (end, end_epoch)
            yield LogRow(offset, epoch, stamp, snapshot, contained, raw)


_FIELDS: Final = (
    "offset",
    "epoch",
    "timestamp_ms",
    "snapshot_offset",
    "snapshot_epoch",
    "contained_ms",
    "raw",
)
