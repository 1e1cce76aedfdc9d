"""A follower heard its leader: the time until it looks for another one begins anew."""

from __future__ import annotations

from metaquorum.base.clock import Millis
from metaquorum.quorum.prompt import turn_ms
from metaquorum.quorum.roles.follower import Follower
from metaquorum.quorum.state import ReplicaState


def leader_is_alive(replica: ReplicaState, now: Millis) -> None:
    """Note that the leader answered; one that said that its epoch is over is not revived."""
    role = replica.role
    if not isinstance(role, Follower):
        return
    replica.heard_epoch, replica.heard_at = replica.election.epoch, role.endpoints
    if not role.ended:
        deadline = now + replica.config.fetch_timeout_ms + turn_ms(replica, role.leader_id)
        replica.lost = None
        replica.role = role.alive_until(deadline)
