"""The two pages of the raft checklist answer every name of the list, each by tests that exist.

The list is committed beside this file, so that a row which goes missing is noticed.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "docs" / "reference" / name for name in ("raft-checklist.md", "raft-checklist-parts.md")
]
LIST = Path(__file__).parent / "raft_checklist.txt"
HEADS = ("| case | shown by |", "|---|---|")
ROW = re.compile(r"^\| (.+?) \| (.+) \|$")
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
NONE = re.compile(r"^\*none\*: [^`|]{20,}<br>(?=`)")


def _rows() -> list[tuple[str, str]]:
    rows = []
    for page in PAGES:
        for line in page.read_text(encoding="utf-8").splitlines():
            if line.startswith("|") and line not in HEADS:
                found = ROW.match(line)
                assert found, line
                rows.append((found[1], found[2]))
    return rows


@cache
def _tests_in(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, functions))


def test_every_name_of_the_list_has_its_row_and_no_other_has() -> None:
    names = LIST.read_text(encoding="utf-8").splitlines()
    assert len(names) == len(set(names)) > 400
    assert [name for name, _ in _rows()] == names


def test_every_row_names_tests_and_explains_a_missing_counterpart() -> None:
    wrong = []
    for name, answer in _rows():
        shown = NONE.sub("", answer)
        tests = ["::".join(found) for found in TEST.findall(shown)]
        if not tests or shown != "<br>".join(f"`{test}`" for test in tests):
            wrong.append(f"{name}: {answer}")
    assert not wrong


def test_every_test_that_a_row_names_exists() -> None:
    named = sorted({found for _, answer in _rows() for found in TEST.findall(answer)})
    assert len(named) > 200
    assert [one for one in named if one[1] not in _tests_in(one[0])] == []
