"""Rules of snapshots, and of what stands in the log beside them."""

from __future__ import annotations

from collections.abc import Sequence

from metaquorum.base.offsets import Epoch, Offset, OffsetAndEpoch
from metaquorum.quorum.voters import VoterSet
from metaquorum.testing.simulator.invariants.rule import broken, rule
from metaquorum.testing.simulator.log_mirror import Entry


@rule("KIP-630, Snapshots", "A snapshot holds what replaying the log up to its end gives.")
def a_snapshot_equals_the_replay(
    prints: dict[Offset, int], node: int, offset: Offset, fingerprint: int
) -> None:
    if prints.get(offset, fingerprint) != fingerprint:
        broken(a_snapshot_equals_the_replay, f"node {node} loaded another state at {offset}")


@rule("KIP-630, Snapshots", "A snapshot covers committed records only.")
def snapshots_cover_only_what_is_committed(node: int, end: Offset, committed: Offset) -> None:
    if end > committed:
        broken(snapshots_cover_only_what_is_committed, f"node {node}: {end} beyond {committed}")


@rule(
    "KIP-630, Validation of Snapshot and Log, 1",
    "Snapshots end between the start of the log and the high watermark.",
)
def snapshots_end_between_log_start_and_watermark(
    node: int, start: Offset, snapshots: Sequence[OffsetAndEpoch], watermark: Offset
) -> None:
    for one in snapshots:
        if not start <= one.offset <= watermark:
            broken(
                snapshots_end_between_log_start_and_watermark,
                f"node {node}: {one} is not between {start} and {watermark}",
            )


@rule(
    "KIP-630, Validation of Snapshot and Log, 2",
    "A log that begins above 0 has a snapshot that ends at its start or later.",
)
def a_log_that_begins_late_has_a_snapshot(
    node: int, start: Offset, snapshots: Sequence[OffsetAndEpoch]
) -> None:
    if start > 0 and not any(one.offset >= start for one in snapshots):
        broken(
            a_log_that_begins_late_has_a_snapshot,
            f"node {node}: the log begins at {start}, there are {list(map(str, snapshots))}",
        )


@rule(
    "KIP-630, Validation of Snapshot and Log",
    "Where the newest snapshot is newer than the log, the log starts and ends at its end.",
)
def a_newer_snapshot_begins_the_log_anew(
    node: int, newest: OffsetAndEpoch, start: Offset, end: Offset, last_epoch: Epoch
) -> None:
    newer = newest.offset > end or (end > start and newest.epoch > last_epoch)
    if newer or (end == start and newest.offset != end):
        broken(
            a_newer_snapshot_begins_the_log_anew,
            f"node {node} has {newest} and a log from {start} to {end} of epoch {last_epoch}",
        )


@rule(
    "KIP-630, Snapshot Format",
    "A snapshot is named by its end and by the epoch of the last record that it covers.",
)
def a_snapshot_is_named_by_its_last_record(
    node: int, snapshot: OffsetAndEpoch, last: Entry | None
) -> None:
    if last is None or last.next != snapshot.offset or last.epoch != snapshot.epoch:
        broken(
            a_snapshot_is_named_by_its_last_record,
            f"node {node} has {snapshot}; the last batch below it is {last}",
        )


@rule(
    "KIP-853, Snapshots",
    "After a snapshot the voters are those of the log below its end.",
)
def a_snapshot_brings_the_voters_of_its_end(
    node: int, end: Offset, found: VoterSet, expected: VoterSet
) -> None:
    if found.keys != expected.keys:
        broken(
            a_snapshot_brings_the_voters_of_its_end,
            f"node {node} counts with {[key.id for key in found.keys]} at {end}, not with "
            f"{[key.id for key in expected.keys]} or with other directories of them",
        )


@rule(
    "KIP-630, Fetching Snapshots",
    "A part that is here goes on with the leader and the epoch that it began with.",
)
def a_part_goes_on_with_its_leader(node: int, began: object, goes_on: object) -> None:
    if began != goes_on:
        broken(a_part_goes_on_with_its_leader, f"node {node} began with {began}, now {goes_on}")


@rule(
    "KIP-630, Loading Snapshots",
    "At the end of a run snapshot plus log is, on every node, what the full replay is.",
)
def snapshot_plus_log_equals_the_full_replay(node: int, offset: Offset, what: str) -> None:
    broken(snapshot_plus_log_equals_the_full_replay, f"node {node} at {offset}: {what}")
