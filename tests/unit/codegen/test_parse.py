from __future__ import annotations

import re
from typing import Any

import pytest

from codegen.json_source import SourceError, read_json
from codegen.parse import parse_text
from codegen.versions import Versions
from tests.unit.codegen.tiny import named, schema, schema_text


def test_comments_are_skipped_and_lines_are_counted() -> None:
    text = '// first\n{ // second\n  "a": [1, // third\n  "b//c"] }\n'
    node = read_json(text, "x.json")
    assert isinstance(node.value, dict)
    a = node.value["a"]
    assert a.line == 3
    assert isinstance(a.value, list)
    assert [item.value for item in a.value] == [1, "b//c"]
    assert [item.path for item in a.value] == ["a[0]", "a[1]"]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{\n"a": }', "x.json:2:a: expected a value"),
        ('{"a": 1,\n"a": 2}', "x.json:2:a: this key is here twice"),
        ('{"a": "b\n"}', "x.json:1:a: this string has no end"),
        ("{} {}", "x.json:1:: there is more text"),
        ('{"a": [1 2]}', "x.json:1:a: expected ']'"),
        ("[" * 100, "nested deeper"),
        ("", "expected a value, found 'the end of the file'"),
    ],
)
def test_a_fault_in_the_json_names_its_line_and_path(text: str, where: str) -> None:
    with pytest.raises(SourceError, match=re.escape(where)):
        read_json(text, "x.json")


def test_a_schema_keeps_what_the_file_says() -> None:
    inner = named("Port", "uint16", "1+", default="9092", about="Where it\n listens.")
    message = schema(
        named("Name", "string", nullableVersions="1+", default="", ignorable=True),
        named("Nodes", "[]Node", mapKey=False, fields=[inner]),
        named("Rack", "string", "2+", taggedVersions="2+", tag=0, nullableVersions="2+",
              default="null"),
    )  # fmt: skip
    name, nodes, rack = message.top.fields
    assert (name.attribute, name.nullable, name.ignorable) == ("name", Versions(1, 32767), True)
    assert nodes.array
    assert nodes.struct is message.structs[0]
    assert nodes.struct is not None
    port = nodes.struct.fields[0]
    assert (port.default, port.about, port.versions) == (9092, "Where it listens.",
                                                         Versions(1, 32767))  # fmt: skip
    assert (rack.tag, rack.has_null_default) == (0, True)
    assert message.api_key == 7
    assert str(message.flexible) == "2+"


def test_a_tagged_field_need_not_repeat_its_versions() -> None:
    field = {"name": "Late", "type": "int32", "taggedVersions": "2+", "tag": 0}
    assert str(schema(field).top.fields[0].versions) == "2+"


def test_a_common_struct_may_be_used_before_and_by_others() -> None:
    common = [
        {"name": "Pair", "versions": "0+", "fields": [named("Left", "Half")]},
        {"name": "Half", "versions": "0+", "fields": [named("Size", "int32")]},
    ]
    message = schema(named("Pairs", "[]Pair"), commonStructs=common)
    assert [struct.name for struct in message.structs] == ["Half", "Pair"]


@pytest.mark.parametrize(
    ("kind", "default", "value"),
    [
        ("int32", "0x7fffffff", 0x7FFFFFFF),
        ("int32", "-2147483648", -(1 << 31)),
        ("int64", "9223372036854775807", (1 << 63) - 1),
        ("int8", -1, -1),
        ("bool", "true", True),
        ("bool", False, False),
        ("float64", "1.5", 1.5),
        ("string", "x", "x"),
        ("uint16", None, None),
    ],
)
def test_defaults_are_read_in_every_spelling(kind: str, default: Any, value: Any) -> None:
    if default is None:
        assert schema(named("Field", kind)).top.fields[0].default == 0
    else:
        assert schema(named("Field", kind, default=default)).top.fields[0].default == value


@pytest.mark.parametrize(
    ("field", "why"),
    [
        (named("Field", "int8", default="128"), "128 does not fit int8"),
        (named("Field", "int8", default="x"), "'x' is no int8"),
        (named("Field", "bool", default="yes"), "no default for a field of type bool"),
        (named("Field", "uuid", default="AAAA"), "no default for a field of type uuid"),
        (named("Field", "[]int8", default="1"), "only null can be the default"),
        (named("Field", "int9"), "neither a type nor the name of a struct"),
        (named("Field", "Node"), "no struct Node is defined here"),
        (named("Field", "int8", fields=[]), "no fields of its own"),
        (named("Field", "int8", "3-2"), "ends before it begins"),
        (named("Field", "int8", tag=-1), "not negative"),
        (named("Field", "int8", colour="red"), "unknown key 'colour'"),
        ({"name": "Field", "type": "int8"}, "the key 'versions' is missing"),
    ],
)
def test_a_fault_in_a_field_is_told_with_its_place(field: dict[str, Any], why: str) -> None:
    with pytest.raises(SourceError) as refused:
        schema(named("First", "int8"), field)
    assert re.match(r"schemas/tiny_request\.json:\d+:fields\[1\]", str(refused.value))
    assert why in str(refused.value)


def test_a_message_says_from_which_version_on_it_is_flexible() -> None:
    text = schema_text(named("Field", "int8"))
    cut = re.sub(r'"flexibleVersions": "[^"]*",?', "", text)
    with pytest.raises(SourceError, match="the key 'flexibleVersions' is missing"):
        parse_text(cut, "schemas/tiny_request.json")


def test_a_message_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(SourceError, match="no kind of message"):
        parse_text(schema_text(type="question"), "x.json")


def test_two_structs_of_one_name_are_refused() -> None:
    node = [named("Port", "int32")]
    with pytest.raises(SourceError, match="the struct Node is defined twice"):
        schema(named("A", "[]Node", fields=node), named("B", "[]Node", fields=node))


def test_jsons_own_null_is_no_default_only_the_text_is() -> None:
    fields = (
        named("Rows", "[]int8", nullableVersions="0+", default=None),
        named("More", "[]int8", nullableVersions="0+", default="null"),
    )
    rows, more = schema(*fields).top.fields
    assert (rows.has_null_default, more.has_null_default) == (False, True)
