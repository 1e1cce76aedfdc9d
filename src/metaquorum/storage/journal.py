"""Executes disk effects in the order of their tickets, with as few syncs as that order allows.

The promise: when ``execute`` returns n, everything up to ticket n is durable; and after a crash at
any moment, an effect that survived has all its predecessors with it. Neighbouring appends share
one write and one sync; of neighbouring election states only the last is written, as nobody has
the others are known. An election state between appends costs a sync of its own: entries of an
epoch may not outlive the vote that made it. Parts of a download are synced when it is installed;
until then a crash drops them, and the download begins anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter

from attrs import define, field

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.base.value import value
from metaquorum.observe.windows import Distribution
from metaquorum.records.disk_effects import (
    Append,
    DropPrefix,
    InstallSnapshot,
    LogBatch,
    LogEffect,
    TruncateLog,
    WriteSnapshotPart,
)
from metaquorum.storage import quorum_state
from metaquorum.storage.disk import Disk, DiskFailed
from metaquorum.storage.log import Log
from metaquorum.storage.names import QUORUM_STATE
from metaquorum.storage.place import DELETED, displaced
from metaquorum.storage.quorum_state import ElectionStateData
from metaquorum.storage.snapshot_check import BadSnapshot
from metaquorum.storage.snapshot_files import SnapshotFiles, SnapshotPart


@value
class SaveElection:
    """Replace the quorum-state file."""

    ticket: int
    state: ElectionStateData


DiskEffect = SaveElection | LogEffect


@define(eq=False)
class QuorumStateStore:
    """Where election states go: the quorum-state file of one directory."""

    disk: Disk
    directory: str
    _was_there: bool = field(default=False, init=False)

    def save(self, state: ElectionStateData) -> None:
        """Replace the file durably; raises DiskFailed."""
        quorum_state.write(self.disk, self.directory, state)
        self._was_there = True

    def check_place(self) -> None:
        """DiskFailed if the file is gone: the node would not know its vote at the next start."""
        path = f"{self.directory}/{QUORUM_STATE}"
        is_there = self.disk.exists(path)
        if self._was_there and not is_there:
            raise displaced(path, DELETED)
        self._was_there = is_there


def _payload(batch: LogBatch) -> bytes:
    payload = batch.payload
    if not isinstance(payload, bytes):
        raise InvariantViolated(
            f"a batch with a payload of {type(payload).__name__} cannot be written"
        )
    return payload


def _nothing_more() -> None:
    """Nothing beside the partition's directory."""


