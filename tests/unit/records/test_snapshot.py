"""Whole snapshots, equal to Kafka's to the byte."""

from __future__ import annotations

from pathlib import Path

from metaquorum.records.batch import check
from metaquorum.records.control import ControlType, controls_of
from metaquorum.records.reader import walk_batches, walk_records
from metaquorum.records.snapshot import snapshot_batches

GOLDEN = Path(__file__).parent / "golden"


def golden(name: str) -> bytes:
    return bytes.fromhex((GOLDEN / f"{name}.hex").read_text())


def test_a_snapshot_with_voters_and_three_records_equals_kafkas() -> None:
    whole = golden("checkpoint_123_4")
    (first, front), (_, data), _ = walk_batches(whole)
    controls = [(ControlType(c.type), c.message) for c in controls_of(front, first)][1:]
    written = snapshot_batches(
        epoch=4,
        timestamp_ms=1_700_000_000_000,
        last_contained_ms=1_700_000_000_000,
        controls=controls,
        values=[bytes(record.value or b"") for record in walk_records(data)],
    )

    assert b"".join(written) == whole


def test_more_records_than_a_batch_holds_are_spread_over_several() -> None:
    values = [bytes([n % 256]) * 3 for n in range(25_000)]
    batches = list(
        snapshot_batches(epoch=1, timestamp_ms=5, last_contained_ms=0, controls=[], values=values)
    )
    headers = [check(batch) for batch in batches]
    read = [record.value for batch in batches[1:-1] for record in walk_records(batch)]

    assert [header.record_count for header in headers] == [1, 10_000, 10_000, 5_000, 1]
    assert [header.base_offset for header in headers] == [0, 1, 10_001, 20_001, 25_001]
    assert read == values
