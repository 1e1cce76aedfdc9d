"""An unmodified broker on our controller: topics, producers and groups through the broker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kafka import KafkaConsumer, KafkaProducer

from metaquorum.client.connection import Connection
from metaquorum.config.topic_keys import TOPIC_KEYS
from metaquorum.controller.topic_rules import problem_of
from metaquorum.metadata.tables.configs import TOPIC
from metaquorum.wire.generated.create_topics_request import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from metaquorum.wire.generated.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from metaquorum.wire.generated.list_config_resources_request import ListConfigResourcesRequest
from tests.interop.directory_states import replayed
from tools.kafka import JavaHelper
from tools.kafka.broker import address_of, broker_on
from tools.kafka.cluster import KafkaCluster
from tools.own_node import OwnNode
from tools.process import until

COUNT = 200
CREATE_TOPICS, DESCRIBE_CONFIGS, LIST_CONFIG_RESOURCES = 19, 32, 74
ONE_REPLICA = {
    "offsets.topic.replication.factor": "1",
    "offsets.topic.num.partitions": "2",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "transaction.state.log.num.partitions": "2",
}


@pytest.fixture(scope="module")
def served(
    tmp_path_factory: pytest.TempPathFactory, java: JavaHelper
) -> Iterator[tuple[OwnNode, str]]:
    """Our controller, and the address of a broker on it."""
    directory = tmp_path_factory.mktemp("served")
    with OwnNode(directory / "own") as node:
        broker = broker_on(
            *(directory / "broker", node.bootstrap_controller, node.cluster_id, java.tool),
            broker_id=100,
            more=ONE_REPLICA,
        )
        with broker:
            yield node, address_of(broker)


def connected(address: str) -> Connection:
    """A connection to HOST:PORT."""
    host, _, port = address.rpartition(":")
    return Connection.open(host, int(port))


def topics(java: JavaHelper, address: str, *words: str) -> str:
    """What Kafka's own tool says."""
    done = java.tool("topics", "--bootstrap-server", address, *words)
    assert done.exit_code == 0, done.stdout + done.stderr
    return done.stdout


def test_topics_are_created_extended_and_deleted(
    served: tuple[OwnNode, str], java: JavaHelper
) -> None:
    node, address = served
    words = ("--topic", "orders", "--partitions", "3", "--config", "retention.ms=60000")
    topics(java, address, "--create", *words)
    until(lambda: "PartitionCount: 3" in topics(java, address, "--describe", "--topic", "orders"))
    described = topics(java, address, "--describe", "--topic", "orders")
    assert "retention.ms=60000" in described and "Leader: 100" in described
    topics(java, address, "--alter", "--topic", "orders", "--partitions", "5")
    until(lambda: "PartitionCount: 5" in topics(java, address, "--describe", "--topic", "orders"))
    again = java.tool("topics", "--bootstrap-server", address, "--create", "--topic", "orders")
    assert again.exit_code != 0 and "orders" in again.stdout + again.stderr
    topics(java, address, "--delete", "--topic", "orders")
    until(lambda: "orders" not in topics(java, address, "--list"))
    assert replayed(node.metadata_directory).live().topic_ids.get("orders") is None


@pytest.mark.parametrize("is_transactional", [False, True])
def test_a_group_reads_what_an_idempotent_producer_wrote(
    served: tuple[OwnNode, str], java: JavaHelper, is_transactional: bool
) -> None:
    _, address = served
    topic = f"written-{is_transactional}".lower()
    topics(java, address, "--create", "--topic", topic, "--partitions", "2")
    values = [b"%d" % number for number in range(COUNT)]
    producer = KafkaProducer(
        bootstrap_servers=address,
        acks="all",
        enable_idempotence=True,
        transactional_id="writer" if is_transactional else None,
    )
    if is_transactional:
        producer.init_transactions()
        producer.begin_transaction()
    for value in values:
        producer.send(topic, value)
    producer.flush(timeout=30)
    if is_transactional:
        producer.commit_transaction()
    producer.close()
    consumer = KafkaConsumer(
        topic,
        bootstrap_servers=address,
        group_id=f"readers-{topic}",
        auto_offset_reset="earliest",
        isolation_level="read_committed",
        consumer_timeout_ms=20_000,
    )
    found: list[bytes] = []
    for record in consumer:
        found.append(record.value)
        if len(found) == COUNT:
            break
    consumer.commit()
    consumer.close()
    assert sorted(found, key=int) == values


def test_settings_of_topics_are_those_that_the_broker_describes(
    served: tuple[OwnNode, str], java: JavaHelper
) -> None:
    node, address = served
    wanted = [
        CreatableTopicConfig("retention.ms", "5"),
        CreatableTopicConfig("preallocate", "TRUE"),
    ]
    creation = CreateTopicsRequest([CreatableTopic("described", 1, 1, [], wanted)], 10_000)
    with connected(node.bootstrap_controller) as controller:
        (row,) = controller.ask(CREATE_TOPICS, 7, creation).topics
    assert row.error_code == 0, row.error_message
    ours = {one.name: (one.value, one.config_source) for one in row.configs}
    as_it_was_given, source = ours["preallocate"]  # a broker describes it as it was read
    assert as_it_was_given == "TRUE"
    ours["preallocate"] = "true", source
    question = DescribeConfigsRequest([DescribeConfigsResource(TOPIC, "described")])

    def theirs() -> Any:
        with connected(address) as broker:
            return broker.ask(DESCRIBE_CONFIGS, 4, question).results[0]

    until(lambda: theirs().error_code == 0)
    found = theirs().configs
    assert ours == {one.name: (one.value, one.config_source) for one in found}
    types = {name: key.type.value for name, key in TOPIC_KEYS.items() if not key.internal}
    assert types == {one.name: one.config_type for one in found}


