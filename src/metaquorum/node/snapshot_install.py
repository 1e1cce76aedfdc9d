"""What follows when a downloaded snapshot is on the disk: state and voters begin with it.

The journal has verified and named the file, and the log starts, empty, at its end; or the file
did not hold what it should, and is fetched anew (KIP-630).
"""

from __future__ import annotations

from attrs import define

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.controller.events import SnapshotLoaded
from metaquorum.node.data_directory import DataDirectory
from metaquorum.observe.events import EventLog
from metaquorum.quorum.events import SnapshotInstalled, SnapshotRejected
from metaquorum.runtime.driver import Driver


@define(eq=False)
class SnapshotInstall:
    """Tells both cores of a snapshot that the disk has taken, or would not take."""

    directory: DataDirectory
    driver: Driver
    log: EventLog

    def settle(self, snapshot: OffsetAndEpoch) -> None:
        """The install of this snapshot has come back from the disk."""
        rejected = dict(self.directory.journal.take_rejected())
        if snapshot in rejected:
            why = rejected[snapshot]
            self.log.warn("snapshot-rejected", end=snapshot.offset, epoch=snapshot.epoch, why=why)
            self.driver.tell(SnapshotRejected(snapshot, why))
            return
        records = self.directory.records_of(snapshot)
        self.log.info(
            "snapshot-installed",
            end=snapshot.offset,
            epoch=snapshot.epoch,
            records=len(records),
        )
        self.driver.tell_controller(SnapshotLoaded(snapshot.offset, snapshot.epoch, 0, records))
        self.driver.next_to_apply = snapshot.offset
        size_bytes = self.directory.snapshots.size_bytes(snapshot)
        controls = self.directory.controls_of(snapshot)
        self.driver.tell(SnapshotInstalled(snapshot, size_bytes, controls))
        if records and self.directory.drop_legacy_bootstrap():  # KIP-1170, and as at a start
            self.log.info("bootstrap-file-deleted", why="a snapshot with records was loaded")
