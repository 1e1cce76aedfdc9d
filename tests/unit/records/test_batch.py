"""The header of a batch: read, checked, stamped."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.records.batch import BATCH_OVERHEAD_BYTES, check, read_header, stamp
from metaquorum.records.errors import (
    ChecksumMismatch,
    CorruptBatch,
    TruncatedBatch,
    UnknownMagic,
)

GOLDEN = Path(__file__).parent / "golden"


def golden(name: str) -> bytes:
    return bytes.fromhex((GOLDEN / f"{name}.hex").read_text())


def test_a_kafka_batch_header_is_read_field_by_field() -> None:
    header = read_header(golden("plain"))

    assert (header.base_offset, header.leader_epoch, header.magic) == (100, 7, 2)
    assert (header.last_offset, header.next_offset, header.record_count) == (101, 102, 2)
    assert header.base_timestamp_ms == 1_700_000_000_000
    assert header.max_timestamp_ms == 1_700_000_000_005
    assert (header.producer_id, header.producer_epoch, header.base_sequence) == (-1, -1, -1)
    assert header.size_bytes == len(golden("plain")) == header.length_bytes + 12
    assert (header.compression, header.timestamp_type) == (0, 0)
    assert not header.is_control
    assert not header.is_transactional
    assert header.last_sequence == -1
    assert header.delete_horizon_ms is None


@pytest.mark.parametrize(
    ("name", "codec"), [("plain", 0), ("gzip", 1), ("snappy", 2), ("lz4", 3), ("zstd", 4)]
)
def test_the_checksum_that_kafka_wrote_is_right_for_every_codec(name: str, codec: int) -> None:
    assert check(golden(name)).compression == codec


def test_a_transaction_marker_is_a_transactional_control_batch() -> None:
    header = check(golden("abort_marker"))

    assert header.is_control
    assert header.is_transactional
    assert (header.producer_id, header.producer_epoch) == (2000, 1)


def test_a_sequence_wraps_to_zero_after_its_largest_value() -> None:
    header = read_header(golden("plain"))
    header.base_sequence = 2**31 - 2
    header.last_offset_delta = 2

    assert header.last_sequence == 0


def test_stamping_sets_offset_and_epoch_and_keeps_the_checksum_valid() -> None:
    moved = stamp(golden("plain"), 5_000_000_000, 42)
    header = check(moved)

    assert (header.base_offset, header.leader_epoch) == (5_000_000_000, 42)
    assert moved[16:] == golden("plain")[16:]
    assert stamp(memoryview(moved), 100, 7) == golden("plain")


def test_every_flipped_byte_that_the_checksum_covers_is_found() -> None:
    whole = golden("gzip")
    for at in range(21, len(whole)):
        broken = bytearray(whole)
        broken[at] ^= 0x10
        with pytest.raises(CorruptBatch):
            check(bytes(broken))


def test_a_batch_is_found_at_its_place_in_a_larger_buffer() -> None:
    whole = golden("no_op")

    assert check(b"junk" + whole + b"more", 4) == check(whole)


@pytest.mark.parametrize("size", [0, 17, BATCH_OVERHEAD_BYTES - 1])
def test_less_than_a_header_is_a_truncated_batch(size: int) -> None:
    with pytest.raises(TruncatedBatch, match=f"{size} bytes are left"):
        read_header(golden("plain")[:size])


def test_a_batch_without_its_last_byte_is_truncated() -> None:
    with pytest.raises(TruncatedBatch, match="the batch has 115 bytes, 114 are there"):
        check(golden("plain")[:-1])


def test_other_message_formats_are_refused_by_number() -> None:
    old = bytearray(golden("plain"))
    old[16] = 1
    with pytest.raises(UnknownMagic, match="message format 1, only format 2 is read"):
        check(bytes(old))


@pytest.mark.parametrize("length", [-1, 0, 48])
def test_a_length_that_no_batch_has_is_refused(length: int) -> None:
    broken = golden("plain")[:8] + length.to_bytes(4, "big", signed=True) + golden("plain")[12:]
    with pytest.raises(CorruptBatch, match=f"length field {length}"):
        read_header(broken)


def test_a_wrong_checksum_names_both_values() -> None:
    broken = golden("plain")[:17] + bytes(4) + golden("plain")[21:]
    with pytest.raises(ChecksumMismatch, match="bd7918bc computed, 00000000 in the header"):
        check(broken)
