"""How much of the log may go: Kafka's rule, or KIP-630's where its key is set.

Both only ever name the end of a snapshot that is there, or an offset below one, so the state at
the log start can always be had. The newest snapshot stays whatever the rule says.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import field

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import Offset
from metaquorum.base.value import value
from metaquorum.quorum.types import SnapshotId


@value
class Retention:
    """What an operator has set. Below zero a limit of Kafka's rule counts for nothing.

    ``max_bytes`` is of log and snapshots together, ``max_ms`` the age of what the oldest snapshot
    contains (metadata.max.retention.bytes and .ms). ``start_lag_max_ms`` is KIP-630's
    metadata.start.offset.lag.time.max.ms; where it is given, the KIP's rule takes the place of
    Kafka's.
    """

    max_bytes: int = 104_857_600
    max_ms: Millis = 604_800_000
    start_lag_max_ms: Millis | None = None


@value
class Measured:
    """What the host found on its disk, and the wall clock of that moment.

    ``segments`` are base offsets with bytes, oldest first. ``written_ms`` tells of snapshots when
    the last record that they contain was appended; one that is missing there is never too old.
    """

    wall_ms: Millis
    segments: tuple[tuple[Offset, int], ...] = ()
    written_ms: dict[SnapshotId, Millis] = field(factory=dict)

    def age_ms(self, snapshot: SnapshotId) -> Millis:
        """How long ago the last record in a snapshot was appended; 0 if nobody knows."""
        return self.wall_ms - self.written_ms.get(snapshot, self.wall_ms)


def kafkas_start(
    rule: Retention, start: Offset, snapshots: Iterable[tuple[SnapshotId, int]], measured: Measured
) -> Offset:
    """Where the log may start by Kafka's rule: the end of the oldest snapshot that is kept.

    While there are two, the oldest goes if log and snapshots together are too large, or if what
    it contains is too old. Whole segments below the next one's end go with it.
    """
    kept = list(snapshots)
    segments = list(measured.segments)
    total_bytes = sum(size for _, size in kept) + sum(size for _, size in segments)
    while len(kept) > 1:
        oldest, size_bytes = kept[0]
        too_large = 0 <= rule.max_bytes < total_bytes
        too_old = 0 <= rule.max_ms < measured.age_ms(oldest)
        if not (too_large or too_old):
            break
        del kept[0]
        start = max(start, kept[0][0].offset)
        total_bytes -= size_bytes
        while len(segments) > 1 and segments[1][0] <= start:
            total_bytes -= segments.pop(0)[1]
    return start


def leaders_start(
    start_lag_max_ms: Millis,
    start: Offset,
    snapshots: Iterable[tuple[SnapshotId, int]],
    live_ends: Iterable[Offset],
    measured: Measured,
) -> Offset:
    """Where a leader's log may start by KIP-630: the end of the youngest snapshot that allows it.

    A snapshot allows it when every live replica has replicated its end, or when that is too old.
    """
    slowest = min(live_ends, default=None)
    for snapshot, _ in snapshots:
        replicated = slowest is None or slowest >= snapshot.offset
        if replicated or measured.age_ms(snapshot) >= start_lag_max_ms:
            start = max(start, snapshot.offset)
    return start


def followers_start(
    start: Offset, leaders: Offset, snapshots: Iterable[tuple[SnapshotId, int]]
) -> Offset:
    """Where a follower's or an observer's log may start by KIP-630.

    That is the leader's start, but no further than its own largest snapshot.
    """
    largest = max((snapshot.offset for snapshot, _ in snapshots), default=0)
    return max(start, min(leaders, largest))
