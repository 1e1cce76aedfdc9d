"""Start, resignation and shutdown."""

from __future__ import annotations

from metaquorum.base.clock import Millis
from metaquorum.base.errors import InvariantViolated
from metaquorum.quorum.effects import Effect, ShutdownDone
from metaquorum.quorum.events import ResignAsked, ShutdownAsked, Started
from metaquorum.quorum.role_changes import become_prospective, become_resigned, count_own_vote
from metaquorum.quorum.roles.candidate import Candidate
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.start import initial_role
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import ReplicaKey


def on_started(replica: ReplicaState, event: Started, now: Millis, out: list[Effect]) -> None:
    """Take up the role that the disk says; the only voter elects itself at once."""
    if replica.started:
        raise InvariantViolated("a replica starts once")
    replica.started = True
    replica.since_ms = replica.cleaned_ms = now
    replica.role, replica.why = initial_role(
        replica.config,
        replica.election,
        replica.log.last_epoch,
        replica.voters,
        replica.chance,
        now,
    )
    epoch = replica.election.epoch
    replica.announce_role("NotStarted", epoch, replica.election, replica.why, out)
    replica.announce_leader(out)
    if isinstance(replica.role, Candidate):
        count_own_vote(replica, now, out)
    elif replica.voters.latest.is_only_voter(replica.config.key):
        become_prospective(replica, now, "it is the only voter", out)


def on_resign_asked(
    replica: ReplicaState, event: ResignAsked, now: Millis, out: list[Effect]
) -> None:
    """The controller gives up this epoch (KAFKA-13104); a newer epoch already did it for an older.

    Raises InvariantViolated for an epoch that does not exist yet.
    """
    if event.epoch > replica.election.epoch:
        raise InvariantViolated(f"asked to resign epoch {event.epoch}, in {replica.election.epoch}")
    if event.epoch == replica.election.epoch and isinstance(replica.role, Leader):
        why = event.why or "the controller gave it up"
        become_resigned(replica, now, why, out, successors(replica, replica.role))


def on_shutdown_asked(
    replica: ReplicaState, event: ShutdownAsked, now: Millis, out: list[Effect]
) -> None:
    """A leader of several hands over; a replica that is not needed is done at once."""
    if replica.shutdown_deadline is None:
        replica.shutdown_deadline = now + event.grace_ms
    hand_over(replica, now, out)


def hand_over(replica: ReplicaState, now: Millis, out: list[Effect]) -> None:
    """A leader that is on its way out resigns, and so does one that is elected on its way out."""
    if isinstance(replica.role, Leader):
        candidates = successors(replica, replica.role)
        become_resigned(replica, now, "it is shutting down", out, candidates)


def finish_shutdown(replica: ReplicaState, now: Millis, out: list[Effect]) -> None:
    """Say so, once, when nothing in the quorum waits for this replica any more."""
    due = replica.shutdown_deadline
    if due is None or replica.shutdown_said:
        return
    voters = replica.voters.latest
    alone = voters.is_only_voter(replica.config.key) or not replica.is_voter
    if alone or replica.leader_id is not None or due <= now:
        replica.shutdown_said = True
        out.append(ShutdownDone(replica.last_ticket))


def successors(replica: ReplicaState, leader: Leader) -> tuple[ReplicaKey, ...]:
    """The other voters, those with the longest log first (KIP-595, EndQuorumEpoch)."""
    ranked: list[tuple[int, int, ReplicaKey]] = []
    for voter in replica.voters.latest:
        if voter.key.covers(replica.config.key):
            continue
        progress = leader.progress.of_voter(voter.key)
        ranked.append((-1 if progress is None else progress.end, -voter.id, voter.key))
    return tuple(key for _, _, key in sorted(ranked, key=lambda one: one[:2], reverse=True))
