"""What a replica knows, and the operations on it that the handlers share.

This file imports no handler: ``handlers/`` and ``role_changes.py`` are written over the state, and
``replica.py`` steps it with them.
"""

from __future__ import annotations

from attrs import define, evolve, field

from metaquorum.base.chance import Chance
from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import NO_OFFSET, Epoch, LeaderAndEpoch, Offset
from metaquorum.quorum.config import ReplicaConfig
from metaquorum.quorum.download import Download
from metaquorum.quorum.effects import (
    Answer,
    AppendBatches,
    Complaint,
    Effect,
    LeaderChanged,
    RoleChanged,
    SaveElection,
    Send,
)
from metaquorum.quorum.fetch_answers import FetchAnswers
from metaquorum.quorum.log_view import LogView
from metaquorum.quorum.messages import (
    NOT_LEADER_OR_FOLLOWER,
    REQUEST_TIMED_OUT,
    FetchResponse,
    Hint,
    Request,
    Response,
    VoterChangeResponse,
)
from metaquorum.quorum.notify import ParkedFetches
from metaquorum.quorum.peers import InFlight, Peers
from metaquorum.quorum.roles import Role
from metaquorum.quorum.roles.candidate import Candidate
from metaquorum.quorum.roles.follower import Follower
from metaquorum.quorum.roles.leader import Leader, VoterChange
from metaquorum.quorum.roles.transitions import check_move
from metaquorum.quorum.roles.unattached import Unattached
from metaquorum.quorum.summary import Summary
from metaquorum.quorum.types import (
    Batch,
    ElectionState,
    Endpoint,
    LostLeader,
    Peer,
    RequestId,
    Ticket,
    Voter,
)
from metaquorum.quorum.voters import VoterHistory


