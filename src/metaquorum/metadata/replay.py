"""What each metadata record does to the tables. Nothing else writes them, on any node.

A record that contradicts the state (a change of a partition that is not there) means that the
log or we are broken: a InvariantViolated. Removing what is not there is forgiven where Kafka's own
nodes forgive it: configs, quotas, credentials, tokens, controllers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from metaquorum.base.each import each
from metaquorum.base.errors import InvariantViolated
from metaquorum.base.ids import Uuid, uuid_text
from metaquorum.metadata import versions
from metaquorum.metadata.origin import Origin
from metaquorum.metadata.tables import configs, features, nodes, quotas, security, topics
from metaquorum.metadata.tables.catalog import (
    ELR_ELECTIONS,
    NEXT_PRODUCER_ID,
    UNCLEAN_ELECTIONS,
    ZK_MIGRATION_STATE,
    Number,
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
    from metaquorum.wire.generated.records.client_quota_record import (
        ClientQuotaRecord,
        EntityData,
    )
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
Replayer = Callable[[Tables, Any, Origin], None]


def _found(table: Table[K, V], key: K, what: str) -> V:
    value = table.get(key)
    if value is None:
        raise InvariantViolated(f"there is no {what}")
    return value


def _topic(tables: Tables, topic_id: Uuid) -> topics.Topic:
    found = tables.topics.get(topic_id)
    if found is None:
        raise InvariantViolated(f"there is no topic with id {uuid_text(topic_id)}")
    return found


def _broker(tables: Tables, broker_id: int, epoch: int) -> nodes.Broker:
    broker = _found(tables.brokers, broker_id, f"broker {broker_id}")
    if broker.epoch != epoch:
        raise InvariantViolated(f"broker {broker_id} is at epoch {broker.epoch}, not {epoch}")
    return broker


# Features and what else concerns the whole cluster.


def feature_level(tables: Tables, record: FeatureLevelRecord, origin: Origin) -> None:
    if record.name == features.KRAFT_VERSION:
        return  # the voters' own record decides; Kafka 4.0 wrote this one by mistake (KAFKA-18979)
    level = record.feature_level
    if record.name == features.METADATA_VERSION and not 1 <= level <= versions.HIGHEST_KNOWN:
        raise InvariantViolated(
            f"metadata.version {level} is outside 1 to {versions.HIGHEST_KNOWN}, "
            "the levels that this release knows"
        )
    known = StateView(tables, None).features
    tables.put_features(known.changed(record.name, level, origin))


def producer_ids(tables: Tables, record: ProducerIdsRecord, origin: Origin) -> None:
    tables.numbers.put(NEXT_PRODUCER_ID, Number(record.next_producer_id, origin))


def zk_migration_state(tables: Tables, record: ZkMigrationStateRecord, origin: Origin) -> None:
    tables.numbers.put(ZK_MIGRATION_STATE, Number(record.zk_migration_state, origin))


def no_op(tables: Tables, record: NoOpRecord, origin: Origin) -> None:
    """Nothing changes but the offset."""


# Brokers and controllers.


def register_broker(tables: Tables, record: RegisterBrokerRecord, origin: Origin) -> None:
    tables.brokers.put(record.broker_id, nodes.broker_of(record, origin))


def unregister_broker(tables: Tables, record: UnregisterBrokerRecord, origin: Origin) -> None:
    _broker(tables, record.broker_id, record.broker_epoch)
    tables.brokers.remove(record.broker_id)


def fence_broker(tables: Tables, record: FenceBrokerRecord, origin: Origin) -> None:
    broker = _broker(tables, record.id, record.epoch)
    tables.brokers.put(record.id, nodes.fenced(broker, True, origin))


def unfence_broker(tables: Tables, record: UnfenceBrokerRecord, origin: Origin) -> None:
    broker = _broker(tables, record.id, record.epoch)
    tables.brokers.put(record.id, nodes.fenced(broker, False, origin))


def broker_registration_change(
    tables: Tables, record: BrokerRegistrationChangeRecord, origin: Origin
) -> None:
    broker = _broker(tables, record.broker_id, record.broker_epoch)
    tables.brokers.put(record.broker_id, nodes.broker_after(broker, record, origin))


def register_controller(tables: Tables, record: RegisterControllerRecord, origin: Origin) -> None:
    tables.controllers.put(record.controller_id, nodes.controller_of(record, origin))


def unregister_controller(
    tables: Tables, record: UnregisterControllerRecord, origin: Origin
) -> None:
    tables.controllers.remove(record.controller_id)


# Topics and partitions.


def topic(tables: Tables, record: TopicRecord, origin: Origin) -> None:
    topic_id = bytes(record.topic_id)
    known = tables.topic_ids.get(record.name)
    if known is not None:
        raise InvariantViolated(f"topic {record.name} exists already with id {uuid_text(known)}")
    if topic_id in tables.topics:
        raise InvariantViolated(f"a topic with id {uuid_text(topic_id)} exists already")
    tables.topics.put(topic_id, topics.Topic(topic_id, record.name, 0, origin))
    tables.put_topic_name(record.name, topic_id)


def partition(tables: Tables, record: PartitionRecord, origin: Origin) -> None:
    owner = _topic(tables, bytes(record.topic_id))
    topic_id, number = owner.topic_id, record.partition_id  # one id object a topic, not a partition
    if number >= owner.partition_count:
        tables.topics.put(topic_id, topics.Topic(topic_id, owner.name, number + 1, owner.origin))
    tables.put_partition((topic_id, number), topics.partition_of(record, origin, tables.sharing))


def partition_change(tables: Tables, record: PartitionChangeRecord, origin: Origin) -> None:
    key = (bytes(record.topic_id), record.partition_id)
    old = tables.partitions.get(key)
    if old is None:
        raise InvariantViolated(
            f"there is no partition {key[1]} of the topic with id {uuid_text(key[0])}"
        )
    if record.leader_recovery_state == topics.RECOVERING:
        tables.count(UNCLEAN_ELECTIONS, 1)
    if record.leader in old.elr:
        tables.count(ELR_ELECTIONS, 1)
    new = topics.partition_after(old, record, origin, tables.sharing)
    tables.replace_partition(key, old, new)


def remove_topic(tables: Tables, record: RemoveTopicRecord, origin: Origin) -> None:
    topic_id = bytes(record.topic_id)
    gone = _topic(tables, topic_id)
    for number in range(gone.partition_count):
        tables.remove_partition((topic_id, number))
    tables.configs.remove((configs.TOPIC, gone.name))
    tables.remove_topic_name(gone.name)
    tables.topics.remove(topic_id)


def clear_elr(tables: Tables, record: ClearElrRecord, origin: Origin) -> None:
    if record.topic_name:
        chosen = [_found(tables.topic_ids, record.topic_name, f"topic {record.topic_name}")]
    else:
        chosen = tables.topics.keys()
    for topic_id in chosen:
        for number in range(_topic(tables, topic_id).partition_count):
            old = tables.partitions.get((topic_id, number))
            if old is not None and (old.elr or old.last_known_elr):
                cleared = topics.without_elr(old, origin)
                tables.put_partition((topic_id, number), cleared)


# Configuration, quotas, security.


def config(tables: Tables, record: ConfigRecord, origin: Origin) -> None:
    resource = (record.resource_type, record.resource_name)
    settings = tables.configs.get(resource) or configs.NO_SETTINGS
    if record.value is None:
        settings = settings.without(record.name)
    else:
        settings = settings.changed(record.name, record.value, origin)
    if settings:
        tables.configs.put(resource, settings)
    else:
        tables.configs.remove(resource)


def _quota_part(part: EntityData) -> tuple[str, str | None]:
    return part.entity_type, part.entity_name


def client_quota(tables: Tables, record: ClientQuotaRecord, origin: Origin) -> None:
    entity = quotas.quota_entity(each(_quota_part, record.entity))
    old = tables.quotas.get(entity)
    if old is None:
        old = quotas.NO_QUOTAS
    if not record.remove:
        tables.quotas.put(entity, old.changed(record.key, record.value, origin))
    elif left := old.without(record.key):
        tables.quotas.put(entity, left)
    else:
        tables.quotas.remove(entity)


def access_control_entry(tables: Tables, record: AccessControlEntryRecord, origin: Origin) -> None:
    tables.put_rule(security.access_rule_of(record, origin))


def remove_access_control_entry(
    tables: Tables, record: RemoveAccessControlEntryRecord, origin: Origin
) -> None:
    rule_id = bytes(record.id)
    _found(tables.access_rules, rule_id, f"access control entry {uuid_text(rule_id)}")
    tables.remove_rule(rule_id, origin)


def user_scram_credential(
    tables: Tables, record: UserScramCredentialRecord, origin: Origin
) -> None:
    credential = security.scram_credential_of(record, origin)
    tables.scram.put((record.name, record.mechanism), credential)


def remove_user_scram_credential(
    tables: Tables, record: RemoveUserScramCredentialRecord, origin: Origin
) -> None:
    tables.scram.remove((record.name, record.mechanism))


def delegation_token(tables: Tables, record: DelegationTokenRecord, origin: Origin) -> None:
    tables.tokens.put(record.token_id, security.delegation_token_of(record, origin))


def remove_delegation_token(
    tables: Tables, record: RemoveDelegationTokenRecord, origin: Origin
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
