"""The batches of a snapshot: header, data, footer, with offsets that count from 0 (KIP-630)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from metaquorum.base.clock import Millis
from metaquorum.base.limits import MAX_RECORDS_PER_BATCH
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.records.builder import BatchBuilder, KeyValue, build_batch
from metaquorum.records.control import ControlType, control_codec, encode_control


def snapshot_batches(
    *,
    epoch: Epoch,
    timestamp_ms: Millis,
    last_contained_ms: Millis,
    controls: Sequence[tuple[ControlType, Any]],
    values: Iterable[bytes],
    records_per_batch: int = MAX_RECORDS_PER_BATCH,
) -> Iterator[bytes]:
    """Encode a snapshot of metadata record ``values``.

    ``controls`` (kraft.version and voters, as far as they are known) share the header's batch, as
    Kafka's readers expect. ``last_contained_ms`` is the time of the last batch that the snapshot
    covers, 0 for the bootstrap checkpoint. No batch is larger than 8 MiB, however few records
    that makes; a single record that fits none is a ValueError.
    """
    front = _front(last_contained_ms, controls)
    yield build_batch(front, timestamp_ms=timestamp_ms, leader_epoch=epoch, control=True)
    offset = len(front)
    builder = BatchBuilder(limit_records=records_per_batch)
    for value in values:
        if not builder.add(None, value):
            yield builder.build(timestamp_ms=timestamp_ms, base_offset=offset, leader_epoch=epoch)
            offset += len(builder)
            builder = BatchBuilder(limit_records=records_per_batch)
            if not builder.add(None, value):
                raise ValueError(f"a record of {len(value)} bytes fits no batch")
    if len(builder):
        yield builder.build(timestamp_ms=timestamp_ms, base_offset=offset, leader_epoch=epoch)
        offset += len(builder)
    yield _footer(epoch, timestamp_ms, offset)


def keyed_snapshot_batches(
    *,
    epoch: Epoch,
    timestamp_ms: Millis,
    last_contained_ms: Millis,
    controls: Sequence[tuple[ControlType, Any]],
    records: Iterable[KeyValue],
    records_per_batch: int,
) -> Iterator[bytes]:
    """The same of records that have keys, those of a compacted topic for instance."""
    front = _front(last_contained_ms, controls)
    yield build_batch(front, timestamp_ms=timestamp_ms, leader_epoch=epoch, control=True)
    offset = len(front)
    builder = BatchBuilder(limit_records=records_per_batch)
    for key, value in records:
        if not builder.add(key, value):
            yield builder.build(timestamp_ms=timestamp_ms, base_offset=offset, leader_epoch=epoch)
            offset += len(builder)
            builder = BatchBuilder(limit_records=records_per_batch)
            if not builder.add(key, value):
                raise ValueError(f"a record with {len(value or b'')} bytes of value fits no batch")
    if len(builder):
        yield builder.build(timestamp_ms=timestamp_ms, base_offset=offset, leader_epoch=epoch)
        offset += len(builder)
    yield _footer(epoch, timestamp_ms, offset)


def _front(
    last_contained_ms: Millis, controls: Sequence[tuple[ControlType, Any]]
) -> list[KeyValue]:
    header = control_codec(ControlType.SNAPSHOT_HEADER).SnapshotHeaderRecord(
        last_contained_log_timestamp=last_contained_ms
    )
    front = encode_control(ControlType.SNAPSHOT_HEADER, header)
    return [front, *(encode_control(type, message) for type, message in controls)]


def _footer(epoch: Epoch, timestamp_ms: Millis, offset: Offset) -> bytes:
    footer = control_codec(ControlType.SNAPSHOT_FOOTER).SnapshotFooterRecord()
    return build_batch(
        [encode_control(ControlType.SNAPSHOT_FOOTER, footer)],
        timestamp_ms=timestamp_ms,
        base_offset=offset,
        leader_epoch=epoch,
        control=True,
    )
