"""What of a quorum's metadata log can be read from an offset on, asked once, without a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from tempfile import SpooledTemporaryFile

from attrs import frozen

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.base.offsets import Epoch, Offset, OffsetAndEpoch
from metaquorum.client.connection import ConnectionFailed, VersionsDoNotMeet
from metaquorum.client.leader_link import Address
from metaquorum.client.log_record import FetchedBatch
from metaquorum.client.metadata_log import (
    LEADER_TIMEOUT_MS,
    SNAPSHOT_IN_MEMORY_BYTES,
    MetadataLogReader,
    SnapshottedAway,
)
from metaquorum.client.snapshot_download import SnapshotUnavailable, download, walk

DOWNLOAD_ATTEMPTS = 3
Open = Callable[..., MetadataLogReader]


class SnapshotGone(OperatorError):
    """The quorum no longer hands out the snapshot that was to be read."""


@frozen
class LogSpan:
    """From ``first`` to ``end`` (not included) the log can be read; all of it is committed.

    ``snapshot`` stands for what lies before ``first``, when the asked start is snapshotted away.
    ``epoch`` is that of the last record before ``end``.
    """

    first: Offset
    end: Offset
    epoch: Epoch
    snapshot: OffsetAndEpoch | None = None


def find_span(
    bootstrap: Sequence[Address],
    start: Offset,
    start_epoch: Epoch | None = None,
    *,
    timeout_ms: int = LEADER_TIMEOUT_MS,
    open: Open = MetadataLogReader,
) -> LogSpan:
    """The span from ``start`` on. ``open`` makes the reader (tests pass their own).

    A leader reports a high watermark only once it lies beyond the first record of its own epoch,
    so the record before the watermark has the leader's epoch.

    Raises LogDiverged when the record before ``start`` is no longer of ``start_epoch``,
    OffsetNotInLog for a start beyond the log, NoLeader and TailRefused as the reader does.
    """
    reader = open(
        bootstrap, start=start, timeout_ms=timeout_ms, start_epoch=start_epoch, bridge=False
    )
    batches = reader.batches()
    try:
        next(batches, None)
    except SnapshottedAway as away:
        first: Offset = away.snapshot.offset
        end = max(reader.high_watermark, first)
        return LogSpan(first, end, reader.link.epoch, away.snapshot)
    finally:
        reader.close()
    return LogSpan(start, reader.high_watermark, reader.link.epoch)


def epoch_before(
    bootstrap: Sequence[Address],
    offset: Offset,
    *,
    timeout_ms: int = LEADER_TIMEOUT_MS,
    open: Open = MetadataLogReader,
) -> Epoch:
    """The epoch of the record before ``offset``, which is committed and still in the log."""
    reader = open(bootstrap, start=offset - 1, timeout_ms=timeout_ms, bridge=False)
    try:
        for batch in reader.batches():
            if batch.header.next_offset >= offset:
                return batch.header.leader_epoch
    finally:
        reader.close()
    raise OperatorError(f"the log has no record before offset {offset}")


def snapshot_batches(
    bootstrap: Sequence[Address],
    snapshot: OffsetAndEpoch,
    *,
    timeout_ms: int = LEADER_TIMEOUT_MS,
    open: Open = MetadataLogReader,
) -> Iterator[FetchedBatch]:
    """The batches of this snapshot, downloaded whole before the first is yielded.

    Raises SnapshotGone when the quorum does not hand it out any more.
    """
    why = ""
    for _ in range(DOWNLOAD_ATTEMPTS):
        reader = open(bootstrap, start="end", timeout_ms=timeout_ms)
        reader.find_leader()
        with SpooledTemporaryFile(max_size=SNAPSHOT_IN_MEMORY_BYTES) as spooled:
            try:
                download(reader.link.connected(), reader.link.epoch, snapshot, spooled)
            except SnapshotUnavailable as error:
                raise SnapshotGone(
                    f"snapshot {snapshot.offset}-{snapshot.epoch} is not handed out: {error}"
                ) from None
            except (ConnectionFailed, PeerError, VersionsDoNotMeet) as error:
                why = str(error)
                continue
            finally:
                reader.close()
            yield from walk(spooled, snapshot)
            return
    raise SnapshotGone(f"snapshot {snapshot.offset}-{snapshot.epoch} could not be fetched: {why}")
