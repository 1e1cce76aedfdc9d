"""A second opinion: messages described with ``construct``, from the schemas alone.

Slow, interpreted and written without a look at the generator, so that two readings of the
protocol have to agree byte for byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import construct

from metaquorum.testing.schemas import FieldText, MessageText
from metaquorum.testing.values import UNKNOWN_TAGS, Value

_FIXED = {
    "bool": construct.Flag,
    "int8": construct.Int8sb,
    "int16": construct.Int16sb,
    "uint16": construct.Int16ub,
    "int32": construct.Int32sb,
    "uint32": construct.Int32ub,
    "int64": construct.Int64sb,
    "float64": construct.Float64b,
    "uuid": construct.Bytes(16),
}
_UVARINT = construct.VarInt
_TAG_ROWS = construct.PrefixedArray(
    _UVARINT,
    construct.Struct(
        "tag" / _UVARINT,
        "data" / construct.Prefixed(_UVARINT, construct.GreedyBytes),
    ),
)


def build(schema: MessageText, version: int, value: Value) -> bytes:
    """The bytes of ``value`` as this reading of the schema has them."""
    return bytes(_description(schema, version).build(value))


def parse(schema: MessageText, version: int, data: bytes) -> Value:
    """The value that ``data`` holds as this reading of the schema has it."""
    value: Value = _description(schema, version).parse(data)
    return value


@cache
def _description(schema: MessageText, version: int) -> Any:
    return _struct(schema.fields, version, schema.is_flexible(version))


class _Blob(construct.Adapter):  # type: ignore[misc]
    """Length, then bytes or text; the length of null is ``null_length``."""

    def __init__(self, length: Any, offset: int, text: bool) -> None:
        size = construct.this.n - offset
        data = construct.Bytes(lambda context: max(size(context), 0))
        super().__init__(construct.Struct("n" / length, "data" / data))
        self.offset = offset
        self.text = text

    def _encode(self, value: Any, context: Any, path: Any) -> Any:
        if value is None:
            return {"n": -1 + self.offset, "data": b""}
        data = value.encode() if self.text else value
        return {"n": len(data) + self.offset, "data": data}

    def _decode(self, row: Any, context: Any, path: Any) -> Any:
        if row.n - self.offset < 0:
            return None
        return row.data.decode() if self.text else row.data


class _Many(construct.Adapter):  # type: ignore[misc]
    """Count, then elements."""

    def __init__(self, count: Any, offset: int, element: Any) -> None:
        items = construct.Array(lambda context: max(context.n - offset, 0), element)
        super().__init__(construct.Struct("n" / count, "items" / items))
        self.offset = offset

    def _encode(self, value: Any, context: Any, path: Any) -> Any:
        if value is None:
            return {"n": -1 + self.offset, "items": []}
        return {"n": len(value) + self.offset, "items": value}

    def _decode(self, row: Any, context: Any, path: Any) -> Any:
        return None if row.n - self.offset < 0 else list(row["items"])


class _MaybeStruct(construct.Adapter):  # type: ignore[misc]
    """A struct that may be null: a byte of -1 says so, or a varint of 0 where it is tagged."""

    def __init__(self, struct: Any, tagged: bool) -> None:
        self.null = 0 if tagged else -1
        mark = _UVARINT if tagged else construct.Int8sb
        inner = construct.If(construct.this.mark > self.null, struct)
        super().__init__(construct.Struct("mark" / mark, "inner" / inner))

    def _encode(self, value: Any, context: Any, path: Any) -> Any:
        return {"mark": self.null if value is None else 1, "inner": value}

    def _decode(self, row: Any, context: Any, path: Any) -> Any:
        return row.inner


class _Tagged(construct.Adapter):  # type: ignore[misc]
    """The plain fields of a struct, then its tagged fields and the tags nobody knows."""

    def __init__(self, plain: Any, tagged: dict[int, tuple[FieldText, Any]], version: int) -> None:
        super().__init__(construct.Struct("plain" / plain, "tags" / _TAG_ROWS))
        self.tagged = tagged
        self.version = version

    def _encode(self, value: Any, context: Any, path: Any) -> Any:
        rows = [
            (tag, description.build(value[field.key]))
            for tag, (field, description) in self.tagged.items()
            if value[field.key] != field.default_value(self.version)
        ]
        rows += value.get(UNKNOWN_TAGS, [])
        return {"plain": value, "tags": [{"tag": t, "data": d} for t, d in sorted(rows)]}

    def _decode(self, row: Any, context: Any, path: Any) -> Any:
        value = _without_io(row.plain)
        for field, _ in self.tagged.values():
            value[field.key] = field.default_value(self.version)
        unknown = []
        for tag in row.tags:
            if tag.tag in self.tagged:
                field, description = self.tagged[tag.tag]
                value[field.key] = description.parse(tag.data)
            else:
                unknown.append((tag.tag, tag.data))
        if unknown:
            value[UNKNOWN_TAGS] = unknown
        return value


class _Plain(construct.Adapter):  # type: ignore[misc]
    """A struct without a tag section."""

    def _encode(self, value: Any, context: Any, path: Any) -> Any:
        return value

    def _decode(self, row: Any, context: Any, path: Any) -> Any:
        return _without_io(row)


def _without_io(row: Any) -> Value:
    return {key: value for key, value in row.items() if key != "_io"}


def _struct(fields: Sequence[FieldText], version: int, flexible: bool) -> Any:
    present = [f for f in fields if version in f.versions]
    plain = construct.Struct(
        *(f.key / _field(f, version, flexible) for f in present if not f.is_tagged(version))
    )
    if not flexible:
        return _Plain(plain)
    tagged = {
        f.tag: (f, _field(f, version, True))
        for f in sorted(present, key=lambda f: f.tag or 0)
        if f.tag is not None and f.is_tagged(version)
    }
    return _Tagged(plain, tagged, version)


def _field(field: FieldText, version: int, flexible: bool) -> Any:
    if field.flexible is not None:
        flexible = version in field.flexible
    element: Any
    if field.fields is not None:
        element = _struct(field.fields, version, flexible)
        if not field.array and version in field.nullable:
            element = _MaybeStruct(element, field.is_tagged(version))
    else:
        element = _scalar(field.element, flexible)
    if not field.array:
        return element
    return _Many(_UVARINT, 1, element) if flexible else _Many(construct.Int32sb, 0, element)


def _scalar(element: str, flexible: bool) -> Any:
    if element in _FIXED:
        return _FIXED[element]
    text = element == "string"
    if flexible:
        return _Blob(_UVARINT, 1, text)
    return _Blob(construct.Int16sb if text else construct.Int32sb, 0, text)
