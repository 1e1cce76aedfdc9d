"""All tables of the metadata state by name, in the order in which a snapshot lists them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from attrs import field, frozen

from metaquorum.base.ids import NodeId, Uuid
from metaquorum.metadata.origin import NO_ORIGIN, Origin
from metaquorum.metadata.sharing import Sharing
from metaquorum.metadata.tables.configs import ConfigResource, Settings
from metaquorum.metadata.tables.features import NO_FEATURES, FinalizedFeatures
from metaquorum.metadata.tables.nodes import Broker, Controller
from metaquorum.metadata.tables.quotas import QuotaEntity, Quotas
from metaquorum.metadata.tables.security import (
    AccessRule,
    DelegationToken,
    ScramCredential,
    ScramKey,
)
from metaquorum.metadata.tables.topics import (
    NO_LEADER,
    Partition,
    PartitionKey,
    Topic,
    alike,
)
from metaquorum.metadata.timeline import Mark, Marks, Reader, Table, Walk

K = TypeVar("K")
V = TypeVar("V")

NEXT_PRODUCER_ID = "next producer id"
ZK_MIGRATION_STATE = "zk migration state"
RECORD_COUNT = "records replayed"
OFFLINE_PARTITIONS = "partitions without a leader"
NOT_PREFERRED = "partitions not led by their first replica"
UNCLEAN_ELECTIONS = "leaders elected that were not in sync"
ELR_ELECTIONS = "leaders elected of the eligible leader replicas"
RULES_CHANGED = "access rules changed"
_FEATURES = "features"


@frozen
class Number:
    """A value that the whole cluster has once, and the record that set it."""

    value: int
    origin: Origin = field(default=NO_ORIGIN, eq=False)


_NO_NUMBER = Number(0)


@frozen
class PartitionCounts:
    """How many partitions there are, without a leader, and not led by their first replica."""

    all: int = 0
    offline: int = 0
    not_preferred: int = 0


class Tables:
    """The present of every table. Only ``metadata.replay`` writes here."""

    def __init__(self, marks: Marks) -> None:
        self.sharing = Sharing()
        self.features: Table[str, FinalizedFeatures] = Table(marks, "features")
        self.brokers: Table[NodeId, Broker] = Table(marks, "brokers")
        self.controllers: Table[NodeId, Controller] = Table(marks, "controllers")
        self.topics: Table[Uuid, Topic] = Table(marks, "topics")
        self.topic_ids: Table[str, Uuid] = Table(marks, "topic_ids")
        self.names_alike: Table[str, tuple[str, ...]] = Table(marks, "names_alike")
        self.partitions: Table[PartitionKey, Partition] = Table(marks, "partitions")
        self.configs: Table[ConfigResource, Settings] = Table(marks, "configs")
        self.quotas: Table[QuotaEntity, Quotas] = Table(marks, "quotas")
        self.access_rules: Table[Uuid, AccessRule] = Table(marks, "access_rules")
        self.scram: Table[ScramKey, ScramCredential] = Table(marks, "scram")
        self.tokens: Table[str, DelegationToken] = Table(marks, "tokens")
        self.numbers: Table[str, Number] = Table(marks, "numbers")
        self.led: Table[NodeId, int] = Table(marks, "led")

    def __iter__(self) -> Iterator[Table[Any, Any]]:
        """Every table."""
        return (one for one in vars(self).values() if isinstance(one, Table))

    def put_features(self, features: FinalizedFeatures) -> None:
        """Set the one entry of the features table."""
        self.features.put(_FEATURES, features)

    def put_partition(self, key: PartitionKey, partition: Partition) -> None:
        """Set a partition, and keep count of who leads how many, and of those led by the wrong one.

        Nobody who wants to know how many there are has to walk a million of them.
        """
        self.replace_partition(key, self.partitions.get(key), partition)

    def replace_partition(
        self, key: PartitionKey, old: Partition | None, partition: Partition
    ) -> None:
        """The same where the caller knows which one is there: ``old``."""
        if old is None or old.leader != partition.leader or old.replicas != partition.replicas:
            self._counted(old, partition)
        self.partitions.replace(key, old, partition)

    def remove_partition(self, key: PartitionKey) -> None:
        """Take a partition away, which need not be there."""
        self._counted(self.partitions.get(key), None)
        self.partitions.remove(key)

    def put_topic_name(self, name: str, topic_id: Uuid) -> None:
        """A new topic's name; those with '.' or '_' are kept by what makes them alike."""
        self.topic_ids.put(name, topic_id)
        if "." in name or "_" in name:
            key = alike(name)
            self.names_alike.put(key, (*(self.names_alike.get(key) or ()), name))

    def remove_topic_name(self, name: str) -> None:
        """Take a topic's name away."""
        self.topic_ids.remove(name)
        if "." in name or "_" in name:
            key = alike(name)
            others = tuple(one for one in self.names_alike.get(key) or () if one != name)
            if others:
                self.names_alike.put(key, others)
            else:
                self.names_alike.remove(key)

    def put_rule(self, rule: AccessRule) -> None:
        """Add an access rule; an index of the rules sees that it did."""
        self.access_rules.put(rule.rule_id, rule)
        self.numbers.put(RULES_CHANGED, Number(1, rule.origin))

    def remove_rule(self, rule_id: Uuid, origin: Origin) -> None:
        """Take an access rule away."""
        self.access_rules.remove(rule_id)
        self.numbers.put(RULES_CHANGED, Number(1, origin))

    def count(self, name: str, more: int) -> None:
        """Raise one of the counts among the numbers, or lower it."""
        if more:
            known = self.numbers.get(name) or _NO_NUMBER
            self.numbers.put(name, Number(known.value + more))

    def count_led(self, broker_id: NodeId, more: int) -> None:
        """Raise the number of partitions that a broker leads, or lower it."""
        count = (self.led.get(broker_id) or 0) + more
        if count:
            self.led.put(broker_id, count)
        else:
            self.led.remove(broker_id)

    def _counted(self, old: Partition | None, new: Partition | None) -> None:
        before = NO_LEADER if old is None else old.leader
        after = NO_LEADER if new is None else new.leader
        if before != after:
            if before != NO_LEADER:
                self.count_led(before, -1)
            if after != NO_LEADER:
                self.count_led(after, 1)
        self.count(OFFLINE_PARTITIONS, _is_offline(new) - _is_offline(old))
        self.count(NOT_PREFERRED, _is_not_preferred(new) - _is_not_preferred(old))


