"""The way of a log through Spark into a replay and back: ordered, in one task, as Arrow batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import functions as F

from pyspark_metaquorum.collector import collector_at_rest
from pyspark_metaquorum.spark_schema import spark_struct
from pyspark_metaquorum.tables.replaying import LogRow
from pyspark_metaquorum.tables.shape import TRANSACTIONS, Row, TableShape

TIME: Final = pa.timestamp("us", "UTC")
PLACE: Final = (
    ("offset", pa.int64()),
    ("epoch", pa.int32()),
    ("timestamp", TIME),
    ("from_snapshot", pa.bool_()),
)
_ROWS: Final = 10_000
_FIELDS: Final = pa.schema(
    [
        ("offset", pa.int64()),
        ("epoch", pa.int32()),
        ("timestamp_ms", pa.int64()),
        ("snapshot_offset", pa.int64()),
        ("snapshot_epoch", pa.int32()),
        ("contained_ms", pa.int64()),
        ("raw", pa.binary()),
    ]
)


def replayed(
    log: Any,
    shapes: Iterable[TableShape],
    replay: Callable[[Iterator[LogRow]], Iterator[Row]],
    columns: Iterable[tuple[str, Any]],
) -> Any:
    """The rows that ``replay`` makes of the log in order, in one task.

    It is given the records that the tables of these shapes depend on, and gives tuples of the
    columns; timestamps are milliseconds in them, where a negative one is none.
    """
    schema = pa.schema(list(columns))

    def job(parts: Iterator[Any]) -> Iterator[Any]:
        waiting: list[Row] = []
        with collector_at_rest():  # a state is large, and has no cycles
            for row in replay(_log_rows(parts)):
                waiting.append(row)
                if len(waiting) == _ROWS:
                    yield _batch(waiting, schema)
                    waiting = []
            if waiting:
                yield _batch(waiting, schema)

    ordered = known_as(_ordered(log, shapes), _FIELDS)
    return ordered.mapInArrow(job, spark_struct(schema))


def known_as(rows: Any, schema: Any) -> Any:
    """The same rows, of which Spark Connect need not ask the server what columns they have.

    It asks before it maps them, and inside a declarative pipeline that question is refused, since
    the tables are not there yet. Spark's public ways to say a schema ask the server as well.
    """
    if hasattr(rows, "_cached_schema"):
        rows._cached_schema = spark_struct(schema)
    return rows


def _batch(rows: list[Row], schema: Any) -> Any:
    arrays = []
    for values, one in zip(zip(*rows), schema):
        if one.type == TIME:
            milliseconds = [None if value is None or value < 0 else value for value in values]
            arrays.append(pa.array(milliseconds, pa.timestamp("ms", "UTC")).cast(TIME))
        else:
            arrays.append(pa.array(values, one.type))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _ordered(log: Any, shapes: Iterable[TableShape]) -> Any:
    """The records that matter, snapshots at their ends, in the order of the log."""
    records = [number for shape in shapes for number in shape.records]
    wanted = [*dict.fromkeys((*records, *TRANSACTIONS))]
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
        columns = [part.column(name).to_pylist() for name in _FIELDS.names]
        for offset, epoch, stamp, end, end_epoch, contained, raw in zip(*columns):
            snapshot = None if end is None else (end, end_epoch)
            yield LogRow(offset, epoch, stamp, snapshot, contained, raw)
