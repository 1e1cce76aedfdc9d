"""Check quorum: a leader that a majority does not fetch from stops leading (KAFKA-15489)."""

from __future__ import annotations

from metaquorum.base.clock import NEVER, Millis
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import ReplicaKey


def heard_from(replica: ReplicaState, key: ReplicaKey, now: Millis) -> None:
    """A replica fetched: if it is a voter it counts, and needs no announcement any more."""
    role = replica.role
    voters = replica.voters.latest
    if not isinstance(role, Leader) or not voters.is_voter(key):
        return
    heard, to_tell, deadline = role.heard, role.to_tell, role.check_quorum_deadline
    is_new = key.id not in heard
    if key.id in to_tell:
        to_tell = tuple(one for one in to_tell if one != key.id)
    if len(heard) + is_new >= others_needed(replica):
        heard, deadline = (), now + replica.config.check_quorum_ms
    elif is_new:
        heard = tuple(sorted((*heard, key.id)))
    replica.role = role.listening(heard, to_tell, deadline)


def others_needed(replica: ReplicaState) -> int:
    """How many other voters a leader has to hear from; one less if it is a voter itself."""
    voters = replica.voters.latest
    return voters.majority - voters.is_voter(replica.config.key)


def check_quorum_deadline(replica: ReplicaState, role: Leader) -> Millis:
    """When this leader gives up; never while it needs nobody else (KAFKA-16144)."""
    return role.check_quorum_deadline if others_needed(replica) > 0 else NEVER
