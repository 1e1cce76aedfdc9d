"""The log that a state machine writes to: one call appends records and returns where they are.

The host gives it to each step. ``runtime.driver.appends`` is the one of a running node.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from metaquorum.base.offsets import Epoch, Offset
from metaquorum.base.value import value


@value
class Placed:
    """The records are in the log from ``base_offset`` on, uncommitted.

    Those of several appends may share a batch, without a gap. ``is_batch_end`` is False while the
    batch takes more; ``BatchEnded`` says later that it does not. ``is_after_batch_end`` says that
    the batch which the last records shared ended with this append, before these records.
    """

    base_offset: Offset
    epoch: Epoch
    is_batch_end: bool = True
    is_after_batch_end: bool = False


@value
class Refused:
    """The records are not in the log; ``code`` is a Kafka error code.

    ``cause`` is why they could not be encoded, where it was that. ``is_after_batch_end`` as above.
    """

    code: int
    cause: Exception | None = None
    is_after_batch_end: bool = False


class Log(Protocol):
    """Takes the records of the active controller."""

    @property
    def next_offset(self) -> Offset:
        """Where the first record of the next append will be, if it is not refused."""

    def append(
        self, records: Sequence[Any], epoch: Epoch, *, atomic: bool, timestamp_ms: int
    ) -> Placed | Refused:
        """Append these as the leader of ``epoch``; nothing of them is durable or committed yet.

        ``atomic``: in one batch or not at all. Else they may be cut into several batches, one after
        the other without a gap. The batches carry ``timestamp_ms``. The machine is not stepped
        before this returns.
        """
