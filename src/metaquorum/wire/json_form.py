"""Messages as JSON, in the conventions of Kafka's own tools.

Keys are the schema's names in lowerCamelCase, in the schema's order. Every plain field of the
version is there; a tagged one only where it differs from its default; one that the version lacks
never. Bytes and records are base64, uuids their 22 characters, 64-bit integers plain numbers.
Unknown tags have no JSON form and are left out.
"""

from __future__ import annotations

import binascii
import json
import math
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

from metaquorum.base.ids import parse_uuid, uuid_text
from metaquorum.wire.errors import EncodeError, UnsupportedField
from metaquorum.wire.registry import Codec
from metaquorum.wire.shape import (
    FieldShape,
    MessageShape,
    Shape,
    StructShape,
    holds,
    is_default,
    read_shape,
)

Json = dict[str, Any]

_INTEGERS = {
    "int8": (-(1 << 7), (1 << 7) - 1),
    "int16": (-(1 << 15), (1 << 15) - 1),
    "uint16": (0, (1 << 16) - 1),
    "int32": (-(1 << 31), (1 << 31) - 1),
    "uint32": (0, (1 << 32) - 1),
    "int64": (-(1 << 63), (1 << 63) - 1),
}
_LONGEST_INTEGER = 40  # characters; 64 bits need 20
# JSON has no numbers for them; ``json_text`` writes these texts, as Kafka's tools do.
_NOT_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


