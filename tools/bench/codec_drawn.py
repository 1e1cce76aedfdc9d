"""Twenty messages drawn from the whole catalogue, filled with values that every codec takes.

Which ones is a matter of a seed. The values are modest: small numbers, short names, three
elements where there are many; other codecs make dates, durations and enumerations of some.
"""

from __future__ import annotations

from random import Random
from typing import Any

from metaquorum.testing import values
from metaquorum.testing.schemas import FieldText, MessageText, all_messages
from tools.bench.codec_messages import Case

SEED = 4
LEAST_FIELDS = 5  # a message of less says nothing about a codec
SHARES = {"request": 7, "response": 7, "metadata": 3, "data": 1, "coordinator-value": 2}
ELEMENTS = 3
BLOB_BYTES = 40


def drawn_cases(highest: dict[str, int]) -> list[Case]:
    """The twenty, each in its newest version, or in the newest that ``highest`` allows it."""
    chance = Random(SEED)
    found = []
    for kind, count in SHARES.items():
        known = [one for one in all_messages() if one.kind == kind and _is_worth_it(one)]
        for schema in sorted(chance.sample(known, count), key=lambda one: one.name):
            version = min(schema.versions.high, highest.get(schema.name, schema.versions.high))
            value = _struct(schema.fields, version, chance)
            message = values.build(schema, value)
            name = f"{schema.name} v{version}"
            found.append(Case(name, values.codec(schema), version, message, drawn=True))
    return found


def _is_worth_it(schema: MessageText) -> bool:
    return bool(list(schema.versions)) and _count(schema.fields) >= LEAST_FIELDS


def _count(fields: tuple[FieldText, ...]) -> int:
    return sum(1 + (0 if one.fields is None else _count(one.fields)) for one in fields)


def _struct(fields: tuple[FieldText, ...], version: int, chance: Random) -> values.Value:
    return {
        one.key: _field(one, version, chance)
        for one in fields
        if version in one.versions and not one.is_tagged(version)
    }


def _field(field: FieldText, version: int, chance: Random) -> Any:
    if field.array:
        return [_one(field, version, chance) for _ in range(ELEMENTS)]
    return _one(field, version, chance)


def _one(field: FieldText, version: int, chance: Random) -> Any:
    if field.fields is not None:
        return _struct(field.fields, version, chance)
    if field.element == "string":
        return f"{field.key}-{chance.randrange(1000)}"
    if field.element in ("bytes", "records"):
        return chance.randbytes(BLOB_BYTES)
    if field.element == "uuid":
        return chance.randbytes(16)
    if field.element == "bool":
        return chance.random() < 0.5
    if field.element == "float64":
        return chance.random()
    if field.name.endswith("ErrorCode"):
        return 0
    return chance.randrange(100)
