"""Deadlines: which there are in the present role, and what happens when one passes."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.limits import LAST_EPOCH
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.events import TimePassed
from metaquorum.quorum.handlers.commit import wake_parked
from metaquorum.quorum.handlers.election.follower_contact import (
    check_quorum_deadline,
    others_needed,
)
from metaquorum.quorum.handlers.election.leader_lost import lost_leader
from metaquorum.quorum.handlers.election.lifecycle import finish_shutdown, successors
from metaquorum.quorum.handlers.replication.retention import cleaning_deadline, look_for_old_parts
from metaquorum.quorum.handlers.snapshot.download import is_installing
from metaquorum.quorum.handlers.voter_answer import change_timed_out
from metaquorum.quorum.handlers.voters.update_voter import is_out_of_date, update_is_due
from metaquorum.quorum.prompt import end_haste
from metaquorum.quorum.role_changes import (
    become_prospective,
    become_resigned,
    become_unattached,
    give_up_campaign,
    random_election_deadline,
    reasons_of,
)
from metaquorum.quorum.roles.candidate import Candidate
from metaquorum.quorum.roles.follower import Follower
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.roles.prospective import Prospective
from metaquorum.quorum.roles.resigned import Resigned
from metaquorum.quorum.roles.unattached import Unattached
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import ElectionState

ELECTION, FETCH, CHECK_QUORUM, BEGIN_EPOCH = "election", "fetch", "check-quorum", "begin-epoch"
PARKED, REQUEST, RETRY, SHUTDOWN = "parked", "request", "retry", "shutdown"
VOTER_CHANGE, UPDATE_VOTER, CLEANING = "voter-change", "update-voter", "cleaning"


def timers(replica: ReplicaState) -> tuple[tuple[str, Millis], ...]:
    """The deadlines of this role by name; only those that something waits for (KAFKA-17751)."""
    due = [(_name(kind, peer), deadline) for kind, peer, deadline in _deadlines(replica)]
    return tuple(one for one in due if one[1] < NEVER)


def _name(kind: str, peer_id: NodeId | None) -> str:
    return kind if peer_id is None else f"{kind}:{peer_id}"


def _deadlines(replica: ReplicaState) -> list[tuple[str, NodeId | None, Millis]]:
    """The deadlines by kind, a peer's with its id."""
    role = replica.role
    due: list[tuple[str, NodeId | None, Millis]] = []
    if isinstance(role, Leader):
        due.append((CHECK_QUORUM, None, check_quorum_deadline(replica, role)))
        if len(replica.voters.latest) > 1:
            due.append((BEGIN_EPOCH, None, role.begin_deadline))
        if role.change is not None:
            due.append((VOTER_CHANGE, None, role.change.deadline))
    elif isinstance(role, Follower):
        due.append((FETCH, None, role.fetch_deadline))
        if not role.update_due and is_out_of_date(replica):
            due.append((UPDATE_VOTER, None, role.update_deadline))
    elif not (replica.shutdown_said and isinstance(role, Resigned)):
        due.append((ELECTION, None, role.election_deadline))
    due.append((PARKED, None, replica.parked.deadline))
    due.append((CLEANING, None, cleaning_deadline(replica)))
    for peer_id, deadline in replica.peers.request_deadlines:
        due.append((REQUEST, peer_id, deadline))
    due.append((RETRY, None, replica.peers.next_ready))
    if replica.shutdown_deadline is not None and not replica.shutdown_said:
        due.append((SHUTDOWN, None, replica.shutdown_deadline))
    return due


def next_deadline(replica: ReplicaState) -> Millis:
    """The earliest of ``timers``, without the list of them: a host asks after every step.

    A new timer there is added here too; the storms of the explorer compare the two.
    """
    role = replica.role
    if isinstance(role, Follower):
        due = role.fetch_deadline
        if role.update_deadline < due and not role.update_due and is_out_of_date(replica):
            due = role.update_deadline
    elif isinstance(role, Leader):
        if len(replica.voters.latest.voters) > 1:  # then others are needed
            due = role.check_quorum_deadline
            if role.begin_deadline < due:
                due = role.begin_deadline
        else:
            due = check_quorum_deadline(replica, role)
        if role.change is not None and role.change.deadline < due:
            due = role.change.deadline
    elif replica.shutdown_said and isinstance(role, Resigned):
        due = NEVER
    else:
        due = role.election_deadline
    shutdown = replica.shutdown_deadline
    if shutdown is not None and shutdown < due and not replica.shutdown_said:
        due = shutdown
    if replica.log.snapshots and (other := cleaning_deadline(replica)) < due:
        due = other
    if (other := replica.parked.deadline) < due:
        due = other
    return other if (other := replica.peers.next_deadline) < due else due