def configs(java: JavaHelper, address: str, *words: str) -> str:
    """What Kafka's own tool says."""
    done = java.tool("configs", "--bootstrap-server", address, *words)
    assert done.exit_code == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("entity", "setting", "other"),
    [
        (("topics", "set"), "retention.ms=12345", "segment.ms=23456"),
        (("brokers", "100"), "num.io.threads=9", "log.cleaner.threads=2"),
        (
            ("groups", "g"),
            "consumer.session.timeout.ms=50000",
            "share.isolation.level=read_committed",
        ),
        (("client-metrics", "m"), "interval.ms=200", "metrics=[a,b]"),
    ],
    ids=["topic", "broker", "group", "client metrics"],
)
def test_settings_are_changed_and_taken_over_by_the_broker(
    served: tuple[OwnNode, str], java: JavaHelper, entity: tuple[str, str], setting: str, other: str
) -> None:
    _, address = served
    kind, name = entity
    if kind == "topics":
        topics(java, address, "--create", "--topic", name)
        until(lambda: name in topics(java, address, "--list"))
    words = ("--entity-type", kind, "--entity-name", name)
    configs(java, address, "--alter", *words, "--add-config", f"{setting},{other}")
    plain = other.replace("[", "").replace("]", "")
    until(lambda: f"  {setting} " in configs(java, address, "--describe", *words))
    described = configs(java, address, "--describe", *words)
    assert f"  {plain} " in described
    configs(java, address, "--alter", *words, "--delete-config", setting.partition("=")[0])
    until(lambda: setting not in configs(java, address, "--describe", *words))
    assert f"  {plain} " in configs(java, address, "--describe", *words)


def test_a_broker_refuses_or_is_refused_a_wrong_setting(
    served: tuple[OwnNode, str], java: JavaHelper
) -> None:
    _, address = served
    wrong = [
        (("topics", "described"), "retention.ms=soon"),
        (("brokers", "100"), "num.io.threads=x"),
        (("groups", "g"), "consumer.session.timeout.ms=1"),
        (("client-metrics", "m"), "interval.ms=1"),
    ]
    for (kind, name), setting in wrong:
        done = java.tool(
            *("configs", "--bootstrap-server", address, "--alter", "--entity-type", kind),
            *("--entity-name", name, "--add-config", setting),
        )
        key = setting.partition("=")[0]
        assert done.exit_code != 0 and key in done.stdout + done.stderr


WRONG = (
    *("cleanup.policy=burn", "compression.type=none", "compression.gzip.level=0"),
    *("retention.ms=-2", "min.insync.replicas=0", "segment.bytes=1", "segment.ms=0"),
    *("max.message.bytes=-1", "preallocate=maybe", "min.cleanable.dirty.ratio=1.1"),
    *("message.timestamp.type=Never", "nonsense=1", "flush.messages=0", "retention.ms=soon"),
    *("max.compaction.lag.ms=0", "local.retention.ms=-3", "remote.storage.enable=true"),
    *("leader.replication.throttled.replicas=1-2", "segment.index.bytes=3"),
)


def test_settings_that_kafka_refuses_are_refused(tmp_path: Path, java: JavaHelper) -> None:
    with KafkaCluster(tmp_path, controllers=1, format_tool=java.tool) as kafka:
        for number, text in enumerate((*WRONG, "min.compaction.lag.ms=9,max.compaction.lag.ms=3")):
            settings = [item for pair in text.split(",") for item in ("--config", pair)]
            done = java.tool(
                *("topics", "--bootstrap-server", kafka.bootstrap_servers),
                *("--create", "--topic", f"t{number}", *settings),
            )
            refused = problem_of(dict(pair.split("=") for pair in text.split(",")))
            assert (done.exit_code != 0) == (refused is not None), (text, refused, done.stdout)


def listed(address: str, *kinds: int, version: int = 1) -> tuple[int, set[tuple[int, str]]]:
    """Code and resources that a node tells; the metadata topic is one of ours alone."""
    with connected(address) as connection:
        request = ListConfigResourcesRequest(list(kinds))
        answer = connection.ask(LIST_CONFIG_RESOURCES, version, request)
    found = {(one.resource_type, one.resource_name) for one in answer.config_resources}
    return answer.error_code, found - {(TOPIC, "__cluster_metadata")}


def test_resources_with_settings_are_listed_as_by_the_broker(
    served: tuple[OwnNode, str], java: JavaHelper
) -> None:
    node, address = served
    for kind, name, setting in (
        ("groups", "g", "consumer.session.timeout.ms=46000"),
        ("client-metrics", "m", "interval.ms=5000"),
    ):
        words = ("--alter", "--entity-type", kind, "--entity-name", name, "--add-config", setting)
        done = java.tool("configs", "--bootstrap-server", address, *words)
        assert done.exit_code == 0, done.stdout + done.stderr
    topics(java, address, "--create", "--topic", "listed", "--partitions", "1")
    for kinds in ((TOPIC,), (16,), (32,), (16, 32, TOPIC)):
        until(
            lambda some=kinds: listed(address, *some) == listed(node.bootstrap_server, *some),
            "the two do not tell the same",
        )
        assert listed(address, *kinds)[1]
    for kind in (4, 8):
        code, ours = listed(node.bootstrap_server, kind)
        assert (code, ours - {(kind, str(node.node_id))}) == listed(address, kind)
    for kind in (1, 3, 5):
        assert listed(node.bootstrap_server, kind) == listed(address, kind)
    assert listed(node.bootstrap_server, version=0) == listed(address, version=0)
