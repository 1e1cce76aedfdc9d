"""Encoded batches: equal to Kafka's bytes, and read back as what the core writes."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.quorum import adapt
from metaquorum.quorum.types import (
    Control,
    Endpoint,
    KRaftVersionControl,
    LeaderChangeControl,
    ReplicaKey,
    Voter,
    VotersControl,
)
from metaquorum.records.batch import read_header
from metaquorum.records.builder import build_batch
from metaquorum.records.control import ControlRecord, controls_of

# Written by Kafka: leader 1, voters 1 2 3, granted by 1 and 2, offset 0, epoch 1.
KAFKA_LEADER_CHANGE = bytes.fromhex(
    "00000000000000000000005e00000001021735ab2b0020000000000000018bcfe568000000018bcfe56800"
    "ffffffffffffffffffffffffffff00000001580000000800000002440000000000010400000001000000000200"
    "000000030003000000010000000002000000"
)
# Written by Kafka: the first batch of a real three-voter log.
KAFKA_OPENING = bytes.fromhex(
    "0000000000000000000001180000000102a7526a2b002000000002000001a1f9a951ac000001a1f9a951ac"
    "ffffffffffffffffffffffffffff000000035800000008000000024400000000000104000000010000000002"
    "000000000300030000000200000000010000001e00000208000000050a000000010000d002000004080000"
    "0006ba020000040000000175d75d75d75d75d75d75d75d75d75dd4020b434f4e54524f4c4c45520a313237"
    "2e302e302e3155fb000000000100000000000275d75d75d75d75d75d75d75d75d75dd8020b434f4e54524f"
    "4c4c45520a3132372e302e302e3155fc000000000100000000000375d75d75d75d75d75d75d75d75d75ddc"
    "020b434f4e54524f4c4c45520a3132372e302e302e3155fd000000000100000000"
)
CHANGE = LeaderChangeControl(
    1,
    (ReplicaKey(3, b"c" * 16), ReplicaKey(1, b"a" * 16), ReplicaKey(2, b"b" * 16)),
    (ReplicaKey(2, b"b" * 16), ReplicaKey(1, b"a" * 16)),
)


def test_a_leader_change_is_kafkas_to_the_byte() -> None:
    batch = adapt.make_control_batch((CHANGE,), 0, 1, timestamp_ms=1_700_000_000_000)
    assert batch.payload == KAFKA_LEADER_CHANGE
    assert (batch.base_offset, batch.last_offset, batch.epoch) == (0, 0, 1)
    assert (batch.size_bytes, batch.record_count) == (106, 1)


def test_the_opening_of_a_real_log_reads_and_writes_back_the_same() -> None:
    batch = adapt.built_batch(KAFKA_OPENING)
    change, version, voters = (control.value for control in batch.controls)
    assert isinstance(change, LeaderChangeControl)
    assert (change.leader_id, [key.id for key in change.granting]) == (1, [2, 1])
    assert version == KRaftVersionControl(1)
    assert isinstance(voters, VotersControl)
    directory = bytes.fromhex("75d75d75d75d75d75d75d75d75d75dd4")
    assert voters.voters[0] == Voter(
        ReplicaKey(1, directory), (Endpoint("CONTROLLER", "127.0.0.1", 22011),), 0, 1
    )
    again = adapt.make_control_batch(
        (change, version, voters), 0, 1, timestamp_ms=batch.append_time_ms
    )
    assert isinstance(again.payload, bytes)
    ascending = KAFKA_OPENING.replace(  # Kafka names who granted in no order, we ascending
        bytes.fromhex("03000000020000000001"), bytes.fromhex("03000000010000000002")
    )
    assert again.payload[21:] == ascending[21:], "everything that the checksum covers"
    assert again.controls[1:] == batch.controls[1:]


def test_a_stamped_batch_keeps_its_checksum_and_moves_its_controls() -> None:
    built = adapt.make_control_batch((CHANGE, KRaftVersionControl(1)), 0, 0, timestamp_ms=5)
    placed = adapt.stamp(built, 40, 7)
    assert (placed.base_offset, placed.last_offset, placed.epoch) == (40, 41, 7)
    assert [control.offset for control in placed.controls] == [40, 41]
    assert isinstance(placed.payload, bytes)
    read = adapt.built_batch(placed.payload)
    assert (read.base_offset, read.epoch) == (40, 7)
    assert adapt.read_batches(placed.payload)[1] is None


def test_data_batches_carry_no_controls() -> None:
    payload = build_batch([(None, b"x"), (None, b"y")], timestamp_ms=9)
    batch = adapt.built_batch(payload)
    assert (batch.record_count, batch.last_offset, batch.controls) == (2, 1, ())
    assert (batch.append_time_ms, batch.size_bytes) == (9, len(payload))


def test_a_cut_off_last_batch_is_left_out_without_complaint() -> None:
    whole = build_batch([(None, b"x")], timestamp_ms=9)
    batches, wrong = adapt.read_batches(whole + whole[:-3])
    assert (len(batches), wrong) == (1, None)


def test_nothing_behind_a_broken_batch_is_taken() -> None:
    whole = build_batch([(None, b"x")], timestamp_ms=9)
    broken = whole[:-3] + b"?" + whole[-2:]
    batches, wrong = adapt.read_batches(whole + broken + whole)
    assert len(batches) == 1
    assert wrong


def test_control_records_that_consensus_does_not_know_are_passed_over() -> None:
    batch = adapt.make_control_batch((CHANGE,), 3, 1, timestamp_ms=1)
    assert isinstance(batch.payload, bytes)
    (record,) = controls_of(batch.payload, read_header(batch.payload))
    found = adapt.control_of(record)
    assert isinstance(found, Control)
    assert found.offset == 3
    assert adapt.control_of(ControlRecord(3, 77, None)) is None


@pytest.mark.parametrize("codec", [1, 2, 3, 4])
def test_a_compressed_batch_never_enters_the_log_of_a_leader(codec: int) -> None:
    pairs = [(None, bytes.fromhex("01140000"))] * 9
    batch = adapt.built_batch(build_batch(pairs, timestamp_ms=5, compression=codec))
    with pytest.raises(
        InvariantViolated, match="a compressed batch for offset 70 of the metadata log"
    ):
        adapt.stamp(batch, 70, 3)


def test_a_compressed_batch_of_another_leader_is_taken() -> None:
    pairs = [(None, bytes.fromhex("01140000"))] * 9
    payload = build_batch(pairs, timestamp_ms=5, base_offset=70, leader_epoch=3, compression=3)
    batch = adapt.built_batch(payload)
    assert (batch.base_offset, batch.last_offset, batch.record_count) == (70, 78, 9)
    assert batch.payload == payload