class JsonFormError(ValueError):
    """A JSON value that is not the message it should be; the text begins with the path."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(path, why)
        self.path = path
        self.why = why

    def __str__(self) -> str:
        return f"{self.path}: {self.why}"


@lru_cache(maxsize=256)
def _shape(raw: Shape) -> MessageShape:
    return read_shape(raw)


def to_json(codec: Codec, message: Any, version: int, *, with_records: bool = True) -> Json:
    """The JSON form of ``message`` in one version, as values that ``json_text`` can print.

    Without records, a records field becomes ``recordsSizeInBytes``, as in Kafka's request logs.
    UnsupportedField for a set field that the version cannot carry, EncodeError for a version
    that the schema does not have.
    """
    shape = _shape(codec.SHAPE)
    if not holds(shape.versions, version):
        low, high = shape.versions or (0, -1)
        raise EncodeError(codec.NAME, f"version {version} is not known, {low} to {high} are")
    return _struct_to_json(shape.top, message, version, codec.NAME, with_records)


def _struct_to_json(
    shape: StructShape, message: Any, version: int, path: str, with_records: bool
) -> Json:
    found: Json = {}
    for each in shape.fields:
        value = getattr(message, each.attribute)
        below = f"{path}.{each.attribute}"
        if not holds(each.versions, version):
            if not each.ignorable and not is_default(each, value):
                raise UnsupportedField(below, f"version {version} cannot carry it")
        elif each.element == "records" and value is not None and not with_records:
            found[f"{each.json_name}SizeInBytes"] = len(value)
        elif not holds(each.tagged, version) or not is_default(each, value):
            found[each.json_name] = _field_to_json(each, value, version, below, with_records)
    return found


def _field_to_json(
    each: FieldShape, value: Any, version: int, path: str, with_records: bool
) -> Any:
    if value is None:
        return None
    if each.is_array:
        return [
            _value_to_json(each, element, version, f"{path}[{index}]", with_records)
            for index, element in enumerate(value)
        ]
    return _value_to_json(each, value, version, path, with_records)


def _value_to_json(
    each: FieldShape, value: Any, version: int, path: str, with_records: bool
) -> Any:
    if each.struct is not None:
        return _struct_to_json(each.struct, value, version, path, with_records)
    if each.element == "uuid":
        return uuid_text(value)
    if each.element in ("bytes", "records"):
        if not isinstance(value, bytes | memoryview):
            raise EncodeError(path, "a slice of a file has no JSON form")
        return b64encode(value).decode("ascii")
    return value


# From JSON.


def from_json(codec: Codec, value: object, version: int) -> Any:
    """The message behind a JSON form; JsonFormError names the place of a fault.

    Plain fields of the version must be there, tagged ones may be left out; keys that the version
    does not have are ignored. Integers may be written as text, in decimal or with 0x; a float64
    that is not finite is always text: NaN, Infinity, -Infinity.
    """
    shape = _shape(codec.SHAPE)
    if not holds(shape.versions, version):
        low, high = shape.versions or (0, -1)
        raise JsonFormError(codec.NAME, f"version {version} is not known, {low} to {high} are")
    return _struct_from_json(shape.top, value, version, codec.NAME)


def _struct_from_json(shape: StructShape, value: object, version: int, path: str) -> Any:
    if not isinstance(value, Mapping):
        raise JsonFormError(path, f"expected an object, found {_kind(value)}")
    fields: dict[str, Any] = {}
    for each in shape.fields:
        if not holds(each.versions, version):
            continue
        if each.json_name in value:
            below = f"{path}.{each.json_name}"
            fields[each.attribute] = _field_from_json(each, value[each.json_name], version, below)
        elif not holds(each.tagged, version):
            raise JsonFormError(path, f"{each.json_name} is missing, version {version} has it")
    return shape.make(**fields)


def _field_from_json(each: FieldShape, value: object, version: int, path: str) -> Any:
    if value is None:
        if not holds(each.nullable, version):
            raise JsonFormError(path, f"null, which version {version} cannot carry")
        return None
    if not each.is_array:
        return _value_from_json(each, value, version, path)
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise JsonFormError(path, f"expected a list, found {_kind(value)}")
    return [
        _value_from_json(each, element, version, f"{path}[{index}]")
        for index, element in enumerate(value)
    ]


def _value_from_json(each: FieldShape, value: object, version: int, path: str) -> Any:
    if each.struct is not None:
        return _struct_from_json(each.struct, value, version, path)
    if each.element in _INTEGERS:
        return _integer(each.element, value, path)
    if each.element == "bool":
        if not isinstance(value, bool):
            raise JsonFormError(path, f"expected true or false, found {_kind(value)}")
        return value
    if each.element == "float64":
        return _float(value, path)
    if not isinstance(value, str):
        raise JsonFormError(path, f"expected a text, found {_kind(value)}")
    if each.element == "string":
        return value
    try:
        return parse_uuid(value) if each.element == "uuid" else b64decode(value, validate=True)
    except (ValueError, binascii.Error) as fault:
        raise JsonFormError(path, str(fault)) from None


def _integer(kind: str, value: object, path: str) -> int:
    if isinstance(value, str):
        if len(value) > _LONGEST_INTEGER:
            raise JsonFormError(path, f"{len(value)} characters are no {kind}")
        try:
            value = int(value, 16 if value.startswith("0x") else 10)
        except ValueError:
            raise JsonFormError(path, f"{value!r} is no {kind}") from None
    if isinstance(value, bool) or not isinstance(value, int):
        raise JsonFormError(path, f"expected a number, found {_kind(value)}")
    low, high = _INTEGERS[kind]
    if not low <= value <= high:
        raise JsonFormError(path, f"{value} is no {kind}: it holds {low} to {high}")
    return value


def _float(value: object, path: str) -> float:
    if isinstance(value, str) and value in _NOT_FINITE:
        return _NOT_FINITE[value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise JsonFormError(path, f"expected a number, found {_kind(value)}")
    try:
        return float(value)
    except OverflowError:
        raise JsonFormError(path, "a number beyond what a float64 holds") from None


def _kind(value: object) -> str:
    return "null" if value is None else type(value).__name__


# Printing, to the byte as Kafka's tools do (their JSON library is Jackson).

_ESCAPED = re.compile(r'["\\\x00-\x1f]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f"}
_SHORT["\r"] = "\\r"


def json_text(value: Any) -> str:
    """``value`` as one line without spaces, escaped and with numbers as Kafka's tools write."""
    if isinstance(value, str):
        return f'"{_ESCAPED.sub(_escape, value)}"'
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return double_text(value) if math.isfinite(value) else f'"{double_text(value)}"'
    if isinstance(value, Mapping):
        inside = ",".join(f"{json_text(key)}:{json_text(below)}" for key, below in value.items())
        return f"{{{inside}}}"
    if isinstance(value, Sequence):
        return f"[{','.join(map(json_text, value))}]"
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _escape(match: re.Match[str]) -> str:
    mark = match.group()
    return _SHORT.get(mark) or f"\\u{ord(mark):04X}"


def double_text(value: float) -> str:
    """A float as Java prints a double: plain from 0.001 to 10 million, else with an E."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    size = abs(value)
    if size == 0:
        return f"{sign}0.0"
    digits = Decimal(repr(size)).as_tuple().digits
    text = "".join(map(str, digits)).rstrip("0") or "0"
    exponent = Decimal(repr(size)).adjusted()
    if 1e-3 <= size < 1e7:
        if exponent < 0:
            return f"{sign}0.{'0' * (-exponent - 1)}{text}"
        whole = text[: exponent + 1].ljust(exponent + 1, "0")
        return f"{sign}{whole}.{text[exponent + 1 :] or '0'}"
    return f"{sign}{text[0]}.{text[1:] or '0'}E{exponent}"
