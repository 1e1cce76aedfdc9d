"""The producer state file: Kafka's bytes, both ways, and none for what is damaged."""

from __future__ import annotations

import pytest

from metaquorum.storage.producer_snapshot import (
    EMPTY,
    DamagedSnapshot,
    decode_producers,
    encode_producers,
    read_producers,
    write_empty_producer_snapshot,
    write_producers,
)
from metaquorum.storage.producer_state import LastBatch, ProducerEntry
from metaquorum.testing.sim.disk import SimDisk


def empty_disk() -> SimDisk:
    disk = SimDisk()
    disk.make_directory("/log")
    return disk


def test_the_producer_state_of_the_metadata_log_is_kafkas_empty_one() -> None:
    disk = empty_disk()
    write_empty_producer_snapshot(disk, "/log", 42)

    assert disk.files() == {
        "/log/00000000000000000042.snapshot": bytes.fromhex("000148674bc700000000")
    }


# What Kafka's own classes wrote for these entries.
ONE = ProducerEntry(1_000, 3, 7, 1_700_000_000_123, 42, LastBatch(99, 1_234, 9))
ONE_WRITTEN = (
    "0001147526f10000000100000000000003e800030000006300000000000004d2000000090000018bcfe5687b"
    "00000007000000000000002a"
)
FOUR_WRITTEN = (
    "0001a3a875ad0000000400000000000007d0000100000002000000000000000b000000010000018bcfe56833"
    "00000004000000000000000a0000000000000fa00000ffffffffffffffffffffffff000000000000018bcfe5"
    "683c00000009ffffffffffffffff00000000000003e8000100000000000000000000000d000000000000018b"
    "cfe56846ffffffffffffffffffffffff0000000000000bb80006ffffffffffffffffffffffff000000000000"
    "018bcfe5685000000002ffffffffffffffff"
)


def test_a_file_is_byte_for_byte_what_kafka_writes() -> None:
    assert encode_producers([]) == EMPTY
    assert encode_producers([ONE]).hex() == ONE_WRITTEN
    assert decode_producers(bytes.fromhex(ONE_WRITTEN)) == (ONE,)


def test_a_kafka_file_of_several_producers_is_read_and_written_back() -> None:
    content = bytes.fromhex(FOUR_WRITTEN)
    entries = decode_producers(content)
    assert encode_producers(entries) == content
    assert [(one.producer_id, one.epoch) for one in entries] == [
        (2_000, 1),
        (4_000, 0),
        (1_000, 1),
        (3_000, 6),
    ]
    assert entries[0].last == LastBatch(2, 11, 1) and entries[1].last is None


@pytest.mark.parametrize("size", range(len(ONE_WRITTEN) // 2))
def test_a_file_that_was_cut_off_is_damaged(size: int) -> None:
    with pytest.raises(DamagedSnapshot):
        decode_producers(bytes.fromhex(ONE_WRITTEN)[:size])


@pytest.mark.parametrize("at", range(len(ONE_WRITTEN) // 2))
def test_a_turned_bit_anywhere_is_noticed(at: int) -> None:
    raw = bytearray.fromhex(ONE_WRITTEN)
    raw[at] ^= 1
    with pytest.raises(DamagedSnapshot):
        decode_producers(bytes(raw))


def test_what_follows_the_entries_is_noticed() -> None:
    """Kafka writes over a longer file without cutting it."""
    with pytest.raises(DamagedSnapshot, match="checksum"):
        decode_producers(bytes.fromhex(FOUR_WRITTEN)[:-46] + bytes(46))
    with pytest.raises(DamagedSnapshot):
        decode_producers(EMPTY + b"x")


def test_a_file_appears_whole_or_not_at_all() -> None:
    disk = empty_disk()
    write_producers(disk, "/log", 7, [ONE])
    assert disk.files() == {"/log/00000000000000000007.snapshot": bytes.fromhex(ONE_WRITTEN)}
    assert read_producers(disk, "/log", 7) == (ONE,)
    assert read_producers(disk, "/log", 8) is None
