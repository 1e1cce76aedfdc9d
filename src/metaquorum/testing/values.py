"""Plain values of messages: dicts with the keys of Kafka's JSON form, bytes kept as bytes.

A value holds exactly the fields that its version has. ``UNKNOWN_TAGS`` stands beside the
fields where a struct carries tags that the schema does not know. From such a value come
instances of the generated classes, Kafka's JSON text, and what ``construct`` builds.
"""

from __future__ import annotations

import base64
import importlib
import random
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

from metaquorum.testing.schemas import FieldText, MessageText

UNKNOWN_TAGS = "unknown tags"
INTEGER_BITS = {"int8": 8, "int16": 16, "uint16": 16, "int32": 32, "uint32": 32, "int64": 64}
FIRST_UNKNOWN_TAG = 10_000  # far above every tag of Kafka's

Value = dict[str, Any]


def integer_bounds(element: str) -> tuple[int, int]:
    """The least and the greatest number that fits."""
    bits = INTEGER_BITS[element]
    if element.startswith("u"):
        return 0, (1 << bits) - 1
    return -(1 << (bits - 1)), (1 << (bits - 1)) - 1


def codec(schema: MessageText) -> ModuleType:
    """The generated module of a message."""
    return importlib.import_module(f"metaquorum.wire.generated.{schema.module}")


# From plain values to generated objects and back.


def build(schema: MessageText, value: Value) -> Any:
    """The generated object that means ``value``."""
    module = codec(schema)
    return _build(module, getattr(module, schema.name), schema.fields, value)


def _build(module: ModuleType, cls: Any, fields: Sequence[FieldText], value: Value) -> Any:
    names = cls.__slots__
    arguments: dict[str, Any] = {}
    for field, name in zip(fields, names[:-1], strict=True):
        if field.key in value:
            arguments[name] = _build_field(module, field, value[field.key])
    if UNKNOWN_TAGS in value:
        arguments[names[-1]] = tuple(value[UNKNOWN_TAGS])
    return cls(**arguments)


def _build_field(module: ModuleType, field: FieldText, value: Any) -> Any:
    if field.fields is None or value is None:
        return value
    cls = getattr(module, field.element)
    if field.array:
        return [_build(module, cls, field.fields, item) for item in value]
    return _build(module, cls, field.fields, value)


def plain(schema: MessageText, version: int, message: Any) -> Value:
    """The value that a generated object means in ``version``."""
    return _plain(schema.fields, version, message)


def _plain(fields: Sequence[FieldText], version: int, message: Any) -> Value:
    names = message.__slots__
    value: Value = {}
    for field, name in zip(fields, names[:-1], strict=True):
        if version in field.versions:
            value[field.key] = _plain_field(field, version, getattr(message, name))
    tags = getattr(message, names[-1])
    if tags:
        value[UNKNOWN_TAGS] = [(tag, bytes(data)) for tag, data in tags]
    return value


def _plain_field(field: FieldText, version: int, value: Any) -> Any:
    if value is None:
        return None
    if field.fields is not None:
        if field.array:
            return [_plain(field.fields, version, item) for item in value]
        return _plain(field.fields, version, value)
    if field.array:
        return [bytes(v) if isinstance(v, memoryview) else v for v in value]
    return bytes(value) if isinstance(value, memoryview) else value


# To Kafka's JSON form.


def kafka_json(schema: MessageText, version: int, value: Value) -> Value:
    """``value`` as Kafka's converters spell it: tagged fields at their default left out."""
    return _kafka_json(schema.fields, version, value)


def _kafka_json(fields: Sequence[FieldText], version: int, value: Value) -> Value:
    spelled: Value = {}
    for field in fields:
        if field.key not in value:
            continue
        item = value[field.key]
        if field.is_tagged(version) and item == field.default_value(version):
            continue
        spelled[field.key] = _kafka_json_item(field, version, item)
    return spelled


def _kafka_json_item(field: FieldText, version: int, item: Any) -> Any:
    if item is None:
        return None
    if isinstance(item, list):
        return [_kafka_json_item(field, version, each) for each in item]
    if field.fields is not None:
        return _kafka_json(field.fields, version, item)
    if field.element == "uuid":
        return base64.urlsafe_b64encode(item).decode().rstrip("=")
    if isinstance(item, bytes):
        return base64.b64encode(item).decode()
    return item


def from_kafka_json(schema: MessageText, version: int, spelled: Mapping[str, Any]) -> Value:
    """The value behind Kafka's JSON form."""
    return _from_kafka_json(schema.fields, version, spelled)


