"""Records of one type and version read side by side: a field of all of them at a time.

Each record has its own place in the bytes, and all places move on together, field by field.
It costs about the same to look at one record as at a hundred, so this is for many.

Nothing is refused here. A record that has anything out of the ordinary (a number of three bytes,
a text that is not ASCII, a tag that is not known, an end elsewhere than its own) is only marked:
the codec of its type reads it then, or says what is wrong with it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Final

import numpy as np
from attrs import define, evolve, field, frozen

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.shape import FieldShape, MessageShape, holds, read_shape
from pyspark_metaquorum.column import Column

# Fixed-width types: as they are on the wire, and as a column holds them (see ``columns``).
_FIXED: Final[dict[str, tuple[Any, Any]]] = {
    "bool": (np.dtype("u1"), np.dtype("bool")),
    "int8": (np.dtype("i1"), np.dtype("i1")),
    "int16": (np.dtype(">i2"), np.dtype("i2")),
    "uint16": (np.dtype(">u2"), np.dtype("i4")),
    "int32": (np.dtype(">i4"), np.dtype("i4")),
    "uint32": (np.dtype(">u4"), np.dtype("i8")),
    "int64": (np.dtype(">i8"), np.dtype("i8")),
    "float64": (np.dtype(">f8"), np.dtype("f8")),
    "uuid": (np.dtype("V16"), np.dtype("V16")),
}
_SIZED: Final = ("string", "bytes")
_LONG: Final = 128  # the first number that takes two bytes


@frozen(eq=False)
class SideBySide:
    """How the records of one type and version are read together."""

    plain: tuple[FieldShape, ...]
    tagged: tuple[FieldShape, ...]  # by tag
    absent: tuple[FieldShape, ...]

    def read(self, seen: Any, starts: Any, ends: Any) -> tuple[dict[str, Column], Any]:
        """The fields of the records between these places, and the marks of those not read.

        What the columns hold of marked records means nothing: they are to be read without.
        """
        places = _Places(seen, starts.copy(), ends)
        columns = {one.attribute: places.field(one) for one in self.plain}
        tags = places.bytes()
        for one in self.tagged:
            columns[one.attribute] = _tagged(places, one, tags)
        for one in self.absent:
            columns[one.attribute] = _default(one, len(starts))
        places.marked |= (tags != 0) | (places.at != ends)
        return columns, places.marked


@cache
def side_by_side(module: str, version: int) -> SideBySide | None:
    """The way for a module of generated codecs; None if it has fields that are not for this."""
    shape: MessageShape = read_shape(import_module(module).SHAPE)
    top = shape.top
    if not holds(shape.flexible, version):
        return None
    if not all(_is_for_this(one, version) for one in top.fields):
        return None
    tagged = top.tagged(version)
    rest = [one for one in top.fields if not holds(one.versions, version)]
    return SideBySide(
        tuple(_in_version(one, version) for one in top.plain(version)),
        tuple(_in_version(tagged[tag], version) for tag in sorted(tagged)),
        tuple(rest),
    )


def _in_version(one: FieldShape, version: int) -> FieldShape:
    """The field with ``nullable`` only if it is so in this version."""
    return one if holds(one.nullable, version) else evolve(one, nullable=None)


def _is_for_this(one: FieldShape, version: int) -> bool:
    """Whether it is a number, a uuid, a text or bytes, or a list of the first two."""
    if holds(one.versions, version) and not holds(one.flexible, version):
        return False
    if one.element in _FIXED:
        return one.is_array or one.default == ZERO_UUID or isinstance(one.default, int | float)
    return one.element in _SIZED and not one.is_array and not one.default


def _default(one: FieldShape, count: int) -> Column:
    """The column of a field that none of the records has."""
    if one.element in _FIXED and not one.is_array:
        _, type = _FIXED[one.element]
        values: Any = np.zeros(count, type)
        if one.default != ZERO_UUID:
            values[:] = one.default
        return Column(values)
    type = np.dtype("u1") if one.element in _SIZED else _FIXED[one.element][1]
    absent: Any = np.ones(count, bool) if one.default is None else None
    return Column(np.zeros(0, type), np.zeros(count, np.int64), absent)


def _tagged(places: _Places, one: FieldShape, tags: Any) -> Column:
    """A tagged field, of the records where it comes next; ``tags`` are how many are left."""
    column = _default(one, len(tags))
    (have,) = np.nonzero((tags != 0) & (places.seen[places.at] == one.tag))
    if not len(have):
        return column
    at = places.at[have] + 2
    sizes = places.seen[at - 1]
    ends = at + sizes
    inside = _Places(places.seen, at, ends)
    found = inside.field(one)
    wrong = inside.marked | (inside.at != ends) | (ends > places.ends[have]) | (sizes >= _LONG)
    places.marked[have] |= wrong
    places.at[have] = np.minimum(inside.at, places.ends[have])
    tags[have] -= 1
    if column.counts is None:
        column.values[have] = found.values
        return column
    column.counts[have] = found.counts
    absent = column.absent
    if absent is None and found.absent is not None:
        absent = np.zeros(len(tags), bool)
    if absent is not None:
        absent[have] = False if found.absent is None else found.absent
    return Column(found.values, column.counts, absent)


@define(eq=False)
class _Places:
    """Where each record is read next, and where it ends; ``marked`` are those to leave."""

    seen: Any
    at: Any
    ends: Any
    marked: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.marked = np.zeros(len(self.at), bool)

    def field(self, one: FieldShape) -> Column:
        """The next field of all of them."""
        is_nullable = one.nullable is not None
        if one.element in _SIZED:
            return self._texts(is_nullable, is_text=one.element == "string")
        wire, type = _FIXED[one.element]
        if one.is_array:
            starts, counts, absent = self._sized(wire.itemsize, is_nullable)
            return Column(_gathered(self.seen, starts, counts, wire).astype(type), counts, absent)
        values = _windows(self.seen, wire)[self.at]
        self.at += wire.itemsize
        return Column(values.astype(type))

    def bytes(self) -> Any:
        """A byte of each."""
        found = self.seen[self.at]
        self.at += 1
        return found

    def _texts(self, is_nullable: bool, is_text: bool) -> Column:
        starts, counts, absent = self._sized(1, is_nullable)
        values = _gathered(self.seen, starts, counts, np.dtype("u1"))
        if is_text and len(values) and values.max() >= 0x80:
            owners: Any = np.repeat(np.arange(len(counts)), counts)
            self.marked[owners[values >= 0x80]] = True
        return Column(values, counts, absent)

    def _sized(self, size: int, is_nullable: bool) -> tuple[Any, Any, Any]:
        """Where values of ``size`` bytes begin, how many, and where they are null; steps over."""
        lengths = self._lengths()
        is_null = lengths == 0
        absent = None
        if is_null.any():
            lengths[is_null] = 1
            if is_nullable:
                absent = is_null
            else:
                self.marked |= is_null
        counts = lengths - 1
        starts = self.at
        self.at = starts + counts * size
        beyond = self.at > self.ends
        if beyond.any():
            self.marked |= beyond
            counts[beyond] = 0
            self.at[beyond] = self.ends[beyond]
        return starts, counts, absent

    def _lengths(self) -> Any:
        found = self.bytes().astype(np.int64)
        (long,) = np.nonzero(found >= _LONG)
        if len(long):
            high = self.seen[self.at[long]].astype(np.int64)
            self.at[long] += 1
            found[long] += (high << 7) - _LONG
            # longer still, or longer than need be
            self.marked[long] |= (high >= _LONG) | (found[long] < _LONG)
        return found


def _windows(seen: Any, type: Any) -> Any:
    """A value of this type at every byte."""
    return np.ndarray((len(seen) - type.itemsize + 1,), type, seen, 0, (1,))


def _gathered(seen: Any, starts: Any, counts: Any, type: Any) -> Any:
    """So many values from each of these places, one after the other."""
    most = int(counts.max(initial=0))
    if most == 0:
        return np.zeros(0, type)
    if int(counts.min()) == most:
        every = _windows(seen, np.dtype(f"V{most * type.itemsize}"))
        return every[starts].view(type)
    size = type.itemsize
    at: Any = np.repeat(starts - size * (np.cumsum(counts) - counts), counts)
    at += size * np.arange(len(at))
    return _windows(seen, type)[at]
