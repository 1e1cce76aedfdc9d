"""FetchSnapshot: the bytes of a snapshot file, part by part (KIP-630)."""

from __future__ import annotations

from metaquorum.base.clock import Millis
from metaquorum.quorum.byte_shares import byte_shares
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.handlers.election.follower_contact import heard_from
from metaquorum.quorum.handlers.guards import leader_only
from metaquorum.quorum.messages import (
    INVALID_REQUEST,
    NONE,
    POSITION_OUT_OF_RANGE,
    SNAPSHOT_NOT_FOUND,
    FetchSnapshotRequest,
    FetchSnapshotResponse,
    SnapshotSlice,
)
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import RequestId


def on_fetch_snapshot(
    replica: ReplicaState,
    request_id: RequestId,
    message: FetchSnapshotRequest,
    now: Millis,
    out: list[Effect],
) -> None:
    """Answer with a slice of the file. It shows that the replica lives, not how far its log is."""
    error = leader_only(replica, message.epoch)
    size_bytes = replica.log.snapshot_bytes(message.snapshot)
    if error == NONE:
        error = _refusal(message, size_bytes)
    if error != NONE or size_bytes is None:
        refused = FetchSnapshotResponse(error, replica.hint, message.snapshot)
        replica.answer(request_id, refused, out)
        return
    heard_from(replica, message.replica, now)
    budget_bytes = min(message.max_bytes, replica.config.snapshot_response_max_bytes)
    (part,) = byte_shares(budget_bytes, [size_bytes - message.position])
    answer = FetchSnapshotResponse(
        NONE,
        replica.hint,
        message.snapshot,
        size_bytes,
        message.position,
        SnapshotSlice(message.snapshot, message.position, part),
    )
    replica.answer(request_id, answer, out)


def _refusal(message: FetchSnapshotRequest, size_bytes: int | None) -> int:
    if message.max_bytes < 0:
        return INVALID_REQUEST
    if size_bytes is None:
        return SNAPSHOT_NOT_FOUND
    if not 0 <= message.position < size_bytes:
        return POSITION_OUT_OF_RANGE
    return NONE
