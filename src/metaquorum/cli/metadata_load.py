"""From batches to the state at a point: what every source of the metadata shell shares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from attrs import define, field, frozen

from metaquorum.base.errors import InvariantViolated, OperatorError
from metaquorum.base.offsets import NO_OFFSET, Offset, OffsetAndEpoch
from metaquorum.cli.metadata_point import Point
from metaquorum.metadata.origin import Origin
from metaquorum.metadata.reading import read_metadata_batch
from metaquorum.metadata.state import MetadataState, Provenance
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.records.batch import BatchHeader
from metaquorum.records.control import ControlType, controls_of
from metaquorum.records.errors import BatchError
from metaquorum.records.metadata_record import MetadataRecord

Say = Callable[[str], None]


@frozen
class LoadedState:
    """A state to look at, and ``source``, what it was read from.

    ``end`` is its last record in the log. ``provenance`` is what the tree calls so, another one
    for a checkpoint: Kafka's shell numbers its records by their places in the file.
    """

    view: StateView
    end: Origin
    provenance: Origin
    source: str


@define
class Loading:
    """A state while it is read; ``place`` names the file or quorum for messages."""

    place: str
    point: Point
    say: Say
    state: MetadataState = field(factory=MetadataState)
    last_offset: Offset = NO_OFFSET
    first_time_ms: int | None = None
    done: bool = False

    def begin_at(
        self, snapshot: OffsetAndEpoch, batches: Iterable[tuple[BatchHeader, Any]]
    ) -> None:
        """Load a snapshot; the log goes on at its end. OperatorError names what is wrong."""
        contained_ms, records = snapshot_content(self.place, batches)
        where = Provenance(snapshot.offset, snapshot.epoch, contained_ms)
        try:
            self.state = MetadataState.from_snapshot(records, where)
        except InvariantViolated as error:
            raise OperatorError(f"{self.place}: {error}") from None
        self.last_offset, self.first_time_ms = snapshot.offset - 1, contained_ms

    def take(self, header: BatchHeader, data: Any, place: str = "") -> bool:
        """Replay one batch of the log; False when the point lies before it, or in it."""
        if header.next_offset <= self.state.end_offset:
            return True
        if self.point.passed_by(header):
            self.done = True
            return False
        if self.first_time_ms is None:
            self.first_time_ms = header.max_timestamp_ms
        try:
            self._replay(header, data)
        except InvariantViolated as error:
            raise OperatorError(f"{place or self.place}: {error}") from None
        return not self.done

    def finished(self, source: str) -> LoadedState:
        """The state at the point; OperatorError when the log does not reach it."""
        point = self.point
        if point.offset is not None and self.last_offset < point.offset:
            raise OperatorError(
                f"{self.place}: there is no offset {point.offset} yet, "
                f"the last one is {self.last_offset}"
            )
        if point.time_ms is not None and self.last_offset < 0:
            raise OperatorError(f"{self.place}: there is nothing as old as {point.text}")
        transaction = self.state.transaction
        if transaction is not None:
            self.say(
                f"what follows offset {transaction.begin_offset} is left out: "
                "the metadata transaction that begins there is not finished"
            )
        at = self.state.provenance
        origin = Origin(at.end_offset - 1, at.epoch, at.timestamp_ms)
        return LoadedState(self.state.committed(), origin, origin, source)

    def _replay(self, header: BatchHeader, data: Any) -> None:
        records = read_metadata_batch(data, header)
        for offset, record in enumerate(records, start=header.base_offset):
            if not self.point.covers(offset):
                self.done = True
                break
            if offset >= self.state.end_offset:
                self.state.replay(record, offset, header.leader_epoch, header.max_timestamp_ms)
            self.last_offset = offset
        else:
            self.last_offset = header.last_offset
        if records:
            self.state.close_batch()
        self.state.commit(header.next_offset)


def snapshot_content(
    place: str, batches: Iterable[tuple[BatchHeader, Any]]
) -> tuple[int, Sequence[MetadataRecord]]:
    """When the last record that a snapshot contains was written, and its records."""
    contained_ms = -1
    records: list[MetadataRecord] = []
    for header, data in batches:
        try:
            if header.is_control:
                for control in controls_of(data, header):
                    if control.type == ControlType.SNAPSHOT_HEADER:
                        contained_ms = control.message.last_contained_log_timestamp
            records += read_metadata_batch(data, header)
        except (InvariantViolated, BatchError) as error:
            raise OperatorError(f"{place}: {error}") from None
    return contained_ms, records
