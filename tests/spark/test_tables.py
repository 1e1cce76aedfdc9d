"""The tables inside Spark, from a log directory to rows."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from metaquorum.base.errors import OperatorError
from metaquorum.records.builder import build_batch
from metaquorum.records.control import ControlType
from metaquorum.wire.generated import leader_change_message as leader_change
from pyspark_metaquorum.tables.all_changes import all_changes
from pyspark_metaquorum.tables.audit import acl_audit, config_audit
from pyspark_metaquorum.tables.brokers import broker_sessions, fencing
from pyspark_metaquorum.tables.churn import isr_changes, leader_changes
from pyspark_metaquorum.tables.comparing import points_differ, replicas_differ
from pyspark_metaquorum.tables.epochs import leader_epochs
from pyspark_metaquorum.tables.mix import growth, record_mix
from pyspark_metaquorum.tables.state import changes, history, state_at
from tests.spark.made_history import STEP_MS, TIME_MS, MadeHistory, partition, topic_id
from tests.spark.made_log import control, write_segment


def a_cluster() -> MadeHistory:
    """A broker that comes and goes, a topic whose leader moves, a config and an access rule."""
    made = MadeHistory()
    made.add("RegisterBroker", broker_id=1, broker_epoch=0, incarnation_id=topic_id(1))
    made.add("UnfenceBroker", id=1, epoch=0)
    made.add("Topic", name="orders", topic_id=topic_id(1))
    made.add("Partition", **partition(0))
    made.add("PartitionChange", partition_id=0, topic_id=topic_id(1), isr=[2, 3], leader=2)
    made.add("PartitionChange", partition_id=0, topic_id=topic_id(1), isr=[2, 3, 1], leader=-2)
    made.add("Config", resource_type=2, resource_name="orders", name="retention.ms", value="1")
    made.add("Config", resource_type=2, resource_name="orders", name="retention.ms", value="2")
    rule = {"resource_type": 2, "resource_name": "orders", "pattern_type": 3}
    rule |= {"principal": "User:u", "host": "*", "operation": 3, "permission_type": 3}
    made.add("AccessControlEntry", id=topic_id(3), **rule)
    made.add("FenceBroker", id=1, epoch=0)
    made.add("UnregisterBroker", broker_id=1, broker_epoch=0)
    return made


@pytest.fixture(scope="module")
def log(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """The cluster's log as the source reads it."""
    return read(spark, tmp_path_factory.mktemp("replica"), a_cluster())


def written(directory: Path, made: MadeHistory) -> None:
    """A history as a log directory, each record a minute after the other."""
    batches = [
        build_batch(
            [(None, value)],
            timestamp_ms=TIME_MS + STEP_MS * offset,
            base_offset=offset,
            leader_epoch=1,
        )
        for offset, value in enumerate(made.values)
    ]
    write_segment(directory, 0, batches)


def read(spark: SparkSession, directory: Path, made: MadeHistory) -> DataFrame:
    """A history as a log directory and as a table."""
    written(directory, made)
    return spark.read.format("kraft_metadata").option("raw", "always").load(str(directory)).cache()


def at(offset: int) -> datetime.datetime:
    """When the record at an offset was written."""
    return datetime.datetime.fromtimestamp((TIME_MS + STEP_MS * offset) / 1_000, datetime.UTC)


def plain(rows: list[Any]) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in rows]


def test_a_table_is_what_a_node_would_say_at_that_place(log: DataFrame) -> None:
    columns = ("topic", "partition", "leader", "leader_epoch", "isr", "since_offset")
    for place, expected in (
        ({"offset": 5}, ("orders", 0, 2, 1, [2, 3], 4)),
        ({"time": at(5)}, ("orders", 0, 2, 1, [2, 3, 1], 5)),
        ({}, ("orders", 0, 2, 1, [2, 3, 1], 5)),
    ):
        assert plain(state_at(log, "partitions", **place).select(*columns).collect()) == [expected]
    with pytest.raises(OperatorError, match="there is no table 'tables'"):
        state_at(log, "tables")


def test_history_says_from_when_to_when(log: DataFrame) -> None:
    rows = history(log, "configs").orderBy("valid_from_offset")
    found = rows.select("value", "valid_from_offset", "valid_to_offset", "valid_to").collect()
    assert plain(found) == [("1", 6, 7, at(7).replace(tzinfo=None)), ("2", 7, None, None)]