def _from_kafka_json(
    fields: Sequence[FieldText], version: int, spelled: Mapping[str, Any]
) -> Value:
    value: Value = {}
    for field in fields:
        if version not in field.versions:
            continue
        if field.key in spelled:
            value[field.key] = _from_kafka_json_item(field, version, spelled[field.key])
        else:
            value[field.key] = field.default_value(version)
    return value


def _from_kafka_json_item(field: FieldText, version: int, item: Any) -> Any:
    if item is None:
        return None
    if isinstance(item, list):
        return [_from_kafka_json_item(field, version, each) for each in item]
    if field.fields is not None:
        return _from_kafka_json(field.fields, version, item)
    if field.element == "uuid":
        return base64.urlsafe_b64decode(item + "==")
    if field.element in ("bytes", "records"):
        return base64.b64decode(item)
    return item


# Worked examples: the same for the same message, version and variant, everywhere.

_STRINGS = ("a", "user-ä", "__cluster_metadata", "CONTROLLER", "10.0.0.1")
LONG = 130  # elements, whose number takes two bytes as a varint
VARIANTS = ("defaults", "empty", "full")


def example(schema: MessageText, version: int, variant: str) -> Value:
    """One worked value: all ``defaults``; ``empty`` (null where it may be); or ``full``."""
    chance = random.Random(f"{schema.name} {version} {variant}")
    return _example(schema.fields, version, variant, chance)


def example_struct(fields: Sequence[FieldText], version: int) -> Value:
    """One worked value of a struct, full."""
    return _example(fields, version, "full", random.Random(version))


def _example(
    fields: Sequence[FieldText], version: int, variant: str, chance: random.Random
) -> Value:
    return {
        f.key: _example_field(f, version, variant, chance) for f in fields if version in f.versions
    }


def _example_field(field: FieldText, version: int, variant: str, chance: random.Random) -> Any:
    if variant == "empty" and version in field.nullable:
        return None
    if variant != "full" and field.array:
        return [] if variant == "empty" else field.default_value(version)
    if variant == "defaults":
        return field.default_value(version)
    if field.array:
        return [_example_item(field, version, variant, chance) for _ in range(_length(field))]
    return _example_item(field, version, variant, chance)


def _length(field: FieldText) -> int:
    """Two elements where each holds arrays of its own, else four: enough for row-wise codecs."""
    return 2 if field.fields is not None and any(f.array for f in field.fields) else 4


def _example_item(field: FieldText, version: int, variant: str, chance: random.Random) -> Any:
    if field.fields is not None:
        return _example(field.fields, version, variant, chance)
    if variant == "empty" and field.element in ("string", "bytes", "records"):
        return "" if field.element == "string" else b""
    return _example_scalar(field.element, chance)


def _example_scalar(element: str, chance: random.Random) -> Any:
    if element == "bool":
        return True
    if element in INTEGER_BITS:
        low, high = integer_bounds(element)
        return chance.choice((1, high, low, chance.randint(low, high)))
    if element == "float64":
        return chance.choice((0.5, -1.25, 1048576.0, 3.0517578125e-05))
    if element == "uuid":
        return bytes(chance.randrange(256) for _ in range(16))
    if element == "string":
        return chance.choice(("", *_STRINGS, *_STRINGS, "x" * 130))
    return bytes(chance.randrange(256) for _ in range(chance.choice((1, 3, 5, 7, 130))))


def lengthened(schema: MessageText, version: int, value: Value) -> Value:
    """``value`` with 130 elements in arrays that are not empty and hold no arrays.

    Of the elements of arrays that hold some only the last gets them: that keeps deep ones small.
    """
    return _lengthened(schema.fields, version, value)


def _lengthened(fields: Sequence[FieldText], version: int, value: Value) -> Value:
    longer = dict(value)
    for field in fields:
        inner = value.get(field.key)
        if not inner or not (field.array or field.fields):
            continue
        if field.fields is not None and not field.array:
            longer[field.key] = _lengthened(field.fields, version, inner)
        elif field.fields is not None:
            longer[field.key] = [*inner[:-1], _lengthened(field.fields, version, inner[-1])]
        if field.array and _length(field) == 4:
            found = longer[field.key]
            longer[field.key] = [found[i % len(found)] for i in range(LONG)]
    return longer


def structs_of(fields: Sequence[FieldText], version: int, value: Value) -> Iterator[Value]:
    """Every struct inside a value, the outermost first."""
    yield value
    for field in fields:
        inner = value.get(field.key)
        if field.fields is None or inner is None:
            continue
        for item in inner if field.array else [inner]:
            yield from structs_of(field.fields, version, item)
