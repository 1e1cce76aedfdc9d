"""The page of explanations has every rule, cause and limit that the code has, and no other."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from metaquorum.flight import broker_rules, leader_rules, limits
from metaquorum.flight.explanation import Cause, Certainty
from tests.unit.flight import test_broker_rules, test_leader_rules

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "reference" / "explanations.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `([a-z0-9-]+)` \| .*? \| ([a-z-]+), ([a-z]+) \|", re.MULTILINE)
LIMIT = re.compile(r"^\| `([A-Z_]+)` \| (\d+) \|", re.MULTILINE)
NOT_OF_CASES = {
    ("first-leader", "first-leader", "certain"),
    ("nothing-before", "unknown", "possible"),
    ("wrote-on", "unresponsive", "certain"),
}
"""Rules whose tests need more than one story."""


def rules_in_code() -> set[str]:
    found = set()
    for module in (leader_rules, broker_rules):
        tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Verdict":
                assert isinstance(node.args[2], ast.Constant)
                found.add(node.args[2].value)
    return found


def test_the_page_has_every_rule_with_its_cause_and_certainty() -> None:
    tested = {
        (rule, cause, certainty) for rule, (_, cause, certainty) in test_leader_rules.CASES.items()
    } | {
        (rule, cause, certainty)
        for rule, (_, _, cause, certainty) in test_broker_rules.CASES.items()
    }
    assert set(ROW.findall(PAGE)) == tested | NOT_OF_CASES


def test_every_rule_of_the_code_is_tested_and_on_the_page() -> None:
    assert rules_in_code() == {rule for rule, _, _ in ROW.findall(PAGE)}


def test_every_cause_and_certainty_is_described() -> None:
    for one in (*Cause, *Certainty):
        assert f"| `{one.value}` |" in PAGE or f"| **{one.value}** |" in PAGE, one


def test_the_limits_on_the_page_are_those_in_the_code() -> None:
    told = {name: int(value) for name, value in LIMIT.findall(PAGE)}
    assert told == {name: getattr(limits, name) for name in dir(limits) if name.isupper()}
