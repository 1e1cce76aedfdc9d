"""The records of a state machine as batches that the core can place."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.quorum.types import Batch
from metaquorum.records.builder import BatchBuilder, KeyValue
from metaquorum.records.metadata_record import MetadataRecord, encode_metadata_record


class TooLargeForBatch(Exception):
    """These records cannot be appended: atomic ones beyond one batch, or one beyond any."""


def metadata_entry(record: MetadataRecord) -> KeyValue:
    """A record of the metadata log as it stands in a batch: it has no key."""
    return None, encode_metadata_record(record.type, record.message, record.version)


def build_batches(
    entries: Sequence[KeyValue], *, atomic: bool, timestamp_ms: Millis
) -> tuple[Batch, ...]:
    """Batches built at offset 0 of epoch 0, in order; exactly one when ``atomic``.

    TooLargeForBatch when they cannot be: what a client asks for may be as large as a request.
    """
    batches: list[Batch] = []
    builder = BatchBuilder()
    for key, value in entries:
        if builder.add(key, value):
            continue
        if atomic or not len(builder):
            raise TooLargeForBatch(f"{len(entries)} records do not fit one batch")
        batches.append(built(builder, timestamp_ms))
        builder = BatchBuilder()
        if not builder.add(key, value):
            size = len(key or b"") + len(value or b"")
            raise TooLargeForBatch(f"a record of {size} bytes does not fit any batch")
    batches.append(built(builder, timestamp_ms))
    return tuple(batches)


def built(builder: BatchBuilder, timestamp_ms: Millis) -> Batch:
    """What the builder holds, at offset 0 of epoch 0."""
    count = len(builder)
    payload = builder.build(timestamp_ms=timestamp_ms)
    return Batch(0, count - 1, 0, len(payload), count, timestamp_ms, (), payload)


@define(eq=False)
class OpenBatch:
    """The batch that the commands of one loop pass share: records from ``base_offset`` on.

    A record of sixty bytes in a batch of its own costs a header as large, a checksum, a ticket and
    a step of the core, and each follower as much again. Nothing of an open batch is in the log, on
    its way to the disk or shown to anyone before it is closed, and nothing else is appended
    meanwhile: so the offsets of its records are known before.
    """

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
