"""Values of any message drawn fast by one seeded generator, with a liking for edges.

The Hypothesis strategies shrink what fails and take milliseconds a value; these take a hundred
microseconds and are for long runs against another implementation. Case ``number`` of a message
and version is always the same value: the first ones are of each kind (``KINDS``) once, the rest
of those kinds that chance makes differ (``VARIED``).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from attrs import define

from metaquorum.testing.schemas import FieldText, MessageText
from metaquorum.testing.values import (
    FIRST_UNKNOWN_TAG,
    INTEGER_BITS,
    UNKNOWN_TAGS,
    Value,
    integer_bounds,
)

KINDS = ("defaults", "nothing", "empty", "lowest", "highest", "long", "tags", "mixed")
VARIED = ("tags", "mixed", "lowest", "mixed", "long", "mixed", "highest", "mixed")
NEVER_NULL = ("empty", "long")  # what is empty is not null: the two differ on the wire
LONG_LENGTHS = (127, 128, 129, 300)  # around the first length whose varint has two bytes
ELEMENTS = 600  # of all arrays of one value together; beyond that they are short
DEEP = 2  # elements of an array that holds arrays, in long values
MANY_TAGS = 140  # their number takes two bytes, too
LAST_TAG = (1 << 31) - 2  # one more is a tag that Kafka reads, and does not write
_TEXTS = ("", "a", "user-ä", "\U0001f9ea", "\0", '"\\\n', "x" * 127, "x" * 128, "ü" * 300)
_BLOBS = (b"", b"\0", b"\xff" * 3, bytes(range(126)), bytes(127), bytes(128))
# Around the first length whose varint has three bytes, and the longest that a string may have.
_HUGE_TEXTS = ("x" * 16_382, "x" * 16_383, "x" * 32_767)
_HUGE_BLOBS = (bytes(16_382), bytes(16_383), bytes(32_768))
_HUGE_SHARE = 0.002
_FLOATS = (0.0, -0.0, 1.5, -2.25, 5e-324, 1.7976931348623157e308, float("inf"), float("-inf"))


@define
class _Draw:
    """One value in the making."""

    chance: random.Random
    kind: str
    left: int = ELEMENTS


_Drawer = Callable[[_Draw], Any]


def value(schema: MessageText, version: int, number: int, seed: int = 0) -> Value:
    """Case ``number`` of ``schema`` in ``version``."""
    chance = random.Random(f"{schema.name} {version} {number} {seed}")
    kind = KINDS[number] if number < len(KINDS) else VARIED[number % len(VARIED)]
    drawn: Value = _message(schema, version)(_Draw(chance, kind))
    return drawn


@cache
def _message(schema: MessageText, version: int) -> _Drawer:
    return _struct(schema.fields, version, schema.is_flexible(version))


def _struct(fields: Sequence[FieldText], version: int, flexible: bool) -> _Drawer:
    rows = [(f.key, _field(f, version, flexible)) for f in fields if version in f.versions]

    def draw(state: _Draw) -> Value:
        drawn = {key: drawer(state) for key, drawer in rows}
        if flexible and state.kind in ("tags", "mixed"):
            tags = _unknown_tags(state)
            if tags:
                drawn[UNKNOWN_TAGS] = tags
        return drawn

    return draw


def _unknown_tags(state: _Draw) -> list[tuple[int, bytes]]:
    chance = state.chance
    if state.kind == "mixed" and chance.random() < 0.9:
        return []
    if state.left > MANY_TAGS and chance.random() < 0.1:
        state.left -= MANY_TAGS
        return [(FIRST_UNKNOWN_TAG + each, b"") for each in range(MANY_TAGS)]
    numbers = {FIRST_UNKNOWN_TAG, LAST_TAG, chance.randint(FIRST_UNKNOWN_TAG, LAST_TAG)}
    kept = sorted(numbers)[: chance.randint(1, 3)]
    return [(number, chance.choice(_BLOBS)) for number in kept]


def _field(field: FieldText, version: int, flexible: bool) -> _Drawer:
    one = (
        _scalar(field.element) if field.fields is None else _struct(field.fields, version, flexible)
    )
    drawer = _array(field, one) if field.array else one
    default = field.default_value(version)
    nullable = version in field.nullable

    def draw(state: _Draw) -> Any:
        kind = state.kind
        if kind == "defaults":
            return default
        if nullable and kind == "nothing":
            return None
        if nullable and kind not in NEVER_NULL and state.chance.random() < 0.2:
            return None
        if kind == "mixed" and state.chance.random() < 0.15:
            return default
        return drawer(state)

    return draw


def _array(field: FieldText, one: _Drawer) -> _Drawer:
    deep = field.fields is not None and any(f.array for f in field.fields)

    def draw(state: _Draw) -> list[Any]:
        if state.kind in ("nothing", "empty"):
            return []
        length = state.chance.choice((0, 1, 1, 2, 3))
        if state.kind == "long":
            length = DEEP if deep else state.chance.choice(LONG_LENGTHS)
        elif state.kind == "mixed" and not deep and state.chance.random() < 0.05:
            length = state.chance.choice(LONG_LENGTHS)
        if length > max(state.left, 0):
            length = 0 if state.left < 0 else 1
        state.left -= length
        return [one(state) for _ in range(length)]

    return draw


@cache
def _scalar(element: str) -> _Drawer:
    if element == "bool":
        return lambda state: state.kind == "highest" or state.chance.random() < 0.5
    if element in INTEGER_BITS:
        return _integer(*integer_bounds(element))
    if element == "float64":
        return lambda state: state.chance.choice((*_FLOATS, state.chance.uniform(-1e9, 1e9)))
    if element == "uuid":
        return _uuid
    return _text if element == "string" else _blob


def _integer(low: int, high: int) -> _Drawer:
    edges = tuple({low, low + 1, max(low, -1), 0, 1, 127, high - 1, high} & {*range(low, high + 1)}
                  if high < 1 << 8 else
                  {low, low + 1, max(low, -1), 0, 1, 127, 128, 255, high - 1, high})  # fmt: skip
    ordered = sorted(edges)

    def draw(state: _Draw) -> int:
        if state.kind in ("lowest", "highest"):
            return low if state.kind == "lowest" else high
        chance = state.chance
        return chance.choice(ordered) if chance.random() < 0.6 else chance.randint(low, high)

    return draw


def _uuid(state: _Draw) -> bytes:
    if state.kind in ("lowest", "highest"):
        return bytes(16) if state.kind == "lowest" else b"\xff" * 16
    return state.chance.randbytes(16)


def _text(state: _Draw) -> str:
    if state.kind in ("nothing", "empty"):
        return ""
    chance = state.chance
    roll = chance.random()
    if roll < 0.5:
        return chance.choice(_HUGE_TEXTS if roll < _HUGE_SHARE else _TEXTS)
    return "".join(map(chr, chance.choices(range(32, 0x7FF), k=chance.randint(0, 24))))


def _blob(state: _Draw) -> bytes:
    if state.kind in ("nothing", "empty"):
        return b""
    chance = state.chance
    roll = chance.random()
    if roll < 0.5:
        return chance.choice(_HUGE_BLOBS if roll < _HUGE_SHARE else _BLOBS)
    return chance.randbytes(chance.randint(0, 24))
