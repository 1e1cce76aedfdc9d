"""A quorum as its leader described it, and how far behind each replica is (KIP-595, KIP-836).

Times are the leader's: its own row in the answer says what it is there, so that the clocks of other
machines have no part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import Uuid

UNKNOWN: Final = -1
MAX_BEHIND_MS: Final = 5_000
"""A replica that had all records within this time counts as caught up, where nobody says else."""
MAX_SILENT_MS: Final = 5_000


@frozen
class ReplicaRow:
    """One voter or observer, as DescribeQuorum tells it; -1 where the leader does not know."""

    id: int
    directory_id: Uuid
    log_end_offset: int
    last_fetch_timestamp_ms: Millis = UNKNOWN
    last_caught_up_timestamp_ms: Millis = UNKNOWN


@frozen
class QuorumView:
    """A quorum at one moment, as its leader sees it."""

    cluster_id: str
    leader_id: int
    leader_epoch: int
    high_watermark: int
    voters: tuple[ReplicaRow, ...]
    observers: tuple[ReplicaRow, ...]
    endpoints: dict[int, tuple[tuple[str, str, int], ...]]
    """Node id to listener name, host, port; only nodes that the answer names."""

    @property
    def leader(self) -> ReplicaRow:
        """The leader's own row; OperatorError when it is not among the voters."""
        for voter in self.voters:
            if voter.id == self.leader_id:
                return voter
        ids = ", ".join(str(voter.id) for voter in self.voters) or "none"
        raise OperatorError(
            f"node {self.leader_id} is said to lead, and it is not among the voters ({ids})"
        )


def ranked(view: QuorumView) -> list[tuple[ReplicaRow, str]]:
    """Leader, followers, observers, each with the name of its role."""
    leader = view.leader
    rows = [(leader, "Leader")]
    rows += [(voter, "Follower") for voter in view.voters if voter.id != leader.id]
    return rows + [(observer, "Observer") for observer in view.observers]


@frozen
class Replica:
    """A row of the answer, and how far behind it is; None where its leader does not know.

    ``behind_ms`` is the time since it last had all records, ``since_fetch_ms`` since it last asked.
    """

    id: int
    status: str
    lag_records: int | None
    behind_ms: Millis | None
    is_caught_up: bool
    since_fetch_ms: Millis | None = None


def replicas_of(view: QuorumView, max_behind_ms: Millis) -> list[Replica]:
    """Leader, followers and observers, in this order; a replica without records lags unknown."""
    leader = view.leader
    return [_replica(leader, row, status.lower(), max_behind_ms) for row, status in ranked(view)]


def _replica(leader: ReplicaRow, row: ReplicaRow, status: str, max_behind_ms: Millis) -> Replica:
    if row.id == leader.id and row.directory_id == leader.directory_id:
        return Replica(row.id, status, 0, 0, is_caught_up=True, since_fetch_ms=0)
    end = row.log_end_offset
    lag = None if end == UNKNOWN else max(0, leader.log_end_offset - end)
    now, caught_up = leader.last_caught_up_timestamp_ms, row.last_caught_up_timestamp_ms
    fetched = row.last_fetch_timestamp_ms
    since_fetch_ms = None if UNKNOWN in (now, fetched) else max(0, now - fetched)
    if UNKNOWN in (now, caught_up):
        # A leader that tells no times (version 0) or a replica that was never caught up.
        is_caught_up = now == UNKNOWN and lag == 0
        return Replica(row.id, status, lag, None, is_caught_up, since_fetch_ms)
    behind_ms = max(0, now - caught_up)
    is_caught_up = behind_ms <= max_behind_ms
    return Replica(row.id, status, lag, behind_ms, is_caught_up, since_fetch_ms)


def voters_behind(replicas: Sequence[Replica]) -> int:
    """Voters that are not caught up."""
    return sum(1 for one in replicas if one.status != "observer" and not one.is_caught_up)


def voters_silent(replicas: Sequence[Replica]) -> int:
    """Voters that did not ask the leader for ``MAX_SILENT_MS``, or not at all since it leads."""
    return sum(
        1
        for one in replicas
        if one.status == "follower"
        and (one.since_fetch_ms is None or one.since_fetch_ms > MAX_SILENT_MS)
    )


def role_of(replica: Replica) -> str:
    """``voter`` or ``observer``, as metrics tell replicas apart."""
    return "observer" if replica.status == "observer" else "voter"
