"""DeleteTopics and CreatePartitions: each topic of a request has a result of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import ZERO_UUID, NodeId, Uuid
from metaquorum.base.limits import MAX_RECORDS_PER_BATCH, RECORDS_PER_TURN
from metaquorum.controller.commands import CreatePartitions, DeleteTopics
from metaquorum.controller.context import PlanContext
from metaquorum.controller.outcome import InTurns, Outcome, Turns
from metaquorum.controller.partitions.new import NewPartitions, check_replicas, replicas_by_hand
from metaquorum.controller.placement import Placer
from metaquorum.controller.rows_in_turns import outcome_of
from metaquorum.metadata.tables.topics import Topic
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.create_partitions_request import CreatePartitionsTopic
from metaquorum.wire.generated.create_partitions_response import (
    CreatePartitionsResponse,
    CreatePartitionsTopicResult,
)
from metaquorum.wire.generated.delete_topics_request import DeleteTopicState
from metaquorum.wire.generated.delete_topics_response import (
    DeletableTopicResult,
    DeleteTopicsResponse,
)
from metaquorum.wire.generated.records.remove_topic_record import RemoveTopicRecord

_REMOVE_TOPIC: Final = 9


def plan_delete(context: PlanContext, command: DeleteTopics) -> Outcome:
    """A RemoveTopic record for each topic that is there, and a row for each that was named."""
    if not context.config.delete_topic_enable:
        raise RequestError(
            error_codes.TOPIC_DELETION_DISABLED, "delete.topic.enable of the controllers is false"
        )
    records: list[MetadataRecord] = []
    rows = []
    gone: set[Uuid] = set()
    for asked in command.topics:
        topic, code = _named(context, asked)
        if topic is not None and topic.topic_id in gone:
            topic, code = None, error_codes.INVALID_REQUEST
        if topic is None:
            rows.append(DeletableTopicResult(asked.name, bytes(asked.topic_id), code))
            continue
        try:
            if command.quota is not None:
                command.quota.take(topic.partition_count, context.now)
        except RequestError as error:
            rows.append(DeletableTopicResult(topic.name, topic.topic_id, error.code, error.reason))
            continue
        gone.add(topic.topic_id)
        record = RemoveTopicRecord(topic.topic_id)
        records.append(MetadataRecord(_REMOVE_TOPIC, 0, record))
        rows.append(DeletableTopicResult(topic.name, topic.topic_id, error_codes.NONE))
    return Outcome(tuple(records), DeleteTopicsResponse(responses=rows))


def _named(context: PlanContext, asked: DeleteTopicState) -> tuple[Topic | None, int]:
    """The topic that is asked for by name or id, or the code that says it is not there."""
    view, topic_id = context.view, bytes(asked.topic_id)
    if topic_id != ZERO_UUID:
        return view.topics.get(topic_id), error_codes.UNKNOWN_TOPIC_ID
    found = None if asked.name is None else view.topic_ids.get(asked.name)
    if found is None:
        return None, error_codes.UNKNOWN_TOPIC_OR_PARTITION
    return view.topics.get(found), error_codes.UNKNOWN_TOPIC_OR_PARTITION


def plan_create_partitions(context: PlanContext, command: CreatePartitions) -> Outcome | InTurns:
    """The records of the partitions that are added, and a row for each topic."""
    request = command.request
    added = 0
    for asked in request.topics:
        topic_id = context.view.topic_ids.get(asked.name)
        topic = None if topic_id is None else context.view.topics.get(topic_id)
        if topic is not None:
            added += max(0, asked.count - topic.partition_count)
    if added > MAX_RECORDS_PER_BATCH:
        raise RequestError(
            error_codes.POLICY_VIOLATION,
            f"the request needs {added} records, at most {MAX_RECORDS_PER_BATCH} at once",
        )
    return outcome_of(_turns(context, command), added)


def _turns(context: PlanContext, command: CreatePartitions) -> Turns:
    placer, new = Placer(context, command.seed), NewPartitions(context)
    records: list[MetadataRecord] = []
    rows = []
    for asked in command.request.topics:
        try:
            made = _added(context, asked, placer, new)
            if command.quota is not None:
                command.quota.take(len(made), context.now)
        except RequestError as error:
            rows.append(CreatePartitionsTopicResult(asked.name, error.code, error.reason))
            continue
        rows.append(CreatePartitionsTopicResult(asked.name, error_codes.NONE, None))
        if command.request.validate_only:
            continue
        records += made
        if len(records) >= RECORDS_PER_TURN:
            yield records
            records = []
            placer, new = Placer(context, command.seed + len(rows)), NewPartitions(context)
    yield records
    return CreatePartitionsResponse(results=rows)


def _added(
    context: PlanContext, asked: CreatePartitionsTopic, placer: Placer, new: NewPartitions
) -> list[MetadataRecord]:
    topic_id = context.view.topic_ids.get(asked.name)
    topic = None if topic_id is None else context.view.topics.get(topic_id)
    if topic is None:
        raise RequestError(error_codes.UNKNOWN_TOPIC_OR_PARTITION, f"no topic {asked.name}")
    first, count = topic.partition_count, asked.count
    if count <= first:
        raise RequestError(
            error_codes.INVALID_PARTITIONS,
            f"topic {asked.name} has {first} partitions already, {count} are not more",
        )
    known = context.view.partitions.get((topic.topic_id, 0))
    factor = 0 if known is None else len(known.replicas)
    by_hand: Sequence[tuple[NodeId, ...]] | None = None
    if asked.assignments is not None:
        if len(asked.assignments) != count - first:
            raise RequestError(
                error_codes.INVALID_REPLICA_ASSIGNMENT,
                f"{len(asked.assignments)} partitions are assigned, {count - first} are added",
            )
        for one in asked.assignments:
            check_replicas(context, one.broker_ids, factor)
        by_hand = [replicas_by_hand(context, one.broker_ids) for one in asked.assignments]
    placed = [placer.place(factor) for _ in range(first, count)] if by_hand is None else by_hand
    return new.of(topic.topic_id, first, placed)
