"""The columns of the source: one row a record, the same for files, quorums and Spark's topics.

Column by column:

- ``offset``, ``epoch``, ``timestamp``: where and when the record was written; a row out of a
  snapshot has the offset that the snapshot's file gives it, which says nothing about the log.
- ``batch_offset``: the base offset of its batch; ``control``: whether it is a control record.
- ``type``, ``type_id``, ``version``: what it is. ``type`` is null for types we do not know.
- ``snapshot_offset``, ``snapshot_epoch``: the id of the snapshot that the row came out of; null
  for rows of the log.
- ``source``: the file, or the quorum's addresses.
- ``raw``: the bytes of the value, for records that could not be decoded (or all: option ``raw``).
- ``problem``: why the record, or everything from its offset on in its batch, could not be read.
- one struct a record type, named as the schema in snake case; null in rows of other types.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

import pyarrow as pa

from metaquorum.base.errors import OperatorError
from pyspark_metaquorum.generated.record_types import CONTROLS, METADATA
from pyspark_metaquorum.record_type import Part, RecordType

_SCALARS: Final[dict[str, Any]] = {
    "bool": pa.bool_(),
    "int8": pa.int8(),
    "int16": pa.int16(),
    "uint16": pa.int32(),  # Spark has no unsigned types: the next wider one holds them all
    "int32": pa.int32(),
    "uint32": pa.int64(),
    "int64": pa.int64(),
    "float64": pa.float64(),
    "string": pa.string(),
    "uuid": pa.string(),  # Kafka's text form
    "bytes": pa.binary(),
}

BASE: Final = (
    ("offset", pa.int64()),
    ("epoch", pa.int32()),
    ("timestamp", pa.timestamp("us", "UTC")),
    ("batch_offset", pa.int64()),
    ("control", pa.bool_()),
    ("type", pa.string()),
    ("type_id", pa.int32()),
    ("version", pa.int32()),
    ("snapshot_offset", pa.int64()),
    ("snapshot_epoch", pa.int32()),
    ("source", pa.string()),
    ("raw", pa.binary()),
    ("problem", pa.string()),
)


def arrow_type(part: Part) -> Any:
    """The Arrow type of one field."""
    one = struct_type(part.parts) if part.element == "struct" else _SCALARS[part.element]
    return pa.list_(one) if part.many else one


def struct_type(parts: Iterable[Part]) -> Any:
    """The Arrow type of a group of fields."""
    return pa.struct([(part.name, arrow_type(part)) for part in parts])


def record_types(names: Collection[str] | None = None) -> tuple[RecordType, ...]:
    """The record types of these names (schema or column), or all: metadata first.

    Raises OperatorError for a name that no record type has.
    """
    known = (*METADATA.values(), *CONTROLS.values())
    if names is None:
        return known
    wanted = set(names)
    found = tuple(one for one in known if one.name in wanted or one.column in wanted)
    unknown = wanted - {one.name for one in found} - {one.column for one in found}
    if unknown:
        raise OperatorError(
            f"no record type is called {', '.join(sorted(unknown))}; known are "
            + ", ".join(one.name for one in known)
        )
    return found


def arrow_schema(types: Iterable[RecordType]) -> Any:
    """The schema of the rows with a struct for each of these types that has fields."""
    structs = [(one.column, struct_type(one.parts)) for one in types if one.parts]
    return pa.schema([*BASE, *structs])
