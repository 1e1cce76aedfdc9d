"""The few entries of a state that one record touches, in a form that can be compared.

Taken before and after the record was replayed they give its change in the words of ``metadata
diff``, without a second state. What is taken are the values of the tables, which nobody edits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Generic, TypeVar

from attrs import field, frozen

from metaquorum.base.ids import NodeId, Uuid
from metaquorum.metadata.tables.catalog import NEXT_PRODUCER_ID, Number, StateView
from metaquorum.metadata.tables.configs import ConfigResource, Settings
from metaquorum.metadata.tables.features import NO_FEATURES, FinalizedFeatures
from metaquorum.metadata.tables.nodes import Broker, Controller
from metaquorum.metadata.tables.quotas import QuotaEntity, Quotas, quota_entity
from metaquorum.metadata.tables.security import (
    AccessRule,
    DelegationToken,
    ScramCredential,
    ScramKey,
)
from metaquorum.metadata.tables.topics import Partition, PartitionKey, Topic
from metaquorum.records.metadata_record import MetadataRecord

K = TypeVar("K")
V = TypeVar("V")


@frozen
class Few(Generic[K, V]):
    """Entries that can be read as a table is."""

    held: Mapping[K, V] = field(factory=dict)

    def get(self, key: K) -> V | None:
        """The value of ``key``, None when there is none."""
        return self.held.get(key)

    def keys(self) -> list[K]:
        """Every key."""
        return list(self.held)

    def items(self) -> Iterator[tuple[K, V]]:
        """Every key with its value."""
        return iter(self.held.items())

    def __contains__(self, key: K) -> bool:
        return key in self.held

    def __len__(self) -> int:
        return len(self.held)


@frozen
class Extract:
    """Entries of one state, by the names that its tables have; everything else is left out."""

    features: FinalizedFeatures = NO_FEATURES
    brokers: Few[NodeId, Broker] = field(factory=Few)
    controllers: Few[NodeId, Controller] = field(factory=Few)
    topics: Few[Uuid, Topic] = field(factory=Few)
    partitions: Few[PartitionKey, Partition] = field(factory=Few)
    configs: Few[ConfigResource, Settings] = field(factory=Few)
    quotas: Few[QuotaEntity, Quotas] = field(factory=Few)
    access_rules: Few[Uuid, AccessRule] = field(factory=Few)
    scram: Few[ScramKey, ScramCredential] = field(factory=Few)
    tokens: Few[str, DelegationToken] = field(factory=Few)
    numbers: Few[str, Number] = field(factory=Few)

    def number(self, name: str) -> Number:
        """As a view has it: 0 where it was not taken."""
        return self.numbers.get(name) or Number(0)


NOTHING: Final = Extract()


def extract(record: MetadataRecord, view: StateView) -> Extract | None:
    """What ``record`` touches of the state as it is; None for a record that touches no entry."""
    take = _TAKEN.get(record.type)
    return None if take is None else take(record.message, view)


def _few(key: K, value: V | None) -> Few[K, V]:
    return Few() if value is None else Few({key: value})


def _broker(broker_id: NodeId, view: StateView) -> Extract:
    return Extract(brokers=_few(broker_id, view.brokers.get(broker_id)))


def _controller(message: Any, view: StateView) -> Extract:
    found = message.controller_id
    return Extract(controllers=_few(found, view.controllers.get(found)))


def _topic(message: Any, view: StateView) -> Extract:
    topic_id = bytes(message.topic_id)
    return Extract(topics=_few(topic_id, view.topics.get(topic_id)))


def _partition(message: Any, view: StateView) -> Extract:
    topic_id = bytes(message.topic_id)
    key = (topic_id, message.partition_id)
    return Extract(
        topics=_few(topic_id, view.topics.get(topic_id)),
        partitions=_few(key, view.partitions.get(key)),
    )


def _config(message: Any, view: StateView) -> Extract:
    resource = (message.resource_type, message.resource_name)
    return Extract(configs=_few(resource, view.configs.get(resource)))


def _quota(message: Any, view: StateView) -> Extract:
    entity = quota_entity([(part.entity_type, part.entity_name) for part in message.entity])
    return Extract(quotas=_few(entity, view.quotas.get(entity)))


def _rule(message: Any, view: StateView) -> Extract:
    rule_id = bytes(message.id)
    return Extract(access_rules=_few(rule_id, view.access_rules.get(rule_id)))


def _scram(message: Any, view: StateView) -> Extract:
    key = (message.name, message.mechanism)
    return Extract(scram=_few(key, view.scram.get(key)))


def _token(message: Any, view: StateView) -> Extract:
    return Extract(tokens=_few(message.token_id, view.tokens.get(message.token_id)))


def _by_broker_id(message: Any, view: StateView) -> Extract:
    return _broker(message.broker_id, view)


def _by_id(message: Any, view: StateView) -> Extract:
    return _broker(message.id, view)


def _features(message: Any, view: StateView) -> Extract:
    return Extract(features=view.features)


def _producer_ids(message: Any, view: StateView) -> Extract:
    return Extract(numbers=Few({NEXT_PRODUCER_ID: view.number(NEXT_PRODUCER_ID)}))


_TAKEN: Final[dict[int, Callable[[Any, StateView], Extract]]] = {
    0: _by_broker_id,
    1: _by_broker_id,
    2: _topic,
    3: _partition,
    4: _config,
    5: _partition,
    7: _by_id,
    8: _by_id,
    9: _topic,
    10: _token,
    11: _scram,
    12: _features,
    14: _quota,
    15: _producer_ids,
    17: _by_broker_id,
    18: _rule,
    19: _rule,
    22: _scram,
    26: _token,
    27: _controller,
    29: _controller,
}
"""By record type; ClearElr and ZkMigration touch no entry that words could name."""
