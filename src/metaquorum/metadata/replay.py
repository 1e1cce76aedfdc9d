"""What each metadata record does to the tables. Nothing else writes them, on any node.

A record that contradicts the state (a change of a partition that is not there) means that the
log or we are broken: a HouseError. Removing what is not there is forgiven where Kafka's own
nodes forgive it: configs, quotas, credentials, tokens, controllers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from attrs import evolve

from metaquorum.base.errors import HouseError
from metaquorum.base.ids import Uuid, uuid_text
from metaquorum.base.offsets import Offset
from metaquorum.metadata import versions
from metaquorum.metadata.tables import configs, features, nodes, quotas, security, topics
from metaquorum.metadata.tables.catalog import (
    NEXT_PRODUCER_ID,
    ZK_MIGRATION_STATE,
    StateView,
    Tables,
)
from metaquorum.metadata.timeline import Table

if TYPE_CHECKING:
    from metaquorum.wire.generated.records.access_control_entry_record import (
        AccessControlEntryRecord,
    )
    from metaquorum.wire.generated.records.broker_registration_change_record import (
        BrokerRegistrationChangeRecord,
    )
    from metaquorum.wire.generated.records.clear_elr_record import ClearElrRecord
    from metaquorum.wire.generated.records.client_quota_record import ClientQuotaRecord
    from metaquorum.wire.generated.records.config_record import ConfigRecord
    from metaquorum.wire.generated.records.delegation_token_record import DelegationTokenRecord
    from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord
    from metaquorum.wire.generated.records.fence_broker_record import FenceBrokerRecord
    from metaquorum.wire.generated.records.no_op_record import NoOpRecord
    from metaquorum.wire.generated.records.partition_change_record import PartitionChangeRecord
    from metaquorum.wire.generated.records.partition_record import PartitionRecord
    from metaquorum.wire.generated.records.producer_ids_record import ProducerIdsRecord
    from metaquorum.wire.generated.records.register_broker_record import RegisterBrokerRecord
    from metaquorum.wire.generated.records.register_controller_record import (
        RegisterControllerRecord,
    )
    from metaquorum.wire.generated.records.remove_access_control_entry_record import (
        RemoveAccessControlEntryRecord,
    )
    from metaquorum.wire.generated.records.remove_delegation_token_record import (
        RemoveDelegationTokenRecord,
    )
    from metaquorum.wire.generated.records.remove_topic_record import RemoveTopicRecord
    from metaquorum.wire.generated.records.remove_user_scram_credential_record import (
        RemoveUserScramCredentialRecord,
    )
    from metaquorum.wire.generated.records.topic_record import TopicRecord
    from metaquorum.wire.generated.records.unfence_broker_record import UnfenceBrokerRecord
    from metaquorum.wire.generated.records.unregister_broker_record import UnregisterBrokerRecord
    from metaquorum.wire.generated.records.unregister_controller_record import (
        UnregisterControllerRecord,
    )
    from metaquorum.wire.generated.records.user_scram_credential_record import (
        UserScramCredentialRecord,
    )
    from metaquorum.wire.generated.records.zk_migration_state_record import ZkMigrationStateRecord

K = TypeVar("K")
V = TypeVar("V")
Replayer = Callable[[Tables, Any, Offset], None]


def _found(table: Table[K, V], key: K, what: str) -> V:
    value = table.get(key)
    if value is None:
        raise HouseError(f"there is no {what}")
    return value


def _topic(tables: Tables, topic_id: Uuid) -> topics.Topic:
    return _found(tables.topics, topic_id, f"topic with id {uuid_text(topic_id)}")


def _broker(tables: Tables, broker_id: int, epoch: int) -> nodes.Broker:
    broker = _found(tables.brokers, broker_id, f"broker {broker_id}")
    if broker.epoch != epoch:
        raise HouseError(f"broker {broker_id} is at epoch {broker.epoch}, not {epoch}")
    return broker


# Features and what else concerns the whole cluster.


def feature_level(tables: Tables, record: FeatureLevelRecord, offset: Offset) -> None:
    level = record.feature_level
    if record.name == features.METADATA_VERSION and not 1 <= level <= versions.HIGHEST_KNOWN:
        raise HouseError(
            f"metadata.version {level} is outside 1 to {versions.HIGHEST_KNOWN}, "
            "the levels that this release knows"
        )
    known = StateView(tables, None).features
    tables.put_features(known.changed(record.name, level, offset))


def producer_ids(tables: Tables, record: ProducerIdsRecord, offset: Offset) -> None:
    tables.numbers.put(NEXT_PRODUCER_ID, record.next_producer_id)


def zk_migration_state(tables: Tables, record: ZkMigrationStateRecord, offset: Offset) -> None:
    tables.numbers.put(ZK_MIGRATION_STATE, record.zk_migration_state)


def no_op(tables: Tables, record: NoOpRecord, offset: Offset) -> None:
    """Nothing changes but the offset."""


# Brokers and controllers.


def register_broker(tables: Tables, record: RegisterBrokerRecord, offset: Offset) -> None:
    tables.brokers.put(record.broker_id, nodes.broker_of(record))


def unregister_broker(tables: Tables, record: UnregisterBrokerRecord, offset: Offset) -> None:
    _broker(tables, record.broker_id, record.broker_epoch)
    tables.brokers.remove(record.broker_id)


def fence_broker(tables: Tables, record: FenceBrokerRecord, offset: Offset) -> None:
    broker = _broker(tables, record.id, record.epoch)
    tables.brokers.put(record.id, nodes.fenced(broker, True))


def unfence_broker(tables: Tables, record: UnfenceBrokerRecord, offset: Offset) -> None:
    broker = _broker(tables, record.id, record.epoch)
    tables.brokers.put(record.id, nodes.fenced(broker, False))


def broker_registration_change(
    tables: Tables, record: BrokerRegistrationChangeRecord, offset: Offset
) -> None:
    broker = _broker(tables, record.broker_id, record.broker_epoch)
    tables.brokers.put(record.broker_id, nodes.broker_after(broker, record))


def register_controller(tables: Tables, record: RegisterControllerRecord, offset: Offset) -> None:
    tables.controllers.put(record.controller_id, nodes.controller_of(record))


def unregister_controller(
    tables: Tables, record: UnregisterControllerRecord, offset: Offset
) -> None:
    tables.controllers.remove(record.controller_id)


# Topics and partitions.


def topic(tables: Tables, record: TopicRecord, offset: Offset) -> None:
    topic_id = bytes(record.topic_id)
    tables.topics.put(topic_id, topics.Topic(topic_id, record.name))
    tables.topic_ids.put(record.name, topic_id)


def partition(tables: Tables, record: PartitionRecord, offset: Offset) -> None:
    topic_id = bytes(record.topic_id)
    owner = _topic(tables, topic_id)
    if record.partition_id >= owner.partition_count:
        grown = topics.Topic(topic_id, owner.name, record.partition_id + 1)
        tables.topics.put(topic_id, grown)
    tables.partitions.put((topic_id, record.partition_id), topics.partition_of(record))


def partition_change(tables: Tables, record: PartitionChangeRecord, offset: Offset) -> None:
    key = (bytes(record.topic_id), record.partition_id)
    old = _found(
        tables.partitions, key, f"partition {key[1]} of the topic with id {uuid_text(key[0])}"
    )
    tables.partitions.put(key, topics.partition_after(old, record))


def remove_topic(tables: Tables, record: RemoveTopicRecord, offset: Offset) -> None:
    topic_id = bytes(record.topic_id)
    gone = _topic(tables, topic_id)
    for number in range(gone.partition_count):
        tables.partitions.remove((topic_id, number))
    tables.configs.remove((configs.TOPIC, gone.name))
    tables.topic_ids.remove(gone.name)
    tables.topics.remove(topic_id)


def clear_elr(tables: Tables, record: ClearElrRecord, offset: Offset) -> None:
    if record.topic_name:
        chosen = [_found(tables.topic_ids, record.topic_name, f"topic {record.topic_name}")]
    else:
        chosen = tables.topics.keys()
    for topic_id in chosen:
        for number in range(_topic(tables, topic_id).partition_count):
            old = tables.partitions.get((topic_id, number))
            if old is not None and (old.elr or old.last_known_elr):
                cleared = evolve(old, elr=(), last_known_elr=())
                tables.partitions.put((topic_id, number), cleared)


# Configuration, quotas, security.


def config(tables: Tables, record: ConfigRecord, offset: Offset) -> None:
    resource = (record.resource_type, record.resource_name)
    settings = configs.with_setting(tables.configs.get(resource), record.name, record.value)
    if settings:
        tables.configs.put(resource, settings)
    else:
        tables.configs.remove(resource)


def client_quota(tables: Tables, record: ClientQuotaRecord, offset: Offset) -> None:
    entity = quotas.quota_entity((part.entity_type, part.entity_name) for part in record.entity)
    old = tables.quotas.get(entity)
    if not record.remove:
        tables.quotas.put(entity, quotas.with_quota(old, record.key, record.value))
    elif left := quotas.without_quota(old, record.key):
        tables.quotas.put(entity, left)
    else:
        tables.quotas.remove(entity)


def access_control_entry(tables: Tables, record: AccessControlEntryRecord, offset: Offset) -> None:
    rule = security.access_rule_of(record)
    tables.access_rules.put(rule.rule_id, rule)


def remove_access_control_entry(
    tables: Tables, record: RemoveAccessControlEntryRecord, offset: Offset
) -> None:
    rule_id = bytes(record.id)
    _found(tables.access_rules, rule_id, f"access control entry {uuid_text(rule_id)}")
    tables.access_rules.remove(rule_id)


def user_scram_credential(
    tables: Tables, record: UserScramCredentialRecord, offset: Offset
) -> None:
    credential = security.scram_credential_of(record)
    tables.scram.put((record.name, record.mechanism), credential)


def remove_user_scram_credential(
    tables: Tables, record: RemoveUserScramCredentialRecord, offset: Offset
) -> None:
    tables.scram.remove((record.name, record.mechanism))


def delegation_token(tables: Tables, record: DelegationTokenRecord, offset: Offset) -> None:
    tables.tokens.put(record.token_id, security.delegation_token_of(record))


def remove_delegation_token(
    tables: Tables, record: RemoveDelegationTokenRecord, offset: Offset
) -> None:
    tables.tokens.remove(record.token_id)


REPLAYERS: Final[dict[int, Replayer]] = {
    0: register_broker,
    1: unregister_broker,
    2: topic,
    3: partition,
    4: config,
    5: partition_change,
    7: fence_broker,
    8: unfence_broker,
    9: remove_topic,
    10: delegation_token,
    11: user_scram_credential,
    12: feature_level,
    14: client_quota,
    15: producer_ids,
    17: broker_registration_change,
    18: access_control_entry,
    19: remove_access_control_entry,
    20: no_op,
    21: zk_migration_state,
    22: remove_user_scram_credential,
    26: remove_delegation_token,
    27: register_controller,
    28: clear_elr,
    29: unregister_controller,
}
"""Record type to what it does; 23 to 25 are the transaction records (``transactions``)."""
