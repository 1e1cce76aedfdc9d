"""The high watermark, and which parked fetches are answered when something changed."""

from __future__ import annotations

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import Offset
from metaquorum.quorum.effects import Committed, Effect
from metaquorum.quorum.handlers.voter_answer import settle_change
from metaquorum.quorum.notify import LeaderNow, ThriftyReplication
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.state import ReplicaState


def advance_leader(
    replica: ReplicaState, now: Millis, out: list[Effect], *, more_follow: bool = False
) -> None:
    """Move the leader's watermark to what a majority holds, once that is of its own epoch."""
    role = replica.role
    if not isinstance(role, Leader):
        return
    offset = role.progress.high_watermark(
        replica.voters.latest, replica.config.key, counted_end(replica)
    )
    if not is_of_own_epoch(role, offset) or offset <= replica.shown_high_watermark:
        return
    commit(replica, offset, out)
    role.progress.note_committed(offset)
    role.progress.note_holders(offset, replica.voters.latest, replica.config.key)
    wake_parked(replica, now, out, moved=True, more_follow=more_follow)
    settle_change(replica, now, out)


def is_of_own_epoch(role: Leader, offset: Offset) -> bool:
    """Records of earlier epochs are committed only together with one of this epoch (KIP-595)."""
    return offset > role.epoch_start


def counted_end(replica: ReplicaState) -> Offset:
    """How far the leader counts itself: what its own disk holds, as for any other voter."""
    return replica.log.durable_end


def commit(replica: ReplicaState, offset: Offset, out: list[Effect]) -> None:
    """Everything below ``offset`` is committed."""
    replica.log = replica.log.committed(offset)
    out.append(Committed(replica.election_ticket, offset))


def wake_parked(
    replica: ReplicaState,
    now: Millis,
    out: list[Effect],
    *,
    moved: bool = False,
    more_follow: bool = False,
) -> None:
    """Answer the parked fetches that ``quorum.notify`` says are to be answered now."""
    if not len(replica.parked):
        return
    leader = leader_now(replica, now, more_follow)
    for fetch in replica.parked.take_news(leader, committed=moved):
        replica.answer(fetch.id, replica.fetch_answers.to(replica, fetch.request), out)


def leader_now(replica: ReplicaState, now: Millis, batch_open: bool) -> LeaderNow:
    """What decides when a Fetch is answered; one that resigned needs no voter for a commit."""
    role = replica.role
    return LeaderNow(
        replica.log.end,
        replica.shown_high_watermark,
        replica.voters.latest,
        role.progress.thrift if isinstance(role, Leader) else ThriftyReplication(),
        now,
        batch_open,
    )
