"""The stream over a live quorum: offsets are a place in the log and the epoch just before it.

``{"offset": n, "epoch": e}`` says that everything below ``n`` has been read and that the record
before ``n`` is of epoch ``e``. The epoch is what truncation shows itself by: a quorum whose log
has another epoch there lost committed records, and the query ends with LogDiverged rather than
go on over a gap. Nothing above the high watermark is ever an offset.

A place that was snapshotted away, at the start or while the query was down, is bridged: one
micro-batch is the snapshot, whole, its rows marked by ``snapshot_offset``; the log goes on at its
end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxRows,
    SupportsTriggerAvailableNow,
)

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import NO_EPOCH, Offset
from metaquorum.client.log_span import LogSpan, epoch_before, find_span
from pyspark_metaquorum.options import SourceOptions
from pyspark_metaquorum.range_partition import RangePartition
from pyspark_metaquorum.ranges import read_range, span_ranges


class QuorumStream(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Micro-batches of committed records of a live quorum."""

    def __init__(self, options: SourceOptions) -> None:
        if options.end is not None:
            raise OperatorError("endingOffset is for batch reads: a stream has no end")
        self.options = options
        self.target: Offset | None = None
        self.newest: LogSpan | None = None

    def initialOffset(self) -> dict[str, int]:
        """Where a new query begins."""
        start = self.options.start
        if start == "earliest":
            return _place(0, NO_EPOCH)
        if start == "latest":
            span = self._span(_place(0, NO_EPOCH))
            return _place(span.end, span.epoch)
        return _place(start, NO_EPOCH)

    def latestOffset(self, start: Mapping[str, int], limit: ReadLimit) -> dict[str, int]:
        """Up to where the next micro-batch goes."""
        span = self.newest = self._span(start)
        if span.snapshot is not None:
            return _place(span.snapshot.offset, span.snapshot.epoch)
        end, epoch = span.end, span.epoch
        if self.target is not None and self.target < end:
            end, epoch = self.target, NO_EPOCH
        if isinstance(limit, ReadMaxRows) and end - start["offset"] > limit.max_rows:
            end, epoch = start["offset"] + limit.max_rows, NO_EPOCH
        if end <= start["offset"]:
            return dict(start)
        if epoch == NO_EPOCH:
            epoch = epoch_before(
                self.options.servers,
                end,
                timeout_ms=self.options.timeout_ms,
                open=self.options.open,
            )
        return _place(end, epoch)

    def getDefaultReadLimit(self) -> ReadLimit:
        """``maxRowsPerTrigger``, or all there is."""
        rows = self.options.max_rows
        return ReadAllAvailable() if rows is None else ReadMaxRows(rows)

    def reportLatestOffset(self) -> dict[str, int] | None:
        """The high watermark when it was last seen, for the query's progress."""
        return None if self.newest is None else _place(self.newest.end, self.newest.epoch)

    def prepareForTriggerAvailableNow(self) -> None:
        """From now on nothing above the present high watermark is read."""
        self.target = self._span(_place(0, NO_EPOCH)).end

    def partitions(
        self, start: Mapping[str, int], end: Mapping[str, int]
    ) -> Sequence[InputPartition]:
        """The parts of one micro-batch; a snapshot first, where the log no longer reaches back."""
        span = self._span(start)
        until = end["offset"]
        return [
            RangePartition(one)
            for one in span_ranges(span.snapshot, span.first, until, self.options)
        ]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The rows of one part."""
        assert isinstance(partition, RangePartition)
        return read_range(partition.value, self.options)

    def commit(self, end: Mapping[str, int]) -> None:
        """Nothing is kept for a reader: the quorum does not know of it."""

    def stop(self) -> None:
        """No connection outlives a call."""

    def _span(self, place: Mapping[str, int]) -> LogSpan:
        epoch = place["epoch"]
        return find_span(
            self.options.servers,
            place["offset"],
            None if epoch == NO_EPOCH else epoch,
            timeout_ms=self.options.timeout_ms,
            open=self.options.open,
        )


def _place(offset: int, epoch: int) -> dict[str, int]:
    return {"offset": offset, "epoch": epoch}
