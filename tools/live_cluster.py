"""A cluster of the real Kafka, and what its Admin API says: the reference for the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attrs import define
from kafka.admin import (
    ACL,
    ACLFilter,
    ACLOperation,
    ACLPermissionType,
    ACLResourcePatternType,
    ConfigResource,
    ConfigResourceType,
    KafkaAdminClient,
    NewPartitions,
    NewTopic,
    ResourcePattern,
    ResourcePatternFilter,
    ResourceType,
)
from kafka.errors import KafkaError

from metaquorum.client.connection import Connection
from metaquorum.wire.generated import describe_client_quotas_request as quotas_wire
from tools.kafka.cluster import KafkaCluster
from tools.kafka.ports import LOOPBACK
from tools.process import until
from tools.quota_writer import QuotaWriter

HEAP = ("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
AUTHORIZER = {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "allow.everyone.if.no.acl.found": "true",
    "super.users": "User:ANONYMOUS",
}
# Without its idle records a quorum is quiet when nobody changes anything.
QUIET = {"metadata.max.idle.interval.ms": "0"}
DESCRIBE_CLIENT_QUOTAS = 48
KRAFT_VERSION = "kraft.version"  # of the quorum itself, in control records
SETTLED_WITHIN_S = 40.0
Facts = dict[str, set[tuple[Any, ...]]]


def made_cluster(directory: Path, **settings: Any) -> KafkaCluster:
    """Controllers and brokers that are small and quiet, and know ACLs."""
    snapshots = {
        "metadata.log.max.record.bytes.between.snapshots": "3000",
        "metadata.log.segment.ms": "500",
    }
    cluster = KafkaCluster(
        directory,
        controller_properties={**AUTHORIZER, **QUIET, **snapshots},
        broker_properties={**AUTHORIZER, "broker.session.timeout.ms": "3000"},
        **settings,
    )
    for node in cluster.nodes.values():
        node.heap_flags = HEAP
    return cluster


@define
class Cluster:
    """The cluster while it runs; ``admin`` asks brokers as any operator's tool would."""

    kafka: KafkaCluster
    port: int
    admin: Any

    @classmethod
    def of(cls, kafka: KafkaCluster) -> Cluster:
        """With an admin client that lasts as long as the first broker."""
        port = next(iter(kafka.broker_ports.values()))
        return cls(kafka, port, KafkaAdminClient(bootstrap_servers=f"{LOOPBACK}:{port}"))

    def leader(self) -> int:
        """The controller that leads now."""
        (topic,) = self.admin.describe_metadata_quorum()["topics"]
        return int(topic["partitions"][0]["leader_id"])

    def topic(self, name: str, partitions: int, replicas: int = 1, **configs: str) -> None:
        """A new topic."""
        settings = {key.replace("_", "."): value for key, value in configs.items()}
        made = NewTopic(name, partitions, replicas, topic_configs=settings)
        self.admin.create_topics([made], wait_for_metadata=True)

    def grow(self, name: str, partitions: int) -> None:
        """More partitions."""
        self.admin.create_partitions({name: NewPartitions(partitions)})

    def configure(self, topic: str, **configs: str) -> None:
        """Settings of a topic; a broker that was killed may be the first that is asked."""
        settings = {key.replace("_", "."): value for key, value in configs.items()}
        wanted = [ConfigResource(ConfigResourceType.TOPIC, topic, settings)]
        self.until(lambda: bool(self.admin.alter_configs(wanted)))

    def allow(self, user: str, topic: str) -> None:
        """Let a user read a topic."""
        pattern = ResourcePattern(ResourceType.TOPIC, topic)
        rule = ACL(f"User:{user}", "*", ACLOperation.READ, ACLPermissionType.ALLOW, pattern)
        self.admin.create_acls([rule])

    def quota(self, user: str, value: float) -> None:
        """A quota of a user."""
        with QuotaWriter.open(self.port) as writer:
            writer.set(user, "producer_byte_rate", value)

    def until(self, wanted: Callable[[], bool]) -> None:
        """Wait for the cluster to have come to something; who was killed cannot be asked."""
        until(lambda: self._says(wanted), "the cluster did not settle", SETTLED_WITHIN_S, 0.2)
        self.admin.close()
        self.admin = KafkaAdminClient(bootstrap_servers=f"{LOOPBACK}:{self.port}")

    def _says(self, wanted: Callable[[], bool]) -> bool:
        try:
            return wanted()
        except KafkaError:
            return False

    def is_settled(self) -> bool:
        """Whether partitions are in sync with every broker that runs, and with no other."""
        alive = {one for one in self.kafka.broker_ports if self.kafka.nodes[one].pid is not None}
        partitions = (one for topic in self.admin.describe_topics() for one in topic["partitions"])
        return all(
            set(one["isr_nodes"]) == set(one["replica_nodes"]) & alive
            for one in partitions
            if set(one["replica_nodes"]) & alive
        )

    def facts(self) -> Facts:
        """What the Admin API says of everything that a table is held against."""
        topics = self.admin.describe_topics()
        names = [str(one["name"]) for one in topics]
        return {
            "topics": {(name,) for name in names},
            "partitions": set(_partitions(topics)),
            "configs": set(self._configs(names)),
            "features": self._features(),
            "quotas": set(self._quotas()),
            "acls": set(self._acls()),
        }

    def _configs(self, names: list[str]) -> Iterator[tuple[Any, ...]]:
        asked = [ConfigResource(ConfigResourceType.TOPIC, name) for name in names]
        rows = self.admin.describe_configs(asked)
        for resources in rows.values():
            for name, settings in resources.items():
                for key, one in settings.items():
                    if one["config_source"] == "DYNAMIC_TOPIC_CONFIG":
                        yield name, key, one["value"]

    def _features(self) -> set[tuple[Any, ...]]:
        rows = self.admin.describe_features().items()
        levels = {(name, one["finalized"][1]) for name, one in rows if "finalized" in one}
        return {one for one in levels if one[0] != KRAFT_VERSION}

    def _quotas(self) -> Iterator[tuple[Any, ...]]:
        with Connection.open(LOOPBACK, self.port) as connection:
            version = connection.best_version(DESCRIBE_CLIENT_QUOTAS)
            request = quotas_wire.DescribeClientQuotasRequest()
            answer = connection.ask(DESCRIBE_CLIENT_QUOTAS, version, request)
        for entry in answer.entries or ():
            for one in entry.values:
                yield entry.entity[0].entity_name, one.key, one.value

    def _acls(self) -> Iterator[tuple[Any, ...]]:
        anything = ResourcePatternFilter(
            ResourceType.ANY, None, pattern_type=ACLResourcePatternType.ANY
        )
        found, _ = self.admin.describe_acls(
            ACLFilter(None, None, ACLOperation.ANY, ACLPermissionType.ANY, anything)
        )
        for one in found:
            yield one.principal, one.resource_pattern.resource_name, one.operation.name.lower()


def _partitions(topics: list[dict[str, Any]]) -> Iterator[tuple[Any, ...]]:
    for topic in topics:
        for one in topic["partitions"]:
            replicas, isr = tuple(one["replica_nodes"]), tuple(sorted(one["isr_nodes"]))
            yield topic["name"], one["partition_index"], one["leader_id"], replicas, isr
