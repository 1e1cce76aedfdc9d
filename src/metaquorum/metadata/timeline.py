"""Tables with a past: one live dict, and one dict of what keys held before.

A *mark* is a point in the state's past that can be read or returned to. A write
remembers the value that it replaces, once per key and mark, and then goes to the live dict; so
writing costs a few dict operations, reading the present costs one, and reading the past two: what
a key held before stands beside it, whatever the number of marks. Nothing is ever copied.

This module knows neither records nor offsets' meaning; a mark's ``at`` is a label. Values must
be frozen: an edited value would change the past too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from itertools import islice
from typing import Any, Final, Generic, Protocol, TypeVar

from attrs import define, field

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.offsets import Offset

K = TypeVar("K")
V = TypeVar("V")
V_co = TypeVar("V_co", covariant=True)


class _Absence(Enum):
    """What a mark remembers for a key that was not there."""

    ABSENT = 0


ABSENT: Final = _Absence.ABSENT


class Reader(Protocol[K, V_co]):
    """What a table and a view of its past have in common: everything but writing."""

    def get(self, key: K) -> V_co | None:
        """The value of ``key``, None when there is none."""

    def keys(self) -> list[K]:
        """Every key, in the order of the live dict; one pass, the only pause of a snapshot."""

    def items(self) -> Iterator[tuple[K, V_co]]:
        """Every key with its value; the table must not be written meanwhile."""

    def __contains__(self, key: K) -> bool: ...

    def __len__(self) -> int: ...


@define(eq=False)
class Mark:
    """A point in the past. ``holders`` counts who needs it; at zero it is gone for good.

    ``number`` rises from mark to mark; ``kept`` is what tables remember for this one.
    """

    at: Offset
    number: int
    holders: int = 1
    kept: list[Past[Any, Any]] = field(factory=list)
    older: Mark | None = None
    newer: Mark | None = None

    @property
    def is_open(self) -> bool:
        """Whether the past at this mark can still be seen."""
        return self.holders > 0


class Past(Generic[K, V]):
    """What one key held at a mark since which it was written, and ``older`` ones behind it.

    At a mark in between it held what it held at the next one.
    """

    __slots__ = ("key", "mark", "older", "table", "value")

    def __init__(
        self,
        table: Table[K, V],
        key: K,
        mark: Mark,
        value: V | _Absence,
        older: Past[K, V] | None,
    ) -> None:
        self.table = table
        self.key = key
        self.mark = mark
        self.value = value
        self.older = older

    def at(self, number: int) -> V | _Absence:
        """What the key held at the mark of that number, which is not newer than this one's."""
        found = self
        while (older := found.older) is not None and older.mark.number >= number:
            found = older
        return found.value

    def drop(self) -> None:
        """Its mark remembers this key no more."""
        past = self.table._past
        newer = past[self.key]
        if newer is self:
            if self.older is None:
                del past[self.key]
            else:
                past[self.key] = self.older
            return
        while newer.older is not self:
            assert newer.older is not None
            newer = newer.older
        newer.older = self.older


