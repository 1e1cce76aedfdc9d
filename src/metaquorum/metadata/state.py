"""The metadata state: every table, what of it is committed, and where in the log that is.

Records come in order, each with its offset. ``close_batch`` says that a batch is over, and
``commit`` how far the log is committed; between the two lie the changes that may still be taken
back. The committed state never ends inside a transaction.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from attrs import field

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import CLEAR_SLICE_ENTRIES, VALUES_FORGOTTEN_PER_COMMIT
from metaquorum.base.offsets import NO_EPOCH, Epoch, Offset
from metaquorum.base.value import value
from metaquorum.metadata.changed_records import ChangedRecords
from metaquorum.metadata.origin import Origin
from metaquorum.metadata.replay import REPLAYERS
from metaquorum.metadata.tables.catalog import RECORD_COUNT, Number, StateView, Tables
from metaquorum.metadata.timeline import Mark, Marks
from metaquorum.metadata.transactions import OpenTransaction, Transactions

if TYPE_CHECKING:
    from metaquorum.records.metadata_record import MetadataRecord

BEGIN_TRANSACTION: Final = 23
END_TRANSACTION: Final = 24
ABORT_TRANSACTION: Final = 25


@value
class Provenance:
    """Up to where the log is in a state: its end (exclusive), and the last batch's epoch, time.

    ``is_batch_end`` is False where a transaction begins inside a batch: the state before it may
    be shown, but no snapshot may end there (KAFKA-17713).
    """

    end_offset: Offset = 0
    epoch: Epoch = NO_EPOCH
    timestamp_ms: int = -1
    is_batch_end: bool = field(default=True, eq=False)


_BEGINNING: Final = (0, NO_EPOCH, -1)


class MetadataState:
    """The tables, replayed; see ``committed`` and ``live`` for what may be read.

    ``changes`` counts what the last snapshot does not have, if that is asked for (KIP-630).
    """

    def __init__(self, *, count_changes: bool = False) -> None:
        self._marks = Marks()
        self._tables = Tables(self._marks)
        self._transactions = Transactions(self._marks)
        self._end_offset, self._epoch, self._timestamp_ms = _BEGINNING
        self._stable = (self._marks.open(self._end_offset), self._end)
        self._candidates: deque[tuple[Mark, Provenance]] = deque()
        self._passed: deque[Mark] = deque()
        self._batch_end: Offset = 0
        self._is_empty = True
        self.changes = ChangedRecords() if count_changes else None

    @property
    def provenance(self) -> Provenance:
        """Where the committed state is in the log."""
        return self._stable[1]

    @property
    def stable_offset(self) -> Offset:
        """The end of the committed state, never inside a transaction: here it would resume."""
        return self._stable[0].at

    @property
    def end_offset(self) -> Offset:
        """One past the last record replayed, committed or not."""
        return self._end_offset

    @property
    def transaction(self) -> OpenTransaction | None:
        """The transaction that is open at the end of what was replayed."""
        return self._transactions.open

    @property
    def has_uncommitted(self) -> bool:
        """Whether anything was replayed that is not committed, or waits inside a transaction."""
        return self.end_offset != self.stable_offset

    def before_transaction(self) -> StateView:
        """The live state, without what the open transaction did to it."""
        open_transaction = self._transactions.open
        return StateView(self._tables, open_transaction.mark if open_transaction else None)

    def live(self) -> StateView:
        """Everything replayed, uncommitted records too: what the next plan must build on."""
        return StateView(self._tables, None)

    def committed(self) -> StateView:
        """What may be shown; good until the state is next changed."""
        return StateView(self._tables, self._stable[0])

    def hold(self) -> HeldState:
        """The committed state, kept readable until ``let_go``, however far the log moves on."""
        mark, provenance = self._stable
        return HeldState(self._marks.hold(mark), provenance, StateView(self._tables, mark))

    def let_go(self, held: HeldState) -> None:
        """End what ``hold`` began."""
        self._marks.release(held.mark)

    def cleared(self) -> Iterator[None]:
        """Take the state apart, a slice of its entries at each step; nobody reads it any more."""
        for table in self._tables:
            while table.clear_some(CLEAR_SLICE_ENTRIES):
                yield None

    def statistics(self) -> dict[str, int]:
        """Marks, old values, and how many batches wait to be committed."""
        return {**self._marks.statistics(), "uncommitted_batches": len(self._candidates)}

    def replay(
        self, record: MetadataRecord, offset: Offset, epoch: Epoch, timestamp_ms: int
    ) -> None:
        """Apply one record; InvariantViolated names the offset and the record that cannot be
        applied.
        """
        if offset < self._end_offset:
            raise InvariantViolated(
                f"record at offset {offset} was replayed before: "
                f"the state already reaches {self._end_offset}"
            )
        kind = record.type
        if BEGIN_TRANSACTION <= kind <= ABORT_TRANSACTION:
            self._replay_transaction(record, offset)
        else:
            self._replay_change(record, Origin(offset, epoch, timestamp_ms))
        self._end_offset, self._epoch, self._timestamp_ms = offset + 1, epoch, timestamp_ms

    def close_batch(self) -> None:
        """The batch is over: the state after it may become the committed one.

        Within a transaction it may not; the End or the Abort closes those batches too.
        """
        self._batch_end = self._end_offset
        if self._transactions.open is None:
            self._candidates.append((self._marks.open(self._end_offset), self._end))

    def commit(self, high_watermark: Offset) -> None:
        """Everything below ``high_watermark`` is committed."""
        candidates = self._candidates
        while candidates and candidates[0][0].at <= high_watermark:
            self._passed.append(self._stable[0])
            self._stable = candidates.popleft()
        if self._passed:
            self._release_passed()
        if self.changes is not None:
            self.changes.committed(self.stable_offset)

    def _release_passed(self) -> None:
        """Forget what the committed state was before, as much of it as one step may take.

        What thousands of records replaced may be committed at once, and what a snapshot held may
        be a hundred thousand. The rest goes with the next commits; nobody sees it meanwhile.
        """
        passed, released = self._passed, 0
        while passed and released < VALUES_FORGOTTEN_PER_COMMIT:
            mark = passed.popleft()
            released += len(mark.kept)
            self._marks.release(mark)
        self._marks.forget(released + VALUES_FORGOTTEN_PER_COMMIT)

    def revert_to_stable(self) -> None:
        """Take back whatever is not committed; records are then expected from ``stable_offset``."""
        self._marks.revert(self._stable[0])
        self._is_empty = self.live().is_empty
        self._candidates.clear()
        self._transactions.forget()
        self._ends_at(self._stable[1])
        self._batch_end = self._end_offset
        if self.changes is not None:
            self.changes.reverted(self.stable_offset)

    @classmethod
    def from_snapshot(
        cls,
        records: Iterable[MetadataRecord],
        provenance: Provenance,
        *,
        count_changes: bool = False,
    ) -> MetadataState:
        """A fresh state out of a snapshot's records; their place in the file means nothing."""
        filling = cls.filling(provenance, count_changes=count_changes)
        count = 0
        for record in records:
            filling.fill(record)
            count += 1
        return filling.filled(count)

    @classmethod
    def filling(cls, provenance: Provenance, *, count_changes: bool = False) -> Filling:
        """A state that begins empty at ``provenance``, to be filled with a snapshot's records."""
        state = cls()
        state._marks.release(state._stable[0])  # nothing to remember while the tables are filled
        place = Origin(provenance.end_offset - 1, provenance.epoch, provenance.timestamp_ms, True)
        return Filling(state, provenance, place, count_changes)

    @property
    def _end(self) -> Provenance:
        """Where the last record replayed is; made when it is asked for, which is once a batch."""
        return Provenance(self._end_offset, self._epoch, self._timestamp_ms)

    def _ends_at(self, place: Provenance) -> None:
        self._end_offset, self._epoch = place.end_offset, place.epoch
        self._timestamp_ms = place.timestamp_ms

    def _replay_change(self, record: MetadataRecord, origin: Origin) -> None:
        replayer = REPLAYERS.get(record.type)
        if replayer is None:
            raise InvariantViolated(
                f"the record at offset {origin.offset} is of type {record.type} "
                f"(version {record.version}), which this release does not know"
            )
        if self.changes is not None:
            self.changes.replaying(record, self.live(), origin.offset)
        try:
            replayer(self._tables, record.message, origin)
        except InvariantViolated as error:
            raise InvariantViolated(
                f"the {type(record.message).__name__} at offset {origin.offset} "
                f"cannot be replayed: {error}"
            ) from error
        if self._is_empty:
            self._tables.numbers.put(RECORD_COUNT, Number(1))
            self._is_empty = False

    def _replay_transaction(self, record: MetadataRecord, offset: Offset) -> None:
        transactions = self._transactions
        if record.type == BEGIN_TRANSACTION:
            begun = transactions.begin(offset, record.message.name)
            # What the batch held before this record is whole, and may be committed alone.
            at_batch_end = offset == self._batch_end
            before = Provenance(offset, self._epoch, self._timestamp_ms, at_batch_end)
            self._candidates.append((self._marks.hold(begun.mark), before))
        elif record.type == END_TRANSACTION:
            ended = transactions.end(offset)
            features = self.live().features
            confirmed = features.confirmed(ended.begin_offset, offset)
            if confirmed is not features:
                self._tables.put_features(confirmed)
        else:
            aborted = transactions.abort(offset)
            self._is_empty = self.live().is_empty
            if self.changes is not None:
                self.changes.reverted(aborted.begin_offset)


@value
class Filling:
    """A state on its way out of a snapshot; ``origin`` is what all its entries have in common."""

    _state: MetadataState
    provenance: Provenance
    origin: Origin
    count_changes: bool

    @property
    def tables(self) -> Tables:
        """To be filled, and read by nobody else yet."""
        return self._state._tables

    def fill(self, record: MetadataRecord) -> None:
        """Take one record in; InvariantViolated for one that no snapshot may hold."""
        if BEGIN_TRANSACTION <= record.type <= ABORT_TRANSACTION:
            raise InvariantViolated(
                f"the snapshot that ends at offset {self.provenance.end_offset} "
                f"holds a transaction record (type {record.type})"
            )
        self._state._replay_change(record, self.origin)

    def filled(self, records: int) -> MetadataState:
        """The state, whole: the snapshot had so many records."""
        state, end = self._state, self.provenance.end_offset
        state._ends_at(self.provenance)
        state._batch_end = end
        state._stable = (state._marks.open(end), self.provenance)
        state.changes = ChangedRecords(records) if self.count_changes else None
        return state


@value
class HeldState:
    """A committed state that is still read, by a snapshot being written for one."""

    mark: Mark
    provenance: Provenance
    view: StateView
