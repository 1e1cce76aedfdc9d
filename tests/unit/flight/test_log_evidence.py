"""What batches of a metadata log say: leaders, registrations, fencings, and how they follow."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.flight.directory import log_evidence
from metaquorum.flight.evidence import (
    BrokerChanged,
    BrokerRegistered,
    BrokerRemoved,
    ControllerRegistered,
    FeatureSet,
    LeaderElected,
    VotersSet,
    Wrote,
)
from metaquorum.flight.log_evidence import Writing, evidence_of
from metaquorum.records.batch import BatchHeader, read_header
from metaquorum.storage.posix import PosixDisk
from metaquorum.testing.every_record import uuid
from tests.unit.client.fake_quorum import NOOP, TIME_MS, data_batch, feature, leader_change
from tests.unit.exporter.exported_quorum import record

KAFKAS_LOG = Path(__file__).parents[1] / "metadata" / "logs" / "kafka-4.3.1.log.gz"
SEGMENT = "00000000000000000000.log"


def said(batch: bytes) -> list[object]:
    return list(evidence_of(read_header(batch), batch))


def moved(leader: int) -> bytes:
    fields = {"partition_id": 0, "topic_id": uuid("a"), "leader": leader}
    return record("PartitionChange", 0, **fields)


def test_a_leader_change_names_leader_and_epoch() -> None:
    assert said(leader_change(7, 3, 2)) == [LeaderElected(7, 3, TIME_MS + 7, 2, (), ())]


def test_records_of_nodes_are_told_and_others_passed_over() -> None:
    endpoints = [("BrokerEndpoint", "SSL", "b", 9093, 1), ("BrokerEndpoint", "P", "b", 9092, 0)]
    broker = record(
        "RegisterBroker",
        0,
        broker_id=5,
        incarnation_id=uuid("i"),
        fenced=True,
        end_points=endpoints,
    )
    controller = record("RegisterController", 0, controller_id=2, incarnation_id=uuid("j"))
    gone = record("UnregisterBroker", 0, broker_id=5)
    batch = data_batch(10, 1, NOOP, broker, feature("x.version", 4), controller, gone)
    found = said(batch)
    assert [type(one) for one in found] == [
        BrokerRegistered,
        FeatureSet,
        ControllerRegistered,
        BrokerRemoved,
    ]
    assert isinstance(found[0], BrokerRegistered)
    assert (found[0].offset, found[0].node_id, found[0].fenced) == (11, 5, True)
    assert (found[0].address, found[0].by_tls) == ("b:9092", False)


@pytest.mark.parametrize(
    ("fields", "fenced", "stopping"),
    [
        ({"fenced": 1}, True, False),
        ({"fenced": -1}, False, False),
        ({"in_controlled_shutdown": 1}, None, True),
    ],
)
def test_changes_of_a_registration_are_told(
    fields: dict[str, int], fenced: bool | None, stopping: bool
) -> None:
    change = record("BrokerRegistrationChange", 1, broker_id=5, broker_epoch=9, **fields)
    assert said(data_batch(4, 1, change)) == [
        BrokerChanged(4, 1, TIME_MS + 4, 5, fenced, stopping, 0)
    ]


def test_the_records_before_metadata_version_3_3_are_known() -> None:
    fence, unfence = record("FenceBroker", 0, id=5, epoch=9), record("UnfenceBroker", 0, id=5)
    assert [one.fenced for one in said(data_batch(0, 1, fence, unfence))] == [True, False]


def test_a_fencing_counts_the_leaders_that_it_moves() -> None:
    fence = record("BrokerRegistrationChange", 0, broker_id=5, broker_epoch=9, fenced=1)
    (change,) = said(data_batch(0, 1, moved(3), moved(-2), moved(-1), fence))
    assert isinstance(change, BrokerChanged) and change.leaders_moved == 2


def test_a_change_that_is_about_directories_alone_is_passed_over() -> None:
    change = record("BrokerRegistrationChange", 2, broker_id=5, log_dirs=[uuid("d")])
    assert said(data_batch(0, 1, change)) == []


def test_records_that_cannot_be_decoded_are_passed_over() -> None:
    fence = record("BrokerRegistrationChange", 0, broker_id=5, broker_epoch=9, fenced=1)
    batch = data_batch(0, 1, b"\x01\x11\x00", b"", b"\x07", b"\x01\x85\x01\x00", fence)
    assert [type(one) for one in said(batch)] == [BrokerChanged]


def headers(*places: tuple[int, int, int]) -> list[BatchHeader]:
    """Batches of one record by offset, epoch and time."""
    from metaquorum.records.builder import build_batch

    return [
        read_header(
            build_batch(
                [(None, NOOP)], timestamp_ms=TIME_MS + ms, base_offset=offset, leader_epoch=epoch
            )
        )
        for offset, epoch, ms in places
    ]


def test_batches_in_a_row_are_one_stretch_with_its_longest_gap() -> None:
    writing = Writing(60_000)
    for header in headers((0, 1, 0), (1, 1, 500), (2, 1, 2_500), (3, 1, 3_000)):
        assert writing.add(header) is None
    assert writing.take() == Wrote(0, 4, 1, TIME_MS, TIME_MS + 3_000, 4, 2_000, TIME_MS + 2_500)
    assert writing.take() is None


@pytest.mark.parametrize("following", [(2, 2, 600), (9, 1, 600)])
def test_another_epoch_or_a_missing_offset_begins_anew(following: tuple[int, int, int]) -> None:
    writing = Writing(60_000)
    first, second, third = headers((0, 1, 0), (1, 1, 500), following)
    writing.add(first)
    writing.add(second)
    done = writing.add(third)
    assert done is not None and (done.next_offset, done.epoch) == (2, 1)


def kafkas_log(directory: Path) -> Path:
    partition = directory / "__cluster_metadata-0"
    partition.mkdir()
    (partition / SEGMENT).write_bytes(gzip.decompress(KAFKAS_LOG.read_bytes()))
    return partition


def test_a_directory_of_kafka_is_read_whole(tmp_path: Path) -> None:
    partition = kafkas_log(tmp_path)
    complaints: list[str] = []
    found = log_evidence(PosixDisk(), str(tmp_path), complaints.append)
    kinds = {type(one) for one in found}
    assert {Wrote, LeaderElected, VotersSet, ControllerRegistered, FeatureSet} <= kinds
    assert complaints == []
    for path in (partition, partition / SEGMENT):
        assert log_evidence(PosixDisk(), str(path), complaints.append) == found


def test_a_torn_tail_is_no_damage_and_a_hole_is_told(tmp_path: Path) -> None:
    segment = kafkas_log(tmp_path) / SEGMENT
    whole = segment.read_bytes()
    complaints: list[str] = []
    segment.write_bytes(whole[:-5])
    log_evidence(PosixDisk(), str(tmp_path), complaints.append)
    assert complaints == []
    at = len(whole) // 2
    segment.write_bytes(whole[:at] + bytes(80) + whole[at + 80 :])
    found = log_evidence(PosixDisk(), str(tmp_path), complaints.append)
    assert len(complaints) == 1 and "cannot be read" in complaints[0]
    assert [type(one) for one in found].count(Wrote) >= 2


@pytest.mark.parametrize("name", ["missing", "missing.log"])
def test_a_path_without_a_log_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(OperatorError, match=name):
        log_evidence(PosixDisk(), str(tmp_path / name), print)


def test_a_directory_that_was_only_formatted_is_named(tmp_path: Path) -> None:
    (tmp_path / "meta.properties").write_text("version=1\n")
    with pytest.raises(OperatorError, match="there is no metadata log in it"):
        log_evidence(PosixDisk(), str(tmp_path), print)
