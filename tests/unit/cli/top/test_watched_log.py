"""What the followed log leaves for the screen: changes in words, records, rows of tables."""

from __future__ import annotations

import pytest

from metaquorum.base.limits import MAX_CHANGE_CHARS, MAX_CHANGES_OF_BATCH
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.cli.top.looks import record_lines, topics_like
from metaquorum.cli.top.rows import TROUBLES
from metaquorum.metadata.tables.nodes import BrokerState
from metaquorum.records.snapshot import snapshot_batches
from metaquorum.testing.every_record import uuid
from tests.unit.cli.top.watched_quorum import (
    ALL,
    BEGAN_MS,
    CALM,
    Watched,
    broker,
    calm,
    controller,
    directory,
    partition_change,
    topic,
    watched,
)
from tests.unit.client.fake_quorum import NOOP, data_batch
from tests.unit.exporter.exported_quorum import record


def words(one: Watched) -> list[str]:
    return [row.words for row in one.read(6).changes]


def changed(*values: bytes) -> list[str]:
    """The words of one more batch, the last record first."""
    one = calm()
    before = len(one.read().changes)
    one.commit(*values)
    return words(one)[: len(one.watch.sight().changes) - before]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (
            record("BrokerRegistrationChange", 1, broker_id=102, broker_epoch=102, fenced=1),
            "broker 102 fenced: fenced false -> true",
        ),
        (record("FenceBroker", id=101, epoch=101), "broker 101 fenced: fenced false -> true"),
        (broker(104), "broker 104 registered: epoch 104, rack r1, fenced false"),
        (
            partition_change("orders", 0, isr=[101], leader=102),
            "partition orders-0 changed: leader 101 -> 102; isr [101, 102, 103] -> [101]",
        ),
        (
            record("RemoveTopic", topic_id=uuid("orders")),
            "topic orders deleted: id b3JkZXJzIyMjIyMjIyMjIw, partitions 2",
        ),
        (
            record(
                "Config", resource_type=4, resource_name="", name="log.dirs.secret", value="abc"
            ),
            "config BROKER log.dirs.secret set: (hidden)",
        ),
        (
            record(
                "ClientQuota",
                entity=[("EntityData", "user", "alice")],
                key="consumer_byte_rate",
                value=5.0,
            ),
            "quota user(alice) consumer_byte_rate set: 5.0",
        ),
        (record("RemoveUserScramCredential", name="bob", mechanism=1), None),
        (record("NoOp"), None),
    ],
)
def test_a_record_is_told_in_the_words_of_the_diff(value: bytes, told: str | None) -> None:
    assert changed(value) == ([] if told is None else [told])


def test_a_topic_is_told_once_with_its_partitions() -> None:
    assert changed(*topic("many", *[(ALL, ALL)] * 40)) == [
        "topic many created: id bWFueSMjIyMjIyMjIyMjIw, partitions 40"
    ]


def test_a_batch_of_many_changes_is_told_by_its_first_ones() -> None:
    one = calm()
    one.commit(*topic("many", *[(ALL, ALL)] * 40))
    one.commit(*(partition_change("many", number, isr=[101, 102]) for number in range(40)))
    told = words(one)
    assert told[0] == f"and {40 - MAX_CHANGES_OF_BATCH} records more of that batch"
    assert told[1].startswith(f"partition many-{MAX_CHANGES_OF_BATCH - 1} changed: isr")


def test_an_aborted_transaction_changes_nothing() -> None:
    one = calm()
    one.commit(record("BeginTransaction"))
    one.commit(broker(104))
    assert not any("104" in line for line in words(one))
    one.commit(record("AbortTransaction"))
    told = words(one)
    assert told[0] == "metadata transaction aborted"
    assert not any("104" in line for line in told)


def test_an_ended_transaction_is_told_whole() -> None:
    one = calm()
    one.commit(record("BeginTransaction"))
    one.commit(broker(104))
    one.commit(record("EndTransaction"))
    assert words(one)[0].startswith("broker 104 registered")


def test_a_record_is_found_with_its_fields_and_without_secrets() -> None:
    one = calm()
    one.commit(record("UserScramCredential", name="bob", mechanism=1, salt=b"abc", iterations=4096))
    row = one.read(6).changes[0]
    found = one.watch.log.record_at(row.offset, 0)
    lines = record_lines(found, row.offset, row.words)
    assert lines[0] == "UserScramCredentialRecord version 0"
    assert "  salt = (hidden)" in lines
    assert "  name = bob" in lines
    assert not any("YWJj" in line for line in lines)


