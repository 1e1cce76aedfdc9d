"""Where each leader epoch began: a short persistent list that quorum and storage share."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from attrs import field

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.offsets import Epoch, Offset, OffsetAndEpoch
from metaquorum.base.value import value


@value
class EpochStarts:
    """Epochs in the log with the first offset of each, both strictly rising.

    A frozen value: every change returns a new list, so a fork of the core shares it.
    """

    epochs: tuple[Epoch, ...] = ()
    offsets: tuple[Offset, ...] = field(default=())

    def __iter__(self) -> Iterator[tuple[Epoch, Offset]]:
        return zip(self.epochs, self.offsets)

    def __len__(self) -> int:
        return len(self.epochs)

    @property
    def last_epoch(self) -> Epoch:
        """The latest epoch in the log, 0 for an empty one."""
        return self.epochs[-1] if self.epochs else 0

    def assigned(self, epoch: Epoch, start: Offset) -> EpochStarts:
        """This list after a batch of ``epoch`` was appended at ``start``."""
        if self.epochs:
            if epoch == self.epochs[-1]:
                return self
            if epoch < self.epochs[-1] or start < self.offsets[-1]:
                raise InvariantViolated(
                    f"epoch {epoch} at offset {start} after epoch {self.epochs[-1]} "
                    f"at offset {self.offsets[-1]}"
                )
            if start == self.offsets[-1]:  # the earlier epoch wrote nothing
                return EpochStarts((*self.epochs[:-1], epoch), self.offsets)
        return EpochStarts((*self.epochs, epoch), (*self.offsets, start))

    def epoch_at(self, offset: Offset) -> Epoch | None:
        """The epoch in which the record at ``offset`` was written; None before the list."""
        at = bisect_right(self.offsets, offset) - 1
        return self.epochs[at] if at >= 0 else None

    def end_of(self, epoch: Epoch, log_end: Offset) -> OffsetAndEpoch | None:
        """The largest epoch not above ``epoch``, and the offset where it ends.

        KIP-595, Fetch, and OffsetForLeaderEpoch; None when ``epoch`` is older than the list.
        """
        at = bisect_right(self.epochs, epoch) - 1
        if at < 0:
            return None
        end = self.offsets[at + 1] if at + 1 < len(self.offsets) else log_end
        return OffsetAndEpoch(self.epochs[at], end)

    def truncated(self, end: Offset) -> EpochStarts:
        """This list after everything from ``end`` on was cut off."""
        keep = sum(1 for offset in self.offsets if offset < end)
        return EpochStarts(self.epochs[:keep], self.offsets[:keep])

    def starting_at(self, start: Offset) -> EpochStarts:
        """This list after everything before ``start`` was dropped."""
        at = bisect_right(self.offsets, start) - 1
        if at <= 0 and (not self.offsets or self.offsets[0] >= start):
            return self
        at = max(at, 0)
        return EpochStarts(self.epochs[at:], (start, *self.offsets[at + 1 :]))