@define(eq=False)
class Journal:
    """The only writer of a log directory while the node runs.

    After a failure it refuses everything: a failed sync is never tried again. ``sync_ms`` is how
    long each sync of the log, and each replacement of the quorum-state file, took. ``also_check``
    raises DiskFailed if another file without which the node cannot start again is gone.
    """

    log: Log
    quorum_state_store: QuorumStateStore
    snapshots: SnapshotFiles
    last_ticket: int = 0
    log_syncs: int = 0
    election_saves: int = 0
    sync_ms: Distribution = field(factory=Distribution)
    also_check: Callable[[], None] = _nothing_more
    _to_write: list[bytes] = field(factory=list)
    _failure: DiskFailed | None = None
    _part: SnapshotPart | None = None
    _rejected: list[tuple[OffsetAndEpoch, str]] = field(factory=list)

    def execute(self, effects: Sequence[DiskEffect]) -> int:
        """Do these effects and return the last one's ticket once all are durable.

        Raises DiskFailed, and from then on always; InvariantViolated for tickets out of order.
        """
        with self._failing():
            self._execute_all(effects)
            self._sync_log()
        return self.last_ticket

    def write(self, effects: Sequence[DiskEffect]) -> int | None:
        """Do these effects but for the sync of the log's last segment, and return its descriptor;
        ``synced`` has to follow before anything else.

        None, and nothing is done, if they do more than to append to it. Raises as ``execute``.
        """
        payloads: list[bytes] = []
        for effect in effects:
            if not isinstance(effect, Append):
                return None
            payloads += map(_payload, effect.batches)
        with self._failing():
            self._check_order(effects)
            descriptor = self.log.append_to_last(payloads) if payloads else None
        if descriptor is not None:
            self.last_ticket = effects[-1].ticket
        return descriptor

    def synced(self, seconds: float, failed: OSError | None) -> int:
        """What was written has been synced by the caller, which took so long; the last ticket.

        Raises DiskFailed, and from then on always, if it ``failed``.
        """
        with self._failing():
            if failed is not None:
                raise DiskFailed(self.log.directory, "cannot sync", failed)
        self._note_sync(seconds)
        return self.last_ticket

    @property
    def is_preallocated(self) -> bool:
        """Whether the log's last file reaches beyond its end (``storage.preallocation``)."""
        return self.log.is_preallocated

    def grows_fast(self, is_so: bool) -> None:
        """Whether more appends follow at once, for which space may be preallocated."""
        self.log.grows_fast = is_so

    def release_preallocation(self) -> int:
        """End the log's last file where the log ends; the last ticket. Raises as ``execute``."""
        with self._failing():
            self.log.release_preallocation()
        return self.last_ticket

    def check_place(self) -> int:
        """Compare what is open with what the paths name; the last ticket. Raises as ``execute``.

        It is for the executing thread, between two calls. Before anything but an append and a part
        of a download it happens by itself.
        """
        with self._failing():
            self._check_place()
        return self.last_ticket

    def _check_place(self) -> None:
        self.log.check_place()
        self.snapshots.check_place()
        self.quorum_state_store.check_place()
        self.also_check()

    @contextmanager
    def _failing(self) -> Iterator[None]:
        if self._failure is not None:
            raise self._failure
        try:
            yield
        except DiskFailed as error:
            self._failure = error
            raise
        except OSError as error:
            self._failure = DiskFailed(self.log.directory, "cannot use", error)
            raise self._failure from error

    def _check_order(self, effects: Sequence[DiskEffect]) -> None:
        last = self.last_ticket
        for effect in effects:
            if effect.ticket <= last:
                raise InvariantViolated(f"ticket {effect.ticket} after {last}")
            last = effect.ticket

    def _execute_all(self, effects: Sequence[DiskEffect]) -> None:
        self._check_order(effects)
        for index, effect in enumerate(effects):
            following = effects[index + 1] if index + 1 < len(effects) else None
            self._execute(effect, following)
            self.last_ticket = effect.ticket

    def take_rejected(self) -> list[tuple[OffsetAndEpoch, str]]:
        """Snapshots whose download turned out bad since the last call, with the reasons."""
        rejected, self._rejected = self._rejected, []
        return rejected

    def _execute(self, effect: DiskEffect, following: DiskEffect | None) -> None:
        if not isinstance(effect, Append | WriteSnapshotPart):
            self._check_place()
        match effect:
            case Append():
                self._to_write += map(_payload, effect.batches)
            case SaveElection():
                if not isinstance(following, SaveElection):
                    self._sync_log()
                    began = perf_counter()
                    self.quorum_state_store.save(effect.state)
                    self.sync_ms.record((perf_counter() - began) * 1_000)
                    self.election_saves += 1
            case TruncateLog():
                self._sync_log()
                self.log.truncate(effect.to)
            case WriteSnapshotPart():
                self._write_part(effect)
            case InstallSnapshot():
                self._sync_log()
                self._install(effect.snapshot)
            case DropPrefix():
                self._sync_log()
                self.log.drop_prefix(effect.before)
                self.snapshots.delete_before(effect.before)

    def _sync_log(self) -> None:
        if self._to_write:
            payloads, self._to_write = self._to_write, []
            self.log.append(payloads)
            began = perf_counter()
            self.log.sync()
            self._note_sync(perf_counter() - began)

    def _note_sync(self, seconds: float) -> None:
        self.sync_ms.record(seconds * 1_000)
        self.log_syncs += 1

    def _write_part(self, effect: WriteSnapshotPart) -> None:
        part = self._part
        if effect.position == 0 or part is None:
            if part is not None:
                part.discard()
            files = self.snapshots
            self._part = part = SnapshotPart.begun(files.disk, files.directory, effect.snapshot)
        if part.snapshot != effect.snapshot or part.position != effect.position:
            raise InvariantViolated(
                f"bytes for position {effect.position} of snapshot {effect.snapshot}, "
                f"the part of {part.snapshot} has {part.position}"
            )
        part.append(effect.data)

    def _install(self, snapshot: OffsetAndEpoch) -> None:
        """Freeze the download and restart the log at its end; a bad one is rejected instead."""
        part, self._part = self._part, None
        if part is None or part.snapshot != snapshot:
            raise InvariantViolated(
                f"snapshot {snapshot} is to be installed, but was not downloaded"
            )
        try:
            part.freeze()
        except BadSnapshot as error:
            part.discard()
            self._rejected.append((snapshot, str(error)))
            return
        self.snapshots.frozen(snapshot)
        self.log.restart_at(snapshot.offset)
        self.snapshots.delete_before(snapshot.offset)

    def close(self) -> None:
        """Drop an unfinished download and close log and snapshots cleanly.

        After a failure nothing more is written.
        """
        if self._part is not None:
            self._part.discard()
            self._part = None
        self.snapshots.close()
        if self._failure is None:
            self.log.close()
