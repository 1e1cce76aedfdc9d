"""A follower copies its leader's log: records, divergence, snapshots (KIP-595, KIP-630)."""

from __future__ import annotations

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.quorum.effects import Effect, TruncateLog
from metaquorum.quorum.handlers.commit import commit
from metaquorum.quorum.handlers.election.leader_contact import leader_is_alive
from metaquorum.quorum.handlers.election.leader_discovery import follow_hint, resolve
from metaquorum.quorum.handlers.replication.retention import follow_leaders_start
from metaquorum.quorum.handlers.snapshot.download import begin_download, is_installing
from metaquorum.quorum.messages import NONE, FetchRequest, FetchResponse, Hint
from metaquorum.quorum.role_changes import become_follower
from metaquorum.quorum.roles.follower import Follower
from metaquorum.quorum.roles.unattached import Unattached
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import Batch, SnapshotId


def on_fetch_answer(
    replica: ReplicaState,
    peer_id: int,
    request: FetchRequest,
    message: FetchResponse,
    now: Millis,
    out: list[Effect],
) -> None:
    """Only the leader of our epoch answers without an error, so what it says is taken."""
    if message.error == NONE:
        _follow_who_answers(replica, message.hint, now, out)
    if not follow_hint(replica, peer_id, message.error, message.hint, now, out):
        return
    if not isinstance(replica.role, Follower):
        replica.peers = replica.peers.rests(peer_id, now + replica.config.retry_backoff_ms)
        return
    if request.offset != replica.log.end:
        return
    if is_installing(replica):  # the log that it asked for is about to go
        leader_is_alive(replica, now)
        return
    if message.diverging is not None:
        replica.download = None
        taken = _cut(replica, message.diverging, out)
    elif message.snapshot is not None and _parts_from(replica, message.snapshot):
        replica.download = None
        taken = _cut(replica, message.snapshot, out)
    elif message.snapshot is not None:
        taken = begin_download(replica, message.snapshot, truncation_floor(replica), out)
    else:
        replica.download = None
        taken = _take_records(replica, message, out)
        follow_leaders_start(replica, message.log_start, out)
    if not taken:
        replica.peers = replica.peers.rests(peer_id, now + replica.config.retry_backoff_ms)
        return
    leader_is_alive(replica, now)


def _follow_who_answers(replica: ReplicaState, hint: Hint, now: Millis, out: list[Effect]) -> None:
    """The leader itself counts for more than a hint to another, which never answered.

    Without this one lie would keep an observer from its quorum for a whole epoch: no time-out
    raises its epoch.
    """
    epoch, sent, known = replica.election.epoch, hint.leader_id, replica.election.leader_id
    own = replica.config.node_id
    if hint.epoch != epoch or replica.heard_epoch == epoch or known is None or sent is None:
        return
    endpoints = resolve(replica, hint)
    if sent in (known, own) or known == own or not endpoints:
        return
    if isinstance(replica.role, Unattached | Follower):
        why = f"node {sent} answers as leader of epoch {epoch}, and node {known} never did"
        become_follower(replica, sent, endpoints, epoch, now, why, out)


def truncation_floor(replica: ReplicaState) -> Offset:
    """What is committed, as far as we know, or gone into a snapshot, is never cut (KAFKA-12460).

    After a start no watermark is known, but a snapshot is of committed records only.
    """
    log = replica.log
    covered = 0 if log.newest_snapshot is None else log.newest_snapshot.offset
    return max(log.high_watermark or 0, log.start, covered)


def _parts_from(replica: ReplicaState, snapshot: SnapshotId) -> bool:
    """Whether our log ends where the leader's snapshot does, by a record of a later epoch.

    That record was never committed, and the leader's log begins here, so it cannot tell where the
    two part. The snapshot's epoch does; what is left after the cut is behind the snapshot.
    """
    log = replica.log
    return snapshot.offset == log.end and snapshot.epoch < log.last_epoch


def _cut(replica: ReplicaState, diverging: OffsetAndEpoch, out: list[Effect]) -> bool:
    """Drop what the leader does not have. What is committed is never dropped."""
    to = replica.log.truncation_point(diverging)
    floor = truncation_floor(replica)
    if to < floor or to >= replica.log.end:
        replica.complain(
            f"node {replica.leader_id} wants our log cut at {to}; it is committed or absent below "
            f"{floor} and ends at {replica.log.end}",
            out,
        )
        return False
    ticket = replica.log_ticket = replica.next_ticket()
    replica.log = replica.log.truncated(ticket, to)
    replica.voters = replica.voters.truncated(to)
    out.append(TruncateLog(ticket, to))
    return True


def _take_records(replica: ReplicaState, message: FetchResponse, out: list[Effect]) -> bool:
    """Append the good batches at the front; False when the first one does not fit (KAFKA-18723)."""
    offered = message.records if isinstance(message.records, tuple) else ()
    good, wrong = _good_front(replica, offered)
    if wrong:
        replica.complain(f"node {replica.leader_id} sent {wrong}", out)
    if good:
        replica.append(good, out)
    known = replica.log.high_watermark
    sent = min(message.high_watermark, replica.log.end)
    if sent >= 0 and (known is None or sent > known):
        commit(replica, sent, out)
    return bool(good) or not offered


def _good_front(
    replica: ReplicaState, offered: tuple[Batch, ...]
) -> tuple[tuple[Batch, ...], str | None]:
    """The batches that follow our log and each other, and what is wrong with the next one."""
    end, last_epoch, history = replica.log.end, replica.log.last_epoch, replica.voters
    for at, batch in enumerate(offered):
        place = f"a batch at {batch.base_offset} of epoch {batch.epoch}"
        if batch.base_offset != end or batch.last_offset < end:
            return offered[:at], f"{place} where our log ends at {end}"
        if not last_epoch <= batch.epoch <= replica.election.epoch:
            return offered[:at], f"{place} after one of epoch {last_epoch}"
        if batch.controls:
            refusal = history.refusal(batch.controls)
            if refusal is not None:
                return offered[:at], f"{place}: {refusal}"
            for control in batch.controls:
                history = history.with_control(control)
        end, last_epoch = batch.next_offset, batch.epoch
    return offered, None
