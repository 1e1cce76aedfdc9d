"""A replica under watch: every step is looked at before its host acts on it."""

from __future__ import annotations

from itertools import pairwise

from attrs import define

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import Epoch
from metaquorum.quorum.effects import (
    Answer,
    AppendBatches,
    Committed,
    DropPrefix,
    Effect,
    InstallSnapshot,
    SaveElection,
    Send,
    TruncateLog,
    WriteSnapshotPart,
)
from metaquorum.quorum.events import Event, RequestArrived, SnapshotInstalled
from metaquorum.quorum.log_view import LogView
from metaquorum.quorum.messages import (
    EndEpochRequest,
    FetchRequest,
    FetchSnapshotRequest,
    UpdateVoterRequest,
    VoteRequest,
    VoteResponse,
)
from metaquorum.quorum.replica import Replica
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.types import ElectionState, LeaderChangeControl, VotersControl
from metaquorum.testing.simulator.book import Book, Memory, Silence
from metaquorum.testing.simulator.invariants import commits, elections, logs, snapshots, voter_sets

APPENDED, COMMITTED, SAVED, ELECTED, TRUNCATED = 1, 2, 4, 8, 16
_SAID = frozenset((Send, Answer))
WRITING, DOWNLOADING, INSTALLING, DROPPING = 32, 64, 128, 256
"""Moments at which a crash is most likely to hurt."""


