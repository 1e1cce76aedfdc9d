"""Changes of role: the only code that makes one role out of another.

Each move says what it does to the election (what is saved) and to the deadlines; the table in
``roles/transitions.py`` says which moves exist.
"""

from __future__ import annotations

from attrs import evolve

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.errors import InvariantViolated
from metaquorum.base.ids import NodeId
from metaquorum.base.limits import LAST_EPOCH
from metaquorum.base.offsets import Epoch
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.election import Ballot
from metaquorum.quorum.prompt import next_prompt_deadline
from metaquorum.quorum.roles.candidate import Candidate
from metaquorum.quorum.roles.follower import Follower
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.roles.prospective import Prospective
from metaquorum.quorum.roles.resigned import Resigned
from metaquorum.quorum.roles.unattached import Unattached
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import (
    ControlValue,
    ElectionState,
    Endpoint,
    KRaftVersionControl,
    LeaderChangeControl,
    ReplicaKey,
    VotersControl,
)
from metaquorum.quorum.voters import FROM_ZERO_CHECKPOINT

_WITH_ELECTION_DEADLINE = (Unattached, Prospective, Candidate, Resigned)


def random_election_deadline(replica: ReplicaState, now: Millis) -> Millis:
    """When a voter campaigns that hears no leader until then (the time-out plus up to as much)."""
    timeout = replica.config.election_timeout_ms
    return now + timeout + (replica.chance.jitter(0, timeout - 1) if timeout else 0)


def become_prospective(replica: ReplicaState, now: Millis, why: str, out: list[Effect]) -> None:
    """Ask the voters what an election would bring; alone, go on to be elected at once."""
    if not replica.may_campaign:
        raise InvariantViolated("only a voter may campaign (KAFKA-17067)")
    if replica.election.epoch >= LAST_EPOCH:
        _wait_at_the_last_epoch(replica, now, out)
        return
    ballot = _ballot(replica)
    if replica.is_voter:
        ballot = ballot.with_answer(replica.config.node_id, True)
    deadline = random_election_deadline(replica, now)
    replica.enter(Prospective(ballot, deadline), replica.election, why, now, out)
    if ballot.is_won:
        become_candidate(replica, now, "it is the only voter", out)


def _wait_at_the_last_epoch(replica: ReplicaState, now: Millis, out: list[Effect]) -> None:
    """No epoch is left to elect in: go on as what we are, say so. A leader may still be heard."""
    replica.complain(f"epoch {LAST_EPOCH} is the last: nobody can be elected any more", out)
    role = replica.role
    if isinstance(role, Follower):
        deadline = now + replica.config.fetch_timeout_ms
        replica.role = evolve(role, fetch_deadline=deadline)
    elif isinstance(role, _WITH_ELECTION_DEADLINE):
        deadline = random_election_deadline(replica, now)
        replica.role = evolve(role, election_deadline=deadline)


def _ballot(replica: ReplicaState) -> Ballot:
    """The voters of now. A lost leader is not asked: waiting for it would cost a time-out.

    It is where nobody can be elected without it: it may be back, and its vote the one that counts.
    """
    voters, lost = replica.voters.latest, replica.lost
    ballot = Ballot(voters)
    if lost is not None and voters.by_id(lost.leader_id) is not None:
        without = ballot.with_answer(lost.leader_id, False)
        return ballot if without.is_lost else without
    return ballot


def become_candidate(replica: ReplicaState, now: Millis, why: str, out: list[Effect]) -> None:
    """Raise the epoch and vote for itself; the vote counts when it is on the disk."""
    epoch = replica.election.epoch + 1
    election = ElectionState(epoch, None, replica.config.key)
    ballot = _ballot(replica)
    deadline = random_election_deadline(replica, now)
    role = Candidate(ballot, deadline, own_vote=replica.last_ticket + 1)
    replica.enter(role, election, why, now, out)
    if replica.election_ticket != role.own_vote:
        raise InvariantViolated("the own vote was not saved with the ticket that counts it")


def count_own_vote(replica: ReplicaState, now: Millis, out: list[Effect]) -> None:
    """A candidate is a voter like any other: its vote counts once its disk has it."""
    role = replica.role
    if not isinstance(role, Candidate) or replica.durable_ticket < role.own_vote:
        return
    own = replica.config.node_id
    if own not in role.ballot.granted and role.ballot.voters.is_voter(replica.config.key):
        ballot = role.ballot.with_answer(own, True)
        replica.role = evolve(role, ballot=ballot)
        if ballot.is_won:
            become_leader(replica, now, out)


