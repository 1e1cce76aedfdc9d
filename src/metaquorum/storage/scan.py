"""Reading a segment from end to end: checksums, order of offsets and epochs, indexes on the way."""

from __future__ import annotations

from attrs import define, field

from metaquorum.base.epochs import EpochStarts
from metaquorum.base.limits import MAX_FRAME_BYTES
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.records.batch import BATCH_OVERHEAD_BYTES, BatchHeader, check, read_header
from metaquorum.records.errors import CorruptBatch
from metaquorum.storage.damage import Fault
from metaquorum.storage.segment import MAX_RELATIVE_OFFSET, Segment, Tail

_WINDOW_BYTES = 1 << 20


@define
class Scan:
    """What is known of a log while its segments are read in order."""

    next_offset: Offset
    epochs: EpochStarts = field(factory=EpochStarts)
    controls: list[tuple[Offset, bytes]] = field(factory=list)  # whole control batches
    batches: int = 0

    @property
    def last_epoch(self) -> Epoch:
        """The epoch of the last batch that was read; 0 before the first."""
        return self.epochs.last_epoch


def scan_segment(segment: Segment, scan: Scan) -> Fault | None:
    """Read a whole segment into ``scan`` and its indexes; the first fault ends the reading.

    The segment's tail is left at the end of the last good batch.
    """
    size_bytes = segment.log.size()
    position = start = 0
    window = memoryview(b"")
    fault: Fault | None = None
    while position < size_bytes and fault is None:
        at = position - start
        needed = _needed_bytes(window, at)
        if at + needed > len(window) and start + len(window) < size_bytes:
            start = position
            window = memoryview(segment.log.read(start, max(needed, _WINDOW_BYTES)))
            continue
        try:
            header = check(window, at)
        except CorruptBatch as error:
            fault = Fault(position, scan.next_offset, error.reason)
            break
        fault = _out_of_order(segment, header, scan, position)
        if fault is None:
            _take(segment, scan, header, position, window[at : at + header.size_bytes])
            position += header.size_bytes
    segment.tail = Tail(position, scan.next_offset)
    return fault


def _needed_bytes(window: memoryview, at: int) -> int:
    """How many bytes from ``at`` must be in memory to judge the batch that starts there."""
    if len(window) - at < BATCH_OVERHEAD_BYTES:
        return BATCH_OVERHEAD_BYTES
    try:
        size_bytes = read_header(window, at).size_bytes
    except CorruptBatch:
        return BATCH_OVERHEAD_BYTES  # enough to refuse it
    return size_bytes if size_bytes <= MAX_FRAME_BYTES else BATCH_OVERHEAD_BYTES


def _out_of_order(segment: Segment, header: BatchHeader, scan: Scan, position: int) -> Fault | None:
    if header.base_offset != scan.next_offset:
        why = f"the batch there has base offset {header.base_offset}"
    elif header.leader_epoch < scan.last_epoch:
        why = f"the batch there has epoch {header.leader_epoch} after epoch {scan.last_epoch}"
    elif header.last_offset - segment.base_offset > MAX_RELATIVE_OFFSET:
        why = f"the batch there ends at offset {header.last_offset}, beyond what its segment holds"
    else:
        return None
    return Fault(position, scan.next_offset, why, checksum_right=True)


def _take(
    segment: Segment, scan: Scan, header: BatchHeader, position: int, content: memoryview
) -> None:
    segment.track(header, position)
    scan.epochs = scan.epochs.assigned(header.leader_epoch, header.base_offset)
    scan.next_offset = header.next_offset
    scan.batches += 1
    if header.is_control:
        scan.controls.append((header.base_offset, bytes(content)))
