"""Metadata: nodes of the listener, and the metadata log as an ordinary topic."""

from __future__ import annotations

import pytest

from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID, ZERO_UUID
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.config.listeners import HostPort
from metaquorum.testing.fake_services import CLUSTER_ID, plain_config, services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated.metadata_request import MetadataRequest, MetadataRequestTopic

VERSIONS = range(14)
OTHER_ID = bytes(15) + b"\x07"


def ask(version, topics=None, services=None, **fields):
    client = PipelineClient(services or services_with_eight_records())
    return client.ask(MetadataRequest(topics=topics, **fields), version)


def named(*names):
    return [MetadataRequestTopic(name=name) for name in names]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_metadata_topic_has_one_partition_led_by_the_leader(version):
    response = ask(version, named(METADATA_TOPIC))
    assert [(b.node_id, b.host, b.port) for b in response.brokers] == [(1, "127.0.0.1", 9093)]
    (topic,) = response.topics
    (partition,) = topic.partitions
    assert (topic.error_code, topic.name, topic.is_internal) == (0, METADATA_TOPIC, False)
    assert (partition.error_code, partition.partition_index, partition.leader_id) == (0, 0, 1)
    assert (list(partition.replica_nodes), list(partition.isr_nodes)) == ([1], [1])
    assert list(partition.offline_replicas) == []
    if version >= 1:
        assert response.controller_id == 1
    if version >= 2:
        assert response.cluster_id == CLUSTER_ID
    if version >= 7:
        assert partition.leader_epoch == 3
    if version >= 10:
        assert bytes(topic.topic_id) == METADATA_TOPIC_ID


def test_version_0_takes_an_empty_list_for_all_topics():
    assert [topic.name for topic in ask(0, []).topics] == [METADATA_TOPIC]


@pytest.mark.parametrize("version", VERSIONS[1:])
def test_later_versions_take_null_for_all_and_an_empty_list_for_none(version):
    assert [topic.name for topic in ask(version, None).topics] == [METADATA_TOPIC]
    assert list(ask(version, []).topics) == []


@pytest.mark.parametrize("version", VERSIONS)
def test_a_topic_that_is_named_twice_is_answered_once_as_in_kafka(version):
    twice = [*named(METADATA_TOPIC), *named("absent"), *named(METADATA_TOPIC), *named("absent")]
    assert [topic.name for topic in ask(version, twice).topics] == [METADATA_TOPIC, "absent"]


def test_a_topic_that_is_named_and_given_by_id_is_answered_once():
    both = [MetadataRequestTopic(METADATA_TOPIC_ID, None), *named(METADATA_TOPIC)]
    assert [topic.name for topic in ask(12, both).topics] == [METADATA_TOPIC]


@pytest.mark.parametrize("version", VERSIONS[4:])
def test_a_topic_that_is_not_there_is_unknown_and_never_created(version):
    (topic,) = ask(version, named("absent"), allow_auto_topic_creation=True).topics
    assert (topic.error_code, topic.name, list(topic.partitions)) == (3, "absent", [])


@pytest.mark.parametrize("name", ["bad name", "", ".", "..", "x" * 250, "é"])
def test_a_name_that_no_topic_can_have_is_distinguished(name):
    (topic,) = ask(12, named(name)).topics
    assert (topic.error_code, topic.name) == (17, name)


@pytest.mark.parametrize("version", [12, 13])
def test_a_topic_is_found_by_id_with_a_null_name(version):
    wanted = [MetadataRequestTopic(topic_id=METADATA_TOPIC_ID, name=None)]
    (topic,) = ask(version, wanted).topics
    assert (topic.error_code, topic.name) == (0, METADATA_TOPIC)


def test_an_id_wins_over_the_empty_name_that_java_sends_with_it():
    wanted = [MetadataRequestTopic(topic_id=METADATA_TOPIC_ID, name="")]
    assert ask(12, wanted).topics[0].name == METADATA_TOPIC
    wanted = [MetadataRequestTopic(topic_id=OTHER_ID, name=METADATA_TOPIC)]
    assert ask(12, wanted).topics[0].error_code == 100


def test_an_unknown_id_is_echoed_without_a_name():
    (topic,) = ask(12, [MetadataRequestTopic(topic_id=OTHER_ID, name=None)]).topics
    assert (topic.error_code, topic.name, bytes(topic.topic_id)) == (100, None, OTHER_ID)


@pytest.mark.parametrize("version", [10, 11])
@pytest.mark.parametrize(("topic_id", "name"), [(METADATA_TOPIC_ID, "x"), (ZERO_UUID, None)])
def test_ids_and_null_names_are_illegal_before_version_12(version, topic_id, name):
    (topic,) = ask(version, [MetadataRequestTopic(topic_id=topic_id, name=name)]).topics
    assert topic.error_code == 42
    assert topic.name == (name or "")


@pytest.mark.parametrize("leader", [LeaderAndEpoch(None, 4), LeaderAndEpoch(9, 4)])
@pytest.mark.parametrize("version", [0, 5, 12])
def test_without_a_reachable_leader_a_topic_is_known_but_leaderless(leader, version):
    (topic,) = ask(
        version, named(METADATA_TOPIC), services_with_eight_records(leading=leader)
    ).topics
    (partition,) = topic.partitions
    assert topic.error_code == 0
    assert (partition.error_code, partition.leader_id) == (5, -1)
    assert list(partition.replica_nodes) == [1]


def test_nodes_are_listed_with_endpoints_of_the_requested_listener():
    listeners = "CONTROLLER://127.0.0.1:0,PLAINTEXT://127.0.0.1:0"
    services = services_with_eight_records(
        config=plain_config(listeners),
        leading=LeaderAndEpoch(2, 3),
        voters=(1, 2, 3),
        places={
            "CONTROLLER": {2: HostPort("b", 9093), 1: HostPort("a", 9093)},
            "PLAINTEXT": {2: HostPort("b", 9092), 1: HostPort("a", 9092)},
        },
    )
    client = PipelineClient(services, "PLAINTEXT")
    response = client.ask(MetadataRequest(topics=named(METADATA_TOPIC)), 12)
    assert [(b.node_id, b.host, b.port) for b in response.brokers] == [
        (1, "a", 9092),
        (2, "b", 9092),
    ]
    assert response.controller_id == 2
    assert list(response.topics[0].partitions[0].replica_nodes) == [1, 2]


def test_a_controller_out_of_reach_gives_way_to_this_node():
    response = ask(12, [], services_with_eight_records(leading=LeaderAndEpoch(9, 4)))
    assert response.controller_id == 1


def test_authorized_operations_are_told_only_when_asked_for():
    response = ask(8, named(METADATA_TOPIC))
    assert response.cluster_authorized_operations == -(1 << 31)
    assert response.topics[0].topic_authorized_operations == -(1 << 31)
    response = ask(
        8,
        named(METADATA_TOPIC),
        include_cluster_authorized_operations=True,
        include_topic_authorized_operations=True,
    )
    assert response.cluster_authorized_operations == 8096
    assert response.topics[0].topic_authorized_operations == 0b101_0000_1000
