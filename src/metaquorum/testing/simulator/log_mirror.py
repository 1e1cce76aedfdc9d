"""A node's log as the simulator remembers it, batch by batch, beside the node's own."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from attrs import define, field
from xxhash import xxh3_64_intdigest

from metaquorum.base.offsets import Epoch, Offset
from metaquorum.quorum.types import Batch
from metaquorum.records.batch import BatchHeader

_BEYOND = 1 << 62


class Entry(NamedTuple):
    """One batch: its place, and a fingerprint of its bytes."""

    base: Offset
    next: Offset
    epoch: Epoch
    print: int

    @classmethod
    def of(cls, batch: Batch) -> Entry:
        """The entry of a placed batch."""
        payload = batch.payload
        assert isinstance(payload, bytes)
        return cls(batch.base_offset, batch.next_offset, batch.epoch, xxh3_64_intdigest(payload))

    @classmethod
    def read(cls, header: BatchHeader, view: memoryview) -> Entry:
        """The entry of a batch as it stands in a file."""
        return cls(
            header.base_offset, header.next_offset, header.leader_epoch, xxh3_64_intdigest(view)
        )

    def __str__(self) -> str:
        return f"{self.base}-{self.next - 1} of epoch {self.epoch}"


@define(eq=False)
class LogMirror:
    """Entries in order from ``start`` on; what is below it stands in a snapshot."""

    start: Offset = 0
    entries: list[Entry] = field(factory=list)

    @property
    def end(self) -> Offset:
        """One past the last record."""
        return self.entries[-1].next if self.entries else self.start

    @property
    def last(self) -> Entry | None:
        """The last entry; None in an empty log."""
        return self.entries[-1] if self.entries else None

    def cut(self, to: Offset) -> None:
        """Drop everything from ``to`` on."""
        while self.entries and self.entries[-1].next > to:
            self.entries.pop()

    def restart(self, at: Offset) -> None:
        """Begin anew, empty, at the end of a snapshot."""
        self.start = at
        self.entries = []

    def drop(self, before: Offset) -> None:
        """Let go of what lies below ``before``, the end of a snapshot."""
        gone = 0
        while gone < len(self.entries) and self.entries[gone].next <= before:
            gone += 1
        del self.entries[:gone]
        self.start = max(self.start, before)

    def from_offset(self, offset: Offset) -> int:
        """The place in the list of the first entry that ends above ``offset``."""
        place = bisect_right(self.entries, (offset, _BEYOND))  # those that begin at it or before
        return place - 1 if place and self.entries[place - 1].next > offset else place

    def at(self, base: Offset) -> Entry | None:
        """The entry that begins at an offset."""
        place = self.from_offset(base)
        if place < len(self.entries) and self.entries[place].base == base:
            return self.entries[place]
        return None

    def before(self, offset: Offset) -> Entry | None:
        """The last entry that begins below an offset."""
        place = bisect_right(self.entries, (offset,))
        return self.entries[place - 1] if place else None

    def holds(self, entry: Entry) -> bool:
        """Whether this log has this entry, itself or within its snapshot."""
        return entry.next <= self.start or self.at(entry.base) == entry

    def copy(self) -> LogMirror:
        """The same log, to be changed apart."""
        return LogMirror(self.start, list(self.entries))
