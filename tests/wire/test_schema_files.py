"""The schema files as text: named after what they define, described throughout, in pairs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from metaquorum.testing.schemas import SCHEMAS, all_messages
from metaquorum.wire.generated import error_codes

FILES = sorted(p for p in SCHEMAS.rglob("*.json") if p.name != "error_codes.json")
EACH_FILE = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
# Each log of records has its folder.
FOLDERS = {
    "metadata": {"records", "storage"},
    "coordinator-key": {"group", "share", "transaction"},
    "coordinator-value": {"group", "share", "transaction"},
    "data": {"schemas", "storage", "group"},
}
WORD_STARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def described(node: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every message, field and common struct with its path."""
    if isinstance(node, dict) and "name" in node:
        path = f"{path}/{node['name']}"
        yield path, node
    for key in ("fields", "commonStructs"):
        for inner in node.get(key, ()):
            yield from described(inner, path)


@EACH_FILE
def test_every_message_and_field_is_described_in_a_sentence(file: Path) -> None:
    for path, node in described(json.loads(file.read_text()), ""):
        about = node.get("about", "")
        assert about[:1].isupper() or about[:1].isdigit() or about.startswith("-1 "), path
        assert about.endswith("."), path


@EACH_FILE
def test_files_are_named_after_what_they_define(file: Path) -> None:
    raw = json.loads(file.read_text())
    words = WORD_STARTS.sub("_", raw["name"].replace("KRaft", "Kraft")).lower()
    assert file.stem == words
    folders = FOLDERS.get(raw["type"], {"schemas"})
    assert file.parent.name in folders


def test_requests_and_responses_come_in_pairs_with_the_same_versions() -> None:
    halves = {
        kind: {m.api_key: (m.name.removesuffix(kind.title()), m.versions, m.flexible)
               for m in all_messages() if m.kind == kind}
        for kind in ("request", "response")
    }  # fmt: skip
    assert halves["request"] == halves["response"]
    assert len(halves["request"]) * 2 == sum(m.kind in halves for m in all_messages())


def test_record_types_are_numbered_once() -> None:
    logs: dict[tuple[str, str], list[int | None]] = {}
    for found in all_messages():
        if found.kind not in ("request", "response", "header", "data"):
            log = found.module.rpartition(".")[0]
            logs.setdefault((log, found.kind), []).append(found.api_key)
    for keys in logs.values():
        assert len(keys) == len(set(keys))
    metadata = logs["records", "metadata"]
    assert sorted(filter(None, metadata))[-1] == 29  # UnregisterControllerRecord, added in 4.4.0
    for log in ("group", "share", "transaction"):
        assert sorted(logs[log, "coordinator-key"]) == sorted(logs[log, "coordinator-value"])


def test_error_codes_have_no_gap_and_a_message_each() -> None:
    rows = json.loads((SCHEMAS / "error_codes.json").read_text())
    assert [row["code"] for row in rows] == list(range(-1, 137))
    assert len({row["name"] for row in rows}) == len(rows)
    assert all(row["message"].endswith(".") for row in rows)
    assert {row["code"]: row["name"] for row in rows} == error_codes.NAMES
    assert {row["code"]: row["message"] for row in rows} == error_codes.MESSAGES
    assert {row["code"] for row in rows if row["retriable"]} == error_codes.RETRIABLE
