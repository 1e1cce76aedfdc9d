"""Where our controller differs from Kafka's on purpose (decisions 234 and 244), case by case."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.controller.commands import (
    AlterPartition,
    AssignReplicasToDirs,
    BrokerHeartbeat,
    CreatePartitions,
    RegisterBroker,
)
from metaquorum.controller.managers import (
    alter_partition,
    brokers,
    heartbeats,
    replica_directories,
    topic_changes,
)
from metaquorum.metadata.tables.features import ELIGIBLE_LEADER_REPLICAS_VERSION
from metaquorum.testing.every_record import made, uuid
from metaquorum.testing.partitions import Cluster, directory
from metaquorum.wire.generated import (
    alter_partition_request,
    assign_replicas_to_dirs_request,
    broker_registration_request,
    error_codes,
)
from metaquorum.wire.generated.broker_heartbeat_request import BrokerHeartbeatRequest
from metaquorum.wire.generated.create_partitions_request import (
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)

EVERYTHING = 1 << 40


def epoch_of(cluster: Cluster, broker_id: int) -> int:
    found = cluster.state.live().brokers.get(broker_id)
    assert found is not None
    return found.epoch


def beat(cluster: Cluster, broker_id: int, **wants: Any) -> Any:
    epoch = epoch_of(cluster, broker_id)
    request = BrokerHeartbeatRequest(broker_id, epoch, EVERYTHING, **wants)
    cluster.contacts.heard_from(
        *(broker_id, epoch, 0, EVERYTHING), map(bytes, request.offline_log_dirs)
    )
    return cluster.carry_out(heartbeats.plan_heartbeat(cluster.context, BrokerHeartbeat(request)))


def alter_isr(cluster: Cluster, topic: str, isr: list[int]) -> int:
    wire = alter_partition_request
    old = cluster.partition(topic)
    row = wire.PartitionData(
        0,
        leader_epoch=old.leader_epoch,
        partition_epoch=old.partition_epoch,
        new_isr_with_epochs=[wire.BrokerState(one, epoch_of(cluster, one)) for one in isr],
    )
    data = wire.TopicData(topic_id=uuid(topic), partitions=[row])
    request = wire.AlterPartitionRequest(old.leader, epoch_of(cluster, old.leader), [data])
    outcome = alter_partition.plan_alter(cluster.context, AlterPartition(request, 3))
    return int(cluster.carry_out(outcome).topics[0].partitions[0].error_code)


def register_anew(cluster: Cluster, broker_id: int, listeners: int = 1) -> Any:
    """As another process, after an end that may have lost records."""
    wire = broker_registration_request
    request = wire.BrokerRegistrationRequest(
        broker_id=broker_id,
        cluster_id="cluster",
        incarnation_id=uuid("another life"),
        listeners=[wire.Listener("PLAINTEXT", "a", 9092, 0)] * listeners,
        features=[
            wire.Feature("metadata.version", 1, 33),
            wire.Feature("eligible.leader.replicas.version", 0, 1),
        ],
        log_dirs=[directory(broker_id)],
    )
    return cluster.carry_out(
        brokers.plan_register(cluster.context, RegisterBroker(request, "cluster", 0))
    )


def delete(cluster: Cluster, topic: str) -> None:
    cluster.replay(made("RemoveTopic", topic_id=uuid(topic)))


@pytest.fixture
def cluster() -> Cluster:
    return Cluster.of((1, 2, 3))


def test_a_number_with_blanks_around_it_is_a_number(cluster: Cluster) -> None:
    cluster.topic("a", [1, 2, 3])
    cluster.set("a", "min.insync.replicas", " 2 ")
    assert alter_isr(cluster, "a", [1]) == error_codes.NONE
    assert cluster.partition("a").elr == (2, 3)


def test_a_directory_of_a_deleted_topic_may_go_offline() -> None:
    cluster = Cluster.of((1,))
    cluster.register(2, directories=2)
    cluster.topic("gone", [2, 1], directories=[directory(2, 1), directory(1)])
    cluster.topic("a", [2, 1], directories=[directory(2, 1), directory(1)])
    delete(cluster, "gone")
    assert not beat(cluster, 2, offline_log_dirs=[directory(2, 1)]).is_fenced
    assert (cluster.partition("a").leader, cluster.partition("a").isr) == (1, (1,))


def test_a_replica_of_a_deleted_topic_registers_anew(cluster: Cluster) -> None:
    for name in ("gone", "a"):
        cluster.topic(name, [1, 2], isr=[], leader=-1, eligible_leader_replicas=[2])
    delete(cluster, "gone")
    cluster.fence(2)
    assert register_anew(cluster, 2).error_code == error_codes.NONE
    assert cluster.partition("a").elr == ()


def test_new_partitions_have_the_replicas_of_partition_0(cluster: Cluster) -> None:
    cluster.topic("a", [1, 2], [1], [2])
    request = CreatePartitionsRequest([CreatePartitionsTopic("a", 4, None)], 1_000, False)
    outcome = topic_changes.plan_create_partitions(cluster.context, CreatePartitions(request, 7))
    assert cluster.carry_out(outcome).results[0].error_code == error_codes.NONE
    assert len(cluster.partition("a", 3).replicas) == 2


def test_two_listeners_of_one_name_are_refused(cluster: Cluster) -> None:
    cluster.fence(2)
    with pytest.raises(RequestError) as refused:
        register_anew(cluster, 2, listeners=2)
    assert refused.value.code == error_codes.INVALID_REGISTRATION


def test_a_directory_lost_by_one_that_leaves_costs_one_epoch() -> None:
    cluster = Cluster.of((1,))
    cluster.register(2, directories=2)
    cluster.topic("a", [2, 1], directories=[directory(2, 1), directory(1)])
    before = cluster.partition("a")
    beat(cluster, 2, want_fence=True, offline_log_dirs=[directory(2, 1)])
    after = cluster.partition("a")
    assert (after.leader, after.isr) == (1, (1,))
    assert after.leader_epoch == before.leader_epoch + 1
    assert after.partition_epoch == before.partition_epoch + 1


def test_who_comes_back_does_not_lead_in_the_directory_it_lost() -> None:
    cluster = Cluster.of((1,))
    cluster.register(2, directories=2)
    cluster.fence(2)
    fields = {"isr": [], "leader": -1, "eligible_leader_replicas": [2]}
    cluster.topic("lost", [2], directories=[directory(2, 1)], **fields)
    cluster.topic("kept", [2], directories=[directory(2, 0)], **fields)
    assert not beat(cluster, 2, offline_log_dirs=[directory(2, 1)]).is_fenced
    assert cluster.partition("lost").leader == -1
    assert cluster.partition("kept").leader == 2


def assign(cluster: Cluster, broker_id: int, topic: str, where: bytes) -> None:
    wire = assign_replicas_to_dirs_request
    data = wire.TopicData(uuid(topic), [wire.PartitionData(0)])
    request = wire.AssignReplicasToDirsRequest(
        broker_id, epoch_of(cluster, broker_id), [wire.DirectoryData(where, [data])]
    )
    cluster.carry_out(
        replica_directories.plan_assign(cluster.context, AssignReplicasToDirs(request))
    )


@pytest.mark.parametrize("is_offline", [True, False])
def test_nobody_is_elected_in_a_directory_that_is_offline(is_offline: bool) -> None:
    cluster = Cluster.of((1,))
    cluster.register(2, directories=2)
    fields = {"isr": [], "leader": -1, "eligible_leader_replicas": [2]}
    cluster.topic("a", [2], directories=[directory(2, 0)], **fields)
    where = directory(2, 9 if is_offline else 1)
    assign(cluster, 2, "a", where)
    after = cluster.partition("a")
    assert after.directories == (where,)
    assert after.leader == (-1 if is_offline else 2)


def test_an_eligible_replica_leads_once_the_leaders_directory_is_lost(cluster: Cluster) -> None:
    cluster.topic("a", [2, 1], isr=[2], eligible_leader_replicas=[1])
    assign(cluster, 2, "a", directory(2, 9))
    after = cluster.partition("a")
    assert (after.leader, after.isr, after.elr) == (1, (1,), (2,))


def test_who_left_the_isr_follows_a_leader_whose_directory_is_lost(cluster: Cluster) -> None:
    cluster.topic("a", [2, 1], directories=[directory(2, 9), directory(1)])
    cluster.set("a", "min.insync.replicas", "2")
    assert alter_isr(cluster, "a", [2]) == error_codes.NEW_LEADER_ELECTED
    after = cluster.partition("a")
    assert (after.leader, after.isr, after.elr) == (1, (1,), (2,))


def test_an_assigned_directory_that_is_offline_is_one_record() -> None:
    cluster = Cluster.of((1,))
    cluster.register(2, directories=2)
    cluster.topic("a", [2, 1], directories=[directory(2, 0), directory(1)])
    before = cluster.partition("a")
    assign(cluster, 2, "a", directory(2, 9))
    after = cluster.partition("a")
    assert (after.directories[0], after.isr, after.leader) == (directory(2, 9), (1,), 1)
    assert after.partition_epoch == before.partition_epoch + 1


def test_last_leader_is_forgotten_while_elrs_are_off() -> None:
    cluster = Cluster.of((2,))
    cluster.register(1, directories=2)
    fields = {"isr": [], "leader": -1, "eligible_leader_replicas": [2], "last_known_elr": [2]}
    cluster.topic("a", [2, 1], **fields)
    cluster.fence(2)
    cluster.fence(1)
    cluster.replay(made("FeatureLevel", name=ELIGIBLE_LEADER_REPLICAS_VERSION, feature_level=0))
    wire = assign_replicas_to_dirs_request
    topic = wire.TopicData(uuid("a"), [wire.PartitionData(0)])
    request = wire.AssignReplicasToDirsRequest(
        1, epoch_of(cluster, 1), [wire.DirectoryData(directory(1, 1), [topic])]
    )
    cluster.carry_out(
        replica_directories.plan_assign(cluster.context, AssignReplicasToDirs(request))
    )
    after = cluster.partition("a")
    assert (after.elr, after.last_known_elr) == ((), ())


def test_min_isr_counts_up_to_the_replicas_of_each_partition(cluster: Cluster) -> None:
    cluster.topic("a", [1, 2, 3], [1, 2, 3])
    cluster.topic("b", [1])
    cluster.set("a", "min.insync.replicas", "2")
    cluster.set("b", "min.insync.replicas", "2")
    assert alter_isr(cluster, "a", [1]) == alter_isr(cluster, "b", [1]) == error_codes.NONE
    assert cluster.partition("a").elr == (2, 3)
    assert cluster.partition("b").elr == ()
