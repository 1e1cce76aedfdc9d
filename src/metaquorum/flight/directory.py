"""The metadata log of a directory, or of one segment file, as evidence."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from metaquorum.base.errors import OperatorError
from metaquorum.flight.evidence import OfLog
from metaquorum.flight.log_evidence import Writing, evidence_of
from metaquorum.flight.recorded_log import RUN_MS
from metaquorum.records.batch import BatchHeader
from metaquorum.recover.log_reading import log_batches
from metaquorum.recover.reading import metadata_partition
from metaquorum.storage.disk import Disk
from metaquorum.storage.names import LOG
from metaquorum.storage.snapshot_check import BadSnapshot, checked_batches

UNREACHABLE_OFFSET = 2**63 - 1
Say = Callable[[str], None]


def log_evidence(disk: Disk, path: str, say: Say) -> list[OfLog]:
    """What the log at ``path`` says: a log directory, its metadata partition, or a segment.

    Batches that cannot be read are passed over, and ``say`` is told where. OperatorError where
    there is no metadata log.
    """
    batches = _of_file(disk, path, say) if path.endswith(LOG) else _of_directory(disk, path, say)
    made: list[OfLog] = []
    writing = Writing(RUN_MS)
    for header, data in batches:
        items = evidence_of(header, data)
        made += [one for one in (writing.add(header), *items) if one is not None]
    last = writing.take()
    return made if last is None else [*made, last]


def _of_directory(disk: Disk, path: str, say: Say) -> Iterator[tuple[BatchHeader, bytes]]:
    partition = metadata_partition(disk, path)[1]
    if not disk.exists(partition):
        raise OperatorError(f"{path}: there is no metadata log in it")
    due: int | None = None
    for header, data in log_batches(disk, partition, 0, UNREACHABLE_OFFSET):
        if due is not None and header.base_offset != due:
            say(f"{partition}: offsets {due} to {header.base_offset - 1} cannot be read")
        due = header.next_offset
        yield header, data


def _of_file(disk: Disk, path: str, say: Say) -> Iterator[tuple[BatchHeader, bytes]]:
    if not os.path.isfile(path):
        raise OperatorError(f"{path}: there is no such file")
    file = disk.open(path, writable=False)
    try:
        yield from checked_batches(file, 0, file.size())
    except BadSnapshot as error:
        say(f"{path}: what is behind byte {error.position} cannot be read: {error.why}")
    finally:
        file.close()
