"""The high watermark, and who is woken by news."""

from __future__ import annotations

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import Offset
from metaquorum.quorum.effects import Committed, Effect
from metaquorum.quorum.handlers.voter_answer import settle_change
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.spares import Spares
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
    """Answer the parked fetches for which there is news, and not those that are to have more."""
    if not len(replica.parked):
        return
    role = replica.role
    end, watermark = replica.log.end, replica.shown_high_watermark
    voters = replica.voters.latest
    # One that resigned has no spares, and may still have news for those that were put off.
    spares = role.progress.spares if isinstance(role, Leader) else Spares()
    news = replica.parked.take_news(
        end, watermark, voters, spares, now, moved=moved, more_follow=more_follow
    )
    for fetch in news:
        replica.answer(fetch.id, replica.fetch_answers.to(replica, fetch.request), out)
