"""What others say about leader and epoch: believed if it is newer, never if it contradicts.

A second leader in one epoch, or this replica named as one that it is not, is a mistake of
the node that says so: it changes nothing here and stops nobody (Kafka dies of it).
"""

from __future__ import annotations

from attrs import evolve

from metaquorum.base.clock import Millis
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.handlers.guards import is_credible
from metaquorum.quorum.messages import (
    FENCED_LEADER_EPOCH,
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    UNKNOWN_LEADER_EPOCH,
    Hint,
)
from metaquorum.quorum.role_changes import become_follower, become_unattached
from metaquorum.quorum.roles.candidate import Candidate
from metaquorum.quorum.roles.follower import Follower
from metaquorum.quorum.roles.prospective import Prospective
from metaquorum.quorum.roles.unattached import Unattached
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import ElectionState, Endpoint


def follow_hint(
    replica: ReplicaState, peer_id: int, error: int, hint: Hint, now: Millis, out: list[Effect]
) -> bool:
    """Take what an answer says about leader and epoch; whether the rest of it counts too.

    A peer that answered with an error is left alone for a moment.
    """
    if error != NONE:
        until = now + replica.config.retry_backoff_ms
        replica.peers = replica.peers.rests(peer_id, until)
    if hint.epoch < replica.election.epoch or error == UNKNOWN_LEADER_EPOCH:
        return False
    if hint.epoch > replica.election.epoch or error in (
        FENCED_LEADER_EPOCH,
        NOT_LEADER_OR_FOLLOWER,
    ):
        believe(replica, hint, f"peer {peer_id} said so", now, out)
        return False
    if hint.leader_id is not None:
        believe(replica, hint, f"peer {peer_id} said so", now, out)
    return error == NONE


def contradicts(replica: ReplicaState, leader_id: int, epoch: int) -> bool:
    """Whether another node is named leader of an epoch that has one, or that we would lead."""
    if epoch != replica.election.epoch:
        return False
    known = replica.election.leader_id
    if known is None:
        return leader_id == replica.config.node_id
    return known != leader_id or (leader_id == replica.config.node_id != replica.leader_id)


def resolve(replica: ReplicaState, hint: Hint) -> tuple[Endpoint, ...]:
    """Where the leader listens: as the hint says, else as the voter set says."""
    usable = tuple(one for one in hint.endpoints if one.is_usable)
    if usable or hint.leader_id is None:
        return usable
    voter = replica.voters.latest.by_id(hint.leader_id)
    return voter.endpoints if voter is not None else ()


def believe(replica: ReplicaState, hint: Hint, how: str, now: Millis, out: list[Effect]) -> None:
    """Go to a higher epoch, or follow a leader that was not known; ignore everything else.

    ``how`` we came to know it is for the log.
    """
    epoch, leader_id = hint.epoch, hint.leader_id
    known_epoch, role = replica.election.epoch, replica.role
    if epoch < known_epoch:
        return
    if (
        epoch == known_epoch
        and isinstance(role, Follower)
        and leader_id == role.leader_id
        and hint.endpoints == role.endpoints
    ):
        return  # what every answer of the leader says
    if not is_credible(replica, epoch):
        replica.complain(f"epoch {epoch} is not credible: {how}", out)
        return
    endpoints = resolve(replica, hint)
    if epoch > replica.election.epoch:
        _enter_epoch(replica, hint, endpoints, how, now, out)
        return
    if leader_id is None or not endpoints:
        return
    if contradicts(replica, leader_id, epoch):
        known = replica.election.leader_id
        if known != leader_id:
            usable = f"node {leader_id} leads epoch {epoch}, not node {known}"
            replica.complain(f"{usable}: {how}", out)
        return
    unknown = replica.election.leader_id is None
    if isinstance(role, Unattached) or (unknown and isinstance(role, Prospective | Candidate)):
        why = f"node {leader_id} leads epoch {epoch}: {how}"
        become_follower(replica, leader_id, endpoints, epoch, now, why, out)
    elif isinstance(role, Follower) and (
        len(endpoints) > len(role.endpoints)  # KAFKA-16927
        or _is_elsewhere(replica, role, hint)
    ):
        replica.role = evolve(role, endpoints=endpoints)


def _enter_epoch(
    replica: ReplicaState,
    hint: Hint,
    endpoints: tuple[Endpoint, ...],
    how: str,
    now: Millis,
    out: list[Effect],
) -> None:
    leader_id = hint.leader_id
    if leader_id is not None and leader_id != replica.config.node_id and endpoints:
        why = f"node {leader_id} leads the higher epoch {hint.epoch}: {how}"
        become_follower(replica, leader_id, endpoints, hint.epoch, now, why, out)
        return
    # Named as leader of an epoch that we have forgotten: remember it as ours, so that no vote of
    # ours can go to anybody else in it.
    why = f"there is a higher epoch, {hint.epoch}: {how}"
    become_unattached(replica, ElectionState(hint.epoch, leader_id), now, why, out)


def _is_elsewhere(replica: ReplicaState, role: Follower, hint: Hint) -> bool:
    """Whether the leader that we follow listens at another place than where we look for it.

    It may have moved before it was elected, and we know only where the voters say that it is. One
    that answers us stays where it is, as nobody leads on after a restart; and while it may still
    answer there is no reason to believe anybody about it.
    """
    waits = replica.peers.of(role.leader_id).in_flight is not None
    if waits or role.has_fetched:
        return False
    return hint.endpoints != role.endpoints and any(one.is_usable for one in hint.endpoints)
