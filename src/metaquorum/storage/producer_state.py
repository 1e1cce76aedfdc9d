"""What a partition remembers of its producers, as a fold of its batches (KIP-98, KIP-952).

Kafka keeps this in memory and writes it beside every segment. A batch is an event, folded into a
``ProducerDelta`` for its producer; deltas merge associatively, so the parts of a log may be folded
one by one, in any grouping, and merged in their order afterwards. Nothing here reads a file, and
of records only the markers that end transactions are looked at.

The rules are those of a replica that copies or recovers a log, not of a leader that takes a
producer's batch: what is in the log counts, a lower epoch too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import frozen

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import NO_OFFSET, Offset
from metaquorum.records.batch import BatchHeader
from metaquorum.records.control import ControlType, TransactionMarker, control_type, read_control
from metaquorum.records.errors import CorruptRecord
from metaquorum.records.reader import walk_records

NO_EPOCH = -1
NO_TIMESTAMP_MS = -1


@frozen
class LastBatch:
    """The newest batch with records of a producer's present epoch."""

    last_sequence: int
    last_offset: Offset
    offset_delta: int


@frozen
class ProducerEntry:
    """One producer; numbers that are not known are -1.

    ``last`` is None after a marker or nothing in this epoch. Kafka remembers up to five batches
    while it runs; its file holds the newest, so that is all that is kept here.
    """

    producer_id: int
    epoch: int = NO_EPOCH
    coordinator_epoch: int = NO_EPOCH
    timestamp_ms: Millis = NO_TIMESTAMP_MS
    transaction_first_offset: Offset = NO_OFFSET
    last: LastBatch | None = None

    def is_expired(self, now_ms: Millis, expiration_ms: Millis) -> bool:
        """Whether Kafka forgets it: never with an open transaction; time is the records' time."""
        if self.transaction_first_offset != NO_OFFSET:
            return False
        return now_ms - self.timestamp_ms >= expiration_ms


@frozen
class ProducerDelta:
    """What a run of one producer's batches does to its entry, whatever that was before.

    None stands for "as before". ``first_epoch`` is the epoch that the run begins in; while
    ``keeps_last``, an earlier batch of that epoch is still the newest (only markers came since).
    ``has_ended``: a marker came, so that of transactions only ``transaction_first_offset`` is
    open. ``plain_offset`` is a batch outside of transactions that came before anything else was
    known of them; ``broken_offset`` one that came amid an open one, which no broker writes.
    """

    epoch: int | None = None
    first_epoch: int | None = None
    keeps_last: bool = False
    last: LastBatch | None = None
    coordinator_epoch: int | None = None
    timestamp_ms: Millis | None = None
    has_ended: bool = False
    transaction_first_offset: Offset | None = None
    plain_offset: Offset | None = None
    broken_offset: Offset | None = None

    def then(self, later: ProducerDelta) -> ProducerDelta:
        """This run followed by a later one."""
        keeps, last = _newest(self, later)
        plain, broken = self.plain_offset, self.broken_offset
        if later.plain_offset is not None:
            if self.transaction_first_offset is not None:
                broken = later.plain_offset if broken is None else broken
            elif plain is None and not self.has_ended:
                plain = later.plain_offset
        first = self.transaction_first_offset
        if later.has_ended or first is None:
            first = later.transaction_first_offset
        return ProducerDelta(
            epoch=_or(later.epoch, self.epoch),
            first_epoch=_or(self.first_epoch, later.first_epoch),
            keeps_last=keeps,
            last=last,
            coordinator_epoch=_or(later.coordinator_epoch, self.coordinator_epoch),
            timestamp_ms=_or(later.timestamp_ms, self.timestamp_ms),
            has_ended=self.has_ended or later.has_ended,
            transaction_first_offset=first,
            plain_offset=plain,
            broken_offset=_or(broken, later.broken_offset),
        )

    def applied_to(self, entry: ProducerEntry) -> ProducerEntry:
        """The entry after the run; ``breaks`` says whether Kafka would refuse to go on."""
        last = self.last
        if self.epoch is None or (self.keeps_last and entry.epoch == self.first_epoch):
            last = entry.last
        first: Offset | None = entry.transaction_first_offset
        if self.has_ended or first == NO_OFFSET:
            first = self.transaction_first_offset
        return ProducerEntry(
            entry.producer_id,
            entry.epoch if self.epoch is None else self.epoch,
            entry.coordinator_epoch if self.coordinator_epoch is None else self.coordinator_epoch,
            entry.timestamp_ms if self.timestamp_ms is None else self.timestamp_ms,
            NO_OFFSET if first is None else first,
            last,
        )

    def breaks(self, entry: ProducerEntry) -> Offset | None:
        """The offset of the first batch outside of a transaction that was open, or None."""
        if self.plain_offset is not None and entry.transaction_first_offset != NO_OFFSET:
            return self.plain_offset
        return self.broken_offset


