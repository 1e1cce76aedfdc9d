"""Records gathered by type, turned into one Arrow batch: columns are built a field at a time.

A row object for each record would cost more than its decoding does. So a chunk keeps, for each
record type, the decoded messages and the rows they belong to; a struct column is made dense and
then spread over the rows, with nulls between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any

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
        dense = struct_array(self.messages[one.column], one.parts)
        if len(rows) == count:
            return dense
        places: list[int | None] = [None] * count
        for place, row in enumerate(rows):
            places[row] = place
        return dense.take(pa.array(places, pa.int32()))


def struct_array(messages: Sequence[Any], parts: Iterable[Part]) -> Any:
    """Decoded messages (never None) as an array of structs."""
    fields, arrays = [], []
    for part in parts:
        values = list(map(attrgetter(part.name), messages))
        type = arrow_type(part)
        convert = _converter(part)
        if convert is not None:
            values = [None if value is None else convert(value) for value in values]
        arrays.append(pa.array(values, type))
        fields.append(pa.field(part.name, type))
    return pa.StructArray.from_arrays(arrays, fields=fields)


def _converter(part: Part) -> Callable[[Any], Any] | None:
    """What makes of a decoded value what Arrow takes; None where that is the same."""
    if part.element == "struct":
        one = _mapping(part.parts)
    elif part.element == "uuid":
        one = _uuid
    elif part.element == "bytes":
        one = bytes
    else:
        return None
    if part.many:
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