@define(eq=False)
class Marks:
    """The open marks in order.

    ``_unseen`` is what marks kept that are gone and had no older one: no open mark sees it.
    """

    newest: Mark | None = None
    oldest: Mark | None = None
    count: int = 0
    _opened: int = 0
    _unseen: list[list[Past[Any, Any]]] = field(factory=list)

    def open(self, at: Offset) -> Mark:
        """A mark at the present, held once. ``at`` may not be below the newest mark's."""
        newest = self.newest
        if newest is not None and at < newest.at:
            raise InvariantViolated(f"a mark at {at} cannot follow the one at {newest.at}")
        self._opened += 1
        mark = Mark(at, self._opened, older=newest)
        if newest is None:
            self.oldest = mark
        else:
            newest.newer = mark
        self.newest = mark
        self.count += 1
        return mark

    def hold(self, mark: Mark) -> Mark:
        """Keep ``mark`` for one holder more."""
        if not mark.is_open:
            raise InvariantViolated(f"the mark at {mark.at} is gone, it cannot be held again")
        mark.holders += 1
        return mark

    def release(self, mark: Mark) -> None:
        """One holder less; the last one folds what the mark remembers into the next older one.

        Without an older one it is only put aside, for ``forget``: a mark that was held while a
        large snapshot was written may remember a hundred thousand old values.
        """
        if not mark.is_open:
            raise InvariantViolated(f"the mark at {mark.at} is released more often than held")
        mark.holders -= 1
        if mark.holders:
            return
        older = mark.older
        if older is not None:
            for past in mark.kept:
                if past.older is not None and past.older.mark is older:
                    past.drop()
                else:
                    past.mark = older
                    older.kept.append(past)
        elif mark.kept:
            self._unseen.append(mark.kept)
        self._unlink(mark)

    def forget(self, most: int) -> None:
        """Drop up to so many of the old values that no open mark sees."""
        unseen = self._unseen
        while unseen and most > 0:
            some = unseen[-1][-most:]
            del unseen[-1][-most:]
            most -= len(some)
            for past in some:
                if past.older is None and past.table._past[past.key] is past:
                    del past.table._past[past.key]  # as nearly all of them: only one mark saw it
                else:
                    past.drop()
            if not unseen[-1]:
                unseen.pop()

    def revert(self, mark: Mark) -> None:
        """Make the present what it was at ``mark``; every newer mark is gone, held or not."""
        if not mark.is_open:
            raise InvariantViolated(f"the mark at {mark.at} is gone, there is no way back to it")
        while (newest := self.newest) is not None:
            for past in newest.kept:
                past.table.restore(past.key, past.value)
                past.drop()
            newest.kept = []
            if newest is mark:
                return
            newest.holders = 0
            self._unlink(newest)

    def statistics(self) -> dict[str, int]:
        """How many marks are open, and how many old values are kept."""
        kept = sum(map(len, self._unseen))
        mark = self.oldest
        while mark is not None:
            kept += len(mark.kept)
            mark = mark.newer
        return {"marks": self.count, "old_values": kept}

    def _unlink(self, mark: Mark) -> None:
        if mark.older is None:
            self.oldest = mark.newer
        else:
            mark.older.newer = mark.newer
        if mark.newer is None:
            self.newest = mark.older
        else:
            mark.newer.older = mark.older
        mark.kept = []
        self.count -= 1


class Table(Generic[K, V]):
    """The present, and the only thing that is written. None is never a value."""

    __slots__ = ("_live", "_marks", "_past", "_removals", "name")

    def __init__(self, marks: Marks, name: str) -> None:
        if marks.newest is not None:
            raise InvariantViolated(f"table {name} comes after the first mark")
        self.name = name
        self._live: dict[K, V] = {}
        self._marks = marks
        self._past: dict[K, Past[K, V]] = {}  # of the keys that an open mark remembers
        self._removals = 0

    def get(self, key: K) -> V | None:
        return self._live.get(key)

    def keys(self) -> list[K]:
        return list(self._live)

    def items(self) -> Iterator[tuple[K, V]]:
        return iter(self._live.items())

    def __contains__(self, key: K) -> bool:
        return key in self._live

    def __len__(self) -> int:
        return len(self._live)

    def put(self, key: K, value: V) -> None:
        """Set ``key``; the newest mark remembers what was there before."""
        self.replace(key, self._live.get(key), value)

    def replace(self, key: K, old: V | None, value: V) -> None:
        """``put`` where the caller knows what is there: ``old``, None for nothing."""
        self._remember(key, old)
        self._live[key] = value

    def remove(self, key: K) -> bool:
        """Take ``key`` away; whether it was there."""
        old = self._live.get(key)
        if old is None:
            return False
        self._remember(key, old)
        del self._live[key]
        self._removals += 1
        return True

    def walk(self) -> Walk[K, V]:
        """To pass over the present in pieces, between which it may be written."""
        return Walk(self)

    def filler(self) -> Callable[[K, V], None]:
        """``put`` for a table that has no past to remember, while no mark is open."""
        if self._marks.newest is not None:
            raise InvariantViolated(f"table {self.name} is filled under an open mark")
        return self._live.__setitem__

    def clear_some(self, entries: int) -> bool:
        """Drop up to so many entries for good, of a table that nobody reads; False if none."""
        live = self._live
        for _ in range(min(entries, len(live))):
            live.popitem()
        return bool(live)

    def restore(self, key: K, old: V | _Absence) -> None:
        """Put back what a mark remembered; called by ``Marks.revert`` alone."""
        if old is ABSENT:
            self._live.pop(key, None)
            self._removals += 1
        else:
            self._live[key] = old

    def at(self, mark: Mark) -> View[K, V]:
        """This table as it was at ``mark``, readable while the mark is held."""
        return View(self, mark)

    def _remember(self, key: K, old: V | None) -> None:
        mark = self._marks.newest
        if mark is None:
            return
        past = self._past.get(key)
        if past is None or past.mark is not mark:
            past = Past(self, key, mark, ABSENT if old is None else old, past)
            self._past[key] = past
            mark.kept.append(past)


