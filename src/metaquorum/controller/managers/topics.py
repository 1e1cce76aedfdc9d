"""CreateTopics: which topics can be created, their partitions, and what is said of them.

Every topic of a request stands alone: one that is wrong gets its code, the others are created. As
with Kafka, all records of a request must fit one batch, or no topic of it is created; requests of
more than RECORDS_PER_TURN records are still written topic by topic, in turns (decision 235).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import ZERO_UUID, NodeId, Uuid
from metaquorum.base.limits import MAX_RECORDS_PER_BATCH, RECORDS_PER_TURN
from metaquorum.controller.commands import CreateTopics
from metaquorum.controller.context import PlanContext
from metaquorum.controller.outcome import InTurns, Outcome, Turns
from metaquorum.controller.partitions.new import NewPartitions, check_replicas, replicas_by_hand
from metaquorum.controller.placement import Placer
from metaquorum.controller.rows_in_turns import outcome_of
from metaquorum.controller.topic_configs import MIN_INSYNC_REPLICAS, SettingsInForce
from metaquorum.controller.topic_names import check_name
from metaquorum.controller.topic_rules import TopicRules
from metaquorum.metadata.tables.configs import TOPIC
from metaquorum.metadata.tables.features import ELIGIBLE_LEADER_REPLICAS_VERSION
from metaquorum.metadata.tables.topics import alike
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.create_topics_request import CreatableTopic
from metaquorum.wire.generated.create_topics_response import (
    CreatableTopicResult,
    CreateTopicsResponse,
)
from metaquorum.wire.generated.records.clear_elr_record import ClearElrRecord
from metaquorum.wire.generated.records.config_record import ConfigRecord
from metaquorum.wire.generated.records.topic_record import TopicRecord

FROM_CONFIGURATION: Final = -1  # of a count: what the controller's file says

_TOPIC: Final = 2
_CONFIG: Final = 4
_CLEAR_ELR: Final = 28


@frozen
class Wanted:
    """A topic that can be created as far as the state of the moment says."""

    name: str
    settings: Mapping[str, str]
    count: int
    replication_factor: int
    by_hand: Sequence[tuple[NodeId, ...]] | None

    @property
    def records(self) -> int:
        """How many records it takes."""
        return 1 + len(self.settings) + self.count


def plan_create(context: PlanContext, command: CreateTopics) -> Outcome | InTurns:
    """The records of all topics that can be created, and a row for each in the request's order."""
    placer, rules = Placer(context, command.seed), TopicRules(context)
    found: list[Wanted | RequestError] = []
    for asked in command.request.topics:
        try:
            found.append(_wanted(context, asked, placer, rules))
        except RequestError as error:
            found.append(error)
    records = sum(one.records for one in found if isinstance(one, Wanted))
    problem = None
    if _partitions(context, command.request.topics) > MAX_RECORDS_PER_BATCH:
        problem = "Excessively large number of partitions per request."
    elif records > MAX_RECORDS_PER_BATCH:
        problem = f"the request needs {records} records, at most {MAX_RECORDS_PER_BATCH} at once"
    if problem is not None:
        found = [RequestError(error_codes.POLICY_VIOLATION, problem)] * len(found)
        records = 0
    return outcome_of(_turns(context, command, found, placer), records)


def _turns(
    context: PlanContext,
    command: CreateTopics,
    found: Sequence[Wanted | RequestError],
    placer: Placer,
) -> Turns:
    records: list[MetadataRecord] = []
    rows: list[CreatableTopicResult] = []
    new, in_force = NewPartitions(context), SettingsInForce(context)
    for asked, wanted, topic_id in zip(command.request.topics, found, command.ids, strict=True):
        try:
            if isinstance(wanted, RequestError):
                raise wanted
            _check_absent(context, wanted.name)  # another turn may have created it since
            if len(records) + wanted.records > RECORDS_PER_TURN and records:
                yield records
                records = []
                placer = Placer(context, command.seed + len(rows))
                new, in_force = NewPartitions(context), SettingsInForce(context)
            made = _records(context, wanted, topic_id, placer, new)
            if command.quota is not None:
                command.quota.take(wanted.count, context.now)
        except RequestError as error:
            rows.append(CreatableTopicResult(asked.name, ZERO_UUID, error.code, error.reason))
            continue
        if not command.request.validate_only:
            records += made
        rows.append(_row(in_force, wanted, topic_id))
    yield records
    return CreateTopicsResponse(topics=rows)


def _check_absent(context: PlanContext, name: str) -> None:
    if name in context.view.topic_ids:
        raise RequestError(error_codes.TOPIC_ALREADY_EXISTS, f"topic {name} exists already")


