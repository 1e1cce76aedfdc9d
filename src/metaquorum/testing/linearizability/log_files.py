"""The metadata logs of several nodes as they lie on disk: whole batches, and how they compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen

from metaquorum.metadata.reading import read_metadata_batch
from metaquorum.records.batch import BatchHeader
from metaquorum.records.reader import walk_batches, walk_records
from metaquorum.testing.linearizability.committed_order import CommittedWrite

QUOTA = "producer_byte_rate"

Batches = Mapping[int, "Batch"]
"""The batches of one log by their base offsets."""

Seen = tuple[int, int, bytes | None]
"""A committed record as a reader of the log was shown it: offset, epoch, value."""


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


def longest(logs: Mapping[int, Batches]) -> Batches:
    """The log that reaches furthest."""
    return max(logs.values(), key=lambda log: max(log, default=-1))


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


def unequal(logs: Mapping[int, Batches]) -> list[str]:
    """Where two logs hold different bytes at one offset, and what no majority of them holds."""
    faults: list[str] = []
    known: dict[int, tuple[int, bytes]] = {}
    for node, log in logs.items():
        for base, batch in log.items():
            first, data = known.setdefault(base, (node, batch.data))
            if data != batch.data:
                faults.append(f"nodes {first} and {node} differ at offset {base}")
    ends = {
        node: max((batch.header.next_offset for batch in log.values()), default=0)
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


def changed(seen: Sequence[Seen], log: Batches) -> list[str]:
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
