"""After the weather: do answers, logs and files agree?"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from metaquorum.testing.linearizability.log_files import batches_of
from metaquorum.testing.linearizability.notes import Notes
from tools.chaos.cluster import ChaosCluster
from tools.own_node import metaquorum

ERROR_LINE = re.compile(r"^\S+Z error |Traceback|metaquorum stops:")


def judge(cluster: ChaosCluster, notes: Notes) -> list[str]:
    """All that is wrong with a cluster whose nodes have ended; nothing, if all is well."""
    logs = {node: batches_of(process.metadata_directory) for node, process in cluster.nodes.items()}
    faults = notes.judged(logs)
    for node, process in cluster.nodes.items():
        faults += [f"node {node} logged: {line}" for line in error_lines(process.log_file)]
        faults += [f"node {node}: {fault}" for fault in file_faults(process.metadata_directory)]
    return faults


def error_lines(log_file: Path) -> list[str]:
    """Lines of a node's log that speak of an error of its own."""
    text = log_file.read_text(errors="replace")
    return [line for line in text.splitlines() if ERROR_LINE.search(line)][:5]


def file_faults(directory: Path) -> list[str]:
    """What ``metaquorum dump-log`` finds wrong with segments, indexes and snapshots."""
    logs = sorted([*directory.glob("*.log"), *directory.glob("*.checkpoint")])
    indexes = sorted([*directory.glob("*.index"), *directory.glob("*.timeindex")])
    runs = [("--cluster-metadata-decoder", logs), ("--index-sanity-check", indexes)]
    faults: list[str] = []
    for option, paths in runs:
        if not paths:
            continue
        done = metaquorum("dump-log", option, "--files", ",".join(map(str, paths)))
        if done.exit_code != 0:
            faults.append(f"dump-log {option}: {done.stderr.strip()[:300]}")
        faults += [
            line.strip()[:300]
            for line in done.stdout.splitlines()
            if re.search(r"isvalid: false|invalid bytes|Error at|[Mm]ismatch|should be", line)
        ]
    return faults


def summary(cluster: ChaosCluster, notes: Notes) -> str:
    """How much was done, in one line."""
    counts: Counter[str] = Counter()
    for one in notes.operations:
        kind = one.kind.value + ("" if one.returned_at is not None else " unknown")
        counts[kind] += 1
    fresh = sum(look.is_fresh for look in notes.looks)
    lives = sum(cluster.lives.values())
    return (
        f"{counts['write']} writes acknowledged, {counts['write unknown']} unknown; "
        f"{fresh} fresh looks, {len(notes.looks) - fresh} others, "
        f"{len(notes.seen)} records read; {lives} processes; {cluster.network.fired()}"
    )
