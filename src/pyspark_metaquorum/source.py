"""``format("kraft_metadata")``: the metadata log as a table, from files or from a live quorum.

    spark.read.format("kraft_metadata").load("/var/kafka/__cluster_metadata-0")
    spark.read.format("kraft_metadata").option("servers", "localhost:9093").load()
    spark.readStream.format("kraft_metadata").option("servers", "localhost:9093").load()

The columns are in ``columns``, the options in ``options``. A live quorum is read as ``metaquorum
tail`` reads it: as an observer that leaves no trace, and never above the high watermark. Files
say nothing about the high watermark: a log directory is read to its end, and the end of a
directory of one replica may hold records that its quorum has not committed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from metaquorum.base.errors import OperatorError
from metaquorum.client.log_span import find_span
from pyspark_metaquorum.columns import record_types
from pyspark_metaquorum.log_directory import plan
from pyspark_metaquorum.options import SourceOptions
from pyspark_metaquorum.range_partition import RangePartition
from pyspark_metaquorum.ranges import Range, read_range, span_ranges
from pyspark_metaquorum.spark_schema import spark_schema


class KraftMetadataSource(DataSource):
    """The source that Spark makes for ``kraft_metadata``."""

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(options)
        self.read_options = SourceOptions.read(options)

    @classmethod
    def name(cls) -> str:
        """The name for ``format``."""
        return "kraft_metadata"

    def schema(self) -> Any:
        """The base columns, and a struct for each record type asked for."""
        return spark_schema(self.read_options.types or record_types())

    def reader(self, schema: Any) -> MetadataLogTable:
        """A batch reader."""
        return MetadataLogTable(self.read_options)

    def streamReader(self, schema: Any) -> Any:
        """A stream reader; OperatorError for files, which do not say what is committed."""
        if not self.read_options.servers:
            raise OperatorError(
                "a stream needs servers: files do not say what is committed, and what is not may "
                "be taken back"
            )
        try:
            from pyspark_metaquorum.stream import QuorumStream
        except ImportError:
            raise OperatorError("a stream needs Spark 4.2 or later") from None
        return QuorumStream(self.read_options)


class MetadataLogTable(DataSourceReader):
    """Reads what is there when the query is planned."""

    def __init__(self, options: SourceOptions) -> None:
        self.options = options

    def partitions(self) -> Sequence[InputPartition]:
        """The parts in the order of the log."""
        if self.options.start == "latest":
            raise OperatorError("startingOffset latest is for streams: a batch would be empty")
        found = _live(self.options) if self.options.servers else plan_files(self.options)
        return [RangePartition(one) for one in found]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The rows of one part."""
        assert isinstance(partition, RangePartition)
        return read_range(partition.value, self.options)


def plan_files(options: SourceOptions) -> list[Range]:
    """The ranges of a path, without checkpoints that the start makes superfluous."""
    assert options.path is not None
    start = options.start if isinstance(options.start, int) else 0
    return list(plan(options.path, options.partition_bytes, start))


def _live(options: SourceOptions) -> list[Range]:
    start = options.start if isinstance(options.start, int) else 0
    span = find_span(options.servers, start, timeout_ms=options.timeout_ms, open=options.open)
    return span_ranges(span.snapshot, span.first, span.end, options)
