"""``check directory``: every file of metadata directories, and directories against each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import METADATA_TOPIC_ID
from metaquorum.base.offsets import Offset
from metaquorum.cli.dump_indexes import (
    ProducerSnapshotDamaged,
    producer_snapshot_lines,
    sanity_line,
)
from metaquorum.cli.metadata_diff import changes
from metaquorum.cli.metadata_files import from_directory, from_file
from metaquorum.cli.metadata_load import LoadedState
from metaquorum.cli.metadata_point import parse_point
from metaquorum.quorum.types import ZERO_SNAPSHOT
from metaquorum.recover.log_reading import log_batches, segments_of
from metaquorum.recover.reading import metadata_partition, survey_directory
from metaquorum.recover.survey import Survey
from metaquorum.storage.disk import Disk
from metaquorum.storage.epoch_file import decode_epochs
from metaquorum.storage.names import (
    EPOCH_FILE,
    OFFSET_INDEX,
    PARTITION_METADATA,
    PRODUCER_SNAPSHOT,
    TIME_INDEX,
    segment_file,
    snapshot_file,
)
from metaquorum.storage.partition_metadata import check_other_topic

MOST_DIFFERENCES = 20
_PLAIN_INDEXES = (OFFSET_INDEX, TIME_INDEX)


@frozen
class Finding:
    """Something that is wrong: where, and what."""

    place: str
    why: str
    offset: Offset | None = None


def check_directories(
    disk: Disk, paths: Sequence[str], now_ms: int
) -> tuple[list[Survey], list[Finding]]:
    """The surveys of the directories, and all that is wrong in one or between two of them.

    OperatorError for a path without a metadata log.
    """
    surveys = [survey_directory(disk, path, now_ms) for path in paths]
    partitions = [metadata_partition(disk, path)[1] for path in paths]
    found = [
        Finding(f"{partition}/{one.file}", _at(one.position, one.why), one.offset)
        for survey, partition in zip(surveys, partitions)
        for one in survey.damages
    ]
    for survey, partition in zip(surveys, partitions):
        if disk.exists(partition):
            found += _other_files(disk, survey, partition)
    for one, other in combinations(range(len(paths)), 2):
        found += _between(disk, surveys, partitions, one, other)
    for survey, partition in zip(surveys, partitions):
        found += _snapshots_against_logs(survey, partition, partitions)
    return surveys, found


def _at(position: int, why: str) -> str:
    return f"byte {position}: {why}" if position else why


def _other_files(disk: Disk, survey: Survey, partition: str) -> Iterator[Finding]:
    """What a start makes anew, or passes over, if it is wrong."""
    bases = segments_of(disk, partition)
    closed = {segment_file(base, suffix) for base in bases[:-1] for suffix in _PLAIN_INDEXES}
    for name in disk.names(partition):
        path = f"{partition}/{name}"
        try:
            if name in closed:
                sanity_line(path)
            elif name.endswith(PRODUCER_SNAPSHOT):
                list(producer_snapshot_lines(path))
            elif name == PARTITION_METADATA:
                check_other_topic(disk, partition, METADATA_TOPIC_ID)
        except (OperatorError, ProducerSnapshotDamaged) as error:
            yield Finding(path, str(error).removeprefix(f"{path}: "))
    yield from _epochs(disk, survey, partition)


def _epochs(disk: Disk, survey: Survey, partition: str) -> Iterator[Finding]:
    """The file of epochs against the epochs of the batches, where all of them can be read."""
    path = f"{partition}/{EPOCH_FILE}"
    if not disk.exists(path) or len(survey.stretches) != 1:
        return
    listed = decode_epochs(disk.read_bytes(path))
    if listed is None:
        yield Finding(path, "it is no list of epochs")
        return
    wanted = dict.fromkeys((run.epoch for run in survey.stretches[0].runs), True)
    for epoch, start in listed:
        run = survey.stretches[0].epoch_at(start)
        if run is not None and run != epoch:
            yield Finding(path, f"epoch {epoch} begins at {start} in it, the log has {run}", start)
            return
    missing = sorted(set(wanted) - set(listed.epochs))
    if missing:
        yield Finding(path, f"epoch {missing[0]} is in the log and not in it")


def _between(
    disk: Disk, surveys: Sequence[Survey], partitions: Sequence[str], one: int, other: int
) -> Iterator[Finding]:
    """The first record of which two logs have another one, up to where both are to be the same."""
    a, b = surveys[one], surveys[other]
    if None not in (a.cluster_id, b.cluster_id) and a.cluster_id != b.cluster_id:
        why = f"it is of cluster {a.cluster_id}, {partitions[other]} of cluster {b.cluster_id}"
        yield Finding(partitions[one], why)
        return
    start = max(a.log_start, b.log_start)
    end = min(a.end.offset, b.end.offset)
    first = {
        header.base_offset: (header.leader_epoch, header.crc)
        for header, _ in log_batches(disk, partitions[one], start, end)
    }
    for header, _ in log_batches(disk, partitions[other], start, end):
        mine = first.get(header.base_offset)
        if mine is None or mine == (header.leader_epoch, header.crc):
            continue
        why = (
            f"the batch at offset {header.base_offset} is of epoch {mine[0]} with checksum "
            f"{mine[1]:08x}, in {partitions[other]} of epoch {header.leader_epoch} with checksum "
            f"{header.crc:08x}"
        )
        yield Finding(partitions[one], why, header.base_offset)
        return


def _snapshots_against_logs(
    survey: Survey, partition: str, partitions: Sequence[str]
) -> Iterator[Finding]:
    """Where the state in a snapshot is another than that of a log at the same offset."""
    for seen in survey.snapshots:
        if not seen.is_whole or seen.snapshot == ZERO_SNAPSHOT:
            continue
        path = f"{partition}/{snapshot_file(seen.snapshot)}"
        snapshot = from_file(path, _silent)
        for other in partitions:
            state = _state_before(other, seen.snapshot.offset)
            if state is None:
                continue
            found = [one.words() for one in changes(snapshot.view, state.view)]
            for words in found[:MOST_DIFFERENCES]:
                yield Finding(path, f"from here to the log of {other}: {words}")


def _state_before(partition: str, offset: Offset) -> LoadedState | None:
    """The state that a directory's log alone has after ``offset`` - 1; None where it cannot say."""
    try:
        return from_directory(partition, parse_point(str(offset - 1)), _silent, from_start=True)
    except (OperatorError, OSError):
        return None


def _silent(text: str) -> None:
    """Remarks on how it went are of no use here."""
