"""Appending: the leader gives offsets at once, the disk and the majority promise later."""

from __future__ import annotations

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import Epoch
from metaquorum.quorum.effects import AppendDropped, Appended, Effect
from metaquorum.quorum.events import AppendAsked, AppendsPaused
from metaquorum.quorum.handlers.commit import wake_parked
from metaquorum.quorum.messages import (
    BROKER_NOT_AVAILABLE,
    INVALID_REQUEST,
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    THROTTLING_QUOTA_EXCEEDED,
    UNKNOWN_LEADER_EPOCH,
)
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import Batch


def on_append_asked(
    replica: ReplicaState, event: AppendAsked, now: Millis, out: list[Effect]
) -> None:
    """Stamp the batches with their offsets and our epoch, or refuse all of them."""
    asked = sum(batch.size_bytes for batch in event.batches)
    error = append_refusal(replica, event.epoch, asked)
    if error == NONE and not event.batches:
        error = INVALID_REQUEST
    role = replica.role
    if error != NONE or not isinstance(role, Leader):
        out.append(AppendDropped(event.id, error))
        return
    epoch, base = replica.election.epoch, replica.log.end
    end = base
    stamped: list[Batch] = []
    for batch in event.batches:
        placed = replica.config.stamp(batch, end, epoch)
        stamped.append(placed)
        end = placed.next_offset
        role.progress.note_append(end, placed.size_bytes)
    replica.append(tuple(stamped), out)
    out.append(Appended(event.id, base, end, epoch))
    if not event.more_follow:
        wake_parked(replica, now, out)


def on_appends_paused(
    replica: ReplicaState, event: AppendsPaused, now: Millis, out: list[Effect]
) -> None:
    """Answer the fetches that wait for records, once for all that came together."""
    wake_parked(replica, now, out)


def append_refusal(
    replica: ReplicaState, epoch: Epoch, size_bytes: int, behind_bytes: int = 0
) -> int:
    """Why the leader of ``epoch`` cannot append so much now, behind so much that it is about to
    append before; NONE if it can.

    Between this and the append no step may lie: then what was not refused here is not refused.
    """
    if epoch > replica.election.epoch:
        return UNKNOWN_LEADER_EPOCH
    role = replica.role
    if not isinstance(role, Leader) or epoch < replica.election.epoch:
        return NOT_LEADER_OR_FOLLOWER
    if replica.shutdown_deadline is not None:
        return BROKER_NOT_AVAILABLE
    waiting = role.progress.uncommitted_bytes + behind_bytes
    if waiting and waiting + size_bytes > replica.config.uncommitted_max_bytes:
        return THROTTLING_QUOTA_EXCEEDED
    return NONE
