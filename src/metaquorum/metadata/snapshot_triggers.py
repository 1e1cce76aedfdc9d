"""When a snapshot is due: bytes replayed since the last one, or time; KIP-630, KIP-876.

KIP-630's ratio of changed records, which Kafka never shipped, is asked for where it is set: the
bytes are then not enough without it. Time asks for nothing but a change since the last snapshot.
"""

from __future__ import annotations

from collections import deque

from attrs import define, field, frozen

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.offsets import Offset

BYTES = "bytes"
TIME = "time"


@frozen
class SnapshotPolicy:
    """The keys of the node's configuration that say when."""

    max_bytes: int
    """metadata.log.max.record.bytes.between.snapshots"""
    max_interval_ms: int
    """metadata.log.max.snapshot.interval.ms; 0: not by time"""
    min_changed_ratio: float | None = None
    """metadata.snapshot.min.changed_records.ratio; None: not asked for"""


@define
class SnapshotTriggers:
    """Counts towards the next snapshot, from ``since_ms`` on; ``bytes`` are committed ones."""

    policy: SnapshotPolicy
    since_ms: Millis
    bytes: int = 0
    _uncommitted: deque[tuple[Offset, int]] = field(factory=deque)

    def replayed(self, end: Offset, size_bytes: int) -> None:
        """The batch that ends at ``end`` became part of the live state.

        What was counted from there on was taken back, with a leadership.
        """
        waiting = self._uncommitted
        while waiting and waiting[-1][0] >= end:
            waiting.pop()
        waiting.append((end, size_bytes))

    def committed(self, end: Offset) -> None:
        """The committed state reaches ``end``."""
        waiting = self._uncommitted
        while waiting and waiting[0][0] <= end:
            self.bytes += waiting.popleft()[1]

    def due(self, now: Millis, changed_ratio: float | None = None) -> str | None:
        """Why a snapshot is due now, None if none is. ``changed_ratio`` is of the last one."""
        policy = self.policy
        if self.bytes >= policy.max_bytes and (
            policy.min_changed_ratio is None
            or (changed_ratio is not None and changed_ratio >= policy.min_changed_ratio)
        ):
            return BYTES
        return TIME if self.deadline <= now else None

    @property
    def deadline(self) -> Millis:
        """When time alone asks for one; it passes unheeded while nothing has changed."""
        if self.policy.max_interval_ms == 0:
            return NEVER
        return self.since_ms + self.policy.max_interval_ms

    def restart(self, now: Millis) -> None:
        """Count anew: a snapshot of the committed state is begun, or one took its place."""
        self.bytes, self.since_ms = 0, now
