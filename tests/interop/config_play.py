"""Random changes of settings, asked of a controller of Kafka, and held against our own plans.

Before each request the state that Kafka's log says is given to our plan of the same request; what
ours would write and answer is compared with what Kafka wrote and answered. What our nodes would
describe for that state is compared with what Kafka describes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from attrs import define, field

from metaquorum.client.connection import Connection
from metaquorum.controller.commands import AlterConfigs, ConfigChange
from metaquorum.controller.managers.configs import APPEND, DELETE, SET, SUBTRACT, plan_alter
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.server.contract import resource_settings
from metaquorum.server.contract.node_settings import layers_of
from metaquorum.testing.fake_services import plain_config
from metaquorum.testing.partitions import Cluster
from metaquorum.wire.generated import (
    alter_configs_request,
    create_topics_request,
    incremental_alter_configs_request,
)
from metaquorum.wire.generated.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from metaquorum.wire.generated.records.clear_elr_record import ClearElrRecord
from metaquorum.wire.generated.records.config_record import ConfigRecord
from tools.differential.followed_log import FollowedLog
from tools.differential.settings import ANY_WORDS, KEYS, NUMBERS, OF_BROKERS, WORDS
from tools.kafka.ports import LOOPBACK
from tools.process import until

CREATE_TOPICS, DESCRIBE_CONFIGS, ALTER_CONFIGS, INCREMENTAL = 19, 32, 33, 44
TOPIC, BROKER, METRICS, GROUP = 2, 4, 16, 32
NODE_ID = 1
TOPICS = ("a", "b")
NAMES = {
    TOPIC: (*TOPICS, *TOPICS, "absent", "", "a b", "..", "__consumer_offsets"),
    BROKER: ("", "", "1", "1", "101", "55", "x", "-1", "9" * 12),
    METRICS: ("m", "n", ""),
    GROUP: ("g", "h", ""),
}
PATIENCE_S = 20.0


Described = dict[tuple[int, str], dict[str, tuple[Any, ...]]]


@define
class ConfigPlay:
    """One controller of Kafka, which has node id 1, and the state that its log says."""

    port: int
    random: Random
    codes: set[int] = field(factory=set)
    log: FollowedLog = field(init=False)
    connection: Connection = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.log = FollowedLog(self.port)
        self.connection = Connection.open(LOOPBACK, self.port, timeout_ms=20_000)

    def begin(self) -> None:
        wire = create_topics_request
        topics = [
            wire.CreatableTopic(name, -1, -1, [wire.CreatableReplicaAssignment(0, [101])])
            for name in TOPICS
        ]
        request = wire.CreateTopicsRequest(topics, 10_000, False)
        answer = self.connection.ask(CREATE_TOPICS, 7, request)
        assert {one.error_code for one in answer.topics} == {0}, answer
        self.follow()

    def follow(self) -> list[MetadataRecord]:
        """Replay what the controller wrote since, and return it."""
        return self.log.follow()

    @property
    def ours(self) -> Cluster:
        """The state that the log says."""
        return self.log.state

    def step(self) -> None:
        """One request of one to three resources."""
        replaces = self.random.random() < 0.3
        named = {self.resource() for _ in range(self.random.randint(1, 3))}
        changes = tuple(
            ConfigChange(kind, name, self.operations(kind, replaces), replaces)
            for kind, name in sorted(named)
        )
        validate_only = self.random.random() < 0.1
        ours = plan_alter(self.ours.context, AlterConfigs(changes, (NODE_ID,), validate_only))
        theirs = self.asked(changes, replaces, validate_only)
        rows = {(one.kind, one.name): row[0] for one, row in zip(changes, ours.reply, strict=True)}
        self.codes |= set(rows.values())
        assert rows == theirs, f"{changes}\nours {ours.reply}"
        written = self.follow()
        assert comparable(ours.records) == comparable(written), changes

    def resource(self) -> tuple[int, str]:
        kind = self.random.choice((TOPIC, TOPIC, TOPIC, BROKER, METRICS, GROUP, GROUP))
        return kind, self.random.choice(NAMES[kind])

    def operations(self, kind: int, replaces: bool) -> tuple[tuple[str, int, str | None], ...]:
        """Without what makes Kafka's controller step down: an append of nothing."""
        made = []
        for _ in range(self.random.choice((0, 1, 1, 1, 2, 3))):
            key = self.random.choice(KEYS[kind])
            operation = SET if replaces else self.random.choice((SET, SET, SET, DELETE, 2, 3))
            some = self.random.choice((WORDS.get(key, NUMBERS), NUMBERS, ANY_WORDS))
            value = None if operation == DELETE else self.random.choice(some)
            if operation == SET and self.random.random() < 0.1:
                value = None
            if operation in (APPEND, SUBTRACT) and self.random.random() < 0.8:
                lists = [one for one in KEYS[kind] if one in WORDS or one == "log.cleanup.policy"]
                key = self.random.choice(lists or KEYS[kind])
                value = self.random.choice(WORDS.get(key, NUMBERS))
            if kind == BROKER and value is not None:
                value = self.random.choice(OF_BROKERS[key])
                operation = SET if operation == SUBTRACT else operation
            made.append((key, operation, value))
        return tuple(made)

    def asked(
        self, changes: Iterable[ConfigChange], replaces: bool, validate_only: bool
    ) -> dict[tuple[int, str], int]:
        """The codes of Kafka's answer."""
        request: Any
        if replaces:
            whole = alter_configs_request
            request = whole.AlterConfigsRequest(
                [
                    whole.AlterConfigsResource(
                        *(one.kind, one.name),
                        [whole.AlterableConfig(key, value) for key, _, value in one.operations],
                    )
                    for one in changes
                ],
                validate_only,
            )
        else:
            single = incremental_alter_configs_request
            request = single.IncrementalAlterConfigsRequest(
                [
                    single.AlterConfigsResource(
                        *(one.kind, one.name),
                        [single.AlterableConfig(*operation) for operation in one.operations],
                    )
                    for one in changes
                ],
                validate_only,
            )
        api_key, version = (ALTER_CONFIGS, 2) if replaces else (INCREMENTAL, 1)
        answer = self.connection.ask(api_key, version, request)
        return {(one.resource_type, one.resource_name): one.error_code for one in answer.responses}

    def describe(self) -> None:
        """Every topic, group and subscription is described alike, once Kafka has taken it in."""
        ours = self.described()
        differ: list[Any] = []

        def alike() -> bool:
            theirs = self.described_by_kafka(list(ours))
            differ[:] = [
                (resource, name, rows.get(name), theirs[resource].get(name))
                for resource, rows in ours.items()
                for name in {**rows, **theirs[resource]}
                if rows.get(name) != theirs[resource].get(name)
            ]
            return not differ

        until(alike, lambda: str(differ), within_s=PATIENCE_S)

    def described(self) -> Described:
        """What our nodes would say."""
        configs = self.ours.state.live().configs
        layers = layers_of(NODE_ID, plain_config(), configs)
        found = {}
        for kind in (TOPIC, GROUP, METRICS):
            for name in TOPICS if kind == TOPIC else filter(None, NAMES[kind]):
                settings = dict(configs.get((kind, name)) or {})
                if kind == TOPIC:
                    rows = resource_settings.of_topic(settings, layers)
                elif kind == GROUP:
                    rows = resource_settings.of_group(settings, layers)
                else:
                    rows = resource_settings.of_client_metrics(settings)
                found[kind, name] = {row.name: shown(row) for row in rows}
        return found

    def described_by_kafka(self, named: Iterable[tuple[int, str]]) -> Described:
        """What the controller says."""
        resources = [DescribeConfigsResource(kind, name, None) for kind, name in named]
        request = DescribeConfigsRequest(resources, True, False)
        answer = self.connection.ask(DESCRIBE_CONFIGS, 4, request)
        return {
            (one.resource_type, one.resource_name): {row.name: shown(row) for row in one.configs}
            for one in answer.results
        }


def shown(row: Any) -> tuple[Any, ...]:
    """What one row of DescribeConfigs tells."""
    synonyms = tuple((one.name, one.value, one.source) for one in row.synonyms)
    return (
        row.value,
        row.read_only,
        row.config_source,
        row.is_sensitive,
        row.config_type,
        synonyms,
    )


def comparable(records: Sequence[MetadataRecord]) -> tuple[Any, Any]:
    """Settings and cleared topics of a batch; Kafka's order among the settings is a hash map's."""
    settings, cleared = [], []
    for one in records:
        message = one.message
        if isinstance(message, ConfigRecord):
            assert not cleared
            settings.append(
                (message.resource_type, message.resource_name, message.name, message.value or "\0")
            )
        elif isinstance(message, ClearElrRecord):
            cleared.append(message.topic_name)
        else:
            raise AssertionError(message)
    return sorted(settings), sorted(cleared)
