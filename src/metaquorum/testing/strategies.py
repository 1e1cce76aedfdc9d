"""Hypothesis strategies for the values of any message in any version."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from hypothesis import strategies as st

from metaquorum.testing.schemas import FieldText, MessageText
from metaquorum.testing.values import (
    FIRST_UNKNOWN_TAG,
    INTEGER_BITS,
    UNKNOWN_TAGS,
    Value,
    integer_bounds,
)

MAX_ITEMS = 4  # of an array
MAX_BYTES = 300  # two bytes of varint length and more

_texts = st.text(st.characters(codec="utf-8"), max_size=24) | st.just("x" * MAX_BYTES)
_blobs = st.binary(max_size=24) | st.just(bytes(MAX_BYTES))
_unknown_tags = st.dictionaries(
    st.integers(FIRST_UNKNOWN_TAG, (1 << 31) - 1), _blobs, min_size=1, max_size=2
).map(lambda tags: sorted(tags.items()))


@cache
def messages(schema: MessageText, version: int) -> st.SearchStrategy[Value]:
    """Values of ``schema`` in ``version``, unknown tags now and then at any depth."""
    return _structs(schema.fields, version, schema.is_flexible(version))


def _structs(fields: Sequence[FieldText], version: int, flexible: bool) -> st.SearchStrategy[Value]:
    known: dict[str, st.SearchStrategy[Any]] = {
        field.key: _fields(field, version, flexible)
        for field in fields
        if version in field.versions
    }
    optional: dict[str, st.SearchStrategy[Any]] = {UNKNOWN_TAGS: _unknown_tags} if flexible else {}
    return st.fixed_dictionaries(known, optional=optional)


def _fields(field: FieldText, version: int, flexible: bool) -> st.SearchStrategy[Any]:
    one = (
        _scalars(field.element)
        if field.fields is None
        else _structs(field.fields, version, flexible)
    )
    found: st.SearchStrategy[Any] = st.lists(one, max_size=MAX_ITEMS) if field.array else one
    if version in field.nullable:
        found = st.none() | found
    if field.is_tagged(version):
        found = st.just(field.default_value(version)) | found
    return found


@cache
def _scalars(element: str) -> st.SearchStrategy[Any]:
    if element == "bool":
        return st.booleans()
    if element in INTEGER_BITS:
        low, high = integer_bounds(element)
        return st.integers(low, high)
    if element == "float64":
        return st.floats(allow_nan=False)  # a NaN is unequal to itself; the goldens have none
    if element == "uuid":
        return st.binary(min_size=16, max_size=16)
    return _texts if element == "string" else _blobs
