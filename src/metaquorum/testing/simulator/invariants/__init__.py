"""What must hold at every moment: one function each, tied to the sentence that demands it."""

from __future__ import annotations

from metaquorum.testing.simulator.invariants import (
    brokers,
    commits,
    elections,
    liveness,
    logs,
    partitions,
    process,
    snapshots,
    states,
    voter_sets,
    writes,
)
from metaquorum.testing.simulator.invariants.rule import RULES, Rule, Violation

__all__ = [
    "RULES",
    "Rule",
    "Violation",
    "brokers",
    "commits",
    "elections",
    "liveness",
    "logs",
    "partitions",
    "process",
    "snapshots",
    "states",
    "voter_sets",
    "writes",
]
