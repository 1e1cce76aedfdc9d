"""What a state machine over a replicated log is made of: its term, its appends, its replay.

The controller (``controller.core``) and the group coordinator (``groups.core``) are two of these.
A leader appends by a call of its host's log (``controller.log``), which returns where the records
are. Every other node replays committed batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar

from attrs import define

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.controller.events import (
    BatchCommitted,
    BatchEnded,
    BecameActive,
    Event,
)
from metaquorum.controller.log import Log, Refused
from metaquorum.controller.pending import Pending


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


S = TypeVar("S", bound=ReplicatedState)
T = TypeVar("T", bound=Term)


class Replicated(Generic[S, T]):
    """The bookkeeping that the machines share. ``_term`` is None on a node that does not lead."""

    _name: str

    def __init__(self, state: S, pending_replies_max: int) -> None:
        self.state = state
        self._pending = Pending(pending_replies_max)
        self._term: T | None = None
        self._is_appending = False

    @property
    def next_offset(self) -> Offset:
        """From where committed batches are wanted next, while another node leads."""
        return self.state.end_offset

    def _refused(self, event: Event) -> InvariantViolated:
        """Of an event that has no handler, or came while the log was appending."""
        kind = type(event).__name__
        if self._is_appending:
            return InvariantViolated(f"{kind} came before an append had returned")
        return InvariantViolated(f"a {self._name} knows no event {kind}")

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

    def _append(
        self, log: Log, records: Sequence[Any], *, atomic: bool, timestamp_ms: int
    ) -> Refused | None:
        """Append these, and replay them where they are; or why they are not in the log."""
        term = self._term
        if term is None:
            raise InvariantViolated(f"a {self._name} that does not lead has records to append")
        self._is_appending = True
        answer = log.append(records, term.epoch, atomic=atomic, timestamp_ms=timestamp_ms)
        self._is_appending = False
        if answer.is_after_batch_end:
            self.state.close_batch()
        if isinstance(answer, Refused):
            return answer
        base = answer.base_offset
        if answer.epoch != term.epoch or base < term.log_end:
            raise InvariantViolated(
                f"an append went to offset {base} of epoch {answer.epoch}, "
                f"but epoch {term.epoch} goes on from {term.log_end}"
            )
        term.log_end = base + len(records)
        self._replay(records, base, term.epoch, timestamp_ms)
        if answer.is_batch_end:
            self.state.close_batch()
        return None

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
