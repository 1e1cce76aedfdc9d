"""What a replica is when it comes back: decided from its disk alone."""

from __future__ import annotations

from metaquorum.base.chance import Chance
from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.errors import InvariantViolated, OperatorError
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.quorum.config import ReplicaConfig
from metaquorum.quorum.election import Ballot
from metaquorum.quorum.roles import Role
from metaquorum.quorum.roles.candidate import Candidate
from metaquorum.quorum.roles.follower import Follower
from metaquorum.quorum.roles.resigned import Resigned
from metaquorum.quorum.roles.unattached import Unattached
from metaquorum.quorum.types import ElectionState
from metaquorum.quorum.voters import VoterHistory


def check_election_file(
    election: ElectionState | None, log_end: Offset, last_epoch: Epoch, where: str
) -> ElectionState:
    """The election to start with, or OperatorError when votes may have been forgotten.

    ``election`` is None when the quorum-state file is absent, which is fine beside an empty log
    only; ``log_end`` and ``last_epoch`` include snapshots. ``where`` names the directory.
    """
    way_out = (
        "Restore the file from the same moment as the log. If it is lost, this replica may have "
        "voted in an epoch that it no longer knows: empty the directory and format it anew, so "
        "that it joins under a new directory id as a new replica."
    )
    if election is None:
        if log_end > 0:
            raise OperatorError(
                f"{where} holds a log up to offset {log_end} but no quorum-state file. {way_out}"
            )
        return ElectionState()
    if election.epoch < last_epoch:
        raise OperatorError(
            f"{where}: quorum-state is at epoch {election.epoch}, the log beside it at epoch "
            f"{last_epoch}, which is written only after quorum-state. {way_out}"
        )
    return election


def initial_role(
    config: ReplicaConfig,
    election: ElectionState,
    last_epoch: Epoch,
    history: VoterHistory,
    chance: Chance,
    now: Millis,
) -> tuple[Role, str]:
    """The role to start in and why.

    A restarted leader is resigned for its epoch: what it had appended but not synced is lost, so
    it must not write in that epoch again (KAFKA-10527).
    """
    if election.epoch < last_epoch:
        raise InvariantViolated(f"election epoch {election.epoch} behind the log's {last_epoch}")
    timeout = config.election_timeout_ms
    deadline = now + timeout + (chance.jitter(0, timeout - 1) if timeout else 0)
    voters = history.latest
    if election.leader_id == config.node_id:
        others = tuple(voter.id for voter in voters if voter.id != config.node_id)
        return Resigned(deadline, (), others), "it led this epoch before it was restarted"
    may_campaign = history.may_campaign(config.key, None)
    own_vote = election.voted is not None and election.voted.covers(config.key)
    if own_vote and election.leader_id is None and may_campaign:
        return Candidate(Ballot(voters), deadline, 0), "it stood for election before the restart"
    if election.leader_id is not None:
        leader = voters.by_id(election.leader_id)
        if leader is not None and leader.endpoints:
            fetch_deadline = now + config.fetch_timeout_ms
            follower = Follower(
                election.leader_id,
                leader.endpoints,
                fetch_deadline,
                update_deadline=fetch_deadline,
            )
            return follower, "it knew the leader of this epoch before the restart"
    role = Unattached(deadline if may_campaign else NEVER)
    return role, "it knows no leader"
