"""Answers to our own requests, and requests that brought none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from metaquorum.base.clock import Millis
from metaquorum.quorum.effects import Complaint, Effect
from metaquorum.quorum.events import RequestFailed, ResponseArrived
from metaquorum.quorum.handlers.election.begin_epoch import on_begin_answer, stop_announcing
from metaquorum.quorum.handlers.election.end_epoch import on_end_answer
from metaquorum.quorum.handlers.election.vote import on_vote_answer, skip_pre_vote
from metaquorum.quorum.handlers.replication.replicate import on_fetch_answer
from metaquorum.quorum.handlers.snapshot.download import on_snapshot_answer, on_snapshot_refused
from metaquorum.quorum.handlers.voters.update_voter import on_update_answer, update_failed
from metaquorum.quorum.handlers.voters.voter_change import add_failed, on_api_versions_answer
from metaquorum.quorum.messages import (
    BROKER_NOT_AVAILABLE,
    INVALID_REQUEST,
    INVALID_VOTER_KEY,
    UNKNOWN_SERVER_ERROR,
    UNSUPPORTED_VERSION,
    ApiVersionsRequest,
    ApiVersionsResponse,
    BeginEpochRequest,
    EndEpochRequest,
    EpochResponse,
    FetchRequest,
    FetchResponse,
    FetchSnapshotRequest,
    FetchSnapshotResponse,
    Refused,
    UpdateVoterRequest,
    VoterChangeResponse,
    VoteRequest,
    VoteResponse,
)
from metaquorum.quorum.state import ReplicaState

_OF_CORRECT_PEERS = (BROKER_NOT_AVAILABLE, UNKNOWN_SERVER_ERROR)
"""The second is how Kafka's leaders refuse any FetchSnapshot (their answer cannot be written)."""

_NEVER_ANSWERED = (INVALID_REQUEST, INVALID_VOTER_KEY, UNKNOWN_SERVER_ERROR)
"""What nothing that we ask is answered with, unless one of the two is broken or misconfigured."""

AnswerHandler = Callable[[ReplicaState, int, Any, Any, Millis, list[Effect]], None]

ANSWERS: dict[tuple[type, type], AnswerHandler] = {
    (VoteRequest, VoteResponse): on_vote_answer,
    (BeginEpochRequest, EpochResponse): on_begin_answer,
    (EndEpochRequest, EpochResponse): on_end_answer,
    (FetchRequest, FetchResponse): on_fetch_answer,
    (FetchSnapshotRequest, FetchSnapshotResponse): on_snapshot_answer,
    (FetchSnapshotRequest, Refused): on_snapshot_refused,
    (ApiVersionsRequest, ApiVersionsResponse): on_api_versions_answer,
    (UpdateVoterRequest, VoterChangeResponse): on_update_answer,
}


def on_response(
    replica: ReplicaState, event: ResponseArrived, now: Millis, out: list[Effect]
) -> None:
    """Hand an answer to the handler that counts it; drop one that is not expected any more."""
    request = replica.peers.expects(event.peer_id, event.correlation)
    if request is None:
        return
    replica.peers = replica.peers.answered(event.peer_id)
    message = event.message
    handler = ANSWERS.get((type(request), type(message)))
    if handler is not None:
        first = len(out)
        if message.error in _NEVER_ANSWERED:
            kind = type(request).__name__
            line = f"peer {event.peer_id} answered {kind} with error {message.error}"
            replica.complain(line, out)
        handler(replica, event.peer_id, request, message, now, out)
        if len(out) > first + 1:
            out[first:] = _one_line(out[first:])
        return
    unsupported = isinstance(message, Refused) and message.error == UNSUPPORTED_VERSION
    why = f"it answered with {message}"
    if not unsupported:
        kind = type(request).__name__
        what = f"error {message.error}" if isinstance(message, Refused) else type(message).__name__
        ordinary = isinstance(message, Refused) and message.error in _OF_CORRECT_PEERS
        line = f"peer {event.peer_id} answered {kind} with {what}"
        replica.complain(line, out, mistake=not ordinary)
    _give_up(replica, event.peer_id, request, unsupported, why, now, out)


def _one_line(effects: list[Effect]) -> list[Effect]:
    """The same effects, with all that is wrong with one answer in one line, where the first was."""
    lines = [one for one in effects if isinstance(one, Complaint)]
    if len(lines) < 2:
        return effects
    line = Complaint("; ".join(one.text for one in lines))
    at = effects.index(lines[0])
    rest = [one for one in effects if not isinstance(one, Complaint)]
    return [*rest[:at], line, *rest[at:]]


def on_request_failed(
    replica: ReplicaState, event: RequestFailed, now: Millis, out: list[Effect]
) -> None:
    """Try that peer again after a while, or another one meanwhile."""
    request = replica.peers.expects(event.peer_id, event.correlation)
    if request is not None:
        if event.mistake:
            kind = type(request).__name__
            replica.complain(f"peer {event.peer_id} answered {kind} wrongly: {event.why}", out)
        _give_up(replica, event.peer_id, request, event.unsupported, event.why, now, out)


def _give_up(
    replica: ReplicaState,
    peer_id: int,
    request: object,
    unsupported: bool,
    why: str,
    now: Millis,
    out: list[Effect],
) -> None:
    replica.peers = replica.peers.rests(peer_id, now + replica.config.retry_backoff_ms)
    if isinstance(request, VoteRequest) and request.pre_vote and unsupported:
        skip_pre_vote(replica, now, out)
    elif isinstance(request, BeginEpochRequest):
        stop_announcing(replica, peer_id)
    elif isinstance(request, ApiVersionsRequest):
        add_failed(replica, peer_id, why, out)
    elif isinstance(request, UpdateVoterRequest):
        update_failed(replica, unsupported)