def test_one_replay_of_all_tables_tells_what_one_of_each_tells(log: DataFrame) -> None:
    told = all_changes(log).cache()
    for table in ("partitions", "brokers", "configs"):
        for asked, order in ((history, "valid_from_offset"), (changes, "offset")):
            assert plain(asked(told, table).orderBy(order).collect()) == plain(
                asked(log, table).orderBy(order).collect()
            )
    assert told.where("table = 'configs'").first()["key"] == (
        '{"resource_type":"topic","resource":"orders","name":"retention.ms"}'
    )


def test_churn_names_who_left_and_who_came(log: DataFrame) -> None:
    found = isr_changes(log).orderBy("offset").select("offset", "topic", "left", "joined")
    assert plain(found.collect()) == [(4, "orders", [1], []), (5, "orders", [], [1])]
    leaders = leader_changes(log).select("offset", "leader_before", "leader_after", "clean")
    assert plain(leaders.collect()) == [(4, 1, 2, True)]


def test_a_broker_has_a_life_and_is_fenced_in_it(log: DataFrame) -> None:
    (life,) = broker_sessions(log).collect()
    assert (life["broker_id"], life["registered_offset"], life["ended_offset"]) == (1, 0, 10)
    assert (life["unfenced"], life["serving_ms"]) == (1, 8 * STEP_MS)
    moves = fencing(log).orderBy("offset").select("offset", "fenced_before", "fenced")
    assert plain(moves.collect()) == [
        (0, None, True),
        (1, True, False),
        (9, False, True),
        (10, True, None),
    ]


def test_audits_say_before_and_after(log: DataFrame) -> None:
    configs = config_audit(log).orderBy("offset").select("what", "value_before", "value_after")
    assert plain(configs.collect()) == [("added", None, "1"), ("changed", "1", "2")]
    (rule,) = acl_audit(log).collect()
    wanted = {"what": "added", "principal": "User:u", "operation": "read", "permission": "allow"}
    assert {name: rule[name] for name in wanted} == wanted


def test_mix_counts_records_and_bytes_and_growth_counts_current_rows(log: DataFrame) -> None:
    rows = {row["type"]: row for row in record_mix(log).collect()}
    assert rows["PartitionChangeRecord"]["records"] == 2
    assert sum(row["share"] for row in rows.values()) == pytest.approx(1.0)
    values = a_cluster().values
    assert rows["TopicRecord"]["bytes"] == len(values[2])
    grown = growth(log, "2 minutes").where("table = 'brokers'").orderBy("from")
    assert plain(grown.select("added", "removed", "count").collect()) == [(1, 0, 1), (0, 1, 0)]


def test_equal_replicas_do_not_differ_and_first_difference_is_named(
    spark: SparkSession, log: DataFrame, tmp_path: Path
) -> None:
    other = a_cluster()
    other.values[7] = other.values[6]
    twin = read(spark, tmp_path / "other", other)
    assert replicas_differ(log, twin, 7).collect() == []
    (row,) = replicas_differ(log, twin, 8).collect()
    assert (row["table"], row["what"]) == ("configs", "changed")
    assert '"value":"2"' in row["left"] and '"value":"1"' in row["right"]


def test_two_points_of_one_log_differ_by_what_happened_between(log: DataFrame) -> None:
    found = points_differ(log, 4, 9).select("table", "what").collect()
    assert plain(found) == [("acls", "added"), ("configs", "added"), ("partitions", "changed")]
    back = points_differ(log, 9, 4).select("table", "what").collect()
    assert plain(back) == [("acls", "removed"), ("configs", "removed"), ("partitions", "changed")]


def test_each_epoch_of_the_quorum_lasts_until_the_next(spark: SparkSession, tmp_path: Path) -> None:
    def led(offset: int, epoch: int, leader_id: int) -> bytes:
        voters = [leader_change.Voter(voter_id=number) for number in (1, 2, 3)]
        message = leader_change.LeaderChangeMessage(leader_id=leader_id, voters=voters)
        return control(offset, ControlType.LEADER_CHANGE, message, epoch)

    write_segment(tmp_path, 0, [led(0, 1, 2), led(1, 4, 3)])
    table = spark.read.format("kraft_metadata").load(str(tmp_path))
    found = leader_epochs(table).orderBy("epoch")
    assert plain(found.select("epoch", "leader_id", "start_offset", "end_offset").collect()) == [
        (1, 2, 0, 1),
        (4, 3, 1, None),
    ]
    assert found.first()["voters"] == [1, 2, 3]
