"""A quorum by the rules of Raft and KIP-853, at random: its replicas' logs, and what it committed.

It has no clock and no network: a step elects, appends, replicates to one node, commits, snapshots
or changes a voter. What a replica has is durable at once; disks are damaged later.
"""

from __future__ import annotations

from random import Random

from attrs import define, field, frozen

from metaquorum.base.ids import Uuid
from metaquorum.base.offsets import Epoch, Offset, OffsetAndEpoch
from metaquorum.quorum.adapt.batches import make_control_batch
from metaquorum.quorum.types import (
    ControlValue,
    Endpoint,
    KRaftVersionControl,
    LeaderChangeControl,
    ReplicaKey,
    Voter,
    VotersControl,
)
from metaquorum.quorum.voters import VoterSet
from metaquorum.records.builder import build_batch
from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.wire.generated.records.topic_record import API_KEY, TopicRecord

START_MS = 1_700_000_000_000


@frozen
class Entry:
    """One batch of a log."""

    base: Offset
    next_offset: Offset
    epoch: Epoch
    payload: bytes
    voters: VoterSet | None = None
    topics: tuple[str, ...] = ()


@define(eq=False)
class SimReplica:
    """A voter or an observer, and all that its disk has."""

    id: int
    directory_id: Uuid
    log: list[Entry] = field(factory=list)
    epoch: Epoch = 0
    voted_id: int | None = None
    leader_id: int | None = None
    high_watermark: Offset = 0
    snapshots: dict[OffsetAndEpoch, tuple[VoterSet | None, tuple[str, ...]]] = field(factory=dict)
    log_start: Offset = 0

    @property
    def end(self) -> OffsetAndEpoch:
        last = self.log[-1]
        return OffsetAndEpoch(last.epoch, last.next_offset)

    @property
    def key(self) -> ReplicaKey:
        return ReplicaKey(self.id, self.directory_id)

    def copy(self) -> SimReplica:
        """What it has now, for later."""
        return SimReplica(
            self.id,
            self.directory_id,
            list(self.log),
            self.epoch,
            self.voted_id,
            self.leader_id,
            self.high_watermark,
            dict(self.snapshots),
            self.log_start,
        )


def directory_of(node_id: int, number: int = 0) -> Uuid:
    """A directory id that can be told."""
    return bytes((0x44, node_id, number)) + bytes(12) + b"\x01"


