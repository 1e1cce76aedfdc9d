"""Records gathered by type, turned into one Arrow batch: columns are built a field at a time.

A row object for each record would cost more than its decoding does. So a chunk keeps, for each
record type, the columns of records that were read side by side, and the messages of those that
were not, with the rows they belong to; a struct column is spread over the rows, with nulls between.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np
import pyarrow as pa
from attrs import define, field, frozen

from metaquorum.base.ids import uuid_text
from metaquorum.base.offsets import Epoch, Offset
from pyspark_metaquorum.column import Column
from pyspark_metaquorum.columns import BASE, arrow_schema, arrow_type, struct_type
from pyspark_metaquorum.record_type import Part, RecordType

_MILLISECONDS = pa.timestamp("ms", "UTC")
_uuid = lru_cache(maxsize=65_536)(uuid_text)


@frozen(eq=False)
class Kind:
    """What is said of a row beside its place: its record type, if it is known, and version."""

    name: str | None
    number: int | None
    version: int | None


@frozen(eq=False)
class _Sealed:
    """What so many rows of one batch share."""

    rows: int
    epoch: Epoch | None
    batch_offset: Offset | None
    control: bool
    snapshot_offset: Offset | None
    snapshot_epoch: Epoch | None


@define(eq=False)
class Chunk:
    """Rows under construction; ``source`` is said in each of them.

    The fields of a row are decoded one by one (``rows`` and ``messages``) or together with those
    of other rows (``together``), by the column of their type.
    """

    types: tuple[RecordType, ...]
    source: str
    offsets: array[int] = field(factory=lambda: array("q"))
    timestamps: array[int] = field(factory=lambda: array("q"))
    kinds: array[int] = field(factory=lambda: array("i"))  # places in known_kinds
    known_kinds: dict[Kind, int] = field(factory=dict)
    sealed: list[_Sealed] = field(factory=list)
    sealed_rows: int = 0
    raw: dict[int, bytes] = field(factory=dict)
    problems: dict[int, str] = field(factory=dict)
    rows: dict[str, list[int]] = field(init=False)
    messages: dict[str, list[Any]] = field(init=False)
    together: dict[str, list[tuple[Any, dict[str, Column]]]] = field(init=False)
    schema: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.rows = {one.column: [] for one in self.types}
        self.messages = {one.column: [] for one in self.types}
        self.together = {one.column: [] for one in self.types}
        self.schema = arrow_schema(self.types)

    def __len__(self) -> int:
        return len(self.offsets)

    def place(self, offset: Offset, timestamp_ms: int, kind: Kind) -> int:
        """A row for a record; what the whole batch shares is put by ``seal``."""
        self.offsets.append(offset)
        self.timestamps.append(timestamp_ms)
        self.kinds.append(self.number_of(kind))
        return len(self.offsets) - 1

    def place_all(self, offsets: Any, timestamps_ms: Any, kinds: Any) -> None:
        """The same for many; ``kinds`` are numbers that ``number_of`` gave."""
        self.offsets.frombytes(offsets.astype("q").tobytes())
        self.timestamps.frombytes(timestamps_ms.astype("q").tobytes())
        self.kinds.frombytes(kinds.astype("i").tobytes())

    def number_of(self, kind: Kind) -> int:
        """A number for a kind in this chunk."""
        return self.known_kinds.setdefault(kind, len(self.known_kinds))

    def seal(
        self,
        epoch: Epoch | None,
        batch_offset: Offset | None,
        control: bool,
        snapshot: tuple[int | None, int | None],
        count: int | None = None,
    ) -> None:
        """What ``count`` rows share, or all that were placed since the last call."""
        if count is None:
            count = len(self) - self.sealed_rows
        self.sealed.append(_Sealed(count, epoch, batch_offset, control, *snapshot))
        self.sealed_rows += count

    def batch(self) -> Any:
        """The rows as one Arrow batch."""
        count = len(self.offsets)
        kinds = pa.array(np.frombuffer(self.kinds, np.int32))
        counts = [one.rows for one in self.sealed]
        shared = pa.array(np.repeat(np.arange(len(counts)), counts))

        def by_batch(get: Callable[[_Sealed], Any], type: Any) -> Any:
            return pa.array(map(get, self.sealed), type).take(shared)

        def by_kind(get: Callable[[Kind], Any], type: Any) -> Any:
            return pa.array(map(get, self.known_kinds), type).take(kinds)

        types = [type for _, type in BASE]
        arrays = [
            pa.array(np.frombuffer(self.offsets, np.int64), types[0]),
            by_batch(attrgetter("epoch"), types[1]),
            pa.array(np.frombuffer(self.timestamps, np.int64)).cast(_MILLISECONDS).cast(types[2]),
            by_batch(attrgetter("batch_offset"), types[3]),
            by_batch(attrgetter("control"), types[4]),
            by_kind(attrgetter("name"), types[5]),
            by_kind(attrgetter("number"), types[6]),
            by_kind(attrgetter("version"), types[7]),
            by_batch(attrgetter("snapshot_offset"), types[8]),
            by_batch(attrgetter("snapshot_epoch"), types[9]),
            pa.repeat(pa.scalar(self.source, types[10]), count),
            _sparse(self.raw, count, types[11]),
            _sparse(self.problems, count, types[12]),
        ]
        for one in self.types:
            if one.parts:
                arrays.append(self._structs(one, count))
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)

    def _structs(self, one: RecordType, count: int) -> Any:
        rows, messages = self.rows[one.column], self.messages[one.column]
        together = self.together[one.column]
        if not together:
            if not rows:
                return pa.nulls(count, struct_type(one.parts))
            return struct_array(messages, one.parts, rows, count)
        if len(together) == 1 and not rows:
            return _joined(together[0][1], one.parts, together[0][0], count)
        return self._mixed(one, count)

    def _mixed(self, one: RecordType, count: int) -> Any:
        """Fields that came in several parts: each is made by itself, then all are laid in order."""
        parts = []
        places: Any = np.full(count, -1)
        begin = 0
        for rows, columns in self.together[one.column]:
            places[rows] = np.arange(begin, begin + len(rows))
            begin += len(rows)
            parts.append(_joined(columns, one.parts, np.arange(len(rows)), len(rows)))
        if rows := self.rows[one.column]:
            places[rows] = np.arange(begin, begin + len(rows))
            messages = self.messages[one.column]
            parts.append(struct_array(messages, one.parts, range(len(rows)), len(rows)))
        return pa.concat_arrays(parts).take(pa.array(places, mask=places < 0))


def _joined(columns: dict[str, Column], parts: Iterable[Part], rows: Any, count: int) -> Any:
    """Columns as an array of ``count`` structs, null but at their rows."""
    arrays = [columns[part.name].array(part, rows, count) for part in parts]
    fields = [pa.field(part.name, arrow_type(part)) for part in parts]
    absent: Any = np.ones(count, bool)
    absent[rows] = False
    return pa.StructArray.from_arrays(arrays, fields=fields, mask=pa.array(absent))


def struct_array(
    messages: Sequence[Any], parts: Iterable[Part], rows: Sequence[int], count: int
) -> Any:
    """Decoded messages (never None) as an array of ``count`` structs, null but at their rows."""
    fields, arrays = [], []
    for part in parts:
        values = list(map(attrgetter(part.name), messages))
        type = arrow_type(part)
        if part.many:
            arrays.append(_lists(values, part, type, rows, count))
        else:
            convert = _element(part)
            if convert is not None:
                values = [None if value is None else convert(value) for value in values]
            arrays.append(pa.array(_spread(values, rows, count), type))
        fields.append(pa.field(part.name, type))
    absent: Any = np.ones(count, bool)
    absent[rows] = False
    return pa.StructArray.from_arrays(arrays, fields=fields, mask=pa.array(absent))


def _spread(values: list[Any], rows: Sequence[int], count: int) -> list[Any]:
    if len(values) == count:
        return values
    found: list[Any] = [None] * count
    for row, value in zip(rows, values):
        found[row] = value
    return found


def _lists(values: list[Any], part: Part, wanted: Any, rows: Sequence[int], count: int) -> Any:
    """Lists laid end to end, with the places where each begins: Arrow's own form of them."""
    absent: Any = None
    kinds = set(map(type, values))
    if kinds == {type(None)}:
        return pa.nulls(count, wanted)
    if type(None) in kinds:
        absent = np.zeros(count, bool)
        absent[[row for row, value in zip(rows, values) if value is None]] = True
        values = [value or () for value in values]
    ends: Any = np.zeros(count + 1, np.int32)
    ends[1:][rows] = list(map(len, values))
    np.cumsum(ends, out=ends)
    flat: Any = chain.from_iterable(values)
    convert = _element(part)
    if convert is not None:
        flat = map(convert, flat)
    elements = pa.array(list(flat), wanted.value_type)
    mask = None if absent is None else pa.array(absent)
    return pa.ListArray.from_arrays(pa.array(ends), elements, type=wanted, mask=mask)


def _element(part: Part) -> Callable[[Any], Any] | None:
    """What makes of a decoded value, or of one in a list, what Arrow takes; None for the same."""
    if part.element == "struct":
        return _mapping(part.parts)
    if part.element == "uuid":
        return _uuid
    if part.element == "bytes":
        return bytes
    return None


def _converter(part: Part) -> Callable[[Any], Any] | None:
    """The same for a field inside of a struct in a list, which may be a list itself."""
    one = _element(part)
    if one is not None and part.many:
        return lambda values: list(map(one, values))
    return one


def _mapping(parts: tuple[Part, ...]) -> Callable[[Any], Any]:
    getters = [(part.name, attrgetter(part.name), _converter(part)) for part in parts]

    def mapped(message: Any) -> dict[str, Any] | None:
        if message is None:
            return None
        found = {}
        for name, getter, convert in getters:
            value = getter(message)
            found[name] = value if convert is None or value is None else convert(value)
        return found

    return mapped


def _sparse(values: dict[int, Any], count: int, type: Any) -> Any:
    if not values:
        return pa.nulls(count, type)
    return pa.array(list(map(values.get, range(count))), type)
