"""DescribeTopicPartitions: names, cursor, limit, and no nulls that Java cannot take."""

from __future__ import annotations

import pytest

from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated.describe_topic_partitions_request import (
    Cursor,
    DescribeTopicPartitionsRequest,
    TopicRequest,
)


def ask(*names, services=None, **fields):
    request = DescribeTopicPartitionsRequest(topics=[TopicRequest(n) for n in names], **fields)
    return PipelineClient(services or services_with_eight_records()).ask(request, 0)


@pytest.mark.parametrize("names", [(), (METADATA_TOPIC,)])
def test_the_metadata_topic_is_described(names):
    (topic,) = ask(*names).topics
    (partition,) = topic.partitions
    assert (topic.error_code, topic.name, topic.is_internal) == (0, METADATA_TOPIC, False)
    assert bytes(topic.topic_id) == METADATA_TOPIC_ID
    assert (partition.error_code, partition.leader_id, partition.leader_epoch) == (0, 1, 3)
    assert (list(partition.replica_nodes), list(partition.isr_nodes)) == ([1], [1])


def test_the_lists_of_eligible_leaders_are_empty_and_never_null():
    (partition,) = ask(METADATA_TOPIC).topics[0].partitions
    assert partition.eligible_leader_replicas is not None
    assert partition.last_known_elr is not None
    assert list(partition.eligible_leader_replicas) == list(partition.last_known_elr) == []


def test_names_come_back_sorted_and_once_with_unknown_ones_as_unknown():
    response = ask("b", METADATA_TOPIC, "a", "b")
    assert [(t.name, t.error_code) for t in response.topics] == [
        (METADATA_TOPIC, 0), ("a", 3), ("b", 3),
    ]  # fmt: skip
    assert response.next_cursor is None


def test_a_cursor_skips_what_lies_before_it():
    response = ask("0", METADATA_TOPIC, "z", cursor=Cursor(METADATA_TOPIC, 0))
    assert [topic.name for topic in response.topics] == [METADATA_TOPIC, "z"]
    response = ask(cursor=Cursor("0", 0))
    assert [topic.name for topic in response.topics] == [METADATA_TOPIC]


def test_a_cursor_past_last_partition_gives_topic_without_partitions():
    response = ask("0", METADATA_TOPIC, "z", cursor=Cursor(METADATA_TOPIC, 9))
    assert [(t.name, t.error_code, list(t.partitions)) for t in response.topics] == [
        (METADATA_TOPIC, 0, []),
        ("z", 3, []),
    ]


@pytest.mark.parametrize("limit", [1, 0, -5])
def test_a_limit_that_is_reached_leaves_a_cursor_at_the_next_topic(limit):
    response = ask("0", METADATA_TOPIC, "z", response_partition_limit=limit)
    assert [topic.name for topic in response.topics] == ["0", METADATA_TOPIC]
    assert len(response.topics[1].partitions) == 1
    assert (response.next_cursor.topic_name, response.next_cursor.partition_index) == ("z", 0)
    assert ask(METADATA_TOPIC, response_partition_limit=limit).next_cursor is None


@pytest.mark.parametrize("cursor", [("a", -1), ("b", 0), ("", 0)])
def test_a_negative_cursor_or_one_at_an_unrequested_topic_is_invalid(cursor):
    assert ask("a", cursor=Cursor(*cursor)).topics[0].error_code == 42


@pytest.mark.parametrize("name", ["bad name", "", ".", "x" * 250])
def test_a_name_that_no_topic_can_have_is_distinguished(name):
    assert ask(name).topics[0].error_code == 17


def test_without_a_leader_the_partition_says_so():
    services = services_with_eight_records(leading=LeaderAndEpoch(None, 4))
    (partition,) = ask(METADATA_TOPIC, services=services).topics[0].partitions
    assert (partition.error_code, partition.leader_id) == (5, -1)
