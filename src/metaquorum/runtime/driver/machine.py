"""What a driver steps beside a replica: a state machine that lives by replaying records.

There are two: the controller over ``__cluster_metadata``, and the coordinator of consumer groups
over ``__consumer_offsets``. Both take the events of ``controller.events`` and give back the effects
of ``controller.effects``; only the records and the state behind them differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeAlias

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.controller.effects import Effect
from metaquorum.controller.events import Event
from metaquorum.controller.log import Log
from metaquorum.quorum.state import ReplicaState
from metaquorum.records.batch import BatchHeader
from metaquorum.records.builder import KeyValue

AnyState: TypeAlias = Any
"""What a machine replays into, or a view of it: ``MetadataState`` or ``GroupState``.

The same driver steps either machine. Who reads a state put the partition together, and knows which
of the two it is.
"""

AnyRecord: TypeAlias = Any
"""A record of a machine's log: ``MetadataRecord`` or ``GroupRecord``."""

AnyCommand: TypeAlias = Any
"""A command of the controller (``controller.commands``) or of the groups (``groups.commands``)."""

AnyReply: TypeAlias = Any
"""What a command is answered with: its own kind of response, which the asker knows."""

EntryOf = Callable[[AnyRecord], KeyValue]
"""The key and value of a record in a batch."""

ReadBatch = Callable[[memoryview, BatchHeader], Iterable[AnyRecord]]
"""The records of one batch of the log; none of a control batch."""


class StateMachine(Protocol):
    """Commands in, records and replies out; see ``controller.core`` for the one there was first.

    ``state`` has an ``end_offset`` (one past the last record replayed) and a ``stable_offset`` (the
    end of what is committed of it).
    """

    @property
    def state(self) -> AnyState:
        """What was replayed."""

    @property
    def is_active(self) -> bool:
        """Whether this node leads and the machine takes commands."""

    @property
    def next_offset(self) -> Offset:
        """From where committed batches are wanted next, while another node leads."""

    @property
    def deadline(self) -> Millis:
        """When ``TimePassed`` is due, should nothing happen sooner."""

    def committed(self) -> AnyState:
        """What may be shown; good until the next step."""

    def statistics(self) -> dict[str, int]:
        """How much waits, for the metrics."""

    def step(self, event: Event, now: Millis, wall_ms: int, log: Log) -> list[Effect]:
        """What ``event`` leads to; ``log`` takes the records."""


class Loading(Protocol):
    """A state that is made of a snapshot aside, a slice of work at a time."""

    records: int

    @property
    def state(self) -> AnyState:
        """What was loaded, once ``slices`` has ended."""

    def slices(self) -> Iterator[int]:
        """Do the work; tells after every few milliseconds how many records there were so far."""


class Writing(Protocol):
    """A snapshot that is being written. ``batches`` may be taken while ``is_wanted``."""

    id: OffsetAndEpoch
    batches: Iterator[bytes]

    def is_wanted(self, state: AnyState) -> bool:
        """Whether it still is of use."""

    def wrote(self, records: int) -> None:
        """It is on the disk, with so many records of all kinds."""

    def end(self) -> None:
        """Let go of the state; once more does no harm."""


BeginWriting = Callable[[AnyState, ReplicaState, Millis], Writing | None]
"""A snapshot of (state, replica, wall clock), None where none may be written now."""

Batches = Iterable[tuple[BatchHeader, bytes | memoryview]]
