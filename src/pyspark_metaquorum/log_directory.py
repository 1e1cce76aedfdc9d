"""What of a log directory is to be read, and in which parts.

The log comes from its first segment on. Where that no longer begins at offset 0, the oldest
snapshot that reaches into the log is read in place of what is gone (KIP-630). Large files are cut
into ranges that begin at a batch, found by the sparse index, which is checked and not trusted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import zip_longest
from struct import Struct
from typing import Any, Final

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.records.batch import BATCH_OVERHEAD_BYTES, read_header
from metaquorum.records.errors import BatchError
from metaquorum.storage.names import (
    CHECKPOINT,
    LOG,
    METADATA_DIRECTORY,
    OFFSET_INDEX,
    parse_segment_file,
    parse_snapshot_file,
    segment_file,
    snapshot_file,
)
from pyspark_metaquorum.file_system import Place

_ENTRY = Struct(">ii")
EARLY_DIRECTORY: Final = "@metadata-0"
DEFAULT_PARTITION_BYTES: Final = 67_108_864


@frozen
class FileRange:
    """Batches that begin between two positions of a file; ``snapshot`` when it is a checkpoint.

    Rows of offsets below ``first`` are left out; they are in the snapshot that goes before.
    """

    uri: str
    start: int
    end: int
    size_bytes: int
    snapshot: OffsetAndEpoch | None = None
    first: Offset | None = None


@frozen
class ChosenFiles:
    """The files of a directory that are read: a checkpoint, if there must be one, and segments.

    What is below ``first`` in the segments is in the checkpoint.
    """

    checkpoint: OffsetAndEpoch | None
    segments: tuple[tuple[Offset, str], ...]

    @property
    def first(self) -> Offset | None:
        """Where the segments begin to count."""
        return None if self.checkpoint is None else self.checkpoint.offset


def plan(
    uri: str, partition_bytes: int = DEFAULT_PARTITION_BYTES, start: Offset = 0
) -> list[FileRange]:
    """The ranges of a directory, of the directory above it, or of one file, in order.

    Segments that end below ``start`` are left out, and so is a checkpoint if the log itself goes
    back to there. Raises OperatorError when there is no metadata log, naming what was looked at.
    """
    place = Place.of(uri)
    names = place.names()
    if names is None:
        return list(_of_file(place, partition_bytes))
    if is_above(names):
        place = place.child(METADATA_DIRECTORY)
        names = place.names() or {}
    return list(_of_directory(place, names, partition_bytes, start))


def is_above(names: Collection[str]) -> bool:
    """Whether these are the names in a node's directory, with the metadata log in one of them."""
    return METADATA_DIRECTORY in names and not _log_names(names)


def _of_file(place: Place, partition_bytes: int) -> Iterator[FileRange]:
    snapshot = parse_snapshot_file(place.name)
    if snapshot is None and not place.name.endswith((LOG, CHECKPOINT)):
        raise OperatorError(f"{place.uri}: not a log segment or checkpoint, by its name")
    yield from _cut(place, place.size_bytes(), partition_bytes, snapshot)


def _log_names(names: Collection[str]) -> list[tuple[Offset, str]]:
    found = [(parse_segment_file(name, LOG), name) for name in names]
    return sorted((base, name) for base, name in found if base is not None)


