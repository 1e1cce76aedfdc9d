"""What the disk reports: tickets that are durable, failures, snapshots."""

from __future__ import annotations

from metaquorum.base.clock import Millis
from metaquorum.base.errors import InvariantViolated
from metaquorum.quorum.effects import Effect, Halt
from metaquorum.quorum.events import DiskFailed, Durable, SnapshotWritten
from metaquorum.quorum.handlers.commit import advance_leader
from metaquorum.quorum.handlers.replication.retention import look_for_old_parts
from metaquorum.quorum.role_changes import count_own_vote
from metaquorum.quorum.state import ReplicaState


def on_durable(replica: ReplicaState, event: Durable, now: Millis, out: list[Effect]) -> None:
    """The durable end moves; an own vote may count, the watermark may move."""
    if not replica.durable_ticket <= event.ticket <= replica.last_ticket:
        raise InvariantViolated(
            f"ticket {event.ticket} reported durable, after {replica.durable_ticket} "
            f"and with {replica.last_ticket} given"
        )
    replica.durable_ticket = event.ticket
    replica.log = replica.log.durable(event.ticket)
    count_own_vote(replica, now, out)
    advance_leader(replica, now, out)


def on_disk_failed(
    replica: ReplicaState, event: DiskFailed, now: Millis, out: list[Effect]
) -> None:
    """A failed write is never tried again: the kernel may have dropped what it could not write."""
    replica.halted = f"disk effect {event.ticket} failed: {event.why}"
    out.append(Halt(replica.halted))


def on_snapshot_written(
    replica: ReplicaState, event: SnapshotWritten, now: Millis, out: list[Effect]
) -> None:
    """From now on this snapshot is what a replica far behind starts from (KIP-630).

    One that was overtaken while it was written, by an install for instance, is of no use: its
    file goes with the next prefix, or at the next start.
    """
    newest = replica.log.newest_snapshot
    if newest is not None and event.id.offset <= newest.offset:
        return
    replica.log = replica.log.with_snapshot(event.id, event.size_bytes)
    look_for_old_parts(replica, now, out)
