from __future__ import annotations

from pathlib import Path

from codegen import drift
from codegen.__main__ import GENERATED, PAGES, SCHEMAS
from tests.unit.codegen.tiny import named, schema_text


def schemas(root: Path) -> Path:
    folder = root / "schemas"
    folder.mkdir()
    request = schema_text(named("A", "int32"))
    response = schema_text(named("B", "int32"), type="response", name="TinyResponse")
    record = schema_text(named("C", "int32"), type="metadata", name="TinyRecord", apiKey=3)
    (folder / "tiny_request.json").write_text(request)
    (folder / "tiny_response.json").write_text(response)
    (folder / "records").mkdir()
    (folder / "records/tiny_record.json").write_text(record)
    (folder / "error_codes.json").write_text("[]")
    return folder


def test_what_was_written_has_not_drifted(tmp_path: Path) -> None:
    files = drift.generate(schemas(tmp_path))
    assert sorted(files) == [
        "__init__.py", "error_codes.py", "index.py", "records/__init__.py",
        "records/tiny_record.py", "tiny_request.py", "tiny_response.py",
    ]  # fmt: skip
    out = tmp_path / "generated"
    assert drift.write(files, out).missing == tuple(sorted(files))
    assert not drift.compare(files, out)


def test_changed_missing_and_left_over_files_are_named(tmp_path: Path) -> None:
    files = drift.generate(schemas(tmp_path))
    out = tmp_path / "generated"
    drift.write(files, out)
    (out / "tiny_request.py").write_text("changed")
    (out / "index.py").unlink()
    (out / "old.py").write_text("")
    found = drift.compare(files, out)
    assert (found.changed, found.missing, found.left_over) == (
        ("tiny_request.py",), ("index.py",), ("old.py",),
    )  # fmt: skip
    drift.write(files, out)
    assert not drift.compare(files, out)
    assert not (out / "old.py").exists()


def test_the_repository_has_not_drifted() -> None:
    assert not drift.compare(drift.generate(SCHEMAS), GENERATED)
    assert not drift.compare(drift.generate_pages(SCHEMAS), PAGES)