def _is_offline(partition: Partition | None) -> bool:
    return partition is not None and partition.leader == NO_LEADER


def _is_not_preferred(partition: Partition | None) -> bool:
    if partition is None:
        return False
    replicas = partition.replicas
    return partition.leader != (replicas[0] if replicas else NO_LEADER)


class StateView:
    """Every table as it is now, or as it was at a mark; reading only.

    A view at a mark may be read while that mark is held: ``MetadataState.committed()`` gives one
    that is good until the state is next stepped.
    """

    __slots__ = ("_mark", "_tables")

    def __init__(self, tables: Tables, mark: Mark | None) -> None:
        self._tables = tables
        self._mark = mark

    @property
    def features(self) -> FinalizedFeatures:
        return self._reader(self._tables.features).get(_FEATURES) or NO_FEATURES

    @property
    def brokers(self) -> Reader[NodeId, Broker]:
        return self._reader(self._tables.brokers)

    @property
    def controllers(self) -> Reader[NodeId, Controller]:
        return self._reader(self._tables.controllers)

    @property
    def topics(self) -> Reader[Uuid, Topic]:
        return self._reader(self._tables.topics)

    @property
    def topic_ids(self) -> Reader[str, Uuid]:
        return self._reader(self._tables.topic_ids)

    @property
    def names_alike(self) -> Reader[str, tuple[str, ...]]:
        """Names of topics with '.' or '_', by ``tables.topics.alike``."""
        return self._reader(self._tables.names_alike)

    @property
    def partitions(self) -> Reader[PartitionKey, Partition]:
        return self._reader(self._tables.partitions)

    def walk_partitions(self) -> Walk[PartitionKey, Partition]:
        """To pass over the partitions of the present in pieces, whatever the mark of this view."""
        return self._tables.partitions.walk()

    @property
    def configs(self) -> Reader[ConfigResource, Settings]:
        return self._reader(self._tables.configs)

    @property
    def quotas(self) -> Reader[QuotaEntity, Quotas]:
        return self._reader(self._tables.quotas)

    @property
    def access_rules(self) -> Reader[Uuid, AccessRule]:
        return self._reader(self._tables.access_rules)

    @property
    def rules_stamp(self) -> object:
        """The same object until the access rules change, here or in a state that replaces this."""
        return self.number(RULES_CHANGED)

    @property
    def scram(self) -> Reader[ScramKey, ScramCredential]:
        return self._reader(self._tables.scram)

    @property
    def tokens(self) -> Reader[str, DelegationToken]:
        return self._reader(self._tables.tokens)

    @property
    def partition_counts(self) -> PartitionCounts:
        """Counts that were kept while records were replayed: asking costs nothing."""
        return PartitionCounts(
            len(self.partitions),
            self.number(OFFLINE_PARTITIONS).value,
            self.number(NOT_PREFERRED).value,
        )

    def led_by(self, broker_id: NodeId) -> int:
        """How many partitions a broker leads, counted likewise."""
        return self._reader(self._tables.led).get(broker_id) or 0

    @property
    def next_producer_id(self) -> int:
        """The first producer id that was never handed out."""
        return self.number(NEXT_PRODUCER_ID).value

    @property
    def zk_migration_state(self) -> int:
        """What the last ZkMigrationState record said; 0 is none."""
        return self.number(ZK_MIGRATION_STATE).value

    @property
    def is_empty(self) -> bool:
        """Whether no record has taken effect; what an aborted transaction held does not count."""
        return self.number(RECORD_COUNT).value == 0

    def number(self, name: str) -> Number:
        """One of the numbers named above with its origin; 0 when no record set it."""
        return self._reader(self._tables.numbers).get(name) or _NO_NUMBER

    def _reader(self, table: Table[K, V]) -> Reader[K, V]:
        return table if self._mark is None else table.at(self._mark)
