"""Rules of the process: it stands, unless its disk fails."""

from __future__ import annotations

from metaquorum.testing.simulator.invariants.rule import broken, rule


@rule("KIP-595; KAFKA-14644", "Nothing that peers or clients say stops a node.", "crash")
def a_node_stops_only_for_its_disk(node: int, why: str) -> None:
    broken(a_node_stops_only_for_its_disk, f"node {node} stopped: {why}")


@rule("KIP-595, Log", "A node whose disk lost nothing but what was not synced starts.", "crash")
def a_node_starts_after_a_crash(node: int, why: str) -> None:
    broken(a_node_starts_after_a_crash, f"node {node} refuses to start: {why}")
