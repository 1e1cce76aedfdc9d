"""The controller's records become batches: one when they must, several when they may."""

from __future__ import annotations

import pytest

from metaquorum.base.limits import MAX_BATCH_BYTES
from metaquorum.metadata.reading import read_metadata_records
from metaquorum.quorum.types import Batch
from metaquorum.records.builder import KeyValue
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.records.reader import walk_batches
from metaquorum.runtime.driver.batches import TooLargeForBatch, build_batches, metadata_entry
from metaquorum.wire.generated.records.config_record import ConfigRecord
from metaquorum.wire.generated.records.user_scram_credential_record import (
    UserScramCredentialRecord,
)


def _settings(count: int, size: int) -> list[MetadataRecord]:
    return [MetadataRecord(4, 0, ConfigRecord(2, f"t{n}", "k", "v" * size)) for n in range(count)]


def _entries(records: list[MetadataRecord]) -> list[KeyValue]:
    return [metadata_entry(record) for record in records]


def _read(batches: tuple[Batch, ...]) -> list[MetadataRecord]:
    joined = b"".join(bytes(batch.payload) for batch in batches)  # type: ignore[call-overload]
    return list(read_metadata_records(joined))


def test_atomic_records_are_one_batch_with_its_time() -> None:
    (batch,) = build_batches(_entries(_settings(3, 10)), atomic=True, timestamp_ms=77)
    assert (batch.base_offset, batch.last_offset, batch.record_count) == (0, 2, 3)
    assert isinstance(batch.payload, bytes)
    ((header, _),) = walk_batches(batch.payload)
    assert (header.base_timestamp_ms, header.max_timestamp_ms) == (77, 77)
    assert batch.size_bytes == len(batch.payload)


def test_records_that_may_be_parted_fill_batch_after_batch() -> None:
    records = _settings(600, 30_000)
    batches = build_batches(_entries(records), atomic=False, timestamp_ms=0)
    assert len(batches) == 3
    assert sum(batch.record_count for batch in batches) == 600
    assert all(batch.size_bytes <= MAX_BATCH_BYTES for batch in batches)
    assert [record.message.resource_name for record in _read(batches)] == [
        f"t{n}" for n in range(600)
    ]


def test_more_records_than_a_batch_may_have_are_parted_too() -> None:
    batches = build_batches(_entries(_settings(10_001, 1)), atomic=False, timestamp_ms=0)
    assert [batch.record_count for batch in batches] == [10_000, 1]


def test_atomic_records_beyond_one_batch_are_refused() -> None:
    with pytest.raises(TooLargeForBatch, match="300 records do not fit one batch"):
        build_batches(_entries(_settings(300, 30_000)), atomic=True, timestamp_ms=0)
    with pytest.raises(TooLargeForBatch, match="10001 records"):
        build_batches(_entries(_settings(10_001, 1)), atomic=True, timestamp_ms=0)


def test_a_record_beyond_any_batch_is_refused() -> None:
    salt = bytes(MAX_BATCH_BYTES)
    huge = MetadataRecord(11, 0, UserScramCredentialRecord("anna", 1, salt, b"", b"", 4096))
    with pytest.raises(TooLargeForBatch, match="1 records do not fit one batch"):
        build_batches(_entries([huge]), atomic=False, timestamp_ms=0)
    with pytest.raises(TooLargeForBatch, match="does not fit any batch"):
        build_batches(_entries([*_settings(1, 1), huge]), atomic=False, timestamp_ms=0)