def test_a_record_that_is_not_kept_is_said_to_be_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metaquorum.cli.top.watched_log.MAX_RECENT_LOG_BYTES", 400)
    one = calm()
    found = one.watch.log.record_at(1, 0)
    assert found is None
    assert record_lines(found, 1, "x")[-1] == "the record at offset 1 is not kept any more"
    assert one.watch.log._recent_bytes <= 400


def test_text_of_others_cannot_act_on_the_terminal() -> None:
    one = calm()
    one.commit(broker(104, rack="\x1b[2J"))
    seen = one.read(6)
    assert next(row.rack for row in seen.brokers if row.id == 104) == "\x1b[2J"
    found = one.watch.log.record_at(seen.changes[0].offset, 0)
    lines = record_lines(found, 0, seen.changes[0].words)
    assert not any("\x1b" in line for line in lines)


def test_a_snapshot_has_rows_and_one_change() -> None:
    one = watched([])
    name = OffsetAndEpoch(1, 40)
    data = b"".join(
        snapshot_batches(
            epoch=1,
            timestamp_ms=BEGAN_MS,
            last_contained_ms=BEGAN_MS - 5_000,
            controls=(),
            values=[value for batch in CALM for value in batch],
        )
    )
    for node in one.quorum.controllers.values():
        node.log, node.high_watermark = [data_batch(40, 1, NOOP)], 41
        node.snapshot, node.oldest_snapshot_epoch = (name, data), 1
    one.quorum.chunk_bytes = 100_000
    seen = one.read(8)
    assert [row.replicas for row in seen.brokers] == [3, 3, 3]
    assert [row.words for row in seen.changes] == ["snapshot loaded, it ends at offset 40, epoch 1"]
    assert seen.changes[0].time_ms == BEGAN_MS - 5_000


def test_replicas_and_lost_directories_are_counted() -> None:
    one = calm()
    one.commit(
        record(
            "BrokerRegistrationChange",
            2,
            broker_id=101,
            broker_epoch=101,
            log_dirs=[uuid("another")],
        )
    )
    row = one.read(6).brokers[0]
    assert (row.id, row.state, row.replicas) == (101, BrokerState.UNFENCED, 3)
    assert (row.directories, row.directories_offline) == (1, 1)
    one.commit(
        record(
            "BrokerRegistrationChange",
            2,
            broker_id=101,
            broker_epoch=101,
            log_dirs=[uuid("another"), directory(101)],
        )
    )
    assert one.read(6).brokers[0].directories_offline == 0


def test_partitions_in_trouble_come_the_worst_first() -> None:
    one = calm()
    one.commit(
        *topic("one", ([101], []), ([101, 102], [101]), ([101, 102], [102, 101])),
    )
    one.commit(
        partition_change(
            "orders",
            0,
            replicas=[101, 102, 103, 104],
            adding_replicas=[104],
            directories=[directory(one) for one in (101, 102, 103, 104)],
        )
    )
    rows = one.read(6).partition_rows
    assert [(row.name, row.troubles[0]) for row in rows] == [
        ("one-0", "offline"),
        ("one-1", "under-replicated"),
        ("orders-0", "reassigning"),
        ("one-2", "not preferred"),
    ]
    assert all(set(row.troubles) <= set(TROUBLES) for row in rows)


def test_a_look_waits_no_longer_than_it_may() -> None:
    one = calm()
    assert one.watch.log.look(lambda view: topics_like(view, "o"), 0.01) == ["orders"]
    with one.watch.log._lock:
        assert one.watch.log.look(lambda view: topics_like(view, "o"), 0.01) is None


def test_voters_have_the_end_points_that_controllers_registered() -> None:
    seen = watched([[controller(2)]]).read(6)
    assert {row.id: row.end_point for row in seen.replicas} == {
        1: "",
        2: "c2.example:9093",
        3: "",
    }


def test_a_record_that_cannot_be_read_is_said_and_leaves_nothing() -> None:
    one = calm()
    one.commit(partition_change("nowhere", 0, isr=[1]))
    seen = one.read(5)
    assert seen.sources["log"].failures["unreadable"] >= 1
    for node in one.quorum.controllers.values():
        node.log = node.log[:-1]
    one.commit(broker(104))
    told = words(one)
    assert told[0].startswith("broker 104 registered")
    assert not any("nowhere" in line for line in told)


def test_a_change_with_a_long_value_is_cut() -> None:
    one = calm()
    one.commit(
        record("Config", resource_type=2, resource_name="orders", name="x", value="y" * 5_000)
    )
    told = words(one)[0]
    assert told.startswith("config TOPIC:orders x set: yyy")
    assert len(told) == MAX_CHANGE_CHARS + len("...")
