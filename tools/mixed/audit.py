"""The closing audit of a mixed run: logs, states, answers, and what Kafka logged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.cli.metadata_files import from_directory
from metaquorum.cli.metadata_point import Point
from metaquorum.metadata.snapshot_writer import snapshot_values
from metaquorum.testing.linearizability.committed_order import check_writes
from metaquorum.testing.linearizability.history import Operation
from metaquorum.testing.linearizability.log_files import (
    Batches,
    batches_of,
    quota_writes,
    unequal,
)
from tools.chaos.judge import error_lines
from tools.kafka.log_errors import kafkas_faults
from tools.mixed.node import MixedNode


def audited(nodes: Sequence[MixedNode], writes: Sequence[Operation], committed: int) -> list[str]:
    """All that is wrong with nodes that have ended; ``committed`` is the end they all hold.

    Batches are compared byte by byte below ``committed``, wherever two nodes have them; states by
    our own replay of each directory. Every acknowledged write must stand in the log, which is put
    together from all nodes as some begin at a snapshot.
    """
    faults: list[str] = []
    logs: dict[int, Batches] = {}
    for node in nodes:
        found = batches_of(node.metadata_directory)
        kept = {base: one for base, one in found.items() if one.header.next_offset <= committed}
        end = max((one.header.next_offset for one in kept.values()), default=0)
        if end != committed:
            faults.append(f"node {node.node_id} has the log up to {end}, not {committed}")
        logs[node.node_id] = kept
    faults += unequal(logs)
    whole = {base: one for log in logs.values() for base, one in log.items()}
    faults += _gaps(whole, committed)
    in_log = [write for base in sorted(whole) for write in quota_writes(whole[base])]
    faults += check_writes(writes, in_log)
    faults += unequal_states(
        {node.node_id: node.metadata_directory for node in nodes}, committed - 1
    )
    for node in nodes:
        faults += logged_faults(node)
    return faults


def _gaps(log: Batches, end: int) -> list[str]:
    at = 0
    for base in sorted(log):
        if base != at:
            return [f"no node has the log between {at} and {base}"]
        at = log[base].header.next_offset
    return [] if at == end else [f"the log ends at {at}, not {end}"]


def unequal_states(directories: Mapping[int, Path], offset: int) -> list[str]:
    """Which directories hold another state at an offset than the first one."""
    faults: list[str] = []
    known: tuple[int, list[bytes]] | None = None
    for node, directory in directories.items():
        try:
            state = from_directory(str(directory), Point(str(offset), offset=offset), _ignore)
        except (OperatorError, PeerError) as error:
            faults.append(f"node {node}: {error}")
            continue
        values = sorted(snapshot_values(state.view))
        known = known or (node, values)
        if values != known[1]:
            faults.append(f"nodes {known[0]} and {node} hold different states at {offset}")
    return faults


def _ignore(text: str) -> None:
    """A torn tail is reported; what is compared lies before it."""


def logged_faults(node: MixedNode) -> list[str]:
    """Every line in which a node's programs tell of an error of theirs."""
    faults = [
        f"node {node.node_id}, {path.name}: {line}"
        for path in node.logs_of_kafka
        for line in kafkas_faults(path.read_text(errors="replace").splitlines())
    ]
    for path in node.logs_of_ours:
        faults += [f"node {node.node_id}, {path.name}: {line}" for line in error_lines(path)]
    return faults
