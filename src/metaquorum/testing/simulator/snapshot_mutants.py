"""Known bugs of snapshots, retention and installs, and where the storm of laggards meets each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.metadata import snapshot_writer
from metaquorum.metadata.snapshot_writer import snapshot_of
from metaquorum.metadata.state import HeldState, Provenance
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.quorum.adapt.snapshot_controls import snapshot_controls
from metaquorum.quorum.handlers.replication import retention
from metaquorum.runtime.snapshots.snapshot_loading import SnapshotLoading
from metaquorum.runtime.snapshots.snapshot_writing import SnapshotWriting
from metaquorum.storage import snapshot_check, snapshot_files
from metaquorum.storage.log import Log
from metaquorum.storage.names import snapshot_file, snapshot_part_file
from metaquorum.storage.snapshot_check import BadSnapshot, SnapshotFacts, verify_file
from metaquorum.storage.snapshot_files import SnapshotFiles, SnapshotPart
from metaquorum.testing import mutants as shared
from metaquorum.testing.mutants import Mutant, Patched, all_of, replaced, replaced_in


def prefix_goes_without_a_snapshot() -> Patched:
    """Whole segments go when there is too much, whether a snapshot covers them or not."""

    def start(rule: Any, start: Offset, kept: Any, measured: Any) -> Offset:
        return measured.segments[-1][0] if measured.segments else start

    return all_of(replaced(retention, "kafkas_start", start), shared.dropped_unchecked())


def newest_snapshot_goes_too() -> Patched:
    """A prefix takes all snapshots with it that end where the log now starts, or before."""
    honest = SnapshotFiles.delete_before

    def delete(files: SnapshotFiles, offset: Offset) -> Any:
        gone = honest(files, offset)
        for one in files.ids:
            if one.offset <= offset:
                files.disk.unlink(f"{files.directory}/{snapshot_file(one)}")
        files.refresh()
        return gone

    return replaced(SnapshotFiles, "delete_before", delete)


def snapshot_of_what_is_not_committed() -> Patched:
    """A leader's snapshot holds what it has replayed, committed or not."""

    def begin(cls: Any, state: Any, replica: Any, wall_ms: int) -> Any:
        held = state.hold()
        return _begun(cls, state, replica, HeldState(held.mark, state._end, state.live()))

    return replaced(SnapshotWriting, "begin", classmethod(begin))


def record_left_out_of_a_snapshot() -> Patched:
    """The writer of a snapshot forgets one of its entries."""
    honest = snapshot_writer._quotas

    def quotas(view: StateView) -> Iterator[Any]:
        yield from list(honest(view))[1:]

    parts = tuple(quotas if one is honest else one for one in snapshot_writer._PARTS)
    return replaced(snapshot_writer, "_PARTS", parts)


def snapshot_of_the_present_epoch() -> Patched:
    """A snapshot is named by the epoch of its writer, not by that of its last record."""

    def begin(cls: Any, state: Any, replica: Any, wall_ms: int) -> Any:
        held = state.hold()
        place = held.provenance
        named = Provenance(place.end_offset, replica.epoch, place.timestamp_ms)
        return _begun(cls, state, replica, HeldState(held.mark, named, held.view))

    return replaced(SnapshotWriting, "begin", classmethod(begin))


def _begun(cls: Any, state: Any, replica: Any, held: HeldState) -> Any:
    place, newest = held.provenance, replica.log.newest_snapshot
    if place.epoch < 0 or place.end_offset <= (newest.offset if newest is not None else 0):
        state.let_go(held)
        return None
    batches = snapshot_of(
        held.view,
        epoch=place.epoch,
        timestamp_ms=place.timestamp_ms,
        last_contained_ms=place.timestamp_ms,
        controls=snapshot_controls(replica.voters, place.end_offset),
    )
    id = OffsetAndEpoch(place.epoch, place.end_offset)
    return cls(id, iter(list(batches)), replica, state, held)


def snapshot_is_not_synced() -> Patched:
    """A snapshot gets its name before its bytes are on the disk."""

    def freeze(part: SnapshotPart) -> SnapshotFacts:
        facts = verify_file(part.file, part.snapshot)
        part.file.close()
        where = part.directory
        names = snapshot_part_file(part.snapshot), snapshot_file(part.snapshot)
        part.disk.rename(f"{where}/{names[0]}", f"{where}/{names[1]}")
        part.disk.sync_directory(where)
        return facts

    return replaced(SnapshotPart, "freeze", freeze)


def footer_is_not_looked_at() -> Patched:
    """A snapshot without its end is taken for a whole one."""

    def lenient(file: Any, snapshot: OffsetAndEpoch) -> SnapshotFacts:
        try:
            return verify_file(file, snapshot)
        except BadSnapshot as error:
            if "footer" not in error.why:
                raise
            return SnapshotFacts(snapshot, file.size(), 1)

    return replaced_in((snapshot_files, snapshot_check), "verify_file", lenient)


def installed_beside_the_log() -> Patched:
    """An install leaves the log on the disk as it was."""

    def nothing(log: Log, offset: Offset) -> None:
        return None

    return replaced(Log, "restart_at", nothing)


def state_is_not_exchanged() -> Patched:
    """After an install the log goes on, on top of the old state."""

    def swap(loading: SnapshotLoading, loaded: Any) -> None:
        loading.driver.next_to_apply = loaded.state.end_offset
        loading.driver.state_moved()

    return replaced(SnapshotLoading, "_swap", swap)


LATE = "a log that begins late has a snapshot"
START = "a node starts after a crash"
REPLAY = "a snapshot equals the replay"

SNAPSHOT_MUTANTS: tuple[tuple[str, Mutant, int, str], ...] = (
    ("prefix without snapshot", prefix_goes_without_a_snapshot, 9, LATE),
    ("start of the leader", shared.followers_start_where_the_leader_does, 2, LATE),
    ("newest snapshot deleted", newest_snapshot_goes_too, 0, LATE),
    (
        "snapshot of another epoch",
        snapshot_of_the_present_epoch,
        0,
        "a snapshot is named by its last record",
    ),
    ("record left out", record_left_out_of_a_snapshot, 0, REPLAY),
    ("snapshot not synced", snapshot_is_not_synced, 0, START),
    ("footer not looked at", footer_is_not_looked_at, 3, REPLAY),
    (
        "part of another leader",
        shared.part_of_another_leader_is_kept,
        0,
        "a part goes on with its leader",
    ),
    (
        "installed beside the log",
        installed_beside_the_log,
        0,
        "a newer snapshot begins the log anew",
    ),
    ("no new log end", shared.installed_without_a_new_end, 0, "a node stops only for its disk"),
    ("old state kept", state_is_not_exchanged, 0, "reads show what is committed"),
    ("no epoch after install", shared.empty_log_has_no_epoch, 1, "a majority elects a leader"),
    (
        "voters of a snapshot forgotten",
        shared.snapshot_brings_no_voters,
        0,
        "a snapshot brings the voters of its end",
    ),
)
"""Each with its name, the first seed of the storm of laggards that met it, the rule it broke."""