ProducerDeltas = Mapping[int, ProducerDelta]
ProducerState = Mapping[int, ProducerEntry]


class BrokenTransaction(Exception):
    """A batch outside of the transaction that its producer has open; Kafka loads no such log."""

    def __init__(self, producer_id: int, offset: Offset) -> None:
        super().__init__(
            f"the batch at offset {offset} is outside of the transaction that producer "
            f"{producer_id} has open"
        )
        self.offset = offset


def delta_of(header: BatchHeader, batch: bytes | memoryview) -> ProducerDelta | None:
    """What one batch does to its producer's entry; None for a batch of nobody.

    ``batch`` is needed whole for control batches only. Raises CorruptRecord for a control batch of
    a producer that holds no marker of a transaction's end.
    """
    if header.producer_id < 0:
        return None
    if header.is_control:
        return _marker_delta(header, batch)
    last = LastBatch(header.last_sequence, header.last_offset, header.last_offset_delta)
    transactional = header.is_transactional
    return ProducerDelta(
        epoch=header.producer_epoch,
        first_epoch=header.producer_epoch,
        last=last,
        timestamp_ms=header.max_timestamp_ms,
        transaction_first_offset=header.base_offset if transactional else None,
        plain_offset=None if transactional else header.base_offset,
    )


def merged(earlier: ProducerDeltas, later: ProducerDeltas) -> dict[int, ProducerDelta]:
    """Two neighbouring parts of a log as one."""
    both = dict(earlier)
    for producer_id, delta in later.items():
        before = both.get(producer_id)
        both[producer_id] = delta if before is None else before.then(delta)
    return both


def applied(state: ProducerState, deltas: ProducerDeltas) -> dict[int, ProducerEntry]:
    """The state after a part of a log; BrokenTransaction where Kafka would not load it."""
    after = dict(state)
    for producer_id, delta in deltas.items():
        entry = after.get(producer_id) or ProducerEntry(producer_id)
        offset = delta.breaks(entry)
        if offset is not None:
            raise BrokenTransaction(producer_id, offset)
        after[producer_id] = delta.applied_to(entry)
    return after


def living(
    state: ProducerState, now_ms: Millis, expiration_ms: Millis
) -> tuple[ProducerEntry, ...]:
    """The entries that are not expired, by producer id."""
    kept = (one for one in state.values() if not one.is_expired(now_ms, expiration_ms))
    return tuple(sorted(kept, key=lambda one: one.producer_id))


def state_of(entries: Iterable[ProducerEntry]) -> dict[int, ProducerEntry]:
    """Entries of a file as a state; of a producer that stands there twice the last."""
    return {one.producer_id: one for one in entries}


def _marker_delta(header: BatchHeader, batch: bytes | memoryview) -> ProducerDelta:
    if header.record_count == 0:
        return ProducerDelta()  # compaction took the marker away: the producer is known, no more
    record = next(walk_records(batch, header))
    number = control_type(record)
    if number not in (ControlType.ABORT, ControlType.COMMIT):
        raise CorruptRecord(
            f"the control record at offset {record.offset} has type {number}, and ends no "
            f"transaction of producer {header.producer_id}"
        )
    control = read_control(record)
    assert isinstance(control.message, TransactionMarker)
    return ProducerDelta(
        epoch=header.producer_epoch,
        first_epoch=header.producer_epoch,
        keeps_last=True,
        coordinator_epoch=control.message.coordinator_epoch,
        timestamp_ms=record.timestamp_ms,
        has_ended=True,
    )


def _newest(earlier: ProducerDelta, later: ProducerDelta) -> tuple[bool, LastBatch | None]:
    """Of two runs as one: whether a batch before both may still be the newest, and the newest."""
    if later.epoch is None:
        return earlier.keeps_last, earlier.last
    if not later.keeps_last:
        return False, later.last
    if earlier.epoch is None:
        return True, None
    if earlier.epoch == later.first_epoch:
        return earlier.keeps_last, earlier.last
    return False, None


def _or(first: int | None, second: int | None) -> int | None:
    return second if first is None else first
