"""Batches that we build: bytes equal to Kafka's, sizes within the bound."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.records.batch import check
from metaquorum.records.builder import (
    BatchBuilder,
    build_batch,
    record_bound_bytes,
    records_bound_bytes,
)
from metaquorum.records.errors import UnsupportedCodec
from metaquorum.records.reader import walk_records

GOLDEN = Path(__file__).parent / "golden"
BATCH_MS = 1_700_000_000_000

Pairs = list[tuple[bytes | None, bytes | None]]
lengths = st.one_of(st.integers(0, 130), st.integers(2020, 2060), st.integers(8185, 8200))
fields = st.one_of(st.none(), lengths.map(lambda size: bytes([size % 251]) * size))
pairs = st.lists(st.tuples(fields, fields), min_size=1, max_size=70)


def golden(name: str) -> bytes:
    return bytes.fromhex((GOLDEN / f"{name}.hex").read_text())


def test_a_no_op_batch_equals_kafkas_to_the_byte() -> None:
    built = build_batch([(None, bytes.fromhex("01140000"))], timestamp_ms=BATCH_MS, leader_epoch=1)

    assert built == golden("no_op")


def test_a_control_batch_equals_kafkas_to_the_byte() -> None:
    value = bytes.fromhex("00000000000102000000010002000000010000")
    built = build_batch(
        [(bytes.fromhex("00000002"), value)], timestamp_ms=BATCH_MS, leader_epoch=5, control=True
    )

    assert built == golden("leader_change")


@settings(derandomize=True, deadline=None, max_examples=60)
@given(pairs, st.sampled_from([0, 1, 2, 3, 4]))
def test_what_is_built_is_read_back(records: Pairs, compression: int) -> None:
    batch = build_batch(
        records, timestamp_ms=77, base_offset=9, leader_epoch=3, compression=compression
    )
    header = check(batch)
    found = list(walk_records(batch, header))

    assert [(record.key, record.value) for record in found] == records
    assert [record.offset for record in found] == list(range(9, 9 + len(records)))
    assert {record.timestamp_ms for record in found} == {77}
    assert header.size_bytes == len(batch)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(pairs)
def test_the_bound_is_never_too_small(records: Pairs) -> None:
    builder = BatchBuilder()
    for key, value in records:
        assert builder.add(key, value)

    assert len(builder.build(timestamp_ms=BATCH_MS)) <= builder.bound_bytes
    assert len(builder) == len(records)


def test_offset_deltas_beyond_the_tables_are_written_right() -> None:
    count = 20_000
    batch = build_batch([(None, b"v")] * count, timestamp_ms=1)

    assert [record.offset for record in walk_records(batch)] == list(range(count))


def test_values_at_the_edges_of_the_varint_table_are_written_right() -> None:
    values = [bytes(size) for size in (0, 1, 62, 63, 64, 2030, 2031, 2032, 2033, 2047, 2048, 70000)]
    batch = build_batch([(None, value) for value in values], timestamp_ms=1)

    assert [record.value for record in walk_records(batch)] == values


def test_a_builder_takes_nothing_beyond_its_size() -> None:
    builder = BatchBuilder(limit_bytes=200)

    assert builder.add(None, bytes(80))
    assert not builder.add(None, bytes(80))
    assert len(builder) == 1
    assert builder.bound_bytes == 61 + record_bound_bytes(None, bytes(80))
    assert builder.add(None, bytes(10))


def test_a_builder_takes_nothing_beyond_its_count() -> None:
    builder = BatchBuilder(limit_records=2)

    assert [builder.add(None, b"x") for _ in range(3)] == [True, True, False]


def test_a_builder_takes_all_of_some_records_or_none() -> None:
    by_size, by_count = BatchBuilder(limit_bytes=200), BatchBuilder(limit_records=2)

    def add_all(builder, records):
        return builder.add_all(records, records_bound_bytes(records))

    assert not add_all(by_size, [(None, bytes(10)), (b"key", bytes(100))])
    assert (len(by_size), by_size.bound_bytes) == (0, 61)
    assert add_all(by_size, [(None, bytes(10)), (b"key", None)])
    assert by_size.bound_bytes == 61 + record_bound_bytes(None, bytes(10)) + record_bound_bytes(
        b"key", None
    )
    assert not add_all(by_count, [(None, b"x")] * 3)
    assert add_all(by_count, [(None, b"x")] * 2)
    assert not add_all(by_count, [(None, b"x")])


def test_a_limit_that_holds_no_record_is_refused() -> None:
    with pytest.raises(ValueError, match="82 bytes hold no record"):
        BatchBuilder(limit_bytes=82)


def test_a_batch_without_records_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one record"):
        build_batch([], timestamp_ms=1)


@pytest.mark.parametrize("codec", [5, 7])
def test_codecs_that_are_none_are_refused_by_number(codec: int) -> None:
    with pytest.raises(UnsupportedCodec, match=f"cannot be written with unknown codec {codec}"):
        build_batch([(None, b"x")], timestamp_ms=1, compression=codec)
