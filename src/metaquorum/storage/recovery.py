"""Opening a log directory after whatever happened to it.

Every segment is read from end to end, as Kafka does with the metadata log. A torn tail is cut;
rot refuses to start; indexes and epoch file are rewritten when they differ; leftovers go; a log
that ends before its newest snapshot begins anew at it (KIP-630).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os.path import dirname

from attrs import define, evolve, field, frozen

from metaquorum.base.epochs import EpochStarts
from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.storage import names
from metaquorum.storage.damage import Fault, RottenLog, valid_batch_after
from metaquorum.storage.disk import Disk
from metaquorum.storage.epoch_file import read_epochs, write_epochs
from metaquorum.storage.log_config import LogConfig
from metaquorum.storage.partition_metadata import check_other_topic, check_topic_id
from metaquorum.storage.preallocation import is_preallocation, is_unfinished, only_zeros
from metaquorum.storage.scan import Scan, scan_segment
from metaquorum.storage.segment import Segment
from metaquorum.storage.snapshot_check import BadSnapshot, verify_snapshot
from metaquorum.storage.snapshot_files import list_snapshots

_NOT_FINISHED = "a write that was never finished"
_ZEROS = (
    "zeros up to the end of the file, as a machine that lost its power leaves them where nothing "
    "was synced"
)


@frozen
class TornTail:
    """What was cut from the end of the log: never anything that had been synced."""

    path: str
    position: int
    cut_bytes: int
    offset: Offset
    why: str


@define
class RecoveryReport:
    """What opening found and did; all empty after a clean stop."""

    batches: int = 0
    segments: int = 0
    torn: TornTail | None = None
    rewritten: list[str] = field(factory=list)
    removed: list[str] = field(factory=list)
    unusable_snapshots: list[str] = field(factory=list)
    snapshot: OffsetAndEpoch | None = None
    restarted_at: Offset | None = None


@define
class Recovered:
    """A log as recovery hands it over: open segments in order, and what the scan saw."""

    segments: list[Segment]
    scan: Scan
    report: RecoveryReport


Check = Callable[["RecoveryReport", Scan], None]
"""Another reason to refuse a log, asked before anything is written. Raises OperatorError."""


def recover(
    disk: Disk, directory: str, config: LogConfig, check: Check = lambda report, scan: None
) -> Recovered:
    """Make the directory whole and read it. What is refused is left as it was found.

    Raises RottenLog, OperatorError for a directory that is another topic's or lacks the snapshot
    that its start needs, what ``check`` raises, OSError for a file that cannot be opened,
    DiskFailed.
    """
    if not disk.exists(directory):
        disk.make_directory(directory)
        disk.sync_directory(dirname(directory) or ".")
    report = RecoveryReport()
    check_other_topic(disk, directory, config.topic_id)
    _check_openable(disk, directory)
    report.snapshot = _newest_snapshot(disk, directory, report)
    segments = _open_segments(disk, directory, config)
    scan = Scan(segments[0].base_offset if segments else 0)
    torn = _scan(segments, scan)
    starts_anew = _behind(scan, report.snapshot) or not segments
    if not starts_anew:
        _check_start(directory, segments[0].base_offset, report)
        _check_snapshot(directory, scan, report)
    check(report, scan)

    check_topic_id(disk, directory, config.topic_id)
    _remove_leftovers(disk, directory, report)
    if torn is not None:
        _mend(disk, segments, torn, report)
    if starts_anew:
        _restart(disk, directory, config, segments, scan, report)
    _drop_old_snapshots(disk, directory, segments[0].base_offset, report)
    _rewrite(disk, directory, segments, scan, report)
    report.batches = scan.batches
    report.segments = len(segments)
    return Recovered(segments, scan, report)


def _check_openable(disk: Disk, directory: str) -> None:
    """OSError, which names it, for a file that recovery is about to write and cannot open."""
    read_epochs(disk, directory)
    for name in disk.names(directory):
        if name.endswith(names.INDEXES):
            disk.open(f"{directory}/{name}", writable=False).close()


def _remove_leftovers(disk: Disk, directory: str, report: RecoveryReport) -> None:
    found = disk.names(directory)
    bases = [names.parse_segment_file(name, names.LOG) for name in found]
    kept = {names.segment_file(base, "") for base in bases if base is not None}
    for name in found:
        stem, dot, suffix = name.partition(".")
        alone = f"{dot}{suffix}" in names.INDEXES and stem not in kept
        if names.is_leftover(name) or alone:
            disk.unlink(f"{directory}/{name}")
            report.removed.append(name)
        elif dot + suffix == names.PRODUCER_SNAPSHOT and stem not in kept:
            disk.unlink(f"{directory}/{name}")  # a clean stop left it for the end of the log
    if report.removed:
        disk.sync_directory(directory)


def _newest_snapshot(disk: Disk, directory: str, report: RecoveryReport) -> OffsetAndEpoch | None:
    for snapshot in reversed(list_snapshots(disk, directory)):
        try:
            verify_snapshot(disk, directory, snapshot)
        except BadSnapshot as error:
            report.unusable_snapshots.append(str(error))
        else:
            return snapshot
    return None


def _open_segments(disk: Disk, directory: str, config: LogConfig) -> list[Segment]:
    bases = [names.parse_segment_file(name, names.LOG) for name in disk.names(directory)]
    return [
        Segment.opened(disk, directory, base, config, create=False)
        for base in sorted(base for base in bases if base is not None)
    ]


@frozen
class _Torn:
    """The end of a log that was being written: which segment, and what is wrong there."""

    index: int
    fault: Fault
    is_preallocation: bool


def _scan(segments: list[Segment], scan: Scan) -> _Torn | None:
    """Read all segments; RottenLog for a fault that no interrupted write explains."""
    for index, segment in enumerate(segments):
        path = segment.path(names.LOG)
        if segment.base_offset != scan.next_offset:
            why = f"the segment begins at offset {segment.base_offset}: one before it is missing"
            raise RottenLog(path, Fault(0, scan.next_offset, why, checksum_right=True))
        fault = scan_segment(segment, scan)
        if fault is None:
            continue
        file, end = segment.log, fault.position
        if segment is segments[-1] and is_preallocation(file.read, end, file.size()):
            return _Torn(index, fault, True)
        if segment is segments[-1] and is_unfinished(file.read, end):
            return _Torn(index, evolve(fault, why=_NOT_FINISHED), False)
        if only_zeros(file.read, end, file.size()):
            fault = evolve(fault, why=_ZEROS)
        _refuse_rot(segments, index, fault)
        return _Torn(index, fault, False)
    return None


def _mend(disk: Disk, segments: list[Segment], torn: _Torn, report: RecoveryReport) -> None:
    if torn.is_preallocation:
        file = segments[torn.index].log
        file.truncate(torn.fault.position)
        file.sync()
    else:
        _cut(disk, segments, torn.index, torn.fault, report)


def _refuse_rot(segments: list[Segment], index: int, fault: Fault) -> None:
    """Raise RottenLog unless the fault can be the end of a write that was interrupted."""
    torn = segments[index]
    path = torn.path(names.LOG)
    later = segments[index + 1 :]
    if fault.checksum_right:
        raise RottenLog(path, fault)
    for segment, before in [(torn, fault), *((s, Fault(-1, fault.offset, "")) for s in later)]:
        valid = valid_batch_after(segment.log, before, segment.log.size())
        if valid is not None:
            where = "" if segment is torn else f" of {segment.path(names.LOG)}"
            why = f"{fault.why}, yet a valid batch follows at byte {valid}{where}"
            raise RottenLog(path, Fault(fault.position, fault.offset, why))


def _cut(
    disk: Disk, segments: list[Segment], index: int, fault: Fault, report: RecoveryReport
) -> None:
    """Cut a torn tail, and the empty segments behind it."""
    torn = segments[index]
    path = torn.path(names.LOG)
    cut_bytes = torn.log.size() - fault.position
    report.torn = TornTail(path, fault.position, cut_bytes, fault.offset, fault.why)
    for segment in reversed(segments[index + 1 :]):
        segment.remove()
        segment.close()
    del segments[index + 1 :]
    torn.log.truncate(fault.position)
    torn.log.sync()
    disk.sync_directory(torn.directory)


def _behind(scan: Scan, snapshot: OffsetAndEpoch | None) -> bool:
    """Whether the snapshot is ahead of the whole log (a crash between install and restart).

    A snapshot is of committed records. So a log that ends below it lacks some, even if its own
    last epoch is a later one, whose leader never committed a thing.
    """
    return snapshot is not None and (
        snapshot.epoch > scan.last_epoch or snapshot.offset > scan.next_offset
    )


def _restart(
    disk: Disk,
    directory: str,
    config: LogConfig,
    segments: list[Segment],
    scan: Scan,
    report: RecoveryReport,
) -> None:
    """An empty log at the end of the newest snapshot, or at 0."""
    start = report.snapshot.offset if report.snapshot is not None else 0
    if segments:
        report.restarted_at = start
    for segment in reversed(segments):
        segment.remove()
        segment.close()
    disk.sync_directory(directory)
    segments[:] = [Segment.opened(disk, directory, start, config, create=True)]
    disk.sync_directory(directory)
    scan.next_offset = start
    scan.epochs = EpochStarts()
    scan.controls.clear()


def _check_start(directory: str, start: Offset, report: RecoveryReport) -> None:
    """A log that does not begin at 0 is only half a history (KAFKA-14240)."""
    if start > 0 and (report.snapshot is None or report.snapshot.offset < start):
        bad = "".join(f"; {why}" for why in report.unusable_snapshots)
        raise OperatorError(
            f"{directory} begins at offset {start} but has no usable snapshot at or beyond it"
            f"{bad}: restore one, or bring this node back as a new replica"
        )


def _check_snapshot(directory: str, scan: Scan, report: RecoveryReport) -> None:
    """Snapshot and log are of one history where they meet (KIP-630, Validation)."""
    snapshot = report.snapshot
    if snapshot is None or snapshot.offset == 0:
        return
    epoch = scan.epochs.epoch_at(snapshot.offset - 1)
    if epoch is not None and epoch != snapshot.epoch:
        raise OperatorError(
            f"{directory}: {names.snapshot_file(snapshot)} ends with a record of epoch "
            f"{snapshot.epoch}, but the log has one of epoch {epoch} at offset "
            f"{snapshot.offset - 1}: they are of two histories. Take away whichever is not of this "
            "quorum, or bring this node back as a new replica"
        )


def _drop_old_snapshots(disk: Disk, directory: str, start: Offset, report: RecoveryReport) -> None:
    """Snapshots that end before the log begins are of no use to anybody (KAFKA-12205)."""
    for snapshot in list_snapshots(disk, directory):
        if snapshot.offset < start:
            disk.unlink(f"{directory}/{names.snapshot_file(snapshot)}")
            report.removed.append(names.snapshot_file(snapshot))


def _rewrite(
    disk: Disk,
    directory: str,
    segments: Sequence[Segment],
    scan: Scan,
    report: RecoveryReport,
) -> None:
    """Bring indexes, epoch file and the set of producer snapshots in line with the log."""
    for segment in segments:
        segment.add_closing_entry()
        for suffix in segment.write_indexes():
            report.rewritten.append(names.segment_file(segment.base_offset, suffix))
        if segment is not segments[-1]:
            segment.close_indexes()
    if read_epochs(disk, directory) != scan.epochs:
        write_epochs(disk, directory, scan.epochs)
        report.rewritten.append(names.EPOCH_FILE)
