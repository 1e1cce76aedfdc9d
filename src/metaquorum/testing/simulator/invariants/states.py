"""Rules of the replayed state and of snapshots."""

from __future__ import annotations

from metaquorum.base.offsets import Offset
from metaquorum.testing.simulator.invariants.rule import broken, rule


@rule("KIP-631, Metadata", "Equal offsets mean equal states, on every node.")
def states_are_equal_at_equal_offsets(
    prints: dict[Offset, int], node: int, offset: Offset, fingerprint: int
) -> None:
    if prints.setdefault(offset, fingerprint) != fingerprint:
        broken(states_are_equal_at_equal_offsets, f"node {node} differs from others at {offset}")


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