@define(eq=False)
class SimQuorum:
    """The cluster. ``committed`` are the batches below the high watermark, as acknowledged."""

    random: Random
    is_dynamic: bool
    replicas: dict[int, SimReplica]
    static: VoterSet
    observers: tuple[int, ...]
    leader_id: int | None = None
    epoch_start_end: Offset = 0
    matched: dict[int, Offset] = field(factory=dict)
    high_watermark: Offset = 0
    committed: list[Entry] = field(factory=list)
    copies: list[SimReplica] = field(factory=list)
    topics: int = 0
    elections: float = 0.08

    @classmethod
    def drawn(cls, random: Random) -> SimQuorum:
        """One to five voters, up to two brokers, dynamic voters or static ones."""
        voters = random.choice((1, 3, 3, 3, 4, 5))
        brokers = tuple(101 + at for at in range(random.randrange(3)))
        replicas = {
            node_id: SimReplica(node_id, directory_of(node_id))
            for node_id in (*range(1, voters + 1), *brokers)
        }
        static = VoterSet(tuple(voter_of(replicas[at]) for at in range(1, voters + 1)))
        found = cls(random, random.random() < 0.7, replicas, static, brokers)
        found.elections = random.choice((0.03, 0.08, 0.2, 0.2))
        return found

    def run(self, steps: int) -> None:
        """So many steps, each by chance."""
        self.elect()
        for _ in range(steps):
            draw = self.random.random()
            if draw < self.elections or self.leader_id is None:
                self.elect()
            elif draw < 0.4:
                self.append()
            elif draw < 0.86:
                self.replicate(self.random.choice(sorted(self.replicas)))
            elif draw < 0.93:
                self.snapshot(self.random.choice(sorted(self.replicas)))
            elif draw < 0.96 and self.is_dynamic:
                self.change_voters()
            else:
                self.copies.append(self.random.choice(list(self.replicas.values())).copy())

    # Voters.

    def voters_of(self, replica: SimReplica) -> VoterSet:
        """The last voters that a replica knows, committed or not."""
        named = [entry.voters for entry in replica.log if entry.voters is not None]
        return named[-1] if named else self.static

    def change_voters(self) -> None:
        """Add a voter or remove one, as a leader may."""
        leader = self._leading()
        if leader is None or not self._may_write():
            return
        voters = self.voters_of(leader)
        at = max(entry.next_offset for entry in leader.log if entry.voters is not None)
        if at > self.high_watermark:
            return
        outside = [one for one in self.replicas.values() if voters.by_id(one.id) is None]
        outside = [one for one in outside if one.id not in self.observers]
        if outside and (len(voters) < 3 or self.random.random() < 0.5):
            changed = voters.with_voter(voter_of(outside[0]))
        elif len(voters) > 1:
            others = [key for key in voters.keys if key.id != leader.id]
            changed = voters.without(self.random.choice(others))
        else:
            return
        self._write_controls(leader, (VotersControl(changed.voters),), changed)
        self.commit()

    # Elections.

    def elect(self) -> None:
        """A voter stands for election and asks those that it reaches."""
        candidate = self.random.choice(list(self.replicas.values()))
        voters = self.voters_of(candidate)
        if not voters.is_voter(candidate.key):
            return
        reached = [
            one
            for voter in voters
            if (one := self.replicas.get(voter.id)) is not None
            and one is not candidate
            and self.random.random() < 0.8
        ]
        epoch = max(one.epoch for one in (candidate, *reached)) + 1
        mine = candidate.end if candidate.log else OffsetAndEpoch(0, 0)
        granting = [candidate]
        for one in reached:
            theirs = one.end if one.log else OffsetAndEpoch(0, 0)
            one.epoch, one.voted_id, one.leader_id = epoch, None, None
            if mine >= theirs:
                one.voted_id = candidate.id
                granting.append(one)
        candidate.epoch, candidate.voted_id, candidate.leader_id = epoch, candidate.id, None
        leader = self.replicas.get(self.leader_id or 0)
        if leader is not None and leader.epoch > (leader.log[-1].epoch if leader.log else 0):
            self.leader_id = None
        if len(granting) >= voters.majority:
            self._lead(candidate, voters, granting)

    def _lead(self, leader: SimReplica, voters: VoterSet, granting: list[SimReplica]) -> None:
        leader.leader_id, leader.voted_id = leader.id, None
        self.leader_id = leader.id
        self.matched = {leader.id: 0}
        change = LeaderChangeControl(
            leader.id, voters.keys, tuple(sorted(one.key for one in granting))
        )
        values: tuple[ControlValue, ...] = (change,)
        named = None
        if self.is_dynamic and not any(entry.voters for entry in leader.log):
            values = (change, KRaftVersionControl(1), VotersControl(voters.voters))
            named = voters
        self._write_controls(leader, values, named)
        self.epoch_start_end = leader.log[-1].next_offset
        self.commit()

    def _write_controls(
        self, leader: SimReplica, values: tuple[ControlValue, ...], voters: VoterSet | None
    ) -> None:
        end = leader.log[-1].next_offset if leader.log else 0
        batch = make_control_batch(values, end, leader.epoch, timestamp_ms=START_MS + end)
        assert isinstance(batch.payload, bytes)
        entry = Entry(end, batch.next_offset, leader.epoch, batch.payload, voters)
        leader.log.append(entry)
        self.matched[leader.id] = entry.next_offset

    # The log.

    def _leading(self) -> SimReplica | None:
        leader = self.replicas.get(self.leader_id or 0)
        if leader is None or leader.leader_id != leader.id or leader.epoch != leader.log[-1].epoch:
            return None
        return leader

    def _may_write(self) -> bool:
        return self.high_watermark >= self.epoch_start_end

    def append(self) -> None:
        """The leader writes some topics, once its LeaderChange is committed."""
        leader = self._leading()
        if leader is None or not self._may_write():
            return
        names = tuple(f"t{self.topics + at}" for at in range(self.random.randrange(1, 4)))
        self.topics += len(names)
        end = leader.log[-1].next_offset
        payload = build_batch(
            [(None, topic_value(name)) for name in names],
            timestamp_ms=START_MS + end,
            base_offset=end,
            leader_epoch=leader.epoch,
        )
        leader.log.append(Entry(end, end + len(names), leader.epoch, payload, None, names))
        self.matched[leader.id] = leader.log[-1].next_offset
        self.commit()

    def replicate(self, node_id: int) -> None:
        """A follower or observer fetches: cuts what the leader does not have, and takes some."""
        leader = self._leading()
        one = self.replicas[node_id]
        if leader is None or one is leader or one.epoch > leader.epoch:
            return
        if one.epoch < leader.epoch:
            one.epoch, one.voted_id = leader.epoch, None
        one.leader_id = leader.id
        same = 0
        for mine, theirs in zip(one.log, leader.log):
            if mine != theirs:
                break
            same += 1
        del one.log[same:]
        one.log += leader.log[same : same + self.random.randrange(1, 6)]
        self.matched[node_id] = one.log[-1].next_offset if one.log else 0
        one.high_watermark = min(self.matched[node_id], self.high_watermark)
        self.commit()

    def commit(self) -> None:
        """Move the high watermark to what a majority has of the leader's epoch."""
        leader = self._leading()
        if leader is None:
            return
        voters = self.voters_of(leader)
        ends = sorted((self.matched.get(voter.id, 0) for voter in voters), reverse=True)
        end = ends[voters.majority - 1]
        if end < self.epoch_start_end or end <= self.high_watermark:
            return
        self.high_watermark = leader.high_watermark = end
        kept = [entry for entry in leader.log if entry.next_offset <= end]
        assert kept[: len(self.committed)] == self.committed, "the model broke Raft"
        self.committed = kept

    def snapshot(self, node_id: int) -> None:
        """A node writes a snapshot of what it knows to be committed, and may drop its log."""
        one = self.replicas[node_id]
        done = [entry for entry in one.log if entry.next_offset <= one.high_watermark]
        if not done:
            return
        voters = [entry.voters for entry in done if entry.voters is not None]
        topics = tuple(name for entry in done for name in entry.topics)
        at = OffsetAndEpoch(done[-1].epoch, done[-1].next_offset)
        one.snapshots[at] = (voters[-1] if voters else None, topics)
        if self.random.random() < 0.5:
            one.log_start = at.offset


def voter_of(replica: SimReplica) -> Voter:
    """Its row in a Voters record."""
    return Voter(replica.key, (Endpoint("CONTROLLER", f"c{replica.id}", 9093),), 0, 1)


def topic_value(name: str) -> bytes:
    """The record that creates a topic, whose id is made of its name."""
    return encode_metadata_record(API_KEY, TopicRecord(name, name.encode().ljust(16, b"-")), 0)
