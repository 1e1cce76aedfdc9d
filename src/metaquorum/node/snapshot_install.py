"""What follows when a downloaded snapshot is on the disk: state and voters begin with it.

The journal has verified and named the file, and the log starts, empty, at its end; or the file
did not hold what it should, and is fetched anew (KIP-630). The core goes on at once; the state
follows in slices, as the applier has its turns.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.node.partition_files import PartitionFiles
from metaquorum.observe.events import EventLog
from metaquorum.quorum.events import SnapshotInstalled, SnapshotRejected
from metaquorum.runtime.driver.driver import Driver
from metaquorum.runtime.driver.machine import Loading
from metaquorum.runtime.snapshots.snapshot_loading import SnapshotLoading
from metaquorum.runtime.snapshots.snapshot_task import SnapshotTask


@define(eq=False)
class SnapshotInstall:
    """Tells both cores of a snapshot that the disk has taken, or would not take.

    ``loading_of`` reads one, and ``on_loaded`` gets the number of its records.
    """

    files: PartitionFiles
    driver: Driver
    loading: SnapshotLoading
    snapshots: SnapshotTask
    log: EventLog
    loading_of: Callable[[OffsetAndEpoch], Loading]
    on_loaded: Callable[[int], None]

    def settle(self, snapshot: OffsetAndEpoch) -> None:
        """The install of this snapshot has come back from the disk."""
        rejected = dict(self.files.journal.take_rejected())
        if snapshot in rejected:
            why = rejected[snapshot]
            self.log.warn("snapshot-rejected", end=snapshot.offset, epoch=snapshot.epoch, why=why)
            self.driver.post(SnapshotRejected(snapshot, why))
            return
        size_bytes = self.files.snapshots.size_bytes(snapshot)
        self.log.info(
            "snapshot-installed", end=snapshot.offset, epoch=snapshot.epoch, bytes=size_bytes
        )
        self.loading.begin(
            self.loading_of(snapshot),
            lambda records, took_ms: self._loaded(size_bytes, records, took_ms),
        )
        self.driver.post(SnapshotInstalled(snapshot, size_bytes, self.files.controls_of(snapshot)))
        self.driver.work_to_apply.set()

    def _loaded(self, size_bytes: int, records: int, took_ms: float) -> None:
        self.snapshots.measures.loaded(size_bytes, took_ms)
        self.snapshots.triggers.restart(self.driver.clock.now_ms())
        self.log.info("snapshot-loaded", records=records, took_ms=round(took_ms))
        self.on_loaded(records)
