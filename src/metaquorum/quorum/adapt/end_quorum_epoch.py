"""EndQuorumEpoch: a leader resigns (KIP-595, KIP-853)."""

from __future__ import annotations

from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC
from metaquorum.quorum.adapt.epochs import (
    WITH_DIRECTORIES,
    epoch_answers,
    refused_at_the_top,
)
from metaquorum.quorum.adapt.forms import (
    Settled,
    directory,
    wire_directory,
)
from metaquorum.quorum.messages import EndEpochRequest
from metaquorum.quorum.types import Endpoint, ReplicaKey
from metaquorum.wire.generated import end_quorum_epoch_request as asked
from metaquorum.wire.generated import end_quorum_epoch_response as given


def read_request(
    version: int, request: asked.EndQuorumEpochRequest, cluster_id: str
) -> EndEpochRequest | Settled:
    """The core's form; a wrong cluster or shape is answered with a top-level error."""
    refused = refused_at_the_top(request, cluster_id, given.EndQuorumEpochResponse)
    if refused is not None:
        return refused
    row = request.topics[0].partitions[0]
    if version >= WITH_DIRECTORIES:
        candidates = tuple(
            ReplicaKey(one.candidate_id, directory(one.candidate_directory_id))
            for one in row.preferred_candidates
        )
    else:
        candidates = tuple(ReplicaKey(one) for one in row.preferred_successors)
    return EndEpochRequest(
        epoch=row.leader_epoch,
        leader_id=row.leader_id,
        candidates=candidates,
        endpoints=tuple(Endpoint(one.name, one.host, one.port) for one in request.leader_endpoints),
    )


write_response, read_response = epoch_answers(given, given.EndQuorumEpochResponse)


def write_request(
    version: int, message: EndEpochRequest, cluster_id: str
) -> asked.EndQuorumEpochRequest:
    """The wire form of our own resignation."""
    row = asked.PartitionData(
        partition_index=METADATA_PARTITION,
        leader_id=message.leader_id,
        leader_epoch=message.epoch,
    )
    request = asked.EndQuorumEpochRequest(cluster_id=cluster_id)
    if version >= WITH_DIRECTORIES:
        row.preferred_candidates = [
            asked.ReplicaInfo(candidate_id=key.id, candidate_directory_id=wire_directory(key))
            for key in message.candidates
        ]
        request.leader_endpoints = [
            asked.LeaderEndpoint(name=one.listener, host=one.host, port=one.port)
            for one in message.endpoints
        ]
    else:
        row.preferred_successors = [key.id for key in message.candidates]
    request.topics = [asked.TopicData(topic_name=METADATA_TOPIC, partitions=[row])]
    return request