def choose_files(uri: str, names: Collection[str], start: Offset = 0) -> ChosenFiles:
    """What must be read of a directory with these files to have all from ``start`` on.

    Raises OperatorError where that cannot be had.
    """
    segments = _log_names(names)
    found = [parse_snapshot_file(name) for name in names]
    snapshots = sorted(
        (one for one in found if one is not None and one.offset > 0),
        key=lambda one: (one.offset, one.epoch),
    )
    if not segments and not snapshots and EARLY_DIRECTORY in names:
        raise OperatorError(
            f"{uri}: the metadata log in {EARLY_DIRECTORY} is of Kafka 2.8, where it was a "
            "preview with records of another form; that directory gives a row for each of them"
        )
    if not segments and not snapshots:
        raise OperatorError(f"{uri}: no metadata log: neither a segment nor a checkpoint")
    begin = segments[0][0] if segments else None
    chosen: OffsetAndEpoch | None = None
    if begin is None or begin > start:
        reaching = [one for one in snapshots if begin is None or one.offset >= begin]
        if not reaching:
            raise OperatorError(
                f"{uri}: the log begins at offset {begin}, and no checkpoint reaches it: "
                "what came before is missing"
            )
        chosen = reaching[-1] if begin is None else reaching[0]
        if chosen.offset <= start and begin is None:
            chosen = None  # a checkpoint alone, and all that it stands for is known
    after = [base for base, _ in segments[1:]]
    wanted = [one for one, end in zip_longest(segments, after) if end is None or end > start]
    return ChosenFiles(chosen, tuple(wanted))


def _of_directory(
    place: Place, names: dict[str, int], partition_bytes: int, start: Offset
) -> Iterator[FileRange]:
    chosen = choose_files(place.uri, names, start)
    if chosen.checkpoint is not None:
        name = snapshot_file(chosen.checkpoint)
        yield from _cut(place.child(name), names[name], partition_bytes, chosen.checkpoint)
    for base, name in chosen.segments:
        index = segment_file(base, OFFSET_INDEX)
        marks = _index(place.child(index), base) if names.get(index, 0) > 0 else []
        yield from _cut(place.child(name), names[name], partition_bytes, None, chosen.first, marks)


def _cut(
    place: Place,
    size_bytes: int,
    partition_bytes: int,
    snapshot: OffsetAndEpoch | None,
    first: Offset | None = None,
    marks: list[tuple[Offset, int]] | None = None,
) -> Iterator[FileRange]:
    """One file in ranges of about so many bytes, each from a batch on."""
    starts = [0]
    if size_bytes > partition_bytes:
        with place.open() as file:
            starts += _starts(file, size_bytes, partition_bytes, marks or [])
    for start, end in zip(starts, [*starts[1:], size_bytes]):
        yield FileRange(place.uri, start, end, size_bytes, snapshot, first)


def _starts(
    file: Any, size_bytes: int, partition_bytes: int, marks: list[tuple[Offset, int]]
) -> Iterator[int]:
    """Positions at which batches begin, about ``partition_bytes`` apart."""
    if marks:
        last = 0
        for offset, position in marks:
            if position - last >= partition_bytes and _begins(file, offset, position, size_bytes):
                yield position
                last = position
        return
    position = last = 0
    while position + BATCH_OVERHEAD_BYTES <= size_bytes:
        try:
            header = read_header(_at(file, position, BATCH_OVERHEAD_BYTES))
        except BatchError:
            return  # the reader of the last range will say what is wrong
        if position - last >= partition_bytes:
            yield position
            last = position
        position += header.size_bytes


def _begins(file: Any, last_offset: Offset, position: int, size_bytes: int) -> bool:
    """Whether the batch that an index entry names is there."""
    if position + BATCH_OVERHEAD_BYTES > size_bytes:
        return False
    try:
        header = read_header(_at(file, position, BATCH_OVERHEAD_BYTES))
    except BatchError:
        return False
    return header.base_offset <= last_offset <= header.last_offset


def _index(place: Place, base: Offset) -> list[tuple[Offset, int]]:
    """The entries of an index file, as far as they rise; its preallocated rest is zeros."""
    with place.open() as file:
        data = file.read()
    found: list[tuple[Offset, int]] = []
    for relative, position in _ENTRY.iter_unpack(data[: len(data) // 8 * 8]):
        if position <= (found[-1][1] if found else 0):
            break
        found.append((base + relative, position))
    return found


def _at(file: Any, position: int, count: int) -> bytes:
    file.seek(position)
    data: bytes = file.read(count)
    return data
