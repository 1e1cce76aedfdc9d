"""A partition's segments as any broker of Kafka leaves them, read only: gaps, old formats and all.

The metadata log is dense and of one format; a topic's may be compacted, may begin anywhere, and
may hold messages from before Kafka 0.11, which have no producers. Every batch that is reported was
checked: its checksum, its place, its order.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from zlib import crc32

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.limits import MAX_FRAME_BYTES
from metaquorum.base.offsets import Offset
from metaquorum.records.batch import (
    BATCH_OVERHEAD_BYTES,
    LENGTH_OVERHEAD_BYTES,
    MAGIC,
    BatchHeader,
    check,
    read_header,
)
from metaquorum.records.errors import CorruptBatch
from metaquorum.storage.disk import Disk, File
from metaquorum.storage.names import LOG, parse_segment_file, segment_file
from metaquorum.storage.preallocation import is_marked_unfinished

_WINDOW_BYTES = 1 << 20
_MAGIC_AT = 16
_PLACE = Struct(">qi")  # offset and length, the same in every format
_MESSAGE_CRC = Struct(">I")
_LEAST_MESSAGE_BYTES = 14


class RottenSegment(OperatorError):
    """A segment holds what no broker writes: nothing is made of it, and it is not uploaded."""

    def __init__(self, path: str, position: int, offset: Offset, why: str) -> None:
        super().__init__(f"{path} is damaged at byte {position}, after offset {offset - 1}: {why}")
        self.path = path
        self.position = position
        self.offset = offset


@frozen
class PartitionSegment:
    """One segment. ``end`` is the next one's base, None for the last, which still grows."""

    directory: str
    base: Offset
    end: Offset | None

    @property
    def path(self) -> str:
        """Its log file."""
        return f"{self.directory}/{segment_file(self.base, LOG)}"


@frozen
class PlacedBatch:
    """A batch and where it stands; ``content`` is the whole of it."""

    position: int
    header: BatchHeader
    content: memoryview


def segments_of(disk: Disk, directory: str) -> tuple[PartitionSegment, ...]:
    """The segments in a partition's directory, in order; FileNotFoundError without a directory."""
    found = (parse_segment_file(name, LOG) for name in disk.names(directory))
    bases = sorted(base for base in found if base is not None)
    ends = (*bases[1:], None)
    return tuple(PartitionSegment(directory, *one) for one in zip(bases, ends, strict=False))


def look_at_headers(disk: Disk, segment: PartitionSegment) -> Iterator[tuple[int, BatchHeader]]:
    """The headers of a segment's batches, 61 bytes of each read, checksums left alone.

    Raises RottenSegment where there is no way on; a cut-off end of the last segment is none.
    """
    file = disk.open(segment.path, writable=False)
    try:
        position, size_bytes, due = 0, file.size(), segment.base
        while position < size_bytes:
            head = file.read(position, BATCH_OVERHEAD_BYTES)
            length = _length(segment, head, position, size_bytes, due)
            if length is None:
                return
            if head[_MAGIC_AT] == MAGIC:
                header = _header(segment, head, position, due)
                yield position, header
                due = header.next_offset
            position += length
    finally:
        file.close()


def walk_segment(disk: Disk, segment: PartitionSegment) -> Iterator[PlacedBatch]:
    """The checked batches of a segment; RottenSegment names file, byte and offset.

    A cut-off end is rot too, but for the last segment's, which a broker may be writing.
    """
    file = disk.open(segment.path, writable=False)
    try:
        yield from _walk(file, segment)
    finally:
        file.close()


def _walk(file: File, segment: PartitionSegment) -> Iterator[PlacedBatch]:
    size_bytes, position, start, due = file.size(), 0, 0, segment.base
    window = memoryview(b"")
    while position < size_bytes:
        at = position - start
        head = bytes(window[at : at + BATCH_OVERHEAD_BYTES])
        wanted = BATCH_OVERHEAD_BYTES
        if len(head) > _MAGIC_AT or start + len(window) >= size_bytes:
            length = _length(segment, head, position, size_bytes, due)
            if length is None:
                return
            wanted = length
        if at + wanted > len(window) and start + len(window) < size_bytes:
            start = position
            asked = max(wanted, _WINDOW_BYTES)
            window = memoryview(file.read(start, asked))
            if len(window) < asked:  # the end, which may have come nearer: space was given back
                size_bytes = start + len(window)
            continue
        content = window[at : at + wanted]
        if head[_MAGIC_AT] == MAGIC:
            header = _checked(segment, content, position, due)
            yield PlacedBatch(position, header, content)
            due = header.next_offset
        else:
            due = _old_message(segment, content, position, due)
        position += wanted


def _length(
    segment: PartitionSegment, head: bytes, position: int, size_bytes: int, due: Offset
) -> int | None:
    """The bytes of the entry whose first bytes these are; None for a cut-off end that may be."""
    left = size_bytes - position
    if segment.end is None and (not any(head) or is_marked_unfinished(head)):
        return None  # preallocated space, or what is being written into it
    if len(head) > _MAGIC_AT:
        _, length = _PLACE.unpack_from(head)
        whole: int = length + LENGTH_OVERHEAD_BYTES
        if length < _LEAST_MESSAGE_BYTES or whole > MAX_FRAME_BYTES:
            raise RottenSegment(segment.path, position, due, f"a length of {length} bytes")
        if whole <= left:
            return whole
    if segment.end is None:
        return None
    raise RottenSegment(segment.path, position, due, f"it is cut off: {left} bytes are left")


def _header(segment: PartitionSegment, head: bytes, position: int, due: Offset) -> BatchHeader:
    try:
        header = read_header(head)
    except CorruptBatch as error:
        raise RottenSegment(segment.path, position, due, error.reason) from None
    return _in_order(segment, header, position, due)


def _checked(
    segment: PartitionSegment, content: memoryview, position: int, due: Offset
) -> BatchHeader:
    try:
        header = check(content)
    except CorruptBatch as error:
        raise RottenSegment(segment.path, position, due, error.reason) from None
    return _in_order(segment, header, position, due)


def _in_order(
    segment: PartitionSegment, header: BatchHeader, position: int, due: Offset
) -> BatchHeader:
    """Offsets rise, with gaps where a cleaner was, and stay below the next segment's base."""
    if header.base_offset < due:
        why = f"the batch there begins at offset {header.base_offset}, before what it follows"
        raise RottenSegment(segment.path, position, due, why)
    if segment.end is not None and header.next_offset > segment.end:
        why = f"the batch there ends at offset {header.last_offset}, in the next segment"
        raise RottenSegment(segment.path, position, due, why)
    return header


def _old_message(
    segment: PartitionSegment, content: memoryview, position: int, due: Offset
) -> Offset:
    """A message of format 0 or 1: checked, and passed over, as it has no producer."""
    magic = content[_MAGIC_AT]
    if magic > MAGIC:
        raise RottenSegment(segment.path, position, due, f"message format {magic}")
    offset, _ = _PLACE.unpack_from(content)
    (crc,) = _MESSAGE_CRC.unpack_from(content, _PLACE.size)
    if crc32(content[_MAGIC_AT:]) != crc:
        raise RottenSegment(segment.path, position, due, "its checksum is wrong")
    if offset < due:
        why = f"the message there has offset {offset}, before what it follows"
        raise RottenSegment(segment.path, position, due, why)
    return int(offset) + 1
