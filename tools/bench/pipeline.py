"""The metadata log on Spark: how fast it is decoded, how soon it lands, how soon it is a table.

Three figures of one run, on as many cores as there are (two, where the goals were set):

- decoded records a second to Arrow columns, in one process a core, beside a source of rows that
  does the same decoding and gives tuples, which Spark makes the same columns of; rounds are
  interleaved, each figure is the median; processor time is counted, so that a busy machine does
  not look like a slow one;
- a micro-batch of a stream over a live quorum that commits all the time, median;
- the table of the partitions as of the end of a snapshot of a million partitions.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from attrs import frozen
from pyspark.sql.conversion import LocalDataToArrowConversion

from metaquorum.base.ids import uuid_text
from metaquorum.records.builder import build_batch
from metaquorum.records.metadata_record import decode_metadata_record, encode_metadata_record
from metaquorum.records.reader import walk_batches, walk_records
from metaquorum.wire.generated.records import partition_change_record
from pyspark_metaquorum.collector import collector_at_rest
from pyspark_metaquorum.columns import record_types
from pyspark_metaquorum.decoding import ROWS_PER_BATCH, Decoder
from pyspark_metaquorum.generated.record_types import METADATA
from pyspark_metaquorum.pipeline.session import open_session
from pyspark_metaquorum.spark_schema import spark_schema
from pyspark_metaquorum.tables.state import state_at
from tools.large_state import LargeState, write_directory
from tools.own_node import OwnNode
from tools.quota_writer import QuotaWriter

BATCH_RECORDS = 500
CHANGES_EVERY = 3  # of the records of a log: a partition's change for so many of the others
TIME_MS = 1_700_000_000_000
_STRUCTS = [one.column for one in record_types() if one.parts]
_SCHEMA = spark_schema(record_types())
_NO_STRUCTS = (None,) * len(_STRUCTS)
_uuid = lru_cache(maxsize=65_536)(uuid_text)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--records", type=int, default=200_000, help="a core, to decode")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--batches", type=int, default=30, help="micro-batches to measure")
    parser.add_argument("--partitions", type=int, default=1_000_000, help="of the as-of table")
    parser.add_argument("--only", choices=["decode", "stream", "table"])
    parser.add_argument("-o", "--output", choices=["table", "json"], default="table")
    parser.add_argument("--at-least", type=float, help="fail if fewer records a second")
    chosen = parser.parse_args(arguments)
    figures: dict[str, Any] = {}
    if chosen.only in (None, "decode"):
        figures |= measure_decoding(chosen.records, chosen.rounds, chosen.cores)
    if chosen.only in (None, "stream", "table"):
        figures |= measure_spark(chosen)
    if chosen.output == "json":
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:<34} {value:,}")
    if chosen.at_least and figures.get("columns_records_a_second", 0) < chosen.at_least:
        return 1
    return 0


def a_log(records: int) -> bytes:
    """Batches of a busy cluster's log: topics, partitions and their changes."""
    state = LargeState(topics=max(1, records // 90), partitions=60, brokers=12)
    values = list(state.values())
    changed = partition_change_record.PartitionChangeRecord(
        partition_id=3, topic_id=bytes(range(16)), isr=[1, 2], leader=2
    )
    change = encode_metadata_record(partition_change_record.API_KEY, changed, 2)
    mixed: list[bytes] = []
    for number, value in enumerate(values):
        mixed.append(value)
        if number % CHANGES_EVERY == 0:
            mixed.append(change)
    mixed = mixed[:records]
    parts = [
        build_batch(
            [(None, value) for value in mixed[at : at + BATCH_RECORDS]],
            timestamp_ms=TIME_MS + at,
            base_offset=at,
            leader_epoch=1,
        )
        for at in range(0, len(mixed), BATCH_RECORDS)
    ]
    return b"".join(parts)


def to_columns(log: bytes) -> int:
    """What the source does: Arrow batches of all columns."""
    decoder, rows = Decoder("bench"), 0
    with collector_at_rest():
        for header, data in walk_batches(log):
            for batch in decoder.take(header, data):
                rows += batch.num_rows
        return int(rows + sum(batch.num_rows for batch in decoder.rest()))


def to_tuples(log: bytes) -> int:
    """The same decoding by a source of rows: a tuple of the same columns for each record."""
    fields = {
        number: (one, _STRUCTS.index(one.column), _fields(one.parts))
        for number, one in METADATA.items()
        if one.parts
    }
    with collector_at_rest():
        batches = walk_batches(log)
        rows, waiting = 0, list[Any]()
        for header, data in batches:
            waiting += _tuples_of(header, data, fields)
            if len(waiting) >= ROWS_PER_BATCH:
                rows += _as_spark_takes_them(waiting)
                waiting = []
        return rows + _as_spark_takes_them(waiting)


def _as_spark_takes_them(rows: list[Any]) -> int:
    """What Spark's worker does to a source's tuples before it sends them on."""
    if not rows:
        return 0
    converted = LocalDataToArrowConversion.convert(rows, _SCHEMA, False)
    return int(converted.num_rows)


def _tuples_of(header: Any, data: Any, fields: Any) -> list[Any]:
    """Rows with the columns of the source, of which all but one struct are null."""
    rows = []
    for record in walk_records(data, header):
        decoded = decode_metadata_record(record.value or b"")
        known, place, inside = fields[decoded.type]
        structs = list(_NO_STRUCTS)
        structs[place] = _tuple(decoded.message, inside)
        rows.append(
            (
                record.offset,
                header.leader_epoch,
                datetime.fromtimestamp(record.timestamp_ms / 1_000, UTC),
                header.base_offset,
                False,
                known.name,
                decoded.type,
                decoded.version,
                None,
                None,
                "bench",
                None,
                None,
                *structs,
            )
        )
    return rows


def _fields(parts: Any) -> tuple[tuple[str, Any], ...]:
    """The names of fields, each with what makes a value of Spark's of it, if that is another."""
    return tuple((part.name, _making(part)) for part in parts)


def _making(part: Any) -> Any:
    inside = _fields(part.parts)
    if part.element == "uuid":
        one: Any = _uuid
    elif part.parts:
        one = lambda message: _tuple(message, inside)  # noqa: E731
    else:
        return None
    return (lambda values: list(map(one, values))) if part.many else one


def _tuple(message: Any, fields: tuple[tuple[str, Any], ...]) -> tuple[Any, ...]:
    found = []
    for name, make in fields:
        value = getattr(message, name)
        found.append(value if make is None or value is None else make(value))
    return tuple(found)


@frozen
class Timed:
    """Seconds of processor time that one process needed for its log, and its rows."""

    rows: int
    seconds: float


def _work(place: tuple[int, int, int]) -> list[tuple[Timed, Timed]]:
    """One process: both ways in turn, ``rounds`` times; all processes begin a round together."""
    records, rounds, _ = place
    log = a_log(records)
    to_columns(log), to_tuples(log)
    found = []
    for _ in range(rounds):
        pair = []
        for way in (to_columns, to_tuples):
            _BARRIER.wait()
            began = time.process_time()
            rows = way(log)
            pair.append(Timed(rows, time.process_time() - began))
        found.append((pair[0], pair[1]))
    return found


_BARRIER: Any = None


def _share(barrier: Any) -> None:
    global _BARRIER
    _BARRIER = barrier


def measure_decoding(records: int, rounds: int, cores: int) -> dict[str, Any]:
    """Records a second of processor time, all cores together, the median of the rounds."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(cores, _share, (context.Barrier(cores),)) as pool:
        found = pool.map(_work, [(records, rounds, number) for number in range(cores)], 1)
    rates: list[list[float]] = [[], []]
    for number in range(rounds):
        for way in (0, 1):
            timed = [one[number][way] for one in found]
            rates[way].append(sum(one.rows / one.seconds for one in timed))
    columns, tuples = (statistics.median(one) for one in rates)
    return {
        "cores": cores,
        "columns_records_a_second": round(columns),
        "tuples_records_a_second": round(tuples),
        "columns_by_tuples": round(statistics.median(a / b for a, b in zip(*rates)), 2),
    }


def measure_spark(chosen: argparse.Namespace) -> dict[str, Any]:
    """What needs a session: one for both."""
    spark = open_session(None, {})
    figures: dict[str, Any] = {}
    try:
        with tempfile.TemporaryDirectory(prefix="metaquorum-pipeline-") as scratch:
            if chosen.only != "table":
                figures |= measure_stream(spark, Path(scratch), chosen.batches)
            if chosen.only != "stream":
                figures |= measure_table(spark, Path(scratch), chosen.partitions)
    finally:
        spark.stop()
    return figures


def measure_stream(spark: Any, scratch: Path, batches: int) -> dict[str, Any]:
    """A stream over a node of ours that commits a change every few milliseconds."""
    with OwnNode(scratch / "node") as node:
        with _writing(node):
            source = spark.readStream.format("kraft_metadata")
            query = (
                source.option("servers", node.bootstrap_controller)
                .load()
                .writeStream.format("noop")
                .option("checkpointLocation", str(scratch / "checkpoint"))
                .trigger(processingTime="0 seconds")
                .start()
            )
            seen: dict[int, Any] = {}
            while len(seen) < batches + 5:
                query.awaitTermination(0.2)
                seen |= {one["batchId"]: one for one in query.recentProgress}
            query.stop()
    took = [one["durationMs"]["triggerExecution"] for _, one in sorted(seen.items())[5:]]
    rows = [one["numInputRows"] for _, one in sorted(seen.items())[5:]]
    return {
        "micro_batch_median_s": round(statistics.median(took) / 1_000, 3),
        "micro_batch_p90_s": round(statistics.quantiles(took, n=10)[-1] / 1_000, 3),
        "micro_batch_median_rows": round(statistics.median(rows)),
    }


class _writing:
    """A client that changes a quota again and again while it is entered."""

    def __init__(self, node: OwnNode) -> None:
        self.node = node
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._write)

    def _write(self) -> None:
        with QuotaWriter.open(self.node.port) as writer:
            for number in _numbers():
                writer.set(f"user-{number % 100}", "producer_byte_rate", 1.0 + number)
                if self.over.wait(0.01):
                    return

    def __enter__(self) -> None:
        self.thread.start()

    def __exit__(self, *ignored: object) -> None:
        self.over.set()
        self.thread.join()


def _numbers() -> Iterator[int]:
    number = 0
    while True:
        yield number
        number += 1


def measure_table(spark: Any, scratch: Path, partitions: int) -> dict[str, Any]:
    """From a checkpoint of so many partitions to their table, in Parquet."""
    state = LargeState(topics=max(1, partitions // 100), partitions=100)
    write_directory(scratch / "large", state, port=9093)
    began = time.perf_counter()
    source = spark.read.format("kraft_metadata").option("raw", "always").option("types", TYPES)
    log = source.load(str(scratch / "large"))
    table = scratch / "table"
    state_at(log, "partitions").write.parquet(str(table))
    took = time.perf_counter() - began
    return {
        "as_of_partitions": spark.read.parquet(str(table)).count(),
        "as_of_table_s": round(took, 1),
    }


TYPES = "TopicRecord,PartitionRecord,PartitionChangeRecord,RemoveTopicRecord,SnapshotHeaderRecord"

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
