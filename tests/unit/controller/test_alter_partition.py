"""AlterPartition: the checks in Kafka's order, and what the leader is answered."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import ISRS_PER_TURN
from metaquorum.controller.commands import AlterPartition
from metaquorum.controller.managers.alter_partition import plan_alter
from metaquorum.controller.outcome import InTurns, Outcome
from metaquorum.metadata.tables.topics import RECOVERING
from metaquorum.testing.every_record import made, uuid
from metaquorum.testing.partitions import Cluster
from metaquorum.wire.generated import alter_partition_request as wire
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.alter_partition_response import PartitionData

UNKNOWN = -1


def cluster_of(*partitions: tuple[int, ...], **fields: Any) -> Cluster:
    cluster = Cluster.of((1, 2, 3), min_insync_replicas=1)
    cluster.topic("a", *(partitions or ((1, 2, 3),)), **fields)
    return cluster


def row(isr: Any = (1, 2), number: int = 0, **changes: Any) -> wire.PartitionData:
    """What leader 1 says of a partition; an ISR as ids, or as ids with epochs."""
    epochs = isr if isinstance(isr, dict) else {one: 1_000 + one for one in isr}
    fields: dict[str, Any] = {
        "partition_index": number,
        "leader_epoch": 5,
        "partition_epoch": 9,
        "new_isr_with_epochs": [wire.BrokerState(*one) for one in epochs.items()],
    }
    return wire.PartitionData(**(fields | changes))


def plan(
    cluster: Cluster, *rows: wire.PartitionData, version: int = 3, **changes: Any
) -> Outcome | InTurns:
    topic = wire.TopicData(topic_id=changes.pop("topic_id", uuid("a")), partitions=list(rows))
    sender = changes.pop("sender", 1)
    epoch = changes.pop("epoch", 1_000 + sender)
    request = wire.AlterPartitionRequest(sender, epoch, [topic])
    return plan_alter(cluster.context, AlterPartition(request, version))


def answered(cluster: Cluster, *rows: wire.PartitionData, **more: Any) -> list[PartitionData]:
    reply = cluster.carry_out(plan(cluster, *rows, **more))
    return [one for topic in reply.topics for one in topic.partitions]


def code(cluster: Cluster, asked: wire.PartitionData, **more: Any) -> int:
    """The code of a refused row, which carries nothing else and writes nothing."""
    (told,) = answered(cluster, asked, **more)
    assert told == PartitionData(asked.partition_index, told.error_code)
    assert cluster.written == []
    return told.error_code


def test_an_isr_that_shrinks_and_grows_is_written_and_answered() -> None:
    cluster = cluster_of()
    for epoch, isr in ((9, [1, 2]), (10, [1, 2, 3])):
        (told,) = answered(cluster, row(isr, partition_epoch=epoch))
        assert told == PartitionData(0, error_codes.NONE, 1, 5, tuple(isr), 0, epoch + 1)
        now = cluster.partition("a")
        assert (now.isr, now.leader_epoch, now.partition_epoch) == (tuple(isr), 5, epoch + 1)


def test_what_is_there_already_is_answered_without_a_record() -> None:
    cluster = cluster_of()
    (told,) = answered(cluster, row((1, 2, 3)))
    assert told == PartitionData(0, error_codes.NONE, 1, 5, (1, 2, 3), 0, 9)
    assert cluster.written == []


@pytest.mark.parametrize(("sender", "epoch"), [(1, 1_000), (1, 1_002), (4, 1_004), (1, UNKNOWN)])
def test_broker_that_is_not_registered_so_gets_no_rows(sender: int, epoch: int) -> None:
    with pytest.raises(RequestError) as raised:
        plan(cluster_of(), row(), sender=sender, epoch=epoch)
    assert raised.value.code == error_codes.STALE_BROKER_EPOCH


def test_unknown_topics_and_partitions_are_told_apart() -> None:
    assert code(cluster_of(), row(), topic_id=uuid("b")) == error_codes.UNKNOWN_TOPIC_ID
    assert code(cluster_of(), row(), topic_id=bytes(16)) == error_codes.UNKNOWN_TOPIC_ID
    for number in (1, -1):
        found = code(cluster_of(), row(number=number))
        assert found == error_codes.UNKNOWN_TOPIC_OR_PARTITION


WRONG = [
    ({"leader_epoch": 6}, error_codes.NOT_CONTROLLER),
    ({"partition_epoch": 10}, error_codes.NOT_CONTROLLER),
    ({"leader_epoch": 4}, error_codes.FENCED_LEADER_EPOCH),
    ({"sender": 2}, error_codes.INVALID_REQUEST),
    ({"partition_epoch": 8}, error_codes.INVALID_UPDATE_VERSION),
    ({"isr": (1, 4)}, error_codes.INVALID_REQUEST),
    ({"isr": {1: 1_001, 2: 7}}, error_codes.INELIGIBLE_REPLICA),
]


@pytest.mark.parametrize(("fault", "expected"), WRONG)
def test_a_fault_has_its_code(fault: dict[str, Any], expected: int) -> None:
    fault = dict(fault)
    more = {"sender": fault.pop("sender")} if "sender" in fault else {}
    assert code(cluster_of(), row(**fault), **more) == expected


@pytest.mark.parametrize("first", range(len(WRONG) - 1))
def test_of_two_faults_the_one_that_is_checked_first_is_told(first: int) -> None:
    for later in range(first + 1, len(WRONG)):
        fault = {**WRONG[later][0], **WRONG[first][0]}
        more = {"sender": fault.pop("sender")} if "sender" in fault else {}
        assert code(cluster_of(), row(**fault), **more) == WRONG[first][1]


@pytest.mark.parametrize(
    "isr", [[], [2, 3], [1, 1], [1, 2, 2], [1, 4]], ids=lambda isr: "-".join(map(str, isr))
)
@pytest.mark.parametrize("version", [2, 3])
def test_an_isr_that_cannot_be_is_refused(isr: list[int], version: int) -> None:
    if version == 2:
        asked = row((), new_isr=isr)
    else:
        states = [wire.BrokerState(one, 1_000 + one) for one in isr]
        asked = row((), new_isr_with_epochs=states)
    assert code(cluster_of(), asked, version=version) == error_codes.INVALID_REQUEST


def test_recovery_ends_before_others_are_in_sync() -> None:
    recovering = {"isr": [1], "leader_recovery_state": RECOVERING}
    both = row((1, 2), leader_recovery_state=RECOVERING)
    assert code(cluster_of(**recovering), both) == error_codes.INVALID_REQUEST
    back = row((1,), leader_recovery_state=RECOVERING)
    assert code(cluster_of(isr=[1]), back) == error_codes.INVALID_REQUEST
    unknown = row((1,), leader_recovery_state=7)
    assert code(cluster_of(isr=[1]), unknown) == error_codes.INVALID_REQUEST
    cluster = cluster_of(**recovering)
    (told,) = answered(cluster, row((1,)))
    assert (told.error_code, told.leader_recovery_state, told.partition_epoch) == (0, 0, 10)


def test_a_replica_must_be_alive_and_of_its_registration() -> None:
    """KAFKA-13916, KIP-841: a fenced replica in the ISR would hold up the high watermark."""
    fenced, leaving, stopping = cluster_of(), cluster_of(), cluster_of()
    fenced.fence(2)
    leaving.contacts.began_to_leave(2)
    stopping.replay(
        made(
            *("BrokerRegistrationChange", 1),
            broker_id=2,
            broker_epoch=1_002,
            in_controlled_shutdown=1,
        )
    )
    for cluster in (fenced, leaving, stopping):
        assert code(cluster, row((1, 2))) == error_codes.INELIGIBLE_REPLICA
        assert answered(cluster, row((1, 3)))[0].error_code == error_codes.NONE


@pytest.mark.parametrize(
    ("asked", "version"),
    [(row({1: 1_001, 2: UNKNOWN}), 3), (row((), new_isr=[1, 2]), 2)],
    ids=["not known to the leader", "not in version 2"],
)
def test_an_epoch_that_is_not_told_is_not_compared(asked: wire.PartitionData, version: int) -> None:
    assert answered(cluster_of(), asked, version=version)[0].error_code == error_codes.NONE


@pytest.mark.parametrize(
    ("before", "isr"),
    [
        ({}, (1, 2, 3)),
        ({}, (1,)),
        ({"isr": [1]}, (1, 2, 3)),
        ({"isr": [1], "leader_recovery_state": 1}, (1,)),
        ({"isr": [1, 3], "removing_replicas": [3], "adding_replicas": [2]}, (1, 2, 3)),
        ({"isr": [1, 2], "adding_replicas": [3]}, (1, 2, 3)),
        ({"isr": [1], "eligible_leader_replicas": [2]}, (1, 2)),
    ],
    ids=["the same", "shrunk", "grown", "recovered", "moved", "enlarged", "eligible"],
)
def test_answer_is_what_the_partition_became(before: dict[str, Any], isr: tuple[int, ...]) -> None:
    cluster = cluster_of((1, 2, 3), **before)
    (told,) = answered(cluster, row(isr))
    now = cluster.partition("a")
    assert told.error_code == error_codes.NONE
    assert (told.leader_id, told.leader_epoch, tuple(told.isr)) == (
        *(now.leader, now.leader_epoch, now.isr),
    )
    assert (told.leader_recovery_state, told.partition_epoch) == (
        *(now.leader_recovery_state, now.partition_epoch),
    )


def test_leader_that_a_reassignment_takes_away_is_told_so() -> None:
    moving = {"isr": [1, 3], "removing_replicas": [1], "adding_replicas": [2]}
    cluster = cluster_of((1, 2, 3), **moving)
    (told,) = answered(cluster, row((1, 2, 3)))
    assert told == PartitionData(0, error_codes.NEW_LEADER_ELECTED)
    now = cluster.partition("a")
    assert (now.replicas, now.isr, now.leader, now.leader_epoch) == ((2, 3), (2, 3), 2, 6)


def test_leader_that_stays_after_a_reassignment_has_a_new_epoch() -> None:
    cluster = cluster_of((1, 2, 3), isr=[1, 3], removing_replicas=[3], adding_replicas=[2])
    (told,) = answered(cluster, row((1, 2, 3)))
    assert told == PartitionData(0, error_codes.NONE, 1, 6, (1, 2), 0, 10)


def test_a_partition_that_is_named_twice_is_changed_once() -> None:
    cluster = cluster_of()
    first, second = answered(cluster, row((1, 2)), row((1, 3)))
    assert (first.error_code, second.error_code) == (0, error_codes.INVALID_REQUEST)
    assert cluster.partition("a").isr == (1, 2)


def test_many_partitions_are_written_in_turns() -> None:
    count = 2 * ISRS_PER_TURN + 1
    cluster = cluster_of(*[(1, 2)] * count)
    rows = [row((1,), number) for number in range(count)]
    assert isinstance(plan(cluster, *rows[:ISRS_PER_TURN]), Outcome)
    outcome = plan(cluster, *rows)
    assert isinstance(outcome, InTurns)
    cluster.write(next(outcome.turns))
    assert len(cluster.written) == ISRS_PER_TURN
    reply = cluster.carry_out(outcome)
    assert len(cluster.written) == len(reply.topics[0].partitions) == count
    assert {one.error_code for one in reply.topics[0].partitions} == {0}


def test_broker_that_registers_anew_between_two_turns_is_refused() -> None:
    count = ISRS_PER_TURN + 1
    cluster = cluster_of(*[(1, 2)] * count)
    outcome = plan(cluster, *[row((1,), number) for number in range(count)])
    assert isinstance(outcome, InTurns)
    next(outcome.turns)
    cluster.replay(made("UnregisterBroker", broker_id=1, broker_epoch=1_001))
    with pytest.raises(RequestError) as raised:
        next(outcome.turns)
    assert raised.value.code == error_codes.STALE_BROKER_EPOCH
