"""A voter tells the leader that it listens elsewhere, or can do more (KIP-853, KAFKA-16538)."""

from __future__ import annotations

from attrs import evolve

from metaquorum.base.clock import Millis
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.handlers.election.leader_discovery import follow_hint
from metaquorum.quorum.messages import (
    NONE,
    UNSUPPORTED_VERSION,
    UpdateVoterRequest,
    VoterChangeResponse,
)
from metaquorum.quorum.roles.follower import Follower
from metaquorum.quorum.state import ReplicaState


def is_out_of_date(replica: ReplicaState) -> bool:
    """Whether the leader does not know this voter as it is.

    Under kraft.version 0 nothing is written down, so each leader is sent it once.
    """
    role, voters, ours = replica.role, replica.voters, replica.config.as_voter
    if not isinstance(role, Follower):
        return False
    settled = replica.settled_as
    if settled is not None and settled[0] is ours and settled[1] is voters:
        return False
    written = voters.kraft_version >= 1
    if role.reported and not written:
        return False
    if not ours.endpoints or not replica.is_voter:
        replica.settled_as = (ours, voters)
        return False
    if not written:
        return True
    stored = voters.latest.by_id(ours.id)
    if stored is None or not stored.says_the_same(ours):
        return stored is not None
    replica.settled_as = (ours, voters)  # asked after every step, so what was found is kept
    return False


def update_is_due(replica: ReplicaState, now: Millis, out: list[Effect]) -> None:
    """Tell the leader with the next request, and look again a period later."""
    role = replica.role
    if isinstance(role, Follower):
        deadline = now + replica.config.fetch_timeout_ms
        replica.role = evolve(role, update_due=is_out_of_date(replica), update_deadline=deadline)


def update_request(replica: ReplicaState) -> UpdateVoterRequest:
    """What this voter has to tell."""
    ours = replica.config.as_voter
    return UpdateVoterRequest(
        replica.election.epoch,
        ours.key,
        ours.endpoints,
        ours.lowest_kraft_version,
        ours.highest_kraft_version,
    )


def on_update_answer(
    replica: ReplicaState,
    peer_id: int,
    request: UpdateVoterRequest,
    message: VoterChangeResponse,
    now: Millis,
    out: list[Effect],
) -> None:
    """The leader took it, or cannot: it has answered. After another error we send it again."""
    followed = follow_hint(replica, peer_id, message.error, message.hint, now, out)
    role = replica.role
    if not isinstance(role, Follower):
        return
    reported = role.reported or followed or message.error == UNSUPPORTED_VERSION
    role = evolve(role, update_due=False, reported=reported)
    if message.error == NONE and followed:
        role = evolve(role, fetch_deadline=now + replica.config.fetch_timeout_ms)
    replica.role = role


def update_failed(replica: ReplicaState, unsupported: bool) -> None:
    """No answer: next time again, unless the leader does not know the request (before 3.9)."""
    role = replica.role
    if isinstance(role, Follower):
        replica.role = evolve(role, update_due=False, reported=role.reported or unsupported)
