"""The metadata log as the event loop sees it: the file, and what is on its way there.

Bytes come from the file below its published end and from the tail above it. Epochs and ends come
from the consensus core, which has thought further than the file.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence
from typing import Final

from attrs import define, field

from metaquorum.base.ids import NodeId
from metaquorum.base.limits import ENCODED_ANSWERS
from metaquorum.base.offsets import Epoch, Offset, OffsetAndEpoch
from metaquorum.base.value import value
from metaquorum.quorum.log_view import LogView
from metaquorum.quorum.messages import LogSlice, SnapshotSlice
from metaquorum.quorum.state import ReplicaState
from metaquorum.runtime.disk.tail import Tail
from metaquorum.storage.log import Log, OffsetOutOfRange
from metaquorum.storage.snapshot_files import SnapshotFiles
from metaquorum.wire.slices import FileSlice, SliceChain

_NO_DESCRIPTOR_LEFT: Final = frozenset({errno.EMFILE, errno.ENFILE})


@value
class Plan:
    """Pieces of whole batches in order, how long they are together, and the offset after them."""

    slices: Sequence[bytes | memoryview | FileSlice]
    size_bytes: int
    next_offset: Offset


@define(eq=False)
class MetadataLog:
    """Reads for consumers (``fetch.plan.LogReader``), for replicas and for the applier."""

    file: Log
    tail: Tail
    replica: ReplicaState
    snapshots: SnapshotFiles
    _planned_of: LogView | None = None
    _planned: dict[tuple[Offset, int, Offset, bool], Plan] = field(factory=dict)

    @property
    def start_offset(self) -> Offset:
        """The first offset that is still there."""
        return self.replica.log.start

    @property
    def end_offset(self) -> Offset:
        """The offset that the next record gets."""
        return self.replica.log.end

    @property
    def high_watermark(self) -> Offset:
        """The first offset that is not committed, as it may be shown; -1 while unknown."""
        return self.replica.shown_high_watermark

    @property
    def leader_id(self) -> NodeId | None:
        """The leader as this node knows it."""
        return self.replica.leader_id

    def epoch_at(self, offset: Offset) -> Epoch | None:
        """The epoch of the record at ``offset``; None before the epochs that are known."""
        return self.replica.log.epochs.epoch_at(offset)

    def end_of_epoch(self, epoch: Epoch) -> OffsetAndEpoch | None:
        """The largest epoch not above ``epoch`` and its end; None below them all."""
        return self.replica.log.epochs.end_of(epoch, self.end_offset)

    def read_plan(
        self, offset: Offset, max_bytes: int, below: Offset, whole_first: bool = True
    ) -> Plan:
        """Whole batches from the one that holds ``offset``; nothing at or above ``below``.

        The first batch at any size if ``whole_first``; OffsetOutOfRange below the log start.
        """
        asked = (offset, max_bytes, below, whole_first)
        if self._planned_of is not self.replica.log:
            self._planned_of = self.replica.log
            self._planned.clear()
        plan = self._planned.get(asked)
        if plan is None:
            plan = self._plan(*asked)
            if len(self._planned) < ENCODED_ANSWERS:
                self._planned[asked] = plan
        return plan

    def _plan(self, offset: Offset, max_bytes: int, below: Offset, whole_first: bool) -> Plan:
        pieces: list[bytes | memoryview | FileSlice] = []
        size, next_offset = 0, offset
        if offset < self.file.end_offset:
            in_file = self.file.read_plan(offset, max_bytes, below, whole_first)
            pieces += in_file.slices
            size, next_offset = in_file.size_bytes, in_file.next_offset
            if size == 0 or next_offset < self.file.end_offset:
                return Plan(pieces, size, next_offset)
        if next_offset < below and (size < max_bytes or not pieces):
            for batch in self.tail.read(next_offset, below, max_bytes - size):
                if size + len(batch.payload) > max_bytes and (pieces or not whole_first):
                    break
                pieces.append(batch.payload)
                size += len(batch.payload)
                next_offset = batch.next_offset
        return Plan(pieces, size, next_offset)

    def read_bytes(self, offset: Offset, below: Offset, max_bytes: int) -> bytes:
        """The bytes of a plan, joined, or fewer; for the applier, which decodes them."""
        plan = self._plan(offset, max_bytes, below, whole_first=True)
        return b"".join(
            self.file.disk.read_slice(piece) if isinstance(piece, FileSlice) else bytes(piece)
            for piece in plan.slices
        )

    def offset_for_timestamp(
        self, timestamp_ms: int, below: Offset
    ) -> tuple[Offset, int, Epoch] | None:
        """The first record at or after a time: offset, its own timestamp, epoch."""
        return self.file.offset_for_timestamp(timestamp_ms, below)

    def max_timestamp(self, below: Offset) -> tuple[Offset, int, Epoch] | None:
        """The first record with the largest timestamp: offset, timestamp, epoch."""
        return self.file.max_timestamp(below)

    def resolve(self, piece: LogSlice | SnapshotSlice) -> FileSlice | SliceChain | None:
        """What the core left to be read, as a value for a records field.

        None where it is no more: the disk may have let go of it since the core answered. None too
        while there is no descriptor to open it with: the replica asks again, and nothing of
        ours is broken.
        """
        try:
            return self._resolved(piece)
        except (KeyError, FileNotFoundError, OffsetOutOfRange):
            return None
        except OSError as error:
            if error.errno in _NO_DESCRIPTOR_LEFT:
                return None
            raise

    def _resolved(self, piece: LogSlice | SnapshotSlice) -> FileSlice | SliceChain:
        if isinstance(piece, SnapshotSlice):
            return self.snapshots.plan(piece.snapshot, piece.position, piece.max_bytes)
        return SliceChain(tuple(self.read_plan(piece.first, piece.max_bytes, piece.below).slices))
