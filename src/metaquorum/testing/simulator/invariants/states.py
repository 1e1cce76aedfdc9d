"""Rules of the replayed state."""

from __future__ import annotations

from metaquorum.base.offsets import Offset
from metaquorum.testing.simulator.invariants.rule import broken, rule


@rule("KIP-631, Metadata", "Equal offsets mean equal states, on every node.")
def states_are_equal_at_equal_offsets(
    prints: dict[Offset, int], node: int, offset: Offset, fingerprint: int
) -> None:
    if prints.setdefault(offset, fingerprint) != fingerprint:
        broken(states_are_equal_at_equal_offsets, f"node {node} differs from others at {offset}")
