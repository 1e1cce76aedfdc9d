"""What a version cannot carry is refused, unless the schema lets it be dropped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.testing import values
from metaquorum.testing.schemas import FieldText, MessageText, all_messages
from metaquorum.testing.values import Value
from metaquorum.wire.primitives import EncodeError, UnsupportedField

EACH_MESSAGE = pytest.mark.parametrize("schema", all_messages(), ids=lambda schema: schema.name)
Spot = tuple[FieldText, ...]  # a field, behind the fields whose structs hold it


def spots(fields: Sequence[FieldText], version: int, behind: Spot = ()) -> Iterator[Spot]:
    """Every field at every depth whose holders exist in ``version``."""
    for field in fields:
        yield (*behind, field)
        if field.fields is not None and version in field.versions:
            yield from spots(field.fields, version, (*behind, field))


def with_value(schema: MessageText, version: int, spot: Spot, what: Any) -> Value:
    """A message at its defaults but for the field at ``spot``."""
    top = values.example(schema, version, "defaults")
    struct = top
    for holder in spot[:-1]:
        assert holder.fields is not None
        inner = {f.key: f.default_value(version) for f in holder.fields if version in f.versions}
        struct[holder.key] = [inner] if holder.array else inner
        struct = inner
    struct[spot[-1].key] = what
    return top


def without(value: Value, spot: Spot) -> Value:
    """The same without the field at ``spot``."""
    copied = dict(value)
    first, *rest = spot
    if not rest:
        del copied[first.key]
    elif first.array:
        copied[first.key] = [without(copied[first.key][0], tuple(rest))]
    else:
        copied[first.key] = without(copied[first.key], tuple(rest))
    return copied


def something(schema: MessageText, field: FieldText) -> Any:
    """A value of ``field`` that is not its default."""
    version = field.versions.low
    default = field.default_value(version)
    if field.fields is not None:
        inner = values.example_struct(field.fields, version)
        return [inner] if field.array else inner
    candidates = {
        "bool": (True, False),
        "string": ("text",),
        "uuid": (b"u" * 16,),
        "bytes": (b"data",),
        "records": (b"data",),
        "float64": (2.5,),
    }.get(field.element, (17, 18))
    if field.array:
        return [candidates[0]]
    return next(c for c in candidates if c != default)


@EACH_MESSAGE
def test_a_field_that_the_version_lacks_is_refused_or_ignorable(schema: MessageText) -> None:
    module = values.codec(schema)
    for version in schema.versions:
        for spot in spots(schema.fields, version):
            field = spot[-1]
            if version in field.versions:
                continue
            value = with_value(schema, version, spot, something(schema, field))
            message = values.build(schema, value)
            where = f"v{version} {'.'.join(f.key for f in spot)}"
            if field.ignorable:
                plain = module.encode(values.build(schema, without(value, spot)), version)
                assert module.encode(message, version) == plain, where
            else:
                with pytest.raises(UnsupportedField) as refused:
                    module.encode(message, version)
                assert refused.value.path.startswith(module.NAME), where
                attribute = _attribute(schema, message, spot)
                assert refused.value.path.endswith(attribute), where


def _attribute(schema: MessageText, message: Any, spot: Spot) -> str:
    """The Python name of the field at ``spot``."""
    fields = schema.fields
    for holder in spot[:-1]:
        inner = getattr(message, message.__slots__[fields.index(holder)])
        message = inner[0] if holder.array else inner
        assert holder.fields is not None
        fields = holder.fields
    return str(message.__slots__[fields.index(spot[-1])])


@EACH_MESSAGE
def test_null_is_refused_where_the_version_does_not_allow_it(schema: MessageText) -> None:
    module = values.codec(schema)
    for version in schema.versions:
        for spot in spots(schema.fields, version):
            field = spot[-1]
            if version not in field.versions or version in field.nullable:
                continue
            # None given for a struct or for a tagged field means its default; for a bool, False.
            single_struct = field.fields is not None and not field.array
            if single_struct or field.is_tagged(version) or field.element == "bool":
                continue
            message = values.build(schema, with_value(schema, version, spot, None))
            with pytest.raises(EncodeError) as refused:
                module.encode(message, version)
            assert not isinstance(refused.value, InvariantViolated)
            assert refused.value.path.startswith(module.NAME)


@EACH_MESSAGE
def test_values_that_do_not_fit_are_refused(schema: MessageText) -> None:
    module = values.codec(schema)
    for version in schema.versions:
        for spot in spots(schema.fields, version):
            field = spot[-1]
            if version not in field.versions or field.fields is not None:
                continue
            for bad in _misfits(field.element):
                what = [bad] if field.array else bad
                message = values.build(schema, with_value(schema, version, spot, what))
                with pytest.raises(EncodeError) as refused:
                    module.encode(message, version)
                assert refused.value.path.startswith(module.NAME)


def _misfits(element: str) -> list[Any]:
    if element in values.INTEGER_BITS:
        low, high = values.integer_bounds(element)
        return [low - 1, high + 1, "1"]
    if element == "string":
        return ["x" * 32_768, b"bytes", "\ud800"]
    if element == "uuid":
        return [b"short", b"x" * 17]
    if element in ("bytes", "records"):
        return [7]
    return []
