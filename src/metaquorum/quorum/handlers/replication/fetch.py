"""Fetch by a replica or a reader: records, divergence, or a snapshot to start from (KIP-595, 630).

The checks come in the order of Kafka 4.3.1. A valid fetch of a replica says how far its disk is,
so it may move the watermark, and its own answer already shows that.
"""

from __future__ import annotations

from metaquorum.base.clock import Millis
from metaquorum.base.errors import HouseError
from metaquorum.base.limits import MAX_FETCH_WAIT_MS
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.handlers.commit import advance_leader
from metaquorum.quorum.handlers.election.heard import heard_from
from metaquorum.quorum.handlers.guards import leader_only
from metaquorum.quorum.log_view import Diverging, NeedsSnapshot, Valid
from metaquorum.quorum.messages import (
    INVALID_REQUEST,
    NONE,
    UNKNOWN_SERVER_ERROR,
    FetchRequest,
    FetchResponse,
)
from metaquorum.quorum.parked import IsVoter, ParkedFetch, has_news, may_be_put_off, may_wait
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import ReplicaKey, RequestId


def on_fetch(
    replica: ReplicaState,
    request_id: RequestId,
    message: FetchRequest,
    now: Millis,
    out: list[Effect],
    *,
    more_follow: bool = False,
) -> None:
    """Answer at once, or park until there is news; a voter's also until what follows is there."""
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
    if message.replica.id >= 0:
        role.progress.record_fetch(message.replica, message.offset, replica.log.end, now)
        heard_from(replica, message.replica, now)
        if replica.voters.latest.is_voter(message.replica):
            advance_leader(replica, now, out, more_follow=more_follow)
    is_voter = replica.voters.latest.is_voter
    if _may_park(replica, role, message, now, is_voter, more_follow):
        deadline = now + min(message.max_wait_ms, MAX_FETCH_WAIT_MS)
        replica.parked.park(ParkedFetch(request_id, message, deadline))
    else:
        replica.answer(request_id, replica.fetch_answers.to(replica, message), out)


def may_look(replica: ReplicaState, message: FetchRequest) -> bool:
    """Whether ``look`` is enough: a leader is asked for what it has, by one without a vote."""
    return (
        isinstance(replica.role, Leader)
        and not replica.voters.latest.is_voter(message.replica)
        and _refusal(replica, message) == NONE
        and replica.fetch_answers.is_valid(replica, message.offset, message.last_epoch)
    )


def look(
    replica: ReplicaState, request_id: RequestId, message: FetchRequest, now: Millis
) -> FetchResponse | None:
    """The answer, or None if the fetch is parked: ``on_fetch`` where ``may_look``.

    It changes nothing but how far the asker is known to be and who waits, so nothing is due
    because of it, and a host need not step the replica for each of hundreds of observers.
    """
    role = replica.role
    if not isinstance(role, Leader):
        raise HouseError("only at a leader is it enough to look")
    if message.replica.id >= 0:
        role.progress.record_fetch(message.replica, message.offset, replica.log.end, now)
    if _may_park(replica, role, message, now, _nobody_votes):
        deadline = now + min(message.max_wait_ms, MAX_FETCH_WAIT_MS)
        replica.parked.park(ParkedFetch(request_id, message, deadline))
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


def _may_park(
    replica: ReplicaState,
    role: Leader,
    message: FetchRequest,
    now: Millis,
    is_voter: IsVoter,
    more_follow: bool = False,
) -> bool:
    if message.max_wait_ms == 0 or len(replica.parked) >= replica.config.parked_max:
        return False
    end = replica.log.end
    # A watermark alone is news too (KIP-1166): it is told soon, not after the wait.
    if not has_news(message, end, replica.shown_high_watermark, is_voter):
        return True
    if not is_voter(message.replica):
        return not replica.parked.has_turn(now)
    spares = role.progress.spares
    if may_be_put_off(message, end, is_voter):
        replica.parked.put_off(now)
    elif may_wait(message, end, spares, now):
        replica.parked.put_off_to(spares.waits_to)
    elif more_follow:
        replica.parked.hold_back()
    else:
        if message.offset < end:
            spares.note_told(message.replica.id, end, now)
        return False
    return True


def _nobody_votes(key: ReplicaKey) -> bool:
    """Of those who only look."""
    return False
