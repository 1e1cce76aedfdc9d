"""The end of the log in memory: what is not in the file yet, and the last of what is.

Followers are served before the disk has a batch, and a follower makes it part of its state right
after: to read it back from the file would be a third of that work.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque

from attrs import define, field

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import WRITTEN_TAIL_BYTES
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
    """Batches in order, without gaps. ``size_bytes`` counts those that are not in the file.

    Those that are stay for a while, ``WRITTEN_TAIL_BYTES`` of them, for ``written_from``.
    """

    _batches: list[TailBatch] = field(factory=list)
    size_bytes: int = 0
    _written: deque[TailBatch] = field(factory=deque)
    _written_bytes: int = 0

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
        if self._written and not self._batches:
            self._keep_written_before(batch.base_offset)
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
            self._written.append(batch)
            self._written_bytes += len(batch.payload)
            keep += 1
        del self._batches[:keep]
        while self._written_bytes > WRITTEN_TAIL_BYTES:
            self._written_bytes -= len(self._written.popleft().payload)

    def truncate(self, to: Offset) -> None:
        """Forget everything from ``to`` on; a batch is never split."""
        while self._batches and self._batches[-1].next_offset > to:
            self.size_bytes -= len(self._batches.pop().payload)
        while self._written and self._written[-1].next_offset > to:
            self._written_bytes -= len(self._written.pop().payload)

    def written_from(self, offset: Offset, below: Offset) -> bytes | None:
        """The batches that are in the file from the one that begins at ``offset`` on, as far as
        they end at or below ``below``; None where the first of them is not here any more.
        """
        if not self._written or offset < self._written[0].base_offset:
            return None
        taken: list[bytes] = []
        for batch in reversed(self._written):
            if batch.base_offset < offset:
                break
            if batch.next_offset <= below:
                taken.append(batch.payload)
                first = batch
        return b"".join(reversed(taken)) if taken and first.base_offset == offset else None

    def _keep_written_before(self, offset: Offset) -> None:
        """Those that a batch at ``offset`` follows; none of them after a gap."""
        if self._written[-1].next_offset != offset:
            self._written.clear()
            self._written_bytes = 0

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
