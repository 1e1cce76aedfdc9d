"""One closed segment as tiered storage wants it: looked through, its indexes held against it.

Nothing that is missing or damaged is made up for: an index that a broker would rebuild is reported,
and the segment stays where it is. Only the producer snapshot is made again (KIP-952).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from struct import Struct

from attrs import define, field, frozen

from metaquorum.base.clock import Millis
from metaquorum.base.epochs import EpochStarts
from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.records.batch import BatchHeader
from metaquorum.records.control import ControlType, control_type
from metaquorum.records.errors import BatchError
from metaquorum.records.reader import walk_records
from metaquorum.storage.disk import Disk
from metaquorum.storage.epoch_file import decode_epochs, encode_epochs
from metaquorum.storage.names import (
    EPOCH_FILE,
    OFFSET_INDEX,
    TIME_INDEX,
    TRANSACTION_INDEX,
    segment_file,
)
from metaquorum.storage.partition_log import PartitionSegment, RottenSegment, walk_segment

_OFFSET_ENTRY = Struct(">ii")
_TIME_ENTRY = Struct(">qi")
_ABORTED = Struct(">hqqqq")


class PartUnfit(OperatorError):
    """A part of a segment is missing or damaged; the message names the file."""


@frozen
class SegmentContents:
    """What a walk over a whole and sound segment found.

    ``positions`` are where its batches begin, None if it has messages of formats 0 and 1, whose
    places are not kept. ``aborted`` counts transactions that surely have an entry in the index of
    aborted ones: both their records and the marker are here.
    """

    max_timestamp_ms: Millis
    positions: array[int] | None
    aborted: int
    size_bytes: int


@define
class _Walk:
    positions: array[int] = field(factory=lambda: array("q"))
    max_timestamp_ms: Millis = -1
    seen_bytes: int = 0
    aborted: int = 0
    open_here: dict[int, bool] = field(factory=dict)

    def take(self, position: int, header: BatchHeader, content: memoryview) -> None:
        self.positions.append(position)
        self.seen_bytes += len(content)
        self.max_timestamp_ms = max(self.max_timestamp_ms, header.max_timestamp_ms)
        if header.producer_id < 0:
            return
        if not header.is_control:
            if header.is_transactional:
                self.open_here[header.producer_id] = True
            return
        for record in walk_records(content, header):
            was_open = self.open_here.pop(header.producer_id, False)
            self.aborted += was_open and control_type(record) == ControlType.ABORT


def look_through(disk: Disk, segment: PartitionSegment) -> SegmentContents:
    """Check every batch of a closed segment. Raises RottenSegment."""
    walk, placed = _Walk(), None
    for placed in walk_segment(disk, segment):
        try:
            walk.take(placed.position, placed.header, placed.content)
        except BatchError as error:
            raise RottenSegment(
                segment.path, placed.position, placed.header.base_offset, error.reason
            ) from None
    size_bytes = _size(disk, segment.path)
    positions = walk.positions if walk.seen_bytes == size_bytes else None
    return SegmentContents(walk.max_timestamp_ms, positions, walk.aborted, size_bytes)


def check_indexes(disk: Disk, segment: PartitionSegment, contents: SegmentContents) -> list[str]:
    """The names of the index files that go with a segment. Raises PartUnfit."""
    names = [segment_file(segment.base, one) for one in (OFFSET_INDEX, TIME_INDEX)]
    offsets, times = (f"{segment.directory}/{name}" for name in names)
    _check_offsets(offsets, _content(disk, offsets, "offset index"), segment, contents)
    _check_times(times, _content(disk, times, "time index"), segment)
    name = segment_file(segment.base, TRANSACTION_INDEX)
    aborted = f"{segment.directory}/{name}"
    if disk.exists(aborted):
        _check_aborted(aborted, disk.read_bytes(aborted), segment)
        names.append(name)
    elif contents.aborted:
        raise PartUnfit(
            f"{aborted} is missing: the transaction index, and the segment has "
            f"{contents.aborted} aborted transactions"
        )
    return names


def epochs_until(disk: Disk, segment: PartitionSegment) -> tuple[bytes, list[tuple[Epoch, Offset]]]:
    """The file of leader epochs up to a segment's end, and the epochs of its own records.

    Raises PartUnfit without a readable file that tells of the segment.
    """
    path = f"{segment.directory}/{EPOCH_FILE}"
    epochs = decode_epochs(_content(disk, path, "leader epochs"))
    if epochs is None:
        raise PartUnfit(f"{path} is damaged: no file of leader epochs, or it was cut off")
    end = segment.end
    before = [(epoch, start) for epoch, start in epochs if end is None or start < end]
    own = [
        (epoch, max(start, segment.base))
        for number, (epoch, start) in enumerate(before)
        if number + 1 == len(before) or before[number + 1][1] > segment.base
    ]
    if not own:
        raise PartUnfit(f"{path} tells no leader epoch of the segment at offset {segment.base}")
    kept = EpochStarts(tuple(one[0] for one in before), tuple(one[1] for one in before))
    return encode_epochs(kept), own


def _content(disk: Disk, path: str, what: str) -> bytes:
    try:
        return disk.read_bytes(path)
    except FileNotFoundError:
        raise PartUnfit(f"{path} is missing: the {what} of the segment") from None


def _size(disk: Disk, path: str) -> int:
    file = disk.open(path, writable=False)
    try:
        return file.size()
    finally:
        file.close()


def _check_offsets(
    path: str, content: bytes, segment: PartitionSegment, contents: SegmentContents
) -> None:
    """Offsets and positions rise, and a batch begins at every position."""
    _whole(path, content, _OFFSET_ENTRY.size)
    last_offset, last_position = -1, -1
    for number, (relative, position) in enumerate(_OFFSET_ENTRY.iter_unpack(content)):
        why = ""
        if relative < 0 or not _inside(segment, relative) or relative <= last_offset:
            why = f"offset {segment.base + relative} is out of order or of another segment"
        elif position < last_position or position >= contents.size_bytes:
            why = f"position {position} is out of order or beyond the log"
        elif contents.positions is not None and not _holds(contents.positions, position):
            why = f"no batch begins at position {position}"
        if why:
            raise PartUnfit(f"{path} is damaged at byte {number * _OFFSET_ENTRY.size}: {why}")
        last_offset, last_position = relative, position


def _check_times(path: str, content: bytes, segment: PartitionSegment) -> None:
    """Timestamps rise, and offsets are of this segment."""
    _whole(path, content, _TIME_ENTRY.size)
    last_ms = last_offset = -1
    for number, (timestamp_ms, relative) in enumerate(_TIME_ENTRY.iter_unpack(content)):
        bad_offset = not _inside(segment, relative) or relative < last_offset
        if bad_offset or (number > 0 and timestamp_ms <= last_ms):
            raise PartUnfit(
                f"{path} is damaged at byte {number * _TIME_ENTRY.size}: time {timestamp_ms} of "
                f"offset {segment.base + relative} is out of order or of another segment"
            )
        last_ms, last_offset = timestamp_ms, relative


def _check_aborted(path: str, content: bytes, segment: PartitionSegment) -> None:
    """Entries are of a version that is known, and end in this segment."""
    _whole(path, content, _ABORTED.size)
    for number, (version, _, first, last, _) in enumerate(_ABORTED.iter_unpack(content)):
        if version != 0 or first > last or not _inside(segment, last - segment.base):
            raise PartUnfit(
                f"{path} is damaged at byte {number * _ABORTED.size}: version {version}, a "
                f"transaction from offset {first} to {last}"
            )


def _inside(segment: PartitionSegment, relative: int) -> bool:
    return relative >= 0 and (segment.end is None or segment.base + relative < segment.end)


def _holds(positions: array[int], position: int) -> bool:
    at = bisect_left(positions, position)
    return at < len(positions) and positions[at] == position


def _whole(path: str, content: bytes, entry_bytes: int) -> None:
    if len(content) % entry_bytes:
        raise PartUnfit(
            f"{path} is damaged at byte {len(content) // entry_bytes * entry_bytes}: "
            f"{len(content)} bytes are no whole number of entries of {entry_bytes}"
        )
