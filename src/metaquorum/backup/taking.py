"""One run of a backup: what is committed since the last one, as a step behind the others.

The log is read as ``metaquorum tail`` reads it, so the quorum does not notice. The last batch of
the step before is read again: only a log that still has the very same one is gone on with.
Objects come first and the manifest last, each put whole, and no run writes over another's: a run
that is killed anywhere leaves a store as it was, with objects that nobody names.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import Protocol

from attrs import define, field, frozen

from metaquorum.backup.chain import Link, latest, listed
from metaquorum.backup.manifest import (
    LastBatch,
    Object,
    Previous,
    SegmentObject,
    Step,
    digest_of,
    encode_step,
    manifest_key,
    object_key,
)
from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import ClusterId
from metaquorum.base.limits import BACKUP_SEGMENT_BYTES
from metaquorum.base.offsets import NO_OFFSET, Epoch, Offset, OffsetAndEpoch
from metaquorum.client.log_record import FetchedBatch
from metaquorum.client.log_span import SnapshotGone
from metaquorum.client.metadata_log import (
    LogDiverged,
    MetadataLogReader,
    OffsetNotInLog,
    SnapshottedAway,
)
from metaquorum.client.quorum_view import QuorumView
from metaquorum.client.snapshot_question import LatestSnapshot
from metaquorum.records.batch import BatchHeader
from metaquorum.storage.disk import Disk, File
from metaquorum.storage.names import LOG, segment_file, snapshot_file
from metaquorum.storage.snapshot_check import BadSnapshot
from metaquorum.storage.snapshot_files import SnapshotPart
from metaquorum.storage.tier_store import TierStore, copied

ATTEMPTS = 3
"""How often a full step begins anew when its snapshot, or the log behind it, goes meanwhile."""


class AnotherHistory(OperatorError):
    """The quorum has not what the backup has: it is another one, or it lost committed records."""


class Source(Protocol):
    """The quorum that is backed up: what it says of itself, and its log."""

    def view(self) -> QuorumView:
        """As its leader describes it."""

    def latest_snapshot(self, epoch: Epoch) -> LatestSnapshot | None:
        """That of the leader of an epoch; None where it has none."""

    def reader(self, start: Offset, start_epoch: Epoch | None) -> MetadataLogReader:
        """A reader from an offset on that does not bridge, with the epoch of the record before it
        where that is to be checked.
        """

    def snapshot(self, snapshot: OffsetAndEpoch) -> Iterator[FetchedBatch]:
        """The batches of a snapshot; raises SnapshotGone."""


@frozen
class Taken:
    """What a run did: the step that it added, None where nothing was new, and where the store ends.

    ``why_full`` says why the step is a full one.
    """

    name: str
    step: Step
    is_new: bool
    why_full: str = ""


@define
class Backup:
    """A run. ``spool`` is an empty directory of this machine, on ``disk``, for an object at a time.

    ``token`` tells this run's names from those of all others.
    """

    store: TierStore
    source: Source
    disk: Disk
    spool: str
    now_ms: Millis
    token: str
    segment_bytes: int = BACKUP_SEGMENT_BYTES

    def run(self, *, full: bool = False) -> Taken:
        """Add what is new; OperatorError says why not, and the store is as it was then."""
        listing = listed(self.store)
        head = None
        try:
            head = latest(self.store, listing)
        except OperatorError:
            if not full:
                raise
        view = self.source.view()
        if head is not None and head.step.cluster_id != view.cluster_id:
            raise AnotherHistory(
                f"{self.store.uri} has the backup of cluster {head.step.cluster_id}, and cluster "
                f"{view.cluster_id} answers: give each cluster a place of its own. One that was "
                "formed anew is another cluster"
            )
        step, why = self._step(view, head, full=full)
        if self.source.view().cluster_id != view.cluster_id:
            raise AnotherHistory(f"cluster {view.cluster_id} was formed anew while it was read")
        if step is None:
            assert head is not None
            return Taken(head.name, head.step, False)
        name = step.name(self.token)
        content = encode_step(step)
        digest = digest_of(content)
        self.store.put(manifest_key(name), io.BytesIO(content), len(content), digest)
        return Taken(name, step, True, why)

    def _step(self, view: QuorumView, head: Link | None, *, full: bool) -> tuple[Step | None, str]:
        """The step whose objects are in the store, and why it is full; None if nothing is new."""
        if head is not None and not full:
            try:
                return self._more(view, head), ""
            except SnapshottedAway as away:
                why = (
                    f"offset {away.log_start_offset} is where the log starts, the backup ended at "
                    f"{head.step.end}"
                )
        else:
            why = "it was asked for" if full else "it is the first"
        for _ in range(ATTEMPTS):
            try:
                return self._full(view, head), why
            except (SnapshottedAway, SnapshotGone) as error:
                last = error
        raise OperatorError(f"the quorum's snapshots go too fast to be read: {last}")

    def _more(self, view: QuorumView, head: Link) -> Step | None:
        """The batches behind ``head``, whose last batch is read again."""
        before = head.step
        last = before.last_batch
        if last is None:
            reader = self.source.reader(before.end, before.last_epoch)
        else:
            reader = self.source.reader(last.offset, None)
        writing = _Writing(self, head, before.end, before.last_epoch, before.last_record_ms, last)
        self._read(writing, reader)
        if reader.high_watermark < before.end:
            raise self._shorter(head, f"the high watermark is {reader.high_watermark}")
        if last is not None and not writing.met_last:
            raise self._shorter(head, f"it has nothing at offset {last.offset}")
        if last is None and reader.accepted_epoch != before.last_epoch:
            # Nobody said that the record before is the last of the snapshot.
            here = OffsetAndEpoch(before.last_epoch, before.end)
            raise SnapshottedAway(before.end, reader.log_start_offset, here)
        if writing.end == before.end:
            return None
        return writing.finished(view.cluster_id, None, None)

    def _full(self, view: QuorumView, head: Link | None) -> Step:
        """The latest snapshot, or offset 0, and the batches behind it."""
        found = self.source.latest_snapshot(view.leader_epoch)
        if found is None:
            writing = _Writing(self, head, 0)
            reader = self.source.reader(0, None)
            snapshot = file = None
        else:
            snapshot = OffsetAndEpoch(found.epoch, found.end_offset)
            self._check_snapshot(head, snapshot)
            writing = _Writing(self, head, snapshot.offset, snapshot.epoch, found.contained_ms)
            file = self._put_snapshot(snapshot)
            reader = self.source.reader(snapshot.offset, snapshot.epoch)
        self._read(writing, reader)
        if head is not None and writing.end < head.step.end:
            raise self._shorter(head, f"the high watermark is {reader.high_watermark}")
        if writing.end == 0:
            raise OperatorError("the quorum has not committed a single record yet")
        return writing.finished(view.cluster_id, snapshot, file)

    def _check_snapshot(self, head: Link | None, snapshot: OffsetAndEpoch) -> None:
        """AnotherHistory for one that cannot come behind, or before, what the backup has."""
        if head is None:
            return
        step = head.step
        end = OffsetAndEpoch(step.last_epoch, step.end)
        if snapshot.offset > end.offset and snapshot.epoch < end.epoch:
            raise self._other(head, f"epoch {snapshot.epoch} is that of its snapshot at offset "
                              f"{snapshot.offset}, and the backup has epoch {end.epoch} at "
                              f"{end.offset}")  # fmt: skip
        if snapshot.offset == end.offset and snapshot.epoch != end.epoch:
            raise self._other(head, f"the record before offset {end.offset} is of epoch "
                              f"{snapshot.epoch}, in the backup it is of {end.epoch}")  # fmt: skip

    def _read(self, writing: _Writing, reader: MetadataLogReader) -> None:
        """Write what is committed; AnotherHistory where it is not what the backup has."""
        head = writing.head
        try:
            for batch in reader.batches():
                writing.take(batch)
            writing.close_segment()
        except (LogDiverged, OffsetNotInLog) as error:
            if head is None:
                raise
            raise self._shorter(head, str(error)) from None
        finally:
            reader.close()
            writing.discard()

    def _put_snapshot(self, snapshot: OffsetAndEpoch) -> Object:
        """Download, check and put a snapshot."""
        path = f"{self.spool}/{snapshot_file(snapshot)}"
        part = SnapshotPart.begun(self.disk, self.spool, snapshot)
        try:
            for batch in self.source.snapshot(snapshot):
                part.append(batch.data)
            part.freeze()
        except BadSnapshot as error:
            part.discard()
            raise OperatorError(
                f"the leader's snapshot {snapshot.offset}-{snapshot.epoch}, byte {error.position}: "
                f"{error.why}"
            ) from None
        try:
            return self.put(snapshot.offset, path)
        finally:
            self.disk.unlink(path)

    def put(self, start: Offset, path: str) -> Object:
        """Put a file of the spool as an object of the step that begins at ``start``."""
        name = os.path.basename(path)
        with open(path, "rb") as content:
            digest = copied(content, None)
            size_bytes = content.tell()
            content.seek(0)
            self.store.put(object_key(start, self.token, name), content, size_bytes, digest)
        return Object(name, size_bytes, digest)

    def _shorter(self, head: Link, why: str) -> AnotherHistory:
        return AnotherHistory(
            f"{self.store.uri} has the log up to offset {head.step.end}, and the quorum has not: "
            f"{why}. A leader that has just changed may not know yet what is committed: try again. "
            "Else it lost committed records, or was formed anew: keep this backup, and give the "
            "quorum another place"
        )

    def _other(self, head: Link, why: str) -> AnotherHistory:
        return AnotherHistory(
            f"the quorum's log is not the one of which {self.store.uri} has the backup up to "
            f"offset {head.step.end}: {why}. It lost committed records, or was formed anew: keep "
            "this backup, and give the quorum another place"
        )

    def not_the_same(self, head: Link, last: LastBatch, batch: FetchedBatch) -> AnotherHistory:
        """The log has another batch where the backup's last one is."""
        header = batch.header
        return self._other(
            head,
            f"its batch at offset {header.base_offset} is of epoch {header.leader_epoch} with "
            f"checksum {header.crc:08x}, in the backup that at {last.offset} is of epoch "
            f"{last.epoch} with checksum {last.crc:08x}",
        )


