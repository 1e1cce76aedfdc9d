"""Rules of the high watermark."""

from __future__ import annotations

from collections.abc import Sequence

from metaquorum.base.offsets import Epoch, Offset
from metaquorum.testing.simulator.invariants.rule import broken, rule
from metaquorum.testing.simulator.log_mirror import Entry, LogMirror


@rule("KIP-595, High Watermark", "What was committed is never another thing, on any node.")
def the_committed_prefix_is_immutable(node: int, entry: Entry, committed: Entry | None) -> None:
    if entry != committed:
        broken(
            the_committed_prefix_is_immutable,
            f"node {node} takes {entry} for committed, others have {committed}",
        )


@rule(
    "KIP-595, High Watermark; KAFKA-10526",
    "What is committed is on the disks of a majority of the voters.",
)
def what_is_committed_is_on_a_majority_of_disks(
    node: int, entry: Entry, holders: Sequence[int], voters: Sequence[int]
) -> None:
    if len(holders) <= len(voters) // 2:
        broken(
            what_is_committed_is_on_a_majority_of_disks,
            f"node {node} commits {entry}, of the voters {list(voters)} only {list(holders)} have "
            "it on their disks",
        )


@rule("KIP-595, High Watermark", "The high watermark of a replica never falls.")
def watermarks_never_fall(node: int, before: Offset | None, after: Offset | None) -> None:
    if before is not None and (after is None or after < before):
        broken(watermarks_never_fall, f"node {node} went from {before} to {after}")


@rule("KIP-595, Fetch", "The high watermarks that a leader answers in one epoch never fall.")
def answered_watermarks_never_fall(node: int, before: Offset, after: Offset) -> None:
    if after < before:
        broken(answered_watermarks_never_fall, f"node {node} said {before}, then {after}")


@rule("Raft 5.4, taken over by KIP-595", "A leader holds everything that was committed before.")
def a_leader_holds_everything_committed(
    node: int, epoch: Epoch, log: LogMirror, committed: LogMirror
) -> None:
    last = committed.last
    if last is not None and last.epoch < epoch and not log.holds(last):
        broken(
            a_leader_holds_everything_committed,
            f"node {node} leads epoch {epoch} without {last}, which was committed",
        )


@rule(
    "KIP-595, High Watermark; Raft 5.4.2",
    "A leader commits by counting only what is of its own epoch.",
)
def a_leader_commits_by_its_own_epoch(node: int, epoch: Epoch, entry: Entry) -> None:
    if entry.epoch != epoch:
        broken(a_leader_commits_by_its_own_epoch, f"node {node} of epoch {epoch} commits {entry}")


@rule("KIP-595, High Watermark", "Nobody takes for committed what its own log does not hold.")
def nobody_commits_beyond_its_log(node: int, watermark: Offset, end: Offset) -> None:
    if watermark > end:
        broken(nobody_commits_beyond_its_log, f"node {node}: {watermark} beyond {end}")
