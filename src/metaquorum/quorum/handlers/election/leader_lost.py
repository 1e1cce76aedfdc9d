"""The leader's process is gone: its followers need not wait out the fetch time-out."""

from __future__ import annotations

from attrs import evolve

from metaquorum.base.clock import Millis
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.events import LeaderLost
from metaquorum.quorum.prompt import prompt_delay_ms
from metaquorum.quorum.role_changes import become_prospective
from metaquorum.quorum.roles.follower import Follower
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import LostLeader


def on_leader_lost(
    replica: ReplicaState, event: LeaderLost, now: Millis, out: list[Effect]
) -> None:
    """A voter's fetch deadline becomes due now, or a little later to let another go first.

    The leader is not heard of any more, so pre-votes may be granted. An observer goes on asking
    the bootstrap servers, as after any failed fetch.
    """
    role = replica.role
    if not isinstance(role, Follower) or role.leader_id != event.peer_id:
        return
    if (
        not replica.may_campaign
        or replica.shutdown_deadline is not None
        or replica.lost is not None
    ):
        return
    replica.lost = LostLeader(event.peer_id, event.why)
    delay = prompt_delay_ms(replica)
    if delay is None:
        replica.lost = None
        return
    deadline = min(role.fetch_deadline, now + delay)
    replica.role = evolve(role, has_fetched=False, fetch_deadline=deadline)
    if delay == 0:
        become_prospective(replica, now, lost_leader(replica), out)


def lost_leader(replica: ReplicaState) -> str:
    """Why a follower campaigns: its leader is gone, resigned, or has not answered for too long."""
    role, lost = replica.role, replica.lost
    leader_id = role.leader_id if isinstance(role, Follower) else replica.election.leader_id
    if lost is not None:
        return f"leader {lost.leader_id} is gone: {lost.why}"
    if isinstance(role, Follower) and role.ended:
        return f"leader {leader_id} resigned, and it is this node's turn to stand"
    return f"leader {leader_id} did not answer within {replica.config.fetch_timeout_ms} ms"
