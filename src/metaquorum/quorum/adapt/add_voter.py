"""AddRaftVoter: an operator, or a node that joins by itself, asks for a new voter (KIP-853)."""

from __future__ import annotations

from metaquorum.quorum.adapt.forms import (
    INCONSISTENT_CLUSTER_ID,
    AnswerContext,
    Settled,
    cluster_differs,
    directory,
    refusal_text,
)
from metaquorum.quorum.messages import NONE, AddVoterRequest, VoterChangeResponse
from metaquorum.quorum.types import Endpoint, ReplicaKey
from metaquorum.wire.generated import add_raft_voter_request as asked
from metaquorum.wire.generated import add_raft_voter_response as given


def read_request(
    version: int, request: asked.AddRaftVoterRequest, cluster_id: str
) -> AddVoterRequest | Settled:
    """The core's form; listener names in upper case, as Kafka compares them."""
    if cluster_differs(request.cluster_id, cluster_id):
        reason = f"this is cluster {cluster_id}, {request.cluster_id} was meant"
        return Settled(given.AddRaftVoterResponse(0, INCONSISTENT_CLUSTER_ID, reason))
    return AddVoterRequest(
        key=ReplicaKey(request.voter_id, directory(request.voter_directory_id)),
        endpoints=tuple(
            Endpoint(one.name.upper(), one.host, one.port) for one in request.listeners
        ),
        ack_when_committed=request.ack_when_committed,
    )


def write_response(
    version: int,
    request: asked.AddRaftVoterRequest,
    response: VoterChangeResponse,
    context: AnswerContext,
) -> given.AddRaftVoterResponse:
    """The wire form; there is no text where all went well."""
    text = None if response.error == NONE else refusal_text(response, context.listener)
    return given.AddRaftVoterResponse(0, response.error, text)
