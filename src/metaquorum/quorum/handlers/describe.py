"""DescribeQuorum: voters and observers as the leader has heard them (KIP-595, KIP-836)."""

from __future__ import annotations

from metaquorum.base.clock import Millis
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.messages import (
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    DescribeRequest,
    DescribeResponse,
    ReplicaStatus,
)
from metaquorum.quorum.progress import ReplicaProgress
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import ReplicaKey, RequestId


def on_describe(
    replica: ReplicaState,
    request_id: RequestId,
    message: DescribeRequest,
    now: Millis,
    out: list[Effect],
) -> None:
    """Only the leader knows; the others say who that is."""
    role = replica.role
    if not isinstance(role, Leader):
        replica.answer(request_id, DescribeResponse(NOT_LEADER_OR_FOLLOWER, replica.hint), out)
        return
    voters, observers = described(replica, role, now)
    response = DescribeResponse(
        NONE,
        replica.hint,
        high_watermark=replica.shown_high_watermark,
        voters=voters,
        observers=observers,
        nodes=tuple(replica.voters.latest),
    )
    replica.answer(request_id, response, out)


def described(
    replica: ReplicaState, role: Leader, now: Millis
) -> tuple[tuple[ReplicaStatus, ...], tuple[ReplicaStatus, ...]]:
    """Voters and observers, as this leader has heard them; silent observers are forgotten."""
    voters, own = replica.voters.latest, replica.config.key
    role.progress.forget_silent_observers(voters, now, replica.config.observer_expiry_ms)
    itself = ReplicaStatus(own, replica.log.end, now, now)
    rows: list[ReplicaStatus] = []
    counted: list[ReplicaKey] = []
    for voter in voters:
        if voter.key.covers(own):
            rows.append(ReplicaStatus(voter.key, itself.log_end, now, now))
            continue
        progress = role.progress.of_voter(voter.key)
        if progress is not None:
            counted.append(progress.key)
        rows.append(_status(voter.key, progress))
    observers = [
        _status(one.key, one) for one in role.progress.replicas.values() if one.key not in counted
    ]
    if not voters.is_voter(own):
        observers.append(itself)
    observers.sort(key=lambda row: (row.key.id, row.key.directory_id or b""))
    return tuple(rows), tuple(observers)


def _status(key: ReplicaKey, progress: ReplicaProgress | None) -> ReplicaStatus:
    if progress is None:
        return ReplicaStatus(key)
    return ReplicaStatus(key, progress.end, progress.last_fetch_ms, progress.last_caught_up_ms)
