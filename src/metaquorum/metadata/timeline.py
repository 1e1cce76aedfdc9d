"""Tables with a past: one live dict, and one dict of old values per open mark.

A *mark* is a point in the state's past that somebody wants to see or to return to. A write
remembers the value that it replaces in the newest mark, once per key, and then goes to the live
dict; so writing costs a few dict operations, reading the present costs one, and reading the past
looks through the old values from the mark up to the present, unless no mark remembers that key.
Nothing is ever copied.

This module knows neither records nor offsets' meaning; a mark's ``at`` is a label. Values must
be frozen: an edited value would change the past too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Any, Final, Generic, Protocol, TypeVar

from attrs import define, field

from metaquorum.base.errors import HouseError
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
    """A point in the past. ``holders`` counts who needs it; at zero it is gone for good."""

    at: Offset
    holders: int = 1
    undo: dict[int, dict[Any, Any]] = field(factory=dict)
    older: Mark | None = None
    newer: Mark | None = None

    @property
    def is_open(self) -> bool:
        """Whether the past at this mark can still be seen."""
        return self.holders > 0


@define(eq=False)
class Marks:
    """The open marks in order, and the tables whose past they keep."""

    newest: Mark | None = None
    oldest: Mark | None = None
    count: int = 0
    _tables: list[Table[Any, Any]] = field(factory=list)

    def open(self, at: Offset) -> Mark:
        """A mark at the present, held once. ``at`` may not be below the newest mark's."""
        newest = self.newest
        if newest is not None and at < newest.at:
            raise HouseError(f"a mark at {at} cannot follow the one at {newest.at}")
        mark = Mark(at, older=newest)
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
            raise HouseError(f"the mark at {mark.at} is gone, it cannot be held again")
        mark.holders += 1
        return mark

    def release(self, mark: Mark) -> None:
        """One holder less; the last one folds what the mark remembers into the next older one."""
        if not mark.is_open:
            raise HouseError(f"the mark at {mark.at} is released more often than held")
        mark.holders -= 1
        if mark.holders:
            return
        older = mark.older
        for number, old_values in mark.undo.items():
            if older is None:
                self._tables[number].forget(old_values)
            elif (kept := older.undo.get(number)) is None:
                older.undo[number] = old_values
            else:
                self._tables[number].forget([key for key in old_values if key in kept])
                for key, old in old_values.items():
                    kept.setdefault(key, old)
        self._unlink(mark)

    def revert(self, mark: Mark) -> None:
        """Make the present what it was at ``mark``; every newer mark is gone, whoever held it."""
        if not mark.is_open:
            raise HouseError(f"the mark at {mark.at} is gone, there is no way back to it")
        while (newest := self.newest) is not None:
            for number, old_values in newest.undo.items():
                self._tables[number].restore(old_values)
            newest.undo = {}
            if newest is mark:
                return
            newest.holders = 0
            self._unlink(newest)

    def statistics(self) -> dict[str, int]:
        """How many marks are open, and how many old values they keep."""
        kept = 0
        mark = self.oldest
        while mark is not None:
            kept += sum(len(old_values) for old_values in mark.undo.values())
            mark = mark.newer
        return {"marks": self.count, "old_values": kept}

    def enlist(self, table: Table[Any, Any]) -> int:
        """Give a new table its number; only before the first mark."""
        if self.newest is not None:
            raise HouseError(f"table {table.name} comes after the first mark")
        self._tables.append(table)
        return len(self._tables) - 1

    def _unlink(self, mark: Mark) -> None:
        if mark.older is None:
            self.oldest = mark.newer
        else:
            mark.older.newer = mark.newer
        if mark.newer is None:
            self.newest = mark.older
        else:
            mark.newer.older = mark.older
        mark.undo = {}
        self.count -= 1


class Table(Generic[K, V]):
    """The present, and the only thing that is written. None is never a value."""

    __slots__ = ("_live", "_marks", "_number", "_remembered", "name")

    def __init__(self, marks: Marks, name: str) -> None:
        self.name = name
        self._live: dict[K, V] = {}
        self._marks = marks
        self._number = marks.enlist(self)
        self._remembered: dict[K, int] = {}  # how many open marks have an old value of a key

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
        self._remember(key)
        self._live[key] = value

    def remove(self, key: K) -> bool:
        """Take ``key`` away; whether it was there."""
        if key not in self._live:
            return False
        self._remember(key)
        del self._live[key]
        return True

    def filler(self) -> Callable[[K, V], None]:
        """``put`` for a table that has no past to remember, while no mark is open."""
        if self._marks.newest is not None:
            raise HouseError(f"table {self.name} is filled under an open mark")
        return self._live.__setitem__

    def clear_some(self, entries: int) -> bool:
        """Drop up to so many entries for good, of a table that nobody reads; False if none."""
        live = self._live
        for _ in range(min(entries, len(live))):
            live.popitem()
        return bool(live)

    def forget(self, keys: Iterable[K]) -> None:
        """One mark less remembers each of these; called by ``Marks`` alone."""
        remembered = self._remembered
        for key in keys:
            count = remembered[key]
            if count == 1:
                del remembered[key]
            else:
                remembered[key] = count - 1

    def restore(self, old_values: dict[K, V | _Absence]) -> None:
        """Put back what a mark remembered; called by ``Marks.revert`` alone."""
        self.forget(old_values)
        live = self._live
        for key, old in old_values.items():
            if old is ABSENT:
                live.pop(key, None)
            else:
                live[key] = old

    def at(self, mark: Mark) -> View[K, V]:
        """This table as it was at ``mark``, readable while the mark is held."""
        return View(self, mark)

    def _remember(self, key: K) -> None:
        mark = self._marks.newest
        if mark is None:
            return
        old_values = mark.undo.get(self._number)
        if old_values is None:
            old_values = mark.undo[self._number] = {}
        if key not in old_values:
            old_values[key] = self._live.get(key, ABSENT)
            self._remembered[key] = self._remembered.get(key, 0) + 1


class View(Generic[K, V]):
    """A table as it was at a mark. Reading it after the mark is gone is a HouseError."""

    __slots__ = ("_mark", "_table")

    def __init__(self, table: Table[K, V], mark: Mark) -> None:
        self._table = table
        self._mark = mark

    def get(self, key: K) -> V | None:
        mark: Mark | None = self._checked_mark()
        if key not in self._table._remembered:  # hundreds of marks are open while commits wait
            return self._table.get(key)
        number = self._table._number
        while mark is not None:
            old_values = mark.undo.get(number)
            if old_values is not None and key in old_values:
                old: V | _Absence = old_values[key]
                return None if old is ABSENT else old
            mark = mark.newer
        return self._table.get(key)

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
        mark: Mark | None = self._checked_mark()
        while mark is not None:
            for key, old in mark.undo.get(self._table._number, {}).items():
                changed.setdefault(key, old)
            mark = mark.newer
        return changed

    def _checked_mark(self) -> Mark:
        if not self._mark.is_open:
            raise HouseError(
                f"table {self._table.name} is read at {self._mark.at}, but that mark is gone"
            )
        return self._mark
