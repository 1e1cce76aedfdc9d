"""The metadata state of a live quorum, ours or Kafka's, at any point that it still has."""

from __future__ import annotations

from collections.abc import Iterator

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.cli.metadata_load import LoadedState, Loading, Say
from metaquorum.cli.metadata_point import Point
from metaquorum.client.log_record import FetchedBatch
from metaquorum.client.metadata_log import MetadataLogReader, parse_addresses


def from_quorum(bootstrap: str, point: Point, timeout_ms: int, say: Say) -> LoadedState:
    """The committed state at ``point``; the quorum does not notice (see ``metaquorum tail``).

    While the log has its beginning it is replayed whole, so every entry knows its record. A log
    whose beginning is snapshotted away is read from the leader's latest snapshot on, and
    OperatorError tells when ``point`` lies before that.
    """
    reader = MetadataLogReader(parse_addresses(bootstrap), timeout_ms=timeout_ms, notice=say)
    loading = Loading(f"the metadata log of {bootstrap}", point, say)
    try:
        batches = reader.batches()
        held = next(batches, None)
        if held is not None and held.snapshot is not None:
            held = _load_snapshot(loading, held, held.snapshot, batches)
        while held is not None and loading.take(held.header, held.data):
            held = next(batches, None)
    finally:
        reader.close()
    return loading.finished(bootstrap)


def _load_snapshot(
    loading: Loading,
    first: FetchedBatch,
    snapshot: OffsetAndEpoch,
    batches: Iterator[FetchedBatch],
) -> FetchedBatch | None:
    """Load the snapshot that begins with ``first``; the first batch of the log after it."""
    content = [(first.header, first.data)]
    after = None
    for batch in batches:
        if batch.snapshot != snapshot:
            after = batch
            break
        content.append((batch.header, batch.data))
    loading.begin_at(snapshot, content)
    contained_ms = loading.first_time_ms or 0
    if not loading.point.reaches(snapshot.offset, contained_ms):
        raise OperatorError(
            f"{loading.place}: the state at {loading.point.text} is no longer served, "
            f"the oldest one is that after offset {snapshot.offset - 1}"
        )
    return after
