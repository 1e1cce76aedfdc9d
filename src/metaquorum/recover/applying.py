"""Applying a plan to one log directory, and taking it back: interrupted anywhere, it goes on.

The new directory is written beside the old one. Then the old one is moved and the new one gets its
name: two renames, with a journal around them (``recover.journal``). The old one is never deleted.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from attrs import evolve, frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset
from metaquorum.recover.build import build
from metaquorum.recover.journal import (
    JOURNAL,
    JournalEntry,
    Phase,
    read_journal,
    write_journal,
)
from metaquorum.recover.plan import NodePlan, Plan
from metaquorum.recover.reading import fingerprint, metadata_partition
from metaquorum.storage import meta_properties
from metaquorum.storage.disk import LocalDisk, beside_of
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.names import META_PROPERTIES, METADATA_DIRECTORY


@frozen
class Applied:
    """What was done: where the old directory is, and where the new log ends."""

    directory: str
    old: str | None
    end: Offset | None


def check_apply(
    disk: LocalDisk, plan: Plan, node: NodePlan, log_dir: str, froms: Mapping[int, str]
) -> dict[int, str]:
    """The directories that the node's part of the plan reads, each as it was surveyed.

    ``froms`` are those that the operator named, by node id; the node's own is ``log_dir``.
    Nothing is written. OperatorError says what is in the way.
    """
    identity = _identity(disk, log_dir)
    if identity is not None:
        _check_identity(plan, node, log_dir, identity)
    own = f"{log_dir}/{METADATA_DIRECTORY}"
    if node.source is None:
        if fingerprint(disk, own):
            raise OperatorError(
                f"{own} has a log that the plan does not know: the plan is for an empty directory "
                f"of node {node.node_id}. Survey it, and plan again"
            )
    else:
        _check_unchanged(disk, plan, node.source, own)
    places: dict[int, str] = {}
    for number in node.needs:
        if number == node.source:
            places[number] = own
            continue
        source = plan.sources[number]
        if source.node_id is None or source.node_id not in froms:
            raise OperatorError(
                f"the log of {source.name} is needed too: copy its directory here, or mount it, "
                f"and say --from {source.node_id}=DIR"
            )
        _, place = metadata_partition(disk, froms[source.node_id])
        _check_unchanged(disk, plan, number, place)
        places[number] = place
    return places


def _identity(disk: LocalDisk, log_dir: str) -> MetaProperties | None:
    with suppress(OperatorError):
        return meta_properties.read(disk, log_dir)
    return None


def _check_identity(plan: Plan, node: NodePlan, log_dir: str, found: MetaProperties) -> None:
    file = f"{log_dir}/{META_PROPERTIES}"
    if found.cluster_id != plan.cluster_id:
        raise OperatorError(
            f"{file} is of cluster {found.cluster_id}, the plan is for cluster {plan.cluster_id}"
        )
    if found.node_id != node.node_id:
        raise OperatorError(
            f"{file} is of node {found.node_id}, and node {node.node_id} was asked for"
        )


def _check_unchanged(disk: LocalDisk, plan: Plan, number: int, place: str) -> None:
    source = plan.sources[number]
    if fingerprint(disk, place) != source.fingerprint:
        raise OperatorError(
            f"{place} is not as it was when {source.name} was surveyed: survey it again, and plan "
            "again"
        )


def apply_plan(
    disk: LocalDisk, plan: Plan, node: NodePlan, log_dir: str, froms: Mapping[int, str]
) -> Applied:
    """Make the directory that the plan says, or go on where that was interrupted.

    The caller holds the lock of ``log_dir``. OperatorError changes nothing, or leaves a journal
    that ``apply_plan`` and ``undo`` go on from; a DiskFailed likewise.
    """
    entry = read_journal(disk, log_dir)
    if entry is not None:
        disk.unlink(beside_of(log_dir, JOURNAL))  # of a journal that was not replaced
        _check_same(plan, node, log_dir, entry)
        if entry.phase is Phase.UNDOING:
            undo(disk, log_dir)
            entry = None
        elif entry.phase is Phase.BUILDING:
            remove(disk, log_dir, entry.new)
    end = None
    if entry is None or entry.phase is Phase.BUILDING:
        places = check_apply(disk, plan, node, log_dir, froms)
        entry = _begin(disk, plan, node, log_dir)
        end = _built(disk, plan, node, log_dir, entry, places)
        entry = evolve(entry, phase=Phase.MOVING, built=fingerprint(disk, f"{log_dir}/{entry.new}"))
        write_journal(disk, log_dir, entry)
    if entry.phase is Phase.MOVING:
        _move(disk, plan, node, log_dir, entry)
        entry = evolve(entry, phase=Phase.DONE)
        write_journal(disk, log_dir, entry)
    old = f"{log_dir}/{entry.old}" if entry.had_directory else None
    return Applied(f"{log_dir}/{METADATA_DIRECTORY}", old, end)


def _check_same(plan: Plan, node: NodePlan, log_dir: str, entry: JournalEntry) -> None:
    if entry.plan_id != plan.plan_id or entry.node_id != node.node_id:
        raise OperatorError(
            f"{log_dir}/{JOURNAL} tells of another recovery, plan {entry.plan_id} for node "
            f"{entry.node_id}, which is {entry.phase.value}: undo it first with "
            f"`metaquorum recover undo --dir {log_dir}`, or go on with that plan"
        )


def _begin(disk: LocalDisk, plan: Plan, node: NodePlan, log_dir: str) -> JournalEntry:
    identity = _identity(disk, log_dir)
    wanted = MetaProperties(plan.cluster_id, node.node_id, node.directory_id)
    entry = JournalEntry(
        plan.plan_id,
        node.node_id,
        Phase.BUILDING,
        had_directory=disk.exists(f"{log_dir}/{METADATA_DIRECTORY}"),
        had_identity=disk.exists(f"{log_dir}/{META_PROPERTIES}"),
        writes_identity=identity != wanted,
    )
    write_journal(disk, log_dir, entry)
    return entry


def _built(
    disk: LocalDisk,
    plan: Plan,
    node: NodePlan,
    log_dir: str,
    entry: JournalEntry,
    places: Mapping[int, str],
) -> Offset:
    """Write the new directory; what was written of it goes when it fails."""
    new = f"{log_dir}/{entry.new}"
    try:
        disk.make_directory(new)
        end = build(disk, new, plan, node, places)
        disk.sync_directory(log_dir)
        return end
    except (OperatorError, OSError):
        with suppress(OSError):  # the first failure is the one to tell
            remove(disk, log_dir, entry.new)
            forget(disk, log_dir)
        raise


def _move(disk: LocalDisk, plan: Plan, node: NodePlan, log_dir: str, entry: JournalEntry) -> None:
    """The steps behind a whole new directory, each passed over where it was taken before."""
    current = f"{log_dir}/{METADATA_DIRECTORY}"
    new, old = f"{log_dir}/{entry.new}", f"{log_dir}/{entry.old}"
    if disk.exists(new):
        if entry.had_directory and not disk.exists(old):
            disk.rename(current, old)
            disk.sync_directory(log_dir)
        disk.rename(new, current)
        disk.sync_directory(log_dir)
    if entry.writes_identity:
        _write_identity(disk, plan, node, log_dir, entry)


def _write_identity(
    disk: LocalDisk, plan: Plan, node: NodePlan, log_dir: str, entry: JournalEntry
) -> None:
    path, kept = f"{log_dir}/{META_PROPERTIES}", f"{log_dir}/{entry.old_identity}"
    if entry.had_identity and not disk.exists(kept):
        disk.rename(path, kept)
        disk.sync_directory(log_dir)
    identity = MetaProperties(plan.cluster_id, node.node_id, node.directory_id)
    meta_properties.write(disk, log_dir, identity, f"recovered by plan {plan.plan_id}")


def undo(disk: LocalDisk, log_dir: str) -> JournalEntry:
    """Put everything back as it was before ``apply_plan``; it goes on where it was interrupted.

    The caller holds the lock of ``log_dir``. A recovered directory that a node has written to is
    kept under another name. OperatorError where there is nothing to undo.
    """
    entry = read_journal(disk, log_dir)
    if entry is None:
        raise OperatorError(f"{log_dir} has no {JOURNAL}: no recovery was applied there")
    if entry.phase is not Phase.BUILDING:
        if entry.phase is not Phase.UNDOING:
            entry = evolve(entry, phase=Phase.UNDOING)
            write_journal(disk, log_dir, entry)
        _move_back(disk, log_dir, entry)
    remove(disk, log_dir, entry.new)
    forget(disk, log_dir)
    return entry


def _move_back(disk: LocalDisk, log_dir: str, entry: JournalEntry) -> None:
    current = f"{log_dir}/{METADATA_DIRECTORY}"
    old = f"{log_dir}/{entry.old}"
    was_moved = disk.exists(old) or not entry.had_directory
    if was_moved and disk.exists(current) and not disk.exists(f"{log_dir}/{entry.new}"):
        is_as_built = fingerprint(disk, current) == entry.built
        disk.rename(current, f"{log_dir}/{entry.new if is_as_built else entry.undone}")
        disk.sync_directory(log_dir)
    if disk.exists(old):
        disk.rename(old, current)
        disk.sync_directory(log_dir)
    if not entry.writes_identity:
        return
    path, kept = f"{log_dir}/{META_PROPERTIES}", f"{log_dir}/{entry.old_identity}"
    if disk.exists(kept):
        disk.rename(kept, path)
    elif not entry.had_identity:
        disk.unlink(path)
    disk.unlink(beside_of(log_dir, META_PROPERTIES))
    disk.sync_directory(log_dir)


def remove(disk: LocalDisk, log_dir: str, name: str) -> None:
    """Delete a directory of ours with its files, durably; nothing happens if it is not there."""
    path = f"{log_dir}/{name}"
    if not disk.exists(path):
        return
    for one in disk.names(path):
        disk.unlink(f"{path}/{one}")
    disk.sync_directory(path)
    disk.remove_directory(path)
    disk.sync_directory(log_dir)


def forget(disk: LocalDisk, log_dir: str) -> None:
    """Remove the journal, durably: there is nothing to undo any more."""
    disk.unlink(f"{log_dir}/{JOURNAL}")
    disk.unlink(beside_of(log_dir, JOURNAL))
    disk.sync_directory(log_dir)
