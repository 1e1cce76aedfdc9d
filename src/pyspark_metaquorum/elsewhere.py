"""The log as Spark's own sources read it: consumed from a topic, or as whole files.

Spark's Kafka source reads ``__cluster_metadata`` of a metaquorum node as any topic; Spark's
``binaryFile`` reads segments and checkpoints from every file system that Spark knows. Both give
bytes: these functions make the rows of ``columns`` of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

import pyarrow as pa

from metaquorum.storage.names import parse_snapshot_file
from pyspark_metaquorum.columns import record_types
from pyspark_metaquorum.decoding import Decoder, Raw
from pyspark_metaquorum.log_directory import FileRange
from pyspark_metaquorum.ranges import decode_bytes
from pyspark_metaquorum.spark_schema import spark_schema


def decode_topic(topic: Any, types: Collection[str] | None = None, raw: Raw = "unknown") -> Any:
    """The rows of ``__cluster_metadata`` as Spark's Kafka source reads it, batch or stream.

    ``topic`` is a DataFrame with that source's ``value``, ``offset`` and ``timestamp``. A consumer
    is shown no control records and no epochs: those columns are null. Raises OperatorError for a
    type that there is not.
    """
    wanted = record_types(types)

    def decoded(parts: Iterator[Any]) -> Iterator[Any]:
        for part in parts:
            decoder = Decoder("topic", wanted if types is not None else None, raw)
            microseconds = part.column("timestamp").cast(pa.int64())
            decoder.take_values(
                part.column("value"),
                part.column("offset"),
                pa.array(microseconds.to_numpy() // 1_000),
            )
            yield from decoder.rest()

    chosen = topic.select("value", "offset", "timestamp")
    return chosen.mapInArrow(decoded, spark_schema(wanted))


def decode_files(files: Any, types: Collection[str] | None = None, raw: Raw = "unknown") -> Any:
    """The rows of segments and checkpoints that ``spark.read.format("binaryFile")`` has loaded.

    Each file is decoded by itself: rows out of checkpoints have their ``snapshot_offset``, and
    the reader of a state chooses which of them to go by. Raises OperatorError for a type that
    there is not.
    """
    wanted = record_types(types)

    def decoded(parts: Iterator[Any]) -> Iterator[Any]:
        for part in parts:
            paths, contents = part.column("path").to_pylist(), part.column("content")
            for path, content in zip(paths, contents):
                data = content.as_buffer()
                name = path.rpartition("/")[2]
                whole = FileRange(path, 0, data.size, data.size, parse_snapshot_file(name))
                decoder = Decoder(path, wanted if types is not None else None, raw)
                yield from decode_bytes(_reader(memoryview(data)), whole, decoder)
                yield from decoder.rest()

    return files.select("path", "content").mapInArrow(decoded, spark_schema(wanted))


def _reader(data: memoryview) -> Callable[[int, int], bytes]:
    return lambda position, count: bytes(data[position : position + count])
