"""EndQuorumEpoch: a leader resigns (KIP-595, KIP-853)."""

from __future__ import annotations

from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC
from metaquorum.quorum.adapt.forms import (
    INCONSISTENT_CLUSTER_ID,
    INVALID_REQUEST,
    AnswerContext,
    Settled,
    cluster_differs,
    directory,
    endpoint_rows,
    hint_of,
    is_metadata_log,
    leader_number,
    wire_directory,
)
from metaquorum.quorum.messages import NONE, EndEpochRequest, EpochResponse, Refused
from metaquorum.quorum.types import Endpoint, ReplicaKey
from metaquorum.wire.generated import end_quorum_epoch_request as asked
from metaquorum.wire.generated import end_quorum_epoch_response as given

WITH_DIRECTORIES = 1


def read_request(
    version: int, request: asked.EndQuorumEpochRequest, cluster_id: str
) -> EndEpochRequest | Settled:
    """The core's form; a wrong cluster or shape is answered with a top-level error."""
    if cluster_differs(request.cluster_id, cluster_id):
        return Settled(given.EndQuorumEpochResponse(error_code=INCONSISTENT_CLUSTER_ID))
    if not is_metadata_log(request.topics):
        return Settled(given.EndQuorumEpochResponse(error_code=INVALID_REQUEST))
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


def write_response(
    version: int,
    request: asked.EndQuorumEpochRequest,
    response: EpochResponse,
    context: AnswerContext,
) -> given.EndQuorumEpochResponse:
    """The wire form."""
    row = given.PartitionData(
        partition_index=METADATA_PARTITION,
        error_code=response.error,
        leader_id=leader_number(response.hint),
        leader_epoch=response.hint.epoch,
    )
    topic = given.TopicData(topic_name=METADATA_TOPIC, partitions=[row])
    answer = given.EndQuorumEpochResponse(topics=[topic])
    if version >= WITH_DIRECTORIES:
        answer.node_endpoints = endpoint_rows(given, response.hint, context.listener)
    return answer


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


def read_response(
    version: int, response: given.EndQuorumEpochResponse, listener: str
) -> EpochResponse | Refused:
    """The core's form; an answer about anything but the metadata log counts as a refusal."""
    if response.error_code != NONE:
        return Refused(response.error_code)
    if not is_metadata_log(response.topics):
        return Refused(INVALID_REQUEST)
    row = response.topics[0].partitions[0]
    hint = hint_of(row.leader_id, row.leader_epoch, response.node_endpoints, listener)
    return EpochResponse(row.error_code, hint)
