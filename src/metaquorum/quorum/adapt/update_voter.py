"""UpdateRaftVoter: a voter tells the leader where it listens and what it can do (KIP-853)."""

from __future__ import annotations

from metaquorum.quorum.adapt.forms import (
    INCONSISTENT_CLUSTER_ID,
    AnswerContext,
    Settled,
    cluster_differs,
    directory,
    leader_endpoint,
    leader_number,
    wire_directory,
)
from metaquorum.quorum.messages import Hint, UpdateVoterRequest, VoterChangeResponse
from metaquorum.quorum.types import Endpoint, ReplicaKey
from metaquorum.wire.generated import update_raft_voter_request as asked
from metaquorum.wire.generated import update_raft_voter_response as given


def read_request(
    version: int, request: asked.UpdateRaftVoterRequest, cluster_id: str
) -> UpdateVoterRequest | Settled:
    """The core's form; listener names in upper case, as Kafka compares them."""
    if cluster_differs(request.cluster_id, cluster_id):
        return Settled(given.UpdateRaftVoterResponse(0, INCONSISTENT_CLUSTER_ID))
    return UpdateVoterRequest(
        epoch=request.current_leader_epoch,
        key=ReplicaKey(request.voter_id, directory(request.voter_directory_id)),
        endpoints=tuple(
            Endpoint(one.name.upper(), one.host, one.port) for one in request.listeners
        ),
        lowest_kraft_version=request.kraft_version_feature.min_supported_version,
        highest_kraft_version=request.kraft_version_feature.max_supported_version,
    )


def write_response(
    version: int,
    request: asked.UpdateRaftVoterRequest,
    response: VoterChangeResponse,
    context: AnswerContext,
) -> given.UpdateRaftVoterResponse:
    """The wire form; every answer names the leader, if one is known."""
    return named(given.UpdateRaftVoterResponse(0, response.error), response.hint, context)


def named(
    response: given.UpdateRaftVoterResponse, hint: Hint, context: AnswerContext
) -> given.UpdateRaftVoterResponse:
    """``response`` with the leader and its endpoint put in."""
    endpoint = leader_endpoint(hint, context.listener)
    response.current_leader = given.CurrentLeader(
        leader_number(hint),
        hint.epoch,
        "" if endpoint is None else endpoint.host,
        0 if endpoint is None else endpoint.port,
    )
    return response


def write_request(
    version: int, message: UpdateVoterRequest, cluster_id: str
) -> asked.UpdateRaftVoterRequest:
    """The wire form of what we tell the leader."""
    return asked.UpdateRaftVoterRequest(
        cluster_id=cluster_id,
        current_leader_epoch=message.epoch,
        voter_id=message.key.id,
        voter_directory_id=wire_directory(message.key),
        listeners=[asked.Listener(one.listener, one.host, one.port) for one in message.endpoints],
        kraft_version_feature=asked.KRaftVersionFeature(
            message.lowest_kraft_version, message.highest_kraft_version
        ),
    )


def read_response(
    version: int, response: given.UpdateRaftVoterResponse, listener: str
) -> VoterChangeResponse:
    """The core's form; a leader without a host is one whose endpoint is not given."""
    leader = response.current_leader
    hint = Hint(None, leader.leader_epoch)
    if leader.leader_id >= 0:
        known = (Endpoint(listener, leader.host, leader.port),) if leader.host else ()
        hint = Hint(leader.leader_id, leader.leader_epoch, known)
    return VoterChangeResponse(response.error_code, hint)
