"""A line for every request of a replica that is refused: wrong or lost replicas are seen.

One refused request is one line, whatever is wrong with it, but for a fetch that only came to a
replica that does not lead. What no correct replica asks is a
mistake of the peer; what a correct one may ask while it looks for the leader is logged as ordinary
(the two are counted apart, so that many of these hide none of those).
"""

from __future__ import annotations

from itertools import islice
from typing import Any, Final

from metaquorum.quorum.effects import Answer, Effect
from metaquorum.quorum.events import RequestArrived
from metaquorum.quorum.messages import (
    BROKER_NOT_AVAILABLE,
    FENCED_LEADER_EPOCH,
    INVALID_REQUEST,
    INVALID_VOTER_KEY,
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    POSITION_OUT_OF_RANGE,
    SNAPSHOT_NOT_FOUND,
    UNKNOWN_LEADER_EPOCH,
    UNKNOWN_SERVER_ERROR,
    AddVoterRequest,
    BeginEpochRequest,
    EndEpochRequest,
    FetchRequest,
    FetchSnapshotRequest,
    RemoveVoterRequest,
    Request,
    UpdateVoterRequest,
    VoteRequest,
)
from metaquorum.quorum.state import ReplicaState

_NAMES: Final = {
    BROKER_NOT_AVAILABLE: "BROKER_NOT_AVAILABLE",
    FENCED_LEADER_EPOCH: "FENCED_LEADER_EPOCH",
    INVALID_REQUEST: "INVALID_REQUEST",
    INVALID_VOTER_KEY: "INVALID_VOTER_KEY",
    NOT_LEADER_OR_FOLLOWER: "NOT_LEADER_OR_FOLLOWER",
    POSITION_OUT_OF_RANGE: "POSITION_OUT_OF_RANGE",
    SNAPSHOT_NOT_FOUND: "SNAPSHOT_NOT_FOUND",
    UNKNOWN_LEADER_EPOCH: "UNKNOWN_LEADER_EPOCH",
    UNKNOWN_SERVER_ERROR: "UNKNOWN_SERVER_ERROR",
}
_MISTAKES: Final = (INVALID_REQUEST, INVALID_VOTER_KEY, POSITION_OUT_OF_RANGE, UNKNOWN_SERVER_ERROR)
_OF_OPERATORS: Final = (AddVoterRequest, RemoveVoterRequest)
_OF_REPLICAS: Final = (
    VoteRequest,
    BeginEpochRequest,
    EndEpochRequest,
    FetchRequest,
    FetchSnapshotRequest,
    UpdateVoterRequest,
)


def report_refusal(
    replica: ReplicaState, event: RequestArrived, first: int, out: list[Effect]
) -> None:
    """The line for a request that ``out``, from its place ``first`` on, answers with an error.

    An operator's tool shows the error; only what no tool sends is logged here too.
    """
    error, message = _error_of(event.id, out, first), event.message
    if error == NONE or _looks_for_leader(replica, message, error):
        return
    mistake = error in _MISTAKES or _contradicts(replica, message, error)
    if isinstance(message, _OF_REPLICAS) or (mistake and isinstance(message, _OF_OPERATORS)):
        source = f", from {event.source}" if event.source else ""
        replica.complain(
            f"{_words(message)}{source}: {_NAMES.get(error, error)}; here it is epoch "
            f"{replica.election.epoch}, led by {replica.election.leader_id}",
            out,
            mistake=mistake,
        )


def _error_of(request_id: int, out: list[Effect], first: int) -> int:
    for effect in islice(out, first, None):
        if isinstance(effect, Answer) and effect.id == request_id:
            error: int = getattr(effect.message, "error", NONE)
            return error
    return NONE


def _contradicts(replica: ReplicaState, message: Request, error: int) -> bool:
    """Whether it names a second leader of our own epoch: late messages name none but the first."""
    if error != FENCED_LEADER_EPOCH or not isinstance(message, BeginEpochRequest | EndEpochRequest):
        return False
    return message.epoch == replica.election.epoch


def _looks_for_leader(replica: ReplicaState, message: Request, error: int) -> bool:
    """Whether nothing is wrong but the place: without a leader every replica asks all the others,
    and each of them many times a second.
    """
    if error != NOT_LEADER_OR_FOLLOWER or not isinstance(message, FetchRequest):
        return False
    return message.max_bytes >= 0 and message.replica.id != replica.config.node_id


def _words(message: Any) -> str:
    """What was asked, by whom as it said; numbers only, as texts of a peer have any length."""
    match message:
        case VoteRequest():
            who, end = message.candidate.id, message.log_end
            kind = "a pre-vote" if message.pre_vote else "a vote"
            log = f"a log that ends at {end.offset} of epoch {end.epoch}"
            return f"node {who} asked for {kind} in epoch {message.epoch}, with {log}"
        case BeginEpochRequest() | EndEpochRequest():
            kind = "begin" if isinstance(message, BeginEpochRequest) else "end"
            leads = f"names node {message.leader_id} leader of epoch {message.epoch}"
            return f"the {kind} of an epoch {leads}"
        case FetchRequest():
            place = f"offset {message.offset} after epoch {message.last_epoch}"
            most = f"at most {message.max_bytes} bytes"
            return (
                f"node {message.replica.id} fetched from {place}, {most}, in epoch {message.epoch}"
            )
        case FetchSnapshotRequest():
            place = f"{message.position} of snapshot {message.snapshot.offset}-"
            place += f"{message.snapshot.epoch}, at most {message.max_bytes} bytes"
            return f"node {message.replica.id} fetched from {place}, in epoch {message.epoch}"
        case UpdateVoterRequest():
            return f"node {message.key.id} told where it listens, in epoch {message.epoch}"
        case _:
            return f"{type(message).__name__} for node {message.key.id}"
