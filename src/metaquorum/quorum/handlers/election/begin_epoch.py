"""BeginQuorumEpoch: a leader announces itself to voters that do not fetch yet (KIP-595)."""

from __future__ import annotations

from attrs import evolve

from metaquorum.base.clock import Millis
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.handlers.election.leader_discovery import (
    believe,
    contradicts,
    follow_hint,
    resolve,
)
from metaquorum.quorum.handlers.guards import my_key, voter_only
from metaquorum.quorum.messages import (
    FENCED_LEADER_EPOCH,
    INVALID_REQUEST,
    NONE,
    BeginEpochRequest,
    EndEpochRequest,
    EpochResponse,
    Hint,
)
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import RequestId


def on_begin_epoch(
    replica: ReplicaState,
    request_id: RequestId,
    message: BeginEpochRequest,
    now: Millis,
    out: list[Effect],
) -> None:
    """Follow the leader; only then look whether we were meant."""
    error = take_claim(replica, message, now, out)
    if error == NONE:
        error = my_key(replica, message.receiver)
    replica.answer(request_id, EpochResponse(error, replica.leader_hint), out)


def take_claim(
    replica: ReplicaState,
    message: BeginEpochRequest | EndEpochRequest,
    now: Millis,
    out: list[Effect],
) -> int:
    """Follow the node that claims to lead, if nothing speaks against it; else the error."""
    error = _wrong_claim(replica, message)
    if error == NONE and message.leader_id != replica.config.node_id:
        claim = Hint(message.leader_id, message.epoch, message.endpoints)
        believe(replica, claim, f"it said so by {type(message).__name__}", now, out)
    return error


def _wrong_claim(replica: ReplicaState, message: BeginEpochRequest | EndEpochRequest) -> int:
    error = voter_only(replica, message.epoch, message.leader_id)
    if error != NONE:
        return error
    if contradicts(replica, message.leader_id, message.epoch):
        return FENCED_LEADER_EPOCH
    if message.leader_id == replica.config.node_id:
        # Our own epoch, sent by ourselves, is no news; a later one of ours is not ours to begin.
        return NONE if message.epoch == replica.election.epoch else INVALID_REQUEST
    claim = Hint(message.leader_id, message.epoch, message.endpoints)
    return NONE if resolve(replica, claim) else INVALID_REQUEST


def on_begin_answer(
    replica: ReplicaState,
    peer_id: int,
    request: BeginEpochRequest,
    message: EpochResponse,
    now: Millis,
    out: list[Effect],
) -> None:
    """The voter knows; whatever it answered, it is sent another only after a while of silence."""
    follow_hint(replica, peer_id, message.error, message.hint, now, out)
    stop_announcing(replica, peer_id)


def stop_announcing(replica: ReplicaState, peer_id: int) -> None:
    """Leave a voter alone until the next round of announcements."""
    role = replica.role
    if isinstance(role, Leader) and peer_id in role.to_tell:
        rest = tuple(one for one in role.to_tell if one != peer_id)
        replica.role = evolve(role, to_tell=rest)
