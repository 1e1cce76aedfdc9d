"""The core's disk effects in storage's words: neither room knows the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define

from metaquorum.base.errors import HouseError
from metaquorum.quorum import effects
from metaquorum.quorum.types import Batch
from metaquorum.storage import disk_effects as storage
from metaquorum.storage.journal import Journal
from metaquorum.storage.quorum_state import ElectionStateData


@define(eq=False)
class StorageJournal:
    """What the log lane drives: translates, then lets the journal do it.

    ``voters`` names the voter ids, which quorum-state lists where kraft.version is 0.
    """

    journal: Journal
    voters: Callable[[], tuple[int, ...]]

    def execute(self, batch: Sequence[effects.DiskEffect]) -> int:
        """Do these effects; the last ticket, once all are durable. Raises OSError."""
        return self.journal.execute([self._translated(effect) for effect in batch])

    def appends_to(self, batch: Sequence[effects.DiskEffect]) -> int | None:
        """The descriptor of the one file that these would be appended to; None where there is
        more to be done than that.
        """
        if not all(isinstance(effect, effects.AppendBatches) for effect in batch):
            return None
        return self.journal.appends_to([self._translated(effect) for effect in batch])

    def write(self, batch: Sequence[effects.DiskEffect]) -> None:
        """Do these, but for the sync of that file. Raises OSError."""
        self.journal.write([self._translated(effect) for effect in batch])

    def synced(self, seconds: float, failed: OSError | None) -> int:
        """That took so long; the last ticket. Raises DiskFailed if it failed."""
        return self.journal.synced(seconds, failed)

    def check_place(self) -> int:
        """Compare what is open with what the paths name; the last ticket. Raises OSError."""
        return self.journal.check_place()

    @property
    def has_room(self) -> bool:
        """Whether the log's file reaches beyond its end."""
        return self.journal.has_room

    def grows_fast(self, is_so: bool) -> None:
        """Whether more appends follow at once."""
        self.journal.grows_fast(is_so)

    def give_back_room(self) -> int:
        """End the file where the log ends; the last ticket. Raises OSError."""
        return self.journal.give_back_room()

    def _translated(self, effect: effects.DiskEffect) -> storage.DiskEffect:
        match effect:
            case effects.AppendBatches():
                payloads = tuple(_payload(batch) for batch in effect.batches)
                return storage.Append(effect.ticket, payloads)
            case effects.SaveElection():
                return storage.SaveElection(effect.ticket, self._election(effect))
            case effects.TruncateLog():
                return storage.Truncate(effect.ticket, effect.to)
            case effects.WriteSnapshotPart():
                return storage.WriteSnapshotPart(
                    effect.ticket, effect.snapshot, effect.position, effect.data
                )
            case effects.InstallSnapshot():
                return storage.InstallSnapshot(effect.ticket, effect.snapshot)
            case effects.DropPrefix():
                return storage.DropPrefix(effect.ticket, effect.before)
        raise HouseError(f"storage knows no {type(effect).__name__}")

    def _election(self, effect: effects.SaveElection) -> ElectionStateData:
        election = effect.election
        voted = election.voted
        is_first_version = effect.kraft_version == 0
        return ElectionStateData(
            epoch=election.epoch,
            leader_id=election.leader_id,
            voted_id=None if voted is None else voted.id,
            voted_directory_id=None if voted is None else voted.directory_id,
            voters=self.voters() if is_first_version else (),
            data_version=0 if is_first_version else 1,
        )


def _payload(batch: Batch) -> bytes:
    payload = batch.payload
    if not isinstance(payload, bytes):
        raise HouseError(f"a batch with a payload of {type(payload).__name__} cannot be written")
    return payload
