"""Replaying the log into a table: what changed, when, and what never came to be."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import InvariantViolated
from pyspark_metaquorum.tables.replaying import Change, Replaying
from pyspark_metaquorum.tables.shape import TABLES
from tests.spark.made_history import (
    STEP_MS,
    TIME_MS,
    MadeHistory,
    encoded,
    partition,
    snapshot_rows,
    topic_id,
)


def told(changes: list[Change], column: str, table: str) -> list[tuple[int, object, object]]:
    """Offset, value before and after, of one column."""
    place = [name for name, _ in TABLES[table].columns].index(column)
    return [
        (
            one.offset,
            None if one.before is None else one.before[place],
            None if one.after is None else one.after[place],
        )
        for one in changes
    ]


def changes_of(history: MadeHistory, table: str) -> list[Change]:
    return list(Replaying((TABLES[table],)).changes(history.rows()))


def a_topic() -> MadeHistory:
    """A topic of two partitions whose leader of partition 0 goes, and which is then deleted."""
    history = MadeHistory()
    history.add("Topic", name="orders", topic_id=topic_id(1))
    history.add("Partition", **partition(0))
    history.add("Partition", **partition(1))
    history.add("PartitionChange", partition_id=0, topic_id=topic_id(1), isr=[2, 3], leader=2)
    history.add("PartitionChange", partition_id=0, topic_id=topic_id(1), isr=[2, 3, 1])
    history.add("RemoveTopic", topic_id=topic_id(1))
    return history


def test_a_partition_is_told_from_its_first_leader_to_its_end() -> None:
    changes = changes_of(a_topic(), "partitions")
    assert told(changes, "leader", "partitions") == [
        (1, None, 1),
        (2, None, 1),
        (3, 1, 2),
        (4, 2, 2),
        (5, 2, None),
        (5, 1, None),
    ]
    assert told(changes, "leader_epoch", "partitions")[2:4] == [(3, 0, 1), (4, 1, 1)]
    assert told(changes, "topic", "partitions")[0] == (1, None, "orders")


def test_a_deleted_topic_takes_its_configs_along() -> None:
    history = MadeHistory()
    history.add("Topic", name="t", topic_id=topic_id(1))
    history.add("Config", resource_type=2, resource_name="t", name="retention.ms", value="1")
    history.add("Config", resource_type=2, resource_name="t", name="retention.ms", value="2")
    history.add("Config", resource_type=4, resource_name="", name="log.x", value="3")
    history.add("RemoveTopic", topic_id=topic_id(1))
    changes = changes_of(history, "configs")
    assert told(changes, "value", "configs") == [
        (1, None, "1"),
        (2, "1", "2"),
        (3, None, "3"),
        (4, "2", None),
    ]
    assert told(changes, "resource_type", "configs")[2] == (3, None, "broker")


@pytest.mark.parametrize(("end", "names"), [("EndTransaction", ["a", "b"]), ("Abort", ["a"])])
def test_a_transaction_is_reported_when_it_ends_and_never_if_aborted(
    end: str, names: list[str]
) -> None:
    history = MadeHistory()
    history.add("Topic", name="a", topic_id=topic_id(1))
    history.add("BeginTransaction", name="creating")
    history.add("Topic", name="b", topic_id=topic_id(2))
    history.add("EndTransaction" if end == "EndTransaction" else "AbortTransaction")
    changes = changes_of(history, "topics")
    assert [after for _, _, after in told(changes, "name", "topics")] == names


def test_a_transaction_that_did_not_end_yet_is_in_no_state() -> None:
    history = MadeHistory()
    history.add("Topic", name="a", topic_id=topic_id(1))
    history.add("BeginTransaction", name="creating")
    history.add("Topic", name="b", topic_id=topic_id(2))
    replaying = Replaying((TABLES["topics"],))
    replaying.run(history.rows())
    assert [row[1] for row, _ in TABLES["topics"].rows(replaying.view())] == ["a"]
    assert [after for _, _, after in told(changes_of(history, "topics"), "name", "topics")] == ["a"]


@pytest.mark.parametrize(("until", "until_ms"), [(2, None), (None, TIME_MS + STEP_MS)])
def test_a_state_ends_before_an_offset_or_after_a_time(
    until: int | None, until_ms: int | None
) -> None:
    history = MadeHistory()
    for number, name in enumerate("abc"):
        history.add("Topic", name=name, topic_id=topic_id(number))
    replaying = Replaying((TABLES["topics"],), until, until_ms)
    replaying.run(history.rows())
    found = [(row[1], origin.offset) for row, origin in TABLES["topics"].rows(replaying.view())]
    assert found == [("a", 0), ("b", 1)]


def test_a_snapshot_takes_the_place_of_what_was_known() -> None:
    history = MadeHistory()
    for number, name in enumerate(["stays", "goes", "in the snapshot", "after it"]):
        history.add("Topic", name=name, topic_id=topic_id(number))
    rows = history.rows()
    values = [
        encoded("Topic", name="stays", topic_id=topic_id(0)),
        encoded("Topic", name="came", topic_id=topic_id(7)),
    ]
    log = [*rows[:2], *snapshot_rows(3, values, TIME_MS + 2 * STEP_MS), *rows[2:]]
    changes = list(Replaying((TABLES["topics"],)).changes(log))
    assert told(changes, "name", "topics") == [
        (0, None, "stays"),
        (1, None, "goes"),
        (2, "goes", None),
        (2, None, "came"),
        (3, None, "after it"),
    ]
    assert [one.from_snapshot for one in changes] == [False, False, True, True, False]
    early = Replaying((TABLES["topics"],), until=2)
    early.run(log)
    assert len(list(TABLES["topics"].rows(early.view()))) == 2, "a later snapshot is not used"
    before = Replaying((TABLES["topics"],), until_ms=TIME_MS + STEP_MS)
    before.run(log)
    assert len(list(TABLES["topics"].rows(before.view()))) == 2


def test_the_quick_way_and_the_watched_way_make_the_same_state() -> None:
    history = a_topic()
    history.values.pop()
    quick, watched = Replaying((TABLES["partitions"],)), Replaying((TABLES["partitions"],))
    quick.run(history.rows())
    list(watched.changes(history.rows()))
    rows = [list(TABLES["partitions"].rows(one.view())) for one in (quick, watched)]
    assert rows[0] == rows[1] and len(rows[0]) == 2


def test_every_table_follows_its_records() -> None:
    history = MadeHistory()
    history.add("RegisterBroker", broker_id=1, broker_epoch=5, incarnation_id=topic_id(1))
    history.add("BrokerRegistrationChange", broker_id=1, broker_epoch=5, fenced=-1)
    history.add("FenceBroker", id=1, epoch=5)
    history.add("UnfenceBroker", id=1, epoch=5)
    history.add("UnregisterBroker", broker_id=1, broker_epoch=5)
    history.add("RegisterController", controller_id=9, incarnation_id=topic_id(2))
    history.add("FeatureLevel", name="transaction.version", feature_level=2)
    entity = [_entity("user", "u")]
    history.add("ClientQuota", entity=entity, key="producer_byte_rate", value=2.0)
    history.add("ClientQuota", entity=entity, key="producer_byte_rate", remove=True)
    rule = {"resource_type": 2, "resource_name": "t", "pattern_type": 3, "principal": "User:u"}
    history.add(
        "AccessControlEntry", id=topic_id(3), host="*", operation=3, permission_type=3, **rule
    )
    history.add("RemoveAccessControlEntry", id=topic_id(3))
    history.add(
        "UserScramCredential",
        name="u",
        mechanism=1,
        salt=b"s",
        iterations=4096,
        stored_key=b"k",
        server_key=b"v",
    )
    history.add("RemoveUserScramCredential", name="u", mechanism=1)
    history.add("ProducerIds", broker_id=1, broker_epoch=5, next_producer_id=1000)
    assert told(changes_of(history, "brokers"), "fenced", "brokers") == [
        (0, None, True),
        (1, True, False),
        (2, False, True),
        (3, True, False),
        (4, False, None),
    ]
    for table, column, expected in (
        ("controllers", "controller_id", [(5, None, 9)]),
        ("features", "level", [(6, None, 2)]),
        ("quotas", "value", [(7, None, 2.0), (8, 2.0, None)]),
        ("acls", "operation", [(9, None, "read"), (10, "read", None)]),
        ("scram_users", "mechanism", [(11, None, "SCRAM-SHA-256"), (12, "SCRAM-SHA-256", None)]),
        ("producer_ids", "next_producer_id", [(13, None, 1000)]),
    ):
        assert told(changes_of(history, table), column, table) == expected


def _entity(kind: str, name: str | None) -> object:
    from metaquorum.wire.generated.records.client_quota_record import EntityData

    return EntityData(entity_type=kind, entity_name=name)


def test_a_log_without_its_beginning_is_refused_by_offset() -> None:
    history = a_topic()
    with pytest.raises(InvariantViolated, match="offset 3"):
        list(Replaying((TABLES["partitions"],)).changes(history.rows()[3:]))
    rows = history.rows()
    rows[0] = type(rows[0])(0, 1, TIME_MS, None, None, None)
    with pytest.raises(InvariantViolated, match="raw=always"):
        list(Replaying((TABLES["topics"],)).changes(rows))
