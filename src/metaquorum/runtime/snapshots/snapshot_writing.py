"""One snapshot on its way: what may be written now, and its batches, one at a time.

No task, file or clock in here: the node's snapshot task and the simulator's hosts drive it.
Nobody waits for it either: the state is held as it was at a committed batch end, and the log goes
on (KIP-630, architecture 8).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.metadata.snapshot_writer import snapshot_of
from metaquorum.metadata.state import HeldState, MetadataState
from metaquorum.quorum.adapt.snapshot_controls import snapshot_controls
from metaquorum.quorum.state import ReplicaState


@define(eq=False)
class SnapshotWriting:
    """A snapshot being written. ``batches`` may be taken while ``is_wanted`` and until ``end``."""

    id: OffsetAndEpoch
    batches: Iterator[bytes]
    replica: ReplicaState
    _state: MetadataState
    _held: HeldState | None
    controls: int = field(default=0)

    @classmethod
    def begin(
        cls,
        state: MetadataState,
        replica: ReplicaState,
        wall_ms: Millis,
        encode: Callable[..., Iterator[bytes]] = snapshot_of,
    ) -> SnapshotWriting | None:
        """A snapshot of the committed state; None where none may end, or none is new.

        None inside an open metadata transaction, in the middle of a batch (KAFKA-17713), where
        the newest snapshot ends already, and before anything was committed. ``encode`` makes its
        batches out of what the state holds.
        """
        place = state.provenance
        if state.transaction is not None or not place.is_batch_end or place.epoch < 0:
            return None
        log = replica.log
        newest = log.newest_snapshot
        if place.end_offset <= (newest.offset if newest is not None else 0):
            return None
        if not log.start <= place.end_offset <= (log.high_watermark or 0):
            return None
        held = state.hold()
        controls = snapshot_controls(replica.voters, place.end_offset)
        batches = encode(
            held.view,
            epoch=place.epoch,
            timestamp_ms=wall_ms,
            last_contained_ms=place.timestamp_ms,
            controls=controls,
        )
        id = OffsetAndEpoch(place.epoch, place.end_offset)
        return cls(id, batches, replica, state, held, len(controls))

    def is_wanted(self, state: MetadataState) -> bool:
        """Whether it still is of use: a snapshot that was installed meanwhile makes it stale."""
        newest = self.replica.log.newest_snapshot
        return state is self._state and (newest is None or newest.offset < self.id.offset)

    def wrote(self, records: int) -> None:
        """It is on the disk, with so many records of all kinds: KIP-630's ratio has a new base."""
        if self._state.changes is not None:
            of_state = records - self.controls - 2  # header and footer
            self._state.changes.snapshot_written(self.id.offset, of_state)

    def end(self) -> None:
        """Let go of the state; once more does no harm."""
        if self._held is not None:
            self._state.let_go(self._held)
            self._held = None
