"""New partitions: their replicas checked, and the record that creates one (KIP-631)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import NodeId
from metaquorum.controller.context import PlanContext
from metaquorum.controller.partitions.facts import default_directory
from metaquorum.metadata.tables.topics import PartitionKey
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


def new_partition(
    context: PlanContext, key: PartitionKey, replicas: tuple[NodeId, ...]
) -> MetadataRecord:
    """The record of a partition whose active replicas are in sync; the first of them leads.

    RequestError INVALID_REPLICATION_FACTOR if none is active.
    """
    isr = [one for one in replicas if context.is_active(one)]
    if not isr:
        raise RequestError(
            error_codes.INVALID_REPLICATION_FACTOR,
            f"none of the brokers {list(replicas)} is active",
        )
    level = context.view.features.metadata_version
    record = PartitionRecord(
        partition_id=key[1],
        topic_id=key[0],
        replicas=replicas,
        isr=isr,
        leader=isr[0],
        leader_epoch=0,
        partition_epoch=0,
    )
    if level >= DIRECTORIES_FROM:
        brokers = context.view.brokers
        record.directories = [default_directory(brokers.get(one)) for one in replicas]
    return MetadataRecord(_PARTITION, partition_version(level), record)
