"""Batches to columns: every record type, what cannot be read, ranges, and what is left out."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import uuid_text
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.records.batch import read_header
from metaquorum.records.builder import build_batch
from metaquorum.records.control import ControlType, encode_control
from metaquorum.records.metadata_record import decode_metadata_record, encode_metadata_record
from metaquorum.testing.schemas import message as schema_of
from metaquorum.testing.strategies import messages
from metaquorum.testing.values import build
from metaquorum.wire.generated import index, leader_change_message
from metaquorum.wire.generated.records import no_op_record, topic_record
from pyspark_metaquorum.columns import arrow_schema, record_types
from pyspark_metaquorum.decoding import Decoder, decoded
from pyspark_metaquorum.generated.record_types import CONTROLS, METADATA

TOPIC = encode_metadata_record(2, topic_record.TopicRecord("t", bytes(range(16))), 0)
NOOP = encode_metadata_record(20, no_op_record.NoOpRecord(), 0)


def rows_of(batch: bytes, **settings: Any) -> list[dict[str, Any]]:
    """The rows of one batch."""
    decoder = Decoder("here", **settings)
    found = list(decoded([(read_header(batch), batch)], decoder))
    return [row for part in found for row in part.to_pylist()]


def a_batch(*values: bytes, base_offset: int = 7) -> bytes:
    """Metadata records at offsets from ``base_offset`` on, in epoch 3."""
    return build_batch(
        [(None, value) for value in values],
        timestamp_ms=1_700_000_000_123,
        base_offset=base_offset,
        leader_epoch=3,
    )


def test_a_record_is_a_row_with_its_place_and_its_fields() -> None:
    first, second = rows_of(a_batch(NOOP, TOPIC))
    assert second["topic_record"] == {"name": "t", "topic_id": uuid_text(bytes(range(16)))}
    assert (first["type"], first["topic_record"]) == ("NoOpRecord", None)
    wanted = {"offset": 8, "epoch": 3, "batch_offset": 7, "control": False, "type": "TopicRecord"}
    wanted |= {"type_id": 2, "version": 0, "snapshot_offset": None, "source": "here"}
    wanted |= {"raw": None, "problem": None}
    assert {name: second[name] for name in wanted} == wanted
    assert second["timestamp"].timestamp() == pytest.approx(1_700_000_000.123)


def test_every_record_type_has_the_columns_of_its_schema() -> None:
    assert set(METADATA) == set(index.RECORDS)
    for number, known in METADATA.items():
        row = index.RECORDS[number]
        assert (known.name, known.module) == (row.name, row.module)
    assert set(CONTROLS) == {one.value for one in ControlType if one.value > 1}


@settings(max_examples=150, derandomize=True, deadline=None, database=None)
@given(data=st.data())
def test_any_record_comes_back_as_its_fields(data: st.DataObject) -> None:
    number = data.draw(st.sampled_from(sorted(METADATA)))
    known = METADATA[number]
    codec = index.record_codec(number)
    version = data.draw(st.integers(codec.LOWEST_VERSION, codec.HIGHEST_VERSION))
    schema = schema_of(known.name)
    message = build(schema, data.draw(messages(schema, version)))
    (row,) = rows_of(a_batch(encode_metadata_record(number, message, version)))
    assert (row["type"], row["version"], row["problem"]) == (known.name, version, None)
    if known.parts:
        read_again = codec.decode(codec.encode(message, version), version)
        assert row[known.column] == plain(read_again, known.parts)


def plain(message: Any, parts: Any) -> dict[str, Any]:
    """The fields of a message as Arrow gives them back."""

    def one(value: Any, part: Any) -> Any:
        if value is None:
            return None
        if part.element == "struct":
            return plain(value, part.parts)
        if part.element == "uuid":
            return uuid_text(value)
        return bytes(value) if part.element == "bytes" else value

    found = {}
    for part in parts:
        value = getattr(message, part.name)
        many = part.many and value is not None
        found[part.name] = [one(each, part) for each in value] if many else one(value, part)
    return found


def test_a_control_record_is_a_row_too() -> None:
    message = leader_change_message.LeaderChangeMessage(leader_id=4)
    batch = build_batch(
        [encode_control(ControlType.LEADER_CHANGE, message)], timestamp_ms=1, control=True
    )
    (row,) = rows_of(batch)
    assert (row["control"], row["type"]) == (True, "LeaderChangeMessage")
    assert row["leader_change_message"]["leader_id"] == 4


@pytest.mark.parametrize(
    ("value", "number", "version", "why"),
    [
        (b"\x01\x7e\x00abc", 126, 0, "an unknown record type"),
        (b"\x01\x02\x63abc", 2, 99, "TopicRecord"),
        (b"\x01\x02\xe3\x01" + TOPIC[3:] + b"more", 2, 227, "4 bytes left over"),
        (b"\x02\x02\x00", None, None, "frame version 2"),
        (b"", None, None, ""),
        (TOPIC[:-3], 2, 0, "TopicRecord"),
        (TOPIC + b"more", 2, 0, "4 bytes are left over"),
    ],
)
def test_what_cannot_be_read_is_a_row_with_its_reason_and_its_bytes(
    value: bytes, number: int | None, version: int | None, why: str
) -> None:
    before, row, after = rows_of(a_batch(TOPIC, value, TOPIC))
    assert before["problem"] is None is after["problem"]
    assert (row["type_id"], row["version"], row["raw"]) == (number, version, value)
    assert why in row["problem"]


@pytest.mark.parametrize("version", [b"\x63", b"\xe3\x01"])
def test_a_newer_version_is_read_as_the_servers_replay_reads_it(version: bytes) -> None:
    value = TOPIC[:2] + version + TOPIC[3:]
    replayed = decode_metadata_record(value)
    before, row, after = rows_of(a_batch(TOPIC, value, NOOP))
    assert (row["problem"], row["raw"], row["version"]) == (None, None, replayed.version)
    assert row["topic_record"] == before["topic_record"]
    assert row["topic_record"]["name"] == replayed.message.name
    assert (row["offset"], after["type"]) == (8, "NoOpRecord")
    assert rows_of(a_batch(value), raw="always")[0]["raw"] == value
    assert rows_of(a_batch(value), types=record_types(["NoOpRecord"])) == []


def test_a_batch_whose_records_do_not_fit_reports_it_after_good_ones() -> None:
    good = a_batch(TOPIC, NOOP)
    broken = good[:-1] + b"\x02"  # the header count of the last record: one header, which is cut
    rows = rows_of(broken)
    assert [row["type"] for row in rows] == ["TopicRecord", None]
    assert "record 1 of the batch" in rows[1]["problem"]


def test_only_the_types_asked_for_become_rows_and_columns() -> None:
    wanted = record_types(["TopicRecord"])
    rows = rows_of(a_batch(NOOP, TOPIC, b"\x01\x7e\x00"), types=wanted)
    assert [row["type_id"] for row in rows] == [2, 126]
    assert "partition_record" not in rows[0]
    assert record_types(["topic_record"]) == wanted
    with pytest.raises(OperatorError, match="no record type is called Nothing"):
        record_types(["Nothing"])


def test_a_range_cuts_through_a_batch_and_never_through_a_snapshot() -> None:
    batch = a_batch(NOOP, TOPIC, NOOP)
    assert [row["offset"] for row in rows_of(batch, first=8, until=9)] == [8]
    decoder = Decoder("here", first=100)
    taken = list(decoder.take(read_header(batch), batch, OffsetAndEpoch(2, 100)))
    rows = [row for part in (*taken, *decoder.rest()) for row in part.to_pylist()]
    assert {(row["snapshot_offset"], row["snapshot_epoch"]) for row in rows} == {(100, 2)}
    assert len(rows) == 3


def test_raw_bytes_are_kept_as_asked() -> None:
    batch = a_batch(TOPIC, b"\x01\x7e\x00")
    assert [row["raw"] for row in rows_of(batch, raw="always")] == [TOPIC, b"\x01\x7e\x00"]
    assert [row["raw"] for row in rows_of(batch, raw="never")] == [None, None]


def test_rows_leave_in_arrow_batches_of_the_size_asked_for() -> None:
    batch = a_batch(*[TOPIC] * 10)
    decoder = Decoder("here", rows_per_batch=20)
    found = list(decoded([(read_header(batch), batch)] * 5, decoder))
    assert [part.num_rows for part in found] == [20, 20, 10]
    assert all(part.schema == arrow_schema(record_types()) for part in found)
    assert isinstance(found[0], pa.RecordBatch)
