"""The whole log replayed from its first record: what every state and every snapshot is held to.

``Replay`` follows the commits with a state of its own, so cheap that each apply of each node can
be compared. ``check_replay`` does it all once more when a run is over, with the production code's
own tables and from the bytes on the disks: snapshot plus log against the log alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache

from attrs import define, field, frozen
from xxhash import xxh3_64_intdigest

from metaquorum.base.offsets import Offset
from metaquorum.metadata.reading import read_metadata_batch
from metaquorum.metadata.snapshot_writer import snapshot_values
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.node.data_directory import DataDirectory
from metaquorum.quorum.types import SnapshotId
from metaquorum.records.batch import BatchHeader, read_header
from metaquorum.storage.snapshot_check import BadSnapshot, verify_snapshot
from metaquorum.testing.simulator.invariants import snapshots
from metaquorum.testing.simulator.log_mirror import LogMirror


@lru_cache(maxsize=65_536)
def print_of(user: str | None, value: float) -> int:
    """The fingerprint of one entry, whole numbers all; a state's is all by exclusive or."""
    return xxh3_64_intdigest(f"{user}={int(value)}".encode())


def fingerprint_of(view: StateView) -> int:
    """The fingerprint of what a node shows, as ``Replay`` has it for what was committed."""
    found = 0
    for entity, quotas in view.quotas.items():
        user = entity[0][1]
        for value in quotas.values():
            found ^= print_of(user, value)
    return found


@define(eq=False)
class Replay:
    """The values that the committed writes have set, and a fingerprint for each batch end.

    ``others`` is the fingerprint of what else there is in the state: brokers and partitions.
    """

    prints: dict[Offset, int] = field(factory=dict)
    fingerprint: int = 0
    others: int = 0
    _values: dict[str, int] = field(factory=dict)

    def write(self, user: str, value: int) -> None:
        """One more committed write."""
        before = self._values.get(user)
        if before is not None:
            self.fingerprint ^= print_of(user, before)
        self._values[user] = value
        self.fingerprint ^= print_of(user, value)

    def batch_ends(self, at: Offset) -> None:
        """A committed batch is over: this is the state of everybody who has applied it."""
        self.prints[at] = self.fingerprint ^ self.others


@frozen
class Served:
    """A directory, and those of its snapshots that its node goes by, oldest first."""

    directory: DataDirectory
    snapshots: tuple[SnapshotId, ...]


def check_replay(
    committed: LogMirror, payloads: Mapping[int, bytes], nodes: Mapping[int, Served]
) -> None:
    """Hold every snapshot, and the newest with the log behind it, against the full replay.

    A node without snapshots has the whole log, which is held against the committed one already.
    """
    found: list[tuple[int, Offset, int]] = []
    for node, served in nodes.items():
        for one in served.snapshots:
            state = _loaded(node, served, one)
            if state is None:
                continue
            found.append((node, one.offset, digest_of(state)))
            if one == served.snapshots[-1]:
                end = _replay_on(state, served.directory, committed)
                found.append((node, end, digest_of(state)))
    if not found:
        return
    expected = _digests(committed, payloads, {offset for _, offset, _ in found})
    for node, offset, digest in found:
        if digest != expected[offset]:
            snapshots.snapshot_plus_log_equals_the_full_replay(node, offset, "another state")


def _loaded(node: int, served: Served, snapshot: SnapshotId) -> MetadataState | None:
    """The state of a snapshot; None for one that was damaged below a newer one that is whole."""
    directory = served.directory
    try:
        verify_snapshot(directory.disk, directory.path, snapshot)
        return directory.loading_of(snapshot).whole()
    except BadSnapshot as error:
        if snapshot == served.snapshots[-1]:
            snapshots.snapshot_plus_log_equals_the_full_replay(node, snapshot.offset, str(error))
        return None


def _replay_on(state: MetadataState, directory: DataDirectory, committed: LogMirror) -> Offset:
    """Replay what the log has behind a snapshot, as far as it is committed; where that ends."""
    end = state.end_offset
    for header, view in directory.log.batches(end):
        if header.base_offset < end:
            continue
        if header.next_offset > committed.end:
            break
        _replay_batch(state, header, view)
        end = header.next_offset
    state.commit(end)
    return end


def _digests(
    committed: LogMirror, payloads: Mapping[int, bytes], wanted: AbstractSet[Offset]
) -> dict[Offset, int]:
    """The digest of the full replay at each of these batch ends."""
    state, found = MetadataState(), dict.fromkeys(sorted(wanted), -1)
    for entry in committed.entries:
        payload = payloads[entry.print]
        _replay_batch(state, read_header(payload), memoryview(payload))
        if entry.next in found:
            state.commit(entry.next)
            found[entry.next] = digest_of(state)
    return found


def _replay_batch(state: MetadataState, header: BatchHeader, batch: memoryview) -> None:
    records = read_metadata_batch(batch, header)
    for at, record in enumerate(records):
        state.replay(record, header.base_offset + at, header.leader_epoch, header.max_timestamp_ms)
    if records:
        state.close_batch()


def digest_of(state: MetadataState) -> int:
    """A digest of everything that is committed in a state, as a snapshot would say it."""
    return xxh3_64_intdigest(b"\n".join(sorted(snapshot_values(state.committed()))))
