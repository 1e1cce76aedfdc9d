"""The journal as the log lane drives it: a saved election gets the form of its file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define

from metaquorum.quorum import effects
from metaquorum.storage.journal import DiskEffect, Journal, SaveElection
from metaquorum.storage.quorum_state import ElectionStateData


@define(eq=False)
class StorageJournal:
    """What the log lane drives; see its ``Journal`` for the methods.

    ``voters`` names the voter ids, which quorum-state lists where kraft.version is 0.
    """

    journal: Journal
    voters: Callable[[], tuple[int, ...]]

    def execute(self, batch: Sequence[effects.DiskEffect]) -> int:
        """Do these effects; the last ticket, once all are durable. Raises OSError."""
        return self.journal.execute([self._translated(effect) for effect in batch])

    def write(self, batch: Sequence[effects.DiskEffect]) -> int | None:
        """The descriptor to sync, if all goes to the last segment; else None. Raises OSError."""
        return self.journal.write([self._translated(effect) for effect in batch])

    def synced(self, seconds: float, failed: OSError | None) -> int:
        """That took so long; the last ticket. Raises DiskFailed if it failed."""
        return self.journal.synced(seconds, failed)

    def check_place(self) -> int:
        """Compare what is open with what the paths name; the last ticket. Raises OSError."""
        return self.journal.check_place()

    @property
    def is_preallocated(self) -> bool:
        """Whether the log's file reaches beyond its end."""
        return self.journal.is_preallocated

    def grows_fast(self, is_so: bool) -> None:
        """Whether more appends follow at once."""
        self.journal.grows_fast(is_so)

    def release_preallocation(self) -> int:
        """End the file where the log ends; the last ticket. Raises OSError."""
        return self.journal.release_preallocation()

    def _translated(self, effect: effects.DiskEffect) -> DiskEffect:
        if not isinstance(effect, effects.SaveElection):
            return effect
        election = effect.election
        voted = election.voted
        is_first_version = effect.kraft_version == 0
        data = ElectionStateData(
            epoch=election.epoch,
            leader_id=election.leader_id,
            voted_id=None if voted is None else voted.id,
            voted_directory_id=None if voted is None else voted.directory_id,
            voters=self.voters() if is_first_version else (),
            data_version=0 if is_first_version else 1,
        )
        return SaveElection(effect.ticket, data)
