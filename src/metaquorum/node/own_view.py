"""What this node knows of its quorum, in the form in which a leader describes it to others.

So the rules of ``metaquorum health`` and of the exporter's figures are asked here too (257).
"""

from __future__ import annotations

from metaquorum.client.quorum_view import (
    MAX_BEHIND_MS,
    QuorumView,
    Replica,
    ReplicaRow,
    replicas_of,
)
from metaquorum.quorum.handlers.describe import described
from metaquorum.quorum.messages import ReplicaStatus
from metaquorum.quorum.roles.leader import Leader
from metaquorum.runtime.driver.driver import Driver


def own_view(driver: Driver) -> QuorumView | None:
    """The leader that it knows and itself, without times; None while it knows no leader.

    Its own log ends where its state does, and the leader's at the high watermark. Without times
    being caught up is having all of it, as in version 0 of DescribeQuorum.
    """
    leader_id, own = driver.leader.leader_id, driver.replica.config.key
    if leader_id is None:
        return None
    end = driver.watermark.value
    leader = ReplicaRow(leader_id, b"" if own.id != leader_id else own.directory_id or b"", end)
    itself = ReplicaRow(own.id, own.directory_id or b"", min(driver.next_to_apply, end))
    rows = () if own.id == leader_id else (itself,)
    votes = driver.replica.is_voter
    return _view(driver, leader_id, (leader, *(rows if votes else ())), () if votes else rows)


def led_replicas(driver: Driver) -> list[Replica]:
    """Every replica as this leader has heard it; none where this node does not lead as a voter."""
    role = driver.replica.role
    if not isinstance(role, Leader) or not driver.replica.is_voter:
        return []
    voters, observers = described(driver.replica, role, driver.clock.now_ms())
    own_id = driver.replica.config.node_id
    view = _view(driver, own_id, tuple(map(_row, voters)), tuple(map(_row, observers)))
    return replicas_of(view, MAX_BEHIND_MS)


def _view(
    driver: Driver,
    leader_id: int,
    voters: tuple[ReplicaRow, ...],
    observers: tuple[ReplicaRow, ...],
) -> QuorumView:
    return QuorumView(
        cluster_id="",
        leader_id=leader_id,
        leader_epoch=driver.leader.epoch,
        high_watermark=driver.watermark.value,
        voters=voters,
        observers=observers,
        endpoints={},
    )


def _row(status: ReplicaStatus) -> ReplicaRow:
    return ReplicaRow(
        status.key.id,
        status.key.directory_id or b"",
        status.log_end,
        status.last_fetch_ms,
        status.last_caught_up_ms,
    )
