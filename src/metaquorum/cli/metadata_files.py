"""The metadata state out of files: one checkpoint or segment, or a whole log directory.

Nothing is written, repaired or locked: the directory may belong to a node that runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.cli.metadata_load import LoadedState, Loading, Say, snapshot_content
from metaquorum.cli.metadata_point import END, Point
from metaquorum.metadata.origin import Origin
from metaquorum.records.batch import BatchHeader
from metaquorum.storage.disk import File
from metaquorum.storage.names import (
    LOG,
    METADATA_DIRECTORY,
    parse_segment_file,
    parse_snapshot_file,
    segment_file,
    snapshot_file,
)
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.preallocation import LOOKS, is_unfinished
from metaquorum.storage.snapshot_check import BadSnapshot, checked_batches

ZERO_CHECKPOINT = OffsetAndEpoch(epoch=0, offset=0)  # bootstrap records, not state (KIP-1170)


def from_file(path: str, say: Say, *, point: Point = END) -> LoadedState:
    """A checkpoint, or one segment that begins the log.

    A checkpoint's records are numbered by their places in the file, as Kafka's shell has it.
    """
    if os.path.isdir(path):
        raise OperatorError(f"{path} is a directory: name it with --log-dir")
    loading = Loading(path, point, say)
    snapshot = parse_snapshot_file(os.path.basename(path))
    for header, data in _batches(path):
        if not loading.take(header, memoryview(data), path):
            break
    shown = loading.finished(path)
    if snapshot is None:
        return shown
    traced = Loading(path, END, say)
    traced.begin_at(snapshot, _batches(path))  # what --provenance tells: the place in the log
    end = Origin(snapshot.offset - 1, snapshot.epoch, traced.first_time_ms or 0, True)
    return LoadedState(traced.state.committed(), end, shown.provenance, path)


def from_directory(path: str, point: Point, say: Say, *, from_start: bool = False) -> LoadedState:
    """The newest snapshot before ``point`` and the log from there on, to the end of what is there.

    ``from_start`` reads the log from its beginning while it still has it, so that every entry can
    be known by the record that set it. OperatorError when ``point`` is no longer, or not yet,
    there.
    """
    directory = metadata_directory(path)
    names = os.listdir(directory)
    starts = sorted(s for s in (parse_segment_file(name, LOG) for name in names) if s is not None)
    snapshots = sorted(
        (
            found
            for found in map(parse_snapshot_file, names)
            if found not in (None, ZERO_CHECKPOINT)
        ),
        key=lambda found: found or ZERO_CHECKPOINT,
    )
    usable = [one for one in snapshots if one and _reaches(directory, one, point)]
    loading = Loading(directory, point, say)
    begin: Offset = 0
    if usable and not (from_start and starts[:1] == [0]):
        newest = usable[-1]
        file = f"{directory}/{snapshot_file(newest)}"
        loading.place = file
        loading.begin_at(newest, _batches(file))
        loading.place = directory
        begin = newest.offset
    if starts and starts[0] > begin:
        oldest = min((one.offset for one in snapshots if one), default=starts[0])
        raise OperatorError(
            f"{directory}: the state at {point.text} is no longer there, "
            f"the oldest one is that after offset {oldest - 1}"
        )
    for number, start in enumerate(starts):
        if starts[number + 1 : number + 2] and starts[number + 1] <= begin:
            continue
        is_last = number == len(starts) - 1
        if not _take_segment(loading, f"{directory}/{segment_file(start, LOG)}", is_last):
            break
    return loading.finished(directory)


def metadata_directory(path: str) -> str:
    """The metadata log's directory at ``path`` or in it."""
    for directory in (os.path.join(path, METADATA_DIRECTORY), path):
        if os.path.isdir(directory) and any(
            parse_segment_file(name, LOG) is not None or parse_snapshot_file(name) is not None
            for name in os.listdir(directory)
        ):
            return directory
    if not os.path.isdir(path):
        raise OperatorError(f"{path}: there is no such directory")
    raise OperatorError(f"{path}: neither a metadata log nor a {METADATA_DIRECTORY} in it")


def _take_segment(loading: Loading, path: str, is_last: bool) -> bool:
    """Replay one segment; False when the point was reached. A torn tail ends the log."""
    try:
        for header, data in _batches(path):
            if not loading.take(header, memoryview(data), path):
                return False
    except BadSnapshot as fault:
        if not is_last:
            raise
        loading.say(f"{path} is read up to byte {fault.position}: {fault.why}")
    return True


def _reaches(directory: str, snapshot: OffsetAndEpoch, point: Point) -> bool:
    if point.time_ms is None:
        return point.reaches(snapshot.offset, 0)
    path = f"{directory}/{snapshot_file(snapshot)}"
    first = next(iter(_batches(path)), None)
    contained_ms = -1 if first is None else snapshot_content(path, [first])[0]
    return point.reaches(snapshot.offset, contained_ms)


def _batches(path: str) -> Iterator[tuple[BatchHeader, bytes]]:
    file = PosixDisk().open(path, writable=False)
    try:
        if file.size() == 0 and path.endswith(".checkpoint"):
            raise BadSnapshot(path, 0, "the file is empty")
        yield from _log_batches(file) if path.endswith(LOG) else checked_batches(file)
    finally:
        file.close()


def _log_batches(file: File) -> Iterator[tuple[BatchHeader, bytes]]:
    """Those of a segment that its node may be writing: what is none may be one at a second look,
    and one that says it is not finished is the end of the log.
    """
    position = looks = 0
    while True:
        size_bytes = os.stat(file.fileno()).st_size
        try:
            for header, content in checked_batches(file, position, size_bytes):
                yield header, content
                position, looks = position + header.size_bytes, 0
            return
        except BadSnapshot:
            if is_unfinished(file.read, position):
                return
            looks += 1
            if looks == LOOKS:
                raise
