"""Whether a snapshot file is whole: checksums, dense offsets, one epoch, control records.

Kafka's reader only looks for the header; a footer that is missing is how a torn download looks
(KIP-630), so both are asked for here.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError
from metaquorum.base.limits import MAX_FRAME_BYTES
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.records.batch import BATCH_OVERHEAD_BYTES, BatchHeader, check, read_header
from metaquorum.records.control import ControlRecord, ControlType, control_type, controls_of
from metaquorum.records.errors import BatchError
from metaquorum.records.reader import walk_records
from metaquorum.storage.disk import Disk, File
from metaquorum.storage.names import snapshot_file
from metaquorum.wire.errors import DecodeError


class BadSnapshot(OperatorError):
    """A snapshot that must not be used; the message names the file, the byte and the reason."""

    def __init__(self, path: str, position: int, why: str) -> None:
        super().__init__(f"{path}, byte {position}: {why}")
        self.path = path
        self.position = position
        self.why = why


@frozen
class SnapshotFacts:
    """What a whole snapshot turned out to be."""

    snapshot: OffsetAndEpoch
    size_bytes: int
    records: int


def verify_snapshot(disk: Disk, directory: str, snapshot: OffsetAndEpoch) -> SnapshotFacts:
    """Read a finished snapshot from end to end; raises BadSnapshot."""
    path = f"{directory}/{snapshot_file(snapshot)}"
    file = disk.open(path, writable=False)
    try:
        return verify_file(file, snapshot)
    finally:
        file.close()


def verify_file(file: File, snapshot: OffsetAndEpoch) -> SnapshotFacts:
    """The same for a file of any name, such as a download before it is frozen."""
    path = file.path
    expected = 0
    position = 0
    last: tuple[BatchHeader, bytes] | None = None
    for header, content in checked_batches(file):
        if header.base_offset != expected:
            why = f"base offset {header.base_offset}, due is {expected}"
            raise BadSnapshot(path, position, why)
        if header.leader_epoch != snapshot.epoch:
            why = f"epoch {header.leader_epoch} in a snapshot of epoch {snapshot.epoch}"
            raise BadSnapshot(path, position, why)
        if position == 0 and _control(header, content, 0) != ControlType.SNAPSHOT_HEADER:
            raise BadSnapshot(path, 0, "the first record is no snapshot header")
        if header.is_control and (fault := _fault(header, content)) is not None:
            raise BadSnapshot(path, position, fault)
        expected = header.next_offset
        position += header.size_bytes
        last = header, content
    if last is None:
        raise BadSnapshot(path, 0, "the file is empty")
    if _control(*last, -1) != ControlType.SNAPSHOT_FOOTER:
        raise BadSnapshot(path, position, "the last record is no snapshot footer")
    return SnapshotFacts(snapshot, position, expected)


def checked_batches(
    file: File, position: int = 0, end: int | None = None
) -> Iterator[tuple[BatchHeader, bytes]]:
    """All batches of a file, from ``position`` to ``end``, with their checksums verified;
    BadSnapshot at the first fault.
    """
    end = file.size() if end is None else end
    while position < end:
        try:
            header = read_header(file.read(position, BATCH_OVERHEAD_BYTES))
            if header.size_bytes > min(end - position, MAX_FRAME_BYTES):
                why = f"a batch of {header.size_bytes} bytes, {end - position} are left"
                raise BadSnapshot(file.path, position, why)
            content = file.read(position, header.size_bytes)
            check(content)
        except BatchError as error:
            raise BadSnapshot(file.path, position, error.reason) from None
        yield header, content
        position += header.size_bytes


def read_last_contained_ms(file: File) -> Millis:
    """LastContainedLogTimestamp of the header, or BadSnapshot."""
    for header, content in checked_batches(file):
        if _control(header, content, 0) == ControlType.SNAPSHOT_HEADER:
            first = next(controls_of(content, header))
            return int(first.message.last_contained_log_timestamp)
        break
    raise BadSnapshot(file.path, 0, "the first record is no snapshot header")


def control_batches(file: File) -> Iterator[tuple[BatchHeader, bytes]]:
    """The control batches alone, of a file that was verified: the others are not even read."""
    position = 0
    while position < file.size():
        header = read_header(file.read(position, BATCH_OVERHEAD_BYTES))
        if header.is_control:
            yield header, file.read(position, header.size_bytes)
        position += header.size_bytes


def _control(header: BatchHeader, content: bytes, index: int) -> int | None:
    """The control type of one record of a batch; None if it is not a control record."""
    if not header.is_control:
        return None
    try:
        return control_type(list(walk_records(content, header))[index])
    except (BatchError, IndexError):
        return None


def _fault(header: BatchHeader, content: bytes) -> str | None:
    """Why nobody can go by the control records of a batch; None if one can."""
    try:
        for control in controls_of(content, header):
            if (fault := _voters_fault(control)) is not None:
                return fault
    except (BatchError, DecodeError) as error:
        return str(error)
    return None


def _voters_fault(control: ControlRecord) -> str | None:
    if control.type != ControlType.KRAFT_VOTERS:
        return None
    ids = [voter.voter_id for voter in control.message.voters]
    return None if ids and len(set(ids)) == len(ids) else "no voters, or one twice"
