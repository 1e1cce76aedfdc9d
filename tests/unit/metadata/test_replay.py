"""What each record type does to the tables, and that no type of Kafka's is missing."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.metadata.replay import REPLAYERS
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.records.metadata_record import (
    MetadataRecord,
    decode_metadata_record,
    encode_metadata_record,
)
from metaquorum.wire.generated.index import RECORDS, record_codec

ALPHA = b"A" * 16
DIR_1, DIR_2, DIR_3 = b"1" * 16, b"2" * 16, b"3" * 16
BY_NAME = {record.name: record.type for record in RECORDS.values()}


def _record(record: str, version: int = 0, /, **fields: Any) -> MetadataRecord:
    """A record as it comes out of the log: encoded and decoded at ``version``."""
    kind = BY_NAME[record + "Record"]
    message = getattr(record_codec(kind), record + "Record")(**fields)
    return decode_metadata_record(encode_metadata_record(kind, message, version))


def _replayed(*records: MetadataRecord) -> StateView:
    state = MetadataState()
    for offset, record in enumerate(records):
        state.replay(record, offset, 1, 0)
    return state.live()


def test_every_record_type_of_the_schemas_is_replayed() -> None:
    assert sorted([*REPLAYERS, 23, 24, 25]) == sorted(RECORDS)


TOPIC = _record("Topic", name="alpha", topic_id=ALPHA)
PARTITION = _record(
    "Partition",
    2,
    partition_id=0,
    topic_id=ALPHA,
    replicas=[1, 2, 3],
    isr=[1, 2],
    leader=1,
    leader_epoch=4,
    partition_epoch=9,
    directories=[DIR_1, DIR_2, DIR_3],
    eligible_leader_replicas=[3],
    last_known_elr=[2],
)


def _change(version: int = 2, **fields: Any) -> MetadataRecord:
    return _record("PartitionChange", version, partition_id=0, topic_id=ALPHA, **fields)


def test_a_topic_and_its_partitions_appear() -> None:
    view = _replayed(TOPIC, PARTITION)
    topic = view.topics.get(ALPHA)
    assert topic is not None
    assert (topic.name, topic.partition_count, view.topic_ids.get("alpha")) == ("alpha", 1, ALPHA)
    partition = view.partitions.get((ALPHA, 0))
    assert partition is not None
    assert (partition.replicas, partition.isr, partition.leader) == ((1, 2, 3), (1, 2), 1)
    assert (partition.elr, partition.last_known_elr) == ((3,), (2,))


def test_an_old_partition_record_version_gives_migrating_directories() -> None:
    view = _replayed(
        TOPIC, _record("Partition", 0, partition_id=0, topic_id=ALPHA, replicas=[1, 2])
    )
    partition = view.partitions.get((ALPHA, 0))
    assert partition is not None
    assert partition.directories == (bytes(16), bytes(16))


def test_a_change_that_names_the_leader_raises_both_epochs() -> None:
    partition = _replayed(TOPIC, PARTITION, _change(leader=2)).partitions.get((ALPHA, 0))
    assert partition is not None
    assert (partition.leader, partition.leader_epoch, partition.partition_epoch) == (2, 5, 10)
    assert partition.isr == (1, 2)


def test_a_change_without_a_leader_raises_only_the_partition_epoch() -> None:
    view = _replayed(TOPIC, PARTITION, _change(isr=[1], leader_recovery_state=1, last_known_elr=[]))
    partition = view.partitions.get((ALPHA, 0))
    assert partition is not None
    assert (partition.leader, partition.leader_epoch, partition.partition_epoch) == (1, 4, 10)
    assert (partition.isr, partition.leader_recovery_state) == ((1,), 1)
    assert (partition.elr, partition.last_known_elr) == ((3,), ())


def test_directories_that_a_change_does_not_name_keep_their_places() -> None:
    view = _replayed(TOPIC, PARTITION, _change(replicas=[3, 4, 1], adding_replicas=[4]))
    partition = view.partitions.get((ALPHA, 0))
    assert partition is not None
    assert partition.directories == (DIR_1, DIR_2, DIR_3)
    named = _replayed(TOPIC, PARTITION, _change(directories=[DIR_2, DIR_2, DIR_2]))
    assert named.partitions.get((ALPHA, 0)) != partition


def test_migrating_directories_are_as_many_as_the_replicas() -> None:
    old = _record("Partition", 0, partition_id=0, topic_id=ALPHA, replicas=[1, 2])
    for change in (_change(replicas=[1, 2, 3]), _change(replicas=[1, 2, 3], directories=[])):
        partition = _replayed(TOPIC, old, change).partitions.get((ALPHA, 0))
        assert partition is not None
        assert partition.directories == (bytes(16),) * 3


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (_change(replicas=[1, 2]), "3 directories for 2 replicas"),
        (_change(directories=[DIR_1]), "1 directories for 3 replicas"),
        (_change(leader_recovery_state=7), "7 is no leader recovery state"),
        (_record("Topic", name="alpha", topic_id=b"B" * 16), "topic alpha exists already"),
        (_record("Topic", name="beta", topic_id=ALPHA), "exists already"),
    ],
)
def test_what_contradicts_the_topics_is_refused(record: MetadataRecord, why: str) -> None:
    with pytest.raises(InvariantViolated, match=why):
        _replayed(TOPIC, PARTITION, record)


def test_a_partition_needs_a_directory_for_each_replica() -> None:
    short = _record(
        "Partition", 1, partition_id=0, topic_id=ALPHA, replicas=[1, 2], directories=[DIR_1]
    )
    with pytest.raises(InvariantViolated, match="1 directories for 2 replicas"):
        _replayed(TOPIC, short)


def test_a_level_of_kraft_version_is_no_finalized_feature() -> None:
    view = _replayed(_record("FeatureLevel", name="kraft.version", feature_level=1))
    assert view.features.levels == ()


def test_removing_a_topic_takes_its_partitions_and_its_configuration() -> None:
    view = _replayed(
        TOPIC,
        PARTITION,
        _record("Config", resource_type=2, resource_name="alpha", name="k", value="v"),
        _record("Config", resource_type=2, resource_name="beta", name="k", value="v"),
        _record("RemoveTopic", topic_id=ALPHA),
    )
    assert [len(view.topics), len(view.topic_ids), len(view.partitions)] == [0, 0, 0]
    assert view.configs.keys() == [(2, "beta")]


@pytest.mark.parametrize("name", ["alpha", ""])
def test_clearing_elr_reaches_one_topic_or_all(name: str) -> None:
    view = _replayed(TOPIC, PARTITION, _record("ClearElr", topic_name=name))
    partition = view.partitions.get((ALPHA, 0))
    assert partition is not None
    assert (partition.elr, partition.last_known_elr, partition.partition_epoch) == ((), (), 10)


BROKER = _record(
    "RegisterBroker", 4, broker_id=5, broker_epoch=100, log_dirs=[DIR_1], rack="r1", fenced=True
)


def _broker_change(version: int, epoch: int = 100, **fields: Any) -> MetadataRecord:
    return _record("BrokerRegistrationChange", version, broker_id=5, broker_epoch=epoch, **fields)


def test_a_broker_is_unfenced_cordoned_shut_down_and_fenced_again() -> None:
    changes = [
        _broker_change(0, fenced=-1),
        _broker_change(3, cordoned_log_dirs=[DIR_1]),
        _broker_change(1, in_controlled_shutdown=1),
        _broker_change(2, log_dirs=[DIR_1, DIR_2]),
    ]
    broker = _replayed(BROKER, *changes).brokers.get(5)
    assert broker is not None
    assert (broker.fenced, broker.in_controlled_shutdown) == (False, True)
    assert (broker.log_dirs, broker.cordoned_log_dirs) == ((DIR_1, DIR_2), (DIR_1,))
    again = _replayed(BROKER, *changes, _broker_change(0, fenced=1)).brokers.get(5)
    assert again is not None
    assert again.fenced


@pytest.mark.parametrize(
    "fence", [_broker_change(0, fenced=1), _record("FenceBroker", id=5, epoch=100)]
)
def test_a_fenced_broker_leaves_an_isr_by_a_record_of_its_own(fence: MetadataRecord) -> None:
    on_it = _record("Partition", 0, partition_id=0, topic_id=ALPHA, replicas=[5, 6], isr=[5, 6])
    before = (BROKER, _broker_change(0, fenced=-1), TOPIC, on_it)
    event = _replayed(*before, fence)
    broker, partition = event.brokers.get(5), event.partitions.get((ALPHA, 0))
    assert broker is not None and broker.fenced
    assert partition is not None and partition.isr == (5, 6)
    changed = _replayed(*before, fence, _change(0, isr=[6])).partitions.get((ALPHA, 0))
    assert changed is not None and changed.isr == (6,)


def test_the_fence_records_of_old_metadata_versions_still_work() -> None:
    unfence = _record("UnfenceBroker", id=5, epoch=100)
    broker = _replayed(BROKER, unfence).brokers.get(5)
    assert broker is not None
    assert not broker.fenced
    fenced = _replayed(BROKER, unfence, _record("FenceBroker", id=5, epoch=100)).brokers.get(5)
    assert fenced is not None
    assert fenced.fenced


def test_brokers_and_controllers_leave() -> None:
    view = _replayed(
        BROKER,
        _record("RegisterController", controller_id=1),
        _record("UnregisterBroker", broker_id=5, broker_epoch=100),
        _record("UnregisterController", controller_id=1),
    )
    assert (len(view.brokers), len(view.controllers)) == (0, 0)


def test_configuration_is_set_and_taken_away_by_null() -> None:
    first = _record("Config", resource_type=4, resource_name="", name="a", value="1")
    second = _record("Config", resource_type=4, resource_name="", name="b", value="")
    assert _replayed(first, second).configs.get((4, "")) == {"a": "1", "b": ""}
    gone = _record("Config", resource_type=4, resource_name="", name="a", value=None)
    assert _replayed(first, second, gone).configs.get((4, "")) == {"b": ""}
    assert len(_replayed(first, gone, gone).configs) == 0


def test_credentials_tokens_and_rules_come_and_go() -> None:
    coming = [
        _record("UserScramCredential", name="anna", mechanism=1, salt=b"s", iterations=4096),
        _record("DelegationToken", owner="User:a", token_id="t", expiration_timestamp=9),
        _record("AccessControlEntry", id=DIR_1, resource_type=2, principal="User:a"),
    ]
    view = _replayed(*coming)
    credential = view.scram.get(("anna", 1))
    assert credential is not None
    assert credential.salt == b"s"
    assert repr(credential) == "ScramCredential(iterations=4096)"
    assert (view.tokens.keys(), view.access_rules.keys()) == (["t"], [DIR_1])
    going = [
        _record("RemoveUserScramCredential", name="anna", mechanism=1),
        _record("RemoveDelegationToken", token_id="t"),
        _record("RemoveAccessControlEntry", id=DIR_1),
    ]
    view = _replayed(*coming, *going)
    assert [len(view.scram), len(view.tokens), len(view.access_rules)] == [0, 0, 0]


def test_producer_ids_and_the_zookeeper_migration_are_remembered() -> None:
    view = _replayed(
        _record("ProducerIds", broker_id=1, next_producer_id=3000),
        _record("ZkMigrationState", zk_migration_state=3),
        _record("NoOp"),
    )
    assert (view.next_producer_id, view.zk_migration_state) == (3000, 3)


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([PARTITION], r"PartitionRecord at offset 0 .* no topic with id QUFB"),
        ([TOPIC, _change(leader=1)], r"PartitionChangeRecord at offset 1 .* no partition 0"),
        ([_record("RemoveTopic", topic_id=ALPHA)], "no topic with id"),
        ([_record("ClearElr", topic_name="alpha")], "no topic alpha"),
        ([_broker_change(0, fenced=1)], "no broker 5"),
        ([BROKER, _broker_change(0, epoch=7)], "broker 5 is at epoch 100, not 7"),
        ([BROKER, _broker_change(0, fenced=2)], "2 is no change of fencing"),
        ([BROKER, _broker_change(1, in_controlled_shutdown=2)], "2 is no change of controlled"),
        ([_record("RemoveAccessControlEntry", id=DIR_1)], "no access control entry"),
    ],
)
def test_a_record_that_contradicts_the_state_is_named_with_its_offset(
    records: list[MetadataRecord], message: str
) -> None:
    with pytest.raises(InvariantViolated, match=message):
        _replayed(*records)
