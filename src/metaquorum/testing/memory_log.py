"""A log in memory for a controller or a coordinator: it takes everything, or refuses everything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, field

from metaquorum.base.offsets import Epoch, Offset
from metaquorum.base.value import value
from metaquorum.controller.log import Placed, Refused


@value
class Appended:
    """One batch, as it was asked for."""

    base_offset: Offset
    epoch: Epoch
    timestamp_ms: int
    records: Sequence[Any]
    atomic: bool = True


@define(eq=False)
class MemoryLog:
    """A ``controller.log.Log``. ``refuse_with`` is the code of a refusal, and ``refuse_for`` what
    the records could not be encoded for; None takes the records.
    """

    end: Offset = 0
    batches: list[Appended] = field(factory=list)
    refuse_with: int | None = None
    refuse_for: Exception | None = None

    @property
    def next_offset(self) -> Offset:
        """As ``Log.next_offset``."""
        return self.end

    def append(
        self, records: Sequence[Any], epoch: Epoch, *, atomic: bool, timestamp_ms: int
    ) -> Placed | Refused:
        """Keep these as one batch."""
        if self.refuse_with is not None:
            return Refused(self.refuse_with, self.refuse_for)
        base, self.end = self.end, self.end + len(records)
        self.batches.append(Appended(base, epoch, timestamp_ms, records, atomic))
        return Placed(base, epoch)
