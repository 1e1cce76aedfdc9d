"""The page of the JSON has the fields that there are, and the limits that hold."""

from __future__ import annotations

import re
from pathlib import Path

from metaquorum.base import limits
from metaquorum.cli.top.sight_json import as_json
from tests.unit.cli.top.watched_quorum import troubled

PAGE = Path(__file__).resolve().parents[4] / "docs/reference/top.md"
ROW = re.compile(r"^\| (`[^|]+`) \| (.*) \|$", re.MULTILINE)
LISTS = ("replicas", "brokers", "partitionsInTrouble", "changes", "epochs")


def test_the_page_has_every_field() -> None:
    told = {
        name: re.findall(r"`(\w+)`", about)
        for names, about in ROW.findall(PAGE.read_text(encoding="utf-8"))
        for name in re.findall(r"`(\w+)`", names)
    }
    shown = as_json(troubled().watch.sight())
    assert list(told) == list(shown)
    assert {name: list(shown[name][0]) for name in LISTS} == {name: told[name] for name in LISTS}


def test_the_limits_of_the_page_are_those_in_the_code() -> None:
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    told = re.findall(r"(\d[\d,]*) [^(),]*\(`(MAX_\w+)`\)", text)
    assert {name: int(count.replace(",", "")) for count, name in told} == {
        name: getattr(limits, name)
        for name in (
            *("MAX_SCREEN_ROWS", "MAX_CHANGES_KEPT", "MAX_LEADERS_KEPT", "MAX_PARTITIONS_NAMED"),
        )
    }
