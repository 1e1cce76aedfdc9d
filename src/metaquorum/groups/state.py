"""What the log of ``__consumer_offsets`` says: the last record of every key, and where that is.

The topic is compacted, so the state is nothing but its live records, kept by group. What was
replayed and is not committed can be taken back: the record that stood there before is remembered
until then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from attrs import define, field

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import CLEAR_SLICE_ENTRIES
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.base.value import value
from metaquorum.metadata.state import Provenance
from metaquorum.records.group_record import OFFSET_COMMIT, GroupRecord

RowKey = tuple[Any, ...]
"""Kind of record, then what tells the records of one kind in one group from each other."""

Rows = dict[RowKey, GroupRecord]

_FOREIGN: Final = -1
_NOTHING: Final[Mapping[RowKey, GroupRecord]] = {}


@value
class _Undo:
    """What stood at a place before a record came there; None: nothing."""

    offset: Offset
    group_id: str | None
    key: RowKey
    before: GroupRecord | None


@value
class HeldRecords:
    """The committed records of one moment, for a snapshot that is being written."""

    provenance: Provenance
    view: tuple[GroupRecord, ...]


@define(eq=False)
class GroupState:
    """The records that hold, by group; those of unknown kinds under the group None."""

    _groups: dict[str | None, Rows] = field(factory=dict)
    _undo: deque[_Undo] = field(factory=deque)
    _end: Provenance = field(factory=Provenance)
    _stable: Provenance = field(factory=Provenance)
    _candidates: deque[Provenance] = field(factory=deque)
    _rows: int = 0
    foreign_met: int = 0

    transaction: None = field(default=None, init=False)
    changes: None = field(default=None, init=False)

    # --- where in the log ------------------------------------------------------------------

    @property
    def provenance(self) -> Provenance:
        """Where the committed state is in the log."""
        return self._stable

    @property
    def stable_offset(self) -> Offset:
        """The end of the committed state."""
        return self._stable.end_offset

    @property
    def end_offset(self) -> Offset:
        """One past the last record replayed, committed or not."""
        return self._end.end_offset

    @property
    def has_uncommitted(self) -> bool:
        """Whether anything was replayed that is not committed."""
        return self.end_offset != self.stable_offset

    # --- what is in it ---------------------------------------------------------------------

    def group_ids(self) -> list[str]:
        """Every group of which there is a record, in order."""
        return sorted(name for name in self._groups if name is not None)

    def __contains__(self, group_id: str) -> bool:
        return group_id in self._groups

    def rows(self, group_id: str) -> Mapping[RowKey, GroupRecord]:
        """The records of one group; not to be kept beyond the step."""
        return self._groups.get(group_id, _NOTHING)

    def value(self, group_id: str, *key: Any) -> Any:
        """The value at a place; None where there is none."""
        rows = self._groups.get(group_id)
        found = None if rows is None else rows.get(key)
        return None if found is None else found.value

    def values(self, group_id: str, kind: int) -> list[tuple[RowKey, Any]]:
        """All of one kind in a group, in the order in which they first came."""
        rows = self._groups.get(group_id, _NOTHING)
        return [(key, record.value) for key, record in rows.items() if key[0] == kind]

    def records(self) -> Iterator[GroupRecord]:
        """All records that rebuild the live state, by group, then kind, then name."""
        return self._records({})

    # --- what happens to it ----------------------------------------------------------------

    def replay(self, record: GroupRecord, offset: Offset, epoch: Epoch, timestamp_ms: int) -> None:
        """Apply one record; InvariantViolated if it was replayed before."""
        if offset < self._end.end_offset:
            raise InvariantViolated(
                f"record at offset {offset} was replayed before: "
                f"the state already reaches {self._end.end_offset}"
            )
        group_id, key = _place(record)
        self.foreign_met += group_id is None
        self._undo.append(_Undo(offset, group_id, key, self._put(group_id, key, record)))
        self._end = Provenance(offset + 1, epoch, timestamp_ms)

    def close_batch(self) -> None:
        """The batch is over: the state after it may become the committed one."""
        self._candidates.append(self._end)

    def commit(self, high_watermark: Offset) -> None:
        """Everything below ``high_watermark`` is committed."""
        candidates, undo = self._candidates, self._undo
        while candidates and candidates[0].end_offset <= high_watermark:
            self._stable = candidates.popleft()
        stable = self._stable.end_offset
        while undo and undo[0].offset < stable:
            undo.popleft()

    def revert_to_stable(self) -> None:
        """Take back whatever is not committed; records are then expected from ``stable_offset``."""
        while self._undo:
            last = self._undo.pop()
            self._restore(last.group_id, last.key, last.before)
        self._candidates.clear()
        self._end = self._stable

    @classmethod
    def from_snapshot(cls, records: Iterable[GroupRecord], provenance: Provenance) -> GroupState:
        """A fresh state out of a snapshot's records."""
        state = cls()
        for record in records:
            state.fill(record)
        return state.filled(provenance)

    def fill(self, record: GroupRecord) -> None:
        """Take in one record of a snapshot; nobody reads the state yet."""
        group_id, key = _place(record)
        self.foreign_met += group_id is None
        self._put(group_id, key, record)

    def filled(self, provenance: Provenance) -> GroupState:
        """The state is whole: it is what the log says up to ``provenance``."""
        self._end = self._stable = provenance
        return self

    def hold(self) -> HeldRecords:
        """The committed records, whatever comes later."""
        before: dict[tuple[str | None, RowKey], GroupRecord | None] = {}
        for one in self._undo:
            before.setdefault((one.group_id, one.key), one.before)
        return HeldRecords(self._stable, tuple(self._records(before)))

    def let_go(self, held: HeldRecords) -> None:
        """Nothing was kept open for it."""

    def cleared(self) -> Iterator[None]:
        """Take the state apart, some groups at each step; nobody reads it any more."""
        taken = 0
        while self._groups:
            taken += len(self._groups.popitem()[1])
            if taken >= CLEAR_SLICE_ENTRIES:
                taken = 0
                yield None

    def statistics(self) -> dict[str, int]:
        """Groups, records, and what waits to be committed."""
        return {
            "groups": len(self._groups),
            "records": self._rows,
            "uncommitted_records": len(self._undo),
        }

    # --- within ----------------------------------------------------------------------------

    def _records(
        self, before: Mapping[tuple[str | None, RowKey], GroupRecord | None]
    ) -> Iterator[GroupRecord]:
        """The live records, but for the places in ``before``, whose records those are."""
        merged: dict[str | None, Rows] = {}
        for group_id, _ in before:
            merged.setdefault(group_id, dict(self._groups.get(group_id, _NOTHING)))
        for (group_id, key), record in before.items():
            if record is None:
                merged[group_id].pop(key, None)
            else:
                merged[group_id][key] = record
        names = sorted(name for name in {**self._groups, **merged} if name is not None)
        for name in (*names, None):
            rows = merged.get(name, self._groups.get(name, _NOTHING))
            for key in sorted(rows):
                yield rows[key]

    def _put(self, group_id: str | None, key: RowKey, record: GroupRecord) -> GroupRecord | None:
        """Put a record at its place, or end what is there; what stood there before."""
        before = self._groups.get(group_id, _NOTHING).get(key)
        self._restore(group_id, key, None if record.value is None else record)
        return before

    def _restore(self, group_id: str | None, key: RowKey, record: GroupRecord | None) -> None:
        rows = self._groups.get(group_id)
        if record is not None:
            if rows is None:
                rows = self._groups[group_id] = {}
            self._rows += key not in rows
            rows[key] = record
        elif rows is not None and rows.pop(key, None) is not None:
            self._rows -= 1
            if not rows:
                del self._groups[group_id]


def _place(record: GroupRecord) -> tuple[str | None, RowKey]:
    """The group that a record belongs to, and its place there."""
    key = record.key
    if isinstance(key, bytes):
        return None, (_FOREIGN, key)
    if record.type == OFFSET_COMMIT:
        return key.group, (OFFSET_COMMIT, key.topic, key.partition)
    first, *rest = key.__slots__[:-1]
    return getattr(key, first), (record.type, *(getattr(key, name) for name in rest))
