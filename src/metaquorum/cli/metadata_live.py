"""The metadata state of a live quorum, ours or Kafka's, at any point that it still has."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.cli.metadata_load import LoadedState, Loading, Say
from metaquorum.cli.metadata_point import Point
from metaquorum.client.log_record import FetchedBatch
from metaquorum.client.log_span import SnapshotGone
from metaquorum.client.metadata_log import MetadataLogReader, parse_addresses, reading
from metaquorum.client.oldest_snapshot import OldestSnapshot

Open = Callable[..., MetadataLogReader]


class _Behind(Exception):
    """The point lies before the end of this snapshot."""

    def __init__(self, snapshot: OffsetAndEpoch) -> None:
        super().__init__(snapshot)
        self.snapshot = snapshot


def from_quorum(
    bootstrap: str, point: Point, timeout_ms: int, say: Say, *, open: Open = MetadataLogReader
) -> LoadedState:
    """The committed state at ``point``; the quorum does not notice (see ``metaquorum tail``).

    While the log has its beginning it is replayed whole, so every entry knows its record. A log
    whose beginning is snapshotted away is read from the leader's latest snapshot on, and where
    ``point`` lies before that, from the oldest one that the leader keeps. OperatorError tells
    when it lies before that one too. ``open`` makes a reader (tests pass their own).
    """
    addresses = parse_addresses(bootstrap)
    place = f"the metadata log of {bootstrap}"
    with reading(open(addresses, timeout_ms=timeout_ms, notice=say)) as reader:
        loading = Loading(place, point, say)
        try:
            _load(loading, reader.batches())
            return loading.finished(bootstrap)
        except _Behind as behind:
            latest, start = behind.snapshot, reader.log_start_offset

    def open_at(offset: Offset) -> MetadataLogReader:
        return open(addresses, start=offset, timeout_ms=timeout_ms, bridge=False)

    say(f"{point.text} lies before the latest snapshot: looking for the oldest one that is kept")
    loading = Loading(place, point, say)
    oldest = latest
    if start < latest.offset:
        try:
            _load(loading, OldestSnapshot(open_at, latest).batches(start))
            return loading.finished(bootstrap)
        except SnapshotGone as gone:
            say(str(gone))
        except _Behind as behind:
            oldest = behind.snapshot
    raise OperatorError(
        f"{place}: the state at {point.text} is no longer served, "
        f"the oldest one is that after offset {oldest.offset - 1}"
    )


def _load(loading: Loading, batches: Iterator[FetchedBatch]) -> None:
    """Replay up to the point; _Behind when the batches begin with a snapshot beyond it."""
    held = next(batches, None)
    if held is not None and held.snapshot is not None:
        held = _load_snapshot(loading, held, held.snapshot, batches)
    while held is not None and loading.take(held.header, held.data):
        held = next(batches, None)


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
    if not loading.point.reaches(snapshot.offset, loading.first_time_ms or 0):
        raise _Behind(snapshot)
    return after
