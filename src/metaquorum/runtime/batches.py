"""The controller's records as batches that the core can place."""

from __future__ import annotations

from collections.abc import Sequence

from metaquorum.base.clock import Millis
from metaquorum.quorum.types import Batch
from metaquorum.records.builder import BatchBuilder
from metaquorum.records.metadata_record import MetadataRecord, encode_metadata_record


class TooLargeForBatch(Exception):
    """These records cannot be appended: atomic ones beyond one batch, or one beyond any."""


def build_batches(
    records: Sequence[MetadataRecord], *, atomic: bool, timestamp_ms: Millis
) -> tuple[Batch, ...]:
    """Batches built at offset 0 of epoch 0, in order; exactly one when ``atomic``.

    TooLargeForBatch when they cannot be: what a client asks for may be as large as a request.
    """
    batches: list[Batch] = []
    builder = BatchBuilder()
    for record in records:
        value = encode_metadata_record(record.type, record.message, record.version)
        if builder.add(None, value):
            continue
        if atomic or not len(builder):
            raise TooLargeForBatch(f"{len(records)} records do not fit one batch")
        batches.append(built(builder, timestamp_ms))
        builder = BatchBuilder()
        if not builder.add(None, value):
            raise TooLargeForBatch(f"a record of {len(value)} bytes does not fit any batch")
    batches.append(built(builder, timestamp_ms))
    return tuple(batches)


def built(builder: BatchBuilder, timestamp_ms: Millis) -> Batch:
    """What the builder holds, at offset 0 of epoch 0."""
    count = len(builder)
    payload = builder.build(timestamp_ms=timestamp_ms)
    return Batch(0, count - 1, 0, len(payload), count, timestamp_ms, (), payload)