def on_time_passed(
    replica: ReplicaState, event: TimePassed, now: Millis, out: list[Effect]
) -> None:
    """Act on every deadline that has passed; on the one that is named, if one is."""
    only = event.only
    for kind, peer_id, deadline in _deadlines(replica):
        if deadline <= now if only is None else deadline < NEVER and _name(kind, peer_id) == only:
            if peer_id is not None:
                replica.peers = replica.peers.timed_out(peer_id)
            else:
                _FIRED[kind](replica, max(now, deadline) if kind in _BY_CLOCK else now, out)


def _election(replica: ReplicaState, now: Millis, out: list[Effect]) -> None:
    role = replica.role
    if isinstance(role, (Prospective, Candidate)) and not role.ballot.is_lost:
        end_haste(replica)
    if isinstance(role, Unattached):
        if replica.may_campaign and replica.shutdown_deadline is None:
            why = "no leader was heard of until the election time-out"
            become_prospective(replica, now, why, out)
        else:
            why = "it does not campaign"
            become_unattached(replica, replica.election, now, why, out, new_deadline=True)
    elif isinstance(role, Prospective):
        why = f"no majority of pre-votes in time: {reasons_of(role.ballot)}"
        give_up_campaign(replica, now, why, out)
    elif isinstance(role, Candidate):
        why = f"no majority of votes in time: {reasons_of(role.ballot)}"
        become_prospective(replica, now, why, out)
    elif isinstance(role, Resigned) and (
        replica.shutdown_deadline is not None or replica.election.epoch >= LAST_EPOCH
    ):
        # On its way out it only waits for a successor; a new epoch would be nobody's.
        replica.role = evolve(role, election_deadline=random_election_deadline(replica, now))
    elif isinstance(role, Resigned):
        election = ElectionState(replica.election.epoch + 1)
        why = f"epoch {replica.election.epoch}, which it had led, is over"
        become_unattached(replica, election, now, why, out)


def _fetch(replica: ReplicaState, now: Millis, out: list[Effect]) -> None:
    role = replica.role
    if not isinstance(role, Follower):
        return
    if is_installing(replica):  # it is our disk that we wait for, not the leader
        replica.role = evolve(role, fetch_deadline=now + replica.config.fetch_timeout_ms)
    elif not replica.may_campaign:
        become_unattached(replica, replica.election, now, lost_leader(replica), out)
    elif replica.shutdown_deadline is None:
        become_prospective(replica, now, lost_leader(replica), out)
    else:
        replica.role = evolve(role, fetch_deadline=now + replica.config.fetch_timeout_ms)


def _check_quorum(replica: ReplicaState, now: Millis, out: list[Effect]) -> None:
    if isinstance(replica.role, Leader):
        why = (
            f"of the other voters only {list(replica.role.heard)} fetched within "
            f"{replica.config.check_quorum_ms} ms, {others_needed(replica)} are needed"
        )
        become_resigned(replica, now, why, out, successors(replica, replica.role))


def _begin_epoch(replica: ReplicaState, now: Millis, out: list[Effect]) -> None:
    """Announce the epoch again to the voters that have not fetched for a while (KAFKA-16536)."""
    role = replica.role
    if not isinstance(role, Leader):
        return
    period = replica.config.begin_epoch_ms
    silent: list[int] = []
    for voter in replica.voters.latest:
        if voter.key.covers(replica.config.key):
            continue
        progress = role.progress.of_voter(voter.key)
        if progress is None or now - progress.last_fetch_ms >= period:
            silent.append(voter.id)
    replica.role = evolve(role, to_tell=tuple(silent), begin_deadline=now + period)


def _parked(replica: ReplicaState, now: Millis, out: list[Effect]) -> None:
    if replica.parked.has_deferred:
        wake_parked(replica, now, out)
    for fetch in replica.parked.take_due(now):
        replica.answer(fetch.id, replica.fetch_answers.to(replica, fetch.request), out)


def _retry(replica: ReplicaState, now: Millis, out: list[Effect]) -> None:
    replica.peers = replica.peers.rested(now)


def _shutdown(replica: ReplicaState, now: Millis, out: list[Effect]) -> None:
    finish_shutdown(replica, now, out)


_BY_CLOCK = (PARKED, RETRY, SHUTDOWN)
"""These compare their deadline with the time: one that is named counts as passed."""

_FIRED: dict[str, Callable[[ReplicaState, Millis, list[Effect]], None]] = {
    ELECTION: _election,
    FETCH: _fetch,
    CHECK_QUORUM: _check_quorum,
    BEGIN_EPOCH: _begin_epoch,
    PARKED: _parked,
    RETRY: _retry,
    SHUTDOWN: _shutdown,
    CLEANING: look_for_old_parts,
    VOTER_CHANGE: change_timed_out,
    UPDATE_VOTER: update_is_due,
}
