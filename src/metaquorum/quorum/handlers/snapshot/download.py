"""A follower that is too far behind fetches a snapshot and begins with it (KIP-630)."""

from __future__ import annotations

from metaquorum.base.clock import Millis
from metaquorum.base.limits import MAX_SNAPSHOT_BYTES
from metaquorum.quorum.download import Download
from metaquorum.quorum.effects import Effect, InstallSnapshot, WriteSnapshotPart
from metaquorum.quorum.events import SnapshotInstalled, SnapshotRejected
from metaquorum.quorum.handlers.commit import commit
from metaquorum.quorum.handlers.election.leader_contact import leader_is_alive
from metaquorum.quorum.handlers.election.leader_discovery import follow_hint
from metaquorum.quorum.messages import (
    BROKER_NOT_AVAILABLE,
    FENCED_LEADER_EPOCH,
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    POSITION_OUT_OF_RANGE,
    SNAPSHOT_NOT_FOUND,
    UNKNOWN_LEADER_EPOCH,
    FetchSnapshotRequest,
    FetchSnapshotResponse,
    Refused,
)
from metaquorum.quorum.roles.follower import Follower
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import SnapshotId
from metaquorum.quorum.voters import VoterHistory

_OF_THE_LEADER = (
    NOT_LEADER_OR_FOLLOWER,
    FENCED_LEADER_EPOCH,
    UNKNOWN_LEADER_EPOCH,
    BROKER_NOT_AVAILABLE,
)
"""What these say is about leader and epoch: nothing is wrong with the snapshot."""


def download_under_way(replica: ReplicaState) -> Download | None:
    """The download that goes on with the leader of now; None if there is none."""
    role, download = replica.role, replica.download
    if download is None or not isinstance(role, Follower):
        return None
    return download if download.is_from(role.leader_id, replica.election.epoch) else None


def is_installing(replica: ReplicaState) -> bool:
    """Whether the disk is exchanging the log: until it is done nothing may be appended or cut."""
    return replica.download is not None and replica.download.installing


def begin_download(
    replica: ReplicaState, snapshot: SnapshotId, floor: int, out: list[Effect]
) -> bool:
    """We are so far behind that the records are gone: fetch the state instead.

    Only what is newer than our log, and covers all that we know to be committed (``floor``), can
    take its place. A part of the same file that is here already is kept.
    """
    role, log = replica.role, replica.log
    if not isinstance(role, Follower):
        return False
    newer = snapshot.offset > log.end or snapshot.epoch > log.last_epoch
    possible = 0 <= snapshot.epoch <= replica.election.epoch
    if not newer or snapshot.offset < max(floor, 1) or not possible:
        name = f"snapshot {snapshot.offset}-{snapshot.epoch}"
        replica.complain(f"node {role.leader_id} wants us to start from {name}", out)
        return False
    under_way = download_under_way(replica)
    if under_way is None or under_way.id != snapshot:
        replica.download = Download(role.leader_id, replica.election.epoch, snapshot)
    return True


def on_snapshot_answer(
    replica: ReplicaState,
    peer_id: int,
    request: FetchSnapshotRequest,
    message: FetchSnapshotResponse,
    now: Millis,
    out: list[Effect],
) -> None:
    """Write the part; when the file is whole, install it."""
    followed = follow_hint(replica, peer_id, message.error, message.hint, now, out)
    download = download_under_way(replica)
    if download is None or download.installing:
        return
    if message.error not in (NONE, *_OF_THE_LEADER):
        replica.download = None
        if message.error in (SNAPSHOT_NOT_FOUND, POSITION_OUT_OF_RANGE):
            leader_is_alive(replica, now)
    elif followed:
        _take_part(replica, download, message, now, out)


def on_snapshot_refused(
    replica: ReplicaState,
    peer_id: int,
    request: FetchSnapshotRequest,
    message: Refused,
    now: Millis,
    out: list[Effect],
) -> None:
    """Kafka's leaders lose the code of every refusal: the snapshot may well be gone.

    Another Fetch will tell; it is sent after a rest.
    """
    replica.download = None
    replica.peers = replica.peers.rests(peer_id, now + replica.config.retry_backoff_ms)


def _take_part(
    replica: ReplicaState,
    download: Download,
    message: FetchSnapshotResponse,
    now: Millis,
    out: list[Effect],
) -> None:
    data, size_bytes = message.data, message.size_bytes
    wrong = _fault(download, message)
    if wrong or not isinstance(data, bytes):
        leader_id = download.leader_id
        replica.complain(f"node {leader_id} sent {wrong} of the snapshot that we fetch", out)
        replica.peers = replica.peers.rests(leader_id, now + replica.config.retry_backoff_ms)
        if download.size_bytes not in (None, size_bytes):
            replica.download = None  # it is another file by now
        return
    out.append(WriteSnapshotPart(replica.next_ticket(), download.id, download.position, data))
    replica.download = download = download.with_part(len(data), size_bytes)
    if download.installing:
        out.append(InstallSnapshot(replica.next_ticket(), download.id))
    leader_is_alive(replica, now)


def _fault(download: Download, message: FetchSnapshotResponse) -> str | None:
    """What is wrong with a part; None if it is the one that comes next."""
    if (message.snapshot, message.position) != (download.id, download.position):
        return f"byte {message.position} of {message.snapshot} and not the next part"
    size_bytes, data = message.size_bytes, message.data
    if size_bytes > MAX_SNAPSHOT_BYTES or download.size_bytes not in (None, size_bytes):
        return f"a size of {size_bytes} bytes"
    if not isinstance(data, bytes) or not data:
        return "no byte"
    if download.position + len(data) > size_bytes:
        return "more bytes than there are"
    return None


def on_snapshot_installed(
    replica: ReplicaState, event: SnapshotInstalled, now: Millis, out: list[Effect]
) -> None:
    """The log now starts, empty, at the snapshot's end; its voters are ours.

    Whose snapshot it was has been heard; another leader, found meanwhile, has not.
    """
    heard = download_under_way(replica) is not None
    replica.download = None
    replica.log = replica.log.installed(event.id, event.size_bytes)
    replica.voters = VoterHistory.build(replica.voters.static, event.id, event.controls, ())
    commit(replica, event.id.offset, out)
    if heard:
        leader_is_alive(replica, now)


def on_snapshot_rejected(
    replica: ReplicaState, event: SnapshotRejected, now: Millis, out: list[Effect]
) -> None:
    """The file did not hold what it should: fetch again, from the start, and not in a hurry."""
    download = replica.download
    if download is not None and download.id == event.id:
        replica.download = None
        until = now + replica.config.fetch_timeout_ms // 2
        replica.peers = replica.peers.rests(download.leader_id, until)
