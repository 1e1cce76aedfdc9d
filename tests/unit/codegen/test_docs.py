"""The pages about the protocol: every field of every version, and what each version changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codegen import drift
from codegen.answers import Answers, read_answers
from codegen.emit.docs import emit_page
from codegen.emit.error_codes import ErrorCode
from codegen.emit.examples import LONGEST_BYTES, Example, choose
from codegen.json_source import SourceError
from tests.unit.codegen.tiny import named, schema, schema_text


def page(*fields: dict[str, Any], **changes: Any) -> list[str]:
    return emit_page(schema(*fields, **changes)).splitlines()


def test_a_field_is_told_with_its_type_versions_default_and_words():
    lines = page(named("Count", "int32", versions="1+", default="-1", about="How many."))
    (row,) = [line for line in lines if line.startswith("| Count")]
    assert row == "| Count | `int32` | 1-2 |  |  | `-1` | How many. |"


def test_a_version_tells_what_came_and_what_went():
    lines = page(named("Old", "int32", versions="0-1"), named("New", "int32", versions="2+"))
    rows = [line for line in lines if line.startswith("| 2 |")]
    assert len(rows) == 1 and "New" in rows[0] and "| Old |" in rows[0]


def test_the_index_leads_to_every_page(tmp_path: Path):
    folder = tmp_path / "schemas"
    folder.mkdir()
    (folder / "tiny_request.json").write_text(schema_text(named("A", "int32")))
    response = schema_text(type="response", name="TinyResponse")
    (folder / "tiny_response.json").write_text(response)
    (folder / "error_codes.json").write_text(
        '[{"code": 0, "name": "NONE", "retriable": false, "message": "No error."}]'
    )
    pages = drift.generate_pages(folder)
    assert sorted(pages) == ["README.md", "errors.md", "tiny_request.md", "tiny_response.md"]
    assert "(tiny_request.md)" in pages["README.md"]
    assert "| 0 | `NONE` | no | No error. |" in pages["errors.md"]


def test_every_version_has_a_row_with_its_header():
    rows = [line for line in page(named("A", "int32")) if "request v" in line]
    assert [row.split(" | ")[0] for row in rows] == ["| 0", "| 1", "| 2"]


def test_an_answer_tells_where_its_codes_stand_and_which_may_come():
    codes = [ErrorCode(0, "NONE", False, "."), ErrorCode(41, "NOT_CONTROLLER", True, ".")]
    message = schema(named("ErrorCode", "int16"), type="response", name="TinyResponse")
    text = emit_page(message, [], Answers(("NOT_CONTROLLER",), ()), codes)
    assert "Codes stand in `ErrorCode`." in text
    assert "| 41 | `NOT_CONTROLLER` | yes |  | yes |" in text
    assert "`NONE`" not in text
    assert "does not serve" in emit_page(message, [], Answers(None, ()), codes)


def test_an_example_is_the_fullest_frame_that_is_short_enough():
    long = Example(2, "full", bytes(LONGEST_BYTES + 1), "{}")
    short = Example(2, "empty", b"\1", '{"a":1}')
    older = Example(1, "full", b"\2", '{"a":2}')
    assert choose([older, long, short]) is short
    assert choose([older]) is older
    assert choose([]) is None


def test_an_unknown_code_in_the_answers_is_told_with_its_place(tmp_path: Path):
    file = tmp_path / "answers.json"
    file.write_text('{"Vote": {"ours": ["NOPE"]}}')
    with pytest.raises(SourceError, match=r"answers.json:1:.*there is no code NOPE"):
        read_answers({"NONE"}, file)
