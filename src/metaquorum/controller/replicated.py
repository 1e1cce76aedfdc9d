"""What a state machine over a replicated log is made of: its term, its appends, its replay.

The controller (``controller.core``) and the group coordinator (``groups.core``) are two of these.
The host appends what a leader asks for, and says where it went before any other event comes.
Every other node replays committed batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Generic, Protocol, TypeVar

from attrs import define

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.base.value import value
from metaquorum.controller.events import (
    AppendPlaced,
    AppendRefused,
    BatchCommitted,
    BatchEnded,
    BecameActive,
    Event,
)
from metaquorum.controller.pending import Pending

WHILE_APPENDING: Final = (AppendPlaced, AppendRefused, BatchEnded)


class ReplicatedState(Protocol):
    """The tables, written by replaying records alone."""

    @property
    def end_offset(self) -> Offset:
        """One past the last record replayed."""

    def replay(self, record: Any, offset: Offset, epoch: Epoch, timestamp_ms: int) -> None:
        """Apply one record."""

    def close_batch(self) -> None:
        """The batch of the last record is over."""

    def commit(self, high_watermark: Offset) -> None:
        """What lies below is committed."""


@define
class Term:
    """One epoch as the leader of the log, which so far ends at ``log_end``."""

    epoch: Epoch
    log_end: Offset


@value
class InFlight:
    """Records handed to the host and not yet placed: never longer than one step of the driver."""

    token: int
    records: Sequence[Any]
    timestamp_ms: int


S = TypeVar("S", bound=ReplicatedState)
T = TypeVar("T", bound=Term)
F = TypeVar("F", bound=InFlight)


class Replicated(Generic[S, T, F]):
    """The bookkeeping that the machines share. ``_term`` is None on a node that does not lead."""

    _name: str

    def __init__(self, state: S, pending_replies_max: int) -> None:
        self.state = state
        self._pending = Pending(pending_replies_max)
        self._term: T | None = None
        self._in_flight: F | None = None
        self._next_token = 1

    @property
    def next_offset(self) -> Offset:
        """From where committed batches are wanted next, while another node leads."""
        return self.state.end_offset

    def _refused(self, event: Event) -> InvariantViolated:
        """Of an event that has no handler, or may not come while an append is in flight."""
        kind, in_flight = type(event).__name__, self._in_flight
        if in_flight is None or isinstance(event, WHILE_APPENDING):
            return InvariantViolated(f"a {self._name} knows no event {kind}")
        return InvariantViolated(f"{kind} came before the answer to append {in_flight.token}")

    def _batch_committed(self, event: BatchCommitted, *_: object) -> None:
        self._must_be_standby(event)
        # A transaction may begin within a batch, and a revert may end there: batches come whole,
        # so what is known already is passed over. It is committed, and cannot have changed.
        known = min(max(self.next_offset - event.base_offset, 0), len(event.records))
        records = event.records[known:]
        if records:
            self._replay(records, event.base_offset + known, event.epoch, event.timestamp_ms)
            if event.is_batch_end:
                self.state.close_batch()
        self.state.commit(self.state.end_offset)

    def _batch_ended(self, event: BatchEnded, *_: object) -> None:
        self.state.close_batch()

    def _placed(self, event: AppendPlaced) -> tuple[F, T]:
        """Replay what was appended; what was in flight, and the term with its new end."""
        in_flight, term = self._answered(event.token)
        if event.epoch != term.epoch or event.base_offset < term.log_end:
            raise InvariantViolated(
                f"append {event.token} went to offset {event.base_offset} of epoch {event.epoch}, "
                f"but epoch {term.epoch} goes on from {term.log_end}"
            )
        records = in_flight.records
        term.log_end = event.base_offset + len(records)
        self._replay(records, event.base_offset, event.epoch, in_flight.timestamp_ms)
        if event.is_batch_end:
            self.state.close_batch()
        return in_flight, term

    def _answered(self, token: int) -> tuple[F, T]:
        """What was in flight, and is no longer."""
        in_flight, term = self._in_flight, self._term
        if in_flight is None or term is None or in_flight.token != token:
            raise InvariantViolated(f"append {token} is answered, but was not asked for")
        self._in_flight = None
        return in_flight, term

    def _replay(
        self, records: Sequence[Any], base: Offset, epoch: Epoch, timestamp_ms: int
    ) -> None:
        if len(records) == 1:
            self.state.replay(records[0], base, epoch, timestamp_ms)
            return
        for offset, record in enumerate(records, start=base):
            self.state.replay(record, offset, epoch, timestamp_ms)

    def _must_be_standby(self, event: Event) -> None:
        if self._term is not None:
            raise InvariantViolated(
                f"{type(event).__name__} came while this node leads epoch {self._term.epoch}"
            )

    def _must_begin_at_end(self, event: BecameActive) -> None:
        self._must_be_standby(event)
        if self.state.end_offset > event.log_end:
            raise InvariantViolated(
                f"the state reaches offset {self.state.end_offset}, "
                f"but the log that this node leads ends at {event.log_end}"
            )