class Walk(Generic[K, V]):
    """Passes over a table in pieces; what is put, added or removed between two of them may be.

    What is there all the time is met at least once, with the value of that moment, and what is
    added is met at the end. After a removal some may be met twice. No list of the keys is made: of
    a million of them that would take 30 ms.
    """

    __slots__ = ("_at", "_items", "_length", "_removals", "_table")
    _at: int
    _items: Iterator[tuple[K, V]]
    _length: int
    _removals: int

    def __init__(self, table: Table[K, V]) -> None:
        self._table = table
        self._begin_at(0)

    @property
    def is_over(self) -> bool:
        """Whether everything was met."""
        self._settle()
        return self._at >= self._length

    def some(self, most: int) -> Iterator[tuple[K, V]]:
        """The next entries, at most so many, as they are now; to be taken before the next write.

        No list of them: of most a caller wants to know one thing, and lets them go.
        """
        self._settle()
        self._at = min(self._at + most, self._length)
        return islice(self._items, most)

    def _settle(self) -> None:
        """Find the place again, should keys have come or gone: a dict keeps the others' order."""
        table = self._table
        if self._removals != table._removals or self._length != len(table._live):
            self._begin_at(max(0, self._at - (table._removals - self._removals)))

    def _begin_at(self, at: int) -> None:
        table = self._table
        self._at, self._removals, self._length = at, table._removals, len(table._live)
        self._items = islice(table._live.items(), at, None)


class View(Generic[K, V]):
    """A table as it was at a mark. Reading it after the mark is gone is a InvariantViolated."""

    __slots__ = ("_mark", "_table")

    def __init__(self, table: Table[K, V], mark: Mark) -> None:
        self._table = table
        self._mark = mark

    def get(self, key: K) -> V | None:
        # A snapshot asks a million times, so nothing is called that need not be.
        table, mark = self._table, self._mark
        if not mark.holders:
            self._checked_mark()
        past = table._past.get(key)
        if past is None or past.mark.number < mark.number:
            return table._live.get(key)
        old = past.at(mark.number)
        return None if old is ABSENT else old

    def keys(self) -> list[K]:
        """In one pass that Python's own dict does: a twentieth of what ``items`` would take."""
        changed = self._changed_since()
        if not changed:
            return self._table.keys()
        found = dict.fromkeys(self._table.keys())
        for key in changed:
            found.pop(key, None)
        return [*found, *(key for key, old in changed.items() if old is not ABSENT)]

    def items(self) -> Iterator[tuple[K, V]]:
        changed = self._changed_since()
        return self._as_it_was(changed) if changed else iter(self._table.items())

    def _as_it_was(self, changed: dict[K, V | _Absence]) -> Iterator[tuple[K, V]]:
        for key, value in self._table.items():
            if key not in changed:
                yield key, value
        for key, old in changed.items():
            if old is not ABSENT:
                yield key, old

    def __contains__(self, key: K) -> bool:
        return self.get(key) is not None

    def __len__(self) -> int:
        changed = self._changed_since()
        gone = sum(1 for key in changed if key in self._table)
        return len(self._table) - gone + sum(1 for old in changed.values() if old is not ABSENT)

    def _changed_since(self) -> dict[K, V | _Absence]:
        """What each key written since the mark held at the mark."""
        changed: dict[K, V | _Absence] = {}
        number = self._checked_mark().number
        for key, past in self._table._past.items():
            if past.mark.number >= number:
                changed[key] = past.at(number)
        return changed

    def _checked_mark(self) -> Mark:
        if not self._mark.is_open:
            raise InvariantViolated(
                f"table {self._table.name} is read at {self._mark.at}, but that mark is gone"
            )
        return self._mark
