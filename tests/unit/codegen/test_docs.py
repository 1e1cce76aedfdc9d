"""The pages about the protocol: every field of every version, and what each version changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from codegen import drift
from codegen.emit.docs import emit_page
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
