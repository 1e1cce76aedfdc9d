"""BeginQuorumEpoch: a leader announces itself (KIP-595, KIP-853)."""

from __future__ import annotations

from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC, NO_NODE
from metaquorum.quorum.adapt.epochs import (
    WITH_DIRECTORIES,
    epoch_answers,
    refused_at_the_top,
)
from metaquorum.quorum.adapt.forms import (
    Settled,
    receiver_key,
    wire_directory,
)
from metaquorum.quorum.messages import BeginEpochRequest
from metaquorum.quorum.types import Endpoint
from metaquorum.wire.generated import begin_quorum_epoch_request as asked
from metaquorum.wire.generated import begin_quorum_epoch_response as given


def read_request(
    version: int, request: asked.BeginQuorumEpochRequest, cluster_id: str
) -> BeginEpochRequest | Settled:
    """The core's form; a wrong cluster or shape is answered with a top-level error."""
    refused = refused_at_the_top(request, cluster_id, given.BeginQuorumEpochResponse)
    if refused is not None:
        return refused
    row = request.topics[0].partitions[0]
    return BeginEpochRequest(
        epoch=row.leader_epoch,
        leader_id=row.leader_id,
        endpoints=tuple(Endpoint(one.name, one.host, one.port) for one in request.leader_endpoints),
        receiver=receiver_key(request.voter_id, row.voter_directory_id),
    )


write_response, read_response = epoch_answers(given, given.BeginQuorumEpochResponse)


def write_request(
    version: int, message: BeginEpochRequest, cluster_id: str
) -> asked.BeginQuorumEpochRequest:
    """The wire form of our own announcement."""
    row = asked.PartitionData(
        partition_index=METADATA_PARTITION,
        leader_id=message.leader_id,
        leader_epoch=message.epoch,
    )
    request = asked.BeginQuorumEpochRequest(cluster_id=cluster_id)
    if version >= WITH_DIRECTORIES:
        if message.receiver is not None:
            row.voter_directory_id = wire_directory(message.receiver)
        request.voter_id = NO_NODE if message.receiver is None else message.receiver.id
        request.leader_endpoints = [
            asked.LeaderEndpoint(name=one.listener, host=one.host, port=one.port)
            for one in message.endpoints
        ]
    request.topics = [asked.TopicData(topic_name=METADATA_TOPIC, partitions=[row])]
    return request
