"""Fetch by a replica or a reader: records, divergence, or a snapshot to start from (KIP-595, 630).

The checks come in the order of Kafka 4.3.1. A valid fetch of a replica says how far its disk is,
so it may move the watermark, and its own answer already shows that.
"""

from __future__ import annotations

from metaquorum.base.clock import Millis
from metaquorum.base.limits import MAX_FETCH_WAIT_MS
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.handlers.commit import advance_leader, leader_now
from metaquorum.quorum.handlers.election.follower_contact import heard_from
from metaquorum.quorum.handlers.guards import leader_only
from metaquorum.quorum.log_view import Diverging, NeedsSnapshot, Valid
from metaquorum.quorum.messages import (
    INVALID_REQUEST,
    NONE,
    UNKNOWN_SERVER_ERROR,
    FetchRequest,
    FetchResponse,
)
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import RequestId


def on_fetch(
    replica: ReplicaState,
    request_id: RequestId,
    message: FetchRequest,
    now: Millis,
    out: list[Effect],
    *,
    more_follow: bool = False,
) -> None:
    """Answer at once, or park until ``quorum.notify`` says otherwise."""
    error = _refusal(replica, message)
    role = replica.role
    if error != NONE or not isinstance(role, Leader):
        refused = FetchResponse(error, replica.hint, log_start=replica.log.start)
        replica.answer(request_id, refused, out)
        return
    place = replica.log.place(message.offset, message.last_epoch)
    if not isinstance(place, Valid):
        replica.answer(request_id, _elsewhere(replica, place), out)
        return
    if replica.voters.latest.is_voter(message.replica):
        role.progress.record_fetch(message.replica, message.offset, replica.log.end, now)
        heard_from(replica, message.replica, now)
        advance_leader(replica, now, out, more_follow=more_follow)
        answer = _answer_unless_parked(replica, request_id, message, now, more_follow)
    else:
        answer = look(replica, request_id, message, now, more_follow=more_follow)
    if answer is not None:
        replica.answer(request_id, answer, out)


def can_skip_step(replica: ReplicaState, message: FetchRequest) -> bool:
    """Whether ``look`` is enough: a leader is asked for what it has, by one without a vote."""
    return (
        isinstance(replica.role, Leader)
        and not replica.voters.latest.is_voter(message.replica)
        and _refusal(replica, message) == NONE
        and replica.fetch_answers.is_valid(replica, message.offset, message.last_epoch)
    )


def look(
    replica: ReplicaState,
    request_id: RequestId,
    message: FetchRequest,
    now: Millis,
    *,
    more_follow: bool = False,
) -> FetchResponse | None:
    """The answer to a valid Fetch of one without a vote, or None if it is parked.

    It changes nothing but how far the asker is known to be and who waits, so nothing is due
    because of it, and a host need not step the replica for each of hundreds of observers.
    """
    if message.replica.id >= 0 and isinstance(role := replica.role, Leader):
        role.progress.record_fetch(message.replica, message.offset, replica.log.end, now)
    return _answer_unless_parked(replica, request_id, message, now, more_follow)


def _answer_unless_parked(
    replica: ReplicaState,
    request_id: RequestId,
    message: FetchRequest,
    now: Millis,
    more_follow: bool,
) -> FetchResponse | None:
    parked = replica.parked
    if message.max_wait_ms > 0 and len(parked) < replica.config.parked_max:
        deadline = now + min(message.max_wait_ms, MAX_FETCH_WAIT_MS)
        if parked.arrived(request_id, message, deadline, leader_now(replica, now, more_follow)):
            return None
    return replica.fetch_answers.to(replica, message)


def _refusal(replica: ReplicaState, message: FetchRequest) -> int:
    if message.max_wait_ms < 0 or message.offset < 0:
        return INVALID_REQUEST
    if message.last_epoch < 0 or message.last_epoch > message.epoch:
        return INVALID_REQUEST
    error = leader_only(replica, message.epoch)
    if error != NONE:
        return error
    if message.replica.id == replica.config.node_id or message.max_bytes < 0:
        return UNKNOWN_SERVER_ERROR  # as 4.3.1 answers it
    return NONE


def _elsewhere(replica: ReplicaState, place: Diverging | NeedsSnapshot) -> FetchResponse:
    """Never parked: the follower has to act before it can fetch anything."""
    return FetchResponse(
        NONE,
        replica.hint,
        high_watermark=replica.shown_high_watermark,
        log_start=replica.log.start,
        diverging=place.end if isinstance(place, Diverging) else None,
        snapshot=place.id if isinstance(place, NeedsSnapshot) else None,
    )
