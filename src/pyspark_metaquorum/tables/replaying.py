"""Records in the order of the log, replayed by the server's own state, and what each one changed.

A snapshot among them takes the place of what was known: what differs from it changed somewhere
in the stretch that the snapshot bridges, and is shown at the snapshot's end. Changes inside a
metadata transaction are shown when it ends, and not at all when it is aborted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final

from attrs import define, evolve, field, frozen

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.metadata.state import MetadataState, Provenance
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.records.errors import BatchError
from metaquorum.records.metadata_record import MetadataRecord, decode_metadata_record
from metaquorum.wire.errors import DecodeError
from pyspark_metaquorum.tables.shape import Row, TableShape

COMMIT_EVERY: Final = 1_000  # records; until then the old values of what they changed are kept


@frozen
class LogRow:
    """A record as the source gives it; ``contained_ms`` is set in a snapshot's header alone."""

    offset: Offset
    epoch: Epoch
    timestamp_ms: int
    snapshot: tuple[Offset, Epoch] | None
    contained_ms: int | None
    raw: bytes | None


@frozen
class Change:
    """One row of a table that became another; None where it was not, or is no more.

    ``settled`` is the offset from which on it holds: its own, or that of the end of its metadata
    transaction.
    """

    table: str
    before: Row | None
    after: Row | None
    offset: Offset
    epoch: Epoch
    timestamp_ms: int
    settled: Offset
    from_snapshot: bool = False


@define(eq=False)
class Replaying:
    """The state of some tables along the log. ``until_ms`` ends it before a later record."""

    shapes: tuple[TableShape, ...]
    until: Offset | None = None
    until_ms: int | None = None
    state: MetadataState = field(factory=MetadataState)
    _waiting: list[Change] = field(factory=list)
    _watching: dict[int, list[TableShape]] = field(factory=dict)  # by the type of a record

    def __attrs_post_init__(self) -> None:
        for shape in self.shapes:
            for number in shape.records:
                self._watching.setdefault(number, []).append(shape)

    def view(self) -> StateView:
        """The tables after all that was replayed, without a transaction that did not end."""
        return self.state.before_transaction()

    def run(self, rows: Iterable[LogRow]) -> None:
        """Replay without telling what changed: the quick way to a state."""
        for _ in self._steps(rows, watched=False):
            pass

    def changes(self, rows: Iterable[LogRow]) -> Iterator[Change]:
        """Replay and tell every change."""
        return self._steps(rows, watched=True)

    def _steps(self, rows: Iterable[LogRow], *, watched: bool) -> Iterator[Change]:
        count = 0
        rows = iter(rows)
        for row in rows:
            while row.snapshot is not None:
                if self._is_later(row.snapshot[0] - 1, row.contained_ms):
                    return
                contents, after = _one_snapshot(row, rows)
                yield from self._load(row.snapshot, row, contents, watched)
                if after is None:
                    return
                row = after
            if self._is_later(row.offset, row.timestamp_ms):
                return
            if row.offset < self.state.end_offset:
                continue  # the snapshot has it already
            yield from self._step(row, watched)
            count += 1
            if watched or count % COMMIT_EVERY == 0:
                self.state.close_batch()
                self.state.commit(row.offset + 1)
        self.state.close_batch()
        self.state.commit(self.state.end_offset)

    def _is_later(self, offset: Offset, timestamp_ms: int | None) -> bool:
        if self.until is not None and offset >= self.until:
            return True
        limit = self.until_ms
        return limit is not None and timestamp_ms is not None and timestamp_ms > limit

    def _step(self, row: LogRow, watched: bool) -> Iterator[Change]:
        record = _record(row)
        shapes = self._watching.get(record.type) if watched else None
        if shapes is None:
            was_open = self.state.transaction is not None
            self.state.replay(record, row.offset, row.epoch, row.timestamp_ms)
            if was_open and self.state.transaction is None:
                yield from self._settled(record.type, row.offset)
            return
        live = self.state.live()
        before = [
            (shape, key, _values(shape.row(live, key)))
            for shape in shapes
            for key in shape.keys_of(live, record.type, record.message)
        ]
        self.state.replay(record, row.offset, row.epoch, row.timestamp_ms)
        live = self.state.live()
        found: list[Change] = []
        for shape, key, old in before:
            new = _values(shape.row(live, key))
            if old != new:
                place = (row.offset, row.epoch, row.timestamp_ms, row.offset)
                found.append(Change(shape.name, old, new, *place))
        if self.state.transaction is not None:
            self._waiting += found
        else:
            yield from found

    def _settled(self, type: int, offset: Offset) -> Iterator[Change]:
        """A transaction is over: it ended, and what waited is shown; or it was aborted."""
        waiting, self._waiting = self._waiting, []
        if type == _END_TRANSACTION:
            for change in waiting:
                yield evolve(change, settled=offset)

    def _load(
        self, snapshot: tuple[Offset, Epoch], first: LogRow, rows: list[LogRow], watched: bool
    ) -> Iterator[Change]:
        """A state out of a snapshot takes the place of the present one."""
        self._waiting.clear()
        offset, epoch = snapshot
        stamp = first.contained_ms if first.contained_ms is not None else first.timestamp_ms
        records = (_record(row) for row in rows if row.contained_ms is None)
        old = self.view()
        self.state = MetadataState.from_snapshot(records, Provenance(offset, epoch, stamp))
        if not watched:
            return
        new, last = self.state.live(), offset - 1
        for shape in self.shapes:
            for key in dict.fromkeys((*shape.all_keys(old), *shape.all_keys(new))):
                before, after = _values(shape.row(old, key)), _values(shape.row(new, key))
                if before != after:
                    yield Change(shape.name, before, after, last, epoch, stamp, last, True)


_END_TRANSACTION = 24


def _one_snapshot(first: LogRow, rows: Iterator[LogRow]) -> tuple[list[LogRow], LogRow | None]:
    """The rows of the snapshot that ``first`` begins, and the row after it."""
    found: list[LogRow] = []
    for row in chain((first,), rows):
        if row.snapshot != first.snapshot:
            return found, row
        found.append(row)
    return found, None


def _values(found: tuple[Row, Any] | None) -> Row | None:
    return None if found is None else found[0]


def _record(row: LogRow) -> MetadataRecord:
    if row.raw is None:
        raise InvariantViolated(
            f"the record at offset {row.offset} came without its bytes: "
            "read the log with the option raw=always"
        )
    try:
        return decode_metadata_record(row.raw)
    except (BatchError, DecodeError) as error:
        raise InvariantViolated(
            f"the record at offset {row.offset} cannot be read: {error}"
        ) from None
