"""The frame of metadata records, against the examples of Kafka's own classes."""

from __future__ import annotations

import pytest

from metaquorum.records.metadata_record import (
    MetadataRecordError,
    decode_metadata_record,
    encode_metadata_record,
)
from metaquorum.wire.primitives import DecodeError

EXAMPLES = [
    ("01140000", 20, 0),
    ("01180000", 24, 0),
    ("01170001001212426f6f747374726170207265636f726473", 23, 0),
    ("010c00116d657461646174612e76657273696f6e001900", 12, 0),
    ("0111000000006400000000000000070100" + "01ff", 17, 0),
]


@pytest.mark.parametrize(("text", "type", "version"), EXAMPLES)
def test_framed_records_are_read_and_written_to_the_same_bytes(
    text: str, type: int, version: int
) -> None:
    value = bytes.fromhex(text)
    record = decode_metadata_record(value)

    assert (record.type, record.version) == (type, version)
    assert encode_metadata_record(type, record.message, version) == value


def test_the_message_behind_the_frame_has_its_fields() -> None:
    record = decode_metadata_record(bytes.fromhex(EXAMPLES[3][0]))

    assert (record.message.name, record.message.feature_level) == ("metadata.version", 25)


def test_a_view_is_read_like_bytes() -> None:
    value = bytes.fromhex(EXAMPLES[2][0])

    assert decode_metadata_record(memoryview(value)).message.name == "Bootstrap records"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("00140000", "frame version 0, only version 1 is known"),
        ("02140000", "frame version 2"),
        ("01060000", "unknown metadata record type 6"),
        ("01ffff7f0000", "record type 2097151"),
        ("01146300", "NoOpRecord version 99, known are 0 to 0"),
        ("0114000000", "1 bytes left over after NoOpRecord"),
        ("", "cut off"),
        ("0114", "cut off"),
        ("01ffffffffffff", "exceeds 5 bytes"),
    ],
)
def test_frames_that_are_none_are_refused_with_a_place(text: str, why: str) -> None:
    with pytest.raises(MetadataRecordError, match=why) as refused:
        decode_metadata_record(bytes.fromhex(text))
    assert f"byte {refused.value.at} of the value" in str(refused.value)


def test_a_message_that_is_cut_off_is_a_decode_error() -> None:
    with pytest.raises(DecodeError):
        decode_metadata_record(bytes.fromhex(EXAMPLES[3][0])[:-4])
