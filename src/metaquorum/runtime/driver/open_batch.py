"""The batch that the commands of one gather share: each has its place in it before it is built.

A record of sixty bytes in a batch of its own costs a header as large, a checksum, a ticket and a
step of the core, and each follower as much again. Commands that came together therefore write into
one batch. Nothing of it is in the log, on its way to the disk or told to anybody before it is
closed, and nothing else is appended meanwhile: so their offsets are known before.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.quorum.types import Batch
from metaquorum.records.builder import BatchBuilder, KeyValue
from metaquorum.runtime.driver.batches import built


@define(eq=False)
class OpenBatch:
    """Records that stand from ``base_offset`` on once the batch is closed."""

    base_offset: Offset
    epoch: Epoch
    timestamp_ms: Millis
    _builder: BatchBuilder = field(factory=BatchBuilder)

    @property
    def next_offset(self) -> Offset:
        """Where the next record has its place."""
        return self.base_offset + len(self._builder)

    @property
    def bound_bytes(self) -> int:
        """What it takes at most as it is; 0 while it is empty."""
        return self._builder.bound_bytes if len(self._builder) else 0

    def add(self, entries: Sequence[KeyValue], size_bytes: int, timestamp_ms: Millis) -> bool:
        """Give these records their places, one behind the other; False, and no place to any,
        when they do not fit or are of another time. ``size_bytes``: their ``records_bound_bytes``.
        """
        return timestamp_ms == self.timestamp_ms and self._builder.add_all(entries, size_bytes)

    def closed(self) -> Batch:
        """All of it, at offset 0 of epoch 0 as any batch that is to be appended."""
        return built(self._builder, self.timestamp_ms)
