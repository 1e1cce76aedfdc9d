"""What appending other voters does to a leader (KIP-853)."""

from __future__ import annotations

from attrs import evolve

from metaquorum.base.clock import Millis
from metaquorum.base.errors import InvariantViolated
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.handlers.commit import advance_leader, wake_parked
from metaquorum.quorum.handlers.election.follower_contact import others_needed
from metaquorum.quorum.handlers.voter_answer import answer_change
from metaquorum.quorum.messages import NONE
from metaquorum.quorum.roles.leader import Leader, VoterChange
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import ControlValue


def append_voters(
    replica: ReplicaState,
    values: tuple[ControlValue, ...],
    change: VoterChange | None,
    now: Millis,
    out: list[Effect],
) -> None:
    """Append the voters in a batch of their own; they count at once, committed or not.

    ``change`` waits for the commit; one that wants no wait is answered now.
    """
    role = replica.role
    if not isinstance(role, Leader):
        raise InvariantViolated(f"{role.name} cannot change the voters")
    before = tuple(voter.id for voter in replica.voters.latest)
    at = replica.log.end
    batch = replica.config.make_control_batch(values, at, replica.election.epoch)
    replica.append((batch,), out)
    role.progress.note_append(batch.next_offset, batch.size_bytes)
    if change is not None:
        replica.role = evolve(role, change=evolve(change, offset=batch.last_offset))
        if not change.ack_when_committed:
            answer_change(replica, NONE, out)
    _recount(replica, before, now)
    wake_parked(replica, now, out)
    advance_leader(replica, now, out)


def _recount(replica: ReplicaState, before: tuple[int, ...], now: Millis) -> None:
    """From which voters of the new set this leader needs fetches, and which are to know it leads.

    Who is needed for a commit, the next one shows; until then all are sent records at once.
    The time to hear them starts anew: it did not run while the leader needed nobody.
    """
    role, voters = replica.role, replica.voters.latest
    if not isinstance(role, Leader):
        return
    role.progress.thrift.reset()
    new = [voter.id for voter in voters if voter.id not in before]
    announced = [one for one in role.to_tell if voters.by_id(one) is not None]
    own = replica.config.node_id
    heard = tuple(one for one in role.heard if voters.by_id(one) is not None)
    replica.role = evolve(
        role,
        heard=() if len(heard) >= others_needed(replica) else heard,
        check_quorum_deadline=now + replica.config.check_quorum_ms,
        to_tell=tuple(sorted({*announced, *new} - {own})),
    )