@define
class _Writing:
    """The batches of a step on their way into segments, one at a time on disk.

    ``last_batch`` is the last one so far. ``met_last`` tells that the last batch of the step before
    was compared, or lies before what is read.
    """

    backup: Backup
    head: Link | None
    start: Offset
    last_epoch: Epoch = 0
    last_ms: Millis = NO_OFFSET
    last_batch: LastBatch | None = None
    met_last: bool = field(default=False, init=False)
    end: Offset = field(init=False)
    epochs: list[tuple[Epoch, Offset]] = field(factory=list, init=False)
    segments: list[SegmentObject] = field(factory=list, init=False)
    _base: Offset = field(default=NO_OFFSET, init=False)
    _file: File | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self.end = self.start

    def take(self, batch: FetchedBatch) -> None:
        """Take the next batch; one that the step before has already must be the same."""
        header = batch.header
        self._compare(batch)
        if header.next_offset <= self.start:
            return
        if header.base_offset != self.end:
            raise OperatorError(
                f"the leader gave a batch at offset {header.base_offset}, due is {self.end}"
            )
        if self._file is not None and self._file.size() + header.size_bytes > self._limit:
            self.close_segment()
        if self._file is None:
            self._base = header.base_offset
            self._file = self.backup.disk.open(self._path, create=True)
        self._file.append([batch.data])
        if not self.epochs or self.epochs[-1][0] != header.leader_epoch:
            self.epochs.append((header.leader_epoch, header.base_offset))
        self.end, self.last_epoch = header.next_offset, header.leader_epoch
        self.last_ms = header.max_timestamp_ms
        self.last_batch = last_batch_of(header)

    def close_segment(self) -> None:
        """Put the open segment, if there is one."""
        if self._file is None:
            return
        put = self.backup.put(self.start, self._path)
        self.discard()
        self.segments.append(SegmentObject(self._base, self.end, put))

    def discard(self) -> None:
        """Remove the open segment from the spool."""
        if self._file is not None:
            self._file.close()
            self._file = None
            self.backup.disk.unlink(self._path)

    def finished(
        self, cluster_id: ClusterId, snapshot: OffsetAndEpoch | None, file: Object | None
    ) -> Step:
        """The manifest, when all objects are there."""
        head = self.head
        return Step(
            cluster_id=cluster_id,
            taken_ms=self.backup.now_ms,
            previous=None if head is None else Previous(head.name, head.sha256),
            snapshot=snapshot,
            snapshot_file=file,
            start=self.start,
            end=self.end,
            last_epoch=self.last_epoch,
            last_record_ms=self.last_ms,
            last_batch=self.last_batch,
            epochs=tuple(self.epochs),
            segments=tuple(self.segments),
        )

    def _compare(self, batch: FetchedBatch) -> None:
        head = self.head
        last = None if head is None else head.step.last_batch
        if head is None or last is None or self.met_last:
            return
        header = batch.header
        if header.next_offset <= last.offset:
            return
        if last_batch_of(header) != last:
            if header.base_offset > last.offset and self.start > last.offset:
                self.met_last = True  # a full step that begins behind it
                return
            raise self.backup.not_the_same(head, last, batch)
        self.met_last = True

    @property
    def _path(self) -> str:
        return f"{self.backup.spool}/{segment_file(self._base, LOG)}"

    @property
    def _limit(self) -> int:
        return self.backup.segment_bytes


def last_batch_of(header: BatchHeader) -> LastBatch:
    """By which a batch is known again."""
    return LastBatch(header.base_offset, header.leader_epoch, header.crc, header.size_bytes)
