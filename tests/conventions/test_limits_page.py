"""The page of limits tells the limits that hold."""

from __future__ import annotations

import re
from pathlib import Path

from metaquorum.base import limits

PAGE = Path(__file__).resolve().parents[2] / "docs/reference/limits.md"
ROW = re.compile(r"^\| `([A-Z_]+)` \| (\d+) \|", re.MULTILINE)
NAME = re.compile(r"`([A-Z][A-Z_]+)`")


def test_every_value_on_the_page_is_the_one_in_the_code():
    told = {name: int(value) for name, value in ROW.findall(PAGE.read_text(encoding="utf-8"))}
    assert len(told) > 10
    assert told == {name: getattr(limits, name) for name in told}


def test_every_limit_that_the_page_names_exists():
    names = set(NAME.findall(PAGE.read_text(encoding="utf-8")))
    assert [name for name in sorted(names) if not hasattr(limits, name)] == []
