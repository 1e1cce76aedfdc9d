"""What comes out of the emitters, run on schemas of a few fields."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from codegen.emit.error_codes import emit_error_codes, parse_error_codes
from codegen.emit.module import emit_module
from codegen.emit.text import Text
from codegen.json_source import SourceError
from metaquorum.wire.errors import DecodeError, EncodeError, UnsupportedField
from tests.unit.codegen.tiny import module, named, schema

UUID = bytes(range(16))


def test_neighbouring_fixed_fields_are_one_struct() -> None:
    text = emit_module(schema(named("A", "int32"), named("B", "int16"), named("C", "uuid")))
    assert 'Struct(">ih16s").unpack_from' in text
    assert 'Struct(">ih16sB").unpack_from' in text  # flexible: with the byte of the tags


def test_the_text_carries_its_source_and_stamp_and_fits_its_lines() -> None:
    message = schema(named("A", "int32", about="A long description. " * 12))
    lines = emit_module(message).splitlines()
    assert lines[0] == "# GENERATED from schemas/tiny_request.json by `make generate`."
    assert message.stamp in lines[1]
    assert all(len(line) <= 100 and line == line.rstrip() for line in lines)


def test_the_same_schema_gives_the_same_text() -> None:
    fields = (named("A", "[]string"), named("B", "[]Row", fields=[named("C", "int8")]))
    assert emit_module(schema(*fields)) == emit_module(schema(*fields))


@pytest.mark.parametrize(
    ("kind", "value", "old", "new"),
    [
        ("bool", True, "01", "01"),
        ("int8", -1, "ff", "ff"),
        ("uint16", 65535, "ffff", "ffff"),
        ("uint32", 1 << 31, "80000000", "80000000"),
        ("int64", -2, "fffffffffffffffe", "fffffffffffffffe"),
        ("float64", 1.5, struct.pack(">d", 1.5).hex(), struct.pack(">d", 1.5).hex()),
        ("uuid", UUID, UUID.hex(), UUID.hex()),
        ("string", "é", "0002c3a9", "03c3a9"),
        ("bytes", b"ab", "000000026162", "036162"),
        ("records", b"ab", "000000026162", "036162"),
        ("[]int16", [1, -1], "000000020001ffff", "030001ffff"),
        ("[]string", ["a", ""], "000000020001610000", "03026101"),
        ("[]bytes", [b"a"], "000000010000000161", "020261"),
        ("[]uuid", [UUID], "00000001" + UUID.hex(), "02" + UUID.hex()),
    ],
)
def test_every_type_in_both_encodings(kind: str, value: Any, old: str, new: str) -> None:
    tiny = module(schema(named("Field", kind)))
    message = tiny.TinyRequest(field=value)
    assert tiny.encode(message, 0).hex() == old
    assert tiny.encode(message, 2).hex() == new + "00"
    assert tiny.decode(bytes.fromhex(old), 0) == message
    assert tiny.decode(bytes.fromhex(new) + b"\0", 2) == message


@pytest.mark.parametrize("kind", ["string", "bytes", "records", "[]int32", "[]string", "[]Row"])
def test_null_in_both_encodings(kind: str) -> None:
    more = {"fields": [named("A", "int8")]} if kind == "[]Row" else {}
    tiny = module(schema(named("Field", kind, nullableVersions="0+", default="null", **more)))
    old = "ffff" if kind == "string" else "ffffffff"
    assert tiny.encode(tiny.TinyRequest(), 0).hex() == old
    assert tiny.encode(tiny.TinyRequest(), 2).hex() == "0000"
    assert tiny.decode(bytes.fromhex(old), 0) == tiny.TinyRequest()
    assert tiny.decode(b"\0\0", 2) == tiny.TinyRequest()


@pytest.mark.parametrize("version", [0, 2])
def test_long_lengths_take_more_than_one_byte(version: int) -> None:
    fields = (
        named("Name", "string"),
        named("Data", "bytes"),
        named("Numbers", "[]int32"),
        named("Rows", "[]Row", fields=[named("Id", "int16")]),
        named("After", "int8"),
    )
    tiny = module(schema(*fields))
    for size in (126, 127, 128, 300, 16_383, 16_384, 30_000):
        rows = [tiny.Row(number % 7) for number in range(size)]
        message = tiny.TinyRequest("x" * size, b"y" * size, list(range(size)), rows, 5)
        assert tiny.decode(tiny.encode(message, version), version) == message


@pytest.mark.parametrize("kind", ["string", "bytes", "records", "[]int32", "[]string"])
@pytest.mark.parametrize("null", [False, True])
def test_a_zero_in_two_bytes_is_no_length(kind: str, null: bool) -> None:
    more = {"nullableVersions": "0+"} if null else {}
    tiny = module(schema(named("Before", "int8"), named("Field", kind, **more)))
    for zero in ("8000", "808000", "8080808000"):
        with pytest.raises(DecodeError, match=r"TinyRequest\.field at byte 1: null"):
            tiny.decode(bytes.fromhex("07" + zero + "00" * 200), 2)


def test_a_nullable_struct_is_one_byte_and_then_itself() -> None:
    row = [named("Id", "int16")]
    tiny = module(schema(named("Row", "Row", nullableVersions="0+", default="null", fields=row)))
    assert tiny.encode(tiny.TinyRequest(), 0).hex() == "ff"
    assert tiny.encode(tiny.TinyRequest(tiny.Row(3)), 0).hex() == "010003"
    assert tiny.decode(b"\x01\x00\x03", 0) == tiny.TinyRequest(tiny.Row(3))
    assert tiny.decode(b"\xff", 0) == tiny.TinyRequest(None)


TAGGED = (
    named("Number", "int32", "2+", taggedVersions="2+", tag=1, default="-1"),
    named("Name", "string", "2+", taggedVersions="2+", tag=0, nullableVersions="2+",
          default="null"),
    named("Place", "Place", "2+", taggedVersions="2+", tag=2,
          fields=[named("Id", "int16", "2+", default="9")]),
)  # fmt: skip


def test_tagged_fields_are_written_in_order_and_only_if_not_default() -> None:
    tiny = module(schema(*TAGGED))
    assert tiny.encode(tiny.TinyRequest(), 2).hex() == "00"
    full = tiny.TinyRequest(number=7, name="a", place=tiny.Place(8), unknown_tags=((5, b"z"),))
    encoded = tiny.encode(full, 2)
    assert encoded.hex() == "0400020261010400000007020300080005017a"
    assert tiny.decode(encoded, 2) == full
    assert tiny.decode(b"\0", 2) == tiny.TinyRequest()


def test_unknown_tags_are_kept_and_sorted_and_never_doubled() -> None:
    tiny = module(schema(*TAGGED))
    message = tiny.TinyRequest(unknown_tags=((9, b"b"), (7, b"a")))
    assert tiny.encode(message, 2).hex() == "02070161090162"
    with pytest.raises(EncodeError):
        tiny.encode(tiny.TinyRequest(number=3, unknown_tags=((1, b""),)), 2)


def test_a_field_the_version_lacks_fails_unless_ignorable_or_unset() -> None:
    tiny = module(schema(named("New", "int32", "1+", default="-1"),
                         named("Soft", "int32", "1+", ignorable=True)))  # fmt: skip
    assert tiny.encode(tiny.TinyRequest(soft=5), 0) == b""
    with pytest.raises(UnsupportedField, match=r"TinyRequest\.new: version 0 cannot carry it"):
        tiny.encode(tiny.TinyRequest(new=0), 0)
    with pytest.raises(UnsupportedField, match="unknown_tags"):
        tiny.encode(tiny.TinyRequest(unknown_tags=((1, b""),)), 0)


def test_absent_fields_come_back_as_their_defaults() -> None:
    tiny = module(schema(named("A", "int8"), named("New", "int32", "1+", default="0x10")))
    assert tiny.decode(b"\x01", 0) == tiny.TinyRequest(a=1, new=16)


def test_fields_that_change_from_plain_to_tagged() -> None:
    tiny = module(schema(named("A", "int8", "0+", taggedVersions="2+", tag=0)))
    assert tiny.encode(tiny.TinyRequest(3), 0).hex() == "03"
    assert tiny.encode(tiny.TinyRequest(3), 2).hex() == "01000103"
    assert tiny.decode(bytes.fromhex("01000103"), 2).a == 3


def test_a_text_that_stays_short_inside_a_flexible_message() -> None:
    tiny = module(schema(named("Client", "string", "0+", flexibleVersions="none")))
    assert tiny.encode(tiny.TinyRequest("a"), 2).hex() == "00016100"
    assert tiny.decode(bytes.fromhex("00016100"), 2).client == "a"


@pytest.mark.parametrize(
    ("data", "path", "at"),
    [
        ("", "TinyRequest.rows", 0),
        ("02", "TinyRequest.rows", 0),  # two bytes an element are the least
        ("03000101050000", "TinyRequest.rows[1].id", 6),
        ("00", "TinyRequest.rows", 0),
        ("ffffffff7f", "TinyRequest.rows", 0),
        ("ffffffffff", "TinyRequest.rows", 0),
        ("01", "TinyRequest.unknown_tags", 1),
        ("010205000300", "TinyRequest.unknown_tags", 4),
        ("010205000500", "TinyRequest.unknown_tags", 4),
        ("01010502", "TinyRequest.unknown_tags", 3),
    ],
)
def test_faults_are_told_with_path_and_position(data: str, path: str, at: int) -> None:
    fields = [named("Id", "int16")]
    tiny = module(schema(named("Rows", "[]Row", fields=fields), flexibleVersions="0+"))
    with pytest.raises(DecodeError) as refused:
        tiny.decode(bytes.fromhex(data), 2)
    assert (refused.value.path, refused.value.at) == (path, at)


def test_a_known_tag_must_be_as_long_as_it_says() -> None:
    tiny = module(schema(*TAGGED))
    with pytest.raises(DecodeError, match="tag 1 says 5 bytes, its value takes 4"):
        tiny.decode(bytes.fromhex("0101050000000700"), 2)


def test_versions_outside_the_schema_are_refused_both_ways() -> None:
    tiny = module(schema(named("A", "int8")))
    for version in (-1, 3):
        with pytest.raises(DecodeError, match="0 to 2 are"):
            tiny.decode(b"\0\0", version)
        with pytest.raises(EncodeError, match="0 to 2 are"):
            tiny.encode(tiny.TinyRequest(), version)


def test_decoding_begins_where_it_is_told_and_leaves_the_rest() -> None:
    tiny = module(schema(named("A", "string")))
    data = b"\xff\xff\x00\x01a\xee"
    assert tiny.get(data, 2, 0) == (tiny.TinyRequest("a"), 5)
    assert tiny.decode(memoryview(data)[1:], 0, 1) == tiny.TinyRequest("a")


def test_parts_are_left_as_they_were_when_encoding_fails() -> None:
    tiny = module(schema(named("A", "int8"), named("B", "string")))
    parts: list[Any] = [b"before"]
    with pytest.raises(EncodeError, match=r"TinyRequest\.b: expected a text, found int"):
        tiny.put(parts, tiny.TinyRequest(1, 2), 0)
    assert parts == [b"before"]


def test_error_codes_are_sorted_and_complete() -> None:
    text = """[
      {"code": 1, "name": "BAD", "retriable": true, "message": "It is \\"bad\\"."},
      {"code": 0, "name": "NONE", "retriable": false, "message": "Fine."}
    ]"""
    made: dict[str, Any] = {}
    exec(emit_error_codes(parse_error_codes(text, "e.json")), made)
    assert (made["NONE"], made["BAD"]) == (0, 1)
    assert made["NAMES"] == {0: "NONE", 1: "BAD"}
    assert made["RETRIABLE"] == frozenset((1,))
    assert made["MESSAGES"][1] == 'It is "bad".'


def test_an_error_code_is_given_once() -> None:
    row = '{"code": 1, "name": "BAD", "retriable": true, "message": "."}'
    with pytest.raises(SourceError, match=r"e\.json:1:\[1\]\.code: 1 is here twice"):
        parse_error_codes(f"[{row}, {row}]", "e.json")


def test_long_lists_wrap_inside_their_brackets() -> None:
    text = Text(depth=1)
    text.listing("call(", [f"argument_{number}" for number in range(12)], ")")
    assert len(text.lines) == 4
    assert text.lines[0] == "    call("
    assert text.lines[-1] == "    )"
    assert all(len(line) <= 100 for line in text.lines)
