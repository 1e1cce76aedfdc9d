"""Stand-ins for what surrounds the consensus core: chance, payloads, and a disk in memory."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.quorum.config import ReplicaConfig
from metaquorum.quorum.effects import (
    AppendBatches,
    Complaint,
    DropPrefix,
    Effect,
    InstallSnapshot,
    RoleChanged,
    SaveElection,
    TruncateLog,
    WriteSnapshotPart,
)
from metaquorum.quorum.events import Durable, Event, Started
from metaquorum.quorum.gate import DurabilityGate
from metaquorum.quorum.log_view import LogView
from metaquorum.quorum.replica import Replica
from metaquorum.quorum.types import (
    ZERO_SNAPSHOT,
    Batch,
    Control,
    ControlValue,
    ElectionState,
    Endpoint,
    KRaftVersionControl,
    ReplicaKey,
    Voter,
    VotersControl,
)
from metaquorum.quorum.voters import VoterHistory, VoterSet

CONTROL_RECORD_BYTES = 40
DATA_RECORD_BYTES = 72
DISK_EFFECTS = (
    SaveElection,
    AppendBatches,
    TruncateLog,
    WriteSnapshotPart,
    InstallSnapshot,
    DropPrefix,
)


class LeastChance:
    """Always the smallest draw: for tests in which the size of a jitter does not matter."""

    def jitter(self, low: int, high: int) -> int:
        """``low``."""
        return low


@define
class ScriptedChance:
    """The draws of a list, one after the other; running out of them is a mistake of the test."""

    draws: list[int]

    def jitter(self, low: int, high: int) -> int:
        """The next draw, which must be possible."""
        draw = self.draws.pop(0)
        if not low <= draw <= high:
            raise ValueError(f"{draw} is not between {low} and {high}")
        return draw


def fake_control_batch(
    values: tuple[ControlValue, ...], base_offset: Offset, epoch: Epoch
) -> Batch:
    """A control batch whose payload is the values themselves."""
    return Batch(
        base_offset=base_offset,
        last_offset=base_offset + len(values) - 1,
        epoch=epoch,
        size_bytes=CONTROL_RECORD_BYTES * len(values),
        record_count=len(values),
        controls=tuple(Control(base_offset + at, value) for at, value in enumerate(values)),
        payload=values,
    )


def fake_stamp(batch: Batch, base_offset: Offset, epoch: Epoch) -> Batch:
    """The batch at its place; a fake payload knows no offsets."""
    return batch.moved(base_offset, epoch, batch.payload)


def data_batch(payload: object = "data", records: int = 1) -> Batch:
    """A built batch at offset 0, as a controller would hand it in."""
    return Batch(0, records - 1, 0, DATA_RECORD_BYTES * records, records, payload=payload)


def directory(node_id: int) -> bytes:
    """A directory id that shows whose it is."""
    return bytes([node_id]) * 16


def voter(node_id: int, *, with_directory: bool = True) -> Voter:
    """A voter with one controller endpoint."""
    return Voter(
        ReplicaKey(node_id, directory(node_id) if with_directory else None),
        (Endpoint("CONTROLLER", f"host{node_id}", 9093),),
        0,
        1,
    )


def voters(*ids: int, with_directory: bool = True) -> VoterSet:
    """A voter set of these ids."""
    return VoterSet(tuple(voter(one, with_directory=with_directory) for one in ids))


def replica_config(node_id: int, **changes: object) -> ReplicaConfig:
    """A configuration with fake payloads; ``changes`` are fields of ``ReplicaConfig``."""
    fields: dict[str, object] = {
        "key": ReplicaKey(node_id, directory(node_id)),
        "make_control_batch": fake_control_batch,
        "stamp": fake_stamp,
        "endpoints": voter(node_id).endpoints,
        **changes,
    }
    return ReplicaConfig(**fields)  # type: ignore[arg-type]


@define(eq=False)
class FakeHost:
    """One replica with a disk in memory that does nothing until ``sync`` is called.

    ``words`` are the effects that the gate let out, in order; ``notices`` what was only said for
    the log. What is on the disk survives ``restarted``; what was not synced does not. ``zero``
    is what the bootstrap checkpoint says: kraft.version 1 and the first voters, or nothing.
    """

    replica: Replica
    now: Millis = 0
    gate: DurabilityGate = field(factory=DurabilityGate)
    unsynced: list[Effect] = field(factory=list)
    words: list[Effect] = field(factory=list)
    notices: list[RoleChanged | Complaint] = field(factory=list)
    disk_election: ElectionState = field(factory=ElectionState)
    disk_log: list[Batch] = field(factory=list)
    zero: tuple[ControlValue, ...] = ()

    @classmethod
    def of(
        cls,
        node_id: int,
        voter_set: VoterSet,
        *,
        election: ElectionState | None = None,
        log: Iterable[Batch] = (),
        now: Millis = 0,
        chance: object = None,
        kraft_version: int = 0,
        **changes: object,
    ) -> FakeHost:
        """A host whose disk holds this; nothing has happened yet.

        With kraft.version 1 the voters are those of a bootstrap checkpoint, if there are any.
        """
        config = replica_config(node_id, **changes)
        batches = list(log)
        election = election or ElectionState()
        zero = zero_checkpoint(voter_set) if kraft_version and len(voter_set) else ()
        history = voter_history(None if kraft_version else voter_set, zero, batches)
        replica = Replica(
            config,
            election,
            log_view(batches),
            history,
            chance or LeastChance(),  # type: ignore[arg-type]
            now,
        )
        return cls(replica, now, disk_election=election, disk_log=batches, zero=zero)

    def tell(self, event: Event) -> list[Effect]:
        """Step the replica; give back what the gate lets out of it."""
        released: list[Effect] = []
        for effect in self.gate.hold(self.replica.step(event, self.now)):
            if isinstance(effect, DISK_EFFECTS):
                self.unsynced.append(effect)
            elif isinstance(effect, RoleChanged | Complaint):
                self.notices.append(effect)
            else:
                released.append(effect)
        self.words += released
        return released

    def sync(self, effects: int | None = None) -> list[Effect]:
        """Put the oldest effects (all, if no number is given) on the disk, and report it."""
        released: list[Effect] = []
        count = len(self.unsynced) if effects is None else effects
        for effect in self.unsynced[:count]:
            self._write(effect)
        if count:
            ticket = self.unsynced[count - 1].ticket  # type: ignore[union-attr]
            del self.unsynced[:count]
            released = self.gate.durable(ticket)
            self.words += released
            released += self.tell(Durable(ticket))
        return released

    def settle(self) -> FakeHost:
        """Sync until the replica wants nothing more from the disk."""
        while self.unsynced:
            self.sync()
        return self

    def started(self) -> FakeHost:
        """After the first event, and everything that it wrote."""
        self.tell(Started())
        return self.settle()

    def restarted(self) -> FakeHost:
        """The same node after a crash: what was synced is there, nothing else."""
        config = self.replica.config
        history = voter_history(self.replica.voters.static, self.zero, self.disk_log)
        replica = Replica(
            config,
            self.disk_election,
            log_view(self.disk_log),
            history,
            self.replica.chance,
            self.now,
        )
        return FakeHost(
            replica,
            self.now,
            disk_election=self.disk_election,
            disk_log=list(self.disk_log),
            zero=self.zero,
        )

    def _write(self, effect: Effect) -> None:
        if isinstance(effect, SaveElection):
            self.disk_election = effect.election
        elif isinstance(effect, AppendBatches):
            self.disk_log += effect.batches
        elif isinstance(effect, TruncateLog):
            if any(one.base_offset < effect.to < one.next_offset for one in self.disk_log):
                raise ValueError(f"a cut at {effect.to} splits a batch")
            self.disk_log = [one for one in self.disk_log if one.next_offset <= effect.to]
        elif isinstance(effect, DropPrefix):
            pass  # all batches are of one segment here, and the last one stays
        else:
            raise ValueError(f"this disk knows no {type(effect).__name__}")


def zero_checkpoint(voter_set: VoterSet) -> tuple[ControlValue, ...]:
    """What a format with initial controllers writes into the bootstrap checkpoint."""
    return (KRaftVersionControl(1), VotersControl(voter_set.voters))


def voter_history(
    static: VoterSet | None, zero: tuple[ControlValue, ...], batches: Iterable[Batch]
) -> VoterHistory:
    """The voters as a start reads them: from the bootstrap checkpoint, then from the log."""
    return VoterHistory.build(
        static,
        ZERO_SNAPSHOT if zero else None,
        (Control(at, value) for at, value in enumerate(zero)),
        (control for batch in batches for control in batch.controls),
    )


def log_view(batches: Iterable[Batch]) -> LogView:
    """The view of a log that holds these batches from offset 0, all of them durable."""
    view = LogView()
    taken = tuple(batches)
    return view.appended(1, taken).durable(1) if taken else view