def _check_new(context: PlanContext, name: str) -> None:
    """Two new names of one request are not compared, as in Kafka."""
    _check_absent(context, name)
    others = context.view.names_alike.get(alike(name))
    if others:
        raise RequestError(
            error_codes.INVALID_TOPIC_EXCEPTION,
            f"metrics could not tell topic {name} from {others[0]}: '.' and '_' are the same there",
        )


def _partitions(context: PlanContext, topics: Sequence[CreatableTopic]) -> int:
    """How many partitions are asked for, by topics that cannot be created as well."""
    total = 0
    for asked in topics:
        count = asked.num_partitions
        if asked.assignments:
            total += len(asked.assignments)
        else:
            total += context.config.partitions if count == FROM_CONFIGURATION else max(count, 0)
    return total


def _wanted(
    context: PlanContext, asked: CreatableTopic, placer: Placer, rules: TopicRules
) -> Wanted:
    """The topic, checked in Kafka's order."""
    check_name(asked.name)
    _check_new(context, asked.name)
    settings: dict[str, str] = {}
    for one in asked.configs:
        if one.value is None:
            raise RequestError(error_codes.INVALID_CONFIG, f"null is no value of {one.name}")
        settings[one.name] = one.value
    # What only the controller's file says is not looked at again, as with Kafka.
    problem = rules.problem_of(settings) if settings else None
    if problem is not None:
        raise RequestError(error_codes.INVALID_CONFIG, problem)
    if asked.assignments:
        by_hand = _by_hand(context, asked)
        return Wanted(asked.name, settings, len(by_hand), len(by_hand[0]), by_hand)
    factor, count = asked.replication_factor, asked.num_partitions
    if factor < FROM_CONFIGURATION or factor == 0:
        raise RequestError(
            error_codes.INVALID_REPLICATION_FACTOR,
            f"replication factor {factor}: it must be at least 1, or -1 for the default",
        )
    if count < FROM_CONFIGURATION or count == 0:
        raise RequestError(
            error_codes.INVALID_PARTITIONS,
            f"{count} partitions: there must be at least 1, or -1 for the default",
        )
    if factor == FROM_CONFIGURATION:
        factor = context.config.replication_factor
    if count == FROM_CONFIGURATION:
        count = context.config.partitions
    placer.check(factor)
    return Wanted(asked.name, settings, count, factor, None)


def _by_hand(context: PlanContext, asked: CreatableTopic) -> Sequence[tuple[NodeId, ...]]:
    if (asked.replication_factor, asked.num_partitions) != (-1, -1):
        raise RequestError(
            error_codes.INVALID_REQUEST,
            "with assignments the replication factor and the number of partitions must be -1",
        )
    by_number: dict[int, Sequence[int]] = {}
    for one in asked.assignments:
        if one.partition_index in by_number:
            raise RequestError(
                error_codes.INVALID_REPLICA_ASSIGNMENT,
                f"partition {one.partition_index} is assigned twice",
            )
        by_number[one.partition_index] = one.broker_ids
    if sorted(by_number) != list(range(len(by_number))):
        raise RequestError(
            error_codes.INVALID_REPLICA_ASSIGNMENT,
            "the partitions that are assigned must be numbered from 0 without a gap",
        )
    lists = [by_number[number] for number in range(len(by_number))]
    factor: int | None = None
    for replicas in lists:
        check_replicas(context, replicas, factor)
        factor = len(replicas)
    return [replicas_by_hand(context, replicas) for replicas in lists]


def _records(
    context: PlanContext, wanted: Wanted, topic_id: Uuid, placer: Placer, new: NewPartitions
) -> list[MetadataRecord]:
    """Topic, configuration and partitions, in the order in which Kafka writes them."""
    records = [MetadataRecord(_TOPIC, 0, TopicRecord(wanted.name, topic_id))]
    for name, value in wanted.settings.items():
        records.append(MetadataRecord(_CONFIG, 0, ConfigRecord(TOPIC, wanted.name, name, value)))
    if MIN_INSYNC_REPLICAS in wanted.settings and context.view.features.level(
        ELIGIBLE_LEADER_REPLICAS_VERSION
    ):
        records.append(MetadataRecord(_CLEAR_ELR, 0, ClearElrRecord(topic_name=wanted.name)))
    placed = wanted.by_hand
    if placed is None:
        placed = [placer.place(wanted.replication_factor) for _ in range(wanted.count)]
    return records + new.of(topic_id, 0, placed)


def _row(in_force: SettingsInForce, wanted: Wanted, topic_id: Uuid) -> CreatableTopicResult:
    return CreatableTopicResult(
        *(wanted.name, topic_id, error_codes.NONE, None, error_codes.NONE),
        *(wanted.count, wanted.replication_factor),
        configs=in_force.of(wanted.settings),
    )