@define(eq=False)
class ReplicaState:
    """The state of one member of the metadata quorum.

    ``election``, ``log`` and ``voters`` are what the disk held at the start. ``settled_as``: as
    this it has nothing to tell a leader of these voters. ``heard_epoch``: the last one whose
    leader answered this replica, and ``heard_at`` where.
    """

    config: ReplicaConfig
    election: ElectionState
    log: LogView
    voters: VoterHistory
    chance: Chance
    since_ms: Millis
    role: Role = field(factory=lambda: Unattached(NEVER))
    peers: Peers = field(factory=Peers)
    parked: ParkedFetches = field(factory=ParkedFetches)
    fetch_answers: FetchAnswers = field(factory=FetchAnswers)
    why: str = "not started"
    lost: LostLeader | None = None
    download: Download | None = None
    heard_epoch: Epoch | None = None
    heard_at: tuple[Endpoint, ...] = ()
    started: bool = False
    shutdown_deadline: Millis | None = None
    shutdown_said: bool = False
    last_ticket: Ticket = 0
    durable_ticket: Ticket = 0
    election_ticket: Ticket = 0
    log_ticket: Ticket = 0
    correlation: int = 0
    cleaned_ms: Millis = 0
    announced_leader: LeaderAndEpoch = field(factory=lambda: LeaderAndEpoch(None, 0))
    halted: str = ""
    settled_as: tuple[Voter, VoterHistory] | None = None

    # What this replica is.

    @property
    def is_voter(self) -> bool:
        """Whether this replica is in the latest voter set, committed or not."""
        return self.voters.latest.is_voter(self.config.key)

    @property
    def may_campaign(self) -> bool:
        """Whether this replica may stand for election: a voter, or one being taken out of them.

        Until its removal is committed others may need it: it may be the only one that holds what
        they have to have, and they cannot be elected against its longer log (Raft 4.2.2).
        """
        return self.voters.may_campaign(self.config.key, self.log.high_watermark)

    @property
    def epoch(self) -> Epoch:
        """The latest epoch that this replica knows of."""
        return self.election.epoch

    @property
    def leader_id(self) -> NodeId | None:
        """Who leads this epoch, as far as this replica may tell others.

        A leader that resigned, or came back from a crash, no longer names itself.
        """
        leader_id = self.election.leader_id
        if leader_id is None or leader_id != self.config.node_id:
            return leader_id
        return leader_id if isinstance(self.role, Leader) else None

    @property
    def hint(self) -> Hint:
        """Leader, epoch and the leader's endpoints, for answers to anybody.

        Another leader is named once it has answered a fetch of this epoch: that another node said
        who leads proves nothing, and passing a wrong one on may end the node that it names, if that
        is one of Kafka's.
        """
        epoch = self.election.epoch
        if self.heard_epoch == epoch or self.leader_id == self.config.node_id:
            return self.leader_hint
        return Hint(None, epoch)

    @property
    def leader_hint(self) -> Hint:
        """The same, a leader that has not answered yet included: for its own announcement."""
        leader_id = self.leader_id
        if leader_id is None:
            return Hint(None, self.election.epoch)
        if leader_id == self.config.node_id:
            return Hint(leader_id, self.election.epoch, self.config.endpoints)
        if isinstance(self.role, Follower):
            return Hint(leader_id, self.election.epoch, self.role.endpoints)
        return Hint(leader_id, self.election.epoch, self.leader_place)

    @property
    def leader_place(self) -> tuple[Endpoint, ...]:
        """Where another node that leads this epoch was heard, else where the voters say it is.

        They may not say yet that it has moved; and nobody moves and leads on.
        """
        if self.heard_epoch == self.election.epoch:
            return self.heard_at
        leader_id = self.election.leader_id
        voter = None if leader_id is None else self.voters.latest.by_id(leader_id)
        return () if voter is None else voter.endpoints

    @property
    def shown_high_watermark(self) -> Offset:
        """The watermark to tell others; -1 while unknown, or while a leader has not committed
        anything of its own epoch (KAFKA-12619).
        """
        known = self.log.high_watermark
        if known is None or (isinstance(self.role, Leader) and known <= self.role.epoch_start):
            return NO_OFFSET
        return known

    # What handlers do to it.

    def next_ticket(self) -> Ticket:
        """The next place in the order of the disk."""
        self.last_ticket += 1
        return self.last_ticket

    def enter(
        self, role: Role, election: ElectionState, why: str, now: Millis, out: list[Effect]
    ) -> None:
        """Change the role, after asserting that it may; save the election if it changed."""
        before, epoch_before = self.role.name, self.election.epoch
        check_move(before, role.name, epoch_before, election.epoch)
        moved = before != role.name or epoch_before != election.epoch
        if moved:
            self.peers = Peers()
            self.why, self.since_ms = why, now
        led, change = isinstance(self.role, Leader) and not isinstance(role, Leader), None
        if isinstance(self.role, Leader):
            change = self.role.change
        self.role = role
        if moved or election != self.election:
            self.announce_role(before, epoch_before, election, why, out)
        self.save_election(election, out)
        self.announce_leader(out)
        if led and change is not None and change.request_id is not None:
            self.answer(change.request_id, self._lost(change), out)
        if led:  # fetches that wait for our records must not wait in vain (KAFKA-10677)
            refusal = FetchResponse(NOT_LEADER_OR_FOLLOWER, self.hint, log_start=self.log.start)
            for fetch in self.parked.take_all():
                self.answer(fetch.id, refusal, out)

    def _lost(self, change: VoterChange) -> VoterChangeResponse:
        """The answer to a change whose leader leads no more: a record in the log may come about,
        so only of a change that has none does the answer say to ask another node.
        """
        if change.offset is None:
            return VoterChangeResponse(NOT_LEADER_OR_FOLLOWER, self.hint)
        text = "leadership ended before the change was committed; it may still be"
        return VoterChangeResponse(REQUEST_TIMED_OUT, self.hint, text)

    def announce_role(
        self,
        before: str,
        epoch_before: Epoch,
        election: ElectionState,
        why: str,
        out: list[Effect],
    ) -> None:
        """Tell the host what this replica is from now on, and why."""
        out.append(
            RoleChanged(
                before,
                self.role.name,
                epoch_before,
                election.epoch,
                election.leader_id,
                self.log.end_id,
                why,
            )
        )

    def complain(self, text: str, out: list[Effect], *, mistake: bool = True) -> None:
        """One line for the log about what no correct peer does, or, if it is no mistake, about
        what was asked in vain.
        """
        out.append(Complaint(text, mistake))

    def save_election(self, election: ElectionState, out: list[Effect]) -> None:
        """Put the election on the disk if it differs from what is there or on its way."""
        if election != self.election:
            self.election = election
            self.election_ticket = self.next_ticket()
            out.append(SaveElection(self.election_ticket, election, self.voters.kraft_version))

    def announce_leader(self, out: list[Effect]) -> None:
        """Tell the host about another leader or epoch, once."""
        leader = LeaderAndEpoch(self.leader_id, self.election.epoch)
        if leader != self.announced_leader:
            self.announced_leader = leader
            active_from = self.role.active_from if isinstance(self.role, Leader) else None
            out.append(LeaderChanged(self.election_ticket, leader, active_from))

    def append(self, batches: tuple[Batch, ...], out: list[Effect]) -> None:
        """Accept stamped batches at the log end; their control records count from now on."""
        ticket = self.log_ticket = self.next_ticket()
        self.log = self.log.appended(ticket, batches)
        for batch in batches:
            for control in batch.controls:
                self.voters = self.voters.with_control(control)
        out.append(AppendBatches(ticket, batches))

    def answer(self, request_id: RequestId, message: Response, out: list[Effect]) -> None:
        """Answer a request. It names the epoch, so it waits for the disk to know that epoch."""
        out.append(Answer(self.election_ticket, request_id, message))

    def send(
        self, peer: Peer, message: Request, now: Millis, out: list[Effect], *, after: Ticket = 0
    ) -> None:
        """Send a request that names our epoch, and expect its answer within the time-out."""
        self.correlation += 1
        due = now + self.config.request_timeout_ms
        self.peers = self.peers.sent(peer.id, InFlight(self.correlation, due, message))
        out.append(Send(max(after, self.election_ticket), peer, self.correlation, message))

    # For hosts, metrics and the explorer.

    def value(self) -> tuple[object, ...]:
        """This state as a hashable value, without numbers that only ever grow.

        Tickets count from the durable one, as all that matters of them is what is still on its
        way; request ids and correlations are left to the caller, which knows the ones still
        awaited.
        """
        durable = self.durable_ticket
        return (
            self.election,
            _role_value(self.role, durable),
            self.log.value(durable),
            self.voters,
            self.peers.value(),
            tuple(fetch.request for fetch in self.parked.value()),
            self.started,
            self.lost,
            self.download,
            self.heard_epoch == self.election.epoch and self.heard_at,
            self.shutdown_deadline,
            max(0, self.election_ticket - durable),
            max(0, self.log_ticket - durable),
            self.last_ticket - durable,
            self.announced_leader,
            self.halted,
        )

    def summary(self) -> Summary:
        """What metrics, health and one-line events show."""
        role = self.role
        leader = role if isinstance(role, Leader) else None
        return Summary(
            role=role.name,
            epoch=self.election.epoch,
            leader_id=self.leader_id,
            leader_endpoints=self.leader_hint.endpoints,
            voted=self.election.voted,
            high_watermark=self.log.high_watermark,
            log_start=self.log.start,
            log_end=self.log.end,
            durable_end=self.log.durable_end,
            last_epoch=self.log.last_epoch,
            newest_snapshot=self.log.newest_snapshot,
            voters=self.voters.latest,
            kraft_version=self.voters.kraft_version,
            is_voter=self.is_voter,
            why=self.why,
            since_ms=self.since_ms,
            active_from=leader.active_from if leader else None,
            last_ticket=self.last_ticket,
            parked=len(self.parked),
            uncommitted_bytes=leader.progress.uncommitted_bytes if leader else 0,
        )


def _role_value(role: Role, durable: Ticket) -> object:
    if isinstance(role, Leader):
        waits, change = False, role.change
        if change is not None:
            waits, change = change.request_id is not None, evolve(change, request_id=None)
        return (evolve(role, change=change), waits, role.progress.value())
    if isinstance(role, Candidate):
        return evolve(role, own_vote=max(0, role.own_vote - durable))
    return role
