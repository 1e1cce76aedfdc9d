"""Known bugs, planted one by one: each must be found, or the net has a hole.

A mutant is a context manager that breaks one rule of the core for as long as it is entered. They
are shared: the explorer plants them in small worlds, the simulator in whole clusters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any
from unittest import mock

from attrs import evolve

from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.quorum import role_changes
from metaquorum.quorum.download import Download
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.election import Ballot, grants_vote
from metaquorum.quorum.events import LeaderLost, SnapshotInstalled
from metaquorum.quorum.gate import DurabilityGate
from metaquorum.quorum.handlers import HANDLERS, commit, sends
from metaquorum.quorum.handlers.election import leader_lost, lifecycle, vote
from metaquorum.quorum.handlers.replication import replicate, retention
from metaquorum.quorum.handlers.voters import upgrade, voter_change
from metaquorum.quorum.handlers.voters.voter_append import append_voters
from metaquorum.quorum.log_view import LogView, Valid
from metaquorum.quorum.progress import Progress, majority_offset
from metaquorum.quorum.replica import Replica
from metaquorum.quorum.roles.candidate import Candidate
from metaquorum.quorum.roles.resigned import Resigned
from metaquorum.quorum.start import initial_role
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import ElectionState, ReplicaKey
from metaquorum.quorum.voters import VoterHistory, VoterSet

Patched = AbstractContextManager[None]
Mutant = Callable[[], Patched]


@contextmanager
def replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    """One attribute exchanged, put back at the end."""
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


@contextmanager
def all_of(*patches: Patched) -> Iterator[None]:
    """Several exchanges that make one bug together."""
    with ExitStack() as stack:
        for patch in patches:
            stack.enter_context(patch)
        yield


def replaced_in(owners: Iterable[Any], name: str, value: Any) -> Patched:
    """An attribute exchanged in every module that imports it by name."""
    return all_of(*(replaced(owner, name, value) for owner in owners))


def answer_before_sync() -> Patched:
    """The gate lets everything out at once."""

    def hold(gate: DurabilityGate, effects: Iterable[Effect]) -> list[Effect]:
        return list(effects)

    return replaced(DurabilityGate, "hold", hold)


def leader_counts_accepted_end() -> Patched:
    """The leader counts what it has not synced (KAFKA-10526)."""

    def accepted_end(replica: ReplicaState) -> Offset:
        return replica.log.end

    return replaced(commit, "counted_end", accepted_end)


def restarted_leader_resumes() -> Patched:
    """A restarted leader goes on in its old epoch (KAFKA-10527)."""
    honest = initial_role

    def resuming(config: Any, election: ElectionState, *rest: Any) -> Any:
        role, why = honest(config, election, *rest)
        if not isinstance(role, Resigned):
            return role, why
        history = rest[1]
        ballot = Ballot(history.latest)
        return Candidate(ballot, role.election_deadline, 0), "it goes on"

    return replaced(lifecycle, "initial_role", resuming)


def follower_fetches_before_sync() -> Patched:
    """A fetch does not wait for the records below its offset (KAFKA-10533)."""

    def nothing(replica: ReplicaState) -> int:
        return 0

    return replaced(sends, "promised", nothing)


def vote_ignores_the_log() -> Patched:
    """Any asker gets the vote, however short its log."""

    def always(theirs: object, ours: object) -> bool:
        return True

    return replaced(vote, "is_up_to_date", always)


def vote_is_not_saved() -> Patched:
    """A vote is given and not remembered."""

    def forget(*everything: object) -> None:
        return None

    return replaced(vote, "_save_vote", forget)


def older_epochs_are_counted() -> Patched:
    """A record of an earlier epoch is committed because a majority holds it (Raft 5.4.2)."""

    def always(role: object, offset: Offset) -> bool:
        return True

    return replaced(commit, "is_of_own_epoch", always)


def resigned_leader_votes() -> Patched:
    """A leader that came back votes in the epoch that it led (KAFKA-10661)."""
    honest = grants_vote

    def generous(role: str, election: ElectionState, candidate: Any, up_to_date: bool) -> bool:
        if role == "Resigned":
            return up_to_date
        return honest(role, election, candidate, up_to_date)

    return replaced(vote, "grants_vote", generous)


def vote_is_not_written() -> Patched:
    """The vote file is stale: a vote within an epoch is remembered, but not saved."""
    honest = ReplicaState.save_election

    def lazy(replica: ReplicaState, election: ElectionState, out: list[Effect]) -> None:
        before = replica.election
        if election.epoch == before.epoch and election.voted != before.voted:
            replica.election = election
            return
        honest(replica, election, out)

    return replaced(ReplicaState, "save_election", lazy)


def vote_is_forgotten_after_a_campaign() -> Patched:
    """Giving up a campaign forgets the vote of the epoch (KAFKA-17642)."""
    honest = role_changes.become_unattached

    def forgetful(replica: ReplicaState, election: ElectionState, *rest: Any, **named: Any) -> None:
        if election.epoch == replica.election.epoch:
            election = ElectionState(election.epoch)
        honest(replica, election, *rest, **named)

    return replaced(role_changes, "become_unattached", forgetful)


def lost_leader_frees_the_vote() -> Patched:
    """A leader that looks gone is forgotten together with the vote of its epoch."""
    honest = leader_lost.on_leader_lost

    def freeing(replica: ReplicaState, event: Any, now: int, out: list[Effect]) -> None:
        honest(replica, event, now, out)
        if replica.lost is not None:
            election = ElectionState(replica.election.epoch)
            role_changes.become_unattached(
                replica, election, now, "it forgets", out, new_deadline=True
            )

    return mock.patch.dict(HANDLERS, {LeaderLost: freeing})


def follower_trusts_any_place() -> Patched:
    """A leader serves records to a log that parted from its own."""

    def valid(log: LogView, offset: Offset, epoch: int) -> Valid:
        return Valid()

    return replaced(LogView, "place", valid)


def everything_is_truncated() -> Patched:
    """A diverging follower cuts its whole log, below the watermark too (KAFKA-12460)."""
    honest = LogView.truncated

    def cut(log: LogView, ticket: int, to: Offset) -> LogView:
        return honest(evolve(log, high_watermark=None), ticket, to)

    def to_the_start(log: LogView, diverging: Any) -> Offset:
        return log.start

    def no_floor(replica: ReplicaState) -> Offset:
        return replica.log.start

    return all_of(
        replaced(LogView, "truncated", cut),
        replaced(LogView, "truncation_point", to_the_start),
        replaced(replicate, "truncation_floor", no_floor),
    )


def voters_are_not_taken_back() -> Patched:
    """A truncation leaves the voters as they were: the cursor of control records stays."""

    def kept(history: VoterHistory, end: Offset) -> VoterHistory:
        return history

    return replaced(VoterHistory, "truncated", kept)


def committed_voters_only() -> Patched:
    """Voters count when their record is committed, not when it is appended."""
    honest_step, honest_latest = Replica.step, VoterHistory.latest
    committed: list[Offset | None] = [None]

    def step(replica: Replica, event: Any, now: int) -> list[Effect]:
        committed[0] = replica.log.high_watermark
        return honest_step(replica, event, now)

    def latest(history: VoterHistory) -> VoterSet:
        known = committed[0] or 0
        sets = tuple(one for one in history.sets if one[0] < known)
        found: VoterSet = honest_latest.fget(evolve(history, sets=sets))  # type: ignore[attr-defined]
        return found

    return all_of(
        replaced(Replica, "step", step), replaced(VoterHistory, "latest", property(latest))
    )


def two_changes_at_once() -> Patched:
    """A second change of the voters does not wait for the first."""

    def always(replica: ReplicaState, role: object) -> tuple[int, str]:
        return voter_change.FINE

    return replaced(voter_change, "_not_now", always)


def change_is_answered_at_once() -> Patched:
    """A change is answered when it is appended, whatever the asker wants."""
    honest = append_voters

    def hasty(replica: ReplicaState, values: Any, change: Any, now: int, out: list[Effect]) -> None:
        if change is not None:
            change = evolve(change, ack_when_committed=False)
        honest(replica, values, change, now, out)

    return replaced(voter_change, "append_voters", hasty)


def removed_leader_counts_itself() -> Patched:
    """A leader that is no voter any more counts for the watermark (KAFKA-16530)."""
    honest = Progress.high_watermark

    def counting(progress: Progress, voters: VoterSet, leader: ReplicaKey, end: Offset) -> Offset:
        if voters.is_voter(leader) or not len(voters):
            return honest(progress, voters, leader, end)
        others = (progress.of_voter(voter.key) for voter in voters)
        ends = [end, *(-1 if one is None else one.end for one in others)]
        return majority_offset(ends, voters.majority)

    return replaced(Progress, "high_watermark", counting)


def upgrade_in_two_batches() -> Patched:
    """kraft.version and voters are written one after the other, so a crash can part them."""
    honest = append_voters

    def torn(replica: ReplicaState, values: Any, change: Any, now: int, out: list[Effect]) -> None:
        honest(replica, values[:1], None, now, out)
        honest(replica, values[1:], change, now, out)

    return replaced(upgrade, "append_voters", torn)


def snapshot_brings_no_voters() -> Patched:
    """The voters that a downloaded snapshot holds are not taken."""
    honest = HANDLERS[SnapshotInstalled]

    def deaf(replica: ReplicaState, event: Any, now: int, out: list[Effect]) -> None:
        honest(replica, evolve(event, controls=()), now, out)

    return mock.patch.dict(HANDLERS, {SnapshotInstalled: deaf})


def followers_start_where_the_leader_does() -> Patched:
    """A follower's log starts where its leader's does, whatever snapshots it has itself."""

    def start(start: Offset, leaders: Offset, snapshots: Any) -> Offset:
        return max(start, leaders)

    return all_of(replaced(retention, "followers_start", start), dropped_unchecked())


def dropped_unchecked() -> Patched:
    """A prefix goes whether anything covers it or not."""

    def dropped(log: LogView, before: Offset) -> LogView:
        kept = tuple(one for one in log.snapshots if one[0].offset >= before)
        return evolve(log, start=before, epochs=log.epochs.starting_at(before), snapshots=kept)

    return replaced(LogView, "dropped", dropped)


def prefix_takes_all_snapshots() -> Patched:
    """A prefix takes all snapshots with it, the newest too."""
    honest = LogView.dropped

    def dropped(log: LogView, before: Offset) -> LogView:
        return evolve(honest(log, before), snapshots=())

    return replaced(LogView, "dropped", dropped)


def part_of_another_leader_is_kept() -> Patched:
    """A download goes on with the present leader, another one or not."""

    def always(download: Download, leader_id: int, epoch: int) -> bool:
        return True

    return replaced(Download, "is_from", always)


def installed_without_a_new_end() -> Patched:
    """After an install the core goes on at the end that its log had before."""
    honest = LogView.installed

    def installed(log: LogView, snapshot: OffsetAndEpoch, size_bytes: int) -> LogView:
        after = honest(log, snapshot, size_bytes)
        return evolve(after, end=max(log.end, log.start + 1), high_watermark=log.high_watermark)

    return replaced(LogView, "installed", installed)


def empty_log_has_no_epoch() -> Patched:
    """A log that was just replaced by a snapshot counts as one of epoch 0."""

    def last_epoch(log: LogView) -> int:
        return log.epochs.epochs[-1] if len(log.epochs) else 0

    return replaced(LogView, "last_epoch", property(last_epoch))


BUGS: dict[str, Mutant] = {
    "answer before sync": answer_before_sync,
    "the leader counts its accepted end": leader_counts_accepted_end,
    "a restarted leader resumes": restarted_leader_resumes,
    "a follower fetches before its disk has what it names": follower_fetches_before_sync,
    "a vote ignores the log": vote_ignores_the_log,
    "a vote is given and not saved": vote_is_not_saved,
    "the vote file is stale": vote_is_not_written,
    "a vote is forgotten after a campaign": vote_is_forgotten_after_a_campaign,
    "a resigned leader votes in its epoch": resigned_leader_votes,
    "an older epoch's entry is committed": older_epochs_are_counted,
    "a lost leader frees the vote": lost_leader_frees_the_vote,
    "a parted log is served as if it were ours": follower_trusts_any_place,
    "a truncation goes below the watermark": everything_is_truncated,
    "voters are not taken back by a truncation": voters_are_not_taken_back,
    "voters are read from committed records only": committed_voters_only,
    "two voter changes at once": two_changes_at_once,
    "a change is answered before it is committed": change_is_answered_at_once,
    "a removed leader counts itself": removed_leader_counts_itself,
    "an upgrade is written in two batches": upgrade_in_two_batches,
    "a snapshot brings no voters": snapshot_brings_no_voters,
    "a follower's log starts where its leader's does": followers_start_where_the_leader_does,
    "a prefix takes all snapshots with it": prefix_takes_all_snapshots,
    "a part of another leader is kept": part_of_another_leader_is_kept,
    "an install leaves the log end": installed_without_a_new_end,
}
"""Every bug by its name, for the tests that plant it."""
