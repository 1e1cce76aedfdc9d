"""A Spark job that makes missing producer snapshots again, of a whole cluster (KIP-952).

    python -m pyspark_metaquorum.regenerate --log-dir /mnt/broker-1 --log-dir /mnt/broker-2
    spark-submit --master yarn regenerate.py --log-dir s3://backups/cluster --dry-run

One task replays one partition, by the code of ``metaquorum producer-snapshots regenerate``: the
files are equal. On a file system of this machine the locks of the brokers' directories are held
meanwhile; copies on an object store have nobody who would write to them.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, Final

import click
import pyarrow as pa

from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError
from metaquorum.storage.directory_lock import DirectoryLock
from metaquorum.storage.missing_snapshots import EXPIRATION_MS, SnapshotMade, make_missing
from metaquorum.storage.names import PRODUCER_SNAPSHOT, segment_file
from metaquorum.storage.partition_directories import (
    PartitionDirectory,
    all_partition_directories,
)
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.producer_regeneration import SnapshotState
from pyspark_metaquorum.arrow_disk import disk_of
from pyspark_metaquorum.spark_schema import spark_struct

_WORK: Final = pa.schema(
    [("root", pa.string()), ("path", pa.string()), ("name", pa.string()), ("start", pa.int64())]
)
_DONE: Final = pa.schema(
    [
        ("root", pa.string()),
        ("partition", pa.string()),
        ("path", pa.string()),
        ("found", pa.string()),
        ("done", pa.string()),
        ("producers", pa.int32()),
        ("replayed_from", pa.int64()),
        ("replayed_segments", pa.int32()),
        ("looked_at_segments", pa.int32()),
        ("problem", pa.string()),
    ]
)
WRITTEN, WOULD_BE, VALID, FAILED = "written", "would be written", "valid", "failed"
Row = dict[str, Any]
_CREDENTIALS: Final = re.compile("://[^/]*@")  # of a URI; they are in no row

EXAMPLES = """\b
Examples:
  python -m pyspark_metaquorum.regenerate --log-dir /mnt/broker-1 --log-dir /mnt/broker-2 --dry-run
  python -m pyspark_metaquorum.regenerate --log-dir s3://backups/cluster -o json
