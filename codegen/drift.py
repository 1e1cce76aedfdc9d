"""What is generated against what is on disk, byte for byte."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from codegen.answers import Answers, read_answers
from codegen.emit.docs import emit_errors_page, emit_page, emit_page_index, page_name
from codegen.emit.error_codes import ErrorCode, emit_error_codes, parse_error_codes
from codegen.emit.examples import read_examples
from codegen.emit.index import emit_index
from codegen.emit.module import emit_module
from codegen.emit.spark import emit_record_types
from codegen.parse import parse_file
from codegen.schema import Message
from codegen.validate import validate_all

ANSWERS = "codegen/answers.json"
GOLDEN = "tests/wire/golden"  # beside the schemas: frames of Kafka's own classes
ERROR_CODES = "error_codes.json"
_PACKAGE = '"""Generated modules: read-only, see ``schemas/`` and ``codegen/``."""\n'


@frozen
class Drift:
    """Names of files below the generated folder that are not as they should be."""

    missing: tuple[str, ...]
    changed: tuple[str, ...]
    left_over: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.missing or self.changed or self.left_over)


def read_schemas(schemas: Path) -> list[Message]:
    """Every definition below ``schemas``, checked, in the order of file names."""
    paths = sorted(path for path in schemas.rglob("*.json") if path.name != ERROR_CODES)
    root = schemas.parent
    messages = [parse_file(path, path.relative_to(root).as_posix()) for path in paths]
    validate_all(messages)
    return messages


def generate(schemas: Path) -> dict[str, str]:
    """The text of every generated file by its path below the generated folder."""
    messages = read_schemas(schemas)
    files = {"__init__.py": _PACKAGE}
    for message in messages:
        if not message.versions:
            continue
        folder = f"{message.folder}/" if message.folder else ""
        files[f"{folder}__init__.py"] = _PACKAGE
        files[f"{folder}{message.module}.py"] = emit_module(message)
    files["index.py"] = emit_index(message for message in messages if message.versions)
    if (schemas / ERROR_CODES).exists():
        files["error_codes.py"] = emit_error_codes(read_error_codes(schemas))
    return files


def generate_columns(schemas: Path) -> dict[str, str]:
    """The text of what the tables are made by, below ``pyspark_metaquorum/generated``."""
    messages = read_schemas(schemas)
    return {"__init__.py": _PACKAGE, "record_types.py": emit_record_types(messages)}


def generate_pages(schemas: Path) -> dict[str, str]:
    """The text of every page about the protocol by its path below ``docs/protocol``."""
    messages = [message for message in read_schemas(schemas) if message.versions]
    codes = read_error_codes(schemas)
    answers = read_answers({one.name for one in codes}, schemas.parent / ANSWERS)
    golden = schemas.parent / GOLDEN
    pages = {}
    for message in messages:
        examples = read_examples(golden / f"{message.module}.txt")
        api = message.name.removesuffix("Response")
        pages[page_name(message)] = emit_page(
            message, examples, answers.get(api, Answers(None, ())), codes
        )
    pages["README.md"] = emit_page_index(messages)
    pages["errors.md"] = emit_errors_page(codes)
    return pages


def read_error_codes(schemas: Path) -> list[ErrorCode]:
    """The error codes beside the schemas; none where that file is absent."""
    codes = schemas / ERROR_CODES
    if not codes.exists():
        return []
    return parse_error_codes(codes.read_text(encoding="utf-8"), f"{schemas.name}/{codes.name}")


def compare(files: dict[str, str], folder: Path) -> Drift:
    """How ``folder`` departs from ``files``, which are all of one kind."""
    suffixes = sorted({Path(name).suffix for name in files})
    present = {
        path.relative_to(folder).as_posix(): path
        for suffix in suffixes
        for path in folder.rglob(f"*{suffix}")
    }
    missing = sorted(files.keys() - present.keys())
    left_over = sorted(present.keys() - files.keys())
    changed = sorted(
        name
        for name in files.keys() & present.keys()
        if present[name].read_bytes() != files[name].encode()
    )
    return Drift(tuple(missing), tuple(changed), tuple(left_over))


def write(files: dict[str, str], folder: Path) -> Drift:
    """Make ``folder`` hold ``files`` and nothing else; tells what had to be done."""
    drift = compare(files, folder)
    for name in (*drift.missing, *drift.changed):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(files[name].encode())
    for name in drift.left_over:
        (folder / name).unlink()
    return drift
