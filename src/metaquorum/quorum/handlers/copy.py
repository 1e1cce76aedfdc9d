"""A follower copies its leader's log: records, divergence, snapshots (KIP-595, KIP-630)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from metaquorum.base.clock import Millis
from metaquorum.base.limits import MAX_SNAPSHOT_BYTES
from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.quorum.effects import Effect, InstallSnapshot, TruncateLog, WriteSnapshotPart
from metaquorum.quorum.events import SnapshotInstalled, SnapshotRejected
from metaquorum.quorum.handlers.commit import commit
from metaquorum.quorum.handlers.hints import heed
from metaquorum.quorum.handlers.retention import follow_leaders_start
from metaquorum.quorum.messages import (
    SNAPSHOT_NOT_FOUND,
    FetchRequest,
    FetchResponse,
    FetchSnapshotRequest,
    FetchSnapshotResponse,
)
from metaquorum.quorum.prompt import turn_ms
from metaquorum.quorum.roles.follower import FetchingSnapshot, Follower
from metaquorum.quorum.types import Batch, SnapshotId
from metaquorum.quorum.voters import VoterHistory

if TYPE_CHECKING:
    from metaquorum.quorum.replica import Replica


def on_fetch_answer(
    replica: Replica,
    peer_id: int,
    request: FetchRequest,
    message: FetchResponse,
    now: Millis,
    out: list[Effect],
) -> None:
    """Only the leader of our epoch answers without an error, so what it says is taken."""
    if not heed(replica, peer_id, message.error, message.hint, now, out):
        return
    if not isinstance(replica.role, Follower) or request.offset != replica.log.end:
        return
    if message.diverging is not None:
        taken = _cut(replica, message.diverging, out)
    elif message.snapshot is not None:
        taken = _begin_snapshot(replica, message.snapshot, out)
    else:
        taken = _take_records(replica, message, out)
        follow_leaders_start(replica, message.log_start, out)
    if not taken:
        replica.peers = replica.peers.rests(peer_id, now + replica.config.retry_backoff_ms)
        return
    _leader_is_alive(replica, now)


def _leader_is_alive(replica: Replica, now: Millis) -> None:
    role = replica.role
    if isinstance(role, Follower) and not role.ended:
        deadline = now + replica.config.fetch_timeout_ms + turn_ms(replica, role.leader_id)
        replica.lost = None
        replica.role = evolve(role, fetch_deadline=deadline, has_fetched=True)


def truncation_floor(replica: Replica) -> Offset:
    """What is committed, as far as we know, or gone into a snapshot, is never cut (KAFKA-12460).

    After a start no watermark is known, but a snapshot is of committed records only.
    """
    log = replica.log
    covered = 0 if log.newest_snapshot is None else log.newest_snapshot.offset
    return max(log.high_watermark or 0, log.start, covered)


def _cut(replica: Replica, diverging: OffsetAndEpoch, out: list[Effect]) -> bool:
    """Drop what the leader does not have. What is committed is never dropped, whoever asks."""
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


def _take_records(replica: Replica, message: FetchResponse, out: list[Effect]) -> bool:
    """Append the good batches at the front; False when the first one does not fit (KAFKA-18723)."""
    offered = message.records if isinstance(message.records, tuple) else ()
    good, wrong = _good_front(replica, offered)
    if wrong:
        replica.complain(f"node {replica.leader_id} sent {wrong}", out)
    if good:
        replica.append(good, out)
    known = replica.log.high_watermark
    told = min(message.high_watermark, replica.log.end)
    if told >= 0 and (known is None or told > known):
        commit(replica, told, out)
    return bool(good) or not offered


def _good_front(
    replica: Replica, offered: tuple[Batch, ...]
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


def _begin_snapshot(replica: Replica, snapshot: SnapshotId, out: list[Effect]) -> bool:
    """We are so far behind that the records are gone: fetch the state instead."""
    role = replica.role
    known = replica.log.high_watermark
    if not isinstance(role, Follower):
        return False
    epoch = replica.election.epoch
    lower = known is not None and snapshot.offset < known
    if lower or snapshot.offset <= 0 or not 0 <= snapshot.epoch <= epoch:
        told = f"snapshot {snapshot.offset}-{snapshot.epoch}"
        replica.complain(f"node {role.leader_id} wants us to start from {told}", out)
        return False
    replica.role = evolve(role, snapshot=FetchingSnapshot(snapshot))
    return True


def on_snapshot_answer(
    replica: Replica,
    peer_id: int,
    request: FetchSnapshotRequest,
    message: FetchSnapshotResponse,
    now: Millis,
    out: list[Effect],
) -> None:
    """Write the part; when the file is whole, install it."""
    lost = message.error == SNAPSHOT_NOT_FOUND
    if not heed(replica, peer_id, message.error, message.hint, now, out) and not lost:
        return
    role = replica.role
    if not isinstance(role, Follower) or role.snapshot is None or role.snapshot.installing:
        return
    if lost:
        replica.role = evolve(role, snapshot=None)
        _leader_is_alive(replica, now)
        return
    download, data = role.snapshot, message.data
    expected = (download.id, download.position)
    odd = (message.snapshot, message.position) != expected
    too_large = message.size_bytes > MAX_SNAPSHOT_BYTES
    if odd or too_large or not isinstance(data, bytes) or not data:
        replica.complain(f"node {role.leader_id} sent no part of the snapshot we asked for", out)
        replica.peers = replica.peers.rests(peer_id, now + replica.config.retry_backoff_ms)
        return
    ticket = replica.next_ticket()
    out.append(WriteSnapshotPart(ticket, download.id, download.position, data))
    position = download.position + len(data)
    installing = position >= message.size_bytes
    if installing:
        out.append(InstallSnapshot(replica.next_ticket(), download.id))
    download = evolve(download, position=position, installing=installing)
    replica.role = evolve(role, snapshot=download)
    _leader_is_alive(replica, now)


def on_snapshot_installed(
    replica: Replica, event: SnapshotInstalled, now: Millis, out: list[Effect]
) -> None:
    """The log now starts, empty, at the snapshot's end; its voters are ours."""
    role = replica.role
    replica.log = replica.log.installed(event.id, event.size_bytes)
    replica.voters = VoterHistory.build(replica.voters.static, event.id, event.controls, ())
    commit(replica, event.id.offset, out)
    if isinstance(role, Follower):
        replica.role = evolve(role, snapshot=None)
        _leader_is_alive(replica, now)


def on_snapshot_rejected(
    replica: Replica, event: SnapshotRejected, now: Millis, out: list[Effect]
) -> None:
    """The file did not hold what it should: fetch again, from the start."""
    role = replica.role
    if isinstance(role, Follower) and role.snapshot is not None and role.snapshot.id == event.id:
        replica.role = evolve(role, snapshot=None)
