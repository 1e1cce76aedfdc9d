"""KIP-630's count of changed records, beside a model that compares whole snapshots."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.metadata.changed_records import ChangedRecords
from metaquorum.metadata.snapshot_writer import snapshot_messages
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.records.metadata_record import MetadataRecord, encode_metadata_record
from metaquorum.testing.every_record import every_record, every_state, made, uuid

Step = tuple[str, MetadataRecord | None]


class Host:
    """A state that is fed a record a batch, and told at times that a snapshot was written."""

    def __init__(self) -> None:
        self.state = MetadataState(count_changes=True)

    @property
    def changes(self) -> ChangedRecords:
        assert self.state.changes is not None
        return self.state.changes

    def append(self, *records: MetadataRecord) -> Host:
        for record in records:
            self.state.replay(record, self.state.end_offset, 1, 0)
            self.state.close_batch()
        return self

    def commit(self) -> Host:
        self.state.commit(self.state.end_offset)
        return self

    def snapshot(self) -> Host:
        records = len(list(snapshot_messages(self.state.committed())))
        self.changes.snapshot_written(self.state.stable_offset, records)
        return self


TOPIC = made("Topic", name="a", topic_id=uuid("a"))
PARTITIONS = [
    made("Partition", topic_id=uuid("a"), partition_id=n, replicas=[1], isr=[1]) for n in range(3)
]
REMOVED = made("RemoveTopic", topic_id=uuid("a"))


def _setting(name: str, value: str | None = "v", topic: str = "a") -> MetadataRecord:
    return made("Config", resource_type=2, resource_name=topic, name=name, value=value)


def _change(number: int) -> MetadataRecord:
    return made("PartitionChange", topic_id=uuid("a"), partition_id=number, isr=[1])


def test_new_records_do_not_count_and_changed_ones_count_once() -> None:
    host = Host().append(TOPIC, *PARTITIONS[:2]).commit().snapshot()
    host.append(PARTITIONS[2], _setting("k")).commit()
    assert (host.changes.base, host.changes.count) == (3, 0)
    host.append(_change(0), _change(0)).commit()
    assert (host.changes.count, host.changes.ratio) == (1, 1 / 3)


def test_a_record_added_since_counts_when_it_is_changed_or_deleted() -> None:
    host = Host().append(TOPIC).commit().snapshot()
    host.append(PARTITIONS[0], _setting("k")).commit()
    assert host.changes.count == 0
    host.append(_change(0), _setting("k", None)).commit()
    assert host.changes.count == 2


def test_a_removed_topic_counts_with_its_partitions_and_settings() -> None:
    host = Host().append(TOPIC, *PARTITIONS, _setting("k"), _setting("k", topic="b"))
    host.commit().snapshot().append(REMOVED).commit()
    assert host.changes.count == 5


def test_what_was_taken_back_does_not_count() -> None:
    host = Host().append(TOPIC, *PARTITIONS).commit().snapshot()
    host.append(_change(0))
    host.state.revert_to_stable()
    begun, aborted = made("BeginTransaction"), made("AbortTransaction")
    host.append(begun, _change(1), aborted, _change(2)).commit()
    assert host.changes.count == 1


def test_uncommitted_changes_do_not_count_yet() -> None:
    host = Host().append(TOPIC, *PARTITIONS).commit().snapshot().append(_change(0))
    assert host.changes.count == 0
    assert host.commit().changes.count == 1


def test_changes_during_a_snapshot_write_count_for_the_next_snapshot() -> None:
    host = Host().append(TOPIC, *PARTITIONS).commit()
    host.append(_change(0)).commit()
    end = host.state.stable_offset
    host.append(_change(1)).commit()
    host.changes.snapshot_written(end, 4)
    assert (host.changes.base, host.changes.count) == (4, 1)


def test_without_a_snapshot_everything_is_out_of_date() -> None:
    assert ChangedRecords().ratio == 1.0


def test_a_loaded_snapshot_is_the_base() -> None:
    state = every_state(30)
    records = [
        MetadataRecord(type, version, message)
        for type, message, version in snapshot_messages(state.committed())
    ]
    again = MetadataState.from_snapshot(records, state.provenance, count_changes=True)
    assert again.changes == ChangedRecords(base=len(records))


def _entries(view: StateView) -> dict[tuple[object, ...], bytes]:
    """Each record of a snapshot by what it is of: its fields up to its identity."""
    found = {}
    for type, message, version in snapshot_messages(view):
        identity: tuple[object, ...] = {
            0: lambda m: (m.broker_id,),
            2: lambda m: (m.topic_id,),
            3: lambda m: (m.topic_id, m.partition_id),
            4: lambda m: (m.resource_type, m.resource_name, m.name),
            10: lambda m: (m.token_id,),
            11: lambda m: (m.name, m.mechanism),
            12: lambda m: (m.name,),
            14: lambda m: (tuple((p.entity_type, p.entity_name) for p in m.entity), m.key),
            15: lambda m: (),
            18: lambda m: (m.id,),
            27: lambda m: (m.controller_id,),
        }[type](message)
        found[(type, *identity)] = encode_metadata_record(type, message, version)
    return found


def test_every_record_type_that_changes_a_snapshot_is_counted() -> None:
    host = Host()
    out_of_date = set()
    for record in every_record(33):
        before = _entries(host.state.live())
        host.append(record).commit()
        after = _entries(host.state.live())
        if record.message.__class__.__name__ != "AbortTransactionRecord":
            out_of_date |= {key for key, value in before.items() if after.get(key) != value}
    assert len(out_of_date) == 18
    assert host.changes.count == 18


NAMES = ("a", "b")
RECORDS = st.one_of(
    st.sampled_from(NAMES).map(lambda name: made("Topic", name=name, topic_id=uuid(name))),
    st.builds(
        lambda name, number, leader: made(
            "Partition",
            topic_id=uuid(name),
            partition_id=number,
            replicas=[leader],
            isr=[leader],
            leader=leader,
        ),
        st.sampled_from(NAMES),
        st.integers(0, 2),
        st.integers(1, 2),
    ),
    st.builds(
        lambda name, number: made(
            "PartitionChange", topic_id=uuid(name), partition_id=number, isr=[1]
        ),
        st.sampled_from(NAMES),
        st.integers(0, 2),
    ),
    st.sampled_from(NAMES).map(lambda name: made("RemoveTopic", topic_id=uuid(name))),
    st.builds(
        _setting, st.sampled_from("xy"), st.sampled_from(["1", "2", None]), st.sampled_from(NAMES)
    ),
)
STEPS = st.lists(
    st.one_of(
        RECORDS.map(lambda record: ("append", record)),
        st.sampled_from([("commit", None), ("revert", None), ("snapshot", None)]),
    ),
    max_size=40,
)


class Model:
    """The rule by comparison: what each committed record finds there and writes again, counts."""

    def __init__(self) -> None:
        self.base = 0
        self.out_of_date: set[tuple[object, ...]] = set()
        self.waiting: list[set[tuple[object, ...]]] = []

    def append(self, record: MetadataRecord, before: set[tuple[object, ...]]) -> None:
        message, hit = record.message, set()
        if record.type in (3, 5):
            hit = {(3, message.topic_id, message.partition_id)}
        elif record.type == 4:
            hit = {(4, 2, message.resource_name, message.name)}
        elif record.type == 9:
            name = bytes(message.topic_id).decode().rstrip("#")
            hit = {key for key in before if key[1] == message.topic_id or key[2:3] == (name,)}
        self.waiting.append(hit & before)

    def commit(self) -> None:
        for hit in self.waiting:
            self.out_of_date |= hit
        self.waiting = []


def _is_possible(record: MetadataRecord, there: set[tuple[object, ...]]) -> bool:
    """Replay refuses a change of what is not there, and a topic twice; Kafka writes neither."""
    message = record.message
    if record.type == 2:
        return (2, message.topic_id) not in there
    if record.type == 5:
        return (3, message.topic_id, message.partition_id) in there
    return record.type == 4 or (2, message.topic_id) in there


@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_the_count_agrees_with_a_model_over_drawn_histories(steps: list[Step]) -> None:
    host, model = Host(), Model()
    for verb, record in steps:
        there = set(_entries(host.state.live()))
        if verb == "append" and record is not None and _is_possible(record, there):
            model.append(record, there)
            host.append(record)
        elif verb == "commit":
            model.commit()
            host.commit()
        elif verb == "revert":
            model.waiting = []
            host.state.revert_to_stable()
        elif verb == "snapshot":
            model.base = len(_entries(host.state.committed()))
            model.out_of_date = set()
            host.snapshot()
        assert host.changes.count == len(model.out_of_date)
        assert host.changes.base == model.base
