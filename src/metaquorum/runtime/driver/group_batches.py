"""The coordinator's records as batches and snapshots, and back: with keys, and not framed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from metaquorum.base.clock import Millis
from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import LOAD_SLICE_RECORDS, SNAPSHOT_SLICE_RECORDS
from metaquorum.base.offsets import Epoch
from metaquorum.groups.state import GroupState
from metaquorum.metadata.state import Provenance
from metaquorum.records.batch import BatchHeader
from metaquorum.records.control import ControlType
from metaquorum.records.errors import BatchError
from metaquorum.records.group_record import GroupRecord
from metaquorum.records.reader import walk_records
from metaquorum.records.snapshot import keyed_snapshot_batches
from metaquorum.runtime.driver.machine import Batches
from metaquorum.wire.message import Message


def read_group_batch(batch: bytes | memoryview, header: BatchHeader) -> tuple[GroupRecord, ...]:
    """The records of one data batch; none of a control batch. InvariantViolated names a broken
    one.
    """
    return tuple(walk_group_batch(batch, header))


def walk_group_batch(batch: bytes | memoryview, header: BatchHeader) -> Iterator[GroupRecord]:
    """The same records, each read when it is asked for."""
    if header.is_control:
        return
    try:
        for record in walk_records(batch, header):
            yield GroupRecord.decode(record.key, record.value)
    except BatchError as error:
        raise InvariantViolated(
            f"the batch at offset {header.base_offset} cannot be read: {error.reason}"
        ) from error


def group_snapshot_of(
    view: Iterable[GroupRecord],
    *,
    epoch: Epoch,
    timestamp_ms: Millis,
    last_contained_ms: Millis,
    controls: Sequence[tuple[ControlType, Message]] = (),
) -> Iterator[bytes]:
    """A snapshot of these records, a batch at a time."""
    return keyed_snapshot_batches(
        epoch=epoch,
        timestamp_ms=timestamp_ms,
        last_contained_ms=last_contained_ms,
        controls=controls,
        records=(record.encode() for record in view),
        records_per_batch=SNAPSHOT_SLICE_RECORDS,
    )


class GroupStateLoading:
    """A fresh state out of the batches of a snapshot, in slices."""

    def __init__(self, batches: Batches, provenance: Provenance) -> None:
        self._batches = batches
        self._provenance = provenance
        self._filling = GroupState()
        self._state: GroupState | None = None
        self.records = 0

    @property
    def state(self) -> GroupState:
        """What was loaded."""
        if self._state is None:
            raise InvariantViolated("a state is asked for that is not loaded yet")
        return self._state

    def slices(self) -> Iterator[int]:
        """Load; tells now and then how many records there were so far."""
        for header, batch in self._batches:
            for record in read_group_batch(batch, header):
                self._filling.fill(record)
                self.records += 1
                if self.records % LOAD_SLICE_RECORDS == 0:
                    yield self.records
        self._state = self._filling.filled(self._provenance)
