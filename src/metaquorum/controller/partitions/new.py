"""New partitions: their replicas checked, and the records that create them (KIP-631)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.memo import Memo
from metaquorum.controller.context import PlanContext
from metaquorum.controller.partitions.facts import default_directory
from metaquorum.metadata.versions import DIRECTORIES_FROM, partition_version
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.records.partition_record import PartitionRecord

_PARTITION: Final = 3


def check_replicas(context: PlanContext, replicas: Sequence[NodeId], factor: int | None) -> None:
    """RequestError INVALID_REPLICA_ASSIGNMENT unless this can be a partition's replica list.

    ``factor`` is the length that the list must have; None if it may be any.
    """
    if not replicas:
        problem = "a partition needs at least one replica"
    elif len(set(replicas)) < len(replicas):
        problem = f"{list(replicas)} names a broker twice"
    elif unknown := [one for one in replicas if one not in context.view.brokers]:
        problem = f"broker {unknown[0]} is not registered"
    elif factor is not None and len(replicas) != factor:
        problem = f"{list(replicas)} are {len(replicas)} replicas, other partitions have {factor}"
    else:
        return
    raise RequestError(error_codes.INVALID_REPLICA_ASSIGNMENT, problem)


def replicas_by_hand(context: PlanContext, replicas: Sequence[NodeId]) -> tuple[NodeId, ...]:
    """A checked list; RequestError INVALID_REPLICA_ASSIGNMENT if nobody of it could lead."""
    if not any(context.is_active(one) for one in replicas):
        raise RequestError(
            error_codes.INVALID_REPLICA_ASSIGNMENT,
            f"none of the brokers {list(replicas)} is active",
        )
    return tuple(replicas)


class NewPartitions:
    """Records of new partitions; good until records are replayed."""

    def __init__(self, context: PlanContext) -> None:
        level, brokers = context.view.features.metadata_version, context.view.brokers
        self._version = partition_version(level)
        self._has_directories = level >= DIRECTORIES_FROM
        self._active = Memo(context.is_active)
        self._directories: Memo[NodeId, Uuid] = Memo(
            lambda one: default_directory(brokers.get(one))
        )

    def of(
        self, topic_id: Uuid, first: int, placed: Iterable[tuple[NodeId, ...]]
    ) -> list[MetadataRecord]:
        """A record for each list of replicas, numbered from ``first`` on.

        The active replicas are in sync, and the first of them leads. RequestError
        INVALID_REPLICATION_FACTOR if none is active.
        """
        active, directories = self._active, self._directories
        records = []
        for number, replicas in enumerate(placed, first):
            isr = [one for one in replicas if active[one]]
            if not isr:
                raise RequestError(
                    error_codes.INVALID_REPLICATION_FACTOR,
                    f"none of the brokers {list(replicas)} is active",
                )
            record = PartitionRecord(
                number,
                topic_id,
                replicas,
                isr,
                leader=isr[0],
                leader_epoch=0,
                partition_epoch=0,
            )
            if self._has_directories:
                record.directories = [directories[one] for one in replicas]
            records.append(MetadataRecord(_PARTITION, self._version, record))
        return records
