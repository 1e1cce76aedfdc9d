"""A broker tells which log directory holds which of its replicas (KIP-858)."""

from __future__ import annotations

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import Uuid
from metaquorum.base.limits import RECORDS_PER_TURN
from metaquorum.controller.broker_epoch import check_broker_epoch
from metaquorum.controller.commands import AssignReplicasToDirs
from metaquorum.controller.context import PlanContext
from metaquorum.controller.outcome import InTurns, Outcome, Turns
from metaquorum.controller.partitions.change import Election, change_of
from metaquorum.controller.partitions.facts import Facts
from metaquorum.controller.rows_in_turns import outcome_of
from metaquorum.metadata import versions
from metaquorum.metadata.tables.topics import PartitionKey
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.assign_replicas_to_dirs_response import (
    AssignReplicasToDirsResponse,
    DirectoryData,
    PartitionData,
    TopicData,
)


def plan_assign(context: PlanContext, command: AssignReplicasToDirs) -> Outcome | InTurns:
    """The records of all replicas whose directory is another now.

    RequestError: UNSUPPORTED_VERSION before metadata.version 3.7-IV2, STALE_BROKER_EPOCH for a
    broker that registered anew, or not at all.
    """
    request = command.request
    level = context.view.features.metadata_version
    if level < versions.DIRECTORIES_FROM:
        raise RequestError(
            error_codes.UNSUPPORTED_VERSION,
            f"this needs metadata.version {versions.level_name(versions.DIRECTORIES_FROM)}, "
            f"the cluster is at {versions.level_name(level)}",
        )
    check_broker_epoch(context, request.broker_id, request.broker_epoch)
    rows = sum(len(topic.partitions) for one in request.directories for topic in one.topics)
    return outcome_of(_turns(context, command), rows)


def _turns(context: PlanContext, command: AssignReplicasToDirs) -> Turns:
    request = command.request
    turn = _Turn(context, command)
    directories: list[DirectoryData] = []
    rows = 0
    for directory in request.directories:
        topics: list[TopicData] = []
        directories.append(DirectoryData(bytes(directory.id), topics))
        for topic in directory.topics:
            topic_id = bytes(topic.topic_id)
            partitions: list[PartitionData] = []
            topics.append(TopicData(topic_id, partitions))
            for one in topic.partitions:
                number = one.partition_index
                code = turn.assign((topic_id, number), bytes(directory.id))
                partitions.append(PartitionData(number, code))
                rows += 1
                if rows % RECORDS_PER_TURN == 0:
                    yield turn.records
                    check_broker_epoch(context, request.broker_id, request.broker_epoch)
                    turn = _Turn(context, command)
    yield turn.records
    return AssignReplicasToDirsResponse(directories=directories)


class _Turn:
    """One turn of a request: the state does not change in it."""

    def __init__(self, context: PlanContext, command: AssignReplicasToDirs) -> None:
        self.records: list[MetadataRecord] = []
        self._view = context.view
        self._broker_id = command.request.broker_id
        broker = context.view.brokers.get(self._broker_id)
        self._online = () if broker is None else broker.log_dirs
        self._facts = Facts(context)
        self._without = Facts(context, gone=self._broker_id)

    def assign(self, key: PartitionKey, directory: Uuid) -> int:
        """The code for one replica.

        A directory that the broker did not register, a reserved id too, is offline: the replica
        leaves the ISR.
        """
        if key[0] not in self._view.topics:
            return error_codes.UNKNOWN_TOPIC_ID
        old = self._view.partitions.get(key)
        if old is None:
            return error_codes.UNKNOWN_TOPIC_OR_PARTITION
        if self._broker_id not in old.replicas:
            return error_codes.NOT_LEADER_OR_FOLLOWER
        is_online = directory in self._online
        facts = self._facts if is_online else self._without
        isr = old.isr if is_online else tuple(one for one in old.isr if one != self._broker_id)
        record = change_of(
            *(key, old, facts.conditions),
            # As in Kafka, nobody is elected uncleanly because a replica says where it is.
            election=Election.ONLINE if is_online else None,
            isr=isr,
            directories={self._broker_id: directory},
        )
        if record is not None:
            self.records.append(record)
        return error_codes.NONE
