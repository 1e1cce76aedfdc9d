"""The log as consensus sees it: three ends, where epochs began, and which snapshots exist.

*Accepted* is what the replica has decided to append, *durable* what its disk has reported,
*committed* (the high watermark) what a majority holds. A frozen value: every change is a new one.
"""

from __future__ import annotations

from attrs import evolve, field

from metaquorum.base.epochs import EpochStarts
from metaquorum.base.errors import InvariantViolated
from metaquorum.base.offsets import NO_EPOCH, Epoch, Offset, OffsetAndEpoch
from metaquorum.base.value import value
from metaquorum.quorum.types import ZERO_SNAPSHOT, Batch, SnapshotId, Ticket


@value
class Valid:
    """The follower's log is a prefix of ours: it may go on from where it is."""


@value
class Diverging:
    """The logs part: ``end`` is the largest epoch of ours not above the asker's, and its end."""

    end: OffsetAndEpoch


@value
class NeedsSnapshot:
    """We no longer hold what follows the asker's end: it has to start from this snapshot."""

    id: SnapshotId


Place = Valid | Diverging | NeedsSnapshot


@value
class LogView:
    """Ends, epochs and snapshots of one replica's log.

    ``snapshots`` are those that the host can serve, oldest first, with their sizes. ``pending``
    lists disk effects that are on their way, each with the durable end once done.
    """

    start: Offset = 0
    end: Offset = 0
    durable_end: Offset = 0
    epochs: EpochStarts = field(factory=EpochStarts)
    snapshots: tuple[tuple[SnapshotId, int], ...] = ()
    high_watermark: Offset | None = None
    pending: tuple[tuple[Ticket, Offset], ...] = ()

    @property
    def oldest_snapshot(self) -> SnapshotId | None:
        """The snapshot with the smallest end."""
        return self.snapshots[0][0] if self.snapshots else None

    @property
    def newest_snapshot(self) -> SnapshotId | None:
        """The snapshot with the largest end."""
        return self.snapshots[-1][0] if self.snapshots else None

    def snapshot_bytes(self, snapshot: SnapshotId) -> int | None:
        """The size of a snapshot that can be served; None for any other, the zero one included."""
        for known, size_bytes in self.snapshots:
            if known == snapshot and known != ZERO_SNAPSHOT:
                return size_bytes
        return None

    @property
    def last_epoch(self) -> Epoch:
        """The epoch of the last record; of the snapshot when the log is empty; else 0."""
        epochs = self.epochs.epochs
        if epochs:
            return epochs[-1]
        if self.newest_snapshot is not None and self.newest_snapshot.offset == self.end:
            return self.newest_snapshot.epoch
        return 0

    @property
    def committed_epoch(self) -> Epoch:
        """The epoch of the last record that is known to be committed; NO_EPOCH without any."""
        end = self.high_watermark
        if not end:
            return NO_EPOCH
        epoch = self.epochs.epoch_at(end - 1)
        if epoch is None and self.newest_snapshot is not None:
            return self.newest_snapshot.epoch
        return NO_EPOCH if epoch is None else epoch

    @property
    def end_id(self) -> OffsetAndEpoch:
        """Log end and last epoch: what a vote is decided by."""
        return OffsetAndEpoch(self.last_epoch, self.end)

    def value(self, durable: Ticket) -> tuple[object, ...]:
        """This view as a hashable value, tickets counted from the durable one."""
        pending = tuple((ticket - durable, end) for ticket, end in self.pending)
        return (
            self.start,
            self.end,
            self.durable_end,
            self.epochs,
            self.snapshots,
            self.high_watermark,
            pending,
        )

    def appended(self, ticket: Ticket, batches: tuple[Batch, ...]) -> LogView:
        """This view after batches were accepted, to be durable with ``ticket``."""
        end, epochs = self.end, self.epochs
        for batch in batches:
            if batch.base_offset != end:
                raise InvariantViolated(f"a batch at {batch.base_offset} after the log end {end}")
            if not (len(epochs) and epochs.last_epoch == batch.epoch):
                epochs = epochs.assigned(batch.epoch, batch.base_offset)
            end = batch.next_offset
        pending = (*self.pending, (ticket, end))
        return self._moved(end, self.durable_end, epochs, self.high_watermark, pending)

    def truncated(self, ticket: Ticket, to: Offset) -> LogView:
        """This view after everything from ``to`` on was cut."""
        if self.high_watermark is not None and to < self.high_watermark:
            raise InvariantViolated(f"cut at {to}, below the high watermark {self.high_watermark}")
        if not self.start <= to <= self.end:
            raise InvariantViolated(f"cut at {to}, outside {self.start} to {self.end}")
        pending = tuple((one, min(end, to)) for one, end in self.pending)
        return evolve(
            self,
            end=to,
            durable_end=min(self.durable_end, to),
            epochs=self.epochs.truncated(to),
            pending=(*pending, (ticket, to)),
        )

    def durable(self, ticket: Ticket) -> LogView:
        """This view after everything up to ``ticket`` reached the disk."""
        done = 0
        durable_end = self.durable_end
        for at, end in self.pending:
            if at > ticket:
                break
            durable_end, done = end, done + 1
        if not done:
            return self
        pending = self.pending[done:]
        return self._moved(self.end, durable_end, self.epochs, self.high_watermark, pending)

    def committed(self, high_watermark: Offset) -> LogView:
        """This view with a higher watermark; it never falls (KIP-595)."""
        if self.high_watermark is not None and high_watermark < self.high_watermark:
            raise InvariantViolated(
                f"the high watermark fell from {self.high_watermark} to {high_watermark}"
            )
        if high_watermark > self.end:
            raise InvariantViolated(f"high watermark {high_watermark} above the log end {self.end}")
        return self._moved(self.end, self.durable_end, self.epochs, high_watermark, self.pending)

    def _moved(
        self,
        end: Offset,
        durable_end: Offset,
        epochs: EpochStarts,
        high_watermark: Offset | None,
        pending: tuple[tuple[Ticket, Offset], ...],
    ) -> LogView:
        """With these of its fields changed: what every batch does thrice, so without ``evolve``."""
        return LogView(
            self.start, end, durable_end, epochs, self.snapshots, high_watermark, pending
        )

    def installed(self, snapshot: SnapshotId, size_bytes: int) -> LogView:
        """This view after a downloaded snapshot replaced the whole log (KIP-630)."""
        return LogView(
            start=snapshot.offset,
            end=snapshot.offset,
            durable_end=snapshot.offset,
            snapshots=((snapshot, size_bytes),),
            high_watermark=snapshot.offset,
        )

    def with_snapshot(self, snapshot: SnapshotId, size_bytes: int) -> LogView:
        """This view after the host wrote a snapshot of committed state.

        Raises InvariantViolated for an id that a follower could not find its place by.
        """
        if snapshot.offset > (self.high_watermark or 0):
            raise InvariantViolated(
                f"snapshot {snapshot} above the high watermark {self.high_watermark}"
            )
        newest = self.newest_snapshot
        if newest is not None and snapshot.offset <= newest.offset:
            raise InvariantViolated(f"snapshot {snapshot} is not newer than {newest}")
        ours = self.end_of_epoch(snapshot.epoch)
        if ours.epoch != snapshot.epoch or ours.offset < snapshot.offset:
            raise InvariantViolated(
                f"snapshot {snapshot} of an epoch that the log has not there: {ours}"
            )
        return evolve(self, snapshots=(*self.snapshots, (snapshot, size_bytes)))

    def dropped(self, before: Offset) -> LogView:
        """This view after everything below ``before`` was let go, older snapshots too (KIP-630).

        A snapshot that ends at or beyond ``before`` has to be there.
        """
        newest = self.newest_snapshot
        if newest is None or before > newest.offset:
            raise InvariantViolated(
                f"nothing covers a log that starts at {before}: newest is {newest}"
            )
        if self.high_watermark is None or not self.start < before <= self.high_watermark:
            raise InvariantViolated(
                f"a log from {self.start}, committed up to {self.high_watermark}, "
                f"cannot start at {before}"
            )
        kept = tuple(one for one in self.snapshots if one[0].offset >= before)
        return evolve(self, start=before, epochs=self.epochs.starting_at(before), snapshots=kept)

    def end_of_epoch(self, epoch: Epoch) -> OffsetAndEpoch:
        """The largest epoch not above ``epoch`` and where it ends (KIP-595, Fetch)."""
        if not len(self.epochs) or epoch > self.epochs.last_epoch:
            return self.end_id
        found = self.epochs.end_of(epoch, self.end)
        if found is None:
            found = OffsetAndEpoch(epoch, self.epochs.offsets[0])
            oldest = self.oldest_snapshot
            if oldest is not None and oldest.offset == found.offset:
                return oldest
        return found

    def place(self, offset: Offset, epoch: Epoch) -> Place:
        """What to tell a replica whose log ends at ``offset`` with a last record of ``epoch``."""
        newest, oldest = self.newest_snapshot, self.oldest_snapshot
        if offset == 0 and newest is not None and newest != ZERO_SNAPSHOT:
            return NeedsSnapshot(newest)
        if offset == 0 and self.start == 0:
            return Valid()
        if newest is not None and oldest is not None and self._lies_before(oldest, offset, epoch):
            return NeedsSnapshot(newest)
        end = self.end_of_epoch(epoch)
        if end.epoch != epoch or end.offset < offset:
            return Diverging(end)
        return Valid()

    def _lies_before(self, oldest: SnapshotId, offset: Offset, epoch: Epoch) -> bool:
        if offset < self.start or epoch < oldest.epoch:
            return True
        return offset == self.start and epoch != oldest.epoch

    def truncation_point(self, diverging: OffsetAndEpoch) -> Offset:
        """How much of our log to keep when the leader says where its epoch ends (KIP-595)."""
        if diverging.epoch == 0:
            return min(diverging.offset, self.end)
        ours = self.end_of_epoch(diverging.epoch)
        if ours.epoch == diverging.epoch:
            return min(ours.offset, diverging.offset)
        return ours.offset
