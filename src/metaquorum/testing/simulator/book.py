"""What was said, shown and promised in a run: nothing may ever contradict it."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.ids import Uuid
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.quorum.types import Batch, Voter, VotersControl
from metaquorum.quorum.voters import VoterHistory, VoterSet
from metaquorum.records.batch import read_header
from metaquorum.records.reader import walk_records
from metaquorum.testing.simulator.cluster_log import ClusterLog
from metaquorum.testing.simulator.invariants import commits, elections, logs, snapshots, writes
from metaquorum.testing.simulator.log_mirror import Entry, LogMirror
from metaquorum.testing.simulator.quota_writes import value_of
from metaquorum.testing.simulator.replay import Replay


@define(eq=False)
class Memory:
    """What the simulator knows of one node, beyond what the node itself remembers.

    ``accepted`` is its log as it was decided, ``disk`` what was synced of it, ``lost`` what its
    damaged disk had held, as long as it is held back; ``voters`` is whom it counts with. ``body``
    counts its directories: a wiped node is another replica, and ``buried`` is what the earlier ones
    had held when they went. ``installing`` is where its log begins
    anew if an install came through before a crash, ``download`` from whom it has part of a
    snapshot: leader, epoch, id. Times are of the simulation; ``now_ms`` is the node's own clock.
    """

    id: int
    body: int = 0
    voice: int = 0
    life: int = 0
    accepted: LogMirror = field(factory=LogMirror)
    disk: LogMirror = field(factory=LogMirror)
    lost: LogMirror | None = None
    buried: dict[Uuid, LogMirror] = field(factory=dict)
    voters: VoterHistory | None = None
    saved_epoch: Epoch = 0
    saved_leader: int | None = None
    said_epoch: Epoch = 0
    watermark: Offset | None = None
    installing: Offset | None = None
    download: tuple[int, Epoch, object] | None = None
    answered: tuple[Epoch, Offset] = (0, -1)
    leading_since_us: int = 0
    heard_us: dict[int, int] = field(factory=dict)
    now_ms: Callable[[], Millis] | None = None

    def forget(self, is_new: bool) -> None:
        """What was promised is not to be found on the disk again; perhaps it is a new replica.

        ``voice`` tells the votes of before from those of after.
        """
        self.voice += 1
        if is_new:
            self.body += 1
            self.voters = None
        self.accepted, self.disk = LogMirror(), LogMirror()
        self.saved_epoch = self.said_epoch = 0
        self.saved_leader = None


@define(eq=False)
class Book:
    """The history of the whole cluster.

    ``committed`` are the batches below the highest watermark that any node announced.
    ``contents`` are the client writes in every batch ever built, by the batch's fingerprint.
    ``placed`` tells where each write of a client stands, ``acknowledged`` is the highest offset
    of a write that some client knows to be committed. ``replay`` is the state that they all give,
    ``electorates`` the voter sets among them; ``cluster`` is there in runs with brokers.
    """

    memories: dict[int, Memory] = field(factory=dict)
    leaders: dict[Epoch, elections.Leader] = field(factory=dict)
    votes: dict[tuple[Epoch, elections.Voter], int] = field(factory=dict)
    batches: dict[logs.Place, tuple[Entry, Entry | None]] = field(factory=dict)
    contents: dict[int, tuple[tuple[int, Offset, str], ...]] = field(factory=dict)
    payloads: dict[int, bytes] = field(factory=dict)
    voters: dict[int, VoterSet] = field(factory=dict)
    committed: LogMirror = field(factory=LogMirror)
    placed: dict[int, Offset] = field(factory=dict)
    began_after: dict[int, Offset] = field(factory=dict)
    refused: dict[int, bool] = field(factory=dict)
    acknowledged: Offset = -1
    replay: Replay = field(factory=Replay)
    electorates: list[tuple[Offset, VoterSet]] = field(factory=list)
    latest: dict[str, list[tuple[Offset, int]]] = field(factory=dict)
    cluster: ClusterLog | None = None

    # Elections.

    def leads(self, memory: Memory, epoch: Epoch, voters: VoterSet) -> None:
        """A node has shown itself as the leader of an epoch."""
        elections.one_leader_in_an_epoch(self.leaders, epoch, (memory.id, memory.life))
        granted = [
            voter[0]
            for (voted, voter), candidate in self.votes.items()
            if voted == epoch and candidate == memory.id
        ]
        electorate = [voter.id for voter in voters]
        elections.a_leader_was_voted_for_by_a_majority(epoch, memory.id, granted, electorate)
        commits.a_leader_holds_everything_committed(
            memory.id, epoch, memory.accepted, self.committed
        )

    def votes_for(self, memory: Memory, epoch: Epoch, candidate: int) -> None:
        """A vote left a node, or a candidate's own reached its disk."""
        elections.one_vote_in_an_epoch(self.votes, epoch, (memory.id, memory.voice), candidate)

    # Logs.

    def accepts(self, memory: Memory, batch: Batch, *, is_own: bool) -> Entry:
        """A node appended a batch to its log.

        What a leader itself wrote nobody has seen yet: should it crash now, another batch may
        take that place.
        """
        entry, log = Entry.of(batch), memory.accepted
        if entry.print not in self.contents:
            self._learn(entry, batch)
            if self.cluster is not None and memory.now_ms is not None:
                self.cluster.contacts.written(entry.print, memory.id, memory.now_ms())
        if not is_own:
            logs.logs_match(self.batches, entry, log.last, memory.id)
        log.entries.append(entry)
        return entry

    def _learn(self, entry: Entry, batch: Batch) -> None:
        """Remember what is in a batch that nobody has seen before."""
        assert isinstance(batch.payload, bytes)
        self.contents[entry.print] = _writes_in(batch)
        self.payloads[entry.print] = batch.payload
        for control in batch.controls:
            if isinstance(control.value, VotersControl):
                self.voters[entry.print] = VoterSet(control.value.voters)

    def synced(self, memory: Memory, entry: Entry) -> None:
        """A batch is on a node's disk."""
        logs.logs_match(self.batches, entry, memory.disk.last, memory.id)
        memory.disk.entries.append(entry)

    def recovered(self, memory: Memory, found: LogMirror) -> None:
        """A node has read its log after a restart."""
        begins_anew = not found.entries and found.start == memory.installing
        if not begins_anew:
            logs.recovery_keeps_what_was_synced(memory.id, memory.disk, found)
        memory.installing = None
        logs.recovery_invents_nothing(memory.id, self.contents, found.entries)
        memory.disk, memory.accepted = LogMirror(found.start), found
        for entry in found.entries:
            self.synced(memory, entry)

    # Commits.

    def commits(
        self, memory: Memory, watermark: Offset, voters: VoterSet, leading: Epoch | None
    ) -> None:
        """A node took everything below the watermark for committed."""
        commits.nobody_commits_beyond_its_log(memory.id, watermark, memory.accepted.end)
        log, committed = memory.accepted, self.committed
        since = memory.watermark if memory.watermark is not None else log.start
        memory.watermark = watermark
        known_end = committed.end
        for entry in log.entries[log.from_offset(since) :]:
            if entry.next > watermark:
                break
            if entry.base < committed.end:
                commits.the_committed_prefix_is_immutable(
                    memory.id, entry, committed.at(entry.base)
                )
            else:
                self._commit(memory, entry)
        last = committed.last
        if last is None or committed.end == known_end:
            return
        if leading is not None:
            commits.a_leader_commits_by_its_own_epoch(memory.id, leading, last)
        self._check_majority(memory, last, voters)

    def _check_majority(self, memory: Memory, entry: Entry, voters: VoterSet) -> None:
        ids = [voter.id for voter in voters]
        there = [voter for voter in voters if voter.id in self.memories]
        holders = [voter.id for voter in there if self._on_disk(voter, entry)]
        commits.what_is_committed_is_on_a_majority_of_disks(memory.id, entry, holders, ids)

    def _on_disk(self, voter: Voter, entry: Entry) -> bool:
        memory = self.memories[voter.id]
        gone = memory.buried.get(voter.key.directory_id) if voter.key.directory_id else None
        if gone is not None:
            return gone.holds(entry)  # it held it while it lived, and decides nothing any more
        if memory.lost is not None and memory.lost.holds(entry):
            return True  # it was there when it was acknowledged; damage has its own rule
        return memory.disk.holds(entry)

    def _commit(self, memory: Memory, entry: Entry) -> None:
        self.committed.entries.append(entry)
        for value, offset, key in self.contents[entry.print]:
            writes.a_write_is_committed_once(value, self.placed, offset)
            writes.writes_keep_their_order(value, offset, self.began_after.get(value, -1))
            writes.refused_writes_leave_nothing(value, offset, self.refused.get(value, False))
            self.latest.setdefault(key, []).append((offset, value))
            self.replay.write(key, value)
        if self.cluster is not None:
            self.cluster.commit(entry.print, self.payloads[entry.print], entry.next)
            self.replay.others = self.cluster.print(self.cluster.state.committed())
        self.replay.batch_ends(entry.next)
        if entry.print in self.voters:
            self.electorates.append((entry.base, self.voters[entry.print]))

    def check_voters(self, memory: Memory, end: Offset) -> None:
        """A node counts with the voters of a snapshot that ends at ``end``."""
        expected = [voters for at, voters in self.electorates if at < end]
        if not expected or memory.voters is None:
            return  # the configuration of every node names them
        found = [voters for at, voters in memory.voters.sets if at < end]
        snapshots.a_snapshot_brings_the_voters_of_its_end(
            memory.id, end, found[-1] if found else VoterSet(), expected[-1]
        )

    # Clients.

    def write_begins(self, value: int) -> None:
        """A client is about to ask for a write."""
        self.began_after[value] = self.acknowledged

    def write_acknowledged(self, value: int) -> None:
        """A client got the answer that its write is done."""
        writes.acknowledged_writes_are_kept(value, self.placed)
        self.acknowledged = max(self.acknowledged, self.placed[value])

    def value_at(self, key: str, below: Offset) -> int:
        """What a key was set to by the records below an offset; 0 if by none."""
        found = 0
        for offset, value in reversed(self.latest.get(key, ())):
            if offset < below:
                found = value
                break
        return found


