"""What the consensus core asks of the disk, in storage's own words.

Each has a ticket; the journal makes them durable in the order of tickets.
"""

from __future__ import annotations

from attrs import field

from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.base.value import value
from metaquorum.storage.quorum_state import ElectionStateData


@value
class Append:
    """Append these encoded batches, stamped with offset and epoch."""

    ticket: int
    payloads: tuple[bytes, ...] = field(repr=False)


@value
class SaveElection:
    """Replace the quorum-state file."""

    ticket: int
    state: ElectionStateData


@value
class Truncate:
    """Cut the log from ``to`` on."""

    ticket: int
    to: Offset


@value
class WriteSnapshotPart:
    """Write bytes of a snapshot that is being downloaded; position 0 begins it anew."""

    ticket: int
    snapshot: OffsetAndEpoch
    position: int
    data: bytes = field(repr=False)


@value
class InstallSnapshot:
    """Verify and name the downloaded snapshot; the log then starts, empty, at its end."""

    ticket: int
    snapshot: OffsetAndEpoch


@value
class DropPrefix:
    """Start the log at ``before``, and let snapshots that end earlier go."""

    ticket: int
    before: Offset


DiskEffect = Append | SaveElection | Truncate | WriteSnapshotPart | InstallSnapshot | DropPrefix
