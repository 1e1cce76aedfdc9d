"""What brokers say to controllers, as commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.offsets import Offset
from metaquorum.controller import commands
from metaquorum.metadata import versions
from metaquorum.metadata.tables.features import (
    ELIGIBLE_LEADER_REPLICAS_VERSION,
    KRAFT_VERSION,
    METADATA_VERSION,
)
from metaquorum.metadata.tables.topics import RECOVERED, PartitionKey
from metaquorum.testing.simulator.node import CLUSTER_ID
from metaquorum.wire.generated import alter_partition_request as isr_form
from metaquorum.wire.generated import assign_replicas_to_dirs_request as directory_form
from metaquorum.wire.generated import broker_registration_request as registration_form
from metaquorum.wire.generated.allocate_producer_ids_request import AllocateProducerIdsRequest
from metaquorum.wire.generated.broker_heartbeat_request import BrokerHeartbeatRequest

ISR_VERSION = 3
"""The version of AlterPartition whose ISRs have broker epochs (KIP-903)."""

_FEATURES = (
    (METADATA_VERSION, 1, versions.HIGHEST_KNOWN),
    (KRAFT_VERSION, 0, 1),
    (ELIGIBLE_LEADER_REPLICAS_VERSION, 0, 1),
)


def registration(
    broker_id: NodeId,
    incarnation: Uuid,
    directories: Sequence[Uuid],
    before: Offset,
    kraft_version: int,
) -> commands.RegisterBroker:
    """A process makes itself known; ``before`` is the epoch of an earlier one that ended well."""
    request = registration_form.BrokerRegistrationRequest(
        broker_id=broker_id,
        cluster_id=CLUSTER_ID,
        incarnation_id=incarnation,
        listeners=[registration_form.Listener("PLAINTEXT", f"b{broker_id}", 9_092, 0)],
        features=[registration_form.Feature(*one) for one in _FEATURES],
        rack=None,
        log_dirs=sorted(directories),
        previous_broker_epoch=before,
    )
    return commands.RegisterBroker(request, CLUSTER_ID, kraft_version)


def heartbeat(
    life: tuple[NodeId, Offset],
    applied: Offset,
    *,
    wants_fence: bool,
    wants_stop: bool,
    offline: Sequence[Uuid],
) -> commands.BrokerHeartbeat:
    """A sign of life."""
    return commands.BrokerHeartbeat(
        BrokerHeartbeatRequest(*life, applied, wants_fence, wants_stop, sorted(offline))
    )


def isr_change(
    life: tuple[NodeId, Offset],
    key: PartitionKey,
    leader_epoch: int,
    partition_epoch: int,
    isr: Mapping[NodeId, Offset],
) -> commands.AlterPartition:
    """A leader wants this ISR, whose members have these epochs."""
    asked = isr_form.PartitionData(
        partition_index=key[1],
        leader_epoch=leader_epoch,
        new_isr_with_epochs=[isr_form.BrokerState(one, epoch) for one, epoch in isr.items()],
        leader_recovery_state=RECOVERED,
        partition_epoch=partition_epoch,
    )
    topic = isr_form.TopicData(topic_id=key[0], partitions=[asked])
    request = isr_form.AlterPartitionRequest(*life, [topic])
    return commands.AlterPartition(request, ISR_VERSION)


def assignment(
    life: tuple[NodeId, Offset], key: PartitionKey, directory: Uuid
) -> commands.AssignReplicasToDirs:
    """A replica is in that directory."""
    topic = directory_form.TopicData(key[0], [directory_form.PartitionData(key[1])])
    return commands.AssignReplicasToDirs(
        directory_form.AssignReplicasToDirsRequest(
            *life, [directory_form.DirectoryData(directory, [topic])]
        )
    )


def producer_ids(life: tuple[NodeId, Offset]) -> commands.AllocateProducerIds:
    """A broker needs producer ids."""
    return commands.AllocateProducerIds(AllocateProducerIdsRequest(*life))
