"""AssignReplicasToDirs: where replicas are, and what an offline directory does to them."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.controller.commands import AssignReplicasToDirs
from metaquorum.controller.managers.replica_directories import plan_assign
from metaquorum.metadata.tables.topics import NO_LEADER, RECOVERED
from metaquorum.testing.every_record import uuid
from metaquorum.testing.partitions import Cluster, directory
from metaquorum.wire.generated import assign_replicas_to_dirs_request as wire
from metaquorum.wire.generated import error_codes

SECOND = directory(1, 1)


def cluster_of(level: int = 30) -> Cluster:
    cluster = Cluster.of((2, 3), level=level, elr=level >= 23)
    cluster.register(1, directories=2)
    cluster.topic("a", (1, 2), (2, 3))
    return cluster


def codes(
    cluster: Cluster, where: bytes, *numbers: int, topic: bytes | None = None, epoch: int = 1_001
) -> list[int]:
    rows = [wire.PartitionData(number) for number in numbers]
    topics = [wire.TopicData(topic or uuid("a"), rows)]
    request = wire.AssignReplicasToDirsRequest(1, epoch, [wire.DirectoryData(where, topics)])
    reply = cluster.carry_out(plan_assign(cluster.context, AssignReplicasToDirs(request)))
    assert [one.id for one in reply.directories] == [where]
    (told,) = reply.directories[0].topics
    assert [one.partition_index for one in told.partitions] == list(numbers)
    return [one.error_code for one in told.partitions]


def test_the_directory_of_a_replica_is_noted_once() -> None:
    cluster = cluster_of()
    for _ in range(2):
        assert codes(cluster, SECOND, 0) == [error_codes.NONE]
    assert cluster.partition("a").directories == (SECOND, directory(2))
    assert (cluster.partition("a").isr, len(cluster.written)) == ((1, 2), 1)


def test_each_replica_has_its_own_result() -> None:
    cluster = cluster_of()
    assert codes(cluster, SECOND, 0, 1, 2) == [
        error_codes.NONE,
        error_codes.NOT_LEADER_OR_FOLLOWER,
        error_codes.UNKNOWN_TOPIC_OR_PARTITION,
    ]
    assert codes(cluster, SECOND, 0, topic=uuid("b")) == [error_codes.UNKNOWN_TOPIC_ID]


@pytest.mark.parametrize(
    "where", [directory(9), bytes(16), bytes(15) + b"\x01", bytes(15) + b"\x02"]
)
def test_replica_in_an_offline_directory_leaves_the_isr(where: bytes) -> None:
    cluster = cluster_of()
    assert codes(cluster, where, 0) == [error_codes.NONE]
    now = cluster.partition("a")
    assert (now.directories[0], now.isr, now.leader) == (where, (2,), 2)


def test_nobody_is_elected_uncleanly_as_a_replica_is_assigned() -> None:
    cluster = cluster_of()
    cluster.topic("b", (1, 2), isr=[2], leader=2, directories=[directory(1), directory(2, 7)])
    cluster.set("b", "unclean.leader.election.enable", "true")
    assert codes(cluster, SECOND, 0, topic=uuid("b")) == [error_codes.NONE]
    now = cluster.partition("b")
    assert (now.directories[0], now.isr, now.leader) == (SECOND, (2,), NO_LEADER)
    assert now.leader_recovery_state == RECOVERED


def test_a_stale_broker_or_an_old_metadata_version_is_refused() -> None:
    for cluster, epoch, code in (
        (cluster_of(), 1_000, error_codes.STALE_BROKER_EPOCH),
        (cluster_of(16), 1_001, error_codes.UNSUPPORTED_VERSION),
    ):
        with pytest.raises(RequestError) as raised:
            codes(cluster, SECOND, 0, epoch=epoch)
        assert raised.value.code == code
