"""The frame of metadata records, against the examples of Kafka's own classes."""

from __future__ import annotations

import pytest

from metaquorum.records.metadata_record import (
    MetadataRecordError,
    decode_metadata_record,
    encode_metadata_record,
)
from metaquorum.wire.generated.index import record_codec
from metaquorum.wire.primitives import DecodeError

CLIENT_QUOTA = 14

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
        ("0114630000", "1 bytes left over after NoOpRecord"),
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


TOPIC = "0102{version}0278000102030405060708090a0b0c0d0e0f"


@pytest.mark.parametrize("version", ["01", "09", "ffff01"])
@pytest.mark.parametrize("tags", ["00", "0163" + "03616263", "020001aa6300"])
def test_a_newer_version_is_read_by_the_newest_known_layout(version: str, tags: str) -> None:
    """What was added is tagged, and passed over: Kafka's nodes read such records alike."""
    record = decode_metadata_record(bytes.fromhex(TOPIC.format(version=version) + tags))

    assert (record.message.name, record.message.topic_id) == ("x", bytes(range(16)))
    assert (record.version > 0, record.known_version) == (True, 0)


def test_a_newer_version_with_structures_in_it_is_refused() -> None:
    """They are told to be of that version too, and Kafka's readers of structures refuse it."""
    codec = record_codec(CLIENT_QUOTA)
    user = codec.EntityData("user", "anna")
    for parts in ([], [user]):
        value = bytearray(
            encode_metadata_record(CLIENT_QUOTA, codec.ClientQuotaRecord(parts, "k", 1.0), 0)
        )
        value[2] = 1
        if parts:
            with pytest.raises(MetadataRecordError, match="version 1 with entity, which are known"):
                decode_metadata_record(bytes(value))
        else:
            assert decode_metadata_record(bytes(value)).message.key == "k"