@define
class Silence:
    """How long a leader has not heard from a majority of its voters.

    Time starts anew when a majority has been heard since it last did. Where that takes several
    voters, the first of them may have spoken just after one such moment, and the last just before
    the time was up: then it is twice as long since the first did.
    """

    bound_ms: Millis

    def check(self, memory: Memory, voters: VoterSet, now_us: int) -> None:
        """A leader that is cut off gives up in time (KAFKA-15489)."""
        own = memory.id
        others = [voter.id for voter in voters if voter.id != own]
        needed = voters.majority - (1 if len(others) < len(voters) else 0)
        if needed <= 0 or needed > len(others):
            return
        since = memory.leading_since_us
        times = sorted((memory.heard_us.get(one, since) for one in others), reverse=True)
        heard_us = max(times[needed - 1], since)
        silent_ms = (now_us - heard_us) // 1_000
        bound_ms = self.bound_ms if needed == 1 else 2 * self.bound_ms
        elections.a_leader_without_a_majority_resigns(own, silent_ms, bound_ms)


def _writes_in(batch: Batch) -> tuple[tuple[int, Offset, str], ...]:
    payload = batch.payload
    assert isinstance(payload, bytes)
    header = read_header(payload)
    if header.is_control:
        return ()
    found: list[tuple[int, Offset, str]] = []
    for record in walk_records(payload, header):
        write = value_of(bytes(record.value) if record.value is not None else None)
        if write is not None:
            found.append((write[1], record.offset, write[0]))
    return tuple(found)
