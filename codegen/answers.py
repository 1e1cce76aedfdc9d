"""Which error codes an answer may carry: ``codegen/answers.json``, for the pages."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from attrs import frozen

from codegen.json_source import Node, SourceError, read_json

_KEYS = ("ours", "kafka")


@frozen
class Answers:
    """Names of codes, in the order of the codes; ``ours`` is None where we do not serve the API."""

    ours: tuple[str, ...] | None
    kafka: tuple[str, ...]


def read_answers(names: Collection[str], file: Path) -> dict[str, Answers]:
    """The answers by API; SourceError for a code that is not among ``names``.

    No file, no answers.
    """
    if not file.exists():
        return {}
    top = read_json(file.read_text(encoding="utf-8"), file.name)
    if not isinstance(top.value, dict):
        raise SourceError(f"{file.name}:{top.line}:: expected an object")
    return {api: _answers(row, names, file.name) for api, row in top.value.items()}


def _answers(row: Node, names: Collection[str], file: str) -> Answers:
    if not isinstance(row.value, dict) or not set(row.value) <= set(_KEYS):
        raise SourceError(f"{file}:{row.line}:{row.path}: a row has the keys {', '.join(_KEYS)}")
    found = {key: _codes(node, names, file) for key, node in row.value.items()}
    return Answers(found.get("ours"), found.get("kafka", ()))


def _codes(node: Node, names: Collection[str], file: str) -> tuple[str, ...]:
    if not isinstance(node.value, list):
        raise SourceError(f"{file}:{node.line}:{node.path}: expected a list of names of codes")
    for one in node.value:
        if one.value not in names:
            raise SourceError(f"{file}:{one.line}:{one.path}: there is no code {one.value}")
    return tuple(str(one.value) for one in node.value)
