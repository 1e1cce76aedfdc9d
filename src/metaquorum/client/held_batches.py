"""Batches fetched ahead of the high watermark: kept until they are committed, or taken back."""

from __future__ import annotations

from collections import deque

from attrs import define, field

from metaquorum.base.offsets import Epoch, Offset
from metaquorum.client.log_record import FetchedBatch


@define
class HeldBatches:
    """A first-in first-out of whole batches with rising offsets."""

    size_bytes: int = field(default=0, init=False)
    _batches: deque[FetchedBatch] = field(factory=deque, init=False)

    def __len__(self) -> int:
        return len(self._batches)

    @property
    def end_offset(self) -> Offset:
        """Where the next fetch goes on; only while something is held."""
        return self._batches[-1].header.next_offset

    @property
    def last_epoch(self) -> Epoch:
        """The epoch of the last held batch; only while something is held."""
        return self._batches[-1].header.leader_epoch

    def add(self, batch: FetchedBatch) -> None:
        """Hold one more batch."""
        self._batches.append(batch)
        self.size_bytes += batch.header.size_bytes

    def take_committed(self, high_watermark: Offset) -> FetchedBatch | None:
        """The first batch when all of it lies below ``high_watermark``."""
        if not self._batches or self._batches[0].header.next_offset > high_watermark:
            return None
        batch = self._batches.popleft()
        self.size_bytes -= batch.header.size_bytes
        return batch

    def truncate(self, epoch: Epoch, end_offset: Offset) -> None:
        """Drop what a leader says diverges: later epochs, and offsets from ``end_offset`` on.

        When that drops nothing, everything goes: the leader knows better than we what it lacks.
        """
        before = len(self._batches)
        while self._batches and (
            self.last_epoch > epoch or self._batches[-1].header.next_offset > end_offset
        ):
            self._drop_last()
        if len(self._batches) == before:
            self.clear()

    def clear(self) -> None:
        """Drop everything; it can be fetched again."""
        self._batches.clear()
        self.size_bytes = 0

    def _drop_last(self) -> None:
        self.size_bytes -= self._batches.pop().header.size_bytes
