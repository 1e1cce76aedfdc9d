"""Writing the directory of a metadata partition that a plan describes, out of files that are read.

It is written through the log of a node (``storage.log``): segments, indexes, the file of epochs and
all the rest are as after a clean stop. Everything is durable when it returns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from crc32c import crc32c

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import UNREACHABLE_OFFSET, Offset
from metaquorum.quorum.adapt.batches import make_control_batch
from metaquorum.quorum.types import (
    ZERO_SNAPSHOT,
    ControlValue,
    KRaftVersionControl,
    LeaderChangeControl,
    ReplicaKey,
    VotersControl,
)
from metaquorum.recover.history import Base, History, Piece
from metaquorum.recover.log_reading import log_batches
from metaquorum.recover.plan import NodePlan, Plan
from metaquorum.storage import quorum_state
from metaquorum.storage.disk import Disk
from metaquorum.storage.log import Log
from metaquorum.storage.names import snapshot_file
from metaquorum.storage.snapshot_check import BadSnapshot
from metaquorum.storage.snapshot_files import SnapshotPart, write_snapshot

_GROUP_BYTES = 1 << 20


def build(disk: Disk, directory: str, plan: Plan, node: NodePlan, places: Mapping[int, str]) -> int:
    """Write ``directory``, which is empty; returns the log end offset.

    ``places`` are the metadata partitions' directories of the sources that the node needs.
    OperatorError where a source has not what the plan says; DiskFailed.
    """
    history = node.history
    log, _ = Log.open(disk, directory)  # before there is a snapshot, at which it would begin
    if history.start > 0:
        log.restart_at(history.start)
    for at, piece in enumerate(history.pieces):
        is_last = at == len(history.pieces) - 1
        _copy(disk, log, piece, places[piece.survey])
        if log.end_offset != piece.end and not (
            is_last and _straddles(disk, places[piece.survey], log.end_offset, piece.end)
        ):
            raise _another(places[piece.survey], f"offset {log.end_offset} cannot be read in it")
    _check_epochs(log, history, places)
    if history.start == 0 and history.pieces:
        _copy_zero_checkpoint(disk, directory, places[history.pieces[0].survey])
    if node.appends:
        for batch in fresh_epoch(plan, log.end_offset):
            log.append([batch])
    end = log.end_offset
    log.sync()
    log.close()
    if history.base is not None:
        _copy_snapshot(disk, directory, history.base, places)
    quorum_state.write(disk, directory, node.election)
    _sync_all(disk, directory)
    return end


def _sync_all(disk: Disk, directory: str) -> None:
    """A start makes indexes and the like anew, so a log does not sync them all; here all count."""
    for name in disk.names(directory):
        file = disk.open(f"{directory}/{name}", writable=False)
        try:
            file.sync()
        finally:
            file.close()
    disk.sync_directory(directory)


def fresh_epoch(plan: Plan, end: Offset) -> Iterator[bytes]:
    """The batches of the plan's epoch, as its leader writes them: LeaderChange, then the voters.

    None where the voters are static: then quorum-state alone tells the epoch.
    """
    if plan.kraft_version == 0:
        return
    ids = tuple(ReplicaKey(one.id) for one in plan.voters)
    first: list[ControlValue] = [LeaderChangeControl(plan.leader_id, ids, ids)]
    first.append(KRaftVersionControl(plan.kraft_version))
    groups = [tuple(first)] + [(VotersControl(one),) for one in plan.steps]
    for values in groups:
        batch = make_control_batch(values, end, plan.epoch, timestamp_ms=plan.created_ms)
        assert isinstance(batch.payload, bytes)
        yield batch.payload
        end = batch.next_offset


def _copy(disk: Disk, log: Log, piece: Piece, place: str) -> None:
    group: list[bytes] = []
    size_bytes = 0
    due = piece.start
    for header, content in log_batches(disk, place, piece.start, piece.end):
        if header.base_offset < due:
            continue  # one that stands there twice
        if header.base_offset > due:
            raise _another(place, f"offset {due} cannot be read in it")
        group.append(content)
        size_bytes += len(content)
        due = header.next_offset
        if size_bytes >= _GROUP_BYTES:
            log.append(group)
            group, size_bytes = [], 0
    log.append(group)


def _straddles(disk: Disk, place: str, start: Offset, end: Offset) -> bool:
    """Whether one batch of a log begins before an offset at which it was to be cut, and ends behind
    it: surveys do not tell where batches begin.
    """
    for header, _ in log_batches(disk, place, start, UNREACHABLE_OFFSET):
        return header.base_offset == start and header.next_offset > end
    return False


def _check_epochs(log: Log, history: History, places: Mapping[int, str]) -> None:
    written = tuple(log.epochs)
    if history.pieces and written != history.runs:
        raise _another(
            ", ".join(sorted(places.values())), "its epochs begin at other offsets than planned"
        )


def _copy_snapshot(disk: Disk, directory: str, base: Base, places: Mapping[int, str]) -> None:
    seen = base.seen
    path = f"{places[base.survey]}/{snapshot_file(seen.snapshot)}"
    try:
        file = disk.open(path, writable=False)
    except FileNotFoundError:
        raise _another(places[base.survey], f"{path} is not there") from None
    part = SnapshotPart.begun(disk, directory, seen.snapshot)
    crc = 0
    try:
        while piece := file.read(part.position, _GROUP_BYTES):
            crc = crc32c(piece, crc)
            part.append(piece)
        if (part.position, crc) != (seen.size_bytes, seen.crc):
            raise _another(places[base.survey], f"{path} is another file")
        part.freeze()
    finally:
        file.close()


def _copy_zero_checkpoint(disk: Disk, directory: str, place: str) -> None:
    """What format wrote: nobody needs it beside a log, so a damaged one is left out."""
    try:
        content = disk.read_bytes(f"{place}/{snapshot_file(ZERO_SNAPSHOT)}")
    except OSError:
        return
    try:
        write_snapshot(disk, directory, ZERO_SNAPSHOT, [content])
    except BadSnapshot:
        return


def _another(place: str, why: str) -> OperatorError:
    return OperatorError(
        f"{place} is not what was surveyed: {why}. Survey it again, and plan again"
    )
