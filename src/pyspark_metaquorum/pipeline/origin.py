"""Where the log comes from: a live quorum, or files.

An origin says what is new since the last landing and gives it as rows. It refuses to go on with
another log than the one that has been landed: the record before the landed end must still be of
the epoch that it had.
"""

from __future__ import annotations

from typing import Any, Protocol

from attrs import frozen
from pyspark.sql import functions as F

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import NO_EPOCH, Offset
from metaquorum.client.log_span import LogSpan, find_span
from metaquorum.client.metadata_log import LogDiverged, parse_addresses
from metaquorum.storage.names import METADATA_DIRECTORY, snapshot_file
from pyspark_metaquorum.elsewhere import decode_files
from pyspark_metaquorum.file_system import Place
from pyspark_metaquorum.log_directory import choose_files, is_above, plan
from pyspark_metaquorum.options import reader_of
from pyspark_metaquorum.pipeline.landing import Landing
from pyspark_metaquorum.pipeline.source_name import is_quorum


class Origin(Protocol):
    """A log that can be read from an offset on."""

    grows: bool

    def end(self, last: Landing | None) -> Offset | None:
        """Where the log ends now; None for files, whose end is known when they have been read."""

    def new_rows(self, spark: Any, last: Landing | None, end: Offset | None) -> Any | None:
        """What comes after the last landing, up to ``end``; None if nothing does.

        Raises OperatorError.
        """


@frozen
class QuorumOrigin:
    """A live quorum, read up to its high watermark and at most ``most`` offsets at once."""

    servers: str
    most: int
    timeout_ms: int
    command_config: str | None = None
    grows = True

    def end(self, last: Landing | None) -> Offset | None:
        """The high watermark. Raises LogDiverged if what has landed was taken back."""
        return self._span(last).end

    def _span(self, last: Landing | None) -> LogSpan:
        first, epoch = (0, NO_EPOCH) if last is None else (last.end, last.epoch)
        known = None if epoch == NO_EPOCH else epoch
        return find_span(
            parse_addresses(self.servers),
            first,
            known,
            timeout_ms=self.timeout_ms,
            open=reader_of(self.command_config),
        )

    def new_rows(self, spark: Any, last: Landing | None, end: Offset | None) -> Any | None:
        """Committed records after the last landing, or the snapshot that stands for them."""
        first = 0 if last is None else last.end
        span = self._span(last)
        limit = span.end if end is None else min(span.end, end)
        if span.snapshot is None and limit <= first:
            return None
        until = max(span.first, min(limit, span.first + self.most))
        reader = spark.read.format("kraft_metadata")
        if self.command_config is not None:
            reader = reader.option("commandConfig", self.command_config)
        return (
            reader.option("servers", self.servers)
            .option("startingOffset", first)
            .option("endingOffset", until)
            .option("raw", "always")
            .option("timeoutMs", self.timeout_ms)
            .load()
        )


@frozen
class FilesOrigin:
    """A directory, segment or checkpoint on a file system that Arrow reads."""

    uri: str
    grows = False

    def end(self, last: Landing | None) -> Offset | None:
        """Not known yet."""
        return None

    def new_rows(self, spark: Any, last: Landing | None, end: Offset | None) -> Any | None:
        """What the files have beyond the last landing. They are read to their end."""
        first = 0 if last is None else last.end
        if last is not None:
            before = plan(self.uri, start=last.end - 1)
            if not any(one.snapshot for one in before):  # else it is not in the log any more
                _refuse_other_log(self.uri, self._read(spark, last.end - 1, "never"), last)
        return self._read(spark, first, "always") if plan(self.uri, start=first) else None

    def _read(self, spark: Any, first: Offset, raw: str) -> Any:
        source = spark.read.format("kraft_metadata").option("raw", raw)
        return source.option("startingOffset", first).load(self.uri)


@frozen
class SparkFilesOrigin:
    """The same on a file system that Spark reads and Arrow does not, a file a task."""

    uri: str
    grows = False

    def end(self, last: Landing | None) -> Offset | None:
        """Not known yet."""
        return None

    def new_rows(self, spark: Any, last: Landing | None, end: Offset | None) -> Any | None:
        """What the files have beyond the last landing."""
        first = 0 if last is None else last.end
        if last is not None:
            directory, paths, begin = self._chosen(spark, last.end - 1)
            if begin is None:
                _refuse_other_log(directory, _decoded(spark, paths), last)
        _, paths, begin = self._chosen(spark, first)
        if not paths:
            return None
        rows = _decoded(spark, paths)
        in_snapshot = F.col("snapshot_offset").isNotNull()
        least = max(first, begin or 0)
        return rows.where(in_snapshot | F.col("problem").isNotNull() | (F.col("offset") >= least))

    def _chosen(self, spark: Any, first: Offset) -> tuple[str, list[str], Offset | None]:
        """The directory, the files in it that are to be read, and where its segments count."""
        directory = self.uri.rstrip("/")
        names = _listed(spark, directory)
        if is_above(names):
            directory = f"{directory}/{METADATA_DIRECTORY}"
            names = _listed(spark, directory)
        chosen = choose_files(directory, names, first)
        files = [name for _, name in chosen.segments]
        if chosen.checkpoint is not None:
            files.insert(0, snapshot_file(chosen.checkpoint))
        return directory, [f"{directory}/{name}" for name in files], chosen.first


def _decoded(spark: Any, paths: list[str]) -> Any:
    return decode_files(spark.read.format("binaryFile").load(paths), raw="always")


def _listed(spark: Any, directory: str) -> list[str]:
    """The names in a directory of any of Spark's file systems."""
    from py4j.protocol import Py4JJavaError

    path = spark._jvm.org.apache.hadoop.fs.Path(directory)
    try:
        system = path.getFileSystem(spark._jsc.hadoopConfiguration())
        return sorted(one.getPath().getName() for one in system.listStatus(path))
    except Py4JJavaError as error:
        raise OperatorError(f"{directory}: {error.java_exception.getMessage()}") from None


def _refuse_other_log(uri: str, rows: Any, last: Landing) -> None:
    """Raises OperatorError unless the record before the landed end is the one that landed."""
    at = (F.col("offset") == last.end - 1) & F.col("snapshot_offset").isNull()
    found = rows.where(at).select("epoch").first()
    if found is None:
        raise OperatorError(
            f"{uri}: the log has no record at offset {last.end - 1}, and what is landed goes up "
            "to there: it is another log, or it was cut"
        )
    if found["epoch"] != last.epoch:
        raise LogDiverged(
            f"{uri}: the record at offset {last.end - 1} is of epoch {found['epoch']}, and the one "
            f"that has landed is of epoch {last.epoch}: it is another log, or it was taken back"
        )


def origin_of(
    source: str, *, most: int, timeout_ms: int, command_config: str | None = None
) -> Origin:
    """What SOURCE means: ``host:port,...`` is a quorum, all else a path or a URI.

    Raises OperatorError for a local path at which there is nothing.
    """
    if is_quorum(source):
        parse_addresses(source)
        return QuorumOrigin(source, most, timeout_ms, command_config)
    try:
        place = Place.of(source)
    except OperatorError:
        return SparkFilesOrigin(source)
    place.names()
    return FilesOrigin(source)
