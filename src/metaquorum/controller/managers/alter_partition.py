"""A leader tells of a changed ISR (KIP-497), with its followers' epochs (KIP-841, KIP-903)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from metaquorum.base.ids import NodeId
from metaquorum.base.limits import ISRS_PER_TURN
from metaquorum.base.memo import Memo
from metaquorum.base.offsets import Offset
from metaquorum.controller.broker_epoch import check_broker_epoch
from metaquorum.controller.commands import AlterPartition
from metaquorum.controller.context import PlanContext
from metaquorum.controller.outcome import InTurns, Outcome, Turns
from metaquorum.controller.partitions.change import change_of
from metaquorum.controller.partitions.facts import Facts
from metaquorum.controller.rows_in_turns import outcome_of
from metaquorum.metadata.tables.topics import (
    NO_LEADER_CHANGE,
    RECOVERED,
    RECOVERING,
    RECOVERY_UNCHANGED,
    Partition,
    PartitionKey,
)
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.alter_partition_request import PartitionData as Asked
from metaquorum.wire.generated.alter_partition_response import (
    AlterPartitionResponse,
    PartitionData,
    TopicData,
)

_EPOCHS_FROM = 3
_EPOCH_UNKNOWN = -1


def plan_alter(context: PlanContext, command: AlterPartition) -> Outcome | InTurns:
    """The records of all partitions that change, each with its own result.

    RequestError STALE_BROKER_EPOCH for a broker that registered anew, or not at all.
    """
    request = command.request
    check_broker_epoch(context, request.broker_id, request.broker_epoch)
    rows = sum(len(one.partitions) for one in request.topics)
    return outcome_of(_turns(context, command), rows, ISRS_PER_TURN)


def _turns(context: PlanContext, command: AlterPartition) -> Turns:
    request = command.request
    topics: list[TopicData] = []
    facts, eligible = Facts(context), _eligible(context)
    partitions = context.view.partitions
    records: list[MetadataRecord] = []
    seen: set[PartitionKey] = set()
    for topic in request.topics:
        topic_id = bytes(topic.topic_id)
        answered: list[PartitionData] = []
        topics.append(TopicData(topic_id=topic_id, partitions=answered))
        for asked in topic.partitions:
            key = (topic_id, asked.partition_index)
            epochs = _epochs(asked, command.version)
            isr = tuple(epochs)
            old = partitions.get(key)
            code = _refusal(context, request.broker_id, key, old, asked, epochs, isr, eligible)
            if key in seen:
                code = error_codes.INVALID_REQUEST  # the first row is not replayed yet
            seen.add(key)
            if code != error_codes.NONE or old is None:
                answered.append(PartitionData(asked.partition_index, code))
            else:
                record = change_of(
                    *(key, old, facts.conditions),
                    isr=isr,
                    recovery_state=asked.leader_recovery_state,
                )
                if record is not None:
                    records.append(record)
                answered.append(_answer(asked.partition_index, request.broker_id, old, record))
            if len(seen) == ISRS_PER_TURN:
                yield records
                records, seen = [], set()
                check_broker_epoch(context, request.broker_id, request.broker_epoch)
                facts, eligible = Facts(context), _eligible(context)
    yield records
    return AlterPartitionResponse(topics=topics)


def _epochs(asked: Asked, version: int) -> Mapping[NodeId, Offset]:
    """The ISR that is asked for, and each replica's epoch as far as it is known."""
    if version < _EPOCHS_FROM:
        return dict.fromkeys(asked.new_isr, _EPOCH_UNKNOWN)
    return {one.broker_id: one.broker_epoch for one in asked.new_isr_with_epochs}


def _refusal(
    context: PlanContext,
    sender: NodeId,
    key: PartitionKey,
    old: Partition | None,
    asked: Asked,
    epochs: Mapping[NodeId, Offset],
    isr: tuple[NodeId, ...],
    eligible: Mapping[tuple[NodeId, Offset], bool],
) -> int:
    """The code of the first rule that is broken, in Kafka's order of them; NONE if none is."""
    if old is None:
        known = key[0] in context.view.topics
        return error_codes.UNKNOWN_TOPIC_OR_PARTITION if known else error_codes.UNKNOWN_TOPIC_ID
    if asked.leader_epoch > old.leader_epoch or asked.partition_epoch > old.partition_epoch:
        return error_codes.NOT_CONTROLLER  # we are behind, another controller leads (KAFKA-14154)
    if asked.leader_epoch < old.leader_epoch:
        return error_codes.FENCED_LEADER_EPOCH
    if sender != old.leader:
        return error_codes.INVALID_REQUEST
    if asked.partition_epoch < old.partition_epoch:
        return error_codes.INVALID_UPDATE_VERSION
    named = len(asked.new_isr) + len(asked.new_isr_with_epochs)
    if len(isr) < named or sender not in isr:
        return error_codes.INVALID_REQUEST
    if isr != old.replicas and not epochs.keys() <= set(old.replicas):
        return error_codes.INVALID_REQUEST
    state = asked.leader_recovery_state
    if (
        state not in (RECOVERED, RECOVERING)
        or (state == RECOVERING and len(isr) > 1)
        or (state == RECOVERING and old.leader_recovery_state == RECOVERED)
    ):
        return error_codes.INVALID_REQUEST
    if not all(map(eligible.__getitem__, epochs.items())):
        return error_codes.INELIGIBLE_REPLICA
    return error_codes.NONE


def _eligible(context: PlanContext) -> Mapping[tuple[NodeId, Offset], bool]:
    """Which replicas, known by id and epoch, may be in sync; good until records are replayed."""
    return Memo(partial(_is_eligible, context))


def _is_eligible(context: PlanContext, replica: tuple[NodeId, Offset]) -> bool:
    broker_id, epoch = replica
    broker = context.view.brokers.get(broker_id)
    return (
        broker is not None
        and context.is_active(broker_id)
        and epoch in (_EPOCH_UNKNOWN, broker.epoch)
    )


def _answer(
    number: int, sender: NodeId, old: Partition, record: MetadataRecord | None
) -> PartitionData:
    """The partition as it is after the record, which is None where nothing changes.

    The end of a reassignment may have taken it from the sender.
    """
    leader, leader_epoch, isr = old.leader, old.leader_epoch, old.isr
    state, epoch = old.leader_recovery_state, old.partition_epoch
    if record is not None:
        change = record.message
        epoch += 1
        if change.leader != NO_LEADER_CHANGE:
            leader, leader_epoch = change.leader, leader_epoch + 1
        if change.isr is not None:
            isr = change.isr
        if change.leader_recovery_state != RECOVERY_UNCHANGED:
            state = change.leader_recovery_state
    if leader != sender:
        return PartitionData(number, error_codes.NEW_LEADER_ELECTED)
    return PartitionData(number, error_codes.NONE, leader, leader_epoch, isr, state, epoch)
