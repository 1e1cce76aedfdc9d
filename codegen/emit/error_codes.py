"""``error_codes.py``: the numbers, their names, which may be tried again, our words for each."""

from __future__ import annotations

from attrs import frozen

from codegen.emit.text import Text
from codegen.json_source import Node, SourceError, read_json

_KEYS = {"code": int, "name": str, "retriable": bool, "message": str}


@frozen
class ErrorCode:
    """One row of ``schemas/error_codes.json``."""

    code: int
    name: str
    retriable: bool
    message: str


def parse_error_codes(text: str, file: str) -> list[ErrorCode]:
    """The rows in the order of their codes; SourceError names the place of a fault."""
    top = read_json(text, file)
    if not isinstance(top.value, list):
        raise SourceError(f"{file}:{top.line}:: expected a list of error codes")
    rows = [_row(node, file) for node in top.value]
    for what in ("code", "name"):
        seen: set[object] = set()
        for node, row in zip(top.value, rows):
            value = getattr(row, what)
            if value in seen:
                raise SourceError(f"{file}:{node.line}:{node.path}.{what}: {value} is here twice")
            seen.add(value)
    return sorted(rows, key=lambda row: row.code)


def _row(node: Node, file: str) -> ErrorCode:
    if not isinstance(node.value, dict) or set(node.value) != set(_KEYS):
        keys = ", ".join(_KEYS)
        raise SourceError(f"{file}:{node.line}:{node.path}: a row has the keys {keys}")
    for key, kind in _KEYS.items():
        below = node.value[key]
        if type(below.value) is not kind:
            raise SourceError(f"{file}:{below.line}:{below.path}: expected {kind.__name__}")
    return ErrorCode(**{key: node.value[key].value for key in _KEYS})  # type: ignore[arg-type]


def emit_error_codes(rows: list[ErrorCode]) -> str:
    """The text of the module."""
    text = Text()
    text.line("# GENERATED from schemas/error_codes.json by `make generate`: edit that, not this.")
    text.docstring("Error codes of the protocol: numbers, names, and a sentence for people.")
    text.blank()
    text.line("from __future__ import annotations")
    text.blank()
    text.line("from typing import Final")
    text.blank()
    for row in rows:
        text.line(f"{row.name}: Final = {row.code}")
    text.blank()
    text.line("NAMES: Final[dict[int, str]] = {")
    for row in rows:
        text.line(f'    {row.code}: "{row.name}",')
    text.line("}")
    text.blank()
    text.comment("What a client may try again without a change.")
    retriable = [str(row.code) for row in rows if row.retriable]
    text.listing("RETRIABLE: Final[frozenset[int]] = frozenset([", retriable, "])")
    text.blank()
    text.line("MESSAGES: Final[dict[int, str]] = {")
    text.depth = 1
    for row in rows:
        quoted = '"' + row.message.replace("\\", "\\\\").replace('"', '\\"') + '"'
        one = f"{row.code}: {quoted},"
        if len(one) + 4 <= 100:
            text.line(one)
        else:
            text.line(f"{row.code}: (")
            text.line(f"    {quoted}")
            text.line("),")
    text.depth = 0
    text.line("}")
    return str(text)
