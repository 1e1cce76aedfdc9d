"""RemoveRaftVoter: a replica is to vote no more (KIP-853)."""

from __future__ import annotations

from metaquorum.quorum.adapt.forms import (
    INCONSISTENT_CLUSTER_ID,
    AnswerContext,
    Settled,
    cluster_differs,
    directory,
    refusal_text,
)
from metaquorum.quorum.messages import NONE, RemoveVoterRequest, VoterChangeResponse
from metaquorum.quorum.types import ReplicaKey
from metaquorum.wire.generated import remove_raft_voter_request as asked
from metaquorum.wire.generated import remove_raft_voter_response as given


def read_request(
    version: int, request: asked.RemoveRaftVoterRequest, cluster_id: str
) -> RemoveVoterRequest | Settled:
    """The core's form."""
    if cluster_differs(request.cluster_id, cluster_id):
        reason = f"this is cluster {cluster_id}, {request.cluster_id} was meant"
        return Settled(given.RemoveRaftVoterResponse(0, INCONSISTENT_CLUSTER_ID, reason))
    return RemoveVoterRequest(ReplicaKey(request.voter_id, directory(request.voter_directory_id)))


def write_response(
    version: int,
    request: asked.RemoveRaftVoterRequest,
    response: VoterChangeResponse,
    context: AnswerContext,
) -> given.RemoveRaftVoterResponse:
    """The wire form; there is no text where all went well."""
    text = None if response.error == NONE else refusal_text(response, context.listener)
    return given.RemoveRaftVoterResponse(0, response.error, text)