"""


def regenerate(
    spark: Any,
    roots: Sequence[str],
    *,
    now_ms: Millis,
    expiration_ms: Millis = EXPIRATION_MS,
    dry_run: bool = False,
) -> Any:
    """Make what is missing below ``roots``, and a DataFrame with a row for every place.

    A root is a path or URI of a partition, a broker's log directory, or anything above. It is
    done when this returns: reading the DataFrame does nothing again. ``problem`` says what could
    not be made, and of which partition nothing could. Raises OperatorError for a root without
    partitions, or one that a broker holds.
    """
    work = [(root, one) for root in roots for one in _partitions(root)]
    rows = [(root, one.path, one.name, one.log_start) for root, one in work]
    with ExitStack() as held:
        if not dry_run:
            for directory in _local_log_dirs(work):
                held.callback(DirectoryLock(directory).release)
        tasks = spark.createDataFrame(rows, spark_struct(_WORK)).repartition(len(rows), "path")

        def job(parts: Iterator[Any]) -> Iterator[Any]:
            for part in parts:
                done = _done(part.to_pylist(), now_ms, expiration_ms, dry_run)
                yield pa.RecordBatch.from_pylist(list(done), schema=_DONE)

        return tasks.mapInArrow(job, spark_struct(_DONE)).localCheckpoint(eager=True)


def _partitions(root: str) -> tuple[PartitionDirectory, ...]:
    disk, path = disk_of(root)
    try:
        return all_partition_directories(disk, path)
    except OSError as error:
        raise OperatorError(f"{root}: {error}") from None


def _local_log_dirs(work: Iterable[tuple[str, PartitionDirectory]]) -> list[str]:
    found = {one.log_dir: None for root, one in work if isinstance(disk_of(root)[0], PosixDisk)}
    return list(found)


def _done(
    tasks: Iterable[Row], now_ms: Millis, expiration_ms: Millis, dry_run: bool
) -> Iterator[Row]:
    """What became of each place of a snapshot in these partitions."""
    for task in tasks:
        partition = PartitionDirectory(task["path"], task["name"], task["start"])
        shown = _CREDENTIALS.sub("://", task["root"])
        row = {"root": shown, "partition": partition.name, "path": partition.path}
        disk, _ = disk_of(task["root"])
        try:
            for one in make_missing(disk, partition, now_ms, expiration_ms, dry_run=dry_run):
                yield row | _facts(one, dry_run)
        except (OperatorError, OSError) as error:
            yield row | {"done": FAILED, "problem": str(error)}


def _facts(one: SnapshotMade, dry_run: bool) -> Row:
    name = segment_file(one.found.offset, PRODUCER_SNAPSHOT)
    row: Row = {"path": f"{one.partition.path}/{name}", "found": one.found.state.value}
    if one.problem:
        return row | {"done": FAILED, "problem": one.problem}
    if one.found.state is SnapshotState.VALID or one.made is None:
        return row | {"done": VALID}
    return row | {
        "done": WOULD_BE if dry_run else WRITTEN,
        "producers": len(one.made.entries),
        "replayed_from": one.made.replayed_from,
        "replayed_segments": one.made.replayed_segments,
        "looked_at_segments": one.made.looked_at_segments,
    }


@click.command(epilog=EXAMPLES)
@click.option(
    "--log-dir",
    "roots",
    required=True,
    multiple=True,
    metavar="DIR",
    help="A path or URI: of a partition, a broker's log directory, or anything above; repeatable.",
)
@click.option("--dry-run", is_flag=True, help="Replay and tell, but write nothing.")
@click.option(
    "--producer-id-expiration-ms",
    "expiration_ms",
    type=click.IntRange(1),
    default=EXPIRATION_MS,
    show_default=True,
    metavar="MS",
    help="The brokers' producer.id.expiration.ms: who wrote nothing for so long is forgotten.",
)
@click.option("--master", metavar="URL", help="The Spark master; default what Spark is set to.")
@click.option(
    "-o",
    "--output",
    type=click.Choice(["line", "json"]),
    default="line",
    show_default=True,
    help="One readable line a snapshot that was not there, or one JSON object a line.",
)
def main(
    roots: tuple[str, ...], dry_run: bool, expiration_ms: int, master: str | None, output: str
) -> None:
    """Make missing producer snapshots of whole clusters again, on Spark (KIP-952).

    Exit code 1 if one cannot be had.
    """
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("metaquorum producer snapshots")
    spark = (builder.master(master) if master else builder).getOrCreate()
    now_ms = time.time_ns() // 1_000_000
    try:
        done = regenerate(spark, roots, now_ms=now_ms, expiration_ms=expiration_ms, dry_run=dry_run)
        failed = sum(_tell(row.asDict(), output) for row in done.orderBy("path").toLocalIterator())
    except OperatorError as error:
        raise click.ClickException(str(error)) from None
    finally:
        spark.stop()
    raise SystemExit(1 if failed else 0)


def _tell(row: Row, output: str) -> bool:
    """Say what became of one place; whether it failed."""
    failed = bool(row["done"] == FAILED)
    if output == "json":
        click.echo(json.dumps(row))
    elif failed:
        click.echo(f"{row['path']} cannot be made: {row['problem']}", err=True)
    elif row["done"] != VALID:
        count = row["replayed_segments"]
        segments = "1 segment" if count == 1 else f"{count} segments"
        click.echo(
            f"{row['path']} {row['done']}: {row['producers']} producers, replayed "
            f"{segments} from offset {row['replayed_from']}"
        )
    return failed


if __name__ == "__main__":
    main()
