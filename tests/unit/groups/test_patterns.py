"""Subscriptions by regular expression: with google-re2 and without it, in bounded time."""

from __future__ import annotations

import re
from random import Random

import pytest

from metaquorum.groups import patterns
from metaquorum.groups.patterns import BadPattern, Pattern

TOPIC = "__cluster_metadata"
SIMPLE = [
    (".*", True),
    (TOPIC, True),
    ("cluster", False),
    ("^__cluster.*$", True),
    (".*metadata", True),
    (".*_cluster_.*_metadata", False),
    ("__c.*cluster_metadata", False),
    (f"foo|{TOPIC}", True),
    ("^foo.*|^bar.*", False),
    (r"a\.b|.*", True),
    (r"__cluster\.metadata", False),
    ("__CLUSTER_METADATA", False),
    ("", False),
]
GENERAL = [
    ("__cluster_.+", True),
    (r"\A__.*\z", True),
    ("(foo|__cluster)_meta(data)?", True),
    ("(?:__)?[a-z]+_[^0-9]+", True),
    ("(?i)__CLUSTER_METADATA", True),
    (r"\w{18}", True),
    (r"\w{19}", False),
    (r"\w{5,}?", True),
    (r"[[:alpha:]_]+", True),
    (r"\Q__cluster_metadata\E", True),
    ("(?P<name>_*)cluster.*", True),
    ("x*", False),
]


@pytest.fixture
def no_re2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "re2", None)


@pytest.mark.parametrize(("text", "matches"), SIMPLE)
@pytest.mark.usefixtures("no_re2")
def test_literals_and_wildcards_need_no_re2(text: str, matches: bool) -> None:
    assert Pattern.compile(text).matches(TOPIC) is matches


@pytest.mark.parametrize(("text", "matches"), GENERAL)
def test_re2_matches_the_whole_name(text: str, matches: bool) -> None:
    assert Pattern.compile(text).matches(TOPIC) is matches


@pytest.mark.parametrize("text", [text for text, _ in GENERAL] + [r"\.*", ".**", "a$b"])
@pytest.mark.usefixtures("no_re2")
def test_other_expressions_name_the_extra_without_re2(text: str) -> None:
    with pytest.raises(BadPattern, match=r"metaquorum\[patterns\]"):
        Pattern.compile(text)


@pytest.mark.parametrize(
    "text",
    [
        *("(", ")", "[a", "*a", "a**", "(?=a)", "(?<!a)b", r"\1", "[b-a]", "a{2,1}", "a{1001}"),
        *("\\", "((a{100}){100}){100}", r"((\pL{10}){10}){10}", "[[:foo:]]", "a" * 1_001, "\ud800"),
    ],
)
def test_what_re2_refuses_is_a_bad_pattern(text: str) -> None:
    with pytest.raises(BadPattern):
        Pattern.compile(text)


@pytest.mark.parametrize("text", ["(((_*)*)*)*(a|a)*(.*.*.*)*x", ".*_" * 300 + "x"])
def test_what_makes_others_backtrack_ends_soon(text: str) -> None:
    assert not Pattern.compile(text).matches(TOPIC * 10)


def test_literals_and_wildcards_agree_with_python() -> None:
    chance = Random(11)
    for _ in range(2_000):
        parts = chance.choices(["a", "b", "ab", ".*", ".*", r"\.", "|"], k=chance.randrange(1, 7))
        text = "".join(parts).replace(".*.*", ".*")
        name = "".join(chance.choices("ab.", k=chance.randrange(8)))
        assert Pattern.compile(text).matches(name) == bool(re.fullmatch(text, name)), (text, name)
