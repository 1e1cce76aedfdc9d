"""How far each replica has come, as the leader hears it in their fetches; and what that commits."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.limits import MAX_TRACKED_REPLICAS
from metaquorum.base.offsets import NO_OFFSET, Offset
from metaquorum.base.value import value
from metaquorum.quorum.notify import ThriftyReplication
from metaquorum.quorum.types import ReplicaKey
from metaquorum.quorum.voters import VoterSet


@value
class ReplicaProgress:
    """One replica's last fetch: where its log ends, when it asked, when it was last caught up.

    Times are -1 until it happened. ``leader_end`` is the leader's end at that fetch.
    """

    key: ReplicaKey
    end: Offset = NO_OFFSET
    last_fetch_ms: Millis = -1
    last_caught_up_ms: Millis = -1
    leader_end: Offset = NO_OFFSET

    def fetched(self, offset: Offset, leader_end: Offset, now: Millis) -> ReplicaProgress:
        """This progress after a valid fetch at ``offset``; going backwards is legal."""
        caught_up = self.last_caught_up_ms
        if offset >= leader_end:
            caught_up = now
        elif self.leader_end > 0 and offset >= self.leader_end:
            caught_up = self.last_fetch_ms
        return ReplicaProgress(self.key, offset, now, caught_up, leader_end)


def majority_offset(ends: Iterable[Offset], majority: int) -> Offset:
    """The largest offset that at least ``majority`` of these log ends have reached."""
    return sorted(ends, reverse=True)[majority - 1]


@define(eq=False)
class Progress:
    """All replicas but the leader itself. The one part of a role that is edited in place.

    ``appended`` are the ends of batches above the watermark with their sizes: the budget of
    uncommitted bytes. ``thrift`` says which voters it can commit without.
    """

    replicas: dict[ReplicaKey, ReplicaProgress] = field(factory=dict)
    appended: deque[tuple[Offset, int]] = field(factory=deque)
    uncommitted_bytes: int = 0
    thrift: ThriftyReplication = field(factory=ThriftyReplication)

    def fork(self) -> Progress:
        """A copy for the explorer; the values inside are frozen."""
        appended, thrift = deque(self.appended), self.thrift.fork()
        return Progress(dict(self.replicas), appended, self.uncommitted_bytes, thrift)

    def value(self) -> tuple[object, ...]:
        """This progress as a hashable value, in a fixed order."""
        by_key = sorted(
            self.replicas.values(), key=lambda one: (one.key.id, one.key.directory_id or b"")
        )
        return (tuple(by_key), tuple(self.appended), self.thrift.value())

    def record_fetch(
        self, key: ReplicaKey, offset: Offset, leader_end: Offset, now: Millis
    ) -> None:
        """Note a valid fetch; a replica is known by id and directory together.

        Beyond ``MAX_TRACKED_REPLICAS`` a newcomer is served but not listed.
        """
        before = self.replicas.get(key)
        if before is None:
            if len(self.replicas) >= MAX_TRACKED_REPLICAS:
                return
            before = ReplicaProgress(key)
        self.replicas[key] = before.fetched(offset, leader_end, now)

    def of_voter(self, stored: ReplicaKey) -> ReplicaProgress | None:
        """The progress of a voter; without a stored directory the latest fetch of its id counts."""
        if stored.directory_id is not None:
            return self.replicas.get(stored)
        found: ReplicaProgress | None = None
        for progress in self.replicas.values():
            if stored.id == progress.key.id and (
                found is None or progress.last_fetch_ms >= found.last_fetch_ms
            ):
                found = progress
        return found

    def high_watermark(
        self, voters: VoterSet, leader: ReplicaKey, leader_durable_end: Offset
    ) -> Offset:
        """What a majority of the voters holds; -1 while too few have been heard (KIP-595).

        The leader counts with its durable end, and only when it is a voter itself.
        """
        if not voters.voters:
            return NO_OFFSET
        ends: list[Offset] = []
        for voter in voters.voters:
            if voter.key.id == leader.id and voter.key.covers(leader):
                ends.append(leader_durable_end)
            else:
                progress = self.of_voter(voter.key)
                ends.append(NO_OFFSET if progress is None else progress.end)
        return majority_offset(ends, voters.majority)

    def note_append(self, end: Offset, size_bytes: int) -> None:
        """These bytes are uncommitted until the watermark reaches ``end``."""
        self.appended.append((end, size_bytes))
        self.uncommitted_bytes += size_bytes

    def note_committed(self, high_watermark: Offset) -> None:
        """Give back the budget of everything below the watermark."""
        while self.appended and self.appended[0][0] <= high_watermark:
            self.uncommitted_bytes -= self.appended.popleft()[1]

    def note_holders(self, high_watermark: Offset, voters: VoterSet, leader: ReplicaKey) -> None:
        """See who brought the watermark here: whom the leader needs, and whom it does not."""
        needed = voters.majority - voters.is_voter(leader)
        others = [voter for voter in voters.voters if voter.id != leader.id]
        if not 0 < needed < len(others):
            self.thrift.reset()
            return
        holders: list[NodeId] = []
        for voter in others:
            progress = self.of_voter(voter.key)
            if progress is not None and progress.end >= high_watermark:
                holders.append(voter.id)
        self.thrift.note_commit(holders, needed)

    def forget_silent_observers(self, voters: VoterSet, now: Millis, expiry_ms: Millis) -> None:
        """Drop replicas that are no voters and have not fetched for ``expiry_ms``."""
        for key in [
            progress.key
            for progress in self.replicas.values()
            if not voters.is_voter(progress.key) and now - progress.last_fetch_ms >= expiry_ms
        ]:
            del self.replicas[key]
