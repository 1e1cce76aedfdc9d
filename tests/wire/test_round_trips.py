"""Drawn values of every message and version survive the wire, and three readings agree."""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from typing import Any

import pytest
from aiokafka.protocol import admin, commit, coordination, fetch, group, metadata, offset, produce
from aiokafka.protocol.api import RequestStruct, Response
from aiokafka.protocol.types import Array, Schema
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from metaquorum.testing import construct_reading, strategies, values
from metaquorum.testing.schemas import FieldText, MessageText, all_messages, message
from metaquorum.wire import json_form

EXAMPLES = 4
quick = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    database=None,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize("schema", all_messages(), ids=lambda schema: schema.name)
def test_values_survive_the_wire_and_a_second_reading_agrees(schema: MessageText) -> None:
    for version in schema.versions:
        _check_version(schema, version)


def _check_version(schema: MessageText, version: int) -> None:
    module = values.codec(schema)

    @quick
    @given(strategies.messages(schema, version))
    def agrees(value: values.Value) -> None:
        data = module.encode(values.build(schema, value), version)
        assert data.hex() == construct_reading.build(schema, version, value).hex()
        decoded, end = module.get(data, 0, version)
        assert values.plain(schema, version, decoded) == value
        assert end == len(data)
        if not _has_unknown_tags(schema, version, value):
            spelled = json.loads(json.dumps(json_form.to_json(module, decoded, version)))
            assert spelled == values.kafka_json(schema, version, value)
            again = json_form.from_json(module, spelled, version)
            assert module.encode(again, version) == data

    agrees()


@pytest.mark.parametrize("schema", all_messages(), ids=lambda schema: schema.name)
def test_long_arrays_survive_the_wire_with_and_without_unknown_tags(schema: MessageText) -> None:
    module = values.codec(schema)
    flexible = [v for v in schema.versions if schema.is_flexible(v)]
    plain = [v for v in schema.versions if not schema.is_flexible(v)]
    for version in [*plain[-1:], *flexible[-1:]]:
        value = values.example(schema, version, "full")
        long = values.lengthened(schema, version, value)
        for last_has_tags in (False, True) if version in flexible else (False,):
            if last_has_tags:
                *_, last = values.structs_of(schema.fields, version, long)
                last[values.UNKNOWN_TAGS] = [(values.FIRST_UNKNOWN_TAG, b"tag")]
            data = construct_reading.build(schema, version, long)
            assert module.encode(values.build(schema, long), version).hex() == data.hex()
            assert values.plain(schema, version, module.decode(data, version)) == long


def _has_unknown_tags(schema: MessageText, version: int, value: values.Value) -> bool:
    return any(
        values.UNKNOWN_TAGS in struct for struct in values.structs_of(schema.fields, version, value)
    )


# aiokafka's protocol classes as the third reading.

AIOKAFKA_MODULES = (admin, commit, coordination, fetch, group, metadata, offset, produce)
# Its classes of flexible versions cannot carry tags, and two nest what is flat elsewhere. In others
# it departs from what Kafka's own classes write (our golden frames decide).
NOT_COMPARED = {
    ("CreatePartitionsRequest", 0): "count and assignments are a struct of their own",
    ("CreatePartitionsRequest", 1): "count and assignments are a struct of their own",
    ("OffsetRequest", 4): "current_leader_epoch has eight bytes instead of four",
    ("OffsetRequest", 5): "current_leader_epoch has eight bytes instead of four",
}


def _aiokafka_classes() -> list[tuple[MessageText, Any]]:
    by_key = {(schema.api_key, schema.kind): schema for schema in all_messages()}
    found = []
    for module in AIOKAFKA_MODULES:
        for name, cls in vars(module).items():
            title, _, version = name.rpartition("_v")
            if not inspect.isclass(cls) or not version.isdigit():
                continue
            if (title, int(version)) in NOT_COMPARED:
                continue
            if issubclass(cls, RequestStruct | Response):
                kind = "request" if issubclass(cls, RequestStruct) else "response"
                schema = by_key.get((cls.API_KEY, kind))
                if schema is not None and not schema.is_flexible(int(version)):
                    found.append((schema, cls))
    return found


def _name(item: Any) -> str:
    return item.name if isinstance(item, MessageText) else str(item.__name__)


@pytest.mark.parametrize(("schema", "cls"), _aiokafka_classes(), ids=_name)
def test_aiokafka_agrees(schema: MessageText, cls: Any) -> None:
    module = values.codec(schema)
    version = cls.API_VERSION

    @quick
    @given(strategies.messages(schema, version))
    def agrees(value: values.Value) -> None:
        theirs = cls(*_positional(cls.SCHEMA, schema.fields, version, value)).encode()
        assert theirs.hex() == module.encode(values.build(schema, value), version).hex()

    agrees()


def test_aiokafka_covers_what_it_is_thought_to_cover() -> None:
    assert len(_aiokafka_classes()) >= 120


def _positional(
    theirs: Schema, fields: Sequence[FieldText], version: int, value: values.Value
) -> list[Any]:
    present = [f for f in fields if version in f.versions]
    return [
        _item(kind, field, version, value[field.key])
        for kind, field in zip(theirs.fields, present, strict=True)
    ]


def _item(kind: Any, field: FieldText, version: int, value: Any) -> Any:
    if field.fields is None or value is None:
        return value
    if not isinstance(kind, Array):
        return _positional(kind, field.fields, version, value)
    if isinstance(kind.array_of, Schema):
        return [_positional(kind.array_of, field.fields, version, each) for each in value]
    # A struct of one field is spelled as that field alone.
    (only,) = (f for f in field.fields if version in f.versions)
    return [each[only.key] for each in value]


def _reaches(strategy: st.SearchStrategy[values.Value], wanted: Any) -> values.Value:
    return find(strategy, wanted, settings=settings(quick, max_examples=500))


def test_the_strategies_reach_nulls_unknown_tags_and_every_depth() -> None:
    schema = message("FetchResponse")
    drawn = strategies.messages(schema, 17)

    def partitions(value: values.Value) -> list[values.Value]:
        return [each for topic in value["responses"] for each in topic["partitions"]]

    assert _reaches(drawn, lambda value: values.UNKNOWN_TAGS in value)
    assert _reaches(drawn, lambda v: any(p["abortedTransactions"] is None for p in partitions(v)))
    assert _reaches(drawn, lambda v: any(p["abortedTransactions"] for p in partitions(v)))
    assert _reaches(drawn, lambda v: any(values.UNKNOWN_TAGS in p for p in partitions(v)))
    assert _reaches(drawn, lambda v: any(p["snapshotId"]["epoch"] != -1 for p in partitions(v)))
