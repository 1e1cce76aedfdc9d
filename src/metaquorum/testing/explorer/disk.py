"""What one node's disk holds, and what a crash can leave of what it was about to hold."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from metaquorum.base.offsets import Offset
from metaquorum.quorum.effects import (
    AppendBatches,
    DropPrefix,
    Effect,
    InstallSnapshot,
    SaveElection,
    TruncateLog,
    WriteSnapshotPart,
)
from metaquorum.quorum.log_view import LogView
from metaquorum.quorum.types import (
    Batch,
    Control,
    ControlValue,
    ElectionState,
    KRaftVersionControl,
    SnapshotId,
    Ticket,
    VotersControl,
)
from metaquorum.quorum.voters import VoterHistory, VoterSet
from metaquorum.testing.fakes import voter_history

DISK_EFFECTS = (
    SaveElection,
    AppendBatches,
    TruncateLog,
    WriteSnapshotPart,
    InstallSnapshot,
    DropPrefix,
)


@frozen
class Installation:
    """An InstallSnapshot with what the snapshot holds: here, the records that it stands for."""

    ticket: Ticket
    snapshot: SnapshotId
    content: tuple[Batch, ...]


DiskOp = SaveElection | AppendBatches | TruncateLog | WriteSnapshotPart | Installation | DropPrefix


@frozen
class Disk:
    """The quorum-state file, log and snapshots, as a restart would find them.

    ``log`` begins at offset 0 always: below ``start`` it is what the snapshot stands for. ``part``
    is what is there of a download: a byte of a snapshot is the id of the node that wrote it.
    """

    election: ElectionState = ElectionState()  # noqa: RUF009
    log: tuple[Batch, ...] = ()
    start: Offset = 0
    snapshots: tuple[SnapshotId, ...] = ()
    part: bytes = b""

    @property
    def end(self) -> Offset:
        """One past the last record."""
        return self.log[-1].next_offset if self.log else 0

    def after(self, effect: Effect | Installation) -> Disk:
        """This disk with one more effect done."""
        if isinstance(effect, Installation):
            done = effect.snapshot
            return evolve(self, log=effect.content, start=done.offset, snapshots=(done,), part=b"")
        if isinstance(effect, WriteSnapshotPart):
            before = self.part if effect.position else b""
            return evolve(self, part=before + bytes(effect.data))
        if isinstance(effect, DropPrefix):
            kept_snapshots = tuple(
                one
                for one in self.snapshots
                if one.offset >= effect.before or one == self.snapshots[-1]
            )
            return evolve(self, start=effect.before, snapshots=kept_snapshots)
        if isinstance(effect, SaveElection):
            return evolve(self, election=effect.election)
        if isinstance(effect, AppendBatches):
            return evolve(self, log=self.log + effect.batches)
        if isinstance(effect, TruncateLog):
            kept = tuple(batch for batch in self.log if batch.next_offset <= effect.to)
            return evolve(self, log=kept)
        raise ValueError(f"this disk knows no {type(effect).__name__}")

    def log_view(self, snapshot_bytes: int) -> LogView:
        """The log as a restart reads it: all of it durable."""
        at = self.start
        snapshots = tuple((one, snapshot_bytes) for one in self.snapshots)
        view = LogView(start=at, end=at, durable_end=at, snapshots=snapshots)
        batches = tuple(batch for batch in self.log if batch.base_offset >= at)
        return view.appended(1, batches).durable(1) if batches else view

    def voter_history(
        self, static: VoterSet | None, zero: tuple[ControlValue, ...]
    ) -> VoterHistory:
        """The voters as a restart reads them: newest snapshot, else zero checkpoint; then log."""
        if not self.snapshots:
            return voter_history(static, zero, self.log)
        newest = self.snapshots[-1]
        told = snapshot_controls(zero, self.log, newest.offset)
        log = (control for batch in self.log for control in batch.controls)
        return VoterHistory.build(static, newest, told, log)

    def crash_states(self, unsynced: tuple[DiskOp, ...]) -> Iterator[tuple[str, Disk]]:
        """What a crash can leave: any prefix of the unsynced effects, the last append torn too.

        A torn batch is cut off by recovery, so a torn append leaves its first batches whole.
        """
        disk = self
        yield "nothing unsynced written", disk
        for at, effect in enumerate(unsynced):
            if isinstance(effect, AppendBatches):
                for whole in range(1, len(effect.batches)):
                    torn = evolve(disk, log=disk.log + effect.batches[:whole])
                    yield f"{at} unsynced written, the next torn after {whole} batches", torn
            disk = disk.after(effect)
            yield f"{at + 1} unsynced written", disk


def snapshot_controls(
    zero: tuple[ControlValue, ...], log: tuple[Batch, ...], end: Offset
) -> tuple[Control, ...]:
    """The kraft.version and the voters that a snapshot of the log below ``end`` holds."""
    last: dict[type, ControlValue] = {}
    values = [one.value for batch in log if batch.next_offset <= end for one in batch.controls]
    for value in (*zero, *values):
        if isinstance(value, KRaftVersionControl | VotersControl):
            last[type(value)] = value
    return tuple(Control(at, value) for at, value in enumerate(last.values()))
