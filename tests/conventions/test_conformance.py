"""The conformance page stays true: every row is there, has an answer, and names real tests."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")
CHECKLIST = (ROOT / "docs" / "reference" / "raft-checklist.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\d+)-(\d+) \| (.+?) \| (.+) \|$", re.MULTILINE)
LIST = re.compile(r"^```rows\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def _rows() -> dict[tuple[str, int], tuple[str, str]]:
    rows: dict[tuple[str, int], tuple[str, str]] = {}
    for kip, number, what, answer in ROW.findall(PAGE):
        assert (kip, int(number)) not in rows, f"row {kip}-{number} stands there twice"
        rows[kip, int(number)] = (what.strip(), answer.strip())
    return rows


@cache
def _tests_in(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, functions))


def test_every_row_of_every_kip_is_there_in_order() -> None:
    (listed,) = LIST.findall(PAGE)
    expected: list[tuple[str, int]] = []
    for line in listed.splitlines():
        kip, span = line.split()
        first, last = span.split("-")
        expected += [(kip, number) for number in range(int(first), int(last) + 1)]
    assert len(expected) == 300
    assert list(_rows()) == expected


def test_every_line_of_a_table_is_a_row() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith("|")]
    heads = [line for line in lines if line in ("| row | what | shown by |", "|---|---|---|")]
    assert len(lines) - len(heads) == len(_rows())


def test_every_row_says_what_it_is_and_names_its_tests() -> None:
    wrong = []
    for (kip, number), (what, answer) in _rows().items():
        named = ["::".join(found) for found in TEST.findall(answer)]
        whole = "<br>".join(f"`{name}`" for name in named)
        if not what or not named or answer != whole:
            wrong.append(f"{kip}-{number}: {answer}")
    assert not wrong


@pytest.mark.parametrize("page", [PAGE, CHECKLIST], ids=["conformance", "raft checklist"])
def test_every_named_test_exists(page: str) -> None:
    named = sorted(set(TEST.findall(page)))
    assert named
    missing = []
    for path, name in named:
        file = ROOT / path
        if not file.is_file() or name not in _tests_in(file):
            missing.append(f"{path}::{name}")
    assert not missing