def become_leader(replica: ReplicaState, now: Millis, out: list[Effect]) -> None:
    """Take the epoch: save it, then open it with a LeaderChange before anything else."""
    role = replica.role
    if not isinstance(role, Candidate) or not role.ballot.is_won:
        raise InvariantViolated(f"{role.name} cannot lead without a majority of votes")
    epoch, start = replica.election.epoch, replica.log.end
    batch = replica.config.make_control_batch(_opening(replica, role.ballot), start, epoch)
    if batch.base_offset != start or batch.epoch != epoch:
        raise InvariantViolated(f"the opening of epoch {epoch} was built for another place")
    others = tuple(voter.id for voter in role.ballot.voters if voter.id != replica.config.node_id)
    leader = Leader(
        epoch_start=start,
        active_from=batch.next_offset,
        check_quorum_deadline=now + replica.config.check_quorum_ms,
        begin_deadline=now + replica.config.begin_epoch_ms,
        to_tell=others,
    )
    election = ElectionState(epoch, replica.config.node_id)
    replica.lost = None
    why = f"a majority voted for it: {reasons_of(role.ballot)}"
    replica.enter(leader, election, why, now, out)
    replica.append((batch,), out)
    leader.progress.note_append(batch.next_offset, batch.size_bytes)


def reasons_of(ballot: Ballot) -> str:
    """Who granted and who refused, in words."""
    granted, rejected = list(ballot.granted), list(ballot.rejected)
    return f"granted by {granted}, refused by {rejected} of {len(ballot.voters)} voters"


def _opening(replica: ReplicaState, ballot: Ballot) -> tuple[ControlValue, ...]:
    """The control records that open an epoch.

    The voters go along when the log does not hold them yet, or when this node listens elsewhere
    than they say.
    """
    voters = ballot.voters
    granting = tuple(voter.key for voter in voters if voter.id in ballot.granted)
    change = LeaderChangeControl(replica.config.node_id, voters.keys, granting)
    history = replica.voters
    if history.kraft_version < 1:
        return (change,)
    if history.latest_offset is None:
        raise InvariantViolated(
            "kraft.version is 1 but neither log nor checkpoint names the voters"
        )
    ours = history.latest.by_id(replica.config.node_id)
    moved = (
        ours is not None
        and ours.key == replica.config.key
        and bool(replica.config.endpoints)
        and not ours.says_the_same(replica.config.as_voter)
    )
    if history.latest_offset != FROM_ZERO_CHECKPOINT and not moved:
        return (change,)
    latest = history.latest.with_voter(replica.config.as_voter) if moved else history.latest
    return (change, KRaftVersionControl(history.kraft_version), VotersControl(latest.voters))


def become_unattached(
    replica: ReplicaState,
    election: ElectionState,
    now: Millis,
    why: str,
    out: list[Effect],
    *,
    new_deadline: bool = False,
) -> None:
    """Look for a leader. The time to the next campaign runs on, unless it has to start anew."""
    role, deadline = replica.role, NEVER
    if replica.may_campaign:
        if not new_deadline and isinstance(role, _WITH_ELECTION_DEADLINE):
            deadline = role.election_deadline
        if deadline == NEVER:
            prompt = next_prompt_deadline(replica, now)
            deadline = random_election_deadline(replica, now) if prompt is None else prompt
    replica.enter(Unattached(deadline), election, why, now, out)


def give_up_campaign(replica: ReplicaState, now: Millis, why: str, out: list[Effect]) -> None:
    """Back to the leader of this epoch if one is known, else look for one; the vote is kept."""
    election, leader_id, place = replica.election, replica.election.leader_id, replica.leader_place
    if leader_id is not None and leader_id != replica.config.node_id and place:
        prompt = next_prompt_deadline(replica, now)
        lost = replica.lost
        become_follower(replica, leader_id, place, election.epoch, now, why, out)
        if prompt is not None and isinstance(replica.role, Follower):
            replica.lost = lost
            replica.role = evolve(replica.role, fetch_deadline=prompt)
    else:
        become_unattached(replica, election, now, why, out, new_deadline=True)


def become_follower(
    replica: ReplicaState,
    leader_id: NodeId,
    endpoints: tuple[Endpoint, ...],
    epoch: Epoch,
    now: Millis,
    why: str,
    out: list[Effect],
) -> None:
    """Follow a leader; a vote given in this epoch is kept (KAFKA-17642)."""
    if leader_id == replica.config.node_id:
        raise InvariantViolated("a replica cannot follow itself")
    same = epoch == replica.election.epoch
    election = ElectionState(epoch, leader_id, replica.election.voted if same else None)
    deadline = now + replica.config.fetch_timeout_ms
    follower = Follower(leader_id, endpoints, deadline, update_deadline=deadline)
    replica.lost = None
    replica.enter(follower, election, why, now, out)


def become_resigned(
    replica: ReplicaState,
    now: Millis,
    why: str,
    out: list[Effect],
    candidates: tuple[ReplicaKey, ...] = (),
) -> None:
    """Stop leading, tell the voters, write nothing more in this epoch."""
    own = replica.config.node_id
    others = tuple(voter.id for voter in replica.voters.latest if voter.id != own)
    role = Resigned(random_election_deadline(replica, now), candidates, others)
    replica.enter(role, replica.election, why, now, out)
