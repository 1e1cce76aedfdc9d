"""The end of the log that is not in the file yet: followers are served before the disk has it."""

from __future__ import annotations

from bisect import bisect_right

from attrs import define, field

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.offsets import Offset
from metaquorum.base.value import value


@value
class TailBatch:
    """One encoded batch on its way to the file."""

    ticket: int
    base_offset: Offset
    next_offset: Offset
    payload: bytes


@define(eq=False)
class Tail:
    """Batches in order, without gaps; ``size_bytes`` counts them."""

    _batches: list[TailBatch] = field(factory=list)
    size_bytes: int = 0

    @property
    def start_offset(self) -> Offset | None:
        """The first offset that is only here; None when everything is in the file."""
        return self._batches[0].base_offset if self._batches else None

    @property
    def end_offset(self) -> Offset | None:
        """One past the last offset here; None when everything is in the file."""
        return self._batches[-1].next_offset if self._batches else None

    def add(self, batch: TailBatch) -> None:
        """A batch was accepted; it must begin where the tail ends."""
        if self._batches and batch.base_offset != self._batches[-1].next_offset:
            raise InvariantViolated(
                f"a batch at {batch.base_offset} after one that ends at "
                f"{self._batches[-1].next_offset}"
            )
        self._batches.append(batch)
        self.size_bytes += len(batch.payload)

    def written(self, ticket: int) -> None:
        """Everything up to ``ticket`` is in the file now."""
        keep = 0
        for batch in self._batches:
            if batch.ticket > ticket:
                break
            self.size_bytes -= len(batch.payload)
            keep += 1
        del self._batches[:keep]

    def truncate(self, to: Offset) -> None:
        """Forget everything from ``to`` on; a batch is never split."""
        while self._batches and self._batches[-1].next_offset > to:
            self.size_bytes -= len(self._batches.pop().payload)

    def read(self, offset: Offset, below: Offset, max_bytes: int) -> list[TailBatch]:
        """Whole batches from the one that holds ``offset``, none that ends above ``below``.

        The first batch is given whole even when it is larger than ``max_bytes``.
        """
        at = bisect_right(self._batches, offset, key=lambda batch: batch.base_offset) - 1
        if at < 0:
            return []
        taken: list[TailBatch] = []
        size = 0
        for batch in self._batches[at:]:
            if batch.next_offset > below or (taken and size + len(batch.payload) > max_bytes):
                break
            if batch.next_offset > offset:
                taken.append(batch)
                size += len(batch.payload)
        return taken
