"""Rules of what must happen at last, once the weather has ended."""

from __future__ import annotations

from collections.abc import Sequence

from metaquorum.base.clock import Millis
from metaquorum.testing.simulator.invariants.rule import broken, rule


@rule("KIP-595, Leader Election", "A connected majority elects a leader.", "liveness")
def a_majority_elects_a_leader(nodes: Sequence[str], waited_ms: Millis) -> None:
    broken(a_majority_elects_a_leader, f"none after {waited_ms} ms: {'; '.join(nodes)}")


@rule("KIP-595, Appends", "With a leader and a connected majority a write commits.", "liveness")
def a_fresh_write_commits(nodes: Sequence[str], waited_ms: Millis) -> None:
    broken(a_fresh_write_commits, f"none after {waited_ms} ms: {'; '.join(nodes)}")


@rule("KIP-595, Fetch", "Every node that is up catches up with the leader.", "liveness")
def everybody_catches_up(nodes: Sequence[str], waited_ms: Millis) -> None:
    broken(everybody_catches_up, f"not after {waited_ms} ms: {'; '.join(nodes)}")
