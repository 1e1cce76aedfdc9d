"""Reading batches into records; a log and a snapshot that Kafka 4.3.1 wrote are the judges."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.metadata.reading import read_metadata_batch, read_metadata_records
from metaquorum.metadata.state import MetadataState, Provenance
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.records.builder import build_batch
from metaquorum.records.reader import walk_batches, walk_records

LOGS = Path(__file__).parent / "logs"
SNAPSHOT_END = 446


def _from_log(data: bytes, end: int | None = None) -> MetadataState:
    state = MetadataState()
    for header, batch in walk_batches(data):
        if end is not None and header.base_offset >= end:
            break
        records = read_metadata_batch(batch, header)
        for offset, record in enumerate(records, start=header.base_offset):
            state.replay(record, offset, header.leader_epoch, header.max_timestamp_ms)
        if records:
            state.close_batch()
        state.commit(header.next_offset)
    return state


def _tables(view: StateView) -> dict[str, object]:
    tables = {
        "brokers": view.brokers,
        "controllers": view.controllers,
        "topics": view.topics,
        "partitions": view.partitions,
        "configs": view.configs,
        "quotas": view.quotas,
        "access_rules": view.access_rules,
        "scram": view.scram,
        "tokens": view.tokens,
    }
    return {
        "features": view.features.levels,
        "next_producer_id": view.next_producer_id,
        **{name: dict(table.items()) for name, table in tables.items()},
    }


def test_a_log_of_kafka_replays_to_what_kafkas_own_snapshot_says() -> None:
    log = gzip.decompress((LOGS / "kafka-4.3.1.log.gz").read_bytes())
    snapshot = gzip.decompress((LOGS / "kafka-4.3.1-446-2.checkpoint.gz").read_bytes())
    place = Provenance(SNAPSHOT_END, 2, 0)
    loaded = MetadataState.from_snapshot(read_metadata_records(snapshot), place)
    replayed = _from_log(log, SNAPSHOT_END)
    ours, theirs = _tables(replayed.committed()), _tables(loaded.committed())
    # Kafka's snapshot still has the configuration of the topic that was removed; its controller
    # and we forget it with the topic.
    configs = theirs["configs"]
    assert isinstance(configs, dict)
    assert configs.pop((2, "alpha")) == {"retention.ms": "1000"}
    assert ours == theirs
    assert replayed.provenance.end_offset == SNAPSHOT_END


def test_features_of_a_kafka_log_became_valid_with_their_transaction() -> None:
    state = _from_log(gzip.decompress((LOGS / "kafka-4.3.1.log.gz").read_bytes()))
    features = state.committed().features
    assert (features.metadata_version, features.epoch) == (30, 12)
    assert state.statistics() == {"marks": 1, "old_values": 0, "uncommitted_batches": 0}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (b"\x01\x06\x00\x00", "at offset 40 cannot be read: unknown metadata record type 6"),
        (
            b"\x01\x0e\x07\x02\x05user\x00\x00\x02k" + bytes(10),
            "at offset 40 cannot be read: ClientQuotaRecord version 7 with entity",
        ),
        (b"\x02\x14\x00\x00", "at offset 40 cannot be read: frame version 2"),
        (b"\x01\x14\x00\x00\x00", "at offset 40 cannot be read: 1 bytes left over"),
        (b"\x01\x02\x00\x05ab", "at offset 40 cannot be read"),
    ],
)
def test_what_cannot_be_understood_is_named_by_its_offset(value: bytes, message: str) -> None:
    batch = build_batch([(None, value)], timestamp_ms=0, base_offset=40)
    with pytest.raises(InvariantViolated, match=message):
        list(read_metadata_records(batch))


def test_keys_and_missing_values_are_no_metadata() -> None:
    keyed = build_batch([(b"k", b"\x01\x14\x00\x00")], timestamp_ms=0, base_offset=3)
    with pytest.raises(InvariantViolated, match="offset 3 is no metadata: it has a key"):
        list(read_metadata_records(keyed))
    empty = build_batch([(None, None)], timestamp_ms=0, base_offset=3)  # type: ignore[list-item]
    with pytest.raises(InvariantViolated, match="offset 3 is no metadata: it has no value"):
        list(read_metadata_records(empty))


def test_control_batches_hold_no_metadata() -> None:
    control = build_batch([(b"\0\0\0\x02", b"")], timestamp_ms=0, control=True)
    assert list(read_metadata_records(control)) == []


@pytest.mark.parametrize("codec", [1, 2, 3, 4])
def test_a_log_whose_batches_are_compressed_reads_to_the_same_state(codec: int) -> None:
    log = gzip.decompress((LOGS / "kafka-4.3.1.log.gz").read_bytes())
    packed = []
    for header, batch in walk_batches(log):
        if header.is_control:
            packed.append(bytes(batch))
            continue
        packed.append(
            build_batch(
                [(record.key, record.value) for record in walk_records(batch, header)],
                timestamp_ms=header.base_timestamp_ms,
                base_offset=header.base_offset,
                leader_epoch=header.leader_epoch,
                compression=codec,
            )
        )
    ours, theirs = _from_log(b"".join(packed)).committed(), _from_log(log).committed()
    assert _tables(ours) == _tables(theirs)


def test_a_batch_that_cannot_be_decompressed_stops_with_its_offset() -> None:
    batch = build_batch([(None, b"x" * 99)], timestamp_ms=5, base_offset=44, compression=3)
    ((header, view),) = walk_batches(batch[:61] + b"?" + batch[62:])
    with pytest.raises(
        InvariantViolated, match="the batch at offset 44 cannot be read: no lz4 frame"
    ):
        read_metadata_batch(view, header)
