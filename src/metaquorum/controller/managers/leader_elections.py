"""Elections that an administrator asks for, and those that are due from time to time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from metaquorum.base.ids import Uuid
from metaquorum.base.limits import PARTITIONS_PER_TURN, RECORDS_PER_TURN
from metaquorum.controller.commands import ElectLeaders
from metaquorum.controller.context import PlanContext
from metaquorum.controller.outcome import InTurns, Outcome, Turns
from metaquorum.controller.partitions.change import Election, change_of
from metaquorum.controller.partitions.facts import Facts
from metaquorum.controller.partitions.of_brokers import Changes, Some, changes_in_turns, takes_up
from metaquorum.controller.rows_in_turns import outcome_of
from metaquorum.metadata.tables.topics import NO_LEADER, Partition
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.elect_leaders_response import (
    ElectLeadersResponse,
    PartitionResult,
    ReplicaElectionResult,
)

_ELECTIONS = {0: Election.PREFERRED, 1: Election.UNCLEAN}
_TYPES_FROM = 1
_REASONS = {
    error_codes.UNKNOWN_TOPIC_OR_PARTITION: "there is no such partition",
    error_codes.ELECTION_NOT_NEEDED: "the partition is led as it should be",
    error_codes.PREFERRED_LEADER_NOT_AVAILABLE: "the preferred leader cannot lead now",
    error_codes.ELIGIBLE_LEADERS_NOT_AVAILABLE: "no replica can lead now",
}


def plan_elect(context: PlanContext, command: ElectLeaders) -> Outcome | InTurns:
    """The elections of an ElectLeaders request (KIP-460), each partition with its own result.

    Where all partitions are asked for, those that are led as they should be are left out of the
    reply, and their topics stay in it.
    """
    request = command.request
    kind = request.election_type if command.version >= _TYPES_FROM else 0
    election = _ELECTIONS.get(kind)
    if election is None:
        return Outcome((), _unknown_type(command, kind))
    wanted = request.topic_partitions
    if wanted is not None:
        named = [(one.topic, one.partitions) for one in wanted]
        rows = sum(len(numbers) for _, numbers in named)
        return outcome_of(_turns(context, election, named, is_all=False), rows)
    topics = [
        (topic.name, range(topic.partition_count)) for _, topic in context.view.topics.items()
    ]
    return outcome_of(
        _turns(context, election, topics, is_all=True), context.view.partition_counts.all
    )


def _turns(
    context: PlanContext,
    election: Election,
    topics: Iterable[tuple[str, Sequence[int]]],
    *,
    is_all: bool,
) -> Turns:
    facts = Facts(context)
    view = context.view
    results: list[ReplicaElectionResult] = []
    records: list[MetadataRecord] = []
    looked_at = 0
    for name, numbers in topics:
        topic_id = view.topic_ids.get(name)
        if topic_id is None and is_all:
            continue  # it was deleted between two turns
        rows: list[PartitionResult] = []
        results.append(ReplicaElectionResult(name, rows))
        for number in numbers:
            code, record = _elected(context, facts, election, topic_id, number)
            if record is not None:
                records.append(record)
            if not (is_all and code == error_codes.ELECTION_NOT_NEEDED):
                rows.append(PartitionResult(number, code, _REASONS.get(code)))
            looked_at += 1
            if len(records) == RECORDS_PER_TURN or looked_at == PARTITIONS_PER_TURN:
                yield records
                records, looked_at = [], 0
                facts = Facts(context)
    yield records
    return ElectLeadersResponse(replica_election_results=results)


def _elected(
    context: PlanContext, facts: Facts, election: Election, topic_id: Uuid | None, number: int
) -> tuple[int, MetadataRecord | None]:
    key = (topic_id or b"", number)
    old = context.view.partitions.get(key)
    if old is None:
        return error_codes.UNKNOWN_TOPIC_OR_PARTITION, None
    if not _needs(old, election):
        return error_codes.ELECTION_NOT_NEEDED, None
    record = change_of(key, old, facts.conditions, election=election)
    if record is not None:
        return error_codes.NONE, record
    if election is Election.PREFERRED:
        return error_codes.PREFERRED_LEADER_NOT_AVAILABLE, None
    return error_codes.ELIGIBLE_LEADERS_NOT_AVAILABLE, None


def _needs(old: Partition, election: Election) -> bool:
    if election is Election.PREFERRED:
        return old.replicas[:1] != (old.leader,)
    return old.leader == NO_LEADER


def _unknown_type(command: ElectLeaders, kind: int) -> ElectLeadersResponse:
    code, reason = error_codes.INVALID_REQUEST, f"{kind} is no type of election"
    return ElectLeadersResponse(
        error_code=code,
        replica_election_results=[
            ReplicaElectionResult(
                one.topic, [PartitionResult(number, code, reason) for number in one.partitions]
            )
            for one in command.request.topic_partitions or ()
        ],
    )


def preferred_elections(context: PlanContext, most: int) -> Iterator[Sequence[MetadataRecord]]:
    """In turns: up to so many partitions go back to their preferred leaders, where those can lead.

    Kafka's leader.imbalance.check.interval.seconds; nothing is looked at while all are led so.
    """
    if not context.view.partition_counts.not_preferred:
        return iter(())
    return _periodic(context, Election.PREFERRED, most)


def unclean_elections(context: PlanContext, most: int) -> Iterator[Sequence[MetadataRecord]]:
    """In turns: up to so many partitions without a leader get one that is not in sync.

    Those of topics that allow it; Kafka's unclean.leader.election.interval.ms. Nothing is looked at
    while all partitions have leaders.
    """
    if not context.view.partition_counts.offline:
        return iter(())
    return _periodic(context, Election.UNCLEAN, most)


def offline_elections(context: PlanContext, most: int) -> Iterator[Sequence[MetadataRecord]]:
    """In turns: partitions without a leader get one that is in sync or eligible, if any is active.

    What a broker's leaving or coming back makes of partitions is written in turns. Should another
    controller come to lead between two of them, nothing else would ever look at the rest: a broker
    that was about to be fenced may be heard of in time, and is never fenced nor unfenced again.
    """
    return takes_up(context)


def _periodic(
    context: PlanContext, election: Election, most: int
) -> Iterator[Sequence[MetadataRecord]]:
    def turn() -> Changes:
        facts = Facts(context)

        def changes(some: Some) -> Iterator[MetadataRecord | None]:
            for key, old in some:
                if not _needs(old, election):
                    continue
                if (
                    election is not Election.UNCLEAN
                    or facts.settings_of(key[0]).election is Election.UNCLEAN
                ):
                    yield change_of(key, old, facts.conditions, election=election)

        return changes

    return changes_in_turns(context, turn, most)
