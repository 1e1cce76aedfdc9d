"""What a replica tells about itself: for metrics, checks and one-line events."""

from __future__ import annotations

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.base.value import value
from metaquorum.quorum.types import Endpoint, ReplicaKey, SnapshotId, Ticket
from metaquorum.quorum.voters import VoterSet


@value
class Summary:
    """A replica at one moment. ``why`` is the reason of its last change of role."""

    role: str
    epoch: Epoch
    leader_id: NodeId | None
    leader_endpoints: tuple[Endpoint, ...]
    voted: ReplicaKey | None
    high_watermark: Offset | None
    log_start: Offset
    log_end: Offset
    durable_end: Offset
    last_epoch: Epoch
    newest_snapshot: SnapshotId | None
    voters: VoterSet
    kraft_version: int
    is_voter: bool
    why: str
    since_ms: Millis
    active_from: Offset | None
    last_ticket: Ticket
    parked: int
    uncommitted_bytes: int

    @property
    def is_leader(self) -> bool:
        """Whether this replica leads."""
        return self.role == "Leader"

    def line(self) -> str:
        """One readable line, the same for the same state."""
        leader = "none" if self.leader_id is None else str(self.leader_id)
        mark = "unknown" if self.high_watermark is None else str(self.high_watermark)
        return (
            f"{self.role} epoch={self.epoch} leader={leader} high-watermark={mark} "
            f"log-end={self.log_end} durable={self.durable_end}: {self.why}"
        )
