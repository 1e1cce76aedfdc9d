"""Our bytes and our JSON are those of Kafka's own classes, for every message and version."""

from __future__ import annotations

import json

import pytest

from metaquorum.testing import construct_reading, golden, values
from metaquorum.testing.schemas import MessageText, all_messages
from metaquorum.wire import json_form

EACH_MESSAGE = pytest.mark.parametrize("schema", all_messages(), ids=lambda schema: schema.name)


@EACH_MESSAGE
def test_encodes_to_the_bytes_that_kafka_writes(schema: MessageText) -> None:
    module = values.codec(schema)
    for frame in golden.frames(schema):
        message = values.build(schema, frame.value)
        assert module.encode(message, frame.version).hex() == frame.data.hex(), str(frame)


@EACH_MESSAGE
def test_decodes_what_kafka_wrote(schema: MessageText) -> None:
    module = values.codec(schema)
    for frame in golden.frames(schema):
        message, end = module.get(frame.data, 0, frame.version)
        assert values.plain(schema, frame.version, message) == frame.value, str(frame)
        assert end == len(frame.data), str(frame)


@EACH_MESSAGE
def test_decodes_from_the_middle_of_a_buffer_and_leaves_the_rest(schema: MessageText) -> None:
    module = values.codec(schema)
    for frame in golden.frames(schema):
        buffer = memoryview(b"\xff\xff\xff" + frame.data + b"\xff\xff")
        message, end = module.get(buffer, 3, frame.version)
        assert values.plain(schema, frame.version, message) == frame.value, str(frame)
        assert end == 3 + len(frame.data), str(frame)
        assert module.decode(buffer, frame.version, 3) == message


@EACH_MESSAGE
def test_spells_messages_in_json_as_kafka_does(schema: MessageText) -> None:
    module = values.codec(schema)
    for frame in golden.frames(schema):
        message = module.decode(frame.data, frame.version)
        spelled = json_form.to_json(module, message, frame.version)
        # Compared as text: the order of keys and the look of numbers count, too.
        assert json.dumps(spelled) == json.dumps(frame.spelled), str(frame)


@EACH_MESSAGE
def test_reads_kafkas_json(schema: MessageText) -> None:
    module = values.codec(schema)
    for frame in golden.frames(schema):
        if frame.variant == "tags":  # the JSON form cannot say what nobody knows
            continue
        message = json_form.from_json(module, frame.spelled, frame.version)
        assert module.encode(message, frame.version).hex() == frame.data.hex(), str(frame)


@EACH_MESSAGE
def test_a_second_reading_of_the_schema_agrees_with_kafka(schema: MessageText) -> None:
    for frame in golden.frames(schema):
        built = construct_reading.build(schema, frame.version, frame.value)
        assert built.hex() == frame.data.hex(), str(frame)
        parsed = construct_reading.parse(schema, frame.version, frame.data)
        assert parsed == frame.value, str(frame)


@EACH_MESSAGE
def test_every_version_has_its_frames(schema: MessageText) -> None:
    for version in schema.versions:
        found = [f.variant for f in golden.frames(schema) if f.version == version]
        tags = ["tags"] if schema.is_flexible(version) else []
        assert found == [*values.VARIANTS, *tags], version
    assert {f.version for f in golden.frames(schema)} == set(schema.versions)


def test_no_golden_file_is_without_a_schema() -> None:
    expected = {golden.file_of(schema) for schema in all_messages()}
    assert set(golden.GOLDEN.iterdir()) == expected


@EACH_MESSAGE
def test_modules_state_what_their_schema_states(schema: MessageText) -> None:
    module = values.codec(schema)
    assert schema.name == module.NAME
    assert (
        schema.versions.low,
        schema.versions.high,
    ) == (module.LOWEST_VERSION, module.HIGHEST_VERSION)
    flexible = [v for v in schema.versions if schema.is_flexible(v)]
    assert (flexible[0] if flexible else None) == module.FLEXIBLE_FROM
    if schema.api_key is not None:
        assert schema.api_key == module.API_KEY
