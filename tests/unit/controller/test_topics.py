"""Topics are created, get more partitions, and are deleted: every rule in Kafka's order."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import MAX_RECORDS_PER_BATCH
from metaquorum.controller.commands import (
    AllocateProducerIds,
    CreatePartitions,
    CreateTopics,
    DeleteTopics,
)
from metaquorum.controller.managers import producer_ids, topic_changes, topics
from metaquorum.controller.mutation_quota import BURST_S, MutationQuota, TokenBucket
from metaquorum.controller.outcome import InTurns
from metaquorum.testing.every_record import uuid
from metaquorum.testing.partitions import Cluster, directory
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.allocate_producer_ids_request import AllocateProducerIdsRequest
from metaquorum.wire.generated.create_partitions_request import (
    CreatePartitionsAssignment,
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from metaquorum.wire.generated.create_topics_request import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from metaquorum.wire.generated.delete_topics_request import DeleteTopicState


def topic(
    name: str = "orders",
    count: int = 1,
    factor: int = 1,
    by_hand: dict[int, list[int]] | None = None,
    **settings: str | None,
) -> CreatableTopic:
    assignments = [CreatableReplicaAssignment(*one) for one in (by_hand or {}).items()]
    configs = [
        CreatableTopicConfig(key.replace("_", "."), value) for key, value in settings.items()
    ]
    if by_hand is not None and count == factor == 1:
        count = factor = -1
    return CreatableTopic(name, count, factor, assignments, configs)


def create(cluster: Cluster, *asked: CreatableTopic, validate_only: bool = False) -> Any:
    """The rows of the answer, whose records are written."""
    request = CreateTopicsRequest(list(asked), 1_000, validate_only)
    ids = tuple(uuid(f"{one.name} {number}") for number, one in enumerate(asked))
    outcome = topics.plan_create(cluster.context, CreateTopics(request, ids, 7))
    return cluster.carry_out(outcome).topics


def code(cluster: Cluster, asked: CreatableTopic) -> int:
    [row] = create(cluster, asked)
    assert (row.error_code == error_codes.NONE) == bool(cluster.written)
    return row.error_code


@pytest.fixture
def cluster() -> Cluster:
    return Cluster.of((1, 2, 3))


@pytest.mark.parametrize(
    "name", ["", ".", "..", "a" * 250, "a b", "a/b", "ä", "a:b"], ids=lambda name: name[:5]
)
def test_a_name_that_no_topic_can_have_is_refused(cluster: Cluster, name: str) -> None:
    assert code(cluster, topic(name)) == error_codes.INVALID_TOPIC_EXCEPTION


def test_a_name_of_every_character_and_length_is_taken(cluster: Cluster) -> None:
    assert code(cluster, topic("aZ09._-" + "x" * 242)) == error_codes.NONE


def test_a_topic_that_exists_is_refused_as_such(cluster: Cluster) -> None:
    create(cluster, topic("a.b"))
    assert create(cluster, topic("a.b"))[0].error_code == error_codes.TOPIC_ALREADY_EXISTS


def test_names_that_metrics_cannot_tell_apart_collide(cluster: Cluster) -> None:
    create(cluster, topic("a.b_c"))
    for name in ("a_b_c", "a.b.c", "a_b.c"):
        [row] = create(cluster, topic(name))
        assert row.error_code == error_codes.INVALID_TOPIC_EXCEPTION
        assert "a.b_c" in row.error_message
    assert create(cluster, topic("abc"))[0].error_code == error_codes.NONE


def test_a_name_is_free_again_once_its_topic_is_gone(cluster: Cluster) -> None:
    create(cluster, topic("a.b"))
    delete(cluster, DeleteTopicState("a.b"))
    assert [row.error_code for row in create(cluster, topic("a_b"))] == [error_codes.NONE]


def test_two_alike_names_of_one_request_are_both_created(cluster: Cluster) -> None:
    rows = create(cluster, topic("a.b"), topic("a_b"))
    assert [row.error_code for row in rows] == [0, 0]  # as with Kafka


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"nonsense": "1"}, "nonsense"),
        ({"retention.ms": None}, "null"),
        ({"retention.ms": "soon"}, "retention.ms"),
        ({"min.insync.replicas": "0"}, "min.insync.replicas"),
        ({"cleanup.policy": "burn"}, "cleanup.policy"),
        ({"min.compaction.lag.ms": "9", "max.compaction.lag.ms": "3"}, "above"),
        ({"remote.storage.enable": "true"}, "Tiered Storage functionality is disabled"),
        ({"leader.replication.throttled.replicas": "1-2"}, "partition:broker"),
    ],
)
def test_a_wrong_setting_is_refused(cluster: Cluster, settings: dict[str, Any], told: str) -> None:
    asked = topic()
    asked.configs = [CreatableTopicConfig(*one) for one in settings.items()]
    [row] = create(cluster, asked)
    assert row.error_code == error_codes.INVALID_CONFIG
    assert told in row.error_message
    assert cluster.written == []


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (topic(by_hand={0: [1, 2]}, count=3), error_codes.INVALID_REQUEST),
        (topic(by_hand={0: [1, 2]}, count=-1, factor=2), error_codes.INVALID_REQUEST),
        (topic(by_hand={1: [1]}), error_codes.INVALID_REPLICA_ASSIGNMENT),
        (topic(by_hand={0: [1], 2: [1]}), error_codes.INVALID_REPLICA_ASSIGNMENT),
        (topic(by_hand={0: []}), error_codes.INVALID_REPLICA_ASSIGNMENT),
        (topic(by_hand={0: [1, 1]}), error_codes.INVALID_REPLICA_ASSIGNMENT),
        (topic(by_hand={0: [1, 9]}), error_codes.INVALID_REPLICA_ASSIGNMENT),
        (topic(by_hand={0: [1, 2], 1: [1]}), error_codes.INVALID_REPLICA_ASSIGNMENT),
        (topic(factor=0), error_codes.INVALID_REPLICATION_FACTOR),
        (topic(factor=-2), error_codes.INVALID_REPLICATION_FACTOR),
        (topic(factor=4), error_codes.INVALID_REPLICATION_FACTOR),
        (topic(count=0), error_codes.INVALID_PARTITIONS),
        (topic(count=-2), error_codes.INVALID_PARTITIONS),
    ],
)
def test_a_topic_that_cannot_be_is_refused(
    cluster: Cluster, asked: CreatableTopic, expected: int
) -> None:
    assert code(cluster, asked) == expected


def test_an_assignment_to_brokers_that_are_not_active_is_refused(cluster: Cluster) -> None:
    cluster.fence(3)
    assert code(cluster, topic(by_hand={0: [3]})) == error_codes.INVALID_REPLICA_ASSIGNMENT


def test_records_are_topic_settings_and_partitions_in_order(cluster: Cluster) -> None:
    create(
        cluster, topic(by_hand={1: [2, 3], 0: [1, 2]}, retention_ms="5", min_insync_replicas="2")
    )
    names = [type(one.message).__name__ for one in cluster.written]
    assert names == [
        *("TopicRecord", "ConfigRecord", "ConfigRecord", "ClearElrRecord"),
        *("PartitionRecord", "PartitionRecord"),
    ]
    first, second = (one.message for one in cluster.written[-2:])
    assert (first.partition_id, first.replicas, first.isr, first.leader) == (0, (1, 2), [1, 2], 1)
    assert first.directories == [directory(1), directory(2)]
    assert (second.partition_id, second.leader, second.leader_epoch) == (1, 2, 0)
    assert cluster.written[-1].version == 2


@pytest.mark.parametrize(("level", "version"), [(7, 0), (16, 0), (17, 1), (22, 1), (23, 2)])
def test_a_record_has_no_version_that_the_level_lacks(level: int, version: int) -> None:
    cluster = Cluster.of((1,), level=level, elr=False)
    create(cluster, topic())
    record = cluster.written[-1]
    assert record.version == version
    assert bool(record.message.directories) == (version > 0)


def test_a_fenced_replica_is_not_in_sync_at_first(cluster: Cluster) -> None:
    cluster.fence(1)
    create(cluster, topic(by_hand={0: [1, 2, 3]}))
    partition = cluster.written[-1].message
    assert (partition.replicas, partition.isr, partition.leader) == ((1, 2, 3), [2, 3], 2)


def test_defaults_are_those_of_the_controller() -> None:
    cluster = Cluster.of((1, 2, 3), partitions=4, replication_factor=2)
    [row] = create(cluster, topic(count=-1, factor=-1))
    assert (row.num_partitions, row.replication_factor) == (4, 2)


def test_validation_alone_writes_nothing(cluster: Cluster) -> None:
    [row] = create(cluster, topic(count=2), validate_only=True)
    assert (row.error_code, row.num_partitions) == (error_codes.NONE, 2)
    assert cluster.written == []


def test_one_wrong_topic_does_not_keep_others_from_being_made(cluster: Cluster) -> None:
    rows = create(cluster, topic("a"), topic("b", factor=9), topic("c"))
    assert [row.error_code for row in rows] == [0, error_codes.INVALID_REPLICATION_FACTOR, 0]
    assert [row.name for row in rows] == ["a", "b", "c"]
    assert rows[1].error_message


def test_partitions_of_refused_topics_count_against_the_limit(cluster: Cluster) -> None:
    rows = create(cluster, topic("a"), topic("..", count=MAX_RECORDS_PER_BATCH))
    assert {row.error_code for row in rows} == {error_codes.POLICY_VIOLATION}
    told = {row.error_message for row in rows}
    assert told == {"Excessively large number of partitions per request."}
    assert cluster.written == []


def test_more_than_a_batch_holds_is_refused_for_every_topic(cluster: Cluster) -> None:
    rows = create(cluster, topic("a", count=MAX_RECORDS_PER_BATCH), topic("b"))
    assert {row.error_code for row in rows} == {error_codes.POLICY_VIOLATION}
    assert cluster.written == []
    [row] = create(cluster, topic("a", count=MAX_RECORDS_PER_BATCH - 1))
    assert row.error_code == error_codes.NONE


def test_many_topics_are_written_topic_by_topic_in_turns(cluster: Cluster) -> None:
    asked = [topic(f"t{number}", count=300) for number in range(9)]
    request = CreateTopicsRequest(asked, 1_000, False)
    ids = tuple(uuid(one.name) for one in asked)
    outcome = topics.plan_create(cluster.context, CreateTopics(request, ids, 7))
    assert isinstance(outcome, InTurns)
    cluster.write(next(outcome.turns))
    topics_so_far = len(cluster.state.live().topics)
    assert 0 < topics_so_far < 9
    create(cluster, topic("t8"))  # another client is faster
    [*rows, last] = cluster.carry_out(outcome).topics
    assert {row.error_code for row in rows} == {error_codes.NONE}
    assert last.error_code == error_codes.TOPIC_ALREADY_EXISTS


def test_the_answer_has_the_configuration_in_force() -> None:
    cluster = Cluster.of((1,), file={"log.retention.hours": "2", "log.cleanup.policy": "compact"})
    [row] = create(cluster, topic(min_insync_replicas="1"))
    found = {one.name: (one.value, one.config_source) for one in row.configs}
    assert list(found) == sorted(found)
    assert found["min.insync.replicas"] == ("1", 1)
    assert found["retention.ms"] == ("7200000", 4)
    assert found["cleanup.policy"] == ("compact", 4)
    assert found["segment.bytes"] == ("1073741824", 5)
    assert "internal.segment.bytes" not in found


def test_an_internal_setting_is_told_where_the_topic_has_it() -> None:
    [row] = create(Cluster.of((1,)), topic(internal_segment_bytes="1000"))
    found = {one.name: (one.value, one.config_source) for one in row.configs}
    assert list(found) == sorted(found)
    assert found["internal.segment.bytes"] == ("1000", 1)


def delete(cluster: Cluster, *asked: DeleteTopicState) -> Any:
    outcome = topic_changes.plan_delete(cluster.context, DeleteTopics(asked))
    return cluster.carry_out(outcome).responses


def test_a_topic_is_deleted_by_name_or_id(cluster: Cluster) -> None:
    first, second = create(cluster, topic("a", min_insync_replicas="1"), topic("b", count=3))
    rows = delete(cluster, DeleteTopicState("a"), DeleteTopicState(None, second.topic_id))
    assert [(row.name, row.topic_id, row.error_code) for row in rows] == [
        ("a", first.topic_id, 0),
        ("b", second.topic_id, 0),
    ]
    view = cluster.state.live()
    assert not len(view.topics) + len(view.partitions) + len(view.topic_ids)
    assert view.configs.get((2, "a")) is None


def test_a_topic_that_is_not_there_cannot_be_deleted(cluster: Cluster) -> None:
    rows = delete(cluster, DeleteTopicState("a"), DeleteTopicState(None, uuid("none")))
    assert [row.error_code for row in rows] == [
        error_codes.UNKNOWN_TOPIC_OR_PARTITION,
        error_codes.UNKNOWN_TOPIC_ID,
    ]


def test_deletion_can_be_turned_off() -> None:
    cluster = Cluster.of((1,), delete_topic_enable=False)
    with pytest.raises(RequestError) as refused:
        delete(cluster, DeleteTopicState("a"))
    assert refused.value.code == error_codes.TOPIC_DELETION_DISABLED


def extend(cluster: Cluster, *asked: CreatePartitionsTopic, validate_only: bool = False) -> Any:
    command = CreatePartitions(CreatePartitionsRequest(list(asked), 1_000, validate_only), 7)
    return cluster.carry_out(topic_changes.plan_create_partitions(cluster.context, command)).results


def more(count: int, *by_hand: list[int], name: str = "orders") -> CreatePartitionsTopic:
    assigned = [CreatePartitionsAssignment(one) for one in by_hand] if by_hand else None
    return CreatePartitionsTopic(name, count, assigned)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (more(3, name="none"), error_codes.UNKNOWN_TOPIC_OR_PARTITION),
        (more(2), error_codes.INVALID_PARTITIONS),
        (more(1), error_codes.INVALID_PARTITIONS),
        (more(4, [1, 2]), error_codes.INVALID_REPLICA_ASSIGNMENT),
        (more(3, [1]), error_codes.INVALID_REPLICA_ASSIGNMENT),
        (more(3, [1, 1]), error_codes.INVALID_REPLICA_ASSIGNMENT),
        (more(3, [1, 9]), error_codes.INVALID_REPLICA_ASSIGNMENT),
        (more(3, [3, 1]), error_codes.NONE),
        (more(4, [3, 1], [1, 2]), error_codes.NONE),
        (more(5), error_codes.NONE),
    ],
)
def test_partitions_are_added_as_asked_for(
    cluster: Cluster, asked: CreatePartitionsTopic, expected: int
) -> None:
    create(cluster, topic(count=2, factor=2))
    cluster.written.clear()
    [row] = extend(cluster, asked)
    assert row.error_code == expected
    numbers = [one.message.partition_id for one in cluster.written]
    assert numbers == ([] if expected else list(range(2, asked.count)))
    assert all(len(one.message.replicas) == 2 for one in cluster.written)


def test_more_partitions_are_not_placed_where_all_are_fenced(cluster: Cluster) -> None:
    create(cluster, topic(count=1, factor=1))
    for broker_id in (1, 2, 3):
        cluster.fence(broker_id)
    [by_hand] = extend(cluster, more(2, [1]))
    [placed] = extend(cluster, more(2))
    assert by_hand.error_code == error_codes.INVALID_REPLICA_ASSIGNMENT
    assert placed.error_code == error_codes.INVALID_REPLICATION_FACTOR


def test_validating_more_partitions_writes_nothing(cluster: Cluster) -> None:
    create(cluster, topic())
    cluster.written.clear()
    assert extend(cluster, more(3), validate_only=True)[0].error_code == error_codes.NONE
    assert cluster.written == []


def test_producer_ids_are_handed_out_in_blocks(cluster: Cluster) -> None:
    for first in (0, 1_000, 2_000):
        command = AllocateProducerIds(AllocateProducerIdsRequest(1, 1_001))
        reply: Any = cluster.carry_out(producer_ids.plan_allocate(cluster.context, command))
        assert (reply.producer_id_start, reply.producer_id_len) == (first, 1_000)


@pytest.mark.parametrize(("broker_id", "epoch"), [(9, 1_009), (1, 1_000)])
def test_a_stale_broker_gets_no_producer_ids(cluster: Cluster, broker_id: int, epoch: int) -> None:
    command = AllocateProducerIds(AllocateProducerIdsRequest(broker_id, epoch))
    with pytest.raises(RequestError) as refused:
        producer_ids.plan_allocate(cluster.context, command)
    assert refused.value.code == error_codes.STALE_BROKER_EPOCH


def strict_quota() -> MutationQuota:
    """Of one partition a second, of which four are left."""
    bucket = TokenBucket()
    bucket.take(BURST_S - 4, 1.0, 0)
    return MutationQuota(bucket, 1.0, is_strict=True)


def test_topics_beyond_the_quota_are_refused_one_by_one(cluster: Cluster) -> None:
    asked = [topic("a", 3), topic("b", 3), topic("c", 3), topic("a b")]
    request = CreateTopicsRequest(asked, 1_000, False)
    ids = tuple(uuid(one.name) for one in asked)
    command = CreateTopics(request, ids, 7, strict_quota())
    rows = cluster.carry_out(topics.plan_create(cluster.context, command)).topics
    assert [row.error_code for row in rows] == [
        *(error_codes.NONE, error_codes.NONE),
        *(error_codes.THROTTLING_QUOTA_EXCEEDED, error_codes.INVALID_TOPIC_EXCEPTION),
    ]
    assert {one.name for _, one in cluster.state.live().topics.items()} == {"a", "b"}


def test_partitions_beyond_the_quota_are_not_added(cluster: Cluster) -> None:
    create(cluster, topic("a"), topic("b"))
    asked = [CreatePartitionsTopic("a", 9, None), CreatePartitionsTopic("b", 2, None)]
    command = CreatePartitions(CreatePartitionsRequest(asked, 1_000, False), 7, strict_quota())
    outcome = topic_changes.plan_create_partitions(cluster.context, command)
    rows = cluster.carry_out(outcome).results
    assert [row.error_code for row in rows] == [
        error_codes.NONE,
        error_codes.THROTTLING_QUOTA_EXCEEDED,
    ]


def test_topics_beyond_the_quota_are_not_deleted(cluster: Cluster) -> None:
    create(cluster, topic("a", 5), topic("b"))
    asked = (DeleteTopicState("absent"), DeleteTopicState("a"), DeleteTopicState("b"))
    outcome = topic_changes.plan_delete(cluster.context, DeleteTopics(asked, strict_quota()))
    rows = cluster.carry_out(outcome).responses
    assert [row.error_code for row in rows] == [
        *(error_codes.UNKNOWN_TOPIC_OR_PARTITION, error_codes.NONE),
        error_codes.THROTTLING_QUOTA_EXCEEDED,
    ]
    assert "b" in cluster.state.live().topic_ids


def test_a_topic_that_is_named_twice_is_deleted_once(cluster: Cluster) -> None:
    create(cluster, topic("a"))
    topic_id = cluster.state.live().topic_ids.get("a")
    assert topic_id is not None
    asked = (DeleteTopicState("a"), DeleteTopicState(None, topic_id))
    outcome = topic_changes.plan_delete(cluster.context, DeleteTopics(asked))
    rows = cluster.carry_out(outcome).responses
    assert [row.error_code for row in rows] == [error_codes.NONE, error_codes.INVALID_REQUEST]
    assert "a" not in cluster.state.live().topic_ids
