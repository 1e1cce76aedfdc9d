from __future__ import annotations

import json

from attrs import evolve

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.client.log_record import LogRecord, decode_record, known_types
from metaquorum.client.record_text import as_json, as_line, fields_text, time_text
from tests.unit.client.fake_quorum import feature

RECORD = decode_record(12, 3, 1_795_250_000_123, None, feature("metadata.version", 30))


def test_a_record_is_one_readable_line() -> None:
    assert as_line(RECORD) == (
        "      12     3  2026-11-21T08:33:20.123Z  FeatureLevelRecord v0  "
        "name=metadata.version featureLevel=30"
    )


def test_a_snapshots_record_names_its_snapshot() -> None:
    line = as_line(evolve(RECORD, snapshot=OffsetAndEpoch(3, 1081)))
    assert line.startswith("snapshot 1081-3 #12 ")


def test_what_cannot_be_decoded_says_why() -> None:
    record = decode_record(1, 1, 0, None, b"\x01\xf9\x01\x00")
    assert record.type == "Unknown"
    assert "unknown metadata record type 249" in as_line(record)


def test_a_record_without_a_value_is_a_line_too() -> None:
    assert decode_record(1, 1, 0, b"key", None).problem is not None


def test_json_has_kafkas_field_names_and_is_one_line() -> None:
    row = json.loads(as_json(RECORD))
    assert row == {
        "offset": 12,
        "epoch": 3,
        "timestamp": 1_795_250_000_123,
        "control": False,
        "type": "FeatureLevelRecord",
        "version": 0,
        "data": {"name": "metadata.version", "featureLevel": 30},
    }
    marked = json.loads(as_json(evolve(RECORD, snapshot=OffsetAndEpoch(3, 7), problem="odd")))
    assert marked["snapshot"] == {"endOffset": 7, "epoch": 3}
    assert marked["problem"] == "odd"


def test_text_never_breaks_the_line_or_the_pairs() -> None:
    fields = {"a": "x y", "b": "li\nne", "c": "k=v", "d": "", "e": None, "f": [1, {"g": "h"}]}
    assert fields_text(fields) == ('a="x y" b="li\\nne" c="k=v" d="" e=null f=[1,{"g":"h"}]')
    assert "\n" not in as_line(decode_record(1, 1, 0, None, feature("a\nb\x1b[0m", 1)))
    assert "\x1b" not in as_line(decode_record(1, 1, 0, None, feature("a\nb\x1b[0m", 1)))


def test_times_no_calendar_reaches_are_numbers() -> None:
    assert time_text(-1) == "1969-12-31T23:59:59.999Z"
    assert time_text(2**62) == str(2**62)


def test_the_known_types_are_the_schemas_names() -> None:
    names = known_types()
    assert {"TopicRecord", "NoOpRecord", "LeaderChangeMessage", "VotersRecord"} <= set(names)
    assert len(names) == len(set(names))


def test_a_record_of_another_client_has_its_place_and_its_bytes() -> None:
    assert isinstance(RECORD, LogRecord)
    assert (RECORD.offset, RECORD.epoch, RECORD.key) == (12, 3, None)
    assert RECORD.value == feature("metadata.version", 30)
