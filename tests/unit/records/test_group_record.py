"""Records of __consumer_offsets, against the layouts that Kafka documents."""

from __future__ import annotations

import pytest

from metaquorum.groups.rows import record_of, tombstone_of
from metaquorum.records.group_record import (
    GROUP_METADATA,
    OFFSET_COMMIT,
    GroupRecord,
    GroupRecordError,
)


def test_an_offset_commit_has_a_typed_key_and_a_version_3_value() -> None:
    record = record_of(OFFSET_COMMIT, "g", "t", 0, offset=5, leader_epoch=1, metadata="m")
    key, value = record.encode()
    assert key.hex() == "0001" + "000167" + "000174" + "00000000"
    assert value is not None
    assert value.hex() == "0003" + f"{5:016x}" + "00000001" + "00016d" + f"{0:016x}"
    assert GroupRecord.decode(key, value) == record


def test_an_offset_that_expires_by_itself_is_written_in_version_1() -> None:
    record = record_of(OFFSET_COMMIT, "g", "t", 0, offset=5, expire_timestamp=9)
    value = record.encode()[1]
    assert value is not None
    assert value[:2] == b"\x00\x01"
    assert GroupRecord.decode(*record.encode()) == record


def test_a_tombstone_has_no_value() -> None:
    key, value = tombstone_of(GROUP_METADATA, "g").encode()
    assert (key, value) == (b"\x00\x02\x00\x01g", None)
    assert GroupRecord.decode(key, value) == tombstone_of(GROUP_METADATA, "g")


def test_an_unknown_kind_stays_bytes() -> None:
    record = GroupRecord.decode(b"\x00\x0bxyz", b"any")
    assert record.type == -1
    assert record.encode() == (b"\x00\x0bxyz", b"any")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (None, b""),
        (b"\x00", b""),
        (b"\x00\x02\x00\x05g", b"\x00\x03"),
        (b"\x00\x02\x00\x01g", b"\x00"),
        (b"\x00\x02\x00\x01g", b"\x00\x63"),
        (b"\x00\x02\x00\x01g", b"\x00\x03\x00\x09c"),
    ],
)
def test_what_cannot_be_read_is_refused(key: bytes | None, value: bytes) -> None:
    with pytest.raises(GroupRecordError):
        GroupRecord.decode(key, value)
