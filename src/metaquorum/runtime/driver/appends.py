"""The log that a state machine is stepped with: its records go into the replica's next batch.

Each append by itself is a batch, or a few: one ticket, one step of the core. Those of commands
that came together (``in_batch``) share a batch, which stays open between them. Its records
have their offsets at once, because nothing else is appended before it is closed: a caller that is
about to step the core for any other reason closes it first.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Protocol

from attrs import define

from metaquorum.base.clock import Millis
from metaquorum.base.each import each
from metaquorum.base.errors import UNKNOWN_SERVER_ERROR, InvariantViolated
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.controller.events import BatchEnded
from metaquorum.controller.log import Placed, Refused
from metaquorum.quorum import effects, events
from metaquorum.quorum.handlers.replication.append import append_refusal
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import Batch
from metaquorum.records.batch import BATCH_OVERHEAD_BYTES
from metaquorum.records.builder import KeyValue, records_bound_bytes
from metaquorum.runtime.driver.batches import OpenBatch, TooLargeForBatch, build_batches
from metaquorum.runtime.driver.machine import AnyRecord, EntryOf
from metaquorum.runtime.driver.measures import Measures
from metaquorum.runtime.driver.ports import Listeners
from metaquorum.wire.generated import error_codes


class Steps(Protocol):
    """The driver, as far as appends go through it."""

    listeners: Listeners
    measures: Measures

    @property
    def replica(self) -> ReplicaState:
        """What the replica knows; it is changed by ``step_replica`` only."""

    def step_replica(self, event: events.Event) -> None:
        """Step the replica and carry out its effects."""

    def step_controller(self, event: BatchEnded) -> None:
        """Step the state machine and carry out its effects."""


@define(eq=False)
class Appends:
    """Appends records and returns where they are; a ``controller.log.Log``.

    ``more_follow``: something was appended within a batch, and no follower's fetch was answered
    with it. ``clients_expected_back``: so many who were answered of late have not come with another
    command yet. ``replayed_since_s``: when records were placed that the machine is replaying now,
    or 0.
    """

    steps: Steps
    entry_of: EntryOf
    in_batch: bool = False
    more_follow: bool = False
    clients_expected_back: int = 0
    open: OpenBatch | None = None
    replayed_since_s: float = 0.0
    _result: effects.Appended | effects.AppendDropped | None = None
    _is_asking: bool = False
    _ids: int = 0

    @property
    def owes(self) -> bool:
        """Whether fetches of followers are to be answered once this batch is closed."""
        return self.open is not None or self.more_follow or self.steps.replica.parked.holds_back

    @property
    def next_offset(self) -> Offset:
        """Where the next record goes: nothing else is appended before the open batch is closed."""
        return self.steps.replica.log.end if self.open is None else self.open.next_offset

    def append(
        self, records: Sequence[AnyRecord], epoch: Epoch, *, atomic: bool, timestamp_ms: Millis
    ) -> Placed | Refused:
        """Append these records; at which offset they are, or why they are not."""
        try:
            entries = each(self.entry_of, records)
        except Exception as error:  # nothing was appended: it is the fault of one change
            return Refused(UNKNOWN_SERVER_ERROR, error)
        if self.in_batch and atomic:
            return self._append_with_others(entries, epoch, timestamp_ms)
        return self._append_alone(entries, epoch, atomic, timestamp_ms)

    def _append_alone(
        self, entries: Sequence[KeyValue], epoch: Epoch, atomic: bool, timestamp_ms: Millis
    ) -> Placed | Refused:
        try:
            batches = build_batches(entries, atomic=atomic, timestamp_ms=timestamp_ms)
        except TooLargeForBatch:
            return Refused(error_codes.RECORD_LIST_TOO_LARGE)
        closed = self._close()
        placed = self._ask(batches, epoch)
        if isinstance(placed, effects.AppendDropped):
            return Refused(placed.error, None, closed)
        for tell in self.steps.listeners.replayed:
            tell(placed.next_offset, sum(batch.size_bytes for batch in batches))
        self.replayed_since_s = perf_counter()
        return Placed(placed.base_offset, placed.epoch, True, closed)

    def close(self, _: None = None) -> None:
        """Append what was gathered, and step the machine with the end of the batch."""
        if self._close():
            self.steps.step_controller(BatchEnded())

    def _close(self) -> bool:
        """Append what was gathered, if anything: its records get the offsets that they have."""
        batch, self.open = self.open, None
        if batch is None:
            return False
        closed = batch.closed()
        placed = self._ask((closed,), batch.epoch)
        if isinstance(placed, effects.AppendDropped):
            raise InvariantViolated(
                f"a batch whose records have offsets was refused: {placed.error}"
            )
        if (placed.base_offset, placed.epoch) != (batch.base_offset, batch.epoch):
            raise InvariantViolated(
                f"a batch for offset {batch.base_offset} of epoch {batch.epoch} went to "
                f"{placed.base_offset} of epoch {placed.epoch}"
            )
        for tell in self.steps.listeners.replayed:
            tell(batch.next_offset, closed.size_bytes)
        return True

    def result(self, effect: effects.Appended | effects.AppendDropped) -> None:
        """The replica has answered the append that it was asked for."""
        if not self._is_asking or self._result is not None:
            raise InvariantViolated("an append was answered that nobody asked for")
        self._result = effect

    def _append_with_others(
        self, entries: Sequence[KeyValue], epoch: Epoch, timestamp_ms: Millis
    ) -> Placed | Refused:
        """Give the records their offsets behind those of the commands that came before."""
        replica, batch, closed = self.steps.replica, self.open, False
        size_bytes = records_bound_bytes(entries)
        if batch is not None:
            error = append_refusal(replica, epoch, size_bytes, batch.bound_bytes)
            if error != error_codes.NONE:
                return Refused(error)
            if not batch.add(entries, size_bytes, timestamp_ms):
                closed, batch = self._close(), None
                self.steps.measures.replayed()
        if batch is None:
            error = append_refusal(replica, epoch, BATCH_OVERHEAD_BYTES + size_bytes)
            if error != error_codes.NONE:
                return Refused(error, None, closed)
            batch = OpenBatch(replica.log.end, epoch, timestamp_ms)
            if not batch.add(entries, size_bytes, timestamp_ms):
                return Refused(error_codes.RECORD_LIST_TOO_LARGE, None, closed)
            self.open = batch
        self.replayed_since_s = perf_counter()
        return Placed(batch.next_offset - len(entries), batch.epoch, False, closed)

    def _ask(
        self, batches: tuple[Batch, ...], epoch: int
    ) -> effects.Appended | effects.AppendDropped:
        """Step the core with them; what it answers in the same step."""
        if self._is_asking:
            raise InvariantViolated("an append was asked for within another")
        self._ids += 1
        self.more_follow = self.in_batch
        self._is_asking = True
        self.steps.step_replica(events.AppendAsked(self._ids, batches, epoch, self.in_batch))
        self._is_asking = False
        result, self._result = self._result, None
        if result is None:
            raise InvariantViolated(
                "an append was neither placed nor dropped in the step it was asked"
            )
        return result
