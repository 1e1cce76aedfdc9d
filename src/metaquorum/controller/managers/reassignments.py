"""Moves of partitions between brokers: started, changed, cancelled, listed (KIP-455, KIP-860)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import NodeId
from metaquorum.base.limits import PARTITIONS_PER_TURN, RECORDS_PER_TURN
from metaquorum.controller.commands import AlterPartitionReassignments, ListPartitionReassignments
from metaquorum.controller.context import PlanContext
from metaquorum.controller.outcome import InTurns, Outcome, Turns
from metaquorum.controller.partitions.change import (
    Conditions,
    Election,
    Reassigned,
    change_of,
)
from metaquorum.controller.partitions.facts import Facts
from metaquorum.controller.rows_in_turns import outcome_of
from metaquorum.metadata.tables.topics import Partition, PartitionKey
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.alter_partition_reassignments_request import ReassignablePartition
from metaquorum.wire.generated.alter_partition_reassignments_response import (
    AlterPartitionReassignmentsResponse,
    ReassignablePartitionResponse,
    ReassignableTopicResponse,
)
from metaquorum.wire.generated.list_partition_reassignments_response import (
    ListPartitionReassignmentsResponse,
    OngoingPartitionReassignment,
    OngoingTopicReassignment,
)

_NODES = tuple[NodeId, ...]
_NOBODY: Final[_NODES] = ()


def plan_alter(context: PlanContext, command: AlterPartitionReassignments) -> Outcome | InTurns:
    """The records of all moves, each partition with its own result."""
    rows = sum(len(topic.partitions) for topic in command.request.topics)
    return outcome_of(_turns(context, command), rows)


def _turns(context: PlanContext, command: AlterPartitionReassignments) -> Turns:
    request = command.request
    facts = Facts(context)
    topics: list[ReassignableTopicResponse] = []
    records: list[MetadataRecord] = []
    seen: set[PartitionKey] = set()
    for topic in request.topics:
        topic_id = context.view.topic_ids.get(topic.name)
        answered: list[ReassignablePartitionResponse] = []
        topics.append(ReassignableTopicResponse(topic.name, answered))
        for asked in topic.partitions:
            key = (topic_id or b"", asked.partition_index)
            code, reason = error_codes.NONE, None
            try:
                if key in seen:
                    raise RequestError(error_codes.INVALID_REQUEST, "the partition is named twice")
                record = _change(
                    context, facts, key, asked, request.allow_replication_factor_change
                )
                if record is not None:
                    records.append(record)
            except RequestError as error:
                code, reason = error.code, error.reason
            answered.append(ReassignablePartitionResponse(asked.partition_index, code, reason))
            seen.add(key)
            if len(seen) == RECORDS_PER_TURN:
                yield records
                records, seen, facts = [], set(), Facts(context)
    yield records
    return AlterPartitionReassignmentsResponse(
        allow_replication_factor_change=request.allow_replication_factor_change,
        error_message=None,
        responses=topics,
    )


def _change(
    context: PlanContext,
    facts: Facts,
    key: PartitionKey,
    asked: ReassignablePartition,
    may_resize: bool,
) -> MetadataRecord | None:
    """RequestError says why this partition cannot be moved so."""
    old = context.view.partitions.get(key)
    if old is None:
        raise RequestError(error_codes.UNKNOWN_TOPIC_OR_PARTITION, "there is no such partition")
    conditions = facts.conditions
    if asked.replicas is None:
        return _cancelled(key, old, conditions)
    target = tuple(asked.replicas)
    _check_target(context, target)
    before = [one for one in old.replicas if one not in old.removing_replicas]
    if not may_resize and len(target) != len(before):
        raise RequestError(
            error_codes.INVALID_REPLICATION_FACTOR,
            f"The replication factor is changed from {len(before)} to {len(target)}",
        )
    # Not an unclean election: a replica that was just added has no records at all.
    return change_of(
        key, old, conditions, election=Election.ONLINE, reassigned=_towards(old, target)
    )


def _check_target(context: PlanContext, target: _NODES) -> None:
    problem = None
    unknown = [one for one in target if one not in context.view.brokers]
    if not target:
        problem = "there must be a replica"
    elif len(set(target)) < len(target):
        problem = "a replica is named twice"
    elif unknown:
        problem = f"broker {unknown[0]} is not registered"
    if problem:
        raise RequestError(error_codes.INVALID_REPLICA_ASSIGNMENT, problem)


def _towards(old: Partition, target: _NODES) -> Reassigned:
    """The replicas on the way to ``target``; those that another move was adding were none yet."""
    settled = [one for one in old.replicas if one not in old.adding_replicas]
    adding = tuple(sorted(set(target).difference(settled)))
    removing = tuple(sorted(set(old.replicas).difference(target)))
    return Reassigned((*target, *removing), adding, removing)


def _cancelled(key: PartitionKey, old: Partition, conditions: Conditions) -> MetadataRecord | None:
    """Back to the replicas of before the move.

    If none of them is in sync, the first one leads, and records are lost: only where the topic
    allows unclean elections.
    """
    if not old.adding_replicas and not old.removing_replicas:
        raise RequestError(
            error_codes.NO_REASSIGNMENT_IN_PROGRESS, "the partition is not being moved"
        )
    replicas = tuple(one for one in old.replicas if one not in old.adding_replicas)
    isr = tuple(one for one in old.isr if one not in old.adding_replicas)
    if not isr and old.isr:
        if conditions.settings_of(key[0]).election is not Election.UNCLEAN:
            raise RequestError(
                error_codes.INVALID_REPLICA_ASSIGNMENT,
                "none of the replicas from before the move is in sync",
            )
        isr = replicas[:1]
    return change_of(
        key, old, conditions, isr=isr, reassigned=Reassigned(replicas, _NOBODY, _NOBODY)
    )


def plan_list(context: PlanContext, command: ListPartitionReassignments) -> Outcome | InTurns:
    """The moves that are under way, of the partitions that are asked for or of all."""
    wanted = command.request.topics
    if wanted is not None:
        named = [(one.name, one.partition_indexes) for one in wanted]
        rows = sum(len(numbers) for _, numbers in named)
    else:
        named = [
            (topic.name, range(topic.partition_count)) for _, topic in context.view.topics.items()
        ]
        rows = context.view.partition_counts.all
    return outcome_of(_listed(context, named), rows)


def _listed(context: PlanContext, topics: Iterable[tuple[str, Sequence[int]]]) -> Turns:
    found: list[OngoingTopicReassignment] = []
    looked_at = 0
    for name, numbers in topics:
        topic_id = context.view.topic_ids.get(name) or b""
        moving: list[OngoingPartitionReassignment] = []
        for number in numbers:
            old = context.view.partitions.get((topic_id, number))
            if old is not None and (old.adding_replicas or old.removing_replicas):
                moving.append(
                    OngoingPartitionReassignment(
                        number, old.replicas, old.adding_replicas, old.removing_replicas
                    )
                )
            looked_at += 1
            if looked_at % PARTITIONS_PER_TURN == 0:
                yield ()
        if moving:
            found.append(OngoingTopicReassignment(name, moving))
    yield ()
    return ListPartitionReassignmentsResponse(error_message=None, topics=found)
