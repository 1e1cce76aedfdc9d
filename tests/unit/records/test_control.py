"""Control records: read from Kafka's bytes, written to the same bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.base.ids import parse_uuid
from metaquorum.records.batch import check
from metaquorum.records.builder import build_batch
from metaquorum.records.control import (
    ControlType,
    TransactionMarker,
    controls_of,
    encode_control,
    read_control,
)
from metaquorum.records.errors import CorruptRecord
from metaquorum.records.reader import walk_batches, walk_records
from metaquorum.records.record import Record

GOLDEN = Path(__file__).parent / "golden"


def golden(name: str) -> bytes:
    return bytes.fromhex((GOLDEN / f"{name}.hex").read_text())


def test_first_batch_of_three_voters_has_leader_version_and_voters() -> None:
    batch = golden("first_batch_of_three_voters")
    change, version, voters = controls_of(batch, check(batch))

    assert [control.offset for control in (change, version, voters)] == [0, 1, 2]
    assert change.type == ControlType.LEADER_CHANGE
    assert change.message.leader_id == 1
    assert [voter.voter_id for voter in change.message.voters] == [1, 2, 3]
    assert [voter.voter_id for voter in change.message.granting_voters] == [2, 1]
    assert version.message.kraft_version == 1
    second = voters.message.voters[1]
    assert second.voter_id == 2
    assert second.voter_directory_id == parse_uuid("dddddddddddddddddddd2A")
    [endpoint] = second.endpoints
    assert (endpoint.name, endpoint.host, endpoint.port) == ("CONTROLLER", "127.0.0.1", 22012)


@pytest.mark.parametrize(
    "name",
    [
        "first_batch_of_three_voters",
        "leader_change_of_epoch_3",
        "leader_change",
        "zero_checkpoint_of_one_voter",
        "abort_marker",
    ],
)
def test_what_is_read_is_written_to_the_same_bytes(name: str) -> None:
    for header, batch in walk_batches(golden(name)):
        assert header.is_control
        for record in walk_records(batch, header):
            control = read_control(record)
            key, value = encode_control(ControlType(control.type), control.message)

            assert (key, value) == (record.key, record.value)


def test_a_control_batch_of_three_records_is_built_to_kafkas_bytes() -> None:
    whole = golden("first_batch_of_three_voters")
    header = check(whole)
    pairs = [
        encode_control(ControlType(control.type), control.message)
        for control in controls_of(whole, header)
    ]
    built = build_batch(pairs, timestamp_ms=header.base_timestamp_ms, leader_epoch=1, control=True)

    assert built == whole


def test_a_transaction_marker_keeps_its_coordinator_epoch() -> None:
    [record] = walk_records(golden("abort_marker"))

    assert read_control(record).message == TransactionMarker(version=0, coordinator_epoch=4)


def test_a_type_that_kafka_does_not_know_has_no_message() -> None:
    control = read_control(Record(7, 0, bytes.fromhex("00000063"), b"anything"))

    assert (control.offset, control.type, control.message) == (7, 99, None)


@pytest.mark.parametrize("key", [None, b"", b"\x00\x00\x00"])
def test_a_key_without_a_type_is_refused(key: bytes | None) -> None:
    with pytest.raises(CorruptRecord, match="control record at offset 7 has no type"):
        read_control(Record(7, 0, key, b""))


def test_a_negative_key_version_is_refused() -> None:
    with pytest.raises(CorruptRecord, match="version -1"):
        read_control(Record(7, 0, bytes.fromhex("ffff0002"), b""))


def test_a_short_transaction_marker_is_refused() -> None:
    with pytest.raises(CorruptRecord, match="a transaction marker of 2 bytes"):
        read_control(Record(7, 0, bytes.fromhex("00000001"), b"\x00\x00"))
