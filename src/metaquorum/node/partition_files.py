"""What a partition of ours has on the disk at a start: log, snapshots, the vote, the voters.

A node has two of them: ``__cluster_metadata-0`` and, beside it, ``__consumer_offsets-0``.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from attrs import define

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Epoch, Offset, OffsetAndEpoch
from metaquorum.quorum.adapt import control_of
from metaquorum.quorum.log_view import LogView
from metaquorum.quorum.retention import Measured
from metaquorum.quorum.start import check_election_file
from metaquorum.quorum.types import ZERO_SNAPSHOT, Control, ElectionState, ReplicaKey
from metaquorum.quorum.voters import VoterHistory, VoterSet
from metaquorum.records.control import controls_of
from metaquorum.storage import quorum_state
from metaquorum.storage.disk import Disk
from metaquorum.storage.disk_errors import advice_on, described
from metaquorum.storage.journal import Journal, QuorumStateStore
from metaquorum.storage.log import Log
from metaquorum.storage.log_config import LogConfig
from metaquorum.storage.recovery import RecoveryReport
from metaquorum.storage.scan import Scan
from metaquorum.storage.snapshot_check import BadSnapshot, verify_snapshot
from metaquorum.storage.snapshot_files import SnapshotFiles


@define(eq=False)
class PartitionFiles:
    """The opened directory ``path`` of one partition."""

    disk: Disk
    path: str
    log: Log
    report: RecoveryReport
    snapshots: SnapshotFiles
    journal: Journal
    election: ElectionState

    @property
    def newest_snapshot(self) -> OffsetAndEpoch | None:
        """The newest snapshot of state; None when there is none but the zero checkpoint.

        One that recovery found damaged is none: an older one, or the log alone, must do.
        """
        newest = self.report.snapshot
        return newest if newest is not None and newest != ZERO_SNAPSHOT else None

    def log_view(self) -> LogView:
        """The log as the consensus core starts with it."""
        newest = self.report.snapshot
        whole = [one for one in self.snapshots.ids if newest is not None and one <= newest]
        sizes = tuple((one, self.snapshots.size_bytes(one)) for one in whole)
        end = self.log.end_offset
        return LogView(
            start=self.log.start_offset,
            end=end,
            durable_end=end,
            epochs=self.log.epochs,
            snapshots=sizes,
        )

    def measured(self, wall_ms: int) -> Measured:
        """What retention goes by: the sizes of segments, the ages of snapshots."""
        written: dict[OffsetAndEpoch, int] = {}
        for one in self.snapshots.ids:
            with suppress(KeyError, OSError, BadSnapshot):  # deleted meanwhile, or damaged
                written[one] = self.snapshots.last_contained_ms(one)
        return Measured(wall_ms, self.log.segment_sizes, written)

    def history_over(self, static: VoterSet | None) -> VoterHistory:
        """The voters that snapshot and log name, oldest first; ``static`` while they name none."""
        newest = self.report.snapshot
        snapshot_controls = () if newest is None else self.controls_of(newest)
        log_controls = [
            control
            for _, _, record in self.log.control_records()
            if (control := control_of(record)) is not None
        ]
        return VoterHistory.build(static, newest, snapshot_controls, log_controls)

    def controls_of(self, snapshot: OffsetAndEpoch) -> tuple[Control, ...]:
        """The control records of a snapshot that concern consensus."""
        return tuple(
            control
            for header, batch in self.snapshots.control_batches(snapshot)
            for record in controls_of(batch, header)
            if (control := control_of(record)) is not None
        )

    def close_cleanly(self) -> None:
        """Leave the directory as an orderly stop does; only when the lane has ended."""
        self.journal.close()


def opened_parts(disk: Disk, path: str, config: LogConfig) -> dict[str, Any]:
    """Recover and check what is there: the fields of a ``PartitionFiles``.

    Raises OperatorError, RottenLog, OSError, DiskFailed. What is refused is left as it was.
    """

    def check(report: RecoveryReport, scan: Scan) -> None:
        snapshots = SnapshotFiles(disk, path)
        _check_snapshots(snapshots, report)
        _election(disk, path, scan.next_offset, scan.last_epoch, snapshots)

    log, report = Log.open(disk, path, config, check)
    snapshots = SnapshotFiles(disk, path, check_directory=log.check_directory)
    return {
        "disk": disk,
        "path": path,
        "log": log,
        "report": report,
        "snapshots": snapshots,
        "journal": Journal(log, QuorumStateStore(disk, path), snapshots),
        "election": _election(disk, path, log.end_offset, log.last_epoch, snapshots),
    }


def unusable(error: OSError) -> OperatorError:
    """Which file a node cannot use, why, and what to do about it."""
    advice = advice_on(error)
    what = f"{advice}: {described(error)}" if advice else described(error)
    return OperatorError(f"this node cannot use its directories: {what}")


def _check_snapshots(snapshots: SnapshotFiles, report: RecoveryReport) -> None:
    """Open every snapshot, and look at the zero checkpoint: a node that needs it cannot start.

    Raises OSError, which names the file, and OperatorError.
    """
    try:
        for one in snapshots.ids:
            snapshots.size_bytes(one)
    finally:
        snapshots.close()
    if ZERO_SNAPSHOT not in snapshots.ids or report.snapshot == ZERO_SNAPSHOT:
        return
    if report.snapshot is None:
        raise OperatorError(
            f"{report.unusable_snapshots[-1]}. A format wrote this file: restore it from a copy; "
            "or, if this node has never run, empty its directory and format it anew"
        )
    try:
        verify_snapshot(snapshots.disk, snapshots.directory, ZERO_SNAPSHOT)
    except BadSnapshot as error:  # nobody needs it beside a newer one
        report.unusable_snapshots.append(str(error))


def _election(
    disk: Disk, path: str, end: Offset, last_epoch: Epoch, snapshots: SnapshotFiles
) -> ElectionState:
    data = quorum_state.read(disk, path)
    election = None
    if data is not None:
        voted = data.voted_id
        election = ElectionState(
            epoch=data.epoch,
            leader_id=data.leader_id,
            voted=None if voted is None else ReplicaKey(voted, data.voted_directory_id),
        )
    newest = snapshots.latest
    if newest is not None:
        end, last_epoch = max(end, newest.offset), max(last_epoch, newest.epoch)
    return check_election_file(election, end, last_epoch, path)
