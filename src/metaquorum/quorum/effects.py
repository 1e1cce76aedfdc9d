"""What a replica asks of its host. Disk effects carry their own ticket, outgoing ones the one they
await.

The host executes disk effects in ticket order and reports ``Durable``; the gate (``gate.py``)
holds every effect whose ``after`` is not durable yet.
"""

from __future__ import annotations

from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Epoch, LeaderAndEpoch, Offset, OffsetAndEpoch
from metaquorum.base.value import value
from metaquorum.quorum.messages import Request, Response
from metaquorum.quorum.types import Batch, ElectionState, Peer, RequestId, Ticket
from metaquorum.records.disk_effects import (
    Append,
    DropPrefix,
    InstallSnapshot,
    TruncateLog,
    WriteSnapshotPart,
)

__all__ = [
    "Answer",
    "AppendBatches",
    "AppendDropped",
    "Appended",
    "Committed",
    "Complaint",
    "DiskEffect",
    "DropPrefix",
    "Effect",
    "Halt",
    "InstallSnapshot",
    "LeaderChanged",
    "MeasureLog",
    "OutgoingEffect",
    "RoleChanged",
    "SaveElection",
    "Send",
    "ShutdownDone",
    "TruncateLog",
    "WriteSnapshotPart",
]


@value
class SaveElection:
    """Replace the quorum-state file. ``kraft_version`` decides the file's version (0 or 1)."""

    ticket: Ticket
    election: ElectionState
    kraft_version: int = 0


@value
class AppendBatches(Append):
    """``Append`` of the core's own batches, which say more than the disk has to know."""

    batches: tuple[Batch, ...]


@value
class Send:
    """Send a request; report its answer or failure with the same peer id and correlation."""

    after: Ticket
    peer: Peer
    correlation: int
    message: Request


@value
class Answer:
    """Answer a request. The message may hold a slice that the host still has to read."""

    after: Ticket
    id: RequestId
    message: Response


@value
class Committed:
    """Everything below the high watermark may be applied and shown, and can never be lost."""

    after: Ticket
    high_watermark: Offset


@value
class LeaderChanged:
    """Another leader or epoch.

    When this replica leads itself, ``active_from`` is the end of the batch that opens its epoch:
    once the high watermark has reached it, everything of earlier epochs is known (KAFKA-15345).
    """

    after: Ticket
    leader: LeaderAndEpoch
    active_from: Offset | None = None


@value
class RoleChanged:
    """Another role, epoch, leader or vote, for the log and for ``explain``; it promises nothing.

    ``why`` is a clause that names what timed out, who asked, how far the logs were apart;
    ``leader_id`` who leads ``epoch`` now, as far as is known; ``log_end`` where our log ends.
    """

    before: str
    after: str
    epoch_before: Epoch
    epoch: Epoch
    leader_id: NodeId | None
    log_end: OffsetAndEpoch
    why: str


@value
class Complaint:
    """One line for the log: a peer asked or said something of which nothing came here.

    With ``mistake`` it is what no correct peer does, and the host warns; without, a correct one
    may have to, as long as it looks for the leader. The host writes a few a second at most, and
    the number of the others.
    """

    text: str
    mistake: bool = True


@value
class MeasureLog:
    """Tell how large segments and snapshots are by ``LogMeasured``, at once or soon."""


@value
class Appended:
    """The batches got offsets ``base_offset`` to ``next_offset - 1``; nothing is promised yet."""

    id: RequestId
    base_offset: Offset
    next_offset: Offset
    epoch: Epoch


@value
class AppendDropped:
    """The batches were not appended; ``error`` is a Kafka error code."""

    id: RequestId
    error: int


@value
class ShutdownDone:
    """Nothing in the quorum waits for this replica any more: the host may stop."""

    after: Ticket


@value
class Halt:
    """The only answer to a failed disk: stop the process, say why."""

    why: str


DiskEffect = (
    SaveElection | AppendBatches | TruncateLog | WriteSnapshotPart | InstallSnapshot | DropPrefix
)
OutgoingEffect = Send | Answer | Committed | LeaderChanged | ShutdownDone
Effect = (
    DiskEffect
    | OutgoingEffect
    | RoleChanged
    | Complaint
    | MeasureLog
    | Appended
    | AppendDropped
    | Halt
)
