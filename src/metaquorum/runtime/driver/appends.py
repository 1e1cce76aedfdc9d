"""How the records of the state machine get into the log, and the machine hears where they are.

One by one, each append is a batch, or a few, of its own: a ticket, a step of the core. Those of
commands that came together (``is_gathering``) share a batch, which stays open between them. Its
records have their places at once, because nothing else is appended before it is closed: whoever is
about to step the core for any other reason closes it first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from attrs import define, field

from metaquorum.base.each import each
from metaquorum.base.errors import UNKNOWN_SERVER_ERROR, HouseError
from metaquorum.base.offsets import LeaderAndEpoch, Offset
from metaquorum.controller import events as controller_events
from metaquorum.controller.effects import AppendRecords
from metaquorum.quorum import effects, events
from metaquorum.quorum.handlers.replication.append import append_refusal
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import Batch
from metaquorum.records.batch import BATCH_OVERHEAD_BYTES
from metaquorum.records.builder import KeyValue, records_bound_bytes
from metaquorum.runtime.driver.batches import TooLargeForBatch, build_batches
from metaquorum.runtime.driver.machine import StateMachine
from metaquorum.runtime.driver.open_batch import OpenBatch
from metaquorum.wire.generated import error_codes


class Steps(Protocol):
    """The driver, as far as appends go through it."""

    controller: StateMachine
    leader: LeaderAndEpoch
    on_replayed: Callable[[Offset, int], None]

    @property
    def replica(self) -> ReplicaState:
        """What the replica knows; it is changed by ``step_replica`` only."""

    def step_replica(self, event: events.Event) -> None:
        """Tell the replica, and do what it says."""

    def step_controller(self, event: Any) -> None:
        """Tell the state machine, and do what it says."""


@define(eq=False)
class Appends:
    """Asks for appends and passes on what became of them.

    ``more_follow``: something was appended while gathering, of which followers were not told.
    ``returning``: so many who were answered of late have not come with another command yet.
    """

    steps: Steps
    entry_of: Callable[[Any], KeyValue]
    is_gathering: bool = False
    more_follow: bool = False
    returning: int = 0
    open: OpenBatch | None = None
    _closing: OpenBatch | None = None
    _placing: int | None = None
    _ids: int = field(default=0)

    @property
    def owes(self) -> bool:
        """Whether followers are to be told of something once this gather ends."""
        return self.open is not None or self.more_follow or self.steps.replica.parked.holds_back

    def append(self, effect: AppendRecords) -> None:
        """Append these records, in the same breath; the machine hears of it before this returns."""
        try:
            entries = each(self.entry_of, effect.records)
        except Exception as error:  # nothing was appended: it is the fault of one change
            refused = controller_events.AppendRefused(effect.token, UNKNOWN_SERVER_ERROR, error)
            self.steps.step_controller(refused)
            return
        if self.is_gathering and effect.atomic:
            self._append_with_others(effect, entries)
            return
        try:
            batches = build_batches(entries, atomic=effect.atomic, timestamp_ms=effect.timestamp_ms)
        except TooLargeForBatch:
            self._refuse(effect.token, error_codes.RECORD_LIST_TOO_LARGE)
            return
        before = self.steps.controller.state.end_offset
        self.place(effect.token, batches)
        if self._placing is not None:
            raise HouseError("an append was neither placed nor dropped in the step it was asked")
        if (end := self.steps.controller.state.end_offset) > before:
            self.steps.on_replayed(end, sum(batch.size_bytes for batch in batches))

    def place(self, token: int, batches: tuple[Batch, ...]) -> None:
        """Ask the core for places."""
        self._placing = token
        self._ask(batches, self.steps.leader.epoch)

    def close(self, _: None = None) -> None:
        """Append what was gathered; its records have their places, and have to get them."""
        batch, self.open = self.open, None
        assert batch is not None
        self._closing, closed = batch, batch.closed()
        self._ask((closed,), batch.epoch)
        self.steps.on_replayed(batch.next_offset, closed.size_bytes)

    def placed(self, effect: effects.Appended) -> None:
        """What was asked for last is in the log."""
        batch, self._closing = self._closing, None
        if batch is None:
            token, base_offset = self._placed_token(), effect.base_offset
            event = controller_events.AppendPlaced(token, base_offset, effect.epoch)
            self.steps.step_controller(event)
            return
        if (effect.base_offset, effect.epoch) != (batch.base_offset, batch.epoch):
            raise HouseError(
                f"a batch for offset {batch.base_offset} of epoch {batch.epoch} went to "
                f"{effect.base_offset} of epoch {effect.epoch}"
            )
        self.steps.step_controller(controller_events.BatchEnded())

    def dropped(self, effect: effects.AppendDropped) -> None:
        """What was asked for last is not in the log."""
        if self._closing is not None:
            raise HouseError(f"a batch whose records had their places was refused: {effect.error}")
        self._refuse(self._placed_token(), effect.error)

    def _append_with_others(self, effect: AppendRecords, entries: list[KeyValue]) -> None:
        """Give the records their places behind those of the commands that came before."""
        steps, batch = self.steps, self.open
        size_bytes, timestamp_ms = records_bound_bytes(entries), effect.timestamp_ms
        if batch is not None:
            if self._is_refused(effect.token, size_bytes, batch.bound_bytes):
                return
            if not batch.add(entries, size_bytes, timestamp_ms):
                self.close()
                batch = None
        if batch is None:
            if self._is_refused(effect.token, BATCH_OVERHEAD_BYTES + size_bytes):
                return
            batch = OpenBatch(steps.replica.log.end, steps.leader.epoch, timestamp_ms)
            if not batch.add(entries, size_bytes, timestamp_ms):
                self._refuse(effect.token, error_codes.RECORD_LIST_TOO_LARGE)
                return
            self.open = batch
        base_offset = batch.next_offset - len(entries)
        steps.step_controller(
            controller_events.AppendPlaced(
                effect.token, base_offset, batch.epoch, is_batch_end=False
            )
        )

    def _is_refused(self, token: int, size_bytes: int, behind_bytes: int = 0) -> bool:
        """Whether the core would not append so much behind so much; the machine is told then."""
        steps = self.steps
        error = append_refusal(steps.replica, steps.leader.epoch, size_bytes, behind_bytes)
        if error != error_codes.NONE:
            self._refuse(token, error)
        return error != error_codes.NONE

    def _ask(self, batches: tuple[Batch, ...], epoch: int) -> None:
        self._ids += 1
        self.more_follow = self.is_gathering
        asked = events.AppendAsked(self._ids, batches, epoch, self.is_gathering)
        self.steps.step_replica(asked)

    def _refuse(self, token: int, error: int) -> None:
        self.steps.step_controller(controller_events.AppendRefused(token, error))

    def _placed_token(self) -> int:
        token, self._placing = self._placing, None
        if token is None:
            raise HouseError("an append was answered that nobody asked for")
        return token
