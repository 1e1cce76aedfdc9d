"""``python -m codegen``: what it prints and how it exits."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen import __main__ as command
from codegen.show import find, show
from tests.unit.codegen.tiny import named, schema, schema_text


def put_schemas(root: Path) -> None:
    (root / "schemas").mkdir()
    response = schema_text(type="response", name="TinyResponse")
    (root / "schemas" / "tiny_request.json").write_text(schema_text(named("A", "int32")))
    (root / "schemas" / "tiny_response.json").write_text(response)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    put_schemas(tmp_path)
    monkeypatch.setattr(command, "SCHEMAS", tmp_path / "schemas")
    monkeypatch.setattr(command, "GENERATED", tmp_path / "generated")
    monkeypatch.setattr(command, "COLUMNS", tmp_path / "columns")
    monkeypatch.setattr(command, "PAGES", tmp_path / "protocol")
    monkeypatch.setattr(command, "ALLOWED", tmp_path / "allowed.json")
    return tmp_path


def test_drift_exits_with_one_and_names_the_files(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main([]) == 0
    assert command.main(["--check"]) == 0
    (small / "generated" / "tiny_request.py").write_text("")
    capsys.readouterr()
    assert command.main(["--check"]) == 1
    assert "differs: generated/tiny_request.py" in capsys.readouterr().out


def test_a_broken_schema_exits_with_two_and_its_place(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (small / "schemas" / "tiny_request.json").write_text("{")
    assert command.main(["--check"]) == 2
    assert "schemas/tiny_request.json:1:" in capsys.readouterr().err


def test_show_prints_both_halves_of_an_api(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--show", "Tiny", "2"]) == 0
    out = capsys.readouterr().out
    assert "TinyRequest version 2 (request, key 7, flexible)" in out
    assert "TinyResponse version 2 (response, key 7, flexible)" in out
    assert command.main(["--show", "Tiny", "9"]) == 2
    assert command.main(["--show", "Huge", "0"]) == 2
    assert command.main(["--show", "Tiny", "two"]) == 2
    assert "no message is called Huge" in capsys.readouterr().err


def test_conform_exits_with_one_when_something_differs(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (small / "kafka-x-4.4.0.jar").write_bytes(b"PK\x05\x06" + bytes(18))  # a jar without files
    assert command.main(["--conform", str(small / "kafka-x-4.4.0.jar")]) == 1
    assert "TinyRequest v0-2: message is here, missing in every jar" in capsys.readouterr().out


def test_show_lists_the_wire_in_order() -> None:
    message = schema(
        named("A", "int32"),
        named("B", "int64"),
        named("C", "[]Row", fields=[named("D", "string", nullableVersions="0+")]),
        named("E", "int8", "2+", taggedVersions="2+", tag=0),
        named("F", "int8", "0"),
    )
    text = "\n".join(show(message, 2))
    words = [
        "layout of version 2", "a ", "b ", "^ a to b are read at once: iq", "c ",
        "varint count of Row, 2+ bytes each", "d ", "may be null", "tags ", "tag 0: int8, 1 byte",
        "not in this version", "f",
    ]  # fmt: skip
    at = 0
    for word in words:
        at = text.index(word, at) + len(word)
    assert find([message], "tiny_request") == [message]
