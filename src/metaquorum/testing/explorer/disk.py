"""What one node's disk holds, and what a crash can leave of what it was about to hold."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from metaquorum.base.offsets import Offset
from metaquorum.quorum.effects import AppendBatches, Effect, SaveElection, TruncateLog
from metaquorum.quorum.types import Batch, ElectionState

DISK_EFFECTS = (SaveElection, AppendBatches, TruncateLog)
DiskOp = SaveElection | AppendBatches | TruncateLog


@frozen
class Disk:
    """The quorum-state file and the log, as a restart would find them."""

    election: ElectionState = ElectionState()  # noqa: RUF009
    log: tuple[Batch, ...] = ()

    @property
    def end(self) -> Offset:
        """One past the last record."""
        return self.log[-1].next_offset if self.log else 0

    def after(self, effect: Effect) -> Disk:
        """This disk with one more effect done."""
        if isinstance(effect, SaveElection):
            return evolve(self, election=effect.election)
        if isinstance(effect, AppendBatches):
            return evolve(self, log=self.log + effect.batches)
        if isinstance(effect, TruncateLog):
            kept = tuple(batch for batch in self.log if batch.next_offset <= effect.to)
            return evolve(self, log=kept)
        raise ValueError(f"this disk knows no {type(effect).__name__}")

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
