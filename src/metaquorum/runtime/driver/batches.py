"""The records of a state machine as batches that the core can place."""

from __future__ import annotations

from collections.abc import Sequence

from metaquorum.base.clock import Millis
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
