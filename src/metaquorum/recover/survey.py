"""What one replica's disk says of the metadata log: the facts that a recovery is planned by.

A log is told as stretches of batches that can be read, each in runs of one epoch. By Raft's log
matching two replicas that have a record of one epoch at one offset have the same log up to there,
so epochs and offsets are all it takes to compare two of them.
"""

from __future__ import annotations

from bisect import bisect_right
from enum import Enum

from attrs import field, frozen

from metaquorum.base.clock import Millis
from metaquorum.base.ids import ClusterId, NodeId, Uuid
from metaquorum.base.offsets import Epoch, Offset, OffsetAndEpoch
from metaquorum.quorum.types import ZERO_SNAPSHOT, ReplicaKey, Voter
from metaquorum.storage.quorum_state import ElectionStateData


class DamageKind(Enum):
    """What is wrong in one place, by what it means for the records."""

    ROT = "rot"  # batches that cannot be read, with readable ones behind them
    MISSING = "missing"  # offsets that no file has
    UNFINISHED = "unfinished"  # the last write had not ended: it was acknowledged to nobody
    TAIL = "tail"  # the end cannot be read, and may have been acknowledged
    BEHIND = "behind"  # the log ends before what other files of this directory know of
    SNAPSHOT = "snapshot"  # a snapshot that cannot be used
    FILE = "file"  # a small file that is missing or cannot be read


LOSES_THE_END = (DamageKind.TAIL, DamageKind.BEHIND)
"""Behind such damage the replica may have held more than can be seen."""


@frozen
class Damage:
    """One place that is broken: file, byte and length in bytes, the offset that was due there."""

    kind: DamageKind
    file: str
    why: str
    position: int = 0
    size_bytes: int = 0
    offset: Offset | None = None


@frozen
class EpochRun:
    """Neighbouring batches of one epoch, from ``start`` up to but not including ``end``.

    ``begins`` tells that the first of them is the epoch's LeaderChange. ``crc`` is made of the
    batches' checksums in order: runs of the same bounds are the same records if it is the same.
    """

    epoch: Epoch
    start: Offset
    end: Offset
    begins: bool
    crc: int


@frozen
class Stretch:
    """Batches without a gap: at least one run, in order."""

    runs: tuple[EpochRun, ...]

    @property
    def start(self) -> Offset:
        """The first offset."""
        return self.runs[0].start

    @property
    def end(self) -> Offset:
        """The offset behind the last record."""
        return self.runs[-1].end

    @property
    def last(self) -> OffsetAndEpoch:
        """The end, with the epoch of the last record."""
        return OffsetAndEpoch(self.runs[-1].epoch, self.end)

    def epoch_at(self, offset: Offset) -> Epoch | None:
        """The epoch of the record at ``offset``; None outside."""
        if not self.start <= offset < self.end:
            return None
        at = bisect_right(self.runs, offset, key=lambda run: run.start) - 1
        return self.runs[at].epoch

    def cut(self, end: Offset) -> Stretch | None:
        """What is left below ``end``; None if nothing is."""
        runs = [run for run in self.runs if run.start < end]
        if not runs:
            return None
        last = runs[-1]
        if last.end > end:
            runs[-1] = EpochRun(last.epoch, last.start, end, last.begins, 0)
        return Stretch(tuple(runs))


@frozen
class SnapshotSeen:
    """A snapshot's file; ``why`` says why it cannot be used, else it is empty."""

    snapshot: OffsetAndEpoch
    size_bytes: int
    crc: int
    why: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether every byte of it was read and is right."""
        return not self.why


@frozen
class VotersSeen:
    """A Voters record: where it counts from, its epoch, and who may vote."""

    offset: Offset
    epoch: Epoch
    voters: tuple[Voter, ...]


@frozen
class LeaderSeen:
    """A LeaderChange record: who led from ``offset`` on, who could vote, who voted for it."""

    offset: Offset
    epoch: Epoch
    leader_id: NodeId
    voters: tuple[NodeId, ...]
    granting: tuple[NodeId, ...]


@frozen
class Committed:
    """A proof that every record below ``end``, the last of them of ``epoch``, was committed."""

    end: Offset
    epoch: Epoch
    why: str


@frozen
class Change:
    """What one record changed, in words."""

    offset: Offset
    epoch: Epoch
    words: str


@frozen(kw_only=True)
class Survey:
    """All of it. ``directory`` is where it was read, ``taken_ms`` when, by that machine's clock.

    ``changes`` are those of the last records; all that have an offset of ``changes_from`` or more
    are among them. ``fingerprint`` tells whether the files are still those that were read.
    ``kraft_version`` is None where nothing on the disk says it.
    """

    directory: str
    taken_ms: Millis
    is_running: bool
    cluster_id: ClusterId | None
    node_id: NodeId | None
    directory_id: Uuid | None
    log_start: Offset
    stretches: tuple[Stretch, ...] = ()
    snapshots: tuple[SnapshotSeen, ...] = ()
    voters: tuple[VotersSeen, ...] = ()
    kraft_version: int | None = None
    leaders: tuple[LeaderSeen, ...] = ()
    election: ElectionStateData | None = None
    committed: tuple[Committed, ...] = ()
    damages: tuple[Damage, ...] = ()
    changes: tuple[Change, ...] = ()
    changes_from: Offset = 0
    size_bytes: int = 0
    fingerprint: str = field(default="")

    @property
    def key(self) -> ReplicaKey | None:
        """Who this replica is among the voters; None where its disk does not say."""
        return None if self.node_id is None else ReplicaKey(self.node_id, self.directory_id)

    @property
    def name(self) -> str:
        """What to call the replica in messages."""
        who = "an unknown node" if self.node_id is None else f"node {self.node_id}"
        return f"{who} ({self.directory})"

    @property
    def end(self) -> OffsetAndEpoch:
        """The end of the log, by what can be read; a snapshot beyond the log counts."""
        ends = [one.snapshot for one in self.snapshots if one.is_whole]
        if self.stretches:
            ends.append(self.stretches[-1].last)
        return max(ends, default=ZERO_SNAPSHOT)

    @property
    def shows_its_end(self) -> bool:
        """Whether the replica cannot have held more than can be seen."""
        return not any(one.kind in LOSES_THE_END for one in self.damages)

    @property
    def highest_epoch(self) -> Epoch:
        """The highest epoch that this disk has seen."""
        voted = 0 if self.election is None else self.election.epoch
        return max(voted, self.end.epoch, *(one.epoch for one in self.leaders), 0)

    def epoch_at(self, offset: Offset) -> Epoch | None:
        """The epoch of the record at ``offset``, if it can be read or is a snapshot's last."""
        for stretch in self.stretches:
            if (epoch := stretch.epoch_at(offset)) is not None:
                return epoch
        for one in self.snapshots:
            if one.is_whole and one.snapshot.offset == offset + 1:
                return one.snapshot.epoch
        return None
