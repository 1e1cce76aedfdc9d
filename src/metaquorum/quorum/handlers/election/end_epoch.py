"""EndQuorumEpoch: a leader resigns and names who should try first (KIP-595)."""

from __future__ import annotations

from attrs import evolve

from metaquorum.base.clock import Millis
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.handlers.election.begin_epoch import take_claim
from metaquorum.quorum.handlers.election.leader_discovery import follow_hint
from metaquorum.quorum.handlers.election.leader_lost import lost_leader
from metaquorum.quorum.messages import NONE, EndEpochRequest, EpochResponse
from metaquorum.quorum.role_changes import become_prospective
from metaquorum.quorum.roles.follower import Follower
from metaquorum.quorum.roles.resigned import Resigned
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import ReplicaKey, RequestId


def on_end_epoch(
    replica: ReplicaState,
    request_id: RequestId,
    message: EndEpochRequest,
    now: Millis,
    out: list[Effect],
) -> None:
    """Campaign soon: at once if named first, later the further down the list."""
    error = take_claim(replica, message, now, out)
    role = replica.role
    if (
        error == NONE
        and replica.may_campaign
        and isinstance(role, Follower)
        and role.leader_id == message.leader_id
        and message.epoch == replica.election.epoch
    ):
        wait = turn_ms(
            replica.config.key, message.candidates, replica.config.election_backoff_max_ms
        )
        # A resigned leader is not heard of any more, so its followers may vote again.
        replica.role = evolve(role, fetch_deadline=now + wait, has_fetched=False, ended=True)
        if wait == 0 and replica.shutdown_deadline is None:
            become_prospective(replica, now, lost_leader(replica), out)
    replica.answer(request_id, EpochResponse(error, replica.leader_hint), out)


def turn_ms(own: ReplicaKey, candidates: tuple[ReplicaKey, ...], most_ms: Millis) -> Millis:
    """How long to let those ahead of us try: doubling down the list, ``most_ms`` at its end."""
    count = len(candidates)
    place = next((at for at, key in enumerate(candidates) if key.covers(own)), count)
    if place == 0 and count:
        return 0
    if place >= count:
        return most_ms
    return min(most_ms, (most_ms >> (count - 1)) << (place - 1))


def on_end_answer(
    replica: ReplicaState,
    peer_id: int,
    request: EndEpochRequest,
    message: EpochResponse,
    now: Millis,
    out: list[Effect],
) -> None:
    """A voter that took the news is not sent it again."""
    if not follow_hint(replica, peer_id, message.error, message.hint, now, out):
        return
    role = replica.role
    if isinstance(role, Resigned):
        rest = tuple(one for one in role.to_tell if one != peer_id)
        replica.role = evolve(role, to_tell=rest)
