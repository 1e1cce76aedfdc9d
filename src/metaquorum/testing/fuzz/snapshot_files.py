"""Snapshot files of arbitrary bytes: whole, or refused and never used by recovery."""

from __future__ import annotations

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.records.errors import BatchError
from metaquorum.records.reader import walk_records
from metaquorum.storage.log_config import LogConfig
from metaquorum.storage.names import snapshot_file
from metaquorum.storage.recovery import recover
from metaquorum.storage.snapshot_check import BadSnapshot, SnapshotFacts, verify_snapshot
from metaquorum.storage.snapshot_files import SnapshotFiles
from metaquorum.testing.fuzz.checksums import with_right_checksums
from metaquorum.testing.fuzz.promise import promise, refused_file
from metaquorum.testing.sim.disk import SimDisk

WHERE = "/log"
SNAPSHOT = OffsetAndEpoch(offset=40, epoch=1)
REPAIRED = 0x80
_PATH = f"{WHERE}/{snapshot_file(SNAPSHOT)}"
_CONFIG = LogConfig(preallocate_bytes=0)


def one_input(data: bytes) -> bool:
    """A mode (128 puts the checksums right), then the file; whether it is a whole snapshot."""
    if not data:
        return False
    content = with_right_checksums(data[1:]) if data[0] & REPAIRED else data[1:]
    disk = SimDisk.holding({_PATH: content})
    try:
        facts = verify_snapshot(disk, WHERE, SNAPSHOT)
    except BadSnapshot as why:
        promise(0 <= why.position <= len(content), f"the place is within the file: {why}")
        report = recover(disk, WHERE, _CONFIG).report
        promise(report.snapshot is None, "recovery does not use a bad snapshot")
        promise(report.unusable_snapshots == [str(why)], "recovery tells of a bad snapshot")
        return refused_file(why, _PATH)
    _check_whole(disk, facts, content)
    return True


def _check_whole(disk: SimDisk, facts: SnapshotFacts, content: bytes) -> None:
    promise(facts.size_bytes == len(content), "a whole snapshot is the whole file")
    batches = list(SnapshotFiles(disk, WHERE).batches(SNAPSHOT))
    promise(b"".join(batch for _, batch in batches) == content, "the batches are the file")
    promise(batches[-1][0].next_offset == facts.records, "offsets count from 0")
    for header, batch in batches:
        try:
            list(walk_records(batch, header))
        except BatchError as why:
            promise(0 <= why.at <= len(batch), f"the place is within the batch: {why}")
    found = recover(disk, WHERE, _CONFIG)
    promise(found.report.snapshot == SNAPSHOT, "recovery uses a whole snapshot")
    promise(found.scan.next_offset == SNAPSHOT.offset, "the log goes on where the snapshot ends")
