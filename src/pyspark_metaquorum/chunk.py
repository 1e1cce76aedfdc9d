"""Records gathered by type, turned into one Arrow batch: columns are built a field at a time.

A row object for each record would cost more than its decoding does. So a chunk keeps, for each
record type, the decoded messages and the rows they belong to; a struct column is made dense and
then spread over the rows, with nulls between.
"""

from __future__ import annotations

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


@define(eq=False)
class Chunk:
    """Rows under construction; ``source`` is said in each of them."""

    types: tuple[RecordType, ...]
    source: str
    offsets: list[int] = field(factory=list)
    epochs: list[int | None] = field(factory=list)
    timestamps: list[int] = field(factory=list)
    batch_offsets: list[int | None] = field(factory=list)
    controls: list[bool] = field(factory=list)
    kinds: list[Kind] = field(factory=list)
    snapshot_offsets: list[int | None] = field(factory=list)
    snapshot_epochs: list[int | None] = field(factory=list)
    raw: dict[int, bytes] = field(factory=dict)
    problems: dict[int, str] = field(factory=dict)
    rows: dict[str, list[int]] = field(init=False)
    messages: dict[str, list[Any]] = field(init=False)
    schema: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.rows = {one.column: [] for one in self.types}
        self.messages = {one.column: [] for one in self.types}
        self.schema = arrow_schema(self.types)

    def __len__(self) -> int:
        return len(self.offsets)

    def place(self, offset: Offset, timestamp_ms: int, kind: Kind) -> int:
        """A row for a record; what the whole batch shares is put by ``seal``."""
        self.offsets.append(offset)
        self.timestamps.append(timestamp_ms)
        self.kinds.append(kind)
        return len(self.offsets) - 1

    def placers(
        self,
    ) -> tuple[Callable[[int], None], Callable[[int], None], Callable[[Kind], None]]:
        """What ``place`` does to offset, time and kind, for a loop that cannot afford the call."""
        return self.offsets.append, self.timestamps.append, self.kinds.append

    def seal(
        self,
        epoch: Epoch | None,
        batch_offset: Offset | None,
        control: bool,
        snapshot: tuple[int | None, int | None],
    ) -> None:
        """What all rows share that were placed since the last call."""
        count = len(self.offsets) - len(self.epochs)
        self.epochs += [epoch] * count
        self.batch_offsets += [batch_offset] * count
        self.controls += [control] * count
        self.snapshot_offsets += [snapshot[0]] * count
        self.snapshot_epochs += [snapshot[1]] * count

    def batch(self) -> Any:
        """The rows as one Arrow batch."""
        count = len(self.offsets)
        base = (
            self.offsets,
            self.epochs,
            pa.array(self.timestamps, _MILLISECONDS).cast(BASE[2][1]),
            self.batch_offsets,
            self.controls,
            [kind.name for kind in self.kinds],
            [kind.number for kind in self.kinds],
            [kind.version for kind in self.kinds],
            self.snapshot_offsets,
            self.snapshot_epochs,
        )
        arrays = [pa.array(values, type) for values, (_, type) in zip(base, BASE)]
        arrays.append(pa.repeat(pa.scalar(self.source, pa.string()), count))
        arrays.append(_sparse(self.raw, count, pa.binary()))
        arrays.append(_sparse(self.problems, count, pa.string()))
        for one in self.types:
            if one.parts:
                arrays.append(self._structs(one, count))
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)

    def _structs(self, one: RecordType, count: int) -> Any:
        rows = self.rows[one.column]
        if not rows:
            return pa.nulls(count, struct_type(one.parts))
        return struct_array(self.messages[one.column], one.parts, rows, count)


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
    return pa.array([values.get(row) for row in range(count)], type)
