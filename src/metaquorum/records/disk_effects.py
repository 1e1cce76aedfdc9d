"""What a replica asks of the disk, as the consensus core gives it and storage takes it.

Each effect has a ticket. The host makes effects durable in the order of their tickets, and reports
the ticket of the last. An election is saved by an effect of its own in either package
(``quorum.effects.SaveElection``), because its file names what only storage knows.
"""

from __future__ import annotations

from typing import Protocol

from attrs import field

from metaquorum.base.offsets import Epoch, Offset, OffsetAndEpoch
from metaquorum.base.value import value


class LogBatch(Protocol):
    """A record batch with its place in the log. ``payload`` is the encoded batch, stamped."""

    @property
    def base_offset(self) -> Offset:
        """The offset of its first record."""

    @property
    def next_offset(self) -> Offset:
        """One past the offset of its last record."""

    @property
    def epoch(self) -> Epoch:
        """The epoch of the leader that appended it."""

    @property
    def payload(self) -> object:
        """Bytes, on any node; the explorer has values in their place."""


@value
class Append:
    """Append these batches, which follow the log end and each other."""

    ticket: int
    batches: tuple[LogBatch, ...]


@value
class TruncateLog:
    """Cut everything from ``to`` on; nothing committed is ever cut."""

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
    """Start the log at ``before``, which a snapshot covers, and let older snapshots go."""

    ticket: int
    before: Offset


LogEffect = Append | TruncateLog | WriteSnapshotPart | InstallSnapshot | DropPrefix
