"""Vote and pre-vote: the question answered, and the answers counted (KIP-595, KIP-996)."""

from __future__ import annotations

from attrs import evolve

from metaquorum.base.clock import Millis
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.election import grants_pre_vote, grants_vote, is_up_to_date
from metaquorum.quorum.handlers.election.leader_discovery import follow_hint
from metaquorum.quorum.handlers.guards import my_key, voter_only
from metaquorum.quorum.messages import INVALID_REQUEST, NONE, VoteRequest, VoteResponse
from metaquorum.quorum.prompt import next_prompt_deadline
from metaquorum.quorum.role_changes import (
    become_candidate,
    become_leader,
    become_unattached,
    give_up_campaign,
    random_election_deadline,
    reasons_of,
)
from metaquorum.quorum.roles.candidate import Candidate
from metaquorum.quorum.roles.follower import Follower
from metaquorum.quorum.roles.prospective import Prospective
from metaquorum.quorum.roles.unattached import Unattached
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import ElectionState, RequestId


def on_vote(
    replica: ReplicaState,
    request_id: RequestId,
    message: VoteRequest,
    now: Millis,
    out: list[Effect],
) -> None:
    """Grant or not. A higher epoch is entered before the receiver is checked.

    Nothing of a malformed request is taken, its epoch neither.
    """
    error = _malformed(replica, message)
    if error == NONE:
        error = voter_only(replica, message.epoch, message.candidate.id)
    if error == NONE and message.candidate.id == replica.config.node_id:
        error = INVALID_REQUEST  # our id in two places: Kafka dies of it, after saving the epoch
    if error == NONE:
        if message.epoch > replica.election.epoch:
            asked = "would stand" if message.pre_vote else "stands"
            why = f"node {message.candidate.id} {asked} for election, in epoch {message.epoch}"
            become_unattached(replica, ElectionState(message.epoch), now, why, out)
        error = my_key(replica, message.receiver)
    granted = error == NONE and _grants(replica, message)
    if granted and not message.pre_vote and replica.election.voted is None:
        _save_vote(replica, message, now, out)
    elif granted:
        _let_it_try(replica, now)
    elif error == NONE and message.pre_vote:
        _ask_it_again(replica, message)
    replica.answer(request_id, VoteResponse(error, replica.hint, granted), out)


def _malformed(replica: ReplicaState, message: VoteRequest) -> int:
    last, epoch = message.log_end, message.epoch
    if last.offset < 0 or last.epoch < 0 or last.epoch > epoch:
        return INVALID_REQUEST
    if not message.pre_vote and last.epoch == epoch:
        return INVALID_REQUEST
    return NONE


def _grants(replica: ReplicaState, message: VoteRequest) -> bool:
    role = replica.role
    up_to_date = is_up_to_date(message.log_end, replica.log.end_id)
    if message.pre_vote:
        has_fetched = isinstance(role, Follower) and role.has_fetched
        return grants_pre_vote(role.name, has_fetched, up_to_date)
    return grants_vote(role.name, replica.election, message.candidate, up_to_date)


def _let_it_try(replica: ReplicaState, now: Millis) -> None:
    """A voter that lost the leader too and was promised a vote goes first; we wait longer."""
    role = replica.role
    if replica.lost is not None and isinstance(role, Follower):
        deadline = max(role.fetch_deadline, now + 2 * replica.config.prompt_step_ms)
        replica.role = evolve(role, fetch_deadline=deadline)


def _ask_it_again(replica: ReplicaState, message: VoteRequest) -> None:
    """A voter that refused us while it heard from the leader, and asks for pre-votes itself now,
    does not hear it any more: it may grant ours, as its log is the shorter one.

    Without this both would wait for their election time-outs, and for the leader once more.
    """
    role = replica.role
    if isinstance(role, Prospective) and message.candidate.id in role.ballot.rejected:
        ballot = role.ballot.without_answer(message.candidate.id)
        replica.role = evolve(role, ballot=ballot)


def _save_vote(replica: ReplicaState, message: VoteRequest, now: Millis, out: list[Effect]) -> None:
    """The vote goes to the disk before the answer leaves; the own campaign is put off."""
    role = replica.role
    if not isinstance(role, Unattached | Prospective):
        return
    deadline = role.election_deadline
    if replica.may_campaign:
        deadline = random_election_deadline(replica, now)
    election = evolve(replica.election, voted=message.candidate)
    theirs, ours = message.log_end, replica.log.end_id
    why = (
        f"it voted for node {message.candidate.id}, whose log ends at {theirs.offset} of epoch "
        f"{theirs.epoch}; its own ends at {ours.offset} of epoch {ours.epoch}"
    )
    replica.enter(evolve(role, election_deadline=deadline), election, why, now, out)


def on_vote_answer(
    replica: ReplicaState,
    peer_id: int,
    request: VoteRequest,
    message: VoteResponse,
    now: Millis,
    out: list[Effect],
) -> None:
    """Count the answer, unless it was overtaken by a role or epoch of later."""
    if not follow_hint(replica, peer_id, message.error, message.hint, now, out):
        return
    role = replica.role
    if isinstance(role, Prospective) and request.pre_vote:
        _count_pre_vote(replica, role, peer_id, message.granted, now, out)
    elif isinstance(role, Candidate) and not request.pre_vote:
        ballot = role.ballot.with_answer(peer_id, message.granted)
        replica.role = evolve(role, ballot=ballot)
        if ballot.is_won:
            become_leader(replica, now, out)
        elif ballot.is_lost:
            _stand_again_soon(replica, now)


def _stand_again_soon(replica: ReplicaState, now: Millis) -> None:
    """After a prompt campaign that split the votes; otherwise the election time-out runs on."""
    role = replica.role
    prompt = next_prompt_deadline(replica, now)
    if isinstance(role, Candidate) and prompt is not None:
        replica.role = evolve(role, election_deadline=min(role.election_deadline, prompt))


def _count_pre_vote(
    replica: ReplicaState,
    role: Prospective,
    peer_id: int,
    granted: bool,
    now: Millis,
    out: list[Effect],
) -> None:
    ballot = role.ballot.with_answer(peer_id, granted)
    replica.role = evolve(role, ballot=ballot)
    if ballot.is_won:
        why = f"a majority would vote for it: {reasons_of(ballot)}"
        become_candidate(replica, now, why, out)
    elif ballot.is_lost:
        why = f"a majority would not vote for it: {reasons_of(ballot)}"
        give_up_campaign(replica, now, why, out)


def skip_pre_vote(replica: ReplicaState, now: Millis, out: list[Effect]) -> None:
    """A voter does not know pre-votes (before Vote 2): the election is held without."""
    if isinstance(replica.role, Prospective):
        become_candidate(replica, now, "a voter does not know pre-votes", out)