@define(eq=False, kw_only=True)
class WatchedReplica(Replica):
    """A replica whose steps are held against the rules; ``true_us`` is the simulation's time."""

    book: Book
    memory: Memory
    silence: Silence
    true_us: int = 0
    moments: int = 0

    @classmethod
    def watching(
        cls, replica: Replica, book: Book, memory: Memory, silence: Silence
    ) -> WatchedReplica:
        """Take the place of a replica that has not been stepped yet."""
        fields = {one.name.lstrip("_"): getattr(replica, one.name) for one in _FIELDS}
        return cls(book=book, memory=memory, silence=silence, **fields)

    def step(self, event: Event, now: Millis) -> list[Effect]:
        """Step the replica, then hold what came of it against the rules."""
        memory, before, election, role = self.memory, self.log, self.election, self.role.name
        effects = Replica.step(self, event, now)
        memory.voters = self.voters
        log = self.log
        if self.role.name != role:
            self._role_changed(self.role.name, _epoch_of(event, election.epoch))
        if self.election is not election:
            elections.epochs_never_fall(memory.id, election.epoch, self.election.epoch)
        if log is not before:  # a frozen value: the same one is as good as it was
            if log.high_watermark != before.high_watermark:
                commits.watermarks_never_fall(memory.id, before.high_watermark, log.high_watermark)
            if log.durable_end > log.end:
                logs.durable_is_not_beyond_accepted(memory.id, log.durable_end, log.end)
            if log.snapshots is not before.snapshots or log.start != before.start:
                self._snapshots_changed()
        if isinstance(event, RequestArrived):
            self._request(event, election, effects, before)
        elif isinstance(event, SnapshotInstalled):
            self.book.check_voters(memory, event.id.offset)
        for effect in effects:
            if type(effect) not in _SAID:  # that is held against the rules where it leaves the node
                self._hold(effect, before)
        return effects

    def _hold(self, effect: Effect, before: LogView) -> None:
        if isinstance(effect, AppendBatches):
            self.moments |= APPENDED
            self._append(effect)
        elif isinstance(effect, Committed):
            self.moments |= COMMITTED
            leading = self.election.epoch if self.role.name == "Leader" else None
            self.book.commits(self.memory, effect.high_watermark, self.voters.latest, leading)
        elif isinstance(effect, SaveElection):
            self.moments |= SAVED
        elif isinstance(effect, TruncateLog):
            self.moments |= TRUNCATED
            self._cut(effect, before.high_watermark)
        elif isinstance(effect, DropPrefix):
            self.moments |= DROPPING
            self.memory.accepted.drop(effect.before)
        elif isinstance(effect, WriteSnapshotPart):
            self.moments |= DOWNLOADING
        elif isinstance(effect, InstallSnapshot):
            self.moments |= INSTALLING

    def look(self, now_us: int) -> None:
        """What needs no step to break: a leader that nobody listens to any more."""
        replica = self
        role = replica.role
        if isinstance(role, Leader):
            voters = replica.voters.latest
            self.silence.check(self.memory, voters, now_us)
            voter_sets.observers_are_not_counted(
                self.memory.id, role.heard, [voter.id for voter in voters]
            )

    def _role_changed(self, role: str, epoch: int) -> None:
        memory, replica = self.memory, self
        was_voter = any(voters.is_voter(self.config.key) for _, voters in self.voters.sets)
        voter_sets.only_voters_campaign(memory.id, role, replica.is_voter or was_voter)
        if role == "Prospective":
            elections.a_pre_vote_raises_no_epoch(memory.id, epoch, replica.election.epoch)
        if role == "Leader":
            self.moments |= ELECTED
            memory.leading_since_us = self.true_us
            memory.heard_us.clear()

    def _request(
        self,
        event: RequestArrived,
        before: ElectionState,
        effects: list[Effect],
        log: LogView,
    ) -> None:
        """``before`` and ``log`` are as they were when the request came."""
        message = event.message
        if isinstance(message, VoteRequest):
            raised = self.election.epoch > before.epoch
            saved = any(isinstance(one, SaveElection) for one in effects)
            if message.pre_vote:
                elections.a_pre_vote_answer_saves_nothing(self.memory.id, saved, raised)
            granted = any(
                isinstance(one, Answer)
                and isinstance(one.message, VoteResponse)
                and one.message.granted
                for one in effects
            )
            repeated = not raised and before.voted is not None
            if granted and not message.pre_vote and not repeated:
                elections.votes_go_to_good_logs(self.memory.id, message.log_end, log.end_id)
        elif (
            isinstance(message, (FetchRequest, FetchSnapshotRequest, UpdateVoterRequest))
            and message.epoch == self.election.epoch
        ):
            one = message.key if isinstance(message, UpdateVoterRequest) else message.replica
            self.memory.heard_us[one.id] = self.true_us

    def _append(self, effect: AppendBatches) -> None:
        memory, replica = self.memory, self
        leads = isinstance(replica.role, Leader)
        if leads:
            who = (memory.id, memory.life)
            elections.a_restarted_leader_writes_nothing(
                self.book.leaders, replica.election.epoch, who
            )
        for batch in effect.batches:
            last = memory.accepted.last
            entry = self.book.accepts(memory, batch, is_own=leads)
            if last is not None and last.epoch != entry.epoch:
                opens = bool(batch.controls) and isinstance(
                    batch.controls[0].value, LeaderChangeControl
                )
                logs.an_epoch_opens_with_a_leader_change(memory.id, entry, opens)
            if leads:
                logs.a_leader_writes_its_own_epoch(memory.id, replica.election.epoch, entry)
            for control in batch.controls:
                if isinstance(control.value, VotersControl):
                    self._voters_changed(control.offset)

    def _voters_changed(self, offset: int) -> None:
        if isinstance(self.role, Leader):
            self.memory.leading_since_us = self.true_us  # another majority to hear from
        sets = self.voters.sets
        committed, open_changes = self.book.committed.end, 0
        for (_, before), (at, after) in pairwise(sets):
            if at == offset:
                voter_sets.voters_change_one_at_a_time(before, after)
            if at >= committed and before.keys != after.keys:
                open_changes += 1
        voter_sets.one_voter_change_at_a_time(self.memory.id, open_changes)

    def _snapshots_changed(self) -> None:
        """KIP-630's invariants, as the core has them."""
        own, log, committed = self.memory.id, self.log, self.book.committed
        ids = [one for one, _ in log.snapshots]
        snapshots.a_log_that_begins_late_has_a_snapshot(own, log.start, ids)
        snapshots.snapshots_end_between_log_start_and_watermark(own, log.start, ids, committed.end)
        for one in ids[-1:]:
            last = committed.before(one.offset)
            snapshots.a_snapshot_is_named_by_its_last_record(own, one, last)

    def _cut(self, effect: TruncateLog, watermark: int | None) -> None:
        memory = self.memory
        logs.a_leader_never_truncates(memory.id, self.role.name, effect.to)
        logs.nothing_below_the_watermark_is_cut(memory.id, effect.to, watermark)
        logs.nothing_committed_is_cut(memory.id, memory.accepted, effect.to, self.book.committed)
        memory.accepted.cut(effect.to)


def _epoch_of(event: Event, before: Epoch) -> Epoch:
    """Where a campaign starts: an EndQuorumEpoch of a later epoch is taken over first."""
    if isinstance(event, RequestArrived) and isinstance(event.message, EndEpochRequest):
        return max(before, event.message.epoch)
    return before


_FIELDS = Replica.__attrs_attrs__
