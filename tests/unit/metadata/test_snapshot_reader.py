"""Loading a state in slices, and the short way that partitions take: as if each were replayed."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import LOAD_SLICE_RECORDS
from metaquorum.metadata.reading import read_metadata_records
from metaquorum.metadata.snapshot_reader import StateLoading
from metaquorum.metadata.snapshot_writer import snapshot_of
from metaquorum.metadata.state import MetadataState, Provenance
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.records.builder import build_batch
from metaquorum.records.metadata_record import MetadataRecord, encode_metadata_record
from metaquorum.records.reader import walk_batches
from metaquorum.testing.every_record import every_state, made, uuid

KAFKAS = Path(__file__).parent / "logs/kafka-4.3.1-446-2.checkpoint.gz"
PLACE = Provenance(446, 2, 5)


def _contents(view: StateView) -> dict[str, object]:
    names = (
        *("brokers", "controllers", "topics", "topic_ids", "partitions", "configs"),
        *("quotas", "access_rules", "scram", "tokens"),
    )
    tables = {name: dict(getattr(view, name).items()) for name in names}
    counts = view.partition_counts
    return {
        **tables,
        "features": view.features,
        "producer": view.next_producer_id,
        "counts": counts,
        "led": [view.led_by(one.leader) for _, one in view.partitions.items()],
    }


def _same(data: bytes) -> StateLoading:
    """Load ``data`` both ways and compare."""
    loading = StateLoading(walk_batches(data), PLACE, count_changes=True)
    loaded = loading.whole()
    replayed = MetadataState.from_snapshot(read_metadata_records(data), PLACE, count_changes=True)
    assert _contents(loaded.committed()) == _contents(replayed.committed())
    assert (loaded.provenance, loaded.changes) == (replayed.provenance, replayed.changes)
    return loading


def _batch(*records: MetadataRecord) -> bytes:
    values = [encode_metadata_record(one.type, one.message, one.version) for one in records]
    return build_batch([(None, value) for value in values], timestamp_ms=1)


def test_a_checkpoint_of_kafka_loads_as_it_replays() -> None:
    _same(gzip.decompress(KAFKAS.read_bytes()))


@pytest.mark.parametrize("level", [7, 17, 30])
def test_a_snapshot_of_ours_loads_as_it_replays(level: int) -> None:
    view = every_state(level).committed()
    _same(b"".join(snapshot_of(view, epoch=1, timestamp_ms=0, last_contained_ms=0)))


def test_it_comes_in_slices_also_out_of_one_large_batch() -> None:
    topics = [
        made("Topic", name=f"t{number}", topic_id=uuid(f"t{number}"))
        for number in range(2 * LOAD_SLICE_RECORDS + 7)
    ]
    loading = StateLoading(walk_batches(_batch(*topics)), PLACE)
    assert list(loading.slices()) == [LOAD_SLICE_RECORDS, 2 * LOAD_SLICE_RECORDS]
    assert loading.records == len(topics) == len(loading.state.committed().topics)


def test_it_comes_in_slices_also_out_of_many_small_batches() -> None:
    topics = [
        made("Topic", name=f"t{number}", topic_id=uuid(f"t{number}"))
        for number in range(2 * LOAD_SLICE_RECORDS + 7)
    ]
    small = b"".join(_batch(*topics[at : at + 90]) for at in range(0, len(topics), 90))
    loading = StateLoading(walk_batches(small), PLACE)
    assert list(loading.slices()) == [LOAD_SLICE_RECORDS, 2 * LOAD_SLICE_RECORDS]
    assert loading.records == len(topics)


def test_nobody_sees_a_state_that_is_not_whole() -> None:
    loading = StateLoading(walk_batches(_batch(made("NoOp"))), PLACE)
    with pytest.raises(InvariantViolated, match="not loaded yet"):
        assert loading.state


NODES = st.lists(st.integers(1, 5), max_size=4)
EPOCHS = st.integers(0, 2**31 - 1)


@st.composite
def _partitions(draw: st.DrawFn) -> MetadataRecord:
    version = draw(st.integers(0, 2))
    replicas = draw(NODES)
    fields: dict[str, object] = {}
    if version:
        with_directories = draw(st.booleans())
        fields["directories"] = [bytes([one]) * 16 for one in replicas if with_directories]
    if version == 2 and draw(st.booleans()):
        fields["eligible_leader_replicas"] = draw(NODES)
    return made(
        "Partition",
        version,
        partition_id=draw(st.integers(0, 3)),
        topic_id=uuid(draw(st.sampled_from("ab"))),
        replicas=replicas,
        isr=draw(NODES),
        adding_replicas=draw(st.sampled_from([[], [], [9]])),
        removing_replicas=draw(st.sampled_from([[], [], [9]])),
        leader=draw(st.integers(-1, 5)),
        leader_recovery_state=draw(st.sampled_from([0, 0, 1])),
        leader_epoch=draw(EPOCHS),
        partition_epoch=draw(EPOCHS),
        **fields,
    )


TOPICS = [made("Topic", name=name, topic_id=uuid(name)) for name in "ab"]


@settings(max_examples=150, deadline=None)
@given(st.lists(_partitions(), max_size=8))
@example([made("Partition", 1, topic_id=uuid("a"), partition_id=0, replicas=[1] * 130)])
def test_partitions_of_any_shape_load_as_they_replay(partitions: list[MetadataRecord]) -> None:
    _same(_batch(*TOPICS, *partitions))


def _broken() -> Iterator[tuple[MetadataRecord, str]]:
    usual = {"partition_id": 0, "replicas": [1], "isr": [1], "directories": [uuid("d")]}
    yield made("Partition", 2, topic_id=uuid("x"), **usual), "there is no topic with id"
    two = {**usual, "directories": [uuid("d"), uuid("e")]}
    yield made("Partition", 2, topic_id=uuid("a"), **two), "2 directories for 1 replicas"
    yield made("EndTransaction"), "holds a transaction record"


@pytest.mark.parametrize(("record", "why"), list(_broken()))
def test_what_cannot_be_is_refused_with_its_reason(record: MetadataRecord, why: str) -> None:
    with pytest.raises(InvariantViolated, match=why):
        StateLoading(walk_batches(_batch(*TOPICS, record)), PLACE).whole()


def test_a_record_that_is_cut_off_is_refused() -> None:
    value = encode_metadata_record(2, TOPICS[0].message, 0)
    batch = build_batch([(None, value[:-3])], timestamp_ms=1)
    with pytest.raises(InvariantViolated, match="cannot be read"):
        StateLoading(walk_batches(batch), PLACE).whole()


def test_equal_lists_are_kept_once() -> None:
    usual = {"replicas": [1, 2], "isr": [1, 2], "directories": [uuid("d"), uuid("e")]}
    records = [
        made("Partition", 2, topic_id=uuid("a"), partition_id=number, **usual)
        for number in range(2)
    ]
    state = StateLoading(walk_batches(_batch(*TOPICS, *records)), PLACE).whole()
    one, other = (state.committed().partitions.get((uuid("a"), number)) for number in range(2))
    assert one is not None
    assert other is not None
    assert one.replicas is one.isr is other.replicas
    assert one.directories is other.directories
