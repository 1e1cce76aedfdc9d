"""Votes: who may be granted one, whose log is good enough, what makes a majority (KIP-595, 996)."""

from __future__ import annotations

from attrs import evolve

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.base.value import value
from metaquorum.quorum.types import ElectionState, ReplicaKey
from metaquorum.quorum.voters import VoterSet


@value
class Ballot:
    """The voters as they were when the campaign began, and their answers, ids ascending."""

    voters: VoterSet
    granted: tuple[NodeId, ...] = ()
    rejected: tuple[NodeId, ...] = ()

    @property
    def is_won(self) -> bool:
        """Whether a majority granted."""
        return len(self.granted) >= self.voters.majority

    @property
    def is_lost(self) -> bool:
        """Whether so many rejected that no majority can grant any more."""
        return len(self.rejected) > len(self.voters) - self.voters.majority

    @property
    def unanswered(self) -> tuple[NodeId, ...]:
        """Voters that have given no answer yet."""
        return tuple(
            voter.id
            for voter in self.voters
            if voter.id not in self.granted and voter.id not in self.rejected
        )

    def with_answer(self, voter_id: NodeId, granted: bool) -> Ballot:
        """This ballot with one voter's answer; a later answer of the same voter replaces it."""
        if self.voters.by_id(voter_id) is None:
            raise InvariantViolated(f"node {voter_id} answered a vote that it was not asked for")
        yes = tuple(one for one in self.granted if one != voter_id)
        no = tuple(one for one in self.rejected if one != voter_id)
        if granted:
            return evolve(self, granted=tuple(sorted((*yes, voter_id))), rejected=no)
        return evolve(self, granted=yes, rejected=tuple(sorted((*no, voter_id))))

    def without_answer(self, voter_id: NodeId) -> Ballot:
        """This ballot before one voter answered: it is asked again."""
        return evolve(
            self,
            granted=tuple(one for one in self.granted if one != voter_id),
            rejected=tuple(one for one in self.rejected if one != voter_id),
        )


def is_up_to_date(theirs: OffsetAndEpoch, ours: OffsetAndEpoch) -> bool:
    """Whether a candidate's log is at least as good as ours: later epoch first, then length."""
    return theirs >= ours


def grants_pre_vote(role: str, has_fetched: bool, up_to_date: bool) -> bool:
    """Whether this replica would vote (KIP-996): never a leader, nor who hears a leader."""
    if role == "Leader" or (role == "Follower" and has_fetched):
        return False
    return up_to_date


def grants_vote(
    role: str, election: ElectionState, candidate: ReplicaKey, up_to_date: bool
) -> bool:
    """Whether this replica votes for ``candidate`` in the present epoch.

    The same candidate is granted again whatever its log; a stored directory has to match.
    """
    if role not in ("Unattached", "Prospective"):
        return False
    if election.voted is not None:
        return election.voted.covers(candidate)
    return election.leader_id is None and up_to_date
