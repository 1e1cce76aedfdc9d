"""What a snapshot of a state is made of; the real Kafka's form of it is compared in interop."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import MAX_BATCH_BYTES, SNAPSHOT_SLICE_RECORDS
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.metadata.reading import read_metadata_records
from metaquorum.metadata.snapshot_writer import snapshot_messages, snapshot_of, snapshot_values
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.versions import HIGHEST_KNOWN, MINIMUM
from metaquorum.records.batch import check
from metaquorum.records.control import ControlType, controls_of
from metaquorum.storage.snapshot_check import verify_file
from metaquorum.testing.every_record import every_record, every_state, made, uuid
from metaquorum.testing.sim.disk import SimDisk
from metaquorum.wire.generated.kraft_version_record import KRaftVersionRecord

TABLES = (
    *("brokers", "controllers", "topics", "topic_ids", "partitions", "configs"),
    *("quotas", "access_rules", "scram", "tokens"),
)


def _contents(view: StateView) -> dict[str, object]:
    tables = {name: dict(getattr(view, name).items()) for name in TABLES}
    numbers = {"producer": view.next_producer_id, "zk": view.zk_migration_state}
    return {**tables, **numbers, "features": view.features.levels}


def _snapshot(state: MetadataState) -> bytes:
    place = state.provenance
    batches = snapshot_of(
        state.committed(),
        epoch=place.epoch,
        timestamp_ms=1_700_000_000_000,
        last_contained_ms=place.timestamp_ms,
    )
    return b"".join(batches)


def _loaded(data: bytes, state: MetadataState) -> MetadataState:
    return MetadataState.from_snapshot(read_metadata_records(data), state.provenance)


def _state(*records: object) -> MetadataState:
    state = MetadataState()
    for offset, record in enumerate(records):
        state.replay(record, offset, 1, 0)  # type: ignore[arg-type]
    state.close_batch()
    state.commit(state.end_offset)
    return state


@pytest.mark.parametrize("level", range(MINIMUM, HIGHEST_KNOWN + 1))
def test_a_state_with_every_record_type_survives_its_snapshot(level: int) -> None:
    state = every_state(level)
    again = _loaded(_snapshot(state), state)
    assert _contents(again.committed()) == _contents(state.committed())
    assert list(snapshot_values(again.committed())) == list(snapshot_values(state.committed()))


def test_only_what_is_there_is_written_and_in_kafkas_order() -> None:
    types = [type for type, _, _ in snapshot_messages(every_state(30).committed())]
    runs = [type for at, type in enumerate(types) if at == 0 or types[at - 1] != type]
    # Features, nodes, each topic before its partitions, settings, ids, rules, credentials, tokens.
    assert runs == [12, 0, 27, 2, 3, 2, 3, 2, 4, 14, 15, 18, 11, 10]
    replayed = {record.type for record in every_record(30)}
    assert {1, 5, 7, 8, 9, 17, 19, 20, 22, 23, 24, 25, 26, 28} <= replayed - set(types)


def test_metadata_version_is_written_first_and_other_features_by_name() -> None:
    features = [
        m.name for type, m, _ in snapshot_messages(every_state(30).committed()) if type == 12
    ]
    others = ["eligible.leader.replicas.version", "group.version", "transaction.version"]
    assert features == ["metadata.version", *others]


@pytest.mark.parametrize(
    ("level", "broker", "partition"),
    [(7, 1, 0), (8, 2, 0), (16, 2, 0), (17, 3, 1), (22, 3, 1), (23, 3, 2), (29, 3, 2), (30, 4, 2)],
)
def test_record_versions_follow_the_metadata_version(
    level: int, broker: int, partition: int
) -> None:
    written = {
        type: version for type, _, version in snapshot_messages(every_state(level).committed())
    }
    assert (written[0], written[3]) == (broker, partition)
    assert {version for type, version in written.items() if type not in (0, 3)} == {0}


def test_a_newer_record_version_keeps_what_an_old_level_cannot_hold() -> None:
    state = _state(
        made("FeatureLevel", name="metadata.version", feature_level=7),
        made("Topic", name="a", topic_id=uuid("a")),
        made(
            "Partition",
            2,
            topic_id=uuid("a"),
            partition_id=0,
            replicas=[1],
            isr=[],
            directories=[uuid("d")],
            eligible_leader_replicas=[1],
        ),
        made("RegisterBroker", 4, broker_id=1, cordoned_log_dirs=[uuid("d")]),
    )
    again = _loaded(_snapshot(state), state)
    assert _contents(again.committed()) == _contents(state.committed())


def test_a_snapshot_of_header_slices_and_footer_batches_verifies() -> None:
    names = (f"t{number}" for number in range(2 * SNAPSHOT_SLICE_RECORDS))
    state = _state(*(made("Topic", name=name, topic_id=uuid(name)) for name in names))
    control = (ControlType.KRAFT_VERSION, KRaftVersionRecord(0, 1))
    batches = list(
        snapshot_of(
            state.committed(), epoch=1, timestamp_ms=9, last_contained_ms=7, controls=[control]
        )
    )
    headers = [check(batch) for batch in batches]
    assert [header.record_count for header in headers] == [2, 250, 250, 1]
    assert [header.base_offset for header in headers] == [0, 2, 252, 502]
    assert all(header.compression == 0 and header.leader_epoch == 1 for header in headers)
    front = [record.message for record in controls_of(batches[0], headers[0])]
    assert (front[0].last_contained_log_timestamp, front[1].kraft_version) == (7, 1)
    file = SimDisk().open("/part", create=True)
    file.append(batches)
    assert verify_file(file, OffsetAndEpoch(1, 500)).records == 503


def test_no_batch_is_larger_than_eight_mebibytes() -> None:
    settings = [
        made(
            "Config",
            resource_type=4,
            resource_name="",
            name=f"k{n:03}{'k' * 10_000}",
            value="x" * 32_000,
        )
        for n in range(300)
    ]
    state = _state(*settings)
    batches = list(snapshot_of(state.committed(), epoch=1, timestamp_ms=0, last_contained_ms=0))
    assert [check(batch).record_count for batch in batches] == [1, 199, 101, 1]
    assert all(len(batch) <= MAX_BATCH_BYTES for batch in batches)


def test_a_held_state_is_written_unchanged_while_the_log_moves_on() -> None:
    state = _state(*(made("Topic", name=f"t{n}", topic_id=uuid(f"t{n}")) for n in range(600)))
    before = _contents(state.committed())
    held = state.hold()
    batches = snapshot_of(held.view, epoch=1, timestamp_ms=0, last_contained_ms=0)
    data = next(batches) + next(batches)
    changes = [
        made("RemoveTopic", topic_id=uuid("t599")),
        made("RemoveTopic", topic_id=uuid("t0")),
        made("Topic", name="new", topic_id=uuid("new")),
        made("Partition", topic_id=uuid("t1"), partition_id=0, replicas=[1], isr=[1]),
        made("Config", resource_type=2, resource_name="t1", name="k", value="v"),
    ]
    for offset, record in enumerate(changes, start=600):
        state.replay(record, offset, 2, 5)
        state.close_batch()
        state.commit(offset + 1)
    data += b"".join(batches)
    again = MetadataState.from_snapshot(read_metadata_records(data), held.provenance)
    assert _contents(again.committed()) == before
    state.let_go(held)
    with pytest.raises(InvariantViolated, match="that mark is gone"):
        next(snapshot_values(held.view))
