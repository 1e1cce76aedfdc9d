"""The oldest snapshot that a leader still keeps, and the log from its end on.

A leader names its latest snapshot alone. Retention keeps older ones too, and the log from the end
of the oldest on: that is where the log starts, or, on a node that was started again since, a few
batches further, since its log then begins with a whole segment. Its epoch is the one that the
leader accepts at the start of its log. So it is found by asking for it: at once as a rule, else
by the ends of the batches that follow. Kafka's leaders write a line for each wrong name, so there
are few of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from tempfile import SpooledTemporaryFile
from typing import IO

from attrs import define, field

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.base.limits import MAX_SNAPSHOT_GUESSES
from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.client.connection import ConnectionFailed, VersionsDoNotMeet
from metaquorum.client.log_record import FetchedBatch
from metaquorum.client.log_span import SnapshotGone
from metaquorum.client.metadata_log import (
    SNAPSHOT_IN_MEMORY_BYTES,
    MetadataLogReader,
    SnapshottedAway,
)
from metaquorum.client.snapshot_download import SnapshotUnavailable, download, walk

OpenAt = Callable[[Offset], MetadataLogReader]
_ATTEMPTS = 3


@define
class OldestSnapshot:
    """Finds it. ``open_at`` makes a reader from an offset on that does not bridge."""

    open_at: OpenAt
    latest: OffsetAndEpoch
    _guesses: int = field(default=0, init=False)

    def batches(self, log_start_offset: Offset) -> Iterator[FetchedBatch]:
        """The snapshot's batches, marked with its name, then those of the log up to its end.

        Raises SnapshotGone when nothing older than the latest snapshot is found, and what the
        reader raises.
        """
        start = log_start_offset
        for _ in range(_ATTEMPTS):
            reader = self.open_at(start)
            try:
                with SpooledTemporaryFile(max_size=SNAPSHOT_IN_MEMORY_BYTES) as spooled:
                    batches = reader.batches()
                    try:
                        found, next_batch = self._found(reader, batches, start, spooled)
                    except SnapshottedAway as moved:  # retention went on meanwhile
                        start = moved.log_start_offset
                        continue
                    yield from walk(spooled, found)
                    yield next_batch
                    yield from batches
                    return
            finally:
                reader.close()
        raise SnapshotGone(f"the log's start moves too fast to be read, it was at {start} last")

    def _found(
        self,
        reader: MetadataLogReader,
        batches: Iterator[FetchedBatch],
        start: Offset,
        into: IO[bytes],
    ) -> tuple[OffsetAndEpoch, FetchedBatch]:
        """The oldest snapshot, downloaded, and the batch of the log that was read last."""
        for batch in batches:
            header = batch.header
            epoch = reader.accepted_epoch or header.leader_epoch
            ends = [header.next_offset] if header.leader_epoch == epoch else []
            if header.base_offset <= start < header.next_offset:
                ends.insert(0, start)
            for name in (OffsetAndEpoch(epoch, end) for end in ends):
                if name.offset < self.latest.offset and self._is_there(reader, name, into):
                    return name, batch
            if header.next_offset >= self.latest.offset:
                break
        raise SnapshotGone(f"no snapshot older than that of offset {self.latest.offset} is kept")

    def _is_there(self, reader: MetadataLogReader, name: OffsetAndEpoch, into: IO[bytes]) -> bool:
        """Whether the leader has this snapshot, which is downloaded then."""
        self._guesses += 1
        if self._guesses > MAX_SNAPSHOT_GUESSES:
            raise SnapshotGone(
                f"of {MAX_SNAPSHOT_GUESSES} names tried none was that of an older snapshot; "
                "the leader's own directory tells (--log-dir)"
            )
        into.seek(0)
        into.truncate()
        try:
            download(reader.link.connected(), reader.link.epoch, name, into)
        except SnapshotUnavailable:
            return False
        except (ConnectionFailed, PeerError, VersionsDoNotMeet) as error:
            where = f"snapshot {name.offset}-{name.epoch}"
            raise OperatorError(f"{where} could not be fetched: {error}") from None
        return True
