"""How the records of the state machine get into the log, and the machine hears where they are.

Each append by itself is a batch, or a few: one ticket, one step of the core. Those of commands
that came together (``in_batch``) share a batch, which stays open between them. Its records
have their offsets at once, because nothing else is appended before it is closed: whoever is about
to step the core for any other reason closes it first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from attrs import define

from metaquorum.base.each import each
from metaquorum.base.errors import UNKNOWN_SERVER_ERROR, InvariantViolated
from metaquorum.base.offsets import LeaderAndEpoch, Offset
from metaquorum.controller.effects import AppendRecords
from metaquorum.controller.events import AppendPlaced, AppendRefused, BatchEnded
from metaquorum.quorum import effects, events
from metaquorum.quorum.handlers.replication.append import append_refusal
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import Batch
from metaquorum.records.batch import BATCH_OVERHEAD_BYTES
from metaquorum.records.builder import KeyValue, records_bound_bytes
from metaquorum.runtime.driver.batches import OpenBatch, TooLargeForBatch, build_batches
from metaquorum.wire.generated import error_codes

Told = list[AppendPlaced | AppendRefused | BatchEnded]
"""What the state machine is to be stepped with after an append, in this order."""


class Steps(Protocol):
    """The driver, as far as appends go through it."""

    leader: LeaderAndEpoch
    on_replayed: Callable[[Offset, int], None]

    @property
    def replica(self) -> ReplicaState:
        """What the replica knows; it is changed by ``step_replica`` only."""

    def step_replica(self, event: events.Event) -> None:
        """Step the replica and carry out its effects."""

    def step_controller(self, event: Any) -> None:
        """Step the state machine and carry out its effects."""


@define(eq=False)
class Appends:
    """Appends records and returns where they are.

    ``more_follow``: something was appended while gathering, of which followers were not told.
    ``clients_expected_back``: so many who were answered of late have not come with another command
    yet.
    """

    steps: Steps
    entry_of: Callable[[Any], KeyValue]
    in_batch: bool = False
    more_follow: bool = False
    clients_expected_back: int = 0
    open: OpenBatch | None = None
    _result: effects.Appended | effects.AppendDropped | None = None
    _is_asking: bool = False
    _ids: int = 0

    @property
    def owes(self) -> bool:
        """Whether followers are to be told of something once this batch is closed."""
        return self.open is not None or self.more_follow or self.steps.replica.parked.holds_back

    def append(self, effect: AppendRecords) -> Told:
        """Append these records; the last event says at which offset they are, or why not."""
        try:
            entries = each(self.entry_of, effect.records)
        except Exception as error:  # nothing was appended: it is the fault of one change
            return [AppendRefused(effect.token, UNKNOWN_SERVER_ERROR, error)]
        if self.in_batch and effect.atomic:
            return self._append_with_others(effect, entries)
        try:
            batches = build_batches(entries, atomic=effect.atomic, timestamp_ms=effect.timestamp_ms)
        except TooLargeForBatch:
            return [AppendRefused(effect.token, error_codes.RECORD_LIST_TOO_LARGE)]
        told = self._close()
        placed = self._ask(batches, self.steps.leader.epoch)
        if isinstance(placed, effects.AppendDropped):
            return [*told, AppendRefused(effect.token, placed.error)]
        self.steps.on_replayed(placed.next_offset, sum(batch.size_bytes for batch in batches))
        return [*told, AppendPlaced(effect.token, placed.base_offset, placed.epoch)]

    def close(self, _: None = None) -> None:
        """Append what was gathered, and step the machine with the end of the batch."""
        for event in self._close():
            self.steps.step_controller(event)

    def _close(self) -> Told:
        """Append what was gathered, if anything: its records get the offsets that they have."""
        batch, self.open = self.open, None
        if batch is None:
            return []
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
        self.steps.on_replayed(batch.next_offset, closed.size_bytes)
        return [BatchEnded()]

    def result(self, effect: effects.Appended | effects.AppendDropped) -> None:
        """The replica has answered the append that it was asked for."""
        if not self._is_asking or self._result is not None:
            raise InvariantViolated("an append was answered that nobody asked for")
        self._result = effect

    def _append_with_others(self, effect: AppendRecords, entries: list[KeyValue]) -> Told:
        """Give the records their offsets behind those of the commands that came before."""
        steps, batch, token = self.steps, self.open, effect.token
        told: Told = []
        size_bytes, timestamp_ms = records_bound_bytes(entries), effect.timestamp_ms
        if batch is not None:
            error = self._refusal(size_bytes, batch.bound_bytes)
            if error != error_codes.NONE:
                return [AppendRefused(token, error)]
            if not batch.add(entries, size_bytes, timestamp_ms):
                told, batch = self._close(), None
        if batch is None:
            error = self._refusal(BATCH_OVERHEAD_BYTES + size_bytes, 0)
            if error != error_codes.NONE:
                return [*told, AppendRefused(token, error)]
            batch = OpenBatch(steps.replica.log.end, steps.leader.epoch, timestamp_ms)
            if not batch.add(entries, size_bytes, timestamp_ms):
                return [*told, AppendRefused(token, error_codes.RECORD_LIST_TOO_LARGE)]
            self.open = batch
        base_offset = batch.next_offset - len(entries)
        told.append(AppendPlaced(token, base_offset, batch.epoch, is_batch_end=False))
        return told

    def _refusal(self, size_bytes: int, behind_bytes: int) -> int:
        """Why the core would not append so much behind so much; NONE if it would."""
        steps = self.steps
        return append_refusal(steps.replica, steps.leader.epoch, size_bytes, behind_bytes)

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
