from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from codegen.json_source import SourceError
from codegen.parse import parse_text
from codegen.validate import faults_of, validate_all
from tests.unit.codegen.tiny import named, schema, schema_text

GOOD = (
    named("Name", "string", nullableVersions="0+", default="null"),
    named("Old", "int32", "0-1", default="-1"),
    named("Late", "int32", "1+", taggedVersions="2+", tag=0),
)


def test_a_good_schema_has_no_faults() -> None:
    assert faults_of(schema(*GOOD)) == []


@pytest.mark.parametrize(
    ("field", "why"),
    [
        (named("Tagged", "int32", "2+", taggedVersions="2+"), "without a tag"),
        (named("Tagged", "int32", "2+", tag=0), "a tag without taggedVersions"),
        (named("Tagged", "int32", "1+", taggedVersions="1+", tag=0), "only flexible versions"),
        (named("Tagged", "int32", "2", taggedVersions="1+", tag=0), "goes beyond versions"),
        (named("Tagged", "int32", "2+", taggedVersions="2+", tag=1), "tag 0 of TinyRequest is"),
        (named("Number", "int32", nullableVersions="0+"), "a int32 cannot be null"),
        (named("Text", "string", default="null"), "nullable only in none"),
        (named("Keys", "[]int32", mapKey=True), "only a scalar can be a key"),
        (named("Rows", "[]records"), "records are neither"),
        (named("Typo", "int32", "11+"), "11+ begins after version"),
        (named("Hy-phen", "int32"), "not made of letters"),
        (named("Number", "int32", flexibleVersions="none"), "only a text may depart"),
        (named("Empty", "[]Nothing", fields=[]), "elements of no bytes"),
    ],
)
def test_a_field_that_makes_no_sense_is_named(field: dict[str, Any], why: str) -> None:
    faults = faults_of(schema(field))
    assert any(why in fault for fault in faults), faults
    assert all(fault.startswith("schemas/tiny_request.json:") for fault in faults)


def test_names_that_become_the_same_attribute_are_refused() -> None:
    faults = faults_of(schema(named("TopicId", "int32"), named("topicID", "int32")))
    assert any("is called like" in fault for fault in faults), faults


def test_a_tag_is_given_once() -> None:
    late = {"taggedVersions": "2+", "tag": 0}
    faults = faults_of(schema(named("A", "int8", "2+", **late), named("B", "int8", "2+", **late)))
    assert any("tag 0 is A's already" in fault for fault in faults), faults


def test_a_file_is_named_after_its_message() -> None:
    message = parse_text(schema_text(), "schemas/other.json")
    assert any("belongs into tiny_request.json" in fault for fault in faults_of(message))


def test_a_request_needs_its_response_and_the_same_versions() -> None:
    request = schema()
    with pytest.raises(SourceError, match="no response has the key 7"):
        validate_all([request])
    response = parse_text(
        schema_text(type="response", name="TinyResponse", validVersions="0-1"),
        "schemas/tiny_response.json",
    )
    with pytest.raises(SourceError, match="TinyResponse has 0-1"):
        validate_all([request, response])
    validate_all([request, evolve(response, versions=request.versions)])


def test_all_faults_are_reported_at_once() -> None:
    message = schema(
        named("A", "int32", nullableVersions="0+"), named("B", "bool", nullableVersions="0+")
    )
    assert len(faults_of(message)) == 2
