"""After the weather: do answers, logs and files agree?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from metaquorum.metadata.reading import read_metadata_batch
from metaquorum.records.batch import BatchHeader
from metaquorum.records.reader import walk_batches, walk_records
from metaquorum.testing.linearizability.committed_order import (
    CommittedWrite,
    check_looks,
    check_writes,
)
from metaquorum.testing.linearizability.register import check
from metaquorum.testing.linearizability.timeline import describe
from metaquorum.testing.linearizability.verdict import Linearizable
from tools.chaos.clients import QUOTA, Notes
from tools.chaos.cluster import ChaosCluster
from tools.own_node import metaquorum

ERROR_LINE = re.compile(r"^\S+Z error |Traceback|metaquorum stops:")


@frozen
class Batch:
    """One batch as its bytes lie in a segment."""

    header: BatchHeader
    data: bytes


def batches_of(directory: Path) -> dict[int, Batch]:
    """Every batch of every segment by its base offset."""
    return {
        header.base_offset: Batch(header, bytes(data))
        for segment in sorted(directory.glob("*.log"))
        for header, data in walk_batches(segment.read_bytes())
    }


def judge(cluster: ChaosCluster, notes: Notes) -> list[str]:
    """All that is wrong with a cluster whose nodes have ended; nothing, if all is well."""
    logs = {node: batches_of(process.metadata_directory) for node, process in cluster.nodes.items()}
    longest = max(logs.values(), key=lambda log: max(log, default=-1))
    committed = [one for batch in longest.values() for one in quota_writes(batch)]
    writes = [one for one in notes.operations if one.is_write]
    faults = list(notes.faults)
    faults += unequal(logs)
    faults += check_writes(writes, committed)
    faults += check_looks(notes.looks, writes, committed)
    faults += changed(notes.seen, longest)
    verdict = check(notes.operations)
    if not isinstance(verdict, Linearizable):
        faults.append(describe(verdict))
    for node, process in cluster.nodes.items():
        faults += [f"node {node} logged: {line}" for line in error_lines(process.log_file)]
        faults += [f"node {node}: {fault}" for fault in file_faults(process.metadata_directory)]
    return faults


def quota_writes(batch: Batch) -> list[CommittedWrite]:
    """The writes of users' quotas in a batch."""
    if batch.header.is_control:
        return []
    found = []
    for number, record in enumerate(read_metadata_batch(memoryview(batch.data), batch.header)):
        message = record.message
        if getattr(message, "key", None) == QUOTA and hasattr(message, "entity"):
            found.append(
                CommittedWrite(
                    batch.header.base_offset + number,
                    message.entity[0].entity_name,
                    None if message.remove else message.value,
                )
            )
    return found


def unequal(logs: dict[int, dict[int, Batch]]) -> list[str]:
    """Where two logs hold different bytes at one offset, and whose log ends early."""
    faults: list[str] = []
    known: dict[int, tuple[int, bytes]] = {}
    for node, log in logs.items():
        for base, batch in log.items():
            first, data = known.setdefault(base, (node, batch.data))
            if data != batch.data:
                faults.append(f"nodes {first} and {node} differ at offset {base}")
    ends = {
        node: max((b.header.next_offset for b in log.values()), default=0)
        for node, log in logs.items()
    }
    majority = sorted(ends.values(), reverse=True)[len(ends) // 2]
    last_quota = max(
        (base for log in logs.values() for base, batch in log.items() if quota_writes(batch)),
        default=-1,
    )
    if majority <= last_quota:
        faults.append(f"offset {last_quota} is not on a majority of logs, which end at {ends}")
    return faults


def changed(seen: Sequence[tuple[int, int, bytes | None]], log: dict[int, Batch]) -> list[str]:
    """Records that a reader saw as committed and that are not so in the log at the end."""
    held: dict[int, tuple[int, bytes | None]] = {}
    for base, batch in log.items():
        if not batch.header.is_control:
            for number, record in enumerate(walk_records(memoryview(batch.data))):
                value = None if record.value is None else bytes(record.value)
                held[base + number] = (batch.header.leader_epoch, value)
    return [
        f"offset {offset} was seen in epoch {epoch} and is now {held.get(offset)!r:.100}"
        for offset, epoch, value in seen
        if held.get(offset) != (epoch, None if value is None else bytes(value))
    ]


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
